//! The independent checker: believes no engine.
//!
//! It shares with the engines the readers of files and plain data, and nothing else. Its
//! algorithms are the simplest that do the job, so that they can be read in one sitting:
//! subset construction on the fly for inclusion, and a table for single words.

mod components;
mod sets;
mod words;

use quotient_core::{Evidence, Stop};

pub use components::certify_components;
pub use words::{WordProblem, certify_words};

/// Why evidence was not accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Rejection {
    /// The evidence does not show what it claims.
    #[error("{0}")]
    Wrong(String),
    /// The evidence is not of a kind, version or shape that can be checked here.
    #[error("{0}")]
    Unreadable(String),
    /// The budget ended before the check did: nothing is known.
    #[error("not checked: {0}")]
    Stopped(#[from] Stop),
}

impl Rejection {
    fn wrong(text: impl Into<String>) -> Rejection {
        Rejection::Wrong(text.into())
    }

    fn unreadable(text: impl Into<String>) -> Rejection {
        Rejection::Unreadable(text.into())
    }
}

/// What was checked, one line each, for the user to see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certified {
    /// The property that the evidence settles.
    pub property: String,
    /// The facts that were established.
    pub facts: Vec<String>,
}

/// Refuses envelopes that this checker does not know.
fn check_envelope(evidence: &Evidence) -> Result<(), Rejection> {
    if evidence.format == Evidence::FORMAT {
        return Ok(());
    }
    let message = format!(
        "this checker reads version {} of evidence files, this is version {}",
        Evidence::FORMAT,
        evidence.format
    );
    Err(Rejection::unreadable(message))
}
