//! Sets of states as sorted lists, for automata with many states.

use fixedbitset::FixedBitSet;

use crate::operations::lists::Lists;
use crate::operations::successors::Successors;
use crate::{Minterms, Nfa};

/// The sets found so far and how to find more.
pub(super) struct ListConstruction {
    successors: Successors,
    accepting: FixedBitSet,
    sets: Lists,
    /// For each class the set being collected, empty between rows.
    scratch: Vec<Vec<u32>>,
    /// The classes that are being collected.
    touched: Vec<u32>,
}

impl ListConstruction {
    /// The set of initial states of an ε-free automaton whose labels are unions of classes.
    pub(super) fn new(nfa: &Nfa, minterms: &Minterms) -> ListConstruction {
        let mut sets = Lists::with_capacity(0);
        let initial: Vec<u32> = nfa.initial().iter().map(|state| state.0).collect();
        sets.intern(&initial);
        ListConstruction {
            successors: Successors::new(nfa, minterms),
            accepting: nfa.accepting().clone(),
            sets,
            scratch: vec![Vec::new(); minterms.len()],
            touched: Vec::new(),
        }
    }

    /// The number of sets.
    pub(super) fn len(&self) -> usize {
        self.sets.len()
    }

    /// Whether a set has an accepting state.
    pub(super) fn accepts(&self, set: u32) -> bool {
        let mut states = self.sets.get(set).iter();
        states.any(|&state| self.accepting.contains(state as usize))
    }

    /// Finds where each class leads from a set; entries for the empty set stay as they are.
    pub(super) fn fill_row(&mut self, set: u32, row: &mut [u32]) {
        for &state in self.sets.get(set) {
            for (class, targets) in self.successors.from(state) {
                let collected = &mut self.scratch[class as usize];
                if collected.is_empty() {
                    self.touched.push(class);
                }
                collected.extend_from_slice(targets);
            }
        }
        // In order, so that sets are numbered as they are with bits.
        self.touched.sort_unstable();
        for class in self.touched.drain(..) {
            let collected = &mut self.scratch[class as usize];
            collected.sort_unstable();
            collected.dedup();
            row[class as usize] = self.sets.intern(collected);
            collected.clear();
        }
    }
}
