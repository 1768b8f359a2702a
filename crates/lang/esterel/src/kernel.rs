//! Programs in few statements: what all others are made of.

use std::ops::Range;

use quotient_core::Span;

use crate::syntax::{Direction, Operator};
use crate::value::{Type, Value};

/// A signal by number.
pub(crate) type SignalId = usize;
/// A variable by number.
pub(crate) type VariableId = usize;

/// A whole program: one statement with its interface; modules are put in place.
#[derive(Debug, Clone)]
pub(crate) struct Program {
    pub(crate) name: String,
    /// Signals by number; those of the interface first.
    pub(crate) signals: Vec<Signal>,
    /// How many of them are the interface.
    pub(crate) interface: usize,
    pub(crate) variables: Vec<Variable>,
    pub(crate) relations: Vec<Promise>,
    pub(crate) body: Node,
    /// The number of pauses.
    pub(crate) pauses: usize,
}

/// A signal.
#[derive(Debug, Clone)]
pub(crate) struct Signal {
    pub(crate) name: String,
    pub(crate) direction: Direction,
    pub(crate) kind: Option<Type>,
    pub(crate) start: Option<Term>,
    pub(crate) combine: Option<Combine>,
    pub(crate) span: Span,
}

/// How values of emissions at the same time become one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Combine {
    Plus,
    Times,
    And,
    Or,
    Host(String),
}

/// A variable.
#[derive(Debug, Clone)]
pub(crate) struct Variable {
    pub(crate) name: String,
    pub(crate) kind: Type,
    pub(crate) span: Span,
}

/// What the environment promises.
#[derive(Debug, Clone)]
pub(crate) enum Promise {
    Exclusive(Vec<SignalId>),
    Implies(Condition, Condition),
}

/// A condition on signals.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Condition {
    Constant(bool),
    Signal(SignalId),
    Before(SignalId),
    Not(Box<Condition>),
    And(Vec<Condition>),
    Or(Vec<Condition>),
}

impl Condition {
    /// The opposite.
    pub(crate) fn negated(self) -> Condition {
        match self {
            Condition::Constant(value) => Condition::Constant(!value),
            Condition::Not(inner) => *inner,
            other => Condition::Not(Box::new(other)),
        }
    }

    /// One of them.
    pub(crate) fn any(mut all: Vec<Condition>) -> Condition {
        match all.len() {
            0 => Condition::Constant(false),
            1 => all.swap_remove(0),
            _ => Condition::Or(all),
        }
    }

    /// The signals in it, with whether it is their past that is looked at.
    pub(crate) fn signals(&self, tell: &mut dyn FnMut(SignalId, bool)) {
        match self {
            Condition::Constant(_) => {}
            Condition::Signal(signal) => tell(*signal, false),
            Condition::Before(signal) => tell(*signal, true),
            Condition::Not(inner) => inner.signals(tell),
            Condition::And(all) | Condition::Or(all) => {
                all.iter().for_each(|one| one.signals(tell));
            }
        }
    }
}

/// A data expression with its type.
#[derive(Debug, Clone)]
pub(crate) struct Term {
    pub(crate) what: What,
    pub(crate) kind: Type,
    pub(crate) span: Span,
}

#[derive(Debug, Clone)]
pub(crate) enum What {
    Constant(Value),
    Variable(VariableId),
    Value(SignalId),
    Before(SignalId),
    Negative(Box<Term>),
    Not(Box<Term>),
    Binary(Operator, Box<Term>, Box<Term>),
    /// A function or constant of the host: nobody here knows what it gives.
    Host(String, Vec<Term>),
}

impl Term {
    /// Its parts.
    pub(crate) fn parts(&self) -> Vec<&Term> {
        match &self.what {
            What::Negative(inner) | What::Not(inner) => vec![inner],
            What::Binary(_, left, right) => vec![left, right],
            What::Host(_, arguments) => arguments.iter().collect(),
            _ => Vec::new(),
        }
    }
}

/// A statement with its place.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub(crate) kind: Kind,
    pub(crate) span: Span,
    /// Its number, unique in the program.
    pub(crate) number: usize,
    /// The pauses inside.
    pub(crate) pauses: Range<usize>,
}

