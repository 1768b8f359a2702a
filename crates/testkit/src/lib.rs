//! What the tests of several crates share: [`Random`] choices that can be repeated, random
//! [`formulas`], and what every [`language`] is tried with.

pub mod language;

use proptest::prelude::*;
use quotient_logic::{Binary, Formula, Unary};

/// A generator of numbers (SplitMix64: Steele, Lea and Flood 2014): tiny, and the same everywhere.
///
/// ```
/// use quotient_testkit::Random;
/// let (mut one, mut other) = (Random(7), Random(7));
/// assert!((0..9).all(|_| one.below(10) == other.below(10)));
/// ```
#[derive(Debug, Clone)]
pub struct Random(pub u64);

impl Random {
    /// Any number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below a bound; 0 where there is none.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.number() % bound.max(1) as u64) as usize
    }

    /// True in so many cases of a hundred.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// True in one case of so many.
    pub fn one_in(&mut self, cases: usize) -> bool {
        self.below(cases) == 0
    }

    /// One of some things.
    ///
    /// # Panics
    /// If there are none.
    pub fn pick<T: Clone>(&mut self, things: &[T]) -> T {
        things[self.below(things.len())].clone()
    }
}

/// Formulas of linear time over so many propositions, without past and without bounds on steps.
pub fn formulas(propositions: usize) -> impl Strategy<Value = Formula<usize>> {
    let leaf = prop_oneof![
        4 => (0..propositions).prop_map(Formula::atom),
        1 => any::<bool>().prop_map(Formula::constant),
    ];
    leaf.prop_recursive(4, 12, 2, |inner| {
        let unary = prop_oneof![
            Just(Unary::Not),
            Just(Unary::Next),
            Just(Unary::Finally(None)),
            Just(Unary::Globally(None)),
        ];
        let binary = prop_oneof![
            Just(Binary::And),
            Just(Binary::Or),
            Just(Binary::Implies),
            Just(Binary::Iff),
            Just(Binary::Until(None)),
            Just(Binary::Release),
            Just(Binary::WeakUntil),
        ];
        prop_oneof![
            (unary, inner.clone()).prop_map(|(op, f)| Formula::unary(op, f)),
            (binary, inner.clone(), inner).prop_map(|(op, l, r)| Formula::binary(op, l, r)),
        ]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_kept_and_everything_below_them_happens() {
        let mut random = Random(1);
        let mut seen = [false; 5];
        (0..200).for_each(|_| seen[random.below(5)] = true);
        assert_eq!(seen, [true; 5]);
        assert_eq!(random.below(0), 0);
    }

    proptest! {
        #[test]
        fn formulas_are_over_the_propositions(formula in formulas(3)) {
            prop_assert!(formula.atoms().iter().all(|&&atom| atom < 3));
        }
    }
}
