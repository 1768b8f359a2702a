//! The protocol language: one process and how it sees the others, for any number of them.

mod compile;
mod describe;
mod interpret;
mod model;
mod problem;
mod resolve;
mod syntax;
mod trace;

pub use compile::{CompileError, Compiled, Liveness};
pub use describe::{Class, ControlEdge, ControlFlow, InWords, Location, Move, NeverTaken};
pub use interpret::{Configuration, Explored, Interpreter, Taken, Violation};
pub use model::{ChannelKind, Protocol, Topology};
pub use trace::{Cell, Contents, Item, Row, Trace};
