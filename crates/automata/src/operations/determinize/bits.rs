//! Sets of states as bits.

use crate::operations::subsets::{Subsets, bits, insert, intersect, members};
use crate::operations::successors::Successors;
use crate::{Minterms, Nfa, State};

/// The sets found so far and how to find more.
pub(crate) struct BitConstruction {
    pub(crate) subsets: Subsets,
    successors: Successors,
    accepting: Vec<u64>,
    /// For up to 64 states: the successors of each state, class by class, as one word each.
    masks: Option<Vec<u64>>,
    /// For each class the set being collected; all zero between rows.
    scratch: Vec<u64>,
    width: usize,
}

impl BitConstruction {
    /// No set yet, of states of an ε-free automaton whose labels are unions of the classes.
    pub(crate) fn new(nfa: &Nfa, minterms: &Minterms) -> BitConstruction {
        let successors = Successors::new(nfa, minterms);
        BitConstruction::of(successors, nfa.accepting().ones(), minterms.len())
    }

    /// No set yet, of states with these edges, over so many classes.
    pub(crate) fn of(
        successors: Successors,
        accepting: impl Iterator<Item = usize>,
        width: usize,
    ) -> BitConstruction {
        let states = successors.len();
        let subsets = Subsets::new(states);
        let words = subsets.words();
        let masks = (words == 1).then(|| {
            let mut masks = vec![0; states * width];
            for state in 0..states {
                for (class, targets) in successors.from(state as u32) {
                    masks[state * width + class as usize] =
                        targets.iter().fold(0, |mask, target| mask | 1u64 << target);
                }
            }
            masks
        });
        BitConstruction {
            subsets,
            successors,
            accepting: bits(words, accepting),
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
