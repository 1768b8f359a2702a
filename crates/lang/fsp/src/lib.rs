//! The FSP language of LTSA: text to labelled transition systems.

mod compile;
mod error;
mod evaluate;
mod lexer;
mod model;
mod parse;
mod print;
mod progress;
mod question;
mod safety;
pub mod syntax;
mod temporal;
mod token;
mod trace;
mod write;

pub use error::Error;
pub use model::{Compiled, Model, Options};
pub use parse::parse;
pub use question::Ask;
pub use temporal::AssertionCheck;
pub use trace::{Move, Replay, Step, Waiting};
pub use write::{write_assumption, write_process};
