//! The subset construction.

mod bits;
mod lists;

use fixedbitset::FixedBitSet;
use quotient_core::{Budget, Stop};

pub(super) use self::bits::BitConstruction;
use self::lists::ListConstruction;
use crate::{Dfa, Minterms, Nfa, State};

impl Nfa {
    /// A deterministic automaton for the same language: its states are the sets of states that
    /// a word can lead to (Rabin and Scott 1959), only those that are reached.
    ///
    /// There can be exponentially many, so one work unit is charged for each.
    ///
    /// ```
    /// use quotient_automata::{Alphabet, Nfa};
    /// use quotient_core::Budget;
    /// let alphabet = Alphabet::new(["a", "b"])?;
    /// let (a, all) = (alphabet.set(["a"])?, alphabet.set(["a", "b"])?);
    /// let second_last_is_a = Nfa::builder(&alphabet)
    ///     .initial(0)
    ///     .edge(0, &all, 0)
    ///     .edge(0, &a, 1)
    ///     .edge(1, &all, 2)
    ///     .accepting(2)
    ///     .build();
    /// let dfa = second_last_is_a.determinize(&Budget::unlimited()).unwrap();
    /// assert_eq!(dfa.len(), 4);
    /// assert!(dfa.accepts(&alphabet.word("b a b")?));
    /// # Ok::<(), quotient_automata::AlphabetError>(())
    /// ```
    pub fn determinize(&self, budget: &Budget) -> Result<Dfa, Stop> {
        let mut determinization = Determinization::new(&self.without_epsilon(budget)?);
        determinization.run(usize::MAX, budget)?;
        Ok(determinization.finish(self))
    }

    /// The classes of letters that no edge tells apart.
    pub fn minterms(&self) -> Minterms {
        Minterms::new(self.alphabet(), self.labels().iter().flatten())
    }
}

/// A subset construction that can pause.
pub(super) struct Determinization {
    minterms: Minterms,
    construction: Construction,
    accepting: FixedBitSet,
    table: Vec<u32>,
}

/// How sets of states are kept: as bits while that is a few words, else as sorted lists, which
/// mostly have few members of many.
enum Construction {
    Bits(BitConstruction),
    Lists(ListConstruction),
}

/// Up to how many states sets are kept as bits.
const MAX_BITS: usize = 1024;

impl Determinization {
    /// Begins with the initial states of an ε-free automaton.
    pub(super) fn new(nfa: &Nfa) -> Determinization {
        Determinization::with_bits_up_to(MAX_BITS, nfa)
    }

    fn with_bits_up_to(max_bits: usize, nfa: &Nfa) -> Determinization {
        let minterms = nfa.minterms();
        let construction = if nfa.len() <= max_bits {
            let mut construction = BitConstruction::new(nfa, &minterms);
            construction.start(nfa.initial());
            Construction::Bits(construction)
        } else {
            Construction::Lists(ListConstruction::new(nfa, &minterms))
        };
        Determinization {
            minterms,
            construction,
            accepting: FixedBitSet::new(),
            table: Vec::new(),
        }
    }

    /// Goes on until all is done or there are more than `limit` states; whether all is done.
    pub(super) fn run(&mut self, limit: usize, budget: &Budget) -> Result<bool, Stop> {
        let width = self.minterms.len();
        let mut state = self.accepting.len() as u32;
        loop {
            let found = match &self.construction {
                Construction::Bits(construction) => construction.subsets.len(),
                Construction::Lists(construction) => construction.len(),
            };
            if state as usize == found {
                return Ok(true);
            }
            if found > limit {
                return Ok(false);
            }
            budget.charge(1)?;
            self.table.resize(self.table.len() + width, Dfa::NONE);
            let row = self.table.len() - width;
            let row = &mut self.table[row..];
            self.accepting.grow(state as usize + 1);
            let accepts = match &mut self.construction {
                Construction::Bits(construction) => {
                    construction.fill_row(state, row);
                    construction.accepts(state)
                }
                Construction::Lists(construction) => {
                    construction.fill_row(state, row);
                    construction.accepts(state)
                }
            };
            self.accepting.set(state as usize, accepts);
            state += 1;
        }
    }

    /// The deterministic automaton, when all is done.
    pub(super) fn finish(self, nfa: &Nfa) -> Dfa {
        let Determinization {
            minterms,
            accepting,
            table,
            ..
        } = self;
        Dfa::from_table(nfa.alphabet(), minterms, State(0), accepting, table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{self, Random};

    #[test]
    fn lists_and_bits_give_the_same_automaton() {
        let budget = Budget::unlimited();
        for (alphabet, _) in testing::alphabets() {
            for seed in 0..100 {
                let nfa = testing::nfa(&mut Random::new(seed), &alphabet, 9);
                let nfa = nfa.without_epsilon(&budget).unwrap();
                let [bits, lists] = [MAX_BITS, 0].map(|max_bits| {
                    let mut construction = Determinization::with_bits_up_to(max_bits, &nfa);
                    // With pauses, which must not matter.
                    let mut limits = 1usize..;
                    while !construction.run(limits.next().unwrap(), &budget).unwrap() {}
                    construction.finish(&nfa)
                });
                assert_eq!(bits.table(), lists.table());
                assert_eq!(bits.accepting(), lists.accepting());
                assert_eq!(bits.table(), nfa.determinize(&budget).unwrap().table());
            }
        }
    }
}
