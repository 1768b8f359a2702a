//! Maps between lattices that respect the operations.

use quotient_bits::Bits;

use crate::{Booleans, Kleene, Lattice, Mark, Powerset, ThreeValue, UpSets, Vacuity};

/// A map between lattices that takes meets to meets, joins to joins, top to top and bottom to
/// bottom.
///
/// Checking a formula without negations and then mapping the value gives the same as mapping
/// the values of its atoms and checking over the smaller lattice: an answer in the small
/// lattice is an exact answer to a coarser question. Where the map respects negation too,
/// the same is true for all formulas.
pub struct Approximation<From: Lattice, To: Lattice> {
    /// The finer lattice.
    pub from: From,
    /// The coarser lattice.
    pub to: To,
    /// Whether negation is respected as well.
    pub respects_negation: bool,
    map: Box<dyn Fn(&From::Element) -> To::Element + Send + Sync>,
}

impl<From: Lattice, To: Lattice> Approximation<From, To> {
    /// The image of an element.
    pub fn map(&self, element: &From::Element) -> To::Element {
        (self.map)(element)
    }
}

impl Approximation<Vacuity, Booleans> {
    /// Only the truth: plain model checking.
    pub fn truth(from: Vacuity) -> Self {
        Approximation {
            from,
            to: Booleans,
            respects_negation: true,
            map: Box::new(|value| value.truth),
        }
    }

    /// The truth with the part at `mark` replaced by its least favourable constant.
    pub fn lowered(from: Vacuity, mark: Mark) -> Self {
        Approximation {
            from,
            to: Booleans,
            respects_negation: false,
            map: Box::new(move |value| value.truth && value.vacuous.contains(mark.index())),
        }
    }

    /// The truth with the part at `mark` replaced by its most favourable constant.
    pub fn raised(from: Vacuity, mark: Mark) -> Self {
        Approximation {
            from,
            to: Booleans,
            respects_negation: false,
            map: Box::new(move |value| value.truth || !value.vacuous.contains(mark.index())),
        }
    }
}

impl Approximation<Kleene, Booleans> {
    /// What is definitely true.
    pub fn must() -> Self {
        Approximation {
            from: Kleene,
            to: Booleans,
            respects_negation: false,
            map: Box::new(|value| *value == ThreeValue::True),
        }
    }

    /// What may be true.
    pub fn may() -> Self {
        Approximation {
            from: Kleene,
            to: Booleans,
            respects_negation: false,
            map: Box::new(|value| *value != ThreeValue::False),
        }
    }
}

impl Approximation<UpSets, Powerset> {
    /// Only the solutions that are minterms. (Top, where even *false* is a solution, is the one
    /// element whose minterms say less than it does.)
    pub fn minterms(from: UpSets, minterms: usize) -> Self {
        let to = Powerset { size: minterms };
        Approximation {
            from,
            to,
            respects_negation: false,
            map: Box::new(move |solutions| {
                let mut found = Bits::with_capacity(minterms);
                for j in 0..minterms {
                    found.set(j, solutions >> (1u32 << j) & 1 == 1);
                }
                found
            }),
        }
    }
}
