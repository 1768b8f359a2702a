//! Symbolic finite automata and transducers over interned alphabets of any size.
//!
//! * [`Alphabet`], [`Letter`], [`Predicate`]: names become dense numbers, sets of letters
//!   become bit sets; one edge stands for many letters.
//! * [`Nfa`]: nondeterministic automata with ε-moves and several initial states.
//! * [`Dfa`]: deterministic automata on a dense table over [`Minterms`].
//! * [`Canonical`]: minimal deterministic automata, equal if and only if their languages are.
//! * [`Expression`]: regular expressions, to and from automata.
//! * [`catalogue`]: all that can be done with them, as data for front ends.
//! * [`formats`]: reading and writing all of them as files.
//! * [`facts`], [`pictures`], [`exhibits`]: what to tell about them, graphs to draw, and both as
//!   files beside an answer.
//! * [`Transducer`], [`Relation`]: letter-to-letter steps, insertions, deletions and copies.
//! * [`game`]: games of two players about words.
//! * [`Problem`]: whether steps lead from an initial word to a bad one; [`liveness`]: questions
//!   about progress as such problems.

mod alphabet;
pub mod catalogue;
mod class_nfa;
mod dfa;
pub mod evidence;
pub mod exhibits;
mod expression;
pub mod facts;
pub mod formats;
pub mod game;
mod graph;
pub mod liveness;
mod minterms;
mod nfa;
mod operations;
pub mod pictures;
mod predicate;
mod problem;
mod relation;
mod step;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod transducer;
mod vectors;

pub use alphabet::{Alphabet, AlphabetError, Letter, Word};
pub use dfa::Dfa;
pub use expression::Expression;
pub use graph::{Edge, Graph, GraphBuilder, State};
pub use minterms::Minterms;
pub use nfa::{Nfa, NfaBuilder};
pub use operations::{Canonical, Simulation, Words};
pub use predicate::Predicate;
pub use problem::{Problem, ProblemError, Property};
pub use relation::Relation;
pub use step::Step;
pub use transducer::{Label, Transducer, TransducerBuilder};
