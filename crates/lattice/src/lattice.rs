//! The trait, and its smallest instance.

use std::fmt::Debug;
use std::hash::Hash;

/// A finite distributive lattice with an order-reversing involution (a De Morgan algebra).
///
/// The lattice is a value, not only a type: products and tables are built at run time.
pub trait Lattice {
    /// A truth value. Equal elements are equal values.
    type Element: Clone + Eq + Hash + Debug;

    /// The least element: false.
    fn bottom(&self) -> Self::Element;
    /// The greatest element: true.
    fn top(&self) -> Self::Element;
    /// The greatest lower bound: and.
    fn meet(&self, left: &Self::Element, right: &Self::Element) -> Self::Element;
    /// The least upper bound: or.
    fn join(&self, left: &Self::Element, right: &Self::Element) -> Self::Element;
    /// The negation: reverses the order, and twice it is the identity.
    fn negate(&self, element: &Self::Element) -> Self::Element;
    /// The elements that are not the join of smaller ones; every element is the join of those
    /// below it, so that a function into the lattice is a vector of functions into the
    /// Booleans, one for each.
    fn join_irreducibles(&self) -> Vec<Self::Element>;

    /// Whether the left is at most as true as the right.
    fn less_or_equal(&self, left: &Self::Element, right: &Self::Element) -> bool {
        self.meet(left, right) == *left
    }
}

/// True and false.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Booleans;

impl Lattice for Booleans {
    type Element = bool;

    fn bottom(&self) -> bool {
        false
    }
    fn top(&self) -> bool {
        true
    }
    fn meet(&self, left: &bool, right: &bool) -> bool {
        *left && *right
    }
    fn join(&self, left: &bool, right: &bool) -> bool {
        *left || *right
    }
    fn negate(&self, element: &bool) -> bool {
        !*element
    }
    fn join_irreducibles(&self) -> Vec<bool> {
        vec![true]
    }
}
