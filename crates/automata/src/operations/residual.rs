//! Words without a beginning or an end: left and right quotients.

use quotient_bits::Bits;
use quotient_core::{Budget, Stop};

use crate::{Nfa, State};

impl Nfa {
    /// What can follow a word of `prefixes` in this language: all `w` such that `v w` is in it
    /// for some `v` in `prefixes`.
    ///
    /// # Panics
    /// If the alphabets differ, which is a bug of the caller (see [`Nfa::over`]).
    pub fn left_quotient(&self, prefixes: &Nfa, budget: &Budget) -> Result<Nfa, Stop> {
        assert_eq!(self.alphabet(), prefixes.alphabet());
        let starts = self.reached_by(prefixes, budget)?;
        Ok(self.with_initial(starts.ones().map(|state| State(state as u32))))
    }

    /// What can go before a word of `suffixes` in this language: all `v` such that `v w` is in
    /// it for some `w` in `suffixes`.
    ///
    /// # Panics
    /// If the alphabets differ, which is a bug of the caller (see [`Nfa::over`]).
    pub fn right_quotient(&self, suffixes: &Nfa, budget: &Budget) -> Result<Nfa, Stop> {
        let reversed = self.reverse().left_quotient(&suffixes.reverse(), budget)?;
        Ok(reversed.reverse())
    }

    /// The states that some word of `words` leads to.
    fn reached_by(&self, words: &Nfa, budget: &Budget) -> Result<Bits, Stop> {
        let mut reached = Bits::with_capacity(self.len());
        let mut seen = Bits::with_capacity(self.len() * words.len());
        let mut waiting: Vec<(State, State)> = Vec::new();
        let mut visit = |pair: (State, State), waiting: &mut Vec<_>| {
            if !seen.put(pair.0.index() * words.len() + pair.1.index()) {
                waiting.push(pair);
            }
        };
        for &here in self.initial() {
            for &there in words.initial() {
                visit((here, there), &mut waiting);
            }
        }
        while let Some((here, there)) = waiting.pop() {
            budget.charge(1)?;
            if words.is_accepting(there) {
                reached.insert(here.index());
            }
            for edge in self.edges_from(here) {
                match self.label(edge) {
                    None => visit((edge.target, there), &mut waiting),
                    Some(letters) => words
                        .edges_from(there)
                        .iter()
                        .filter(|with| {
                            let label = words.label(with).as_ref();
                            label.is_some_and(|others| letters.intersects(others))
                        })
                        .for_each(|with| visit((edge.target, with.target), &mut waiting)),
                }
            }
            for edge in words.edges_from(there) {
                if words.label(edge).is_none() {
                    visit((here, edge.target), &mut waiting);
                }
            }
        }
        Ok(reached)
    }
}
