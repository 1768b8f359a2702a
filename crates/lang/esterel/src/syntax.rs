//! Programs as they are written.

use quotient_core::Span;

use crate::value::Number;

/// A name with its place.
#[derive(Debug, Clone)]
pub(crate) struct Name {
    pub(crate) text: String,
    pub(crate) span: Span,
}

/// A file: modules.
#[derive(Debug, Clone, Default)]
pub(crate) struct File {
    pub(crate) modules: Vec<Module>,
}

/// A module: an interface and a statement.
#[derive(Debug, Clone)]
pub(crate) struct Module {
    pub(crate) name: Name,
    pub(crate) constants: Vec<ConstantDecl>,
    pub(crate) functions: Vec<Name>,
    pub(crate) signals: Vec<SignalDecl>,
    pub(crate) relations: Vec<Relation>,
    pub(crate) body: Statement,
}

/// A constant; one without a value comes from the host.
#[derive(Debug, Clone)]
pub(crate) struct ConstantDecl {
    pub(crate) name: Name,
    pub(crate) kind: TypeName,
    pub(crate) value: Option<Expression>,
}

/// How a signal stands in an interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Input,
    Output,
    Both,
    Sensor,
    Local,
}

/// A signal with its type, if it has a value.
#[derive(Debug, Clone)]
pub(crate) struct SignalDecl {
    pub(crate) name: Name,
    pub(crate) direction: Direction,
    pub(crate) kind: Option<TypeName>,
    pub(crate) start: Option<Expression>,
    /// How values of emissions at the same time become one.
    pub(crate) combine: Option<Name>,
}

/// A type by name.
#[derive(Debug, Clone)]
pub(crate) struct TypeName(pub(crate) Name);

/// What the environment promises about inputs.
#[derive(Debug, Clone)]
pub(crate) enum Relation {
    /// At most one of these.
    Exclusive(Vec<Name>),
    /// The first only together with the second.
    Implies(Event, Event),
}

/// A condition on the presence of signals.
#[derive(Debug, Clone)]
pub(crate) enum Event {
    Signal(Name),
    Before(Name),
    Tick,
    Not(Box<Event>),
    And(Box<Event>, Box<Event>),
    Or(Box<Event>, Box<Event>),
}

impl Event {
    /// The signals that it speaks of, as often as it does.
    pub(crate) fn names(&self) -> Vec<Name> {
        match self {
            Event::Signal(name) | Event::Before(name) => vec![name.clone()],
            Event::Tick => Vec::new(),
            Event::Not(inner) => inner.names(),
            Event::And(left, right) | Event::Or(left, right) => {
                [left.names(), right.names()].concat()
            }
        }
    }
}

/// When something happens: an event, at once or later, for the n-th time.
#[derive(Debug, Clone)]
pub(crate) struct Delay {
    pub(crate) immediate: bool,
    pub(crate) count: Option<Expression>,
    pub(crate) event: Event,
    pub(crate) span: Span,
}

/// A delay with what to do then.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    pub(crate) delay: Delay,
    pub(crate) then: Option<Statement>,
}

/// Operators with two sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operator {
    Or,
    And,
    Equal,
    Different,
    Less,
    AtMost,
    Greater,
    AtLeast,
    Plus,
    Minus,
    Times,
    Divide,
    Modulo,
}

/// A data expression.
#[derive(Debug, Clone)]
pub(crate) struct Expression {
    pub(crate) kind: ExpressionKind,
    pub(crate) span: Span,
}

#[derive(Debug, Clone)]
pub(crate) enum ExpressionKind {
    Whole(Number),
    Real(Number),
    Boolean(bool),
    Text(String),
    Name(String),
    /// `?S`
    Value(String),
    /// `pre(?S)`
    Before(String),
    /// `??T`
    TrapValue(String),
    Call(String, Vec<Expression>),
    Negative(Box<Expression>),
    Not(Box<Expression>),
    Binary(Operator, Box<Expression>, Box<Expression>),
}

/// A statement with its place.
#[derive(Debug, Clone)]
pub(crate) struct Statement {
    pub(crate) kind: StatementKind,
    pub(crate) span: Span,
}

#[derive(Debug, Clone)]
pub(crate) enum StatementKind {
    Nothing,
    Pause,
    Halt,
    Emit(Name, Option<Expression>),
    Sustain(Name, Option<Expression>),
    Assign(Name, Expression),
    Call(Name, Vec<Name>, Vec<Expression>),
    Exec(Vec<Task>),
    Present(Vec<(Event, Option<Statement>)>, Option<Box<Statement>>),
    If(Vec<(Expression, Option<Statement>)>, Option<Box<Statement>>),
    Loop(Box<Statement>),
    LoopEach(Box<Statement>, Delay),
    Repeat {
        times: Expression,
        positive: bool,
        body: Box<Statement>,
    },
    Abort {
        body: Box<Statement>,
        weak: bool,
        cases: Vec<Case>,
    },
    Await(Vec<Case>),
    Every(Delay, Box<Statement>),
    Suspend(Box<Statement>, Delay),
    Upto(Box<Statement>, Delay),
    Trap {
        traps: Vec<SignalDecl>,
        body: Box<Statement>,
        handlers: Vec<(Event, Statement)>,
    },
    Exit(Name, Option<Expression>),
    Signal(Vec<SignalDecl>, Box<Statement>),
    Variable(Vec<(Name, TypeName, Option<Expression>)>, Box<Statement>),
    Run {
        module: Name,
        renamings: Vec<Renaming>,
    },
    Sequence(Vec<Statement>),
    Parallel(Vec<Statement>),
}

/// A task of the host: what it may write, what it is given, the signal that says that it is done, and
/// what to do then.
#[derive(Debug, Clone)]
pub(crate) struct Task {
    pub(crate) name: Name,
    pub(crate) written: Vec<Name>,
    pub(crate) read: Vec<Expression>,
    pub(crate) back: Name,
    pub(crate) then: Option<Statement>,
}

/// `signal A/B` in a `run`: the outer thing stands for the inner name.
#[derive(Debug, Clone)]
pub(crate) struct Renaming {
    pub(crate) class: RenamingClass,
    pub(crate) outer: Expression,
    pub(crate) inner: Name,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RenamingClass {
    Signal,
    Constant,
    Other,
}
