//! The subset construction.

use fixedbitset::FixedBitSet;
use quotient_core::{Budget, Stop};

use super::subsets::{Subsets, bits, insert, intersect, members};
use super::successors::Successors;
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
        let nfa = self.without_epsilon(budget)?;
        let minterms = nfa.minterms();
        let width = minterms.len();
        let mut construction = Construction::new(&nfa, &minterms);
        construction.start(nfa.initial());
        let mut table = Vec::new();
        let mut accepting = FixedBitSet::new();
        let mut state = 0;
        while (state as usize) < construction.subsets.len() {
            budget.charge(1)?;
            table.resize(table.len() + width, Dfa::NONE);
            let row = table.len() - width;
            construction.fill_row(state, &mut table[row..]);
            accepting.grow(state as usize + 1);
            accepting.set(state as usize, construction.accepts(state));
            state += 1;
        }
        Ok(Dfa::from_table(
            self.alphabet(),
            minterms,
            State(0),
            accepting,
            table,
        ))
    }

    /// The classes of letters that no edge tells apart.
    pub fn minterms(&self) -> Minterms {
        Minterms::new(self.alphabet(), self.labels().iter().flatten())
    }
}

/// The sets found so far and how to find more.
pub(crate) struct Construction {
    pub(crate) subsets: Subsets,
    successors: Successors,
    accepting: Vec<u64>,
    /// For up to 64 states: the successors of each state, class by class, as one word each.
    masks: Option<Vec<u64>>,
    /// For each class the set being collected; all zero between rows.
    scratch: Vec<u64>,
    width: usize,
}

impl Construction {
    /// No set yet, of states of an ε-free automaton whose labels are unions of the classes.
    pub(crate) fn new(nfa: &Nfa, minterms: &Minterms) -> Construction {
        let subsets = Subsets::new(nfa.len());
        let words = subsets.words();
        let successors = Successors::new(nfa, minterms);
        let width = minterms.len();
        let masks = (words == 1).then(|| {
            let mut masks = vec![0; nfa.len() * width];
            for state in 0..nfa.len() {
                for (class, targets) in successors.from(state as u32) {
                    masks[state * width + class as usize] =
                        targets.iter().fold(0, |mask, target| mask | 1u64 << target);
                }
            }
            masks
        });
        Construction {
            subsets,
            successors,
            accepting: bits(words, nfa.accepting().ones()),
            masks,
            scratch: vec![0; words * width],
            width,
        }
    }

    /// The number of the set of some states.
    pub(crate) fn start(&mut self, states: &[State]) -> u32 {
        let words = self.subsets.words();
        let set = bits(words, states.iter().map(|state| state.index()));
        self.subsets.intern(&set)
    }

    /// Whether a set has an accepting state.
    pub(crate) fn accepts(&self, subset: u32) -> bool {
        intersect(self.subsets.get(subset), &self.accepting)
    }

    /// Finds where each class leads from a set; entries for the empty set stay as they are.
    pub(crate) fn fill_row(&mut self, subset: u32, row: &mut [u32]) {
        let words = self.subsets.words();
        for state in members(self.subsets.get(subset)) {
            if let Some(masks) = &self.masks {
                let masks = &masks[state as usize * self.width..][..self.width];
                for (set, mask) in self.scratch.iter_mut().zip(masks) {
                    *set |= mask;
                }
            } else {
                for (class, targets) in self.successors.from(state) {
                    let set = &mut self.scratch[class as usize * words..][..words];
                    targets.iter().for_each(|&target| insert(set, target));
                }
            }
        }
        for (entry, set) in row.iter_mut().zip(self.scratch.chunks_exact_mut(words)) {
            if set.iter().any(|&word| word != 0) {
                *entry = self.subsets.intern(set);
                set.fill(0);
            }
        }
    }
}
