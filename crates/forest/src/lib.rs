//! Abstract regular tree model checking.
//!
//! Configurations are trees, sets of them tree automata, steps transducers or rewriting rules.
//! Image after image is taken, and states that are alike are merged, so that the sequence of
//! sets ends. Where the merged set meets what must not happen, the run is followed back exactly;
//! where it breaks, merging is made finer (Bouajjani, Habermehl, Rogalewicz, Vojnar 2006).
//!
//! ```
//! use quotient_core::{Context, Source};
//! use quotient_forest::{Found, Options, Step, System, check};
//! use quotient_trees::timbuk;
//! // One leaf of a tree has a token and hands it to its parent.
//! let text = "Ops t:0 n:0 T:2 N:2\n\
//!     Automaton Init States p q Final States q Transitions\n\
//!     n -> p N(p,p) -> p t -> q N(q,p) -> q N(p,q) -> q\n\
//!     Transducer up States p q r Final States r Transitions\n\
//!     n/n -> p N/N(p,p) -> p t/n -> q N/T(q,p) -> r N/T(p,q) -> r\n\
//!     N/N(r,p) -> r N/N(p,r) -> r\n\
//!     Automaton Bad States p q r Final States r Transitions\n\
//!     n -> p t -> q N(p,p) -> p N(q,p) -> q N(p,q) -> q T(p,p) -> q\n\
//!     N(q,q) -> r T(q,p) -> r T(p,q) -> r N(r,p) -> r N(p,r) -> r\n";
//! let file = timbuk::read(&Source::new("token.trees", text)).unwrap();
//! let system = System {
//!     initial: file.automata[0].automaton.clone(),
//!     steps: vec![("up".to_owned(), Step::Transducer(file.transducers[0].transducer.clone()))],
//!     equations: vec![],
//! };
//! let bad = &file.automata[1].automaton;
//! let answer = check(&system, bad, &Options::default(), &Context::default());
//! assert!(matches!(answer.found, Found::Invariant(_)));
//! ```

mod abstraction;
mod check;
mod completion;
mod learning;
mod method;
mod reached;
mod run;
mod system;

pub use abstraction::Abstraction;
pub use check::{Checked, Found, METHODS, Options, check};
pub use completion::Completing;
pub use learning::Learning;
pub use method::{Direction, Invariant, Search};
pub use run::Run;
pub use system::{Step, System};
