//! Words that are not in the language.

use quotient_bits::Bits;
use quotient_core::{Budget, Stop};

use crate::{Dfa, Nfa};

impl Dfa {
    /// The same language with a move for every letter from every state: what led nowhere leads
    /// to one more state, where words are caught and never accepted. An automaton without gaps
    /// stays as it is.
    #[must_use]
    pub fn complete(&self) -> Dfa {
        if !self.table().contains(&Dfa::NONE) {
            return self.clone();
        }
        let sink = self.len() as u32;
        let table = self
            .table()
            .iter()
            .copied()
            .chain(std::iter::repeat_n(Dfa::NONE, self.minterms().len()))
            .map(|next| if next == Dfa::NONE { sink } else { next })
            .collect();
        let mut accepting = self.accepting().clone();
        accepting.grow(self.len() + 1);
        let minterms = self.minterms().clone();
        Dfa::from_table(self.alphabet(), minterms, self.initial(), accepting, table)
    }

    /// The words over the alphabet that are not accepted.
    #[must_use]
    pub fn complement(&self) -> Dfa {
        let complete = self.complete();
        let mut accepting: Bits = complete.accepting().clone();
        accepting.toggle_range(..);
        Dfa::from_table(
            self.alphabet(),
            complete.minterms().clone(),
            complete.initial(),
            accepting,
            complete.table().to_vec(),
        )
    }
}

impl Nfa {
    /// The words over the alphabet that are not accepted, by [`Nfa::determinize`].
    pub fn complement(&self, budget: &Budget) -> Result<Dfa, Stop> {
        Ok(self.determinize(budget)?.complement())
    }
}
