//! The soak: random models of every language, for hours.
//!
//! A trial ([`trial`]) takes one model through all methods of its language, complete searches of
//! instances, a random run and a naive judge, and compares what they say; has every piece of
//! evidence certified; forges it; and changes bytes of files. A [`soak`] makes trials until its
//! time is over, in processes of their own, so that one that dies or hangs is a find like any
//! other; what it finds is made small ([`minimise`]) and kept.
//!
//! Every registered language takes part: with an entry in the table [`KINDS`] by random models of
//! its own, without one by changed texts of its gallery.

mod dice;
mod forging;
mod kind;
mod kinds;
mod minimise;
mod mutate;
mod run;
mod sample;
mod tally;
mod trial;

pub use dice::Dice;
pub use kind::{Instance, KINDS, Kind, Truth, generate, kind_of};
pub use minimise::minimise;
pub use run::{Plan, again, soak, work};
pub use sample::{Given, Sample};
pub use tally::{Class, Find, Summary, Tally};
pub use trial::{Limits, Outcome, trial};
