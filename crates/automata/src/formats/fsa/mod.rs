//! FSA Utilities: an automaton or transducer as one Prolog term,
//! `fa(Sigma, Count, Starts, Finals, Transitions, Jumps).`

mod read;
mod tokens;
mod write;

pub(super) use read::read;
pub(super) use write::write;
