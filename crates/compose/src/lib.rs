//! Components: labelled transition systems and assume-guarantee reasoning.
//!
//! * [`Lts`]: one component, built with an [`LtsBuilder`] over the interned [`Actions`].
//! * [`System`]: components put together by composition, relabelling, hiding and priority,
//!   kept as an expression so that nothing is multiplied out before it has to be.
//! * [`aldebaran`]: the `.aut` file format.

// The helpers of the tests name the crate as its users do.
#[cfg(test)]
extern crate self as quotient_compose;

mod aggregate;
mod assume;
mod beginnings;
mod check;
#[cfg(test)]
#[path = "../tests/support/clubs.rs"]
mod clubs;
mod compare;
mod diagram;
mod doomed;
mod evidence;
mod explore;
mod graph;
mod lasso;
mod learn;
mod modal;
mod network;
pub mod operations;
mod product;
mod progress;
mod reduced;
mod runs;
mod stubborn;
#[cfg(test)]
#[path = "../tests/support/mod.rs"]
mod support;
mod symmetry;
mod temporal;
mod trace;

pub use assume::{
    Alphabet, Decomposition, Heuristic, Means, Proof, Rule, Start, Statistics, Strategy, prove,
};
pub use check::{Answer, Finding, Options, Report, Way, check, check_telling, safety_properties};
pub use compare::{Compared, Comparison, compare, modal_text};
pub use explore::{Exploration, Goals, Violation, explore, explore_deep, explore_reduced};
pub use lasso::Lasso;
pub use learn::Algorithm;
pub use modal::solve_modal;
pub use network::{Component, Happening, Interior, Network, Wait};
pub use progress::{ProgressAnswer, Starvation, check_progress};
pub use quotient_lts::{
    Action, Actions, ERROR, Edge, Equivalence, Fluent, Lts, LtsBuilder, Node, NodeId, Operation,
    Progress, Question, Relation, State, System, aldebaran,
};
pub use stubborn::Keep;
pub use symmetry::{Order, Symmetry, explore_alike};
pub use temporal::check_formula;
pub use trace::{Trace, replay};
