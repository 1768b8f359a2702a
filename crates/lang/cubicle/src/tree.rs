//! A text as it is written.

use quotient_core::Span;

/// A name with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Name {
    pub(crate) text: String,
    pub(crate) span: Span,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Tree {
    pub(crate) types: Vec<(Name, Vec<Name>)>,
    pub(crate) variables: Vec<Declared>,
    pub(crate) start: Option<Quantified>,
    pub(crate) bad: Vec<Quantified>,
    pub(crate) lemmas: Vec<Quantified>,
    pub(crate) transitions: Vec<Step>,
    pub(crate) predicates: Vec<Predicate>,
    /// How many millionths make one unit of numbers with fractions.
    pub(crate) unit: i64,
}

/// A variable, constant or array.
#[derive(Debug, Clone)]
pub(crate) struct Declared {
    pub(crate) name: Name,
    pub(crate) indices: Vec<Name>,
    pub(crate) of: Name,
}

/// A formula about some processes.
#[derive(Debug, Clone)]
pub(crate) struct Quantified {
    pub(crate) processes: Vec<Name>,
    pub(crate) formula: Expression,
    pub(crate) span: Span,
}

#[derive(Debug, Clone)]
pub(crate) struct Step {
    pub(crate) name: Name,
    pub(crate) processes: Vec<Name>,
    pub(crate) guard: Expression,
    pub(crate) assignments: Vec<Assignment>,
    pub(crate) span: Span,
}

#[derive(Debug, Clone)]
pub(crate) struct Assignment {
    pub(crate) variable: Name,
    pub(crate) indices: Vec<Name>,
    /// Conditions with what they give; a missing condition always applies, a missing value is any.
    pub(crate) cases: Vec<(Option<Expression>, Option<Written>)>,
}

#[derive(Debug, Clone)]
pub(crate) enum Expression {
    And(Vec<Expression>),
    Or(Vec<Expression>),
    Not(Box<Expression>),
    Compare(Written, &'static str, Written),
    /// A Boolean by itself.
    Bare(Written),
    Forall(Name, Box<Expression>),
    Exists(Name, Box<Expression>),
    /// For all (for some) different processes, whoever they are.
    Quantified(bool, Vec<Name>, Box<Expression>),
    /// A predicate of the text with what it is about.
    Applied(Name, Vec<Expression>),
}

/// A name for a formula about some things.
#[derive(Debug, Clone)]
pub(crate) struct Predicate {
    pub(crate) name: Name,
    pub(crate) parameters: Vec<Name>,
    pub(crate) body: Expression,
}

/// A term: a sum of signed parts.
#[derive(Debug, Clone)]
pub(crate) struct Written {
    pub(crate) parts: Vec<(i64, Part)>,
    pub(crate) span: Span,
}

#[derive(Debug, Clone)]
pub(crate) enum Part {
    Number(i64),
    /// A number with a fraction: so many millionths.
    Decimal(i64),
    Named(Name, Vec<Name>),
}
