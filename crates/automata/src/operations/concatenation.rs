//! Words one after the other.

use quotient_core::{Budget, Stop};

use crate::{Alphabet, Nfa, State};

impl Nfa {
    /// The automaton of the empty word alone.
    pub fn epsilon(alphabet: &Alphabet) -> Nfa {
        Nfa::builder(alphabet).initial(0).accepting(0).build()
    }

    /// A word of this language followed by one of the other.
    ///
    /// # Panics
    /// If the alphabets differ, which is a bug of the caller (see [`Nfa::over`]).
    #[must_use]
    pub fn concatenation(&self, other: &Nfa) -> Nfa {
        assert_eq!(self.alphabet(), other.alphabet());
        let mut builder = Nfa::builder(self.alphabet());
        let left = builder.add_body(self);
        let right = builder.add_body(other);
        for state in self.initial() {
            builder.add_initial(State(state.0 + left));
        }
        for state in other.accepting().ones() {
            builder.add_accepting(State(state as u32 + right));
        }
        for end in self.accepting().ones() {
            for start in other.initial() {
                builder.add_epsilon(State(end as u32 + left), State(start.0 + right));
            }
        }
        builder.build()
    }

    /// Between `least` and `most` words of the language one after the other; any number from
    /// `least` on without `most`. Nothing if `most` is less than `least`.
    ///
    /// The result has a copy of the automaton for each word, so its states are charged.
    pub fn repeat(&self, least: u32, most: Option<u32>, budget: &Budget) -> Result<Nfa, Stop> {
        if most.is_some_and(|most| most < least) {
            return Ok(Nfa::empty(self.alphabet()));
        }
        let copies = most.unwrap_or(least);
        let mut builder = Nfa::builder(self.alphabet());
        let mut joint = builder.fresh_state();
        builder.add_initial(joint);
        for copy in 0..copies {
            budget.charge(1 + self.len() as u64)?;
            if copy >= least {
                builder.add_accepting(joint);
            }
            joint = builder.add_between(joint, self);
        }
        builder.add_accepting(joint);
        if most.is_none() {
            let end = builder.add_between(joint, self);
            builder.add_epsilon(end, joint);
        }
        Ok(builder.build())
    }
}

impl crate::NfaBuilder {
    /// Adds a copy of an automaton that starts in a state here, and returns a new state where
    /// its words end.
    pub(crate) fn add_between(&mut self, start: State, nfa: &Nfa) -> State {
        let shift = self.add_body(nfa);
        let end = self.fresh_state();
        for state in nfa.initial() {
            self.add_epsilon(start, State(state.0 + shift));
        }
        for state in nfa.accepting().ones() {
            self.add_epsilon(State(state as u32 + shift), end);
        }
        end
    }
}
