//! Texts of models and properties to trees.

mod expression;
mod model;
mod operators;
mod property;
mod tokens;
mod tree;
mod twice;

pub(crate) use expression::is_keyword;
pub(crate) use model::read_model;
pub(crate) use property::{read_properties, read_property};
pub(crate) use tokens::tokens;
pub(crate) use tree::*;
pub(crate) use twice::names_once;

use quotient_language::text::Cursor;
use tokens::Word;

/// A parser over the words of a text.
pub(crate) struct Parser<'a> {
    pub(crate) words: Cursor<'a, Word>,
    /// Whether operators of properties have their meaning.
    pub(crate) in_property: bool,
}
