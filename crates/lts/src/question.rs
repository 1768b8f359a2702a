//! What can be asked about a system.

use quotient_logic::Formula;

use crate::Action;

/// What to ask.
#[derive(Debug, Clone)]
pub enum Question {
    /// No deadlock, and no component ever in its error state.
    Safety {
        /// Whether to ask for deadlocks.
        deadlock: bool,
    },
    /// Progress properties; without any, that every action goes on.
    Progress(Vec<Progress>),
    /// A formula of linear-time logic.
    Formula {
        /// For reports.
        name: String,
        /// Its atoms are positions in `fluents`.
        formula: Formula<usize>,
        /// What it speaks about.
        fluents: Vec<Fluent>,
        /// Whether choices are fair.
        fair: bool,
    },
}

impl Default for Question {
    fn default() -> Self {
        Question::Safety { deadlock: true }
    }
}

/// A progress property over the actions of a system: an execution with fair choices does one
/// of the actions again and again, if it does one of the condition again and again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// Its name, for reports.
    pub name: String,
    /// Ask only of executions that do one of these again and again; `None` asks it of all.
    pub condition: Option<Vec<Action>>,
    /// The actions one of which should go on.
    pub actions: Vec<Action>,
}

/// Something that actions make true and false.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fluent {
    /// For reports.
    pub name: String,
    /// The actions that make it true.
    pub begin: Vec<Action>,
    /// The actions that make it false; `None` means all others, so that the fluent says that
    /// one of `begin` has just happened.
    pub end: Option<Vec<Action>>,
    /// Its value before the first action.
    pub initially: bool,
}
