//! Subsets of a finite set.

use fixedbitset::FixedBitSet;

use crate::Lattice;

/// The subsets of `0..size`, ordered by inclusion: a Boolean algebra.
///
/// For a query over `n` atoms the set is that of the `2^n` minterms: the value of the query
/// is the set of minterms that solve it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Powerset {
    /// How many elements the whole set has.
    pub size: usize,
}

impl Powerset {
    /// The set with one element.
    pub fn singleton(&self, element: usize) -> FixedBitSet {
        let mut set = self.bottom();
        set.insert(element);
        set
    }
}

impl Lattice for Powerset {
    type Element = FixedBitSet;

    fn bottom(&self) -> FixedBitSet {
        FixedBitSet::with_capacity(self.size)
    }
    fn top(&self) -> FixedBitSet {
        let mut all = self.bottom();
        all.insert_range(..);
        all
    }
    fn meet(&self, left: &FixedBitSet, right: &FixedBitSet) -> FixedBitSet {
        left & right
    }
    fn join(&self, left: &FixedBitSet, right: &FixedBitSet) -> FixedBitSet {
        left | right
    }
    fn negate(&self, element: &FixedBitSet) -> FixedBitSet {
        let mut rest = element.clone();
        rest.toggle_range(..);
        rest
    }
    fn join_irreducibles(&self) -> Vec<FixedBitSet> {
        (0..self.size)
            .map(|element| self.singleton(element))
            .collect()
    }
}
