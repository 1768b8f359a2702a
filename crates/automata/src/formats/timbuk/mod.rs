//! Timbuk: word automata written as tree automata, in the symbolic dialect of regular model
//! checkers (`in{…}`, `not_in{…}`, `P/Q`, `@P/@P`) and in the plain one of automata libraries.

mod label;
mod read;
mod sections;
mod write;

pub(super) use read::read;
pub(super) use write::write;

/// The words that begin the sections of a file.
const KEYWORDS: [&str; 5] = ["Ops", "Automaton", "States", "Final", "Transitions"];
