//! The operations on automata, one a file. Each file adds the methods of its operation to
//! [`Nfa`](crate::Nfa), [`Dfa`](crate::Dfa) or both.

mod boolean;
mod canonical;
mod complement;
mod concatenation;
mod determinize;
mod emptiness;
mod epsilon;
mod equivalence;
mod inclusion;
mod intersection;
mod intersects;
pub(crate) mod lists;
mod membership;
mod merge;
mod minimize;
mod question;
mod quotient;
mod race;
mod reduce;
mod residual;
mod retarget;
mod reverse;
mod sets;
mod simulation;
mod star;
mod state_languages;
mod subsets;
mod successors;
mod tiny;
mod trim;
mod union;
mod universality;
mod words;

pub use canonical::Canonical;
pub use simulation::Simulation;
pub use words::Words;
