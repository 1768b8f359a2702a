//! The PRISM language.

mod check;
mod instance;
mod model;
mod syntax;

pub use model::LANGUAGE;
