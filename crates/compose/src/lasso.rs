//! Ways through a built system.

use std::collections::VecDeque;

use quotient_core::{Budget, Stop};
use rustc_hash::FxHashMap;

use crate::operations::Composed;
use crate::{Action, ERROR, Lts, State};

/// An infinite execution: a way, then a cycle for ever. Where nothing happens any more, the
/// cycle is empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lasso {
    /// The events up to the cycle, silent ones included.
    pub way: Vec<Action>,
    /// The events of the cycle.
    pub cycle: Vec<Action>,
    /// The states of the components: at the start, and after each event.
    pub states: Vec<Vec<State>>,
}

/// Events, each with the state of a composition that it leads to.
pub(crate) type Steps = Vec<(Action, State)>;

impl Lasso {
    /// A way from the initial state and a cycle, in a composition.
    pub(crate) fn new(
        composed: &Composed,
        way: &[(Action, State)],
        cycle: &[(Action, State)],
    ) -> Lasso {
        let events = |steps: &[(Action, State)]| steps.iter().map(|&(event, _)| event).collect();
        let after = way.iter().chain(cycle).map(|&(_, state)| state);
        Lasso {
            way: events(way),
            cycle: events(cycle),
            states: std::iter::once(composed.lts.initial())
                .chain(after)
                .map(&composed.locals)
                .collect(),
        }
    }
}

/// The nearest state that is a goal, with the events that lead there.
pub(crate) fn shortest_path(
    lts: &Lts,
    from: State,
    is_goal: impl Fn(State) -> bool,
    budget: &Budget,
) -> Result<Option<(State, Steps)>, Stop> {
    if from == ERROR {
        return Ok(None);
    }
    let mut origin: FxHashMap<State, (State, Action)> = FxHashMap::default();
    origin.insert(from, (from, Action::TAU));
    let mut todo = VecDeque::from([from]);
    while let Some(state) = todo.pop_front() {
        if is_goal(state) {
            let mut way = Vec::new();
            let mut at = state;
            while at != from {
                let (before, action) = origin[&at];
                way.push((action, at));
                at = before;
            }
            way.reverse();
            return Ok(Some((state, way)));
        }
        budget.charge(lts.edges(state).len() as u64 + 1)?;
        for edge in lts.edges(state).iter().filter(|edge| edge.target != ERROR) {
            origin.entry(edge.target).or_insert_with(|| {
                todo.push_back(edge.target);
                (state, edge.action)
            });
        }
    }
    Ok(None)
}

/// The events of a shortest cycle through a state; none if there is no cycle.
pub(crate) fn cycle_from(lts: &Lts, state: State, budget: &Budget) -> Result<Steps, Stop> {
    let mut best: Option<Steps> = None;
    for edge in lts.edges(state).iter().filter(|edge| edge.target != ERROR) {
        let back = shortest_path(lts, edge.target, |target| target == state, budget)?;
        if let Some((_, mut back)) = back {
            back.insert(0, (edge.action, edge.target));
            if best.as_ref().is_none_or(|best| back.len() < best.len()) {
                best = Some(back);
            }
        }
    }
    Ok(best.unwrap_or_default())
}
