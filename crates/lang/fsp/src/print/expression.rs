use std::fmt::{self, Display, Formatter};

use crate::syntax::{Expression, ExpressionKind, UnaryOperator};

impl Display for Expression {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ExpressionKind::Integer(value) => write!(f, "{value}"),
            ExpressionKind::Name(name) => f.write_str(&name.text),
            ExpressionKind::Label(label) => write!(f, "'{label}"),
            ExpressionKind::Size(label) => write!(f, "#{label}"),
            ExpressionKind::Element(label, position) => write!(f, "@({label}, {position})"),
            ExpressionKind::Unary(operator, operand) => {
                f.write_str(match operator {
                    UnaryOperator::Plus => "+",
                    UnaryOperator::Minus => "-",
                    UnaryOperator::Not => "!",
                })?;
                operand.fmt_inside(f, u8::MAX)
            }
            ExpressionKind::Binary(operator, left, right) => {
                let precedence = operator.precedence();
                left.fmt_inside(f, precedence)?;
                write!(f, " {} ", operator.symbol())?;
                right.fmt_inside(f, precedence + 1)
            }
        }
    }
}

impl Expression {
    /// In brackets if it binds weaker than what is around it.
    fn fmt_inside(&self, f: &mut Formatter<'_>, around: u8) -> fmt::Result {
        match &self.kind {
            ExpressionKind::Binary(operator, ..) if operator.precedence() < around => {
                write!(f, "({self})")
            }
            _ => write!(f, "{self}"),
        }
    }

    /// For places where only sums and products stand without brackets.
    pub(super) fn simple(&self) -> String {
        match &self.kind {
            ExpressionKind::Binary(operator, ..) if operator.precedence() < 9 => {
                format!("({self})")
            }
            _ => self.to_string(),
        }
    }
}