/// The statements that all others are made of.
#[derive(Debug, Clone)]
pub(crate) enum Kind {
    Nothing,
    Pause,
    Emit(SignalId, Option<Term>),
    Present(Condition, Box<Node>, Box<Node>),
    Test(Term, Box<Node>, Box<Node>),
    Suspend(Condition, Box<Node>),
    Sequence(Vec<Node>),
    Loop(Box<Node>),
    Parallel(Vec<Node>),
    Trap(Box<Node>),
    /// Leaves the trap so many levels out; the innermost is 0.
    Exit(usize),
    Signal(Vec<SignalId>, Box<Node>),
    Variable(VariableId, Box<Node>),
    Assign(VariableId, Term),
    Repeat(Box<Repeat>),
    /// Something of the host that nobody here can do.
    Host(String, Vec<VariableId>),
}

/// A body so many times; the counter counts down.
#[derive(Debug, Clone)]
pub(crate) struct Repeat {
    pub(crate) times: Term,
    pub(crate) counter: VariableId,
    /// Whether it is done at least once.
    pub(crate) positive: bool,
    pub(crate) body: Node,
}

impl Node {
    /// A statement; numbers come later.
    pub(crate) fn new(kind: Kind, span: Span) -> Node {
        Node {
            kind,
            span,
            number: 0,
            pauses: 0..0,
        }
    }

    /// The statements inside.
    pub(crate) fn children(&self) -> Vec<&Node> {
        match &self.kind {
            Kind::Present(_, one, other) | Kind::Test(_, one, other) => vec![one, other],
            Kind::Suspend(_, body)
            | Kind::Loop(body)
            | Kind::Trap(body)
            | Kind::Signal(_, body)
            | Kind::Variable(_, body) => vec![body],
            Kind::Sequence(all) | Kind::Parallel(all) => all.iter().collect(),
            Kind::Repeat(repeat) => vec![&repeat.body],
            _ => Vec::new(),
        }
    }

    pub(crate) fn children_mut(&mut self) -> Vec<&mut Node> {
        match &mut self.kind {
            Kind::Present(_, one, other) | Kind::Test(_, one, other) => vec![one, other],
            Kind::Suspend(_, body)
            | Kind::Loop(body)
            | Kind::Trap(body)
            | Kind::Signal(_, body)
            | Kind::Variable(_, body) => vec![body],
            Kind::Sequence(all) | Kind::Parallel(all) => all.iter_mut().collect(),
            Kind::Repeat(repeat) => vec![&mut repeat.body],
            _ => Vec::new(),
        }
    }

    /// Calls for each statement inside and itself, outer ones first.
    pub(crate) fn walk<'a>(&'a self, tell: &mut dyn FnMut(&'a Node)) {
        let mut stack = vec![self];
        while let Some(node) = stack.pop() {
            tell(node);
            let mut children = node.children();
            children.reverse();
            stack.extend(children);
        }
    }

    /// Gives numbers to statements and pauses; `next` is the first free one of each.
    pub(crate) fn number(&mut self, next: &mut (usize, usize)) {
        self.number = next.0;
        next.0 += 1;
        let first = next.1;
        if matches!(self.kind, Kind::Pause) {
            next.1 += 1;
        }
        for child in self.children_mut() {
            child.number(next);
        }
        self.pauses = first..next.1;
    }

    /// The data expressions that stand in this statement itself.
    pub(crate) fn terms(&self) -> Vec<&Term> {
        match &self.kind {
            Kind::Emit(_, Some(term)) | Kind::Test(term, ..) | Kind::Assign(_, term) => vec![term],
            Kind::Repeat(repeat) => vec![&repeat.times],
            _ => Vec::new(),
        }
    }
}

impl Program {
    /// Numbers all statements and pauses anew.
    pub(crate) fn renumber(&mut self) {
        let mut next = (0, 0);
        self.body.number(&mut next);
        self.pauses = next.1;
    }

    /// Whether it handles no data at all.
    pub(crate) fn is_pure(&self) -> bool {
        let mut pure = self.signals.iter().all(|signal| signal.kind.is_none());
        self.body.walk(&mut |node| {
            pure &= node.terms().is_empty() && !matches!(node.kind, Kind::Host(..));
        });
        pure
    }

    /// The signals of the interface in a direction from or to the environment.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = SignalId> + '_ {
        (0..self.interface).filter(|&id| {
            let direction = self.signals[id].direction;
            matches!(
                direction,
                Direction::Input | Direction::Both | Direction::Sensor
            )
        })
    }

    /// The signals that the program shows.
    pub(crate) fn outputs(&self) -> impl Iterator<Item = SignalId> + '_ {
        (0..self.interface).filter(|&id| {
            matches!(
                self.signals[id].direction,
                Direction::Output | Direction::Both
            )
        })
    }
}
