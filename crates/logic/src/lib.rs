//! Temporal formulas as data: CTL, LTL with past, CTL* as syntax, HCTL, and queries.
//!
//! The atoms are a type parameter: an SMV expression, a fluent, a name. Modelling languages
//! parse their own atoms; everything temporal lives here.
//!
//! ```
//! use quotient_logic::{Fragment, parse_names};
//! use quotient_core::Source;
//! let source = Source::new("property", "AG (req -> AF ack)");
//! let formula = parse_names(&source).unwrap();
//! assert!(Fragment::of(&formula).ctl);
//! assert_eq!((!formula).negation_normal_form().to_string(), "EF (req & EG !ack)");
//! ```

mod automaton;
mod formula;
mod fragment;
mod hybrid;
mod normal;
mod occurrence;
mod parse;
mod print;
mod rewrite;
mod simplify;

pub use automaton::{Automaton, Transition};
pub use formula::{Binary, Formula, Interval, Kind, Placeholder, Unary};
pub use fragment::Fragment;
pub use hybrid::{Hybrid, Until};
pub use occurrence::{Occurrence, Polarity};
pub use parse::{MOST_NESTED, parse, parse_names};
