//! Whether every word is accepted.

use quotient_core::{Budget, Stop};

use crate::{Alphabet, Nfa, Predicate, Word};

impl Nfa {
    /// The automaton of all words over an alphabet.
    pub fn all(alphabet: &Alphabet) -> Nfa {
        Nfa::builder(alphabet)
            .initial(0)
            .edge(0, &Predicate::all(alphabet), 0)
            .accepting(0)
            .build()
    }

    /// A shortest word over the alphabet that is not accepted; nothing if every word is.
    pub fn rejected_word(&self, budget: &Budget) -> Result<Option<Word>, Stop> {
        Nfa::all(self.alphabet()).word_outside(self, budget)
    }

    /// Whether every word over the alphabet is accepted.
    pub fn is_universal(&self, budget: &Budget) -> Result<bool, Stop> {
        Ok(self.rejected_word(budget)?.is_none())
    }
}
