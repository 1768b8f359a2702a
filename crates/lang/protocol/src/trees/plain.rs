//! A plain interpreter of protocols in a tree: what steps and conditions mean, node by node.
//!
//! It shares nothing with the automata but the letters. Instances and runs are searched by it, and the
//! tests compare both.

use quotient_core::{Budget, Stop};
use quotient_trees::{Node, Tree};

use super::letters::{Letters, MOST_CHILDREN, choices_of};
use crate::model::{Bound, Condition, Demand, Expr, Nature, Property, Protocol, Step, Value};

/// The meaning of a protocol in a tree.
pub(crate) struct Plain<'a> {
    pub(super) protocol: &'a Protocol,
    pub(super) letters: &'a Letters,
}

/// One tree, with what its conditions ask.
struct Scene<'a> {
    letters: Vec<&'a [Value]>,
    parents: Vec<Option<usize>>,
    children: Vec<usize>,
    choices: &'a [Value],
}

impl Scene<'_> {
    fn is_above(&self, upper: usize, lower: usize) -> bool {
        let mut at = self.parents[lower];
        while let Some(node) = at {
            if node == upper {
                return true;
            }
            at = self.parents[node];
        }
        false
    }

    fn range(&self, bound: &Bound, people: &[usize]) -> Vec<usize> {
        let fits = |node: &usize| {
            bound.different_from.iter().all(|&who| people[who] != *node)
                && (bound.left_of).is_none_or(|who| self.is_above(*node, people[who]))
                && (bound.right_of).is_none_or(|who| self.is_above(people[who], *node))
        };
        (0..self.parents.len()).filter(fits).collect()
    }

    /// The value of an expression; nothing for what has no meaning in a tree.
    fn value(&self, expr: &Expr, people: &mut Vec<usize>) -> Option<Value> {
        let truth = |is: bool| Some(Value::from(is));
        match expr {
            Expr::Constant(value) => Some(*value),
            Expr::Choice(choice) => self.choices.get(*choice).copied(),
            Expr::Field(who, field) => Some(self.letters[people[*who]][*field]),
            Expr::Not(inner) => truth(self.value(inner, people)? == 0),
            Expr::And(all) => {
                let values: Option<Vec<Value>> =
                    all.iter().map(|part| self.value(part, people)).collect();
                truth(values?.iter().all(|&value| value != 0))
            }
            Expr::Or(all) => {
                let values: Option<Vec<Value>> =
                    all.iter().map(|part| self.value(part, people)).collect();
                truth(values?.iter().any(|&value| value != 0))
            }
            Expr::Compare(comparison, left, right) => {
                let (left, right) = (self.value(left, people)?, self.value(right, people)?);
                truth(comparison.holds(left, right))
            }
            Expr::Arithmetic(arithmetic, left, right) => {
                arithmetic.apply(self.value(left, people)?, self.value(right, people)?)
            }
            Expr::If(condition, yes, no) => match self.value(condition, people)? {
                0 => self.value(no, people),
                _ => self.value(yes, people),
            },
            Expr::Same(one, other) => truth(people[*one] == people[*other]),
            Expr::Before(one, other) => truth(self.is_above(people[*one], people[*other])),
            Expr::Next(one, other) => truth(self.parents[people[*other]] == Some(people[*one])),
            Expr::First(who) => truth(self.parents[people[*who]].is_none()),
            Expr::Last(who) => truth(self.children[people[*who]] == 0),
            Expr::Quantified {
                exists,
                bound,
                body,
            } => {
                let found = self.satisfying(bound, body, people)?;
                let all = self.range(bound, people).len();
                truth(if *exists { found > 0 } else { found == all })
            }
            Expr::Count {
                bound,
                body,
                comparison,
                number,
            } => {
                let found = self.satisfying(bound, body, people)?;
                truth(comparison.holds(Value::try_from(found).ok()?, *number))
            }
            _ => None,
        }
    }

    fn satisfying(&self, bound: &Bound, body: &Expr, people: &mut Vec<usize>) -> Option<usize> {
        let mut found = 0;
        for node in self.range(bound, people) {
            people.push(node);
            let value = self.value(body, people);
            people.pop();
            found += usize::from(value? != 0);
        }
        Some(found)
    }
}

