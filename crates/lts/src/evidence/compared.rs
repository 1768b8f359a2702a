//! Evidence about two systems that are compared.

use serde::{Deserialize, Serialize};

use crate::Relation;

/// The kind of evidence that two systems are the same, or the one refines the other: a
/// [`SameData`].
pub const SAME: &str = "components-same";

/// The kind of evidence that they are not: a [`DifferentData`].
pub const DIFFERENT: &str = "components-different";

/// The action that stands for having ended well. No text can name an action so.
pub const ENDED: &str = "@end";

/// The action that stands for being in the error state.
pub const ERRED: &str = "@error";

/// Why two systems are the same, or the first refines the second.
///
/// States are those of the two systems multiplied out by the checker, in its order; the error
/// state, where there is one, has the number after the last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SameData {
    /// What they are compared by.
    pub relation: Relation,
    /// Whether only the first is asked to do nothing that the second does not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub refines: bool,
    /// For a bisimulation: a block for each state of the first and of the second. States of one
    /// block can do the same, into the same blocks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocks: Vec<Vec<u32>>,
    /// Otherwise: why the second allows what the first does, and the other way round if that is
    /// asked, too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allowed: Vec<Vec<AllowedData>>,
}

/// A state of a system, and states of another of which at least these can be reached by every
/// trace that leads there: what the state does, they allow together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AllowedData {
    /// The state.
    pub state: u32,
    /// The others, sorted; all that silent steps lead to are among them.
    pub by: Vec<u32>,
}

/// Why two systems are not the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DifferentData {
    /// What they are compared by.
    pub relation: Relation,
    /// Whether only the first is asked to do nothing that the second does not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub refines: bool,
    /// What the one has and the other has not.
    pub witness: WitnessData,
}

/// What one of two systems has and the other has not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum WitnessData {
    /// What can be seen to happen.
    Trace {
        /// Whether it is the second system that can do it.
        second: bool,
        /// The actions; none of them silent.
        actions: Vec<String>,
    },
    /// The same, and what can be refused afterwards for good.
    Failure {
        /// Whether it is the second system.
        second: bool,
        /// The actions up to there.
        actions: Vec<String>,
        /// The actions that are refused.
        refused: Vec<String>,
    },
    /// What can be seen to happen before it is silently busy for ever.
    Divergence {
        /// Whether it is the second system.
        second: bool,
        /// The actions up to there.
        actions: Vec<String>,
    },
    /// A formula that the first satisfies and the second does not: a list in which parts come
    /// before what is made of them; the last one is the formula.
    Formula {
        /// Its parts.
        parts: Vec<ModalData>,
    },
}

/// A part of a formula of Hennessy and Milner's logic, as the relation takes it: with strong
/// bisimulation a step is one step, with weak bisimulation it has silent steps before and after,
/// with branching bisimulation silent steps before it, during which something holds.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ModalData {
    /// What is not so, by number.
    Not(usize),
    /// All of these, by number; always, if there are none.
    All(Vec<usize>),
    /// One of these, by number; never, if there are none.
    Some(Vec<usize>),
    /// An action is possible after which something holds, by number.
    Can(String, usize),
    /// The first holds through silent steps, then an action is possible after which the second
    /// holds. Where the action is silent, it may also be none.
    Until(usize, String, usize),
}
