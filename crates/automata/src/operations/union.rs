//! Words of either language.

use crate::{Nfa, State};

impl Nfa {
    /// The words of either automaton: both side by side.
    ///
    /// # Panics
    /// If the alphabets differ, which is a bug of the caller (see [`Nfa::over`]).
    #[must_use]
    pub fn union(&self, other: &Nfa) -> Nfa {
        assert_eq!(self.alphabet(), other.alphabet());
        let mut builder = Nfa::builder(self.alphabet());
        builder.add_copy(self);
        builder.add_copy(other);
        builder.build()
    }
}

impl crate::NfaBuilder {
    /// Adds all states and edges of an automaton, initial and accepting states included, and
    /// returns by how much its numbers are shifted here.
    pub(crate) fn add_copy(&mut self, nfa: &Nfa) -> u32 {
        let shift = self.add_body(nfa);
        for state in nfa.initial() {
            self.add_initial(State(state.0 + shift));
        }
        for state in nfa.accepting().ones() {
            self.add_accepting(State(state as u32 + shift));
        }
        shift
    }

    /// Adds all states and edges of an automaton and returns by how much its numbers are
    /// shifted here.
    pub(crate) fn add_body(&mut self, nfa: &Nfa) -> u32 {
        let shift = self.add_states(nfa.len() as u32);
        let labels = self.labels_of(nfa);
        for edge in nfa.edges() {
            self.add_numbered_edge(
                State(edge.source.0 + shift),
                labels[edge.label as usize],
                State(edge.target.0 + shift),
            );
        }
        shift
    }
}
