//! What a text says, as trees.

use std::rc::Rc;

use crate::lex::At;

/// A name with its place.
#[derive(Debug, Clone)]
pub(crate) struct Name {
    pub(crate) text: Rc<str>,
    pub(crate) at: At,
    /// The uses of inlines around it, innermost first; labels are looked up along it.
    pub(crate) expansions: Vec<u32>,
}

/// `a[i].b[j].c`.
#[derive(Debug, Clone)]
pub(crate) struct Reference {
    pub(crate) name: Rc<str>,
    pub(crate) at: At,
    pub(crate) index: Option<Box<Node>>,
    pub(crate) field: Option<Box<Reference>>,
}

/// An expression.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub(crate) kind: Expression,
    pub(crate) at: At,
}

#[derive(Debug, Clone)]
pub(crate) enum Expression {
    Number(i32),
    Variable(Reference),
    Unary(Sign, Box<Node>),
    Binary(Sign, Box<Node>, Box<Node>),
    Choice(Box<Node>, Box<Node>, Box<Node>),
    /// `len`, `empty`, `nempty`, `full`, `nfull`.
    Channel(&'static str, Reference),
    Poll {
        channel: Reference,
        arguments: Vec<Node>,
        anywhere: bool,
    },
    /// `P[pid]@label`.
    Place(Name, Option<Box<Node>>, Name),
    /// `P[pid]:variable`.
    Remote(Name, Option<Box<Node>>, Reference),
    /// A new process, with its priority if one is said.
    Run(Name, Vec<Node>, Option<Box<Node>>),
    /// The priority of a process by its number.
    Priority(Box<Node>),
    Eval(Box<Node>),
    Enabled(Box<Node>),
    Counter(Box<Node>),
    Timeout,
    NoProgress,
}

/// An operator; those of linear time among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sign {
    Not,
    Complement,
    Minus,
    Plus,
    Times,
    Divide,
    Modulo,
    ShiftLeft,
    ShiftRight,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    Different,
    BitAnd,
    BitOr,
    BitXor,
    And,
    Or,
    Implies,
    Equivalent,
    Always,
    Eventually,
    Next,
    Until,
    WeakUntil,
    Release,
}

impl Sign {
    /// Whether it speaks about time.
    pub(crate) fn is_temporal(self) -> bool {
        matches!(
            self,
            Sign::Always
                | Sign::Eventually
                | Sign::Next
                | Sign::Until
                | Sign::WeakUntil
                | Sign::Release
        )
    }
}

/// The type of a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Type {
    Bit,
    Byte,
    Mtype,
    Pid,
    Short,
    Int,
    Unsigned(u8),
    Channel,
    Record(Rc<str>),
}

/// What a variable begins with.
#[derive(Debug, Clone)]
pub(crate) enum Start {
    None,
    Value(Node),
    List(Vec<Node>),
    Channel {
        capacity: Node,
        fields: Vec<(Type, At)>,
    },
}

/// A variable.
#[derive(Debug, Clone)]
pub(crate) struct Declaration {
    pub(crate) name: Rc<str>,
    pub(crate) at: At,
    pub(crate) kind: Type,
    pub(crate) length: Option<Node>,
    pub(crate) start: Start,
}

/// A statement with its labels.
#[derive(Debug, Clone)]
pub(crate) struct Statement {
    pub(crate) labels: Vec<Name>,
    pub(crate) kind: Step,
    pub(crate) at: At,
}

#[derive(Debug, Clone)]
pub(crate) enum Step {
    Expression(Node),
    Assign(Reference, Node),
    Send {
        channel: Reference,
        arguments: Vec<Node>,
        sorted: bool,
    },
    Receive {
        channel: Reference,
        arguments: Vec<Node>,
        anywhere: bool,
        keep: bool,
    },
    Assert(Node),
    /// Something without an effect: `printf`.
    Print(Vec<Node>),
    /// `set_priority(p, n)`.
    Prioritize(Node, Node),
    Else,
    Goto(Name),
    Break,
    If(Vec<Vec<Statement>>),
    Do(Vec<Vec<Statement>>),
    Atomic(Vec<Statement>),
    Whole(Vec<Statement>),
    Block(Vec<Statement>),
    Unless(Box<Statement>, Box<Statement>),
    Declare(Vec<Declaration>),
    /// `for (x in a)`: over an array, or the messages of a channel.
    Each(Reference, Reference, Vec<Statement>),
}

/// A proctype, `init`, or a never claim.
#[derive(Debug, Clone)]
pub(crate) struct Process {
    pub(crate) name: Name,
    pub(crate) parameters: Vec<Declaration>,
    /// How many there are from the start.
    pub(crate) active: Option<Node>,
    pub(crate) is_active: bool,
    pub(crate) priority: Option<Node>,
    pub(crate) provided: Option<Node>,
    pub(crate) body: Vec<Statement>,
    /// Where the body ends.
    pub(crate) end: At,
}

/// A formula.
#[derive(Debug, Clone)]
pub(crate) struct Formula {
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) at: At,
    pub(crate) body: Node,
}

/// A whole text.
#[derive(Debug, Clone, Default)]
pub(crate) struct Unit {
    pub(crate) records: Vec<(Name, Vec<Declaration>)>,
    /// Names of messages, in the order of the text.
    pub(crate) messages: Vec<Name>,
    pub(crate) globals: Vec<Declaration>,
    pub(crate) processes: Vec<Process>,
    pub(crate) claims: Vec<Process>,
    pub(crate) formulas: Vec<Formula>,
    /// Whether priorities decide who moves.
    pub(crate) uses_priorities: bool,
    /// Event traces, and whether they say what must not happen.
    pub(crate) traces: Vec<(Process, bool)>,
}
