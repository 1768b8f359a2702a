//! Liveness reduced to safety.
//!
//! Where steps keep the length, an infinite run visits finitely many configurations, so one of
//! them comes back. The reduced system guesses such a configuration, saves a copy of it beside
//! the current one (the *freeze*), and goes on; when the current configuration is the saved
//! one again, a loop is closed. It is bad if the loop shows that what should happen never
//! does. (Biere, Artho and Schuppan 2002 for finite systems; Bouajjani, Habermehl and Vojnar
//! 2004 for words.)
//!
//! Runs that end are not loops: that no configuration is stuck must be checked separately.

mod communal;
mod individual;
mod lift;
mod synchronous;

pub use communal::communal_liveness;
pub use individual::individual_liveness;
pub use synchronous::in_place;

use quotient_core::nearest;

use crate::{Alphabet, Relation};

/// What a schedule must respect.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Fairness {
    /// Nothing: some process steps in the loop.
    None,
    /// In the loop every process makes a step or cannot make one at some time (weak fairness).
    #[default]
    Weak,
    /// In the loop every process makes a step of one of these transducers. That is how the
    /// bakery was published, with the taking of tickets; but a process that waits takes none,
    /// so no starvation is found there: for comparison only.
    Through(Vec<String>),
}

/// Why a problem cannot be reduced.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LivenessError {
    /// A name that no transducer has.
    #[error("there is no transducer `{name}`{}", suggestion(.near))]
    UnknownTransducer {
        /// The name given.
        name: String,
        /// A name like it.
        near: Option<String>,
    },
    /// A transducer that changes the length of words.
    #[error("`{name}` may change the length of a configuration")]
    ChangesLength {
        /// Its name.
        name: String,
    },
}

fn suggestion(near: &Option<String>) -> String {
    near.as_ref()
        .map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}

/// Makes sure that the names are those of transducers.
fn check_names(relation: &Relation, names: &[&str]) -> Result<(), LivenessError> {
    let known = || relation.parts().iter().map(|(name, _)| name.as_str());
    match names
        .iter()
        .find(|&&name| known().all(|other| other != name))
    {
        None => Ok(()),
        Some(&name) => Err(LivenessError::UnknownTransducer {
            name: name.to_owned(),
            near: nearest(name, known()).map(str::to_owned),
        }),
    }
}

/// A name that the alphabet does not have yet.
fn fresh(alphabet: &Alphabet, name: &str) -> String {
    let mut name = name.to_owned();
    while alphabet.letter(&name).is_some() {
        name.push('\'');
    }
    name
}
