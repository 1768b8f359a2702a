//! The syntax tree: what stands in the text, names not yet looked up.

use quotient_core::Span;

/// A name and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Name {
    pub(crate) text: String,
    pub(crate) span: Span,
}

impl Name {
    /// The process from which links are followed: `p` of `p.next.next`.
    pub(crate) fn root(&self) -> &str {
        self.text.split('.').next().unwrap_or(&self.text)
    }

    /// The same links, followed from another process.
    pub(crate) fn with_root(&self, root: &Name) -> Name {
        let links = &self.text[self.root().len()..];
        Name {
            text: format!("{}{links}", root.text),
            span: if links.is_empty() {
                root.span
            } else {
                self.span
            },
        }
    }

    /// The last link, and whose it is: `next` of `p.next`.
    pub(crate) fn link(&self) -> Option<(Name, Name)> {
        let (owner, link) = self.text.rsplit_once('.')?;
        let named = |text: &str| Name {
            text: text.to_owned(),
            span: self.span,
        };
        Some((named(owner), named(link)))
    }
}

/// A whole file.
#[derive(Debug, Clone, Default)]
pub(crate) struct File {
    pub(crate) title: Option<String>,
    pub(crate) topology: Option<(Topology, Span)>,
    pub(crate) assumptions: Vec<Expression>,
    pub(crate) parameters: Vec<Name>,
    pub(crate) types: Vec<(Name, Type)>,
    pub(crate) globals: Vec<Declaration>,
    pub(crate) locals: Vec<Declaration>,
    /// Where `process` stands, if it does.
    pub(crate) process: Option<Span>,
    /// What may go wrong with processes.
    pub(crate) faults: Vec<super::faults::Faults>,
    /// The kinds of processes, where there are several.
    pub(crate) kinds: Vec<super::kinds::KindOfProcess>,
    /// What a variable of a kind begins with, where kinds begin it differently: the kind, the variable,
    /// and a set.
    pub(crate) own_starts: Vec<(String, String, Expression)>,
    /// What processes send each other.
    pub(crate) messages: Vec<super::messages::Message>,
    /// The parts of a round.
    pub(crate) rounds: Vec<Name>,
    /// The last of them, once it is known what they stand for.
    pub(crate) last_part: Option<Name>,
    pub(crate) channels: Vec<ChannelDeclaration>,
    pub(crate) macros: Vec<Macro>,
    pub(crate) initially: Vec<Condition>,
    pub(crate) steps: Vec<Step>,
    pub(crate) properties: Vec<Property>,
}

/// How the processes stand to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Topology {
    /// From left to right.
    Line,
    /// In a circle.
    Ring,
    /// In no order.
    Set,
    /// In a tree, each with at most two children.
    Tree,
}

#[derive(Debug, Clone)]
pub(crate) struct Declaration {
    pub(crate) name: Name,
    /// Whether there is a value for each process: `x[process] : T`.
    pub(crate) paired: bool,
    pub(crate) kind: Type,
    pub(crate) initial: Option<Expression>,
}

#[derive(Debug, Clone)]
pub(crate) enum Type {
    Bool,
    Range(i64, i64, Span),
    Values(Vec<Name>),
    Named(Name),
    /// A process; `true` if it may be none.
    Process(bool, Span),
    /// What is different for each process, in an order of its own.
    Identity(Span),
}

#[derive(Debug, Clone)]
pub(crate) struct ChannelDeclaration {
    pub(crate) name: Name,
    pub(crate) kind: ChannelKind,
    pub(crate) contents: Type,
    /// What is in it at the start.
    pub(crate) initial: Vec<Expression>,
}

/// What may be done with a part of the configuration that holds a sequence of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChannelKind {
    /// Pushed and popped on the left.
    Stack,
    /// Sent on the right, received on the left.
    Queue,
    /// A queue that may lose any value at any time.
    LossyQueue,
    /// Recorded on the right, never read by a step.
    Log,
}

#[derive(Debug, Clone)]
pub(crate) struct Macro {
    pub(crate) name: Name,
    pub(crate) parameters: Vec<Name>,
    pub(crate) body: Expression,
}

#[derive(Debug, Clone)]
pub(crate) enum Condition {
    Holds(Expression),
    Word(String, Span),
    /// An automaton from a file.
    Import(String, Span),
}

impl Condition {
    /// Where it stands.
    pub(crate) fn span(&self) -> Span {
        match self {
            Condition::Holds(expression) => expression.span,
            Condition::Word(_, span) | Condition::Import(_, span) => *span,
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Step {
    pub(crate) name: Name,
    /// All of it.
    pub(crate) span: Span,
    pub(crate) witnesses: Vec<(Name, Side)>,
    /// Of which kinds the process that takes it (without a name) and its witnesses are.
    pub(crate) kinds: Vec<(Option<Name>, Name)>,
    /// The messages that it takes.
    pub(crate) received: Vec<super::messages::Received>,
    /// What it gives messages to carry, what these can carry, and their names.
    pub(crate) carried: Vec<(Expression, Type, Name)>,
    pub(crate) choices: Vec<(Name, Type)>,
    pub(crate) one_by_one: Option<(Span, Order)>,
    /// A transducer from a file, instead of all else.
    pub(crate) import: Option<(String, Span)>,
    pub(crate) guard: Option<Expression>,
    /// One list of actions for each alternative.
    pub(crate) alternatives: Vec<Vec<Action>>,
    /// Whether it was added for faults: those who have failed take it.
    pub(crate) fault: bool,
    pub(crate) fairness: Fairness,
    /// The part of a round that it is taken in.
    pub(crate) part: Option<Name>,
}

/// Who must have their turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Fairness {
    /// The process, whichever of its steps it takes; where no process takes it, the step.
    #[default]
    OfItsProcess,
    /// Whoever could take this step all the time.
    Weak,
    /// Whoever can take this step again and again.
    Strong,
}

/// In which order a process reads the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    Any,
    FromLeft,
    FromRight,
}

/// Which other processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Any,
    Other,
    /// To the left; in a tree above.
    Left,
    /// To the right; in a tree below.
    Right,
    /// A child, in a tree.
    Child,
    /// The parent, in a tree.
    Parent,
}

