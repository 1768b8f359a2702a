//! The text of a model as a tree, before names and types mean anything.
//!
//! * `token`: the text as tokens;
//! * `tree`: modules and declarations;
//! * `expression`: expressions, in an arena;
//! * `psl`: properties of PSL.

mod expression;
mod psl;
mod token;
mod tree;

pub(crate) use expression::{
    BinaryOperator, Builtin, Expressions, List, Syntax, SyntaxId, Temporal, UnaryOperator,
    WordConstant,
};
pub use psl::{Psl, Sequence};
pub(crate) use token::{Lexeme, Token, tokens};
pub use tree::SpecificationKind;
pub(crate) use tree::{
    Assignment, AssignmentKind, Compute, Declaration, Define, HybridSpecification, Instance,
    Module, Name, NameId, Names, PslSpecification, Skipped, Specification, Tree, TypeSyntax,
    VariableDeclaration, VariableKind,
};
