//! Pieces to write a parser with: spans, recovery, a limit on depth.
//!
//! A lexer walks a text with a [`Scanner`] and gives [`Token`]s; a recursive-descent parser
//! walks the tokens with a [`Cursor`], which knows what to say where something else was
//! expected, collects mistakes so that all are told in one run, and refuses texts that nest
//! too deeply for the stack.

mod cursor;
mod scanner;
mod wrap;

pub use cursor::{Cursor, Parsed, Token, TokenKind};
pub use scanner::{Comments, Scanner};
pub use wrap::{count, wrap, wrap_indented};
