//! The engine for bits: circuits checked with SAT.
//!
//! [`never()`] asks whether a signal can ever be on: bounded search, induction and IC3 take
//! turns, each an instance of the one loop *approximate, check, refine*. Answers come with
//! evidence in the terms of the circuit that was given: clauses over its latches, or its inputs
//! step by step. [`never_each`] asks about several signals, [`not_forever`] about runs without end,
//! by way of [`never()`], and [`never_with_arrays`] about models in words whose arrays may be of any
//! size. [`telling`] has what languages of circuits say alike.

mod arrays;
mod arrays_forever;
mod bounded;
mod check;
mod equal;
mod groups;
mod ic3;
mod induction;
mod interpolation;
mod liveness;
mod local;
mod look;
mod reduce;
mod returning;
mod settled;
mod several;
mod solver;
mod sweep;
pub mod telling;
mod unroll;
mod walk;

pub use arrays::{ArrayFinding, never_with_arrays};
pub use arrays_forever::{ArrayLiveFinding, not_forever_with_arrays};
pub use check::{Finding, Options, Way, never};
pub use groups::{Groups, groups};
pub use liveness::{ComesBack, LiveFinding, not_forever};
pub use look::{longest_run, matters, no_state_shows, stuck_latches};
pub use returning::returning;
pub use several::never_each;
pub use solver::Solver;
#[cfg(feature = "cadical")]
pub use solver::cadical::Cadical;
pub use walk::Walk;

#[cfg(test)]
mod tests;
