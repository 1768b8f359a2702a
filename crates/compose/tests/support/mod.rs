//! Random small systems, and the slowest possible ways to compute things about them.
#![allow(dead_code)]

pub(crate) mod premises;

use std::collections::BTreeSet;

use proptest::prelude::*;
use quotient_compose::operations::complete;
use quotient_compose::{Action, Actions, ERROR, Lts, LtsBuilder, State, System};

/// Names `a`, `b`, …
pub(crate) fn letters(count: usize) -> (Actions, Vec<Action>) {
    let mut actions = Actions::new();
    let letters = (0..count)
        .map(|i| actions.intern(&char::from(b'a' + i as u8).to_string()))
        .collect();
    (actions, letters)
}

/// What a random transition system may have.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) states: u32,
    pub(crate) letters: usize,
    pub(crate) silent: bool,
    pub(crate) error: bool,
    pub(crate) end: bool,
}

/// A transition system as plain numbers: letter 0 is silence, a target of `states` the error.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(crate) states: u32,
    pub(crate) edges: Vec<(u32, usize, u32)>,
    pub(crate) alphabet: Vec<usize>,
    pub(crate) end: Option<u32>,
}

impl Plan {
    pub(crate) fn lts(&self, letters: &[Action]) -> Lts {
        let mut builder = LtsBuilder::new();
        builder.at_least(self.states as usize);
        for &(from, letter, to) in &self.edges {
            let action = match letter {
                0 => Action::TAU,
                letter => letters[letter - 1],
            };
            let to = match to >= self.states {
                true => ERROR,
                false => to.into(),
            };
            builder.edge(from, action, to);
        }
        builder.alphabet(self.alphabet.iter().map(|&letter| letters[letter]));
        if let Some(end) = self.end {
            builder.end(end);
        }
        builder.build()
    }
}

pub(crate) fn plans(shape: Shape) -> impl Strategy<Value = Plan> {
    (1..=shape.states).prop_flat_map(move |states| {
        let first = usize::from(!shape.silent);
        let targets = states + u32::from(shape.error);
        let edge = (0..states, first..=shape.letters, 0..targets);
        let edges = proptest::collection::vec(edge, 0..=(2 * states as usize + 2));
        let alphabet = proptest::collection::vec(0..shape.letters, 0..=1);
        let end = proptest::option::weighted(0.3, 0..states);
        (edges, alphabet, end).prop_map(move |(mut edges, alphabet, end)| {
            let end = end.filter(|_| shape.end);
            // `END` is left by no edge.
            edges.retain(|&(from, _, _)| end != Some(from));
            Plan {
                states,
                edges,
                alphabet,
                end,
            }
        })
    })
}

/// Deterministic plans without silence and error: specifications.
pub(crate) fn specifications(states: u32, letters: usize) -> impl Strategy<Value = Plan> {
    let shape = Shape {
        states,
        letters,
        silent: false,
        error: false,
        end: false,
    };
    plans(shape).prop_map(|mut plan| {
        let mut seen = BTreeSet::new();
        plan.edges
            .retain(|&(from, letter, _)| seen.insert((from, letter)));
        plan
    })
}

/// A system of these transition systems side by side.
pub(crate) fn side_by_side(actions: &Actions, parts: &[Lts]) -> System {
    let mut system = System::new();
    system.actions = actions.clone();
    let nodes: Vec<_> = parts
        .iter()
        .enumerate()
        .map(|(i, lts)| system.process(format!("M{}", i + 1), lts.clone()))
        .collect();
    system.parallel(nodes);
    system
}

/// The states reachable by silent steps; the error state may be among them.
pub(crate) fn silently(lts: &Lts, from: &BTreeSet<State>) -> BTreeSet<State> {
    let mut all = from.clone();
    loop {
        let more: Vec<State> = all
            .iter()
            .flat_map(|&state| lts.edges(state))
            .filter(|edge| edge.action.is_tau())
            .map(|edge| edge.target)
            .collect();
        let before = all.len();
        all.extend(more);
        if all.len() == before {
            return all;
        }
    }
}

pub(crate) fn after(lts: &Lts, from: &BTreeSet<State>, action: Action) -> BTreeSet<State> {
    let next = from
        .iter()
        .flat_map(|&state| lts.edges(state))
        .filter(|edge| edge.action == action)
        .map(|edge| edge.target)
        .collect();
    silently(lts, &next)
}

/// All traces up to a length, each with whether it may end in the error state.
pub(crate) fn traces(lts: &Lts, length: usize) -> BTreeSet<(Vec<Action>, bool)> {
    let mut all = BTreeSet::new();
    let mut level = vec![(Vec::new(), silently(lts, &BTreeSet::from([lts.initial()])))];
    for step in 0..=length {
        let mut next = Vec::new();
        for (trace, states) in level {
            all.insert((trace.clone(), states.contains(&ERROR)));
            if step == length {
                continue;
            }
            for &action in lts.alphabet() {
                let states = after(lts, &states, action);
                if !states.is_empty() {
                    let mut longer = trace.clone();
                    longer.push(action);
                    next.push((longer, states));
                }
            }
        }
        level = next;
    }
    all
}

/// Components that know a few of many actions each.
pub(crate) fn neighbours(
    shape: Shape,
    most: usize,
) -> impl Strategy<Value = Vec<(Plan, Vec<usize>)>> {
    let chosen = proptest::sample::subsequence((0..7).collect::<Vec<usize>>(), shape.letters);
    proptest::collection::vec((plans(shape), chosen), 1..=most)
}

/// A system of such components, and of properties that watch them.
pub(crate) fn among_neighbours(
    components: &[(Plan, Vec<usize>)],
    properties: &[(Plan, Vec<usize>)],
) -> System {
    let (actions, letters) = letters(7);
    let part = |(plan, chosen): &(Plan, Vec<usize>)| {
        let own: Vec<Action> = chosen.iter().map(|&letter| letters[letter]).collect();
        plan.lts(&own)
    };
    let mut parts: Vec<Lts> = components.iter().map(part).collect();
    parts.extend(properties.iter().map(|plan| complete(&part(plan))));
    side_by_side(&actions, &parts)
}

/// What components can do together from a state, by the definition of composition.
pub(crate) fn steps_together(parts: &[&Lts], state: &[State]) -> Vec<(Action, Vec<State>)> {
    let alphabet: BTreeSet<Action> = parts.iter().flat_map(|p| p.alphabet().to_vec()).collect();
    let mut found = Vec::new();
    for (i, part) in parts.iter().enumerate() {
        for edge in part.successors(state[i], Action::TAU) {
            let mut next = state.to_vec();
            next[i] = edge.target;
            found.push((Action::TAU, next));
        }
    }
    for &action in &alphabet {
        let mut nexts = vec![Vec::new()];
        for (part, &now) in parts.iter().zip(state) {
            let edges = part.successors(now, action).iter();
            let targets: Vec<State> = match part.knows(action) {
                true => edges.map(|edge| edge.target).collect(),
                false => vec![now],
            };
            let longer = |next: &Vec<State>| -> Vec<Vec<State>> {
                let with = |&target: &State| [next.clone(), vec![target]].concat();
                targets.iter().map(with).collect()
            };
            nexts = nexts.iter().flat_map(longer).collect();
        }
        found.extend(nexts.into_iter().map(|next| (action, next)));
    }
    found
}
