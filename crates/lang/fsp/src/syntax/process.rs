//! Primitive (sequential) processes.

use quotient_core::Span;

use super::{Expression, Index, Label, LabelSet, Name, Relabel};

/// A primitive process with its local processes.
#[derive(Debug, Clone, PartialEq)]
pub struct Process {
    /// `property`: complete it with transitions to the error state.
    pub property: bool,
    /// `minimal`: minimise it by weak (observation) equivalence.
    pub minimal: bool,
    /// `deterministic`: determinise and minimise it, keeping its traces.
    pub deterministic: bool,
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// The main process first, then the local ones.
    pub locals: Vec<LocalProcess>,
    /// `+{…}`: labels added to the alphabet.
    pub extension: Option<LabelSet>,
    /// `/{…}`.
    pub relabels: Vec<Relabel>,
    /// `\{…}` or `@{…}`.
    pub hiding: Option<Hiding>,
    /// The definition.
    pub span: Span,
}

/// A parameter and the value it has when none is given.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    /// Its name.
    pub name: Name,
    /// The default.
    pub default: Expression,
}

/// What is hidden from the outside.
#[derive(Debug, Clone, PartialEq)]
pub enum Hiding {
    /// `\S`: these labels.
    Hide(LabelSet),
    /// `@S`: all but these labels.
    Expose(LabelSet),
}

/// `Q[i:R] = body`.
#[derive(Debug, Clone, PartialEq)]
pub struct LocalProcess {
    /// Its name; the first one's is that of the process.
    pub name: Name,
    /// Its indices.
    pub indices: Vec<Index>,
    /// What it does.
    pub body: Body,
}

/// What a process does.
#[derive(Debug, Clone, PartialEq)]
pub enum Body {
    /// Go on as a local process (or STOP, END, ERROR), perhaps after other processes have ended:
    /// `P(1); Q; R[i]`.
    Reference {
        /// The processes to run first, one after the other.
        before: Vec<Call>,
        /// The local process to go on with.
        name: Name,
        /// Its index values.
        indices: Vec<Expression>,
    },
    /// `( … | … )`.
    Choice(Vec<Alternative>),
    /// `if e then … else …`.
    If {
        /// The condition.
        condition: Expression,
        /// What to do when it is not 0.
        then: Box<Body>,
        /// What to do otherwise; STOP when absent.
        otherwise: Option<Box<Body>>,
    },
}

/// A use of a process with parameters: `P(1, 'a)`.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The process.
    pub name: Name,
    /// The actual parameters; absent means the defaults.
    pub arguments: Option<Vec<Expression>>,
}

/// `when e a -> b -> body`.
#[derive(Debug, Clone, PartialEq)]
pub struct Alternative {
    /// The guard.
    pub guard: Option<Expression>,
    /// The actions one after the other; never empty.
    pub actions: Vec<Label>,
    /// What comes then.
    pub next: Body,
}
