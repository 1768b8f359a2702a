//! The text of a protocol: words, tree, parser.

mod faults;
pub(crate) mod kinds;
pub(crate) mod lexer;
mod messages;
mod operators;
mod owners;
pub(crate) mod parser;
mod parser_properties;
mod parser_steps;
pub(crate) mod tree;
mod walk;
