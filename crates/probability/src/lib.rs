//! Chances: Markov chains and decision processes, with sound bounds.
//!
//! * [`Program`]: guarded commands over bounded variables; [`build`] makes the sparse model of
//!   all states that can be reached, from as many initial states as there are.
//! * [`Analysis`]: probabilities and expected rewards of a sparse model, each between a lower and
//!   an upper bound that are sound.

mod analysis;
mod average;
mod bisimulation;
mod build;
mod code;
mod conditional;
mod counters;
mod delays;
mod direct;
mod earning;
mod expression;
mod gain;
mod graph;
mod index;
mod krylov;
mod likeliest;
mod limit;
mod linear;
mod longrun;
mod misbuilt;
mod number;
mod partial;
mod paths;
mod program;
mod series;
mod settled;
mod several;
mod solve;
mod starts;
mod states;
mod steps;
mod temporal;
mod time;

pub use analysis::{Analysis, Best, Values};
pub use bisimulation::Bisimulation;
pub use build::{Built, build, build_together};
pub use counters::Limit;
pub use expression::{Expression, Function, Operator};
pub use likeliest::Likely;
pub use limit::Ending;
pub use longrun::Averages;
pub use misbuilt::{Misbuilt, Undefined};
pub use partial::{Looked, Partial, Reaching, Settles};
pub use program::{Command, Earning, Earns, Event, Program, Starts, Update, Variable};
pub use several::{Attained, Ceiling, Objective, Shown, Way};
pub use solve::Precision;
pub use states::States;
pub use temporal::Temporal;
