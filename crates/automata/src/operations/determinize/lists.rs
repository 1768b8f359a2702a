//! Sets of states as sorted lists, for automata with many states.

use quotient_bits::Bits;

use super::BitConstruction;
use crate::operations::lists::Lists;
use crate::operations::sets::Collector;
use crate::operations::successors::Successors;
use crate::{Minterms, Nfa, State};

/// The sets found so far and how to find more.
pub(super) struct ListConstruction {
    successors: Successors,
    accepting: Bits,
    sets: Lists,
    /// For each class the set being collected, empty between rows.
    scratch: Vec<Vec<u32>>,
    /// The classes that are being collected.
    touched: Vec<u32>,
    /// Puts many states in order, each once.
    collector: Collector,
}

/// Up to how many states are simply sorted.
const FEW: usize = 24;

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
            collector: Collector::new(nfa.len()),
        }
    }

    /// The number of states that sets are of.
    pub(super) fn states(&self) -> usize {
        self.successors.len()
    }

    /// The number of members of all sets together.
    pub(super) fn members(&self) -> usize {
        self.sets.members()
    }

    /// The same sets with the same numbers, as bits.
    pub(super) fn to_bits(&self, width: usize) -> BitConstruction {
        let accepting = self.accepting.ones();
        let mut bits = BitConstruction::of(self.successors.clone(), accepting, width);
        for set in 0..self.sets.len() as u32 {
            let states: Vec<State> = self.sets.get(set).iter().map(|&q| State(q)).collect();
            bits.start(&states);
        }
        bits
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

    /// Finds where each class leads from a set, in the order of classes; those that lead nowhere
    /// are left out.
    pub(super) fn each_move(&mut self, set: u32, mut each: impl FnMut(u32, u32)) {
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
            let number = if collected.len() <= FEW {
                collected.sort_unstable();
                collected.dedup();
                self.sets.intern(collected)
            } else {
                let collector = &mut self.collector;
                collected.iter().for_each(|&state| collector.insert(state));
                let number = self.sets.intern(collector.list());
                collector.clear();
                number
            };
            collected.clear();
            each(class, number);
        }
    }
}
