//! The language end to end.

mod broken;
mod common;
mod evidence;
mod gallery;
mod values;
