//! The operations on automata, one a file. Each file adds the methods of its operation to
//! [`Nfa`](crate::Nfa), [`Dfa`](crate::Dfa) or both.

mod boolean;
mod canonical;
mod complement;
mod determinize;
mod emptiness;
mod epsilon;
mod intersection;
mod membership;
mod minimize;
mod quotient;
mod retarget;
mod reverse;
mod subsets;
mod successors;
mod trim;
mod union;

pub use canonical::Canonical;
