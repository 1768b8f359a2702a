//! Composite (parallel) processes.

use quotient_core::Span;

use super::{Call, Expression, Hiding, Index, Label, LabelSet, Name, Parameter, Relabel};

/// `||C(N=2) = body << {…} \ {…}.`
#[derive(Debug, Clone, PartialEq)]
pub struct Composite {
    /// `property`: determinise and complete with transitions to the error state.
    pub property: bool,
    /// `minimal`: minimise by weak (observation) equivalence.
    pub minimal: bool,
    /// `deterministic`: determinise and minimise, keeping the traces.
    pub deterministic: bool,
    /// `compose`: build the composition before it is used in another composite.
    pub compose: bool,
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// What is composed.
    pub body: CompositeBody,
    /// `<<{…}` or `>>{…}`.
    pub priority: Option<Priority>,
    /// `\{…}` or `@{…}`.
    pub hiding: Option<Hiding>,
    /// The definition.
    pub span: Span,
}

/// Which actions go first.
#[derive(Debug, Clone, PartialEq)]
pub enum Priority {
    /// `<<S`: these go before all others.
    High(LabelSet),
    /// `>>S`: these wait for all others.
    Low(LabelSet),
}

/// What a composite puts together.
#[derive(Debug, Clone, PartialEq)]
pub enum CompositeBody {
    /// `{a,b}::p:TERM/{…}`.
    Labelled {
        /// `{a,b}::` shares the processes: each action is open to every prefix.
        sharing: Option<Label>,
        /// `p:` puts a prefix before all labels; several prefixes make copies.
        prefix: Option<Label>,
        /// What is labelled.
        term: CompositeTerm,
        /// `/{…}`.
        relabels: Vec<Relabel>,
    },
    /// `forall [i:R] …`: one copy for each value.
    ForAll(Vec<Index>, Box<CompositeBody>),
    /// `if e then … else …`.
    If {
        /// The condition.
        condition: Expression,
        /// When it is not 0.
        then: Box<CompositeBody>,
        /// Otherwise; nothing when absent.
        otherwise: Option<Box<CompositeBody>>,
    },
}

/// One process or several in brackets.
#[derive(Debug, Clone, PartialEq)]
pub enum CompositeTerm {
    /// `P(1)`.
    Process(Call),
    /// `(… || …)`.
    Parallel(Vec<CompositeBody>),
}
