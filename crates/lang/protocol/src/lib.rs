//! The protocol language: one process and how it sees the others, for any number of them.

mod arrays;
mod check;
mod compile;
mod describe;
mod fewer;
mod fractions;
mod interpret;
mod layout;
mod model;
mod progress;
#[cfg(test)]
#[path = "../tests/random/mod.rs"]
mod random;
mod resolve;
mod seam;
mod syntax;
mod trace;
mod trees;

pub use check::{Answered, Report};
pub use compile::Compiled;
pub use describe::{Class, ControlEdge, ControlFlow, InWords, Location, Move, NeverTaken};
pub use interpret::{Configuration, Explored, Interpreter, Repeating, Replayed, Taken, Violation};
pub use model::{ChannelKind, Protocol, Topology};
pub use seam::LANGUAGE;
pub use trace::{Cell, Contents, Item, Repeats, Row, Trace, Unable};
