//! Runs and sets of states, as evidence writes them.

use serde::{Deserialize, Serialize};

/// A set of states as a decision diagram.
///
/// A node asks for a bit of the code of a variable's value (its place in the
/// [`Domain`](crate::Domain), bit 0 least significant) and refers to another node for each
/// answer. Reference 0 is *true*, 1 is *false*; `2 k` is the set of node `k` (counted from 1 in
/// the list), and `2 k + 1` is its complement. Nodes refer to earlier nodes only, so a diagram is
/// no larger than its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StateSet {
    /// The names of the variables that nodes ask about; none twice.
    pub variables: Vec<String>,
    /// Variable (by its place in the list), bit, reference if the bit is 1, reference if it is 0.
    pub nodes: Vec<(u32, u32, u32, u32)>,
    /// The set.
    pub root: u32,
}

impl StateSet {
    /// What evidence with such a body is called.
    pub const KIND: &'static str = "states-invariant";
}

/// A run of whole states.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// The names of all variables of the model, inputs included, each once, in any order.
    pub variables: Vec<String>,
    /// For every state the values of these variables; an input has the value of the step that
    /// leaves the state.
    pub states: Vec<Vec<String>>,
    /// For an infinite run the number of the state that follows the last one, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub back_to: Option<usize>,
}

/// A run to a state, and a set of states that is not left from there: together they show that a
/// formula that asks for some path from that state to a goal is false.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Barrier {
    /// The run.
    pub run: Run,
    /// The set: it has the last state of the run and no state with the goal.
    pub set: StateSet,
}

impl Barrier {
    /// What evidence with such a body is called.
    pub const KIND: &'static str = "states-barrier";
}
