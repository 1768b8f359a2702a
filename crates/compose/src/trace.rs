//! Executions of a whole system, step by step.

use quotient_core::{Budget, Stop};
use rustc_hash::FxHashMap;

use crate::{Action, ERROR, Network, State, Violation};

/// An execution with the states of all components; [`ERROR`] for a component that has erred.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace {
    /// The states at the start.
    pub initial: Vec<State>,
    /// What happens, and the states afterwards.
    pub steps: Vec<(Action, Vec<State>)>,
    /// What is wrong at the end.
    pub violation: Violation,
}

/// Follows events, silent ones where they stand, by the definition of composition alone: all
/// states that a system may be in after each of them. `None` if the violation is not there
/// at the end.
///
/// This shares nothing with the search that found the events.
pub fn replay(
    network: &Network,
    events: &[Action],
    violation: Violation,
    budget: &Budget,
) -> Result<Option<Trace>, Stop> {
    let levels = levels(network, events, budget)?;
    let is_there = |state: &&Vec<State>| match violation {
        Violation::Error(part) => state.get(part) == Some(&ERROR),
        Violation::Deadlock => is_stuck(network, state),
    };
    let last = levels
        .last()
        .and_then(|level| level.keys().filter(is_there).min());
    let Some(last) = last.cloned() else {
        return Ok(None);
    };
    let mut states = states_to(&levels, last).into_iter();
    Ok(states.next().map(|initial| Trace {
        initial,
        steps: events.iter().copied().zip(states).collect(),
        violation,
    }))
}

/// Follows events in the same way: the states from the start on for some of the states that the
/// system may be in at the end, first things first.
pub(crate) fn endings(
    network: &Network,
    events: &[Action],
    most: usize,
    budget: &Budget,
) -> Result<Vec<Vec<Vec<State>>>, Stop> {
    let levels = levels(network, events, budget)?;
    let last = levels.last().into_iter().flat_map(|level| level.keys());
    let mut last: Vec<&Vec<State>> = last.collect();
    last.sort_unstable();
    let last = last.into_iter().take(most).cloned();
    Ok(last.map(|last| states_to(&levels, last)).collect())
}

/// The states that a system may be in at the start and after each event, each with one that it
/// may have been in before.
type Level = FxHashMap<Vec<State>, Vec<State>>;

fn levels(network: &Network, events: &[Action], budget: &Budget) -> Result<Vec<Level>, Stop> {
    let mut levels: Vec<Level> = Vec::new();
    levels.push(FxHashMap::from_iter([(network.initial(), Vec::new())]));
    for &event in events {
        let mut next = FxHashMap::default();
        let present = &levels[levels.len() - 1];
        let mut states: Vec<&Vec<State>> = present.keys().collect();
        states.sort_unstable();
        for state in states {
            budget.charge(1)?;
            for target in winning(network, state, event) {
                next.entry(target).or_insert_with(|| state.clone());
            }
        }
        levels.push(next);
    }
    Ok(levels)
}

/// The states on a way to one of the last level.
fn states_to(levels: &[Level], last: Vec<State>) -> Vec<Vec<State>> {
    let mut states = vec![last];
    for level in levels[1..].iter().rev() {
        let after = &states[states.len() - 1];
        states.push(level[after].clone());
    }
    states.reverse();
    states
}

impl Network {
    /// All that can happen when the components are in these states: each event with the states
    /// afterwards, silent steps first. Nothing happens after an error.
    ///
    /// ```
    /// use quotient_compose::{LtsBuilder, Network, State, System};
    /// use quotient_core::Budget;
    /// let mut system = System::new();
    /// let (a, b) = (system.actions.intern("a"), system.actions.intern("b"));
    /// let mut builder = LtsBuilder::new();
    /// builder.edge(0, a, 1).edge(1, b, 0);
    /// system.process("P", builder.build());
    /// let network = Network::new(&system, &Budget::unlimited()).unwrap();
    /// let steps = network.steps(&network.initial());
    /// assert_eq!(steps.len(), 1);
    /// assert_eq!((network.name(steps[0].0), &steps[0].1[..]), ("a", &[State::from(1)][..]));
    /// ```
    pub fn steps(&self, states: &[State]) -> Vec<(Action, Vec<State>)> {
        let events = std::iter::once(Action::TAU).chain(self.events());
        events
            .flat_map(|event| {
                let mut after = winning(self, states, event);
                after.sort_unstable();
                after.dedup();
                after.into_iter().map(move |states| (event, states))
            })
            .collect()
    }

    /// The states of the components at the start.
    pub fn initial(&self) -> Vec<State> {
        let components = self.components().iter();
        components
            .map(|component| component.lts.initial())
            .collect()
    }

    /// Whether nothing can happen when the components are in these states, and it is neither an
    /// error nor a good end.
    pub fn is_deadlock(&self, states: &[State]) -> bool {
        is_stuck(self, states)
    }
}

/// All states after one event, unless it gives way to others.
fn winning(network: &Network, state: &[State], event: Action) -> Vec<Vec<State>> {
    let after = targets(network, state, event);
    let Some(priority) = network.priority() else {
        return after;
    };
    let wins = |event: Action| priority.lists(event) == priority.is_high();
    let mut events = network.events().chain([Action::TAU]);
    let gives_way = !after.is_empty()
        && !wins(event)
        && events.any(|other| wins(other) && !targets(network, state, other).is_empty());
    match gives_way {
        true => Vec::new(),
        false => after,
    }
}

/// All states after one event, priorities aside.
fn targets(network: &Network, state: &[State], event: Action) -> Vec<Vec<State>> {
    if state.contains(&ERROR) {
        return Vec::new();
    }
    let parts = network.components();
    if event.is_tau() {
        let moves = parts.iter().enumerate().flat_map(|(at, part)| {
            let edges = part.lts.successors(state[at], event);
            edges.iter().map(move |edge| (at, edge.target))
        });
        return moves
            .map(|(at, target)| {
                let mut next = state.to_vec();
                next[at] = target;
                next
            })
            .collect();
    }
    let mut nexts = vec![state.to_vec()];
    let mut is_known = false;
    for (at, part) in parts
        .iter()
        .enumerate()
        .filter(|(_, part)| part.lts.knows(event))
    {
        is_known = true;
        let edges = part.lts.successors(state[at], event);
        nexts = nexts
            .iter()
            .flat_map(|next| {
                edges.iter().map(move |edge| {
                    let mut next = next.clone();
                    next[at] = edge.target;
                    next
                })
            })
            .collect();
    }
    if is_known { nexts } else { Vec::new() }
}

/// Whether nothing can happen and it is not the end: all components that can end have, and
/// no event is without one of them.
fn is_stuck(network: &Network, state: &[State]) -> bool {
    let parts = network.components();
    if state.contains(&ERROR) {
        return false;
    }
    let mut events = network.events().chain([Action::TAU]);
    if events.any(|event| !targets(network, state, event).is_empty()) {
        return false;
    }
    let ending = || parts.iter().filter(|part| part.lts.end().is_some());
    let all_ended = parts
        .iter()
        .zip(state)
        .all(|(part, &state)| part.lts.end().is_none_or(|end| end == state));
    let known = parts.iter().flat_map(|part| part.lts.alphabet());
    let all_end = known
        .into_iter()
        .all(|&event| ending().any(|part| part.lts.knows(event)));
    !(ending().next().is_some() && all_ended && all_end)
}
