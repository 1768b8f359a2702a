//! The text of a model as a tree, before names and types mean anything.
//!
//! * `token`: the text as tokens;
//! * `tree`: modules and declarations;
//! * `expression`: expressions, in an arena.

mod expression;
mod token;
mod tree;

pub(crate) use expression::{
    BinaryOperator, Builtin, Expressions, List, Syntax, SyntaxId, Temporal, UnaryOperator,
    WordConstant,
};
pub(crate) use token::{Lexeme, Token, tokens};
pub use tree::SpecificationKind;
pub(crate) use tree::{
    Assignment, AssignmentKind, Declaration, Define, Instance, Module, Name, NameId, Names,
    Skipped, Specification, Tree, TypeSyntax, VariableDeclaration, VariableKind,
};
