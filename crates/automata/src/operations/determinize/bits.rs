//! Sets of states as bits.

use crate::operations::subsets::{Subsets, bits, insert, intersect, members};
use crate::operations::successors::Successors;
use crate::{Minterms, Nfa, State};

/// The sets found so far and how to find more.
pub(crate) struct BitConstruction {
    pub(crate) subsets: Subsets,
    moves: Moves,
    accepting: Vec<u64>,
    /// For each class the set being collected; all zero between rows.
    scratch: Vec<u64>,
    width: usize,
}

/// Where the classes lead from each state.
enum Moves {
    /// For up to 64 states: the successors of each state, class by class, as one word each.
    Masks(Vec<u64>),
    Lists(Successors),
}

impl BitConstruction {
    /// No set yet, of states of an ε-free automaton whose labels are unions of the classes.
    pub(crate) fn new(nfa: &Nfa, minterms: &Minterms) -> BitConstruction {
        let moves = match nfa.len() <= 64 {
            true => Moves::Masks(masks(nfa, minterms)),
            false => Moves::Lists(Successors::new(nfa, minterms)),
        };
        let accepting = nfa.accepting().ones();
        BitConstruction::with(nfa.len(), moves, accepting, minterms.len())
    }

    /// No set yet, of states with these edges, over so many classes.
    pub(crate) fn of(
        successors: Successors,
        accepting: impl Iterator<Item = usize>,
        width: usize,
    ) -> BitConstruction {
        let states = successors.len();
        if states > 64 {
            return BitConstruction::with(states, Moves::Lists(successors), accepting, width);
        }
        let mut masks = vec![0; states * width];
        for state in 0..states {
            for (class, targets) in successors.from(state as u32) {
                masks[state * width + class as usize] =
                    targets.iter().fold(0, |mask, target| mask | 1u64 << target);
            }
        }
        BitConstruction::with(states, Moves::Masks(masks), accepting, width)
    }

    fn with(
        states: usize,
        moves: Moves,
        accepting: impl Iterator<Item = usize>,
        width: usize,
    ) -> BitConstruction {
        let subsets = Subsets::new(states);
        let words = subsets.words();
        BitConstruction {
            subsets,
            moves,
            accepting: bits(words, accepting),
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
            match &self.moves {
                Moves::Masks(masks) => {
                    let masks = &masks[state as usize * self.width..][..self.width];
                    for (set, mask) in self.scratch.iter_mut().zip(masks) {
                        *set |= mask;
                    }
                }
                Moves::Lists(successors) => {
                    for (class, targets) in successors.from(state) {
                        let set = &mut self.scratch[class as usize * words..][..words];
                        targets.iter().for_each(|&target| insert(set, target));
                    }
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

/// For each of up to 64 states the states that each class leads to, as bits.
fn masks(nfa: &Nfa, minterms: &Minterms) -> Vec<u64> {
    let (width, labels) = (minterms.len(), nfa.labels());
    let mut classes = Vec::with_capacity(labels.len());
    let mut starts = Vec::with_capacity(labels.len() + 1);
    starts.push(0);
    for label in labels {
        if let Some(letters) = label {
            minterms.each_class_in(letters, |class| classes.push(class as usize));
        }
        starts.push(classes.len());
    }
    let mut masks = vec![0; nfa.len() * width];
    for edge in nfa.edges() {
        let row = &mut masks[edge.source.index() * width..][..width];
        let label = edge.label as usize;
        for &class in &classes[starts[label]..starts[label + 1]] {
            row[class] |= 1u64 << edge.target.0;
        }
    }
    masks
}
