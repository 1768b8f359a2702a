//! From a small component that gets stuck, or errs, back to what all components do.

use std::collections::VecDeque;

use quotient_core::{Budget, Stop};
use rustc_hash::FxHashMap;

use super::tree::{Node, Of, Tree};
use crate::{Action, ERROR, Lts, State};

/// Events that lead to a deadlock of the whole, if there is one.
pub(super) fn to_deadlock(tree: &Tree, budget: &Budget) -> Result<Option<Vec<Action>>, Stop> {
    let Some(last) = tree.nodes.len().checked_sub(1) else {
        // Nobody is there to do anything.
        return Ok(Some(Vec::new()));
    };
    match tree.nodes[last].stuck() {
        Some(end) => events(tree, last, &[], end, budget).map(Some),
        None => Ok(None),
    }
}

/// Events that lead to an error, if there is one: the first node that errs by itself shows it.
pub(super) fn to_error(tree: &Tree, budget: &Budget) -> Result<Option<Vec<Action>>, Stop> {
    let mut nodes = tree.nodes.iter();
    match nodes.position(|node| node.small.initial() == ERROR) {
        Some(node) => erring(tree, node, &[], true, budget).map(Some),
        None => Ok(None),
    }
}

/// What the components of a node do while it shows a word of its small form, and errs at the end
/// if it is to.
fn erring(
    tree: &Tree,
    number: usize,
    word: &[Action],
    errs: bool,
    budget: &Budget,
) -> Result<Vec<Action>, Stop> {
    let node = &tree.nodes[number];
    let shows = |event: Action| !event.is_tau() && node.small.knows(event);
    let is_goal = |done: usize, state: State| done == word.len() && (!errs || state == ERROR);
    let (path, before, _) = shortest_to(node, word, shows, is_goal, budget)?;
    let (
        &Of::Pair {
            left,
            right,
            ref locals,
        },
        Some(&last),
    ) = (&node.of, path.last())
    else {
        return Ok(path);
    };
    let sides = [left, right];
    let locals = locals(before);
    let breaks = sides.iter().zip(&locals).map(|(&side, &local)| {
        let after = tree.nodes[side].small.successors(local, last);
        errs && after.iter().any(|edge| edge.target == ERROR)
    });
    let mut breaks: Vec<bool> = breaks.collect();
    // One that errs is enough.
    breaks[1] &= !breaks[0];
    let side = |at: usize| {
        let own = &tree.nodes[sides[at]].small;
        let word: Vec<Action> = path.iter().copied().filter(|&e| own.knows(e)).collect();
        let events = erring(tree, sides[at], &word, breaks[at], budget)?;
        Ok((&**own, events.into_iter()))
    };
    Ok(merged(&path, [side(0)?, side(1)?]))
}

/// What two sides do, by what they do together.
fn merged(path: &[Action], mut sides: [(&Lts, std::vec::IntoIter<Action>); 2]) -> Vec<Action> {
    let mut merged = Vec::new();
    for &event in path.iter().filter(|event| !event.is_tau()) {
        for (_, events) in sides.iter_mut().filter(|(own, _)| own.knows(event)) {
            // What comes before the event is the side's own affair.
            merged.extend(events.by_ref().take_while(|&own_event| own_event != event));
        }
        merged.push(event);
    }
    for (_, events) in sides {
        merged.extend(events);
    }
    merged
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
        Ok((
            &**own,
            events(tree, number, &word, end, budget)?.into_iter(),
        ))
    };
    Ok(merged(&path, [side(left, ends[0])?, side(right, ends[1])?]))
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
    let is_goal = |done: usize, state: State| done == word.len() && rests(state);
    let (path, _, last) = shortest_to(node, word, shows, is_goal, budget)?;
    Ok((path, last))
}

/// A shortest way through the whole of a node that shows a word and ends in a goal, with its
/// last two states. The error state cannot be left.
fn shortest_to(
    node: &Node,
    word: &[Action],
    shows: impl Fn(Action) -> bool,
    is_goal: impl Fn(usize, State) -> bool,
    budget: &Budget,
) -> Result<(Vec<Action>, State, State), Stop> {
    let start = (0, node.whole.initial());
    let mut origin: FxHashMap<(usize, State), ((usize, State), Action)> = FxHashMap::default();
    origin.insert(start, (start, Action::TAU));
    let mut todo = VecDeque::from([start]);
    while let Some(at) = todo.pop_front() {
        let (done, state) = at;
        budget.charge(1)?;
        if is_goal(done, state) {
            let before = origin[&at].0.1;
            let mut path = Vec::new();
            let mut at = at;
            while at != start {
                let (before, action) = origin[&at];
                path.push(action);
                at = before;
            }
            path.reverse();
            return Ok((path, before, state));
        }
        if state == ERROR {
            continue;
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
