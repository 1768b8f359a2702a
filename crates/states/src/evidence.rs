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

/// Why no fair path violates a formula of linear time: on a path that does, something would happen
/// again and again that happens at most so many times.
///
/// The set is over the states of the model beside an observer of the negated formula, which whoever
/// checks builds again. Its variables are Boolean: `(first)` is true in the first state alone.
/// Operators of the formula are taken operands first, the left one before the right one. `(due n)` is
/// what was guessed in the state before about now, for the `n`-th guess, from 1: one for each `X`,
/// `F`, `G`, `U`, `V` and `W`, and with an interval `from..to` one for each of its `to` steps (where it
/// has no end, one for each of `from`, after that of the operator). `(before n)` is the `n`-th thing
/// that is remembered of the state before: `Y` and `Z` remember their operand (`Z`, and `H`, and `T`,
/// the opposite), `O`, `H`, `S` and `T` their own value; with intervals likewise. `(mark n)` is whether
/// the `n`-th of all that comes again and again (first for each operator about the future, in the
/// order of their guesses, that it is not put off for ever; then the conditions of justice) came since
/// the last round ended, and `(round n)` whether `n` rounds have ended, for `n` up to `rounds`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bound {
    /// How many rounds may end.
    pub rounds: usize,
    /// A set with all states of all paths on which the formula may be false; in none of them a round
    /// too many ends.
    pub set: StateSet,
}

impl Bound {
    /// What evidence with such a body is called.
    pub const KIND: &'static str = "states-bound";
}

/// Why something is always true: it is so in the first states, and after so many states where it is
/// so it is so again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Induction {
    /// How many states are looked at: the last must be right if all before it are.
    pub depth: usize,
    /// Whether the states must be different ones.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub distinct: bool,
}

impl Induction {
    /// What evidence with such a body is called.
    pub const KIND: &'static str = "states-induction";
}
