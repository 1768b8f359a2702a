//! Steps as a choice: one constraint that lists, one by one, the ways in which a step can be taken.
//!
//! Models of interleaving are often written so: a single constraint of thousands of lines, each
//! with what one component does and that all others stay as they are. As one diagram it mentions
//! everything with everything; way by way, only the few bits that change.

use rustc_hash::FxHashMap;

use crate::model::{Expression, Kind, Model, Node};

/// Fewer ways are no better than one diagram.
const FEWEST: usize = 4;
/// More ways are not listed.
const MOST: usize = 1 << 13;
/// More parts than this, in all ways together, are not listed either.
const MOST_PARTS: usize = 1 << 22;

/// One way to take a step: all parts hold, and some bits keep their values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Way {
    pub(super) says: Vec<Expression>,
    /// Sorted.
    pub(super) keeps: Vec<u32>,
}

/// The first constraint on steps that is a choice, by its number, with its ways.
pub(super) fn choice(model: &Model) -> Option<(usize, Vec<Way>)> {
    let mut all = model.transitions().iter().enumerate();
    all.find_map(|(at, &root)| Some((at, ways(model, root)?)))
}

/// The ways of a constraint, if there are several and they keep at least half of all bits that can
/// change, taken together.
fn ways(model: &Model, root: Expression) -> Option<Vec<Way>> {
    // The common case, and cheap to tell.
    if !is_choice(model, root) {
        return None;
    }
    let states = model
        .variables()
        .iter()
        .filter(|one| one.kind == Kind::State);
    let bits: usize = states.map(|variable| variable.bits().len()).sum();
    let support = model.support([root]);
    if support.iter().filter(|&&(_, next)| next).count() * 2 < bits {
        return None;
    }
    let steps = about_steps(model, root);
    let mut found: Vec<Way> = Vec::new();
    let mut parts = 0;
    // What is to be looked at, with the bits that are kept already.
    let mut open: Vec<(Vec<Expression>, Vec<u32>)> = vec![(vec![root], Vec::new())];
    while let Some((says, keeps)) = open.pop() {
        let mut way = Way {
            says: Vec::new(),
            keeps,
        };
        for part in conjuncts(model, says) {
            match kept(model, part) {
                Some(bit) => way.keeps.push(bit),
                None => way.says.push(part),
            }
        }
        way.keeps.sort_unstable();
        way.keeps.dedup();
        parts += way.says.len() + way.keeps.len();
        if open.len() + found.len() >= MOST || parts > MOST_PARTS {
            return None;
        }
        let is_small = way.keeps.len() * 2 >= bits;
        let inner = way.says.iter().position(|&part| {
            steps.get(&part.node()).copied().unwrap_or(false) && is_choice(model, part)
        });
        match inner.filter(|_| !is_small) {
            None => found.push(way),
            Some(at) => {
                let inner = way.says.swap_remove(at);
                for option in options(model, inner).into_iter().rev() {
                    let says = [way.says.as_slice(), option.as_slice()].concat();
                    open.push((says, way.keeps.clone()));
                }
            }
        }
    }
    let kept: usize = found.iter().map(|way| way.keeps.len()).sum();
    (found.len() >= FEWEST && kept * 2 >= bits * found.len()).then_some(found)
}

/// Whether an expression is a disjunction, or one of two by a test.
fn is_choice(model: &Model, part: Expression) -> bool {
    match model.node(part) {
        Node::And(..) => part.is_negated(),
        Node::If(..) => true,
        Node::True | Node::Bit { .. } | Node::Xor(..) => false,
    }
}

/// The alternatives of a choice, each as parts that hold together.
fn options(model: &Model, choice: Expression) -> Vec<Vec<Expression>> {
    if let Node::If(test, then, other) = model.node(choice) {
        let signed = |side: Expression| if choice.is_negated() { !side } else { side };
        return vec![vec![test, signed(then)], vec![!test, signed(other)]];
    }
    let mut found = Vec::new();
    let mut open = vec![choice];
    while let Some(part) = open.pop() {
        match model.node(part) {
            Node::And(left, right) if part.is_negated() => open.extend([!right, !left]),
            _ => found.push(vec![part]),
        }
    }
    found
}

