//! The engine for bits: circuits checked with SAT.

mod solver;

pub use solver::Solver;
