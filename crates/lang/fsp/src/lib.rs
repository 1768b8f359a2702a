//! The FSP language of LTSA: text to labelled transition systems, and findings back to text.
//!
//! A [`Model`] is a text that has been read. [`Model::compile`] makes a [`Compiled`] system of
//! it: components and what is done with them, nothing multiplied out. [`Model::question`] puts
//! into the engine's terms what is asked of it, and [`Teller`] and [`write_assumption`]
//! say in words of the text what the engine has found.
//!
//! ```
//! use quotient_compose::{Finding, check};
//! use quotient_core::{Context, Source};
//! use quotient_fsp::{Ask, Model, Options, Teller};
//!
//! let text = "FORK = (get -> put -> FORK).
//!             PHIL = (right.get -> left.get -> eat -> right.put -> left.put -> PHIL).
//!             ||TABLE = (p[0..1]:PHIL
//!                       || {p[0].left, p[1].right}::FORK || {p[1].left, p[0].right}::FORK).";
//! let model = Model::read(&Source::new("table.lts", text)).unwrap();
//! let (options, cx) = (Options::default(), Context::default());
//! let mut compiled = model.compile(&options, &cx.budget).unwrap();
//! let question = model.question(&Ask::Safety, &options, &mut compiled, &cx.budget).unwrap();
//! let how = quotient_compose::Options::default();
//! let report = check(&compiled.system, &question, &how, &cx).unwrap();
//! let Finding::Trace(trace) = &report.answers[0].finding else {
//!     panic!("they cannot both eat");
//! };
//! let teller = Teller::new(&report.network, &cx.budget).unwrap();
//! let told = teller.tell(&trace.initial, &trace.steps);
//! assert_eq!(told.steps.len(), 2);
//! assert_eq!(told.end[0].component, "p.0:PHIL");
//! assert_eq!(told.end[0].waits[0].action, "p.0.left.get");
//! ```

mod animation;
mod compile;
mod evaluate;
mod lexer;
mod model;
mod names;
mod parse;
mod print;
mod progress;
mod question;
mod safety;
mod seam;
mod structure;
pub mod syntax;
mod temporal;
mod token;
mod trace;
mod write;

pub use animation::{Animation, Choice, Status};
pub use model::{Compiled, Model, Options};
pub use names::{plain_label, short_names};
pub use parse::parse;
pub use question::Ask;
pub(crate) use quotient_core::Trouble;
pub use seam::LANGUAGE;
pub use structure::{Member, Shared, Structure};
pub use temporal::AssertionCheck;
pub use trace::{Move, Replay, Step, Teller, Waiting};
pub use write::{write_assumption, write_labels, write_process};
