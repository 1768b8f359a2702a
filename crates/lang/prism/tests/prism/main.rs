//! The language end to end.

mod broken;
mod common;
mod evidence;
mod gallery;
mod jani;
mod limited;
mod linear;
mod sample;
mod values;
