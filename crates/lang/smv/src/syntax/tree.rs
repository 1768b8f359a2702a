//! Modules and their declarations as they are written.

use quotient_core::{Source, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Expressions, Psl, SyntaxId};

/// A name as a number: equal names have equal numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct NameId(u32);

/// All names of a file.
#[derive(Debug, Clone, Default)]
pub(crate) struct Names {
    texts: Vec<String>,
    known: FxHashMap<String, NameId>,
    /// Names with dots or indices that are declared as they are.
    dotted: FxHashSet<String>,
}

impl Names {
    pub(crate) fn intern(&mut self, text: &str) -> NameId {
        if let Some(&id) = self.known.get(text) {
            return id;
        }
        let id = NameId(self.texts.len() as u32);
        self.texts.push(text.to_owned());
        self.known.insert(text.to_owned(), id);
        id
    }

    pub(crate) fn find(&self, text: &str) -> Option<NameId> {
        self.known.get(text).copied()
    }

    pub(crate) fn declare_dotted(&mut self, text: String) {
        self.dotted.insert(text);
    }

    pub(crate) fn is_dotted(&self, text: &str) -> bool {
        self.dotted.contains(text)
    }

    pub(crate) fn text(&self, id: NameId) -> &str {
        &self.texts[id.0 as usize]
    }
}

/// A name and where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Name {
    pub(crate) id: NameId,
    pub(crate) span: Span,
}

/// A file.
#[derive(Debug, Clone)]
pub(crate) struct Tree {
    pub(crate) source: Source,
    pub(crate) names: Names,
    pub(crate) expressions: Expressions,
    pub(crate) modules: Vec<Module>,
}

#[derive(Debug, Clone)]
pub(crate) struct Module {
    pub(crate) name: Name,
    pub(crate) parameters: Vec<Name>,
    pub(crate) declarations: Vec<Declaration>,
}

#[derive(Debug, Clone)]
pub(crate) enum Declaration {
    Variable(VariableDeclaration),
    Define(Define),
    Constants(Vec<Name>),
    Assignment(Assignment),
    Init(SyntaxId),
    Invariant(SyntaxId),
    Transition(SyntaxId),
    Justice(SyntaxId),
    Compassion(SyntaxId, SyntaxId),
    Isa(Name),
    Specification(Specification),
    Property(PslSpecification),
    Hybrid(HybridSpecification),
    Compute(Compute),
    Skipped(Skipped),
}

#[derive(Debug, Clone)]
pub(crate) struct VariableDeclaration {
    pub(crate) kind: VariableKind,
    pub(crate) name: Name,
    pub(crate) type_syntax: TypeSyntax,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum VariableKind {
    State,
    Input,
    Frozen,
}

#[derive(Debug, Clone)]
pub(crate) enum TypeSyntax {
    Boolean,
    /// Names and numbers, in the order written.
    Enumeration(Vec<SyntaxId>, Span),
    Range(SyntaxId, SyntaxId),
    Word {
        signed: bool,
        width: SyntaxId,
    },
    Array(SyntaxId, SyntaxId, Box<TypeSyntax>),
    Instance(Instance),
}

/// `process module(arguments)`.
#[derive(Debug, Clone)]
pub(crate) struct Instance {
    pub(crate) process: bool,
    pub(crate) module: Name,
    pub(crate) arguments: Vec<SyntaxId>,
}

/// `name := body`; the name may be that of another instance (`left.ack`).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Define {
    pub(crate) target: SyntaxId,
    pub(crate) body: SyntaxId,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Assignment {
    pub(crate) kind: AssignmentKind,
    pub(crate) target: SyntaxId,
    pub(crate) value: SyntaxId,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum AssignmentKind {
    Init,
    Next,
    Invariant,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Specification {
    pub(crate) kind: SpecificationKind,
    pub(crate) name: Option<Name>,
    pub(crate) formula: SyntaxId,
    /// `IN instance`: where the names of the formula are looked up.
    pub(crate) context: Option<SyntaxId>,
}

/// `PSLSPEC`.
#[derive(Debug, Clone)]
pub(crate) struct PslSpecification {
    pub(crate) name: Option<Name>,
    pub(crate) property: Psl<SyntaxId>,
    pub(crate) context: Option<SyntaxId>,
    pub(crate) span: Span,
}

/// `HCTLSPEC`.
#[derive(Debug, Clone)]
pub(crate) struct HybridSpecification {
    pub(crate) name: Option<Name>,
    pub(crate) formula: quotient_logic::Hybrid<SyntaxId>,
    pub(crate) context: Option<SyntaxId>,
    pub(crate) span: Span,
}

/// `COMPUTE MIN [start, goal]` or `COMPUTE MAX [start, goal]`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Compute {
    pub(crate) name: Option<Name>,
    pub(crate) longest: bool,
    pub(crate) start: SyntaxId,
    pub(crate) goal: SyntaxId,
    pub(crate) context: Option<SyntaxId>,
    pub(crate) span: Span,
}

/// A specification that is not read.
#[derive(Debug, Clone)]
pub(crate) struct Skipped {
    pub(crate) keyword: Span,
    pub(crate) name: Option<Name>,
    pub(crate) body: Span,
    pub(crate) why: String,
}

/// How a specification was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SpecificationKind {
    /// `CTLSPEC` or `SPEC`.
    Ctl,
    /// `LTLSPEC`.
    Ltl,
    /// `INVARSPEC`: in every reachable state.
    Invariant,
}
