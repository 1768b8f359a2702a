//! The PRISM language and JANI: Markov chains and decision processes, and properties of them.
//!
//! A text is read into trees (`syntax`), an instance puts constants, formulas and renamed
//! modules in place (`instance`), the engine builds and solves it (`check`), and evidence is
//! checked against a second, naive builder that shares nothing with the engine (`naive`,
//! `evidence`, `again`, `linear`).
//!
//! ```
//! use quotient_core::{Context, Source};
//! use quotient_language::{Ask, Input, Model, NoFiles, Settings};
//! let text = "dtmc module coin x:[0..2]; [] x=0 -> 0.5:(x'=1) + 0.5:(x'=2); endmodule";
//! let input = Input::text(&Source::new("coin.prism", text));
//! let cx = Context::default();
//! let settings = Settings::default();
//! let mut model = quotient_prism::LANGUAGE.open(&input, &mut NoFiles, &settings, &cx).unwrap();
//! let ask = Ask { properties: vec!["P=? [ F x=1 ]".into()], ..Ask::default() };
//! model
//!     .check(&ask, &cx, &mut |answer| {
//!         let value = answer.value.unwrap();
//!         assert!(value.lower <= 0.5 && 0.5 <= value.upper);
//!     })
//!     .unwrap();
//! ```

mod again;
mod at_once;
mod average;
mod beside;
mod check;
mod convert;
mod counted;
mod doubts;
mod evidence;
mod exact;
mod experiment;
mod explicit;
mod fractions;
mod gallery;
mod given;
mod instance;
mod jani;
mod limited;
mod limited_exact;
mod linear;
mod lines;
mod looked;
mod map;
mod misbuilt;
mod model;
mod naive;
mod opened;
mod partial;
mod parts;
mod product;
mod quantile;
mod sample;
mod show;
mod simulate;
mod stepped;
mod strategy;
mod syntax;
mod tabled;
mod together;

pub use explicit::EXPLICIT;
pub use jani::JANI;
pub use model::LANGUAGE;
