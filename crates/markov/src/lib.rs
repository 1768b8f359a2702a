//! Markov chains and decision processes as plain data.
//!
//! * [`Markov`]: a sparse model: states, choices, branches with weights, labels and rewards.
//!   Discrete chains, continuous chains and decision processes have one layout.
//! * [`Rational`] and the functions around it: exact numbers, and doubles that surely lie below
//!   or above them.
//! * [`explicit`] and [`drn`]: the file formats that this field exchanges.
//!
//! Nothing here computes a probability: that is for the engine and, independently of it, for the
//! checker of evidence.

pub mod drn;
pub mod explicit;
mod model;
mod rational;

pub use model::{ActionId, Builder, ChoiceId, Choices, Kind, Markov, Rewards, StateId, WeightId};
pub use rational::{
    NotAFraction, Rational, above, below, decimal, exactly, nearest, whole, written,
};
