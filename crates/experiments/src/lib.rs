//! Experiments of the literature, to measure the engines with.
//!
//! * [`models`]: problems about words, written as rules; the source of the gallery of words.
//! * [`thesis`]: the tables of Chalk (2018), run on them.
//! * [`components`]: the tables of Bobaru (2009) about assumptions, run on models of components.

pub mod components;
pub mod models;
pub mod thesis;
