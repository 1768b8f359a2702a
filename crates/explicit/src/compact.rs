//! Breadth-first search that remembers states by their hashes alone, where memory is short.
//!
//! (Wolper and Leroy, CAV 1993.) Two states with one hash are taken for one, so that a state may be missed: what is found
//! is real (its run can be taken again), and what is not found may be there all the same. How
//! likely that is can be said.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use quotient_core::{Budget, Stop};

use crate::before::Before;
use crate::graph::{NONE, hash};
use crate::{Ending, Limits, StateId, System};

/// What is left of a search by hashes: a run to each state, and no states.
#[derive(Debug, Clone, Default)]
pub struct Traces {
    before: Before,
}

impl Traces {
    /// How many states were found.
    pub fn len(&self) -> usize {
        self.before.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.before.len() == 0
    }

    /// The labels of a shortest known run to a state from the state that it begins with, by
    /// number.
    pub fn run(&self, id: StateId) -> (StateId, Vec<u32>) {
        let (first, labels) = self.before.run(id.number());
        (StateId::new(first), labels)
    }

    /// How likely it is at most that two of the states found, or one that was missed and one of
    /// them, have one hash: as for birthdays, for hashes of 64 bits.
    pub fn chance(&self) -> f64 {
        let number = self.before.len() as f64 + 1.0;
        (number * number / 2_f64.powi(65)).min(1.0)
    }
}

/// Hashes in an open table; 0 is a free slot.
pub(crate) struct Hashes {
    slots: Vec<u64>,
    number: usize,
}

impl Hashes {
    pub(crate) fn new() -> Hashes {
        Hashes {
            slots: vec![0; 1024],
            number: 0,
        }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.number
    }

    /// Adds one; whether it is new.
    pub(crate) fn insert(&mut self, hash: u64) -> bool {
        let hash = hash.max(1);
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            match self.slots[slot] {
                0 => break,
                other if other == hash => return false,
                _ => slot = (slot + 1) & mask,
            }
        }
        self.slots[slot] = hash;
        self.number += 1;
        if self.number * 10 > self.slots.len() * 8 {
            let old = std::mem::take(&mut self.slots);
            self.slots = vec![0; old.len() * 2];
            self.number = 0;
            for hash in old.into_iter().filter(|&hash| hash != 0) {
                self.insert(hash);
            }
        }
        true
    }
}

/// Visits states breadth-first, remembering about 12 bytes of each: the visitor gets the number of
/// a state, the state, and how many steps leave it.
///
/// [`Ending::Complete`] says that nothing more was found; with the chance that
/// [`Traces::chance`] tells, something was missed.
pub fn search_compact(
    system: &dyn System,
    limits: &Limits,
    budget: &Budget,
    visit: &mut dyn FnMut(&Traces, StateId, &[u64], usize) -> ControlFlow<()>,
) -> (Traces, Ending) {
    let width = system.width();
    let mut traces = Traces::default();
    let mut hashes = Hashes::new();
    let mut queue: VecDeque<u64> = VecDeque::new();
    system.initial(&mut |state| {
        if hashes.insert(hash(state)) {
            traces.before.push(None);
            queue.extend(state);
        }
    });
    let mut current = Vec::with_capacity(width);
    let mut next: u32 = 0;
    while (next as usize) < traces.len() {
        if let Err(stop) = budget.charge(1) {
            return (traces, Ending::Stopped(stop));
        }
        if traces.len() >= limits.states.min(NONE as usize - 1) {
            let stop = Stop::bound("the number of states", limits.states as u64);
            return (traces, Ending::Stopped(stop));
        }
        current.clear();
        current.extend(queue.drain(..width));
        let mut count = 0;
        let fits = system.successors(&current, &mut |label, state| {
            count += 1;
            if hashes.insert(hash(state)) {
                traces.before.push(Some((next, label)));
                queue.extend(state);
            }
        });
        if let Err(number) = fits {
            return (traces, Ending::Unfit(number));
        }
        if visit(&traces, StateId::new(next), &current, count).is_break() {
            return (traces, Ending::Enough);
        }
        next += 1;
    }
    (traces, Ending::Complete)
}
