//! What an FSP text says, as a tree with source spans; nothing is evaluated yet.

mod composite;
mod expression;
mod formula;
mod label;
mod process;

pub use composite::{Composite, CompositeBody, CompositeTerm, Priority};
pub use expression::{BinaryOperator, Expression, ExpressionKind, UnaryOperator};
pub use formula::{Assertion, AssertionKind, Fluent, FormulaKind, FormulaSyntax};
pub use label::{Domain, Index, Label, LabelPart, LabelSet, Relabel};
pub use process::{Alternative, Body, Call, Hiding, LocalProcess, Parameter, Process};

use quotient_core::Span;

/// An identifier where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// The identifier.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// A whole FSP text: its definitions in order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Specification {
    /// The definitions, in the order of the text.
    pub definitions: Vec<Definition>,
}

/// One definition at the top level of a text.
#[derive(Debug, Clone, PartialEq)]
pub enum Definition {
    /// `const N = 3`.
    Constant(Name, Expression),
    /// `range R = 0..N`.
    Range(Name, Expression, Expression),
    /// `set S = {a, b}`.
    Set(Name, Vec<Label>),
    /// `P = (a -> P).`
    Process(Process),
    /// `||C = (P || Q).`
    Composite(Composite),
    /// `progress G = {a}`.
    Progress(Progress),
    /// `menu RUN = {a, b}`: the actions a simulation offers.
    Menu(Name, Label),
    /// `fluent F = <{a}, {b}> initially 0`.
    Fluent(Fluent),
    /// `assert A = []<>a`.
    Assertion(Assertion),
    /// `import P = "file.aut"`: a process read from an Aldebaran file.
    Import(Name, String),
}

impl Definition {
    /// What is defined.
    pub(crate) fn name(&self) -> &Name {
        match self {
            Definition::Constant(name, _)
            | Definition::Range(name, _, _)
            | Definition::Set(name, _)
            | Definition::Menu(name, _)
            | Definition::Import(name, _) => name,
            Definition::Process(process) => &process.name,
            Definition::Composite(composite) => &composite.name,
            Definition::Progress(progress) => &progress.name,
            Definition::Fluent(fluent) => &fluent.name,
            Definition::Assertion(assertion) => &assertion.name,
        }
    }
}

/// A progress property: in every execution that goes on for ever, something good keeps happening.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress {
    /// Its name.
    pub name: Name,
    /// With indices there is one property for each value.
    pub indices: Vec<Index>,
    /// `if` these actions happen again and again (always, when absent) …
    pub condition: Option<Label>,
    /// … then one of these does, too.
    pub actions: Label,
}
