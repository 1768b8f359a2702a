//! From a small component that gets stuck back to what all components do.

use std::collections::VecDeque;

use quotient_core::{Budget, Stop};
use rustc_hash::FxHashMap;

use super::tree::{Node, Of, Tree};
use crate::{Action, State};

/// Events that lead to a deadlock of the whole, if there is one.
pub(super) fn to_deadlock(tree: &Tree, budget: &Budget) -> Result<Option<Vec<Action>>, Stop> {
    let Some(last) = tree.nodes.len().checked_sub(1) else {
        // Nobody is there to do anything.
        return Ok(Some(Vec::new()));
    };
    let stuck = |state: State| tree.nodes[last].small.edges(state).is_empty();
    let mut states = 0..tree.nodes[last].small.states() as State;
    match states.find(|&state| stuck(state)) {
        Some(end) => events(tree, last, &[], end, budget).map(Some),
        None => Ok(None),
    }
}

/// What the components of a node do while it shows a word of its small form and comes to rest
/// in a state of it.
///
/// There always is such a way: states of one block can do the same, and one that is not busy
/// for ever comes to rest in its block, as its small form has.
fn events(
    tree: &Tree,
    node: usize,
    word: &[Action],
    end: State,
    budget: &Budget,
) -> Result<Vec<Action>, Stop> {
    let node = &tree.nodes[node];
    let (path, last) = shortest(node, word, end, budget)?;
    let Of::Pair {
        left,
        right,
        ref locals,
    } = node.of
    else {
        return Ok(path);
    };
    let ends = locals(last);
    let side = |number: usize, end: State| {
        let own = &tree.nodes[number].small;
        let word: Vec<Action> = path.iter().copied().filter(|&e| own.knows(e)).collect();
        Ok((own, events(tree, number, &word, end, budget)?.into_iter()))
    };
    let mut sides = [side(left, ends[0])?, side(right, ends[1])?];
    let mut merged = Vec::new();
    for event in path.into_iter().filter(|event| !event.is_tau()) {
        for (own, events) in sides.iter_mut().filter(|(own, _)| own.knows(event)) {
            // What comes before the event is the side's own affair.
            merged.extend(events.by_ref().take_while(|&own_event| own_event != event));
            debug_assert!(own.knows(event));
        }
        merged.push(event);
    }
    for (_, events) in sides {
        merged.extend(events);
    }
    Ok(merged)
}

/// A shortest way through the whole of a node that shows a word and comes to rest in a state
/// that is like `end`.
fn shortest(
    node: &Node,
    word: &[Action],
    end: State,
    budget: &Budget,
) -> Result<(Vec<Action>, State), Stop> {
    let shows = |event: Action| !event.is_tau() && node.small.knows(event);
    let rests = |state: State| {
        let mut edges = node.whole.edges(state).iter();
        node.places[state as usize] == end && edges.all(|edge| shows(edge.action))
    };
    let start = (0, node.whole.initial());
    let mut origin: FxHashMap<(usize, State), ((usize, State), Action)> = FxHashMap::default();
    origin.insert(start, (start, Action::TAU));
    let mut todo = VecDeque::from([start]);
    while let Some(at) = todo.pop_front() {
        let (done, state) = at;
        budget.charge(1)?;
        if done == word.len() && rests(state) {
            let mut path = Vec::new();
            let mut at = at;
            while at != start {
                let (before, action) = origin[&at];
                path.push(action);
                at = before;
            }
            path.reverse();
            return Ok((path, state));
        }
        for edge in node.whole.edges(state) {
            let next = match shows(edge.action) {
                true if word.get(done) == Some(&edge.action) => (done + 1, edge.target),
                true => continue,
                false => (done, edge.target),
            };
            origin.entry(next).or_insert_with(|| {
                todo.push_back(next);
                (at, edge.action)
            });
        }
    }
    Err(Stop::inconclusive(
        "internal error: a small component does what its whole does not",
    ))
}
