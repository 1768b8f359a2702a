//! What a protocol and its automata say, in the words of the source.

mod conditions;
mod control;
mod cover;
mod never;
mod phrases;
mod set;

pub use control::{ControlEdge, ControlFlow, Location};
pub use never::NeverTaken;
pub use set::{Class, InWords, Move};
