//! Operations that go over the labels once: inverse, union, domain, range.

use crate::{Label, Nfa, Predicate, Transducer};

impl Transducer {
    /// The relation read the other way: every pair with its words exchanged.
    #[must_use]
    pub fn inverse(&self) -> Transducer {
        let mut builder = Transducer::builder(self.alphabet()).states(self.len() as u32);
        self.initial()
            .iter()
            .for_each(|&state| builder.add_initial(state));
        self.accepting_states()
            .for_each(|state| builder.add_accepting(state));
        for edge in self.edges() {
            builder.add_edge(edge.source, &self.label(edge).inverse(), edge.target);
        }
        builder.build()
    }

    /// The pairs of either. The states of the other follow those of this one.
    ///
    /// # Panics
    /// If the alphabets differ, which is a bug of the caller.
    #[must_use]
    pub fn union(&self, other: &Transducer) -> Transducer {
        assert_eq!(self.alphabet(), other.alphabet());
        let mut builder = Transducer::builder(self.alphabet());
        builder.add_copy_of(self);
        builder.add_copy_of(other);
        builder.build()
    }

    /// The words that it can read: those that are related to some word. Edges keep their
    /// places, so the automaton is as nondeterministic as the transducer, and insertions
    /// become ε-moves.
    pub fn domain(&self) -> Nfa {
        self.project(Label::input)
    }

    /// The words that it can write: those that some word is related to.
    pub fn range(&self) -> Nfa {
        self.project(Label::output)
    }

    fn project(&self, side: impl Fn(&Label) -> Option<&Predicate>) -> Nfa {
        let mut builder = Nfa::builder(self.alphabet()).states(self.len() as u32);
        self.initial()
            .iter()
            .for_each(|&state| builder.add_initial(state));
        self.accepting_states()
            .for_each(|state| builder.add_accepting(state));
        for edge in self.edges() {
            match side(self.label(edge)) {
                Some(letters) => builder.add_edge(edge.source, letters, edge.target),
                None => builder.add_epsilon(edge.source, edge.target),
            }
        }
        builder.build()
    }
}
