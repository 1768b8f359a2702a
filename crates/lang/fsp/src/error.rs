//! Why a text cannot be turned into a model.

use quotient_core::{Diagnostic, Stop};

/// Why a text cannot be turned into a model.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The text is wrong; the diagnostics say where and why, in the order of the text.
    #[error("{}", .0.first().map_or("the text is wrong", |first| &first.message))]
    Invalid(Vec<Diagnostic>),
    /// The budget ended the work.
    #[error(transparent)]
    Stopped(#[from] Stop),
}

impl From<Diagnostic> for Error {
    fn from(diagnostic: Diagnostic) -> Error {
        Error::Invalid(vec![diagnostic])
    }
}

impl From<Vec<Diagnostic>> for Error {
    fn from(diagnostics: Vec<Diagnostic>) -> Error {
        Error::Invalid(diagnostics)
    }
}
