//! Why a file was not read or written.

use quotient_core::{Diagnostic, Stop, Trouble};

/// Why a file was not read or written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    /// Something is wrong with the input, or the format has no place for it.
    #[error("{0}")]
    Input(Diagnostic),
    /// The budget ran out first.
    #[error("stopped: {0}")]
    Stopped(Stop),
}

impl From<Diagnostic> for FormatError {
    fn from(diagnostic: Diagnostic) -> FormatError {
        FormatError::Input(diagnostic)
    }
}

impl From<Stop> for FormatError {
    fn from(stop: Stop) -> FormatError {
        FormatError::Stopped(stop)
    }
}

impl FormatError {
    /// As a message to show.
    pub fn into_diagnostic(self) -> Diagnostic {
        match self {
            FormatError::Input(diagnostic) => diagnostic,
            FormatError::Stopped(stop) => Diagnostic::error("stopped", format!("stopped: {stop}")),
        }
    }
}

impl From<FormatError> for Trouble {
    fn from(error: FormatError) -> Trouble {
        match error {
            FormatError::Input(diagnostic) => diagnostic.into(),
            FormatError::Stopped(stop) => stop.into(),
        }
    }
}
