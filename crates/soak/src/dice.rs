//! Random choices for texts.

use quotient_language::Random;

/// Random choices that can be repeated.
#[derive(Debug, Clone)]
pub struct Dice(Random);

impl Dice {
    /// The same seed gives the same choices.
    pub fn new(seed: u64) -> Dice {
        // Neighbouring seeds are far apart.
        let mut mixed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        Dice(Random::new(mixed ^ (mixed >> 31)))
    }

    /// A number below a bound; 0 where there is none.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0.below(bound)
    }

    /// A number from a range, both ends included.
    pub fn within(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high.saturating_sub(low) + 1)
    }

    /// Whether something of a chance in a hundred happens.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of several. There must be one.
    pub fn pick<'a, T: ?Sized>(&mut self, all: &[&'a T]) -> &'a T {
        all[self.below(all.len())]
    }

    /// A seed for further choices.
    pub fn seed(&mut self) -> u64 {
        ((self.below(1 << 31) as u64) << 31) | self.below(1 << 31) as u64
    }
}
