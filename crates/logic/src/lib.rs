//! Temporal formulas as data: CTL, LTL with past, CTL* as syntax, and queries.
//!
//! The atoms are a type parameter: an SMV expression, a fluent, a name. Modelling languages
//! parse their own atoms; everything temporal lives here.

mod formula;

pub use formula::{Binary, Formula, Interval, Kind, Placeholder, Unary};
