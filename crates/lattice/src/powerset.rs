//! Subsets of a finite set.

use quotient_bits::Bits;

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
    fn singleton(&self, element: usize) -> Bits {
        let mut set = self.bottom();
        set.insert(element);
        set
    }
}

impl Lattice for Powerset {
    type Element = Bits;

    fn bottom(&self) -> Bits {
        Bits::with_capacity(self.size)
    }
    fn top(&self) -> Bits {
        let mut all = self.bottom();
        all.insert_range(..);
        all
    }
    fn meet(&self, left: &Bits, right: &Bits) -> Bits {
        let mut both = left.clone();
        both.intersect_with(right);
        both
    }
    fn join(&self, left: &Bits, right: &Bits) -> Bits {
        let mut either = left.clone();
        either.union_with(right);
        either
    }
    fn negate(&self, element: &Bits) -> Bits {
        let mut rest = element.clone();
        rest.toggle_range(..);
        rest
    }
    fn join_irreducibles(&self) -> Vec<Bits> {
        (0..self.size)
            .map(|element| self.singleton(element))
            .collect()
    }
}
