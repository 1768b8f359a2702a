//! JSON problems: an alphabet, an initial automaton, a transducer over letters `"[a,b]"`, and
//! properties by name, each an automaton of its bad words.

mod letters;
mod pattern;
mod read;
mod value;
mod write;

pub(super) use read::read;
pub(super) use write::write;
