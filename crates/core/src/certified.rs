//! What an independent look at evidence gives.

use crate::Stop;

/// What was checked, one line each, for the user to see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certified {
    /// The property that the evidence settles.
    pub property: String,
    /// The facts that were established.
    pub facts: Vec<String>,
}

/// Why evidence was not accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Rejection {
    /// The evidence does not show what it claims.
    #[error("{0}")]
    Wrong(String),
    /// The evidence is not of a kind, version or shape that can be checked here.
    #[error("{0}")]
    Unreadable(String),
    /// The check came to no end, or can show only a part of the claim: nothing is known.
    #[error("not checked: {0}")]
    Stopped(#[from] Stop),
}

impl Rejection {
    /// The evidence does not show what it claims.
    pub fn wrong(text: impl Into<String>) -> Rejection {
        Rejection::Wrong(text.into())
    }

    /// The evidence is not of a kind, version or shape that can be checked here.
    pub fn unreadable(text: impl Into<String>) -> Rejection {
        Rejection::Unreadable(text.into())
    }
}
