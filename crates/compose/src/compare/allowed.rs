//! Whether one system allows what the other does.

use std::collections::VecDeque;

use quotient_core::{Budget, Stop};
use quotient_lts::Relation;
use quotient_lts::evidence::{AllowedData, WitnessData};
use rustc_hash::FxHashMap;

use super::union::Union;
use crate::graph::busy;
use crate::{Action, Lts, State};

/// Pairs that show it, or what the one does and the other does not; `second` asks what the
/// second system does of the first.
pub(super) fn search(
    union: &Union,
    relation: Relation,
    second: bool,
    budget: &Budget,
) -> Result<Result<Vec<AllowedData>, WitnessData>, Stop> {
    let [one, other] = match second {
        false => union.initial,
        true => [union.initial[1], union.initial[0]],
    };
    let busy = match relation == Relation::FailuresDivergences {
        true => busy(&union.lts),
        false => Vec::new(),
    };
    let mut search = Search {
        lts: &union.lts,
        relation,
        busy,
        pairs: Vec::new(),
        known: FxHashMap::default(),
        todo: VecDeque::new(),
        budget,
    };
    let start = search.silently(vec![other])?;
    search.add(one, start, None)?;
    let actions = |steps: &[Action]| steps.iter().map(|&step| union.name(step)).collect();
    let witness = match search.run()? {
        None => {
            let offset = |state: State, second: bool| match second {
                true => (state.index() - union.offset) as u32,
                false => state.into(),
            };
            let pairs = search.pairs.into_iter().map(|pair| AllowedData {
                state: offset(pair.state, second),
                by: pair
                    .by
                    .into_iter()
                    .map(|state| offset(state, !second))
                    .collect(),
            });
            return Ok(Ok(pairs.collect()));
        }
        Some((steps, Lack::Trace)) => WitnessData::Trace {
            second,
            actions: actions(&steps),
        },
        Some((steps, Lack::Busy)) => WitnessData::Divergence {
            second,
            actions: actions(&steps),
        },
        Some((steps, Lack::Refusal(refused))) => WitnessData::Failure {
            second,
            actions: actions(&steps),
            refused: actions(&refused),
        },
    };
    Ok(Err(witness))
}

/// What the other does not have.
enum Lack {
    Trace,
    Busy,
    Refusal(Vec<Action>),
}

/// A state, with all states of the other after the same trace, and how it was reached.
struct Pair {
    state: State,
    by: Vec<State>,
    before: Option<(u32, Action)>,
}

struct Search<'a> {
    lts: &'a Lts,
    relation: Relation,
    /// Whether each state can be silently busy for ever, where that is asked.
    busy: Vec<bool>,
    pairs: Vec<Pair>,
    /// The pairs of each state.
    known: FxHashMap<State, Vec<u32>>,
    todo: VecDeque<u32>,
    budget: &'a Budget,
}

impl Search<'_> {
    /// Adds a pair unless one that asks for more is known.
    fn add(
        &mut self,
        state: State,
        by: Vec<State>,
        before: Option<(u32, Action)>,
    ) -> Result<(), Stop> {
        let known = self.known.entry(state).or_default();
        for &pair in &*known {
            self.budget.charge(by.len() as u64 + 1)?;
            if is_subset(&self.pairs[pair as usize].by, &by) {
                return Ok(());
            }
        }
        let number = self.pairs.len() as u32;
        known.push(number);
        self.todo.push_back(number);
        self.budget.charge(by.len() as u64 + 1)?;
        self.pairs.push(Pair { state, by, before });
        Ok(())
    }

    /// Breadth-first, so that a trace that tells the systems apart is a short one.
    fn run(&mut self) -> Result<Option<(Vec<Action>, Lack)>, Stop> {
        while let Some(number) = self.todo.pop_front() {
            let Pair { state, by, .. } = &self.pairs[number as usize];
            let (state, by) = (*state, by.clone());
            if self.relation == Relation::FailuresDivergences {
                if by.iter().any(|&one| self.busy[one.index()]) {
                    continue;
                }
                if self.busy[state.index()] {
                    return Ok(Some((self.trace(number, None), Lack::Busy)));
                }
            }
            if self.relation != Relation::Traces
                && let Some(refused) = self.refused(state, &by)
            {
                return Ok(Some((self.trace(number, None), Lack::Refusal(refused))));
            }
            for &edge in self.lts.edges(state) {
                let after = match edge.action.is_tau() {
                    true => by.clone(),
                    false => {
                        let successors = |&one: &State| self.lts.successors(one, edge.action);
                        let targets = by.iter().flat_map(successors);
                        self.silently(targets.map(|edge| edge.target).collect())?
                    }
                };
                if after.is_empty() {
                    let trace = self.trace(number, Some(edge.action));
                    return Ok(Some((trace, Lack::Trace)));
                }
                self.add(edge.target, after, Some((number, edge.action)))?;
            }
        }
        Ok(None)
    }

    /// What a state refuses for good while each of some others offers a part of it.
    fn refused(&self, state: State, by: &[State]) -> Option<Vec<Action>> {
        let offers = |state: State| self.lts.edges(state).iter().map(|edge| edge.action);
        let is_stable = |state: State| offers(state).all(|action| !action.is_tau());
        if !is_stable(state) {
            return None;
        }
        let refuses = |action: &Action| self.lts.successors(state, *action).is_empty();
        let mut refused: Vec<Action> = Vec::new();
        for &other in by.iter().filter(|&&other| is_stable(other)) {
            if offers(other).any(|action| refused.contains(&action)) {
                continue;
            }
            let first = offers(other).find(refuses)?;
            refused.push(first);
        }
        Some(refused)
    }

    /// The visible actions up to a pair, and one more.
    fn trace(&self, pair: u32, last: Option<Action>) -> Vec<Action> {
        let mut trace: Vec<Action> = last.into_iter().collect();
        let mut at = pair;
        while let Some((before, action)) = self.pairs[at as usize].before {
            trace.push(action);
            at = before;
        }
        trace.retain(|action| !action.is_tau());
        trace.reverse();
        trace
    }

    /// All states that silent steps lead to, sorted.
    fn silently(&self, mut states: Vec<State>) -> Result<Vec<State>, Stop> {
        states.sort_unstable();
        states.dedup();
        let mut met: rustc_hash::FxHashSet<State> = states.iter().copied().collect();
        let mut next = 0;
        while next < states.len() {
            self.budget.charge(1)?;
            for edge in self.lts.successors(states[next], Action::TAU) {
                if met.insert(edge.target) {
                    states.push(edge.target);
                }
            }
            next += 1;
        }
        states.sort_unstable();
        Ok(states)
    }
}

/// Whether a sorted list is part of another.
fn is_subset(small: &[State], large: &[State]) -> bool {
    let mut large = large.iter();
    small.len() <= large.len() && small.iter().all(|one| large.any(|other| other == one))
}
