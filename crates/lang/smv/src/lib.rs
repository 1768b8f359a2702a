//! The SMV language: text to symbolic models, traces back to source terms.
//!
//! The data takes one way: text → tree (`syntax`, `parse`) → flat program ([`Program`]: modules
//! inlined, names resolved, types checked) → what an engine works on.
//!
//! [`File::read`] is the door: it gives a program, or diagnostics that say what is wrong, where,
//! and what to do about it.

mod bits;
mod certify;
mod compile;
mod evaluate;
mod explicit;
mod file;
mod flatten;
mod language;
mod model;
mod parse;
mod print;
mod program;
mod psl;
mod run;
mod session;
mod shape;
mod syntax;

pub use certify::{RUN_KIND, RunEvidence};
pub use compile::Compiled;
pub use evaluate::{Problem, State};
pub use explicit::Explored;
pub use file::File;
pub use language::LANGUAGE;
pub use program::{
    Assignment, Bits, Distance, Domain, Element, Failure, FailureKind, Kind, Node, NodeId,
    Operator, Program, Saying, Special, Specification, SymbolId, Type, Value, Variable, VariableId,
    WIDEST, When,
};
pub use run::{Mismatch, Run, Shown, Step};
pub use session::{Answer, Doubt, Session};
pub use syntax::{Psl, Sequence, SpecificationKind};

/// Limits of the engine's decision diagrams, for [`Session::open`].
pub use quotient_symbolic::Config;