#[derive(Debug, Clone)]
pub(crate) enum Action {
    Assign {
        target: Target,
        value: Value,
    },
    Broadcast {
        name: Name,
        side: Side,
        only: Option<Expression>,
        assignments: Vec<(Target, Value)>,
    },
    Move {
        who: Name,
        to: Position,
    },
    Create {
        at: Position,
        values: Vec<(Name, Expression)>,
        span: Span,
    },
    Remove {
        who: Name,
    },
    Channel {
        operation: Operation,
        channel: Name,
        value: Expression,
    },
    /// A message to another process, or to all others.
    Message {
        message: Name,
        value: Option<Expression>,
        to: Option<Name>,
    },
}

#[derive(Debug, Clone)]
pub(crate) struct Target {
    pub(crate) owner: Option<Name>,
    pub(crate) field: Name,
    /// The process whose value it is, as in `x[q]`.
    pub(crate) index: Option<Name>,
}

#[derive(Debug, Clone)]
pub(crate) enum Value {
    Exactly(Expression),
    /// Any value of the variable's type, or of the given one.
    Any(Option<Type>, Span),
    /// Any of the values that stand in a set.
    OneOf(Vec<Expression>, Span),
}

#[derive(Debug, Clone)]
pub(crate) enum Position {
    LeftEnd,
    RightEnd,
    Before(Name),
    After(Name),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operation {
    Push,
    Pop,
    Send,
    Receive,
    Record,
}

#[derive(Debug, Clone)]
pub(crate) struct Property {
    pub(crate) name: Name,
    /// Where it says what it demands.
    pub(crate) span: Span,
    pub(crate) demand: Demand,
    /// Whether it is said to help with others.
    pub(crate) lemma: bool,
}

#[derive(Debug, Clone)]
pub(crate) enum Demand {
    Never(Condition),
    Always(Expression),
    NoDeadlock,
    LeadsTo {
        name: Name,
        from: Expression,
        to: Expression,
    },
    /// A formula of linear time, for each choice of different processes.
    Temporal {
        names: Vec<Name>,
        formula: Expression,
    },
}

#[derive(Debug, Clone)]
pub(crate) struct Expression {
    pub(crate) kind: Kind,
    pub(crate) span: Span,
}

#[derive(Debug, Clone)]
pub(crate) enum Kind {
    Number(i64),
    Name(String),
    Field(Name, Name),
    /// `x[q]` or `p.x[q]`: whose it is, what it is called, and for whom.
    Pair(Option<Name>, Name, Name),
    Call(Name, Vec<Expression>),
    Set(Vec<Expression>),
    Not(Box<Expression>),
    Negate(Box<Expression>),
    Binary(Operator, Box<Expression>, Box<Expression>),
    If(Box<Expression>, Box<Expression>, Box<Expression>),
    Quantified {
        exists: bool,
        side: Side,
        names: Vec<Name>,
        of: Option<Name>,
        body: Box<Expression>,
    },
    Count {
        side: Side,
        name: Name,
        body: Box<Expression>,
    },
    Matches(Name, String, Span),
    /// When something is true: only in properties.
    Temporal(Temporal, Box<Expression>),
}

/// When something is true, from the present on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Temporal {
    Always,
    Eventually,
    Next,
}

impl Expression {
    /// Whether some part says when it is true.
    pub(crate) fn is_temporal(&self) -> bool {
        match &self.kind {
            Kind::Temporal(..) | Kind::Binary(Operator::Until | Operator::Unless, ..) => true,
            Kind::Number(_)
            | Kind::Name(_)
            | Kind::Field(..)
            | Kind::Pair(..)
            | Kind::Matches(..) => false,
            Kind::Call(_, all) | Kind::Set(all) => all.iter().any(Expression::is_temporal),
            Kind::Not(inner) | Kind::Negate(inner) => inner.is_temporal(),
            Kind::Binary(_, left, right) => left.is_temporal() || right.is_temporal(),
            Kind::If(condition, yes, no) => {
                [condition, yes, no].iter().any(|part| part.is_temporal())
            }
            Kind::Quantified { body, .. } | Kind::Count { body, .. } => body.is_temporal(),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operator {
    And,
    Or,
    Implies,
    Iff,
    /// The right comes, and the left is true until then; only in properties.
    Until,
    /// The same, or the left is true for ever.
    Unless,
    Equal,
    Different,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    In,
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
}
