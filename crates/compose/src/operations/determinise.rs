//! The subset construction.

use quotient_core::{Budget, Stop};
use rustc_hash::FxHashMap;

use crate::{Action, ERROR, Lts, LtsBuilder, State};

/// A deterministic system with the same traces and the same traces into the error state.
///
/// A trace that may lead to the error state does: the error wins over other outcomes.
pub fn determinise(lts: &Lts, budget: &Budget) -> Result<Lts, Stop> {
    let mut builder = LtsBuilder::new();
    builder.alphabet(lts.alphabet().iter().copied());
    let mut closure = Closure::new(lts, |_| false);
    let Some(initial) = closure.of(lts, vec![lts.initial()]) else {
        builder.initial(ERROR);
        return Ok(builder.build());
    };
    let mut numbers: FxHashMap<Vec<State>, State> = FxHashMap::default();
    let mut subsets = vec![initial.clone()];
    numbers.insert(initial, State::from_index(0));
    let mut number = 0;
    while number < subsets.len() {
        let subset = &subsets[number];
        if lts.end().is_some_and(|end| subset == &[end]) {
            builder.end(State::from_index(number));
        }
        let mut moves: Vec<(Action, State)> = Vec::new();
        for &state in subset {
            let visible = lts.edges(state).iter().filter(|edge| !edge.action.is_tau());
            moves.extend(visible.map(|edge| (edge.action, edge.target)));
        }
        moves.sort_unstable();
        moves.dedup();
        budget.charge(moves.len() as u64 + 1)?;
        for group in moves.chunk_by(|left, right| left.0 == right.0) {
            let targets = group.iter().map(|&(_, target)| target).collect();
            let target = match closure.of(lts, targets) {
                None => ERROR,
                Some(subset) => *numbers.entry(subset).or_insert_with_key(|subset| {
                    subsets.push(subset.clone());
                    State::from_index(subsets.len() - 1)
                }),
            };
            builder.edge(State::from_index(number), group[0].0, target);
        }
        number += 1;
    }
    Ok(builder.build())
}

/// Sets of states closed under steps that are silent or taken to be so.
#[derive(Debug)]
pub(crate) struct Closure {
    /// The round in which a state was last met.
    met: Vec<u32>,
    round: u32,
    /// Which actions are taken to be silent.
    silent: Vec<bool>,
}

impl Closure {
    pub(crate) fn new(lts: &Lts, silent: impl Fn(Action) -> bool) -> Closure {
        let most = lts.alphabet().last().map_or(0, |action| action.index());
        let silent = (0..=most).map(|index| index == 0 || silent(Action::from_index(index)));
        Closure {
            met: vec![0; lts.states()],
            round: 0,
            silent: silent.collect(),
        }
    }

    /// The states reachable by silent steps, sorted; `None` if the error state is.
    pub(crate) fn of(&mut self, lts: &Lts, mut states: Vec<State>) -> Option<Vec<State>> {
        if states.contains(&ERROR) {
            return None;
        }
        self.round += 1;
        let (met, round) = (&mut self.met, self.round);
        states.retain(|&state| std::mem::replace(&mut met[state.index()], round) != round);
        let mut next = 0;
        while next < states.len() {
            for edge in lts.edges(states[next]) {
                if !self.silent[edge.action.index()] {
                    continue;
                }
                if edge.target == ERROR {
                    return None;
                }
                if std::mem::replace(&mut met[edge.target.index()], round) != round {
                    states.push(edge.target);
                }
            }
            next += 1;
        }
        states.sort_unstable();
        Some(states)
    }
}
