//! States of which nothing is seen beside others.

use std::collections::BTreeMap;

use quotient_core::{Budget, Stop};

use super::determinise::Closure;
use super::failures::least_allowed;
use crate::{Action, Lts, State};

/// Beyond this many states they are not compared: pairs are too many.
const MOST_STATES: usize = 4_096;
/// Steps that count as one unit of work.
const STEPS: usize = 32;

/// Which states add nothing beside which: all that a covered state does the other one does as
/// well, silently or not, and wherever the covered one is at rest the other one can be at rest and
/// then allows no more. (The largest such relation: a simulation that looks at refusals.)
///
/// So a covered state has no failure that the other one has not, and of a set of states only those
/// count that no other one of the set covers.
pub(super) struct Covered {
    /// Words of a row.
    words: usize,
    /// For each state those that it covers, but for itself; of two that cover each other only the
    /// first one does.
    below: Vec<u64>,
}

/// What can be seen of a state.
struct Outlook {
    /// What it does, with silent steps before.
    steps: Vec<(Action, State)>,
    /// What is allowed where it can come to rest.
    rests: Vec<Vec<Action>>,
}

impl Covered {
    /// Compares all states of a system without error state; nothing if they are too many. A lost
    /// state covers all others, and only a lost one covers it.
    pub(super) fn of(
        lts: &Lts,
        is_lost: &[bool],
        budget: &Budget,
    ) -> Result<Option<Covered>, Stop> {
        if lts.states() > MOST_STATES || lts.has_error() {
            return Ok(None);
        }
        let is_lost = |state: usize| is_lost.get(state).copied().unwrap_or(false);
        let mut closure = Closure::new(lts, |_| false);
        let mut outlooks = Vec::with_capacity(lts.states());
        for state in lts.all_states() {
            let closed = closure.of(lts, vec![state]).unwrap_or_default();
            let mut steps = Vec::new();
            for &at in &closed {
                let visible = lts.edges(at).iter().filter(|edge| !edge.action.is_tau());
                steps.extend(visible.map(|edge| (edge.action, edge.target)));
            }
            steps.sort_unstable();
            steps.dedup();
            budget.charge((closed.len() + steps.len()) as u64 / 4 + 1)?;
            let rests = least_allowed(lts, &closed, budget)?;
            outlooks.push(Outlook { steps, rests });
        }
        let mut covered = Covered::at_rest(lts, &outlooks, &is_lost, budget)?;
        covered.refine(lts, &outlooks, &is_lost, budget)?;
        covered.break_ties(lts.states());
        Ok(Some(covered))
    }

    /// The states of a set that no other one of it covers.
    pub(super) fn uncovered(&self, states: &[State]) -> Vec<State> {
        let mut below = vec![0u64; self.words];
        for &state in states {
            add(&mut below, self.row(state.index()));
        }
        let alone = |state: &State| !has(&below, state.index());
        states.iter().copied().filter(alone).collect()
    }

    fn row(&self, state: usize) -> &[u64] {
        &self.below[state * self.words..][..self.words]
    }

    /// What is covered as far as only being at rest counts.
    fn at_rest(
        lts: &Lts,
        outlooks: &[Outlook],
        is_lost: &impl Fn(usize) -> bool,
        budget: &Budget,
    ) -> Result<Covered, Stop> {
        let count = lts.states();
        let words = count.div_ceil(64);
        // The states at rest that allow the same, and those that are not at rest.
        let mut alike: BTreeMap<Option<Vec<Action>>, Vec<u64>> = BTreeMap::new();
        for state in (0..count).filter(|&state| !is_lost(state)) {
            let mut allowed: Vec<Action> = lts
                .edges(State::from_index(state))
                .iter()
                .map(|edge| edge.action)
                .collect();
            allowed.dedup();
            let is_moving = allowed.first().is_some_and(|action| action.is_tau());
            let row = alike.entry((!is_moving).then_some(allowed));
            row.or_insert_with(|| vec![0; words])[state / 64] |= 1 << (state % 64);
        }
        let mut below = vec![0u64; count * words];
        for (state, outlook) in outlooks.iter().enumerate() {
            budget.charge((alike.len() * (words + 8) / STEPS) as u64 + 1)?;
            let row = &mut below[state * words..][..words];
            if is_lost(state) {
                (0..count).for_each(|other| row[other / 64] |= 1 << (other % 64));
                continue;
            }
            for (allowed, others) in &alike {
                let is_covered = allowed.as_ref().is_none_or(|allowed| {
                    let offers = |action: &Action| allowed.binary_search(action).is_ok();
                    outlook.rests.iter().any(|rest| rest.iter().all(offers))
                });
                if is_covered {
                    add(row, others);
                }
            }
        }
        Ok(Covered { words, below })
    }

