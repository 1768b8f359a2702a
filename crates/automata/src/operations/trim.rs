//! Without states that no accepting run visits.

use std::borrow::Cow;

use quotient_bits::Bits;

use crate::{Dfa, Nfa, State};

impl Nfa {
    /// The same language with only the states that lie on a path from an initial to an
    /// accepting state, in the same order.
    #[must_use]
    pub fn trim(&self) -> Nfa {
        self.trimmed().into_owned()
    }

    /// The same, and itself if that is so already.
    pub(crate) fn trimmed(&self) -> Cow<'_, Nfa> {
        let mut useful = self.reachable();
        useful.intersect_with(&self.coreachable());
        match useful.count_ones(..) == self.len() {
            true => Cow::Borrowed(self),
            false => Cow::Owned(self.with_graph(self.graph().restricted_to(&useful))),
        }
    }

    /// Only these states and the edges between them, numbered in the same order.
    pub(crate) fn restricted_to(&self, kept: &Bits) -> Nfa {
        if kept.count_ones(..) == self.len() {
            return self.clone();
        }
        self.with_graph(self.graph().restricted_to(kept))
    }
}

impl Dfa {
    /// The states that are reachable and can reach an accepting state.
    pub(crate) fn useful(&self) -> Bits {
        let mut useful = self.reachable();
        useful.intersect_with(&self.coreachable());
        useful
    }

    fn reachable(&self) -> Bits {
        let mut seen = Bits::with_capacity(self.len());
        seen.insert(self.initial().index());
        let mut waiting = vec![self.initial()];
        while let Some(state) = waiting.pop() {
            self.each_move(state, |_, next| {
                if !seen.put(next as usize) {
                    waiting.push(State(next));
                }
            });
        }
        seen
    }

    fn coreachable(&self) -> Bits {
        let states = || (0..self.len() as u32).map(State);
        let mut rows = vec![0u32; self.len() + 2];
        for state in states() {
            self.each_move(state, |_, next| rows[next as usize + 2] += 1);
        }
        for i in 2..rows.len() {
            rows[i] += rows[i - 1];
        }
        let mut sources = vec![0u32; rows[rows.len() - 1] as usize];
        for state in states() {
            self.each_move(state, |_, next| {
                let free = &mut rows[next as usize + 1];
                sources[*free as usize] = state.0;
                *free += 1;
            });
        }
        let mut seen = self.accepting().clone();
        let mut waiting: Vec<usize> = seen.ones().collect();
        while let Some(state) = waiting.pop() {
            for &source in &sources[rows[state] as usize..rows[state + 1] as usize] {
                if !seen.put(source as usize) {
                    waiting.push(source as usize);
                }
            }
        }
        seen
    }
}

/// The new number of each state when only some are kept; [`Dfa::NONE`] for the others.
pub(crate) fn numbering(kept: &Bits, states: usize) -> Vec<u32> {
    let mut new_number = vec![Dfa::NONE; states];
    for (number, state) in kept.ones().enumerate() {
        new_number[state] = number as u32;
    }
    new_number
}
