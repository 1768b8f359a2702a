//! The text of a protocol: words, tree, parser.

pub(crate) mod faults;
pub(crate) mod kinds;
pub(crate) mod lexer;
mod mailboxes;
mod messages;
pub(crate) mod operators;
mod owners;
pub(crate) mod parser;
pub(crate) mod parser_properties;
mod parser_steps;
mod people;
mod rounds;
mod sending;
pub(crate) mod tree;
mod walk;