impl Plain<'_> {
    fn scene<'s>(&'s self, tree: &Tree, choices: &'s [Value]) -> Scene<'s> {
        let nodes = tree.nodes();
        let mut parents = vec![None; nodes.len()];
        // Who still waits for children, and for how many.
        let mut open: Vec<(usize, u32)> = Vec::new();
        for (place, node) in nodes.iter().enumerate() {
            if let Some((parent, left)) = open.last_mut() {
                parents[place] = Some(*parent);
                *left -= 1;
            }
            open.retain(|(_, left)| *left > 0);
            if node.arity > 0 {
                open.push((place, node.arity));
            }
        }
        let letter = |node: &Node| self.letters.values[letter_of(node)].as_slice();
        Scene {
            letters: nodes.iter().map(letter).collect(),
            parents,
            children: nodes.iter().map(|node| node.arity as usize).collect(),
            choices,
        }
    }

    fn holds(&self, tree: &Tree, expr: &Expr) -> bool {
        let value = self.scene(tree, &[]).value(expr, &mut Vec::new());
        value.is_some_and(|value| value != 0)
    }

    /// Whether a property forbids a tree.
    pub(crate) fn is_bad(
        &self,
        property: &Property,
        tree: &Tree,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        match &property.demand {
            Demand::Never(Condition::Holds(expr)) => Ok(self.holds(tree, expr)),
            Demand::NoDeadlock => {
                let steps = self.protocol.steps.iter();
                for step in steps.filter(|one| one.nature != Nature::Fault) {
                    if !self.after(step, tree, budget)?.is_empty() {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// Whether it may begin with a tree.
    pub(crate) fn is_initial(&self, tree: &Tree) -> bool {
        let begins = |node: &Node| letter_of(node) < self.letters.initial;
        let said = |condition: &Condition| match condition {
            Condition::Holds(expr) => self.holds(tree, expr),
            _ => false,
        };
        tree.nodes().iter().all(begins) && self.protocol.initially.iter().all(said)
    }

    /// All first trees of so many processes.
    pub(crate) fn initial(&self, size: usize, budget: &Budget) -> Result<Vec<Tree>, Stop> {
        let mut all = Vec::new();
        let letters = self.letters.initial;
        for shape in shapes(size, budget)? {
            // The letters count up, as the digits of a number do.
            let mut chosen = vec![0usize; shape.len()];
            loop {
                budget.charge(1)?;
                let node = |(&arity, &letter): (&u32, &usize)| Node {
                    symbol: Letters::symbol(letter, 0, 0, arity as usize),
                    arity,
                };
                let tree = Tree::new(shape.iter().zip(&chosen).map(node).collect());
                all.extend(tree.filter(|tree| self.is_initial(tree)));
                let Some(place) = chosen.iter().rposition(|&letter| letter + 1 < letters) else {
                    break;
                };
                chosen[place] += 1;
                chosen[place + 1..].fill(0);
            }
        }
        Ok(all)
    }

    /// All trees that a tree can become, with the number of the step.
    pub(crate) fn successors(
        &self,
        tree: &Tree,
        budget: &Budget,
    ) -> Result<Vec<(usize, Tree)>, Stop> {
        let mut all = Vec::new();
        for (number, step) in self.protocol.steps.iter().enumerate() {
            let next = self.after(step, tree, budget)?;
            all.extend(next.into_iter().map(|next| (number, next)));
        }
        Ok(all)
    }

    /// Whether a step of a name leads from one tree to another.
    pub(crate) fn leads(
        &self,
        name: &str,
        from: &Tree,
        to: &Tree,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        for step in self.protocol.steps.iter().filter(|step| step.name == name) {
            if self.after(step, from, budget)?.contains(to) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn after(&self, step: &Step, tree: &Tree, budget: &Budget) -> Result<Vec<Tree>, Stop> {
        let mut all = Vec::new();
        for choices in choices_of(step) {
            let scene = self.scene(tree, &choices);
            let mut next = Some(vec![0; step.people.len()]);
            while let Some(mut people) = next {
                budget.charge(1)?;
                next = following(&people, tree.size());
                let value = scene.value(&step.guard, &mut people);
                if value.is_none_or(|value| value == 0) {
                    continue;
                }
                for actions in &step.alternatives {
                    all.extend(self.written(tree, actions, &people, &choices));
                }
            }
        }
        all.sort();
        all.dedup();
        Ok(all)
    }

    fn written(
        &self,
        tree: &Tree,
        actions: &[crate::model::Action],
        people: &[usize],
        choices: &[Value],
    ) -> Vec<Tree> {
        let standing: Vec<usize> = (people.iter())
            .map(|&place| letter_of(&tree.nodes()[place]))
            .collect();
        let mut all = vec![tree.nodes().to_vec()];
        for (who, &place) in people.iter().enumerate() {
            // Who is named twice changes once, in both ways.
            if people[..who].contains(&place) {
                continue;
            }
            let own: Vec<usize> = (who..people.len())
                .filter(|&other| people[other] == place)
                .collect();
            let next = self.letters.after(actions, &own, &standing, choices);
            let next = next.iter().filter_map(|one| self.letters.number(one));
            let next: Vec<usize> = next.collect();
            let arity = tree.nodes()[place].arity;
            all = (all.iter())
                .flat_map(|nodes| {
                    next.iter().map(move |&letter| {
                        let mut nodes = nodes.clone();
                        nodes[place].symbol = Letters::symbol(letter, 0, 0, arity as usize);
                        nodes
                    })
                })
                .collect();
        }
        all.into_iter().filter_map(Tree::new).collect()
    }
}

/// The next choice of people, if there is one.
fn following(people: &[usize], size: usize) -> Option<Vec<usize>> {
    let place = people.iter().rposition(|&node| node + 1 < size)?;
    let mut next = people.to_vec();
    next[place] += 1;
    next[place + 1..].fill(0);
    Some(next)
}

fn letter_of(node: &Node) -> usize {
    Letters::read(node.symbol, 0).0
}

/// The shapes of trees with so many nodes: how many children each has, before its children.
fn shapes(size: usize, budget: &Budget) -> Result<Vec<Vec<u32>>, Stop> {
    // By size, from small to large.
    let mut by_size: Vec<Vec<Vec<u32>>> = vec![Vec::new()];
    for nodes in 1..=size {
        let mut own: Vec<Vec<u32>> = Vec::new();
        if nodes == 1 {
            own.push(vec![0]);
        }
        for below in &by_size[nodes - 1] {
            own.push([&[1][..], below].concat());
        }
        debug_assert_eq!(MOST_CHILDREN, 2);
        for first in 1..nodes.saturating_sub(1) {
            for left in &by_size[first] {
                for right in &by_size[nodes - 1 - first] {
                    budget.charge(nodes as u64)?;
                    own.push([&[2][..], left, right].concat());
                }
            }
        }
        by_size.push(own);
    }
    Ok(by_size.pop().unwrap_or_default())
}
