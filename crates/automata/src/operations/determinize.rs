//! The subset construction.

mod bits;
mod lists;

use quotient_bits::Bits;
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
        let nfa = self.epsilon_free(budget)?;
        let mut determinization = Determinization::new(&nfa);
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
    accepting: Bits,
    rows: Rows,
    /// After how many sets as lists their mean size is looked at.
    look_after: usize,
}

/// How sets of states are kept: as bits while that is a few words, else as sorted lists, which
/// mostly have few members of many; when they turn out to have many, as bits again.
enum Construction {
    Bits(BitConstruction),
    Lists(ListConstruction),
}

/// The rows so far: dense, or class and set only where there is one if classes are many.
enum Rows {
    Dense(Vec<u32>),
    Sparse(Vec<Vec<(u32, u32)>>),
}

/// Up to how many states sets are kept as bits from the start.
const MAX_BITS: usize = 1024;

/// From how many classes on most of a row is empty.
const MANY_CLASSES: usize = 256;

/// A list longer than this part of all states takes more memory, and more time, than bits.
const LONG_LIST: usize = 32;

impl Determinization {
    /// Begins with the initial states of an ε-free automaton.
    pub(super) fn new(nfa: &Nfa) -> Determinization {
        Determinization::with_bits_up_to(MAX_BITS, nfa)
    }

    fn with_bits_up_to(max_bits: usize, nfa: &Nfa) -> Determinization {
        let minterms = nfa.minterms();
        let many = minterms.len() >= MANY_CLASSES;
        let construction = if nfa.len() <= max_bits && !many {
            let mut construction = BitConstruction::new(nfa, &minterms);
            construction.start(nfa.initial());
            Construction::Bits(construction)
        } else {
            Construction::Lists(ListConstruction::new(nfa, &minterms))
        };
        Determinization {
            minterms,
            construction,
            accepting: Bits::new(),
            rows: match many {
                true => Rows::Sparse(Vec::new()),
                false => Rows::Dense(Vec::new()),
            },
            look_after: 64,
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
            self.accepting.grow(state as usize + 1);
            let accepts = match &mut self.construction {
                Construction::Bits(construction) => {
                    if let Rows::Dense(table) = &mut self.rows {
                        table.resize(table.len() + width, Dfa::NONE);
                        let row = table.len() - width;
                        construction.fill_row(state, &mut table[row..]);
                    }
                    construction.accepts(state)
                }
                Construction::Lists(construction) => {
                    match &mut self.rows {
                        Rows::Dense(table) => {
                            table.resize(table.len() + width, Dfa::NONE);
                            let row = table.len() - width;
                            construction.each_move(state, |class, set| {
                                table[row + class as usize] = set;
                            });
                        }
                        Rows::Sparse(rows) => {
                            let mut row = Vec::new();
                            construction.each_move(state, |class, set| row.push((class, set)));
                            rows.push(row);
                        }
                    }
                    construction.accepts(state)
                }
            };
            self.accepting.set(state as usize, accepts);
            state += 1;
            self.reconsider_lists();
        }
    }

    /// Goes over to bits if lists have become long.
    fn reconsider_lists(&mut self) {
        let Construction::Lists(lists) = &self.construction else {
            return;
        };
        if lists.len() < self.look_after || matches!(self.rows, Rows::Sparse(_)) {
            return;
        }
        self.look_after *= 2;
        if lists.members() / lists.len() > lists.states() / LONG_LIST {
            let bits = lists.to_bits(self.minterms.len());
            self.construction = Construction::Bits(bits);
        }
    }

    /// The deterministic automaton, when all is done.
    pub(super) fn finish(self, nfa: &Nfa) -> Dfa {
        let Determinization {
            minterms,
            accepting,
            rows,
            ..
        } = self;
        match rows {
            Rows::Dense(table) => {
                Dfa::from_table(nfa.alphabet(), minterms, State(0), accepting, table)
            }
            Rows::Sparse(rows) => {
                Dfa::from_moves(nfa.alphabet(), minterms, State(0), accepting, rows)
            }
        }
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

    #[test]
    fn long_lists_become_bits_and_nothing_changes() {
        let budget = Budget::unlimited();
        let alphabet = testing::alphabet(2);
        for seed in 0..10 {
            let mut random = Random::new(seed);
            let nfa = testing::tabakov_vardi(&mut random, &alphabet, 14, 2.0, 0.3);
            let nfa = nfa.without_epsilon(&budget).unwrap();
            let mut lists = Determinization::with_bits_up_to(0, &nfa);
            lists.look_after = 2;
            lists.run(usize::MAX, &budget).unwrap();
            let became_bits = matches!(lists.construction, Construction::Bits(_));
            let bits = nfa.determinize(&budget).unwrap();
            assert!(became_bits || bits.len() < 2, "seed {seed}");
            assert_eq!(lists.finish(&nfa).table(), bits.table(), "seed {seed}");
        }
    }

    #[test]
    fn many_letters_with_few_moves_make_sparse_tables() {
        let budget = Budget::unlimited();
        let alphabet = testing::alphabet(400);
        for seed in 0..20 {
            let mut random = Random::new(seed);
            let mut builder = Nfa::builder(&alphabet).states(60).initial(0).accepting(7);
            for letter in alphabet.letters() {
                let letter = crate::Predicate::of(&alphabet, [letter]);
                let (source, target) = (random.below(60), random.below(60));
                builder.add_edge(State(source), &letter, State(target));
                builder.add_edge(State(random.below(60)), &letter, State(7));
            }
            let nfa = builder.build();
            let dfa = nfa.determinize(&budget).unwrap();
            let minimal = dfa.minimize(&budget).unwrap();
            // A dense table by hand, and everything else from there.
            let dense = Dfa::from_table(
                &alphabet,
                Minterms::singletons(&alphabet),
                dfa.initial(),
                dfa.accepting().clone(),
                (0..dfa.len() as u32)
                    .flat_map(|state| {
                        let step = |letter| dfa.step(State(state), letter);
                        let step = move |letter| step(letter).map_or(Dfa::NONE, |next| next.0);
                        alphabet.letters().map(step).collect::<Vec<_>>()
                    })
                    .collect(),
            );
            assert_eq!(dense.minimize(&budget).unwrap(), minimal, "seed {seed}");
            assert_eq!(nfa.minimize_by_reversal(&budget).unwrap(), minimal);
            assert_eq!(dfa.to_nfa().is_equivalent_to(&nfa, &budget), Ok(true));
            assert_eq!(dfa.shortest_word(), nfa.shortest_word());
        }
    }
}
