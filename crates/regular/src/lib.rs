//! Words: abstract regular model checking.
//!
//! Configurations are words, sets of them automata, a step a transducer. The question is
//! whether some bad configuration can be reached, whatever the length of the words.
//!
//! * [`Problem`]: the question; [`System`]: the question made ready for the methods.
//! * [`Configuration`]: one way to answer it, readable and writable as text.
//! * [`check`]: the answer without configuration, with evidence and doubts.
//! * [`telling`]: answers as languages give them.
//! * [`Armc`]: the method that abstracts after every step and refines after false alarms;
//!   [`Learner`]: the method that learns an invariant.

mod abstraction;
mod armc;
mod check;
mod configuration;
mod doubt;
mod exact;
mod identity;
mod images;
mod learner;
mod proof;
mod rules;
mod run;
mod system;
pub mod telling;

pub use armc::{Armc, ArmcLimits, FalseAlarm, Round};
pub use check::{Answer, Found, Options, Report, check};
pub use configuration::{
    Abstraction, Amount, Bound, Configuration, Direction, InitialPredicates, Languages, Measure,
    Refinement, Traces, all_methods,
};
pub use doubt::Doubt;
pub use identity::Identity;
pub use learner::Learner;
pub use proof::Proof;
pub use quotient_automata::liveness::{
    Fairness, LivenessError, communal_liveness, in_place, individual_liveness,
};
pub use quotient_automata::{Problem, ProblemError, Property};
pub use rules::{Change, Part, Rules};
pub use run::Run;
pub use system::{Set, System};
