//! Circuits as plain data, and the files they come in.
//!
//! * [`Circuit`]: latches, inputs and gates as an and-inverter [`Graph`], with what is asked
//!   about it: bad states, invariant constraints, justice and fairness.
//! * [`aiger`], [`blif`]: circuits as files; [`aiger::witness`]: runs of circuits as files.
//! * [`wave`]: runs as files for wave viewers.
//! * [`words`]: word-level models (BTOR2), their evaluator, and their translation to bits.
//!
//! Both the engines and the independent checker of evidence use it: it decides nothing.

pub mod aiger;
pub mod blif;
mod circuit;
mod graph;
mod literal;
mod run;
pub mod wave;
pub mod words;

pub use circuit::{Circuit, Latch, State};
pub use graph::{Gate, Graph};
pub use literal::{Literal, Node};
pub use run::{Bits, Bound, CIRCUIT_BOUND, CIRCUIT_INVARIANT, CIRCUIT_RUN, Clause, Proof, Run};