/// The parts of conjunctions.
fn conjuncts(model: &Model, mut open: Vec<Expression>) -> Vec<Expression> {
    let mut found = Vec::new();
    open.reverse();
    while let Some(part) = open.pop() {
        match model.node(part) {
            Node::And(left, right) if !part.is_negated() => open.extend([right, left]),
            Node::True if !part.is_negated() => {}
            _ => found.push(part),
        }
    }
    found
}

/// The bit that keeps its value, if that is all that is said.
fn kept(model: &Model, part: Expression) -> Option<u32> {
    let Node::Xor(left, right) = model.node(part) else {
        return None;
    };
    match (model.node(left), model.node(right)) {
        (
            Node::Bit { bit, next },
            Node::Bit {
                bit: other,
                next: after,
            },
        ) => {
            let same = left.is_negated() == right.is_negated();
            (part.is_negated() == same && bit == other && next != after).then_some(bit)
        }
        _ => None,
    }
}

/// Which nodes below mention a next state.
fn about_steps(model: &Model, root: Expression) -> FxHashMap<usize, bool> {
    let mut about: FxHashMap<usize, bool> = FxHashMap::default();
    for node in model.nodes_below([root]) {
        let below = |side: Expression| about[&side.node()];
        let found = match model.node_at(node) {
            Node::True => false,
            Node::Bit { next, .. } => next,
            Node::And(left, right) | Node::Xor(left, right) => below(left) || below(right),
            Node::If(test, then, other) => below(test) || below(then) || below(other),
        };
        about.insert(node, found);
    }
    about
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Domain;

    /// Bits of which one changes at a time.
    fn one_at_a_time(count: usize) -> (Model, Expression) {
        let mut model = Model::new();
        let ids: Vec<_> = (0..count)
            .map(|_| model.add_variable("bit", Kind::State, Domain::Boolean))
            .collect();
        let mut root = Expression::FALSE;
        for &changed in &ids {
            let mut way = Expression::TRUE;
            for &id in &ids {
                let (now, next) = (model.bit(id, 0), model.next_bit(id, 0));
                let part = match id == changed {
                    true => model.xor(now, next),
                    false => model.iff(now, next),
                };
                way = model.and(way, part);
            }
            root = model.or(root, way);
        }
        (model, root)
    }

    #[test]
    fn every_way_keeps_what_it_does_not_change() {
        let (model, root) = one_at_a_time(6);
        let ways = ways(&model, root).unwrap();
        assert_eq!(ways.len(), 6);
        assert!(
            ways.iter()
                .all(|way| way.keeps.len() == 5 && way.says.len() == 1)
        );
    }

    #[test]
    fn a_choice_behind_a_test_is_found() {
        let (mut model, root) = one_at_a_time(6);
        let guard = model.add_variable("guard", Kind::State, Domain::Boolean);
        let (now, next) = (model.bit(guard, 0), model.next_bit(guard, 0));
        let stays = model.iff(now, next);
        let some = model.and(stays, root);
        let guarded = model.and(now, some);
        let ways = ways(&model, guarded);
        assert_eq!(ways, None, "a conjunction is no choice");
        let idle = model.and(!now, stays);
        let either = model.or(guarded, idle);
        let ways = super::ways(&model, either).unwrap();
        assert_eq!(ways.len(), 7);
        assert!(ways.iter().all(|way| way.keeps.contains(&6)));
    }

    #[test]
    fn ways_that_keep_little_are_none() {
        let (mut model, _) = one_at_a_time(4);
        let bits: Vec<Expression> = model
            .variable_ids()
            .map(|(id, _)| id)
            .collect::<Vec<_>>()
            .into_iter()
            .map(|id| model.next_bit(id, 0))
            .collect();
        let root = model.or_all(bits);
        assert_eq!(ways(&model, root), None);
    }
}
