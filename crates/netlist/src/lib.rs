//! Circuits as plain data, and the files they come in.
//!
//! * [`Circuit`]: latches, inputs and gates as an and-inverter [`Graph`], with what is asked
//!   about it: bad states, invariant constraints, justice and fairness.
//! * [`aiger`]: circuits as files; [`aiger::witness`]: runs of circuits as files.
//!
//! Both the engines and the independent checker of evidence use it: it decides nothing.

pub mod aiger;
mod circuit;
mod graph;
mod literal;

pub use circuit::{Circuit, Latch, State};
pub use graph::{Gate, Graph};
pub use literal::{Literal, Node};
