//! Why an input gives no result.

use crate::{Diagnostic, Stop};

/// Why work on an input gave no result: the input is wrong, or the budget ended.
///
/// It is the one error of readers, compilers and languages, so that `?` carries it from the
/// lowest floor to the highest, where it is shown.
///
/// ```
/// use quotient_core::{Diagnostic, Stop, Trouble};
/// fn read(text: &str) -> Result<u32, Trouble> {
///     text.parse().map_err(|_| Diagnostic::error("number", "a number was expected").into())
/// }
/// assert!(matches!(read("x"), Err(Trouble::Invalid(mistakes)) if mistakes.len() == 1));
/// assert_eq!(Trouble::from(Stop::Time).to_string(), "out of time");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trouble {
    /// What is wrong with the input or the question: all of it, in the order of the text.
    Invalid(Vec<Diagnostic>),
    /// The budget ended first.
    Stopped(Stop),
}

impl Trouble {
    /// A mistake in how something was asked for, rather than in a text.
    pub fn usage(message: impl Into<String>) -> Trouble {
        Diagnostic::error("usage", message).into()
    }
}

impl From<Diagnostic> for Trouble {
    fn from(mistake: Diagnostic) -> Trouble {
        Trouble::Invalid(vec![mistake])
    }
}

impl From<Vec<Diagnostic>> for Trouble {
    fn from(mistakes: Vec<Diagnostic>) -> Trouble {
        Trouble::Invalid(mistakes)
    }
}

impl From<Stop> for Trouble {
    fn from(stop: Stop) -> Trouble {
        Trouble::Stopped(stop)
    }
}

impl std::fmt::Display for Trouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Trouble::Invalid(mistakes) => {
                let lines: Vec<String> = mistakes.iter().map(Diagnostic::to_string).collect();
                f.write_str(&lines.join("\n"))
            }
            Trouble::Stopped(stop) => stop.fmt(f),
        }
    }
}

impl std::error::Error for Trouble {}
