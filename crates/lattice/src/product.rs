//! Pairs of truth values.

use crate::Lattice;

/// Two lattices side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Product<L, R>(
    /// The lattice of the first component.
    pub L,
    /// The lattice of the second component.
    pub R,
);

impl<L: Lattice, R: Lattice> Lattice for Product<L, R> {
    type Element = (L::Element, R::Element);

    fn bottom(&self) -> Self::Element {
        (self.0.bottom(), self.1.bottom())
    }
    fn top(&self) -> Self::Element {
        (self.0.top(), self.1.top())
    }
    fn meet(&self, left: &Self::Element, right: &Self::Element) -> Self::Element {
        (
            self.0.meet(&left.0, &right.0),
            self.1.meet(&left.1, &right.1),
        )
    }
    fn join(&self, left: &Self::Element, right: &Self::Element) -> Self::Element {
        (
            self.0.join(&left.0, &right.0),
            self.1.join(&left.1, &right.1),
        )
    }
    fn negate(&self, element: &Self::Element) -> Self::Element {
        (self.0.negate(&element.0), self.1.negate(&element.1))
    }
    fn join_irreducibles(&self) -> Vec<Self::Element> {
        let firsts = self.0.join_irreducibles().into_iter();
        let seconds = self.1.join_irreducibles().into_iter();
        firsts
            .map(|first| (first, self.1.bottom()))
            .chain(seconds.map(|second| (self.0.bottom(), second)))
            .collect()
    }
}
