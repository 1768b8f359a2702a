//! The trees of a set, one by one.

use std::collections::BTreeSet;

use quotient_core::{Budget, Stop};

use crate::{Tree, TreeAutomaton};

impl TreeAutomaton {
    /// The trees of at most so many nodes, smallest first, at most about `limit` of them.
    pub fn trees_up_to(
        &self,
        size: usize,
        limit: usize,
        budget: &Budget,
    ) -> Result<Vec<Tree>, Stop> {
        let mut by_size: Vec<Vec<BTreeSet<Tree>>> = vec![vec![BTreeSet::new(); self.states()]];
        let mut found: Vec<Tree> = Vec::new();
        for nodes in 1..=size {
            let mut now = vec![BTreeSet::new(); self.states()];
            for rule in self.rules() {
                // Trees for the first children, with the nodes that are left.
                let mut partial: Vec<(Vec<Tree>, usize)> = vec![(Vec::new(), nodes - 1)];
                for (place, &child) in rule.children.iter().enumerate() {
                    let is_last = place + 1 == rule.children.len();
                    let mut next = Vec::new();
                    for (trees, left) in &partial {
                        let sizes = if is_last { *left..=*left } else { 1..=*left };
                        for size in sizes.filter(|&size| size < nodes) {
                            for tree in &by_size[size][child.index()] {
                                budget.charge(1)?;
                                let mut trees = trees.clone();
                                trees.push(tree.clone());
                                next.push((trees, left - size));
                            }
                        }
                    }
                    partial = next;
                }
                let whole = partial.into_iter().filter(|(_, left)| *left == 0);
                let whole = whole.map(|(trees, _)| Tree::above(rule.symbol, &trees));
                now[rule.target.index()].extend(whole);
            }
            let new: BTreeSet<&Tree> = self.accepting().ones().flat_map(|q| &now[q]).collect();
            found.extend(new.into_iter().cloned());
            if found.len() >= limit {
                found.truncate(limit);
                break;
            }
            by_size.push(now);
        }
        Ok(found)
    }
}
