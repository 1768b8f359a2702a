//! Whether every word is accepted.

mod lazily;

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

    /// A word over the alphabet that is not accepted, as [`Nfa::word_outside`] finds it;
    /// nothing if every word is.
    pub fn rejected_word(&self, budget: &Budget) -> Result<Option<Word>, Stop> {
        match self.accepts(&[]) {
            true => Nfa::all(self.alphabet()).word_outside(self, budget),
            false => Ok(Some(Word::new())),
        }
    }

    /// The first of the shortest words over the alphabet that are not accepted, in the order of
    /// letters; nothing if every word is.
    pub fn shortest_rejected_word(&self, budget: &Budget) -> Result<Option<Word>, Stop> {
        match self.accepts(&[]) {
            true => Nfa::all(self.alphabet()).shortest_word_outside(self, budget),
            false => Ok(Some(Word::new())),
        }
    }

    /// Whether every word over the alphabet is accepted.
    pub fn is_universal(&self, budget: &Budget) -> Result<bool, Stop> {
        if !self.accepts(&[]) {
            return Ok(false);
        }
        match lazily::is_universal(self) {
            Some(answer) => Ok(answer),
            None => Nfa::all(self.alphabet()).is_included_in(self, budget),
        }
    }
}
