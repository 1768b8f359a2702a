//! The language end to end.

mod common;
mod evidence;
mod gallery;
mod values;
