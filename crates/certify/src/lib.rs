//! The independent checker: believes no engine.
//!
//! It shares with the engines the readers of files and plain data, and nothing else. Its
//! algorithms are the simplest that do the job, so that they can be read in one sitting:
//! subset construction on the fly for inclusion, a table for single words, whole states one by
//! one for runs, and plain clauses for sets of states.

mod arrays;
mod averages;
mod chances;
mod circuits;
mod comparison;
mod components;
mod delayed;
mod envelope;
mod games;
mod modal;
mod recomputed;
mod sets;
mod states;
mod together;
mod trees;
mod words;

pub use quotient_core::{Certified, Rejection};

pub use arrays::{arrays_can_begin, certify_never, certify_run};
pub use averages::{Averages, certify_averages};
pub use chances::{Bounds, Chances, certify_bounds};
pub use circuits::{CIRCUIT_REFUTED, CircuitQuestion, Refuted, certify_circuit, circuit_can_begin};
pub use comparison::{Side, certify_comparison};
pub use components::{Violable, certify_components, multiplied_out, strongly_minimal, violable};
pub use delayed::recompute_delayed;
pub use envelope::check_envelope;
pub use games::certify_game;
pub use modal::certify_modal;
pub use recomputed::{Enclosed, Limited, Moment, recompute};
pub use states::StatesQuestion;
pub use together::{Paid, Pay, certify_ceiling, certify_way};
pub use trees::{TreeProblem, TreeStep, certify_trees};
pub use words::{WordProblem, certify_words};
