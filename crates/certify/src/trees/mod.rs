//! Evidence about trees: invariants and runs.

mod invariant;
mod run;
mod sets;

use quotient_core::{Budget, Claim, Evidence};
use quotient_trees::evidence::{INVARIANT_KIND, RUN_KIND, TreeInvariant, TreeRun};
use quotient_trees::{RewriteSystem, Transducer, TreeAutomaton};
use serde::de::DeserializeOwned;

use crate::{Certified, Rejection, check_envelope};

/// What evidence about trees is checked against: the question, as the files state it. Everything
/// is over one alphabet.
#[derive(Debug, Clone, Copy)]
pub struct TreeProblem<'a> {
    /// The initial trees.
    pub initial: &'a TreeAutomaton,
    /// The bad trees of the property.
    pub bad: &'a TreeAutomaton,
    /// The steps, by name.
    pub steps: &'a [(&'a str, TreeStep<'a>)],
}

/// A kind of step.
#[derive(Debug, Clone, Copy)]
pub enum TreeStep<'a> {
    /// The whole tree is read and written anew.
    Transducer(&'a Transducer),
    /// Some subtree is replaced.
    Rewriting(&'a RewriteSystem),
}

/// Checks evidence that no bad tree is reached, or that one is.
///
/// The initial trees, the bad ones and the steps are those of the problem: nothing of them is
/// read from the evidence. A set must contain all initial trees, be left by no step, and contain
/// no bad tree (or, backward, contain all bad ones, be entered by no step, and contain no initial
/// one); a run must begin with an initial tree, take steps of the problem by name, and end with a
/// bad tree. All trees that a step can be taken from are looked at by the sets of states that
/// they and what becomes of them are in, which is exact for every transducer and every system of
/// rewriting rules, linear or not.
pub fn certify_trees(
    evidence: &Evidence,
    property: &str,
    problem: &TreeProblem<'_>,
    budget: &Budget,
) -> Result<Certified, Rejection> {
    check_envelope(evidence, budget)?;
    if evidence.property.as_deref() != Some(property) {
        return Err(Rejection::wrong("the evidence is about another property"));
    }
    let facts = match (evidence.kind.as_str(), evidence.claim) {
        (INVARIANT_KIND, Claim::Holds) => {
            invariant::check(&read::<TreeInvariant>(evidence)?, problem, budget)?
        }
        (RUN_KIND, Claim::Violated) => run::check(&read::<TreeRun>(evidence)?, problem, budget)?,
        (INVARIANT_KIND | RUN_KIND, _) => {
            return Err(Rejection::wrong(
                "the evidence is not of a kind that shows the verdict it claims",
            ));
        }
        (kind, _) => {
            return Err(Rejection::unreadable(format!(
                "evidence of kind `{kind}` is not about trees"
            )));
        }
    };
    Ok(Certified {
        property: property.to_owned(),
        facts,
    })
}

fn read<T: DeserializeOwned>(evidence: &Evidence) -> Result<T, Rejection> {
    let body = evidence.read();
    body.map_err(|error| Rejection::unreadable(format!("the evidence cannot be read: {error}")))
}
