//! Integer expressions, which may also stand for labels.

use quotient_core::Span;

use super::{Label, Name};

/// An expression with the place where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Expression {
    /// What it says.
    pub kind: ExpressionKind,
    /// Where it stands.
    pub span: Span,
}

/// What an expression says.
#[derive(Debug, Clone, PartialEq)]
pub enum ExpressionKind {
    /// A number.
    Integer(i32),
    /// A variable bound by an index (lower case), or a constant or parameter (upper case).
    Name(Name),
    /// `'a.b`: a label as a value.
    Label(Label),
    /// `#S`: the number of labels in a set.
    Size(Label),
    /// `@(S, e)`: a label of a set by its position from 0.
    Element(Label, Box<Expression>),
    /// One operand.
    Unary(UnaryOperator, Box<Expression>),
    /// Two operands.
    Binary(BinaryOperator, Box<Expression>, Box<Expression>),
}

/// Operators with one operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnaryOperator {
    /// `+e`.
    Plus,
    /// `-e`.
    Minus,
    /// `!e`: 1 unless `e` is positive.
    Not,
}

/// Operators with two operands, as in C; comparisons give 0 or 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are those of the course books")]
pub enum BinaryOperator {
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    ShiftLeft,
    ShiftRight,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

impl BinaryOperator {
    /// How strongly it binds; larger is stronger.
    pub fn precedence(self) -> u8 {
        use BinaryOperator::*;
        match self {
            Or => 1,
            And => 2,
            BitOr => 3,
            BitXor => 4,
            BitAnd => 5,
            Equal | NotEqual => 6,
            Less | LessOrEqual | Greater | GreaterOrEqual => 7,
            ShiftLeft | ShiftRight => 8,
            Add | Subtract => 9,
            Multiply | Divide | Remainder => 10,
        }
    }

    /// As it is written.
    pub fn symbol(self) -> &'static str {
        use BinaryOperator::*;
        match self {
            Or => "||",
            And => "&&",
            BitOr => "|",
            BitXor => "^",
            BitAnd => "&",
            Equal => "==",
            NotEqual => "!=",
            Less => "<",
            LessOrEqual => "<=",
            Greater => ">",
            GreaterOrEqual => ">=",
            ShiftLeft => "<<",
            ShiftRight => ">>",
            Add => "+",
            Subtract => "-",
            Multiply => "*",
            Divide => "/",
            Remainder => "%",
        }
    }
}
