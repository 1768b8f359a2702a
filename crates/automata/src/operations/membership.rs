//! Whether a word is in the language.

use super::epsilon::Closure;
use crate::{Letter, Nfa, State};

impl Nfa {
    /// Whether the word is accepted, by following all its runs at once.
    pub fn accepts(&self, word: &[Letter]) -> bool {
        let mut closure = Closure::new(self);
        let mut current: Vec<State> = closure.of_all(self.initial().iter().copied()).to_vec();
        for &letter in word {
            let next = current
                .iter()
                .flat_map(|&state| self.edges_from(state))
                .filter(|edge| {
                    self.label(edge)
                        .as_ref()
                        .is_some_and(|letters| letters.contains(letter))
                })
                .map(|edge| edge.target);
            current = closure.of_all(next).to_vec();
        }
        current.iter().any(|&state| self.is_accepting(state))
    }
}
