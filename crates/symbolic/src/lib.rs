//! States: decision-diagram model checking over lattices.
//!
//! A modelling language builds a [`Model`]: variables over finite domains and Boolean
//! expressions over their bits. A [`Checker`] answers [`Specification`]s about it, with
//! evidence.

mod checker;
mod ctl;
mod diagrams;
mod evidence;
mod explain;
mod fixpoint;
mod ltl;
mod model;
mod path;
mod reach;
mod system;
mod trace;

pub use checker::{Checker, Direction, Outcome, Reachable, Refusal, Sanity, Specification};
pub use diagrams::Config;
pub use evidence::Certificate;
pub use explain::Showing;
pub use model::{
    Compassion, Domain, Expression, Kind, Model, Node, Valuation, Value, Variable, VariableId,
};
pub use trace::Trace;
