//! Why a text cannot be turned into a model.

use quotient_core::{Diagnostic, Stop};

/// Why a text cannot be turned into a model.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The text is wrong; the diagnostic says where and why.
    #[error(transparent)]
    Invalid(Box<Diagnostic>),
    /// The budget ended the work.
    #[error(transparent)]
    Stopped(#[from] Stop),
}

impl From<Diagnostic> for Error {
    fn from(diagnostic: Diagnostic) -> Error {
        Error::Invalid(Box::new(diagnostic))
    }
}
