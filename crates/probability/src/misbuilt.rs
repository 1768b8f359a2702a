//! Why a program has no model.

use quotient_core::Stop;

/// Why a program has no model.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Misbuilt {
    /// The budget ended.
    #[error(transparent)]
    Stopped(#[from] Stop),
    /// No state is initial.
    #[error("no state is initial")]
    NoStart,
    /// A variable gets a value that it cannot have.
    #[error("a variable gets a value outside of its range")]
    OutOfRange {
        /// The command.
        command: usize,
        /// The outcome of it.
        update: usize,
        /// The variable.
        variable: usize,
        /// The value.
        value: f64,
        /// The state.
        state: Vec<i64>,
    },
    /// The probabilities of a command do not add up to one.
    #[error("the probabilities add up to {sum}")]
    Sum {
        /// The command.
        command: usize,
        /// What they add up to.
        sum: f64,
        /// The state.
        state: Vec<i64>,
    },
    /// A probability, a rate or a reward is negative or no number.
    #[error("{value} is neither a probability nor a rate")]
    Weight {
        /// The command.
        command: usize,
        /// The outcome of it.
        update: usize,
        /// The number.
        value: f64,
        /// The state.
        state: Vec<i64>,
    },
    /// A probability or a rate is not 0, but too small to be told from it.
    #[error("a probability or a rate is too small to be told from 0")]
    Tiny,
    /// A guard has no value: a number in it is too large, or a function not defined there.
    #[error("a guard has no value")]
    Guard {
        /// The command.
        command: usize,
        /// The state.
        state: Vec<i64>,
    },
    /// The condition on initial states has no value somewhere.
    #[error("the condition on initial states has no value")]
    Start,
    /// Commands that happen together give different values to one variable.
    #[error("commands that happen together give different values to one variable")]
    Conflict {
        /// The commands.
        commands: Vec<u32>,
        /// The variable.
        variable: usize,
        /// The state.
        state: Vec<i64>,
    },
    /// What is earned is negative or no number.
    #[error("{value} cannot be earned")]
    Earned {
        /// The structure.
        structure: usize,
        /// The item of it.
        item: usize,
        /// The number.
        value: f64,
        /// The state.
        state: Vec<i64>,
    },
}

/// An expression has no value in a state: a number in it is too large, or a function not defined.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("an expression has no value in some state")]
pub struct Undefined {
    /// The values of the variables there.
    pub state: Vec<i64>,
}
