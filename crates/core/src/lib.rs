//! The ground that every engine of Quotient stands on.
//!
//! * [`Verdict`], [`Stop`] and [`Evidence`]: what a user gets.
//! * [`Budget`]: how long and how much an engine may work, cheap to poll from any loop.
//! * [`Story`]: what happened on the way, for people and for programs.
//! * [`Method`], [`run`] and [`Portfolio`]: *approximate, check, refine*, the only loop there is.
//! * [`Shares`]: how much work each turn gets where methods take turns.
//! * [`Diagnostic`], [`Source`] and [`Span`]: what is wrong with an input, and where;
//!   [`Trouble`]: the one error of all that reads.
//! * [`Certified`] and [`Rejection`]: what an independent look at evidence gives.

mod budget;
mod certified;
mod diagnostic;
mod evidence;
mod method;
mod portfolio;
mod shares;
mod story;
mod suggest;
mod trouble;
mod verdict;

pub use budget::Budget;
pub use certified::{Certified, Rejection};
pub use diagnostic::{Diagnostic, Label, Severity, Source, Span};
pub use evidence::{Claim, Evidence};
pub use method::{Attempt, Conclusion, Context, Limits, Method, Outcome, run};
pub use portfolio::{Entry, Portfolio, Race, TieBreak};
pub use shares::Shares;
pub use story::{Event, JsonLines, LogLines, Recorder, Sink, Sizes, Story, What};
pub use suggest::nearest;
pub use trouble::Trouble;
pub use verdict::{Stop, Verdict};
