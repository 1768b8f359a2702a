//! Programs as plain data.

use std::collections::BTreeMap;
use std::sync::Arc;

use quotient_core::Span;
use quotient_logic::Formula;

use crate::linear::formula::Atom;

/// A program with its processors and questions.
#[derive(Debug, Clone, Default)]
pub(crate) struct Program {
    pub(crate) processors: usize,
    /// The least number of processors, where the text is about every number from there on.
    pub(crate) least: Option<usize>,
    /// One more than the largest number of a processor that a group names.
    pub(crate) named: usize,
    /// The first is everyone.
    pub(crate) groups: Vec<Group>,
    /// The expressions, by number, each with its place.
    pub(crate) expressions: Vec<(Expression, Span)>,
    pub(crate) root: usize,
    /// Names of variables; every binding has its own, also where texts are alike.
    pub(crate) names: Vec<String>,
    /// What is bound in a function, by its body, and what it keeps: every call has its own.
    pub(crate) locals: BTreeMap<usize, Vec<Name>>,
    /// What a function keeps of the functions and loops around it, by its body. None of this ever changes, so that
    /// its value is kept.
    pub(crate) kept: BTreeMap<usize, Vec<Name>>,
    pub(crate) exceptions: Vec<String>,
    pub(crate) questions: Vec<Asked>,
}

/// A communicator: two with the same members are still two.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Group {
    pub(crate) name: String,
    pub(crate) members: Vec<usize>,
}

/// The number of a variable.
pub(crate) type Name = usize;

/// A value.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Value {
    Int(i64),
    Bool(bool),
    Void,
    Fun(Arc<Function>),
}

/// A function as a value.
#[derive(Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Function {
    pub(crate) parameter: Name,
    pub(crate) body: usize,
    /// What it keeps of the functions and loops around it.
    pub(crate) kept: Vec<(Name, Value)>,
    /// How many functions are in it, with itself.
    pub(crate) size: usize,
}

/// The largest size of a function: those that keep others that keep others are looked at as a whole again and again.
pub(crate) const LARGEST: usize = 200;

impl Value {
    /// How many functions are in it.
    pub(crate) fn size(&self) -> usize {
        match self {
            Value::Fun(function) => function.size,
            _ => 0,
        }
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Int(number) => number.fmt(f),
            Value::Bool(value) => value.fmt(f),
            Value::Void => f.write_str("void"),
            Value::Fun(..) => f.write_str("a function"),
        }
    }
}

/// Operators of pure terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    Xor,
    Equal,
    Different,
    Less,
    AtMost,
    Greater,
    AtLeast,
    And,
    Or,
    Not,
    Minus,
    /// How many messages came from a processor.
    Messages,
    /// A message from a processor, by number from 0.
    Message,
}

/// A communicator as a program names it: each processor uses the first that it belongs to.
pub(crate) type Groups = Vec<usize>;

/// An expression; operands by number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Expression {
    Constant(Value),
    Variable(Name),
    Pid,
    Processors,
    Unary(Operator, usize),
    Binary(Operator, usize, usize),
    Let(Name, usize, usize),
    If(usize, usize, usize),
    Loop(usize),
    Raise(usize, usize),
    /// Body, exception, name of its value, handler.
    Try(usize, usize, Name, usize),
    Fun(Name, usize),
    Assign(Name, usize),
    Apply(usize, usize),
    Push(Groups, Name),
    Pop(Groups, Name),
    /// To a processor: my variable into one of its own.
    Put(Groups, usize, Name, Name),
    /// From a processor: its variable into one of mine.
    Get(Groups, usize, Name, Name),
    Send(Groups, Name, usize),
    Sync(Groups),
}

/// A question with its name.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) name: String,
    pub(crate) question: Question,
    pub(crate) span: Option<Span>,
}

/// What is asked about a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Question {
    /// It ends so.
    Ends(Kind),
    /// It does not end in a deadlock.
    NoDeadlock,
    /// Every processor ends with this value.
    Values(Vec<Value>),
    /// A variable of a processor has this value at the end.
    At(String, usize, Value),
    /// All runs fulfil a formula of linear time.
    Runs(Formula<Atom>),
}

/// How a run ends, or does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Done,
    Deadlock,
    Fault,
    Diverges,
}

impl Kind {
    /// Its word in questions.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Kind::Done => "done",
            Kind::Deadlock => "deadlock",
            Kind::Fault => "fault",
            Kind::Diverges => "diverges",
        }
    }
}

impl Program {
    /// Whether a processor belongs to a group.
    pub(crate) fn is_member(&self, group: usize, processor: usize) -> bool {
        self.groups[group].members.contains(&processor)
    }

    /// The group that a processor means.
    pub(crate) fn chosen(&self, groups: &Groups, processor: usize) -> usize {
        let own = groups
            .iter()
            .find(|&&group| self.is_member(group, processor));
        own.or(groups.first()).copied().unwrap_or(0)
    }

    /// The barriers of the text, in its order: their expressions.
    pub(crate) fn barriers(&self) -> Vec<usize> {
        let all = self.expressions.iter().enumerate();
        let mut all: Vec<usize> = all
            .filter(|(_, (one, _))| matches!(one, Expression::Sync(_)))
            .map(|(number, _)| number)
            .collect();
        all.sort_by_key(|&number| self.expressions[number].1.start);
        all
    }
}
