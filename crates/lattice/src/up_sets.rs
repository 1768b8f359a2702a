//! Sets of statements closed under weakening.

use crate::Lattice;

/// The most minterms that [`UpSets`] can handle: a set of statements is then one word.
pub const MOST_MINTERMS: usize = 6;

/// The up-sets of propositional statements over a few minterms: the lattice in which the value
/// of a positive query is the set of *all* its solutions (Gurfinkel, Chechik and Devereux).
///
/// A statement is a set of minterms, written as a number whose bit `j` says whether minterm
/// `j` belongs to it; an element is a set of statements, written as a word whose bit `s` says
/// whether statement `s` belongs to it. Up-sets contain with a statement all weaker ones.
/// Negation takes `U` to the statements whose negation is not in `U`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UpSets {
    minterms: usize,
}

impl UpSets {
    /// Up-sets over that many minterms, or `None` if there are more than [`MOST_MINTERMS`].
    pub fn over(minterms: usize) -> Option<UpSets> {
        (minterms <= MOST_MINTERMS).then_some(UpSets { minterms })
    }

    fn statements(&self) -> u32 {
        1 << self.minterms
    }

    /// A statement and all weaker ones.
    pub fn principal(&self, statement: u32) -> u64 {
        (0..self.statements())
            .filter(|&weaker| statement & !weaker == 0)
            .fold(0, |set, weaker| set | 1 << weaker)
    }

    /// The strongest statements of an up-set: they describe all of it.
    pub fn strongest(&self, element: u64) -> Vec<u32> {
        let contains = |statement: u32| element >> statement & 1 == 1;
        (0..self.statements())
            .filter(|&statement| {
                let stronger = (0..self.minterms)
                    .filter(|j| statement >> j & 1 == 1)
                    .map(|j| statement & !(1 << j));
                contains(statement) && !stronger.into_iter().any(contains)
            })
            .collect()
    }
}

impl Lattice for UpSets {
    type Element = u64;

    fn bottom(&self) -> u64 {
        0
    }
    fn top(&self) -> u64 {
        self.principal(0)
    }
    fn meet(&self, left: &u64, right: &u64) -> u64 {
        left & right
    }
    fn join(&self, left: &u64, right: &u64) -> u64 {
        left | right
    }
    fn negate(&self, element: &u64) -> u64 {
        let all = self.statements() - 1;
        (0..self.statements())
            .filter(|statement| element >> (all & !statement) & 1 == 0)
            .fold(0, |set, statement| set | 1 << statement)
    }
    fn join_irreducibles(&self) -> Vec<u64> {
        (0..self.statements())
            .map(|statement| self.principal(statement))
            .collect()
    }
}
