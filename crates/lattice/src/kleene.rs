//! Three values: true, false, and unknown in between.

use crate::Lattice;

/// A truth value that may be unknown. The order is the order of truth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ThreeValue {
    /// Definitely false.
    False,
    /// Not known.
    Unknown,
    /// Definitely true.
    True,
}

/// Kleene's strong three-valued logic.
///
/// Its two components read *must* (at least true) and *may* (at least unknown); negation
/// swaps them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Kleene;

impl Lattice for Kleene {
    type Element = ThreeValue;

    fn bottom(&self) -> ThreeValue {
        ThreeValue::False
    }
    fn top(&self) -> ThreeValue {
        ThreeValue::True
    }
    fn meet(&self, left: &ThreeValue, right: &ThreeValue) -> ThreeValue {
        *left.min(right)
    }
    fn join(&self, left: &ThreeValue, right: &ThreeValue) -> ThreeValue {
        *left.max(right)
    }
    fn negate(&self, element: &ThreeValue) -> ThreeValue {
        match element {
            ThreeValue::False => ThreeValue::True,
            ThreeValue::Unknown => ThreeValue::Unknown,
            ThreeValue::True => ThreeValue::False,
        }
    }
    fn join_irreducibles(&self) -> Vec<ThreeValue> {
        vec![ThreeValue::True, ThreeValue::Unknown]
    }
}