    /// Takes away what does something that is not covered, until there is none.
    fn refine(
        &mut self,
        lts: &Lts,
        outlooks: &[Outlook],
        is_lost: &impl Fn(usize) -> bool,
        budget: &Budget,
    ) -> Result<(), Stop> {
        let count = lts.states();
        // When each row has last become less, and when it was last looked at.
        let (mut changed, mut looked) = (vec![1u64; count], vec![0u64; count]);
        let (mut clock, mut is_done) = (1, false);
        while !is_done {
            is_done = true;
            for state in (0..count).filter(|&state| !is_lost(state)) {
                let steps = &outlooks[state].steps;
                let is_new = |at: usize| changed[at] > looked[state];
                if !is_new(state) && !steps.iter().any(|&(_, target)| is_new(target.index())) {
                    continue;
                }
                clock += 1;
                looked[state] = clock;
                if self.refine_row(lts, state, steps, budget)? {
                    clock += 1;
                    changed[state] = clock;
                    is_done = false;
                }
            }
        }
        Ok(())
    }

    /// Whether a row has become less.
    fn refine_row(
        &mut self,
        lts: &Lts,
        state: usize,
        steps: &[(Action, State)],
        budget: &Budget,
    ) -> Result<bool, Stop> {
        // After each action, what its targets cover together.
        let mut after: Vec<(Action, Vec<u64>)> = Vec::new();
        for group in steps.chunk_by(|left, right| left.0 == right.0) {
            let mut together = vec![0u64; self.words];
            for &(_, target) in group {
                add(&mut together, self.row(target.index()));
            }
            after.push((group[0].0, together));
        }
        let mut row = self.row(state).to_vec();
        let mut work = steps.len() * self.words;
        let mut is_less = false;
        for other in 0..lts.states() {
            if !has(&row, other) {
                continue;
            }
            let edges = lts.edges(State::from_index(other));
            work += edges.len() + 1;
            let is_covered = edges.iter().all(|edge| {
                let target = edge.target.index();
                match edge.action.is_tau() {
                    true => has(&row, target),
                    false => after
                        .binary_search_by_key(&edge.action, |(action, _)| *action)
                        .is_ok_and(|at| has(&after[at].1, target)),
                }
            });
            if !is_covered {
                row[other / 64] &= !(1 << (other % 64));
                is_less = true;
            }
        }
        budget.charge((work / STEPS) as u64 + 1)?;
        self.below[state * self.words..][..self.words].copy_from_slice(&row);
        Ok(is_less)
    }

    /// No state covers itself, and of two that cover each other the first one does.
    fn break_ties(&mut self, count: usize) {
        for state in 0..count {
            for other in 0..=state {
                if has(self.row(state), other) && has(self.row(other), state) {
                    self.below[state * self.words + other / 64] &= !(1 << (other % 64));
                }
            }
        }
    }
}

fn has(row: &[u64], state: usize) -> bool {
    row[state / 64] >> (state % 64) & 1 == 1
}

fn add(row: &mut [u64], other: &[u64]) {
    for (word, more) in row.iter_mut().zip(other) {
        *word |= more;
    }
}
