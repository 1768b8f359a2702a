//! Random cases for a test, the same on every run.
//!
//! A test that draws new cases each time fails one day for a change that has nothing to do with it.
//! Here the cases are one fixed sequence, and the time a test is given says how far it gets (or the number of
//! cases, for a test that counts what it met); so a failure is found again by running the test again. Other cases are looked at on purpose:
//!
//! | variable | what it does |
//! | --- | --- |
//! | `QUOTIENT_TRIALS=7` | another sequence |
//! | `QUOTIENT_TRIALS_TIMES=10` | ten times as long |
//! | `QUOTIENT_TRIAL=0x…` | only the case that a failed test named |
//!
//! ```
//! quotient_trial::trial(|u| {
//!     let numbers: Vec<u8> = u.arbitrary()?;
//!     let mut sorted = numbers.clone();
//!     sorted.sort_unstable();
//!     assert_eq!(sorted.len(), numbers.len());
//!     Ok(())
//! })
//! .budget_ms(20);
//! ```

use std::time::{Duration, Instant};

pub use arbitrary;
use arbitrary::{Result, Unstructured};

/// Cases of the same number of bytes before there are more of them.
const OF_ONE_SIZE: u32 = 3;

/// Tries `property` on random bytes until the time is over.
///
/// The property panics if it is wrong; an error says that the bytes did not suffice for a case. It
/// is run when the returned value is dropped, which is what a test does at once.
pub fn trial<P>(property: P) -> Trial<P>
where
    P: FnMut(&mut Unstructured<'_>) -> Result<()>,
{
    Trial {
        property,
        size: 32,
        budget: Duration::from_millis(100),
        cases: None,
        only: None,
    }
}

/// How a property is tried.
pub struct Trial<P: FnMut(&mut Unstructured<'_>) -> Result<()>> {
    property: P,
    size: u32,
    budget: Duration,
    cases: Option<u64>,
    only: Option<Case>,
}

impl<P: FnMut(&mut Unstructured<'_>) -> Result<()>> Trial<P> {
    /// The bytes of the first cases; 32 if not said. Later ones have more.
    pub fn size_min(mut self, size: u32) -> Self {
        self.size = size.min(Case::LARGEST);
        self
    }

    /// How long to go on; a tenth of a second if not said.
    pub fn budget_ms(mut self, milliseconds: u64) -> Self {
        self.budget = Duration::from_millis(milliseconds);
        self
    }

    /// How many cases to try, however long that takes: for tests that count what they met.
    pub fn cases(mut self, number: u64) -> Self {
        self.cases = Some(number);
        self
    }

    /// Only the case that a failed test named.
    pub fn seed(mut self, case: u64) -> Self {
        self.only = Some(Case(case));
        self
    }

    fn run(&mut self) {
        if let Some(case) = self.only.or_else(|| number("QUOTIENT_TRIAL").map(Case)) {
            assert!(self.fits(case), "the case has too few bytes");
            return;
        }
        let times = number("QUOTIENT_TRIALS_TIMES").unwrap_or(1);
        let budget = self.budget * u32::try_from(times).unwrap_or(u32::MAX);
        let most = self.cases.map(|cases| cases.saturating_mul(times));
        let mut draw = number("QUOTIENT_TRIALS").unwrap_or(0);
        let (start, mut size, mut fitted, mut tried) = (Instant::now(), self.size, false, 0);
        let is_over = |tried: u64| match most {
            Some(most) => tried >= most,
            None => start.elapsed() > budget,
        };
        // On a machine that does nothing for a while, one case of each size is still tried.
        while !is_over(tried) || !fitted && size < Case::LARGEST {
            for _ in 0..OF_ONE_SIZE {
                fitted |= self.fits(Case::drawn(&mut draw, size));
                tried += 1;
                if is_over(tried) {
                    break;
                }
            }
            size = (size + size / 4).max(size + 1).min(Case::LARGEST);
        }
        assert!(fitted, "no case had enough bytes");
    }

    /// Tries one case; tells its number if it fails.
    fn fits(&mut self, case: Case) -> bool {
        let bytes = case.bytes();
        let told = Told(case);
        let fits = (self.property)(&mut Unstructured::new(&bytes)).is_ok();
        std::mem::forget(told);
        fits
    }
}

impl<P: FnMut(&mut Unstructured<'_>) -> Result<()>> Drop for Trial<P> {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.run();
        }
    }
}

/// One case: what its bytes are drawn from (above) and how many there are (the lower 32 bits).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Case(u64);

impl Case {
    const LARGEST: u32 = 65_536;

    fn drawn(draw: &mut u64, size: u32) -> Case {
        Case((next(draw) & !u64::from(u32::MAX)) | u64::from(size))
    }

    fn bytes(self) -> Vec<u8> {
        let size = (self.0 & u64::from(u32::MAX)) as usize;
        let mut draw = self.0;
        let words = std::iter::repeat_with(|| next(&mut draw).to_le_bytes());
        words.flatten().take(size).collect()
    }
}

/// The next number of SplitMix64.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut word = *state;
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

/// Says which case it was when a property panics.
struct Told(Case);

impl Drop for Told {
    #[allow(clippy::print_stderr, reason = "shown by a failed test")]
    fn drop(&mut self) {
        eprintln!("\nthis case again: QUOTIENT_TRIAL={:#x}", self.0.0);
    }
}

/// A number in the environment, also in hexadecimal.
///
/// # Panics
///
/// On anything else: a trial of other cases than those asked for would mislead.
fn number(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    let number = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    Some(number.unwrap_or_else(|_| panic!("{name} is `{text}`, not a number")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen() -> Vec<Vec<u8>> {
        let mut all = Vec::new();
        trial(|u| {
            all.push(u.bytes(u.len().min(32))?.to_vec());
            Ok(())
        })
        .budget_ms(20);
        all
    }

    #[test]
    fn the_cases_are_the_same_on_every_run_and_differ_from_each_other() {
        let (one, two) = (seen(), seen());
        let both = one.len().min(two.len());
        assert!(both > 3);
        assert_eq!(one[..both], two[..both]);
        let mut distinct = one.clone();
        distinct.sort();
        distinct.dedup();
        assert_eq!(distinct.len(), one.len());
    }

    #[test]
    fn cases_grow_until_one_fits() {
        let mut largest = 0;
        trial(|u| {
            largest = largest.max(u.len());
            u.bytes(5_000).map(|_| ())
        })
        .budget_ms(0);
        assert!(largest >= 5_000);
    }

    #[test]
    fn cases_of_the_largest_size_are_tried_again_and_again() {
        let mut large = 0;
        trial(|u| {
            large += u32::from(u.len() == Case::LARGEST as usize);
            Ok(())
        })
        .size_min(Case::LARGEST - 1)
        .budget_ms(200);
        assert!(large > 3);
    }

    #[test]
    fn a_failure_is_found_again() {
        let failing = std::panic::catch_unwind(|| {
            trial(|u| {
                assert_ne!(u.bytes(1)?[0] % 8, 3);
                Ok(())
            })
            .budget_ms(1_000);
        });
        assert!(failing.is_err());
    }

    #[test]
    #[should_panic(expected = "no case had enough bytes")]
    fn a_property_that_nothing_fits_is_wrong() {
        trial(|u| u.bytes(1 << 20).map(|_| ())).budget_ms(1);
    }
}
