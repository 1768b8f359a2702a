//! Forgeries against a checker.

use std::panic::{AssertUnwindSafe, catch_unwind};

use quotient_core::{Certified, Claim, Evidence, Rejection};

use crate::{What, dressed, forge};

/// How to attack.
#[derive(Debug, Clone)]
pub struct Attack {
    /// Where the forger begins.
    pub seed: u64,
    /// How many forgeries to try.
    pub forgeries: usize,
    /// Other genuine evidence, to take parts from.
    pub donors: Vec<Evidence>,
}

impl Default for Attack {
    fn default() -> Self {
        Attack {
            seed: 1,
            forgeries: 300,
            donors: Vec::new(),
        }
    }
}

/// What an attack came to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// How many forgeries were tried.
    pub forgeries: usize,
    /// How many claimed something false.
    pub false_claims: usize,
    /// How many were accepted, each for a true claim.
    pub accepted: usize,
    /// How many ran out of their budget: a test may want none.
    pub stopped: usize,
}

/// Why a checker is not to be trusted.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Failure {
    /// It accepted a false claim.
    #[error("a false claim was accepted: {what}\n{text}")]
    Fooled {
        /// How it was forged.
        what: What,
        /// The forgery.
        text: String,
    },
    /// It panicked.
    #[error("the checker panicked: {what}\n{text}")]
    Panicked {
        /// How it was forged.
        what: What,
        /// The forgery.
        text: String,
    },
    /// It refused genuine evidence, as it is or in another dress.
    #[error("genuine evidence was refused: {why}\n{text}")]
    Refused {
        /// What it said.
        why: Rejection,
        /// The evidence.
        text: String,
    },
}

/// Attacks a checker with forgeries of genuine evidence about a model.
///
/// `certify` is the checker with the model; give it a budget of its own for each call, so that
/// a forgery cannot keep it busy. `is_true` says whether a claim about the property of a name
/// is true of that model; a property that the model does not have has no true claims.
pub fn attack(
    evidence: &Evidence,
    attack: &Attack,
    certify: impl Fn(&Evidence) -> Result<Certified, Rejection>,
    is_true: impl Fn(Claim, &str) -> bool,
) -> Result<Tally, Failure> {
    let guarded = |evidence: &Evidence, what: &What| {
        let result = catch_unwind(AssertUnwindSafe(|| certify(evidence)));
        result.map_err(|_| Failure::Panicked {
            what: what.clone(),
            text: text(evidence),
        })
    };
    for genuine in std::iter::once(evidence.clone()).chain(dressed(evidence)) {
        if let Err(why) = guarded(&genuine, &What::default())? {
            return Err(Failure::Refused {
                why,
                text: text(&genuine),
            });
        }
    }
    let mut tally = Tally::default();
    let forgeries = forge(evidence, attack.seed).with_donors(&attack.donors);
    for (forged, what) in forgeries.take(attack.forgeries) {
        let is_true = is_true(forged.claim, forged.property.as_deref().unwrap_or_default());
        tally.forgeries += 1;
        tally.false_claims += usize::from(!is_true);
        match guarded(&forged, &what)? {
            Ok(_) if !is_true => {
                return Err(Failure::Fooled {
                    what,
                    text: text(&forged),
                });
            }
            Ok(_) => tally.accepted += 1,
            Err(Rejection::Stopped(_)) => tally.stopped += 1,
            Err(_) => {}
        }
    }
    Ok(tally)
}

fn text(evidence: &Evidence) -> String {
    serde_json::to_string(evidence).unwrap_or_default()
}
