//! What others can check about a pathway.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A derivation in the published rules.
pub(crate) const DERIVATION: &str = "pathway-derivation";
/// Aggregates that contain the start and what follows from each of them.
pub(crate) const AGGREGATES: &str = "pathway-aggregates";
/// The least aggregates from which something can be made.
pub(crate) const BASIS: &str = "pathway-basis";
/// The aggregates from which exactly something can be made.
pub(crate) const BEFORE: &str = "pathway-before";
/// No reaction that can happen changes the sum.
pub(crate) const UNCHANGED: &str = "pathway-unchanged";
/// No reaction changes the sum.
pub(crate) const CONSERVED: &str = "pathway-conserved";
/// Runs, by the names of reactions and what they take.
pub(crate) const RUNS: &str = "pathway-runs";

/// A run that goes on for ever, or ends.
pub(crate) const LASSO: &str = "pathway-lasso";

/// Aggregates, by name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Aggregates {
    pub(crate) aggregates: Vec<BTreeMap<String, u64>>,
}

/// Least aggregates, by name, and conserved sums that exclude what is left out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Basis {
    pub(crate) least: Vec<BTreeMap<String, u64>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) sums: Vec<BTreeMap<String, i64>>,
}

/// Nothing but the claim: it is a matter of arithmetic.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Conserved {
    pub(crate) value: i64,
}

/// For each rule that changes a sum, in their order, that what it takes is never there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Unchanged {
    pub(crate) never: Vec<Basis>,
}

/// Runs that end somewhere, all from one start: which, if there are many.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Runs {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) start: Option<BTreeMap<String, u64>>,
    pub(crate) runs: Vec<Vec<Firing>>,
}

/// A reaction that fires for some reactants.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Firing {
    pub(crate) reaction: String,
    pub(crate) takes: BTreeMap<String, u64>,
}

/// A run, and after how many of its reactions it goes on as at its end; nothing if it ends there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Lasso {
    /// Where it begins, if there are many starts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) start: Option<BTreeMap<String, u64>>,
    pub(crate) run: Vec<Firing>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) back: Option<usize>,
}
