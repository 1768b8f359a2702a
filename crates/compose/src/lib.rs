//! Components: labelled transition systems and assume-guarantee reasoning.
//!
//! * [`Lts`]: one component, built with an [`LtsBuilder`] over the interned [`Actions`].
//! * [`System`]: components put together by composition, relabelling, hiding and priority,
//!   kept as an expression so that nothing is multiplied out before it has to be.
//! * [`aldebaran`]: the `.aut` file format.

mod actions;
pub mod aldebaran;
mod assume;
mod check;
pub mod evidence;
mod explore;
mod graph;
mod lasso;
mod learn;
mod lts;
mod network;
pub mod operations;
mod product;
mod progress;
mod system;
pub mod tables;
mod temporal;
mod trace;

pub use actions::{Action, Actions};
pub use assume::{
    Alphabet, Decomposition, Heuristic, Means, Proof, Rule, Start, Statistics, Strategy, prove,
};
pub use check::{Answer, Finding, Options, Question, Report, Way, check};
pub use explore::{Exploration, Goals, Violation, explore};
pub use lasso::Lasso;
pub use learn::Algorithm;
pub use lts::{ERROR, Edge, Lts, LtsBuilder, State};
pub use network::{Component, Network};
pub use progress::{Progress, Starvation, check_progress};
pub use system::{Equivalence, Node, NodeId, Operation, System};
pub use temporal::{Fluent, check_formula};
pub use trace::{Trace, replay};
