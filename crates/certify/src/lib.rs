//! The independent checker: believes no engine.
//!
//! It shares with the engines the readers of files and plain data, and nothing else. Its
//! algorithms are the simplest that do the job, so that they can be read in one sitting:
//! subset construction on the fly for inclusion, a table for single words, whole states one by
//! one for runs, and plain clauses for sets of states.
//!
//! What evidence is about is a feature each, all of them by default.

#[cfg(feature = "arrays")]
mod arrays;
#[cfg(feature = "chances")]
mod averages;
#[cfg(feature = "chances")]
mod chances;
#[cfg(feature = "circuits")]
mod circuits;
#[cfg(feature = "components")]
mod comparison;
#[cfg(feature = "components")]
mod components;
#[cfg(feature = "chances")]
mod delayed;
mod envelope;
#[cfg(feature = "games")]
mod games;
#[cfg(feature = "components")]
mod modal;
#[cfg(feature = "chances")]
mod recomputed;
#[cfg(any(feature = "games", feature = "words"))]
mod sets;
#[cfg(feature = "states")]
mod states;
#[cfg(feature = "chances")]
mod together;
#[cfg(feature = "trees")]
mod trees;
#[cfg(feature = "words")]
mod words;

pub use quotient_core::{Certified, Rejection};

#[cfg(feature = "arrays")]
pub use arrays::{arrays_can_begin, certify_never, certify_run};
#[cfg(feature = "chances")]
pub use averages::{Averages, certify_averages};
#[cfg(feature = "chances")]
pub use chances::{Bounds, Chances, certify_bounds};
#[cfg(feature = "circuits")]
pub use circuits::{CIRCUIT_REFUTED, CircuitQuestion, Refuted, certify_circuit, circuit_can_begin};
#[cfg(feature = "components")]
pub use comparison::{Side, certify_comparison};
#[cfg(feature = "components")]
pub use components::{Violable, certify_components, multiplied_out, strongly_minimal, violable};
#[cfg(feature = "chances")]
pub use delayed::recompute_delayed;
pub use envelope::check_envelope;
#[cfg(feature = "games")]
pub use games::certify_game;
#[cfg(feature = "components")]
pub use modal::certify_modal;
#[cfg(feature = "chances")]
pub use recomputed::{Enclosed, Limited, Moment, recompute};
#[cfg(feature = "states")]
pub use states::StatesQuestion;
#[cfg(feature = "chances")]
pub use together::{Paid, Pay, certify_ceiling, certify_ceiling_of_finite, certify_way};
#[cfg(feature = "trees")]
pub use trees::{TreeProblem, TreeStep, certify_trees};
#[cfg(feature = "words")]
pub use words::{WordProblem, certify_words};
