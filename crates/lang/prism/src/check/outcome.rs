//! What a formula is worth in each state.

use quotient_bits::Bits;
use quotient_probability::Values;

/// What a formula is worth in each state.
#[derive(Debug, Clone)]
pub(crate) enum Outcome {
    /// Where it surely holds, and where it may hold.
    Truth(Bits, Bits),
    /// A number between bounds.
    Number(Values),
}

impl Outcome {
    pub(crate) fn truth(set: Bits) -> Outcome {
        Outcome::Truth(set.clone(), set)
    }

    pub(crate) fn not(self) -> Outcome {
        match self {
            Outcome::Truth(mut surely, mut maybe) => {
                surely.toggle_range(..);
                maybe.toggle_range(..);
                Outcome::Truth(maybe, surely)
            }
            number => number,
        }
    }

    pub(crate) fn and(self, other: Outcome) -> Outcome {
        match (self, other) {
            (Outcome::Truth(mut surely, mut maybe), Outcome::Truth(a, b)) => {
                surely.intersect_with(&a);
                maybe.intersect_with(&b);
                Outcome::Truth(surely, maybe)
            }
            (same, _) => same,
        }
    }

    pub(crate) fn or(self, other: Outcome) -> Outcome {
        self.not().and(other.not()).not()
    }
}

/// Whatever rounding did, no chance is below 0 or above 1.
pub(crate) fn chances(mut values: Values) -> Values {
    values.lower.iter_mut().for_each(|one| *one = one.max(0.0));
    values.upper.iter_mut().for_each(|one| *one = one.min(1.0));
    values
}

/// A number that is surely not greater than the sum of what was computed.
pub(crate) fn down(number: f64) -> f64 {
    match number.is_finite() && number != 0.0 {
        true => number.next_down(),
        false => number,
    }
}

pub(crate) fn up(number: f64) -> f64 {
    match number.is_finite() && number != 0.0 {
        true => number.next_up(),
        false => number,
    }
}
