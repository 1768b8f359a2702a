//! Action labels: names, indices and sets, joined by dots.

use quotient_core::Span;

use super::{Expression, Name};

/// A label pattern such as `user[u:U].{grant, deny}`: it stands for one or more action labels.
#[derive(Debug, Clone, PartialEq)]
pub struct Label {
    /// The parts between the dots; never empty.
    pub parts: Vec<LabelPart>,
    /// Where it stands.
    pub span: Span,
}

/// One part of a label.
#[derive(Debug, Clone, PartialEq)]
pub enum LabelPart {
    /// `grant`.
    Name(Name),
    /// `{a, b}` or the name of a set.
    Set(LabelSet),
    /// `S\{a}`: the labels of the left set that are not in the right one.
    Difference(LabelSet, LabelSet),
    /// `[…]`.
    Index(Index),
}

/// A set of labels.
#[derive(Debug, Clone, PartialEq)]
pub enum LabelSet {
    /// A set defined by `set S = …`.
    Named(Name),
    /// `{a, b.c}`.
    Literal(Vec<Label>, Span),
}

impl LabelSet {
    /// Where it stands.
    pub fn span(&self) -> Span {
        match self {
            LabelSet::Named(name) => name.span,
            LabelSet::Literal(_, span) => *span,
        }
    }
}

/// What stands between square brackets in a label.
#[derive(Debug, Clone, PartialEq)]
pub struct Index {
    /// `i:` binds the variable `i` in what follows.
    pub variable: Option<Name>,
    /// The values.
    pub domain: Domain,
    /// The brackets and all between them.
    pub span: Span,
}

/// The values of an index.
#[derive(Debug, Clone, PartialEq)]
pub enum Domain {
    /// One value (only without a variable).
    Value(Expression),
    /// `low..high`.
    Range(Expression, Expression),
    /// The name of a range.
    Named(Name),
    /// A set of labels.
    Set(LabelSet),
}

/// A renaming of labels: `new/old`, or several of them for each value of some indices.
#[derive(Debug, Clone, PartialEq)]
pub enum Relabel {
    /// Every `old` becomes every `new`.
    Rename {
        /// The labels to use from now on.
        new: Label,
        /// The labels, or prefixes of labels, to replace.
        old: Label,
    },
    /// `forall [i:R] {…}`.
    ForAll(Vec<Index>, Vec<Relabel>),
}
