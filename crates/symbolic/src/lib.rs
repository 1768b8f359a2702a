//! States: decision-diagram model checking over lattices.
//!
//! A modelling language builds a [`Model`]: variables over finite domains and Boolean
//! expressions over their bits. A [`Checker`] answers [`Specification`]s about it, with
//! evidence; it also tells which parts of a formula do not matter. A [`Query`] asks what would
//! make a formula true.

mod checker;
mod ctl;
mod diagrams;
mod evidence;
mod explain;
mod fixpoint;
mod hybrid;
mod ltl;
mod model;
mod path;
mod query;
mod reach;
mod system;
mod trace;
mod vacuity;

pub use checker::{
    Checker, Direction, Distance, Outcome, Quotient, Reachable, Refusal, Sanity, Specification,
};
pub use diagrams::Config;
pub use evidence::Certificate;
pub use explain::Showing;
pub use hybrid::{HybridOutcome, check_hybrid};
pub use model::{
    Compassion, Domain, Expression, Kind, Model, Node, Valuation, Value, Variable, VariableId,
};
pub use query::{
    Answer, AskOptions, GeneralAnswer, Initial, Observed, Query, Solution, Term, Unknown,
};
pub use trace::Trace;
pub use vacuity::{Part, Reason, VacuityReport};
