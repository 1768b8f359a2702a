//! Words any number of times.

use crate::{Nfa, State};

impl Nfa {
    /// Any number of words of the language one after the other, also none.
    #[must_use]
    pub fn star(&self) -> Nfa {
        self.plus().optional()
    }

    /// One or more words of the language one after the other.
    #[must_use]
    pub fn plus(&self) -> Nfa {
        let mut builder = Nfa::builder(self.alphabet());
        builder.add_copy(self);
        let again = builder.fresh_state();
        for end in self.accepting().ones() {
            builder.add_epsilon(State(end as u32), again);
        }
        for &start in self.initial() {
            builder.add_epsilon(again, start);
        }
        builder.build()
    }

    /// The words of the language and the empty word.
    #[must_use]
    pub fn optional(&self) -> Nfa {
        let mut builder = Nfa::builder(self.alphabet());
        builder.add_copy(self);
        let empty_word = builder.fresh_state();
        builder.add_initial(empty_word);
        builder.add_accepting(empty_word);
        builder.build()
    }
}
