//! The languages: random models, other ways to an answer, naive judges.

pub(crate) mod aiger;
pub(crate) mod bsp;
pub(crate) mod btor2;
pub(crate) mod cubicle;
pub(crate) mod fsp;
pub(crate) mod gallery;
mod machine;
pub(crate) mod net;
pub(crate) mod network;
pub(crate) mod prism;
pub(crate) mod promela;
pub(crate) mod protocol;
pub(crate) mod smv;
pub(crate) mod turing;
pub(crate) mod words;
pub(crate) mod zsyntax;
