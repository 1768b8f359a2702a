//! The former way to ask, for the front end that has not moved yet.

use quotient_core::{Budget, Certified, Evidence, Rejection, Stop, Verdict};

use crate::file::File;
use crate::program::Specification;

/// How much of a claim the second look has confirmed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Confirmed {
    /// All of it: a set of states proves the property, or a state violates it.
    Claim,
    /// All of it: the formula is false on an infinite, fair run.
    Path,
    /// No longer given: a run that ends must be shown to go on.
    Prefix,
    /// No longer given: what a single run does not show is not confirmed.
    RunOnly,
}

/// Why evidence does not show what it claims.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Flaw {
    /// The evidence is of a kind that says nothing about SMV models.
    #[error("evidence of kind `{0}` is not about SMV models")]
    Kind(String),
    /// The body is not what its kind calls for.
    #[error("{0}")]
    Unreadable(String),
    /// It does not show the claim.
    #[error("{0}")]
    Wrong(String),
    /// The check came to no end, or can show only a part of the claim.
    #[error("{0}")]
    Stopped(#[from] Stop),
}

impl File {
    /// Looks again at evidence for or against a specification of the file; see
    /// [`Program::certify`](crate::Program::certify).
    pub fn certify(
        &self,
        specification: &Specification,
        evidence: &Evidence,
        budget: &Budget,
    ) -> Result<Confirmed, Flaw> {
        let program = self.program();
        match program.certify(specification, evidence, false, budget) {
            Ok(Certified { facts, .. }) => {
                let path = facts.last().is_some_and(|fact| fact.contains("formula"));
                let holds = evidence.verdict() == Verdict::Holds;
                Ok(match path && !holds {
                    true => Confirmed::Path,
                    false => Confirmed::Claim,
                })
            }
            Err(Rejection::Wrong(text)) => Err(Flaw::Wrong(text)),
            Err(Rejection::Unreadable(text)) => Err(Flaw::Unreadable(text)),
            Err(Rejection::Stopped(stop)) => Err(Flaw::Stopped(stop)),
        }
    }
}
