//! Experiments of the literature, to measure the engines with.
//!
//! * [`models`]: problems about words, written as rules; the source of the gallery of words.
//! * [`thesis`]: the tables of Chalk (2018), run on them.

pub mod models;
pub mod thesis;
