//! Finite-state machines as text: `source target input [output] [weight]`, one edge a line, as
//! the AT&T library and OpenFst print them.

mod read;
mod symbols;
mod write;

pub(super) use read::read;
pub(super) use write::write;

/// The names of ε in symbol tables and in machines printed with one.
const EPSILONS: [&str; 4] = ["<eps>", "<epsilon>", "ε", "<EPS>"];
