//! Sets of finite trees, and relations between trees.
//!
//! A set is a bottom-up [`TreeAutomaton`], a step a linear [`Transducer`] or a [`RewriteSystem`];
//! [`timbuk`] reads and writes them. Every operation that can take long polls a
//! [`Budget`](quotient_core::Budget).
//!
//! ```
//! use quotient_core::{Budget, Source};
//! use quotient_trees::{Inclusion, inclusion, timbuk};
//! let text = "Ops a:0 b:0 f:2\n\
//!             Automaton A States q Final States q Transitions a -> q f(q,q) -> q\n\
//!             Automaton B States q Final States q Transitions a -> q b -> q f(q,q) -> q\n";
//! let file = timbuk::read(&Source::new("two.tmb", text)).unwrap();
//! let (a, b) = (&file.automata[0].automaton, &file.automata[1].automaton);
//! let budget = Budget::unlimited();
//! assert_eq!(inclusion(a, b, &budget), Ok(Inclusion::Included));
//! let Ok(Inclusion::Not(tree)) = inclusion(b, a, &budget) else { panic!("b is in B only") };
//! assert_eq!(tree.text(b.alphabet()), "b");
//! ```

mod alphabet;
mod automaton;
mod boolean;
mod build;
mod catalogue;
mod completion;
mod determinise;
pub mod evidence;
mod ids;
mod inclusion;
mod instances;
mod language;
mod minimise;
mod picture;
mod reduce;
mod rewriting;
mod simulation;
mod term;
pub mod timbuk;
mod transducer;
mod tree;
mod trim;

pub use alphabet::Alphabet;
pub use automaton::{Rule, TreeAutomaton};
pub use boolean::{complement, intersection, meeting, union};
pub use catalogue::{OPERATIONS, Operation, Outcome};
pub use completion::Completion;
pub use determinise::determinise;
pub use ids::{State, Symbol};
pub use inclusion::{Inclusion, equivalence, inclusion, universality};
pub use minimise::minimise;
pub use picture::{picture_of_automaton, picture_of_run, picture_of_tree};
pub use reduce::reduce;
pub use rewriting::{Equation, RewriteRule, RewriteSystem, merge_by_equations};
pub use simulation::Relation;
pub use term::{Piece, Term};
pub use transducer::{Transducer, TransducerRule};
pub use tree::{Node, Tree};
