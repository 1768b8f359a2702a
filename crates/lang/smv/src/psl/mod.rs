//! Properties of PSL with sequences.
//!
//! * `automaton`: a sequence as a finite automaton over expressions;
//! * `monitor`: a property as an LTL formula over a program with additional variables;
//! * `lasso`: what a property says about one infinite run, by its plain meaning.

mod automaton;
mod lasso;
mod monitor;
#[cfg(test)]
mod tests;

pub(crate) use lasso::holds_on;
pub(crate) use monitor::{Watched, watch};
