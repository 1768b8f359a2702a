//! Labelled transition systems as plain data: what front ends make, engines check and the
//! independent checker reads.
//!
//! * [`Lts`]: one component, built with an [`LtsBuilder`] over the interned [`Actions`].
//! * [`System`]: components put together by composition, relabelling, hiding and priority,
//!   kept as an expression so that nothing is multiplied out before it has to be.
//! * [`Question`]: what can be asked about a system.
//! * [`aldebaran`]: the `.aut` file format.
//! * [`evidence`]: verdicts in a form that others can check.

mod actions;
pub mod aldebaran;
pub mod evidence;
mod lts;
pub mod modal;
mod picture;
mod question;
mod relation;
mod state;
mod structure;
mod system;

pub use actions::{Action, Actions};
pub use lts::{Edge, Lts, LtsBuilder};
pub use picture::component_picture;
pub use question::{Fluent, Progress, Question};
pub use relation::Relation;
pub use state::{ERROR, State};
pub use structure::{Part, Tie, structure_picture};
pub use system::{Equivalence, Node, NodeId, Operation, Origin, StateNames, System, renamings};
