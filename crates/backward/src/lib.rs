//! Backward search with upward-closed sets, for any number of processes.
//!
//! ```
//! use quotient_arrays::*;
//! use quotient_backward::Backward;
//! use quotient_core::{Conclusion, Context, Span, run};
//! // One process at a time may take the only token: it is never taken twice.
//! let free = Place { variable: VariableId::new(0), at: vec![] };
//! let has = |process| Term::Cell(Place { variable: VariableId::new(1), at: vec![process] });
//! let (no, yes) = (Term::Constant(0), Term::Constant(1));
//! let is = |term, value: &Term| Formula::Compare(term, Relation::Same, value.clone());
//! let system = System {
//!     enumerations: vec![vec!["no".into(), "yes".into()]],
//!     variables: vec![
//!         Variable::array("free", 0, Domain::Enumeration(EnumerationId::new(0))),
//!         Variable::array("has", 1, Domain::Enumeration(EnumerationId::new(0))),
//!     ],
//!     start: Start {
//!         processes: 1,
//!         formula: Formula::And(vec![is(Term::Cell(free.clone()), &yes), is(has(0), &no)]),
//!     },
//!     bad: vec![Bad {
//!         name: "twice".into(),
//!         ways: vec![(2, Formula::And(vec![is(has(0), &yes), is(has(1), &yes)]))],
//!         span: Span::new(0, 0),
//!     }],
//!     transitions: vec![Transition {
//!         name: "take".into(),
//!         processes: 1,
//!         guard: is(Term::Cell(free.clone()), &yes),
//!         updates: vec![
//!             Update {
//!                 variable: VariableId::new(0),
//!                 cases: vec![(Formula::TRUE, Value::Is(no.clone()))],
//!             },
//!             Update {
//!                 variable: VariableId::new(1),
//!                 cases: vec![(is(Term::Process(1), &Term::Process(0)), Value::Is(yes.clone()))],
//!             },
//!         ],
//!         span: Span::new(0, 0),
//!     }],
//!     ..System::default()
//! };
//! let outcome = run(&mut Backward::new(&system, &system.bad[0]), &mut Context::default());
//! assert!(matches!(outcome.conclusion, Conclusion::Holds(_)));
//! ```

mod alternatives;
mod before;
mod choices;
mod cube;
mod fractions;
mod numbers;
mod quorums;
mod search;
mod slice;
mod small;
mod symmetry;
mod told;

pub use search::{Backward, Unreachable, WrongGuess};
pub use slice::Slice;
pub use small::{Run, all_beginnings, beginnings, taken};
