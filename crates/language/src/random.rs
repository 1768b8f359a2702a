//! Random choices that can be repeated.

/// A small generator of numbers (xorshift): runs can be repeated by their seed.
///
/// ```
/// use quotient_language::Random;
/// let (mut one, mut other) = (Random::new(7), Random::new(7));
/// assert!((0..9).all(|_| one.below(10) == other.below(10)));
/// ```
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// A generator; the same seed gives the same numbers.
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below a limit; 0 if the limit is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % limit.max(1)
    }

    /// A number from 0 up to, not including, 1.
    pub fn unit(&mut self) -> f64 {
        let high = self.below(1 << 26) as f64;
        let low = self.below(1 << 27) as f64;
        (high * f64::from(1 << 27) + low) / 2f64.powi(53)
    }
}
