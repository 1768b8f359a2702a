//! Fluents and assertions in linear temporal logic.

use quotient_core::Span;

use super::{Expression, Index, Label, LabelSet, Name, Parameter};

/// `fluent F[i:R] = <{begin}, {end}> initially e`: true from a beginning up to an end.
#[derive(Debug, Clone, PartialEq)]
pub struct Fluent {
    /// Its name.
    pub name: Name,
    /// With indices there is one fluent for each value.
    pub indices: Vec<Index>,
    /// The actions that make it true.
    pub begin: Label,
    /// The actions that make it false.
    pub end: Label,
    /// Its first value; false when absent.
    pub initially: Option<Expression>,
}

/// `assert A(N=1) = formula + {…}`.
#[derive(Debug, Clone, PartialEq)]
pub struct Assertion {
    /// `constraint` or `ltl_property` instead of `assert`: it can be composed like a process.
    pub kind: AssertionKind,
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// What it says.
    pub formula: FormulaSyntax,
    /// `+{…}`: further actions that count as steps.
    pub extension: Option<LabelSet>,
    /// The definition.
    pub span: Span,
}

/// How an assertion may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AssertionKind {
    /// `assert`: to be checked.
    Assert,
    /// `constraint`: a safety formula that restricts the processes it is composed with.
    Constraint,
    /// `ltl_property`: a safety formula that watches the processes it is composed with.
    Property,
}

/// A formula with the place where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct FormulaSyntax {
    /// What it says.
    pub kind: FormulaKind,
    /// Where it stands.
    pub span: Span,
}

/// What a formula says.
#[derive(Debug, Clone, PartialEq)]
pub enum FormulaKind {
    /// A fluent (with indices: any of them), or another assertion.
    Name(Name, Vec<Index>),
    /// Another assertion with parameters.
    Call(Name, Vec<Expression>),
    /// One of these actions has just happened.
    Action(Label),
    /// `rigid e`: whether an expression is positive.
    Rigid(Expression),
    /// `!f`.
    Not(Box<FormulaSyntax>),
    /// `X f`.
    Next(Box<FormulaSyntax>),
    /// `<>f`.
    Eventually(Box<FormulaSyntax>),
    /// `[]f`.
    Always(Box<FormulaSyntax>),
    /// `f && g`.
    And(Box<FormulaSyntax>, Box<FormulaSyntax>),
    /// `f || g`.
    Or(Box<FormulaSyntax>, Box<FormulaSyntax>),
    /// `f -> g`.
    Implies(Box<FormulaSyntax>, Box<FormulaSyntax>),
    /// `f <-> g`.
    Equivalent(Box<FormulaSyntax>, Box<FormulaSyntax>),
    /// `f U g`.
    Until(Box<FormulaSyntax>, Box<FormulaSyntax>),
    /// `f W g`.
    WeakUntil(Box<FormulaSyntax>, Box<FormulaSyntax>),
    /// `forall [i:R] f`.
    ForAll(Vec<Index>, Box<FormulaSyntax>),
    /// `exists [i:R] f`.
    Exists(Vec<Index>, Box<FormulaSyntax>),
}
