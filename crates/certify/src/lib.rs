//! The independent checker: believes no engine.
//!
//! It shares with the engines the readers of files and plain data, and nothing else. Its
//! algorithms are the simplest that do the job, so that they can be read in one sitting:
//! subset construction on the fly for inclusion, and a table for single words.

mod components;
mod sets;
mod words;

use quotient_core::Evidence;
pub use quotient_core::{Certified, Rejection};

pub use components::certify_components;
pub use words::{WordProblem, certify_words};

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
