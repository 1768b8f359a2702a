//! Programs: guarded commands over bounded variables, as every language of this field has them.

use quotient_markov::Kind;

use crate::Expression;

/// A program whose runs are a Markov model.
#[derive(Debug, Clone)]
pub struct Program {
    /// What kind of model it is.
    pub kind: Kind,
    /// Whether it is a Markov automaton: a decision process in which some commands have rates,
    /// and happen after a while where no other can.
    pub markovian: bool,
    /// The variables; a state is a value for each.
    pub variables: Vec<Variable>,
    /// All commands of all modules.
    pub commands: Vec<Command>,
    /// What can happen: commands alone or together.
    pub events: Vec<Event>,
    /// The names of actions; events and rewards name them from 1.
    pub actions: Vec<String>,
    /// Where runs begin.
    pub starts: Starts,
    /// What is earned.
    pub rewards: Vec<Vec<Earning>>,
}

/// A variable with whole numbers as values; truth values are 0 and 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// The least value.
    pub low: i64,
    /// The greatest value.
    pub high: i64,
}

/// A guarded command.
#[derive(Debug, Clone)]
pub struct Command {
    /// When it can happen.
    pub guard: Expression,
    /// Whether its weights are rates, in a Markov automaton.
    pub rated: bool,
    /// What may become of the state, each with its weight.
    pub updates: Vec<Update>,
}

/// One outcome of a command.
#[derive(Debug, Clone)]
pub struct Update {
    /// Its probability or rate.
    pub weight: Expression,
    /// New values of variables; the others stay.
    pub assignments: Vec<(usize, Expression)>,
}

/// Commands that happen together: one of each part, in every way that their guards allow.
#[derive(Debug, Clone)]
pub struct Event {
    /// The action, from 1; 0 if it has none.
    pub action: u32,
    /// The commands to choose from, by number, one list a module.
    pub parts: Vec<Vec<u32>>,
}

/// Where runs begin.
#[derive(Debug, Clone)]
pub enum Starts {
    /// In one state.
    At(Vec<i64>),
    /// Wherever this holds.
    Where(Expression),
}

/// By what something is earned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Earns {
    /// By being in a state.
    State,
    /// By doing this action; 0 is none.
    Action(u32),
    /// By any step.
    Step,
    /// By a step in which this command takes part.
    Command(u32),
}

/// Something that is earned.
#[derive(Debug, Clone)]
pub struct Earning {
    /// By what.
    pub earns: Earns,
    /// When.
    pub guard: Expression,
    /// How much.
    pub value: Expression,
}
