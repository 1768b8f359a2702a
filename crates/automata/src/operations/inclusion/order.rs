//! Lower and higher states and sets, by simulation.

use quotient_core::{Budget, Stop};

use crate::operations::question::Question;
use crate::operations::simulation::{Simulation, greatest_simulation};
use crate::operations::subsets::{Subsets, bits, contains, members};

/// The simulation preorder on the states of both automata, and for each set of states of the
/// right all states that are below one of its own.
///
/// The states of the right are numbered from a multiple of 64 on, so that in rows of bits each
/// side has words of its own; the numbers between are states without edges.
pub(super) struct SimulationOrder {
    above: Simulation,
    below: Simulation,
    left_states: u32,
    left_words: usize,
    right_words: usize,
    /// For each set: the states of the left below it, then those of the right.
    closed: Vec<u64>,
}

impl SimulationOrder {
    /// Computes the order, and what is below each of the sets so far.
    pub(super) fn new(
        question: &Question,
        sets: &Subsets,
        budget: &Budget,
    ) -> Result<SimulationOrder, Stop> {
        let (left, right) = (&question.left, &question.right);
        let left_words = left.successors.len().div_ceil(64);
        let shift = left_words * 64;
        let both = left.successors.beside(&right.successors, shift);
        let words = both.len().div_ceil(64);
        let left_accepting = left.accepting.ones();
        let right_accepting = right.accepting.ones();
        let accepting = bits(
            words,
            left_accepting.chain(right_accepting.map(|state| state + shift)),
        );
        let above = greatest_simulation(&both, &accepting, budget)?;
        let mut order = SimulationOrder {
            below: above.transposed(),
            above,
            left_states: left.successors.len() as u32,
            left_words,
            right_words: words - left_words,
            closed: Vec::new(),
        };
        order.close(sets);
        Ok(order)
    }

    /// Computes what is below each set that is new.
    pub(super) fn close(&mut self, sets: &Subsets) {
        let words = self.left_words + self.right_words;
        for set in self.closed.len() / words..sets.len() {
            let start = self.closed.len();
            self.closed.resize(start + words, 0);
            for state in members(sets.get(set as u32)) {
                let below = self.below.row(state + self.left_words as u32 * 64);
                let closed = self.closed[start..].iter_mut();
                closed.zip(below).for_each(|(all, more)| *all |= more);
            }
        }
    }

    /// The states of the right below a state of the set.
    #[inline]
    pub(super) fn closed(&self, set: u32) -> &[u64] {
        let words = self.left_words + self.right_words;
        &self.closed[set as usize * words + self.left_words..][..self.right_words]
    }

    /// Whether a state of the left is below a state of the set.
    pub(super) fn is_state_below(&self, state: u32, set: u32) -> bool {
        let words = self.left_words + self.right_words;
        contains(&self.closed[set as usize * words..][..words], state)
    }

    /// The states of the left above one of them, itself included.
    pub(super) fn states_above(&self, state: u32) -> impl Iterator<Item = u32> {
        self.left_members(&self.above, state)
    }

    /// The states of the left below one of them, itself included.
    pub(super) fn states_below(&self, state: u32) -> impl Iterator<Item = u32> {
        self.left_members(&self.below, state)
    }

    /// The states of the left in a row; the numbers up to the next multiple of 64 are no states.
    fn left_members<'a>(&self, rows: &'a Simulation, state: u32) -> impl Iterator<Item = u32> + 'a {
        let states = self.left_states;
        members(&rows.row(state)[..self.left_words]).take_while(move |&member| member < states)
    }

    /// Removes the states of a set of the right that are below others of it; of states that
    /// simulate each other the first stays.
    pub(super) fn keep_highest(&self, set: &mut [u64]) {
        let shift = self.left_words as u32 * 64;
        for word in 0..set.len() {
            let mut rest = set[word];
            while rest != 0 {
                let state = word as u32 * 64 + rest.trailing_zeros();
                rest &= rest - 1;
                let above = &self.above.row(state + shift)[self.left_words..];
                let below = &self.below.row(state + shift)[self.left_words..];
                let is_lower = (0..set.len()).any(|at| {
                    let higher = above[at] & set[at];
                    let equivalent = higher & below[at];
                    let earlier = match at.cmp(&word) {
                        std::cmp::Ordering::Less => u64::MAX,
                        std::cmp::Ordering::Equal => (1 << (state % 64)) - 1,
                        std::cmp::Ordering::Greater => 0,
                    };
                    higher & !equivalent != 0 || equivalent & earlier != 0
                });
                if is_lower {
                    set[word] &= !(1 << (state % 64));
                }
            }
        }
    }
}
