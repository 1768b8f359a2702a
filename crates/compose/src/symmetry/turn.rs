//! Turns of a ring: everybody comes into the place of somebody else, and after some turns everybody
//! is back.
//!
//! In a ring of components that are alike no two need be exchangeable, since each has neighbours.
//! But the whole ring can be turned, and of the states that turns make of each other one is enough.

use super::swap::Swap;
use crate::{Network, State};

/// The most turns after which all are back that are tried for each state.
const MOST_TURNS: usize = 256;

/// A turn that changes nothing.
#[derive(Debug, Clone)]
pub(crate) struct Turn {
    /// One turn, two of them, and so on: one less than it takes until all are back.
    turns: Vec<Swap>,
}

impl Turn {
    /// All turns that come of one; nothing if it changes the network, or if two of them are none.
    pub(super) fn new(network: &Network, once: Swap) -> Option<Turn> {
        if !once.is_turn_of(network) {
            return None;
        }
        let mut turns = vec![once];
        while turns.len() < MOST_TURNS {
            let next = turns[turns.len() - 1].then(&turns[0]);
            if next.is_nothing() {
                return (turns.len() > 1).then_some(Turn { turns });
            }
            turns.push(next);
        }
        None
    }

    /// How many places everybody comes to.
    pub(super) fn places(&self) -> usize {
        self.turns.len() + 1
    }

    /// The turn of which all others come.
    pub(crate) fn once(&self) -> &Swap {
        &self.turns[0]
    }

    /// Turns a state to the least of all that turns make of it: the turn that undoes that, if any
    /// was needed.
    pub(super) fn least(
        &self,
        locals: &mut Vec<State>,
        (best, next): (&mut Vec<State>, &mut Vec<State>),
    ) -> Option<&Swap> {
        best.clone_from(locals);
        let mut found = None;
        for (number, turn) in self.turns.iter().enumerate() {
            next.clone_from(locals);
            for (part, &state) in locals.iter().enumerate() {
                next[turn.components[part]] = turn.state(part, state);
            }
            if *next < *best {
                std::mem::swap(best, next);
                found = Some(number);
            }
        }
        let number = found?;
        std::mem::swap(locals, best);
        Some(&self.turns[self.turns.len() - 1 - number])
    }
}
