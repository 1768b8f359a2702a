//! Formulas about the end of a run: `G F a`, `F G a`, and what joins them.

use quotient_bits::Bits;
use quotient_core::Trouble;
use quotient_probability::Ending;

use super::formula::Checker;
use super::linear::is_path;
use crate::syntax::{Ahead, Join, Node, Tree};

/// So many ways to end are looked at.
const MOST: usize = 1000;

/// Whether a formula speaks about the end of a run only.
pub(crate) fn is_about_the_end(tree: &Tree) -> bool {
    match &tree.node {
        Node::Not(of) => is_about_the_end(of),
        Node::Two(Join::And | Join::Or | Join::Implies, left, right) => {
            is_about_the_end(left) && is_about_the_end(right)
        }
        Node::Ahead(outer @ (Ahead::Finally | Ahead::Globally), None, of) => match &of.node {
            Node::Ahead(inner @ (Ahead::Finally | Ahead::Globally), None, condition) => {
                outer != inner && !is_path(condition)
            }
            _ => false,
        },
        _ => false,
    }
}

impl Checker<'_> {
    /// The ways to end that fulfil a formula, or its opposite.
    pub(crate) fn endings(&self, tree: &Tree, opposite: bool) -> Result<Vec<Ending>, Trouble> {
        match (&tree.node, opposite) {
            (Node::Not(of), _) => self.endings(of, !opposite),
            (Node::Two(Join::Implies, left, right), _) => {
                let left = self.endings(left, !opposite)?;
                let right = self.endings(right, opposite)?;
                match opposite {
                    false => Ok(either(left, right)),
                    true => self.both(left, right, tree),
                }
            }
            (Node::Two(join, left, right), _) => {
                let left = self.endings(left, opposite)?;
                let right = self.endings(right, opposite)?;
                match (*join == Join::And) != opposite {
                    true => self.both(left, right, tree),
                    false => Ok(either(left, right)),
                }
            }
            (Node::Ahead(outer, _, of), _) => {
                let Node::Ahead(_, _, condition) = &of.node else {
                    return Err(self.error("path", "this is not about the end", tree.span));
                };
                let mut set = self.set(condition)?;
                let mut all = Bits::with_capacity(self.states());
                all.insert_range(..);
                if opposite {
                    set.toggle_range(..);
                }
                // Not again and again is for good not, and the other way round.
                let again = (*outer == Ahead::Globally) != opposite;
                Ok(vec![match again {
                    true => Ending {
                        stays: all,
                        visits: vec![set],
                    },
                    false => Ending {
                        stays: set,
                        visits: Vec::new(),
                    },
                }])
            }
            _ => Err(self.error("path", "this is not about the end", tree.span)),
        }
    }

    fn both(
        &self,
        left: Vec<Ending>,
        right: Vec<Ending>,
        tree: &Tree,
    ) -> Result<Vec<Ending>, Trouble> {
        if left.len() * right.len() > MOST {
            return Err(self.error("too-large", "this formula has too many cases", tree.span));
        }
        let mut all = Vec::new();
        for one in &left {
            for other in &right {
                let mut stays = one.stays.clone();
                stays.intersect_with(&other.stays);
                let visits = one.visits.iter().chain(&other.visits).cloned().collect();
                all.push(Ending { stays, visits });
            }
        }
        Ok(all)
    }
}

fn either(mut left: Vec<Ending>, right: Vec<Ending>) -> Vec<Ending> {
    left.extend(right);
    left
}
