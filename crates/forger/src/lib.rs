//! Forged evidence, for tests of checkers.
//!
//! [`forge`] makes forgeries of genuine evidence without end, the same for the same seed;
//! [`dressed`] writes the genuine evidence differently; [`attack`] hands both to a checker.
//!
//! A forgery may happen to be good evidence for a claim that is true: then a checker is right
//! to accept it. Therefore an attack is told which claims are true, and fails only where one
//! that is not was accepted, where genuine evidence was not, or where the checker panicked.
//!
//! ```
//! use quotient_core::{Certified, Claim, Evidence, Rejection};
//! use quotient_forger::{Attack, attack};
//! // A checker of the claim that a number is even, by half of it.
//! let number = 12;
//! let check = |evidence: &Evidence| -> Result<Certified, Rejection> {
//!     let half: u64 = evidence.read().map_err(|error| Rejection::unreadable(error.to_string()))?;
//!     match (evidence.claim, evidence.property.as_deref(), half.checked_mul(2)) {
//!         (Claim::Holds, Some("even"), Some(twice)) if twice == number =>
//!             Ok(Certified { property: "even".into(), facts: vec![] }),
//!         _ => Err(Rejection::wrong("not half of it")),
//!     }
//! };
//! let evidence = Evidence::of_holds("half", &6).about("even");
//! let is_true = |claim: Claim, property: &str| claim == Claim::Holds && property == "even";
//! let tally = attack(&evidence, &Attack::default(), check, is_true).unwrap();
//! assert_eq!(tally.forgeries, 300);
//! ```

mod attack;
mod change;
mod dress;
mod envelope;
mod random;

pub use attack::{Attack, Failure, Tally, attack};
pub use dress::dressed;

use std::fmt;

use quotient_core::Evidence;

use random::Random;

/// What was done to genuine evidence.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct What {
    /// The changes, one after the other.
    pub changes: Vec<String>,
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.changes.join("; then "))
    }
}

/// Forgeries of genuine evidence, without end: take as many as there is time for. The same seed
/// gives the same forgeries.
///
/// ```
/// use quotient_core::Evidence;
/// use quotient_forger::forge;
/// let evidence = Evidence::of_holds("numbers", &[1, 2, 3]).about("P");
/// let forgeries = || forge(&evidence, 7).take(50).collect::<Vec<_>>();
/// assert_eq!(forgeries(), forgeries());
/// assert!(forgeries().iter().any(|(forged, _)| forged.body != evidence.body));
/// ```
pub fn forge(evidence: &Evidence, seed: u64) -> Forgeries {
    Forgeries {
        genuine: evidence.clone(),
        donors: Vec::new(),
        random: Random::new(seed),
    }
}

/// See [`forge`].
#[derive(Debug, Clone)]
pub struct Forgeries {
    genuine: Evidence,
    donors: Vec<Evidence>,
    random: Random,
}

impl Forgeries {
    /// With other genuine evidence, from which parts are taken: about other properties of the
    /// model, of other kinds, about faulty or otherwise different models.
    pub fn with_donors(mut self, donors: &[Evidence]) -> Forgeries {
        self.donors = donors.to_vec();
        self
    }
}

impl Iterator for Forgeries {
    type Item = (Evidence, What);

    fn next(&mut self) -> Option<(Evidence, What)> {
        let mut forged = self.genuine.clone();
        let mut what = What::default();
        let random = &mut self.random;
        if !self.donors.is_empty() && random.one_in(2) {
            let donor = random.pick(&self.donors)?;
            what.changes
                .push(envelope::grafted(&mut forged, donor, random));
        }
        let count = match random.below(8) {
            0..=4 => 1,
            5 | 6 => 2,
            _ => 4,
        };
        for _ in 0..count {
            what.changes.push(match random.one_in(6) {
                true => envelope::changed(&mut forged, &self.donors, random),
                false => change::changed(&mut forged.body, &self.donors, random),
            });
        }
        Some((forged, what))
    }
}
