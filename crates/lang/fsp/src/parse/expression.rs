//! Expressions, with the operators and the precedence of C.

use super::{Parsed, Parser};
use crate::syntax::{BinaryOperator, Expression, ExpressionKind, UnaryOperator};
use crate::token::Kind;

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Parsed<Expression> {
        self.counted(|parser| parser.binary(BinaryOperator::Or.precedence()))
    }

    /// An expression without comparison and logic outside brackets, as after `const N =`:
    /// a `||` there begins the next definition.
    pub(super) fn simple_expression(&mut self) -> Parsed<Expression> {
        self.counted(|parser| parser.binary(BinaryOperator::Add.precedence()))
    }

    fn binary(&mut self, weakest: u8) -> Parsed<Expression> {
        let mut left = self.unary()?;
        while let Some(operator) = binary_operator(self.kind()) {
            let precedence = operator.precedence();
            if precedence < weakest {
                break;
            }
            self.advance();
            self.operator()?;
            let right = self.nested(|parser| parser.binary(precedence + 1))?;
            let span = left.span.to(right.span);
            left = Expression {
                kind: ExpressionKind::Binary(operator, Box::new(left), Box::new(right)),
                span,
            };
        }
        Ok(left)
    }

    fn unary(&mut self) -> Parsed<Expression> {
        let start = self.token().span;
        let operator = match self.kind() {
            Kind::Plus => UnaryOperator::Plus,
            Kind::Minus => UnaryOperator::Minus,
            Kind::Not => UnaryOperator::Not,
            _ => return self.primary(),
        };
        self.advance();
        let operand = self.nested(Parser::unary)?;
        let span = start.to(operand.span);
        Ok(Expression {
            kind: ExpressionKind::Unary(operator, Box::new(operand)),
            span,
        })
    }

    fn primary(&mut self) -> Parsed<Expression> {
        let token = self.token();
        let kind = match token.kind {
            Kind::Integer(value) => {
                self.advance();
                ExpressionKind::Integer(value)
            }
            Kind::Lower | Kind::Upper => {
                self.advance();
                ExpressionKind::Name(self.name(token))
            }
            Kind::LeftRound => {
                self.advance();
                let mut inner = self.nested(Parser::expression)?;
                self.expect(Kind::RightRound, "`)`")?;
                inner.span = self.since(token.span.start);
                return Ok(inner);
            }
            Kind::Quote => {
                self.advance();
                ExpressionKind::Label(self.nested(Parser::label)?)
            }
            Kind::Hash => {
                self.advance();
                ExpressionKind::Size(self.nested(Parser::label)?)
            }
            Kind::At => {
                self.advance();
                self.expect(Kind::LeftRound, "`(`")?;
                let set = self.nested(Parser::label)?;
                self.expect(Kind::Comma, "`,`")?;
                let position = self.nested(Parser::expression)?;
                self.expect(Kind::RightRound, "`)`")?;
                ExpressionKind::Element(set, Box::new(position))
            }
            _ => return Err(self.unexpected("an expression")),
        };
        Ok(Expression {
            kind,
            span: self.since(token.span.start),
        })
    }

    /// `(e, e)` after the name of a process or an assertion.
    pub(super) fn arguments(&mut self) -> Parsed<Option<Vec<Expression>>> {
        if self.take(Kind::LeftRound).is_none() {
            return Ok(None);
        }
        let mut arguments = vec![self.nested(Parser::expression)?];
        while self.take(Kind::Comma).is_some() {
            arguments.push(self.nested(Parser::expression)?);
        }
        self.expect(Kind::RightRound, "`,` or `)`")?;
        Ok(Some(arguments))
    }
}

fn binary_operator(kind: Kind) -> Option<BinaryOperator> {
    Some(match kind {
        Kind::Parallel => BinaryOperator::Or,
        Kind::And => BinaryOperator::And,
        Kind::Bar => BinaryOperator::BitOr,
        Kind::Caret => BinaryOperator::BitXor,
        Kind::Ampersand => BinaryOperator::BitAnd,
        Kind::EqualEqual => BinaryOperator::Equal,
        Kind::NotEqual => BinaryOperator::NotEqual,
        Kind::Less => BinaryOperator::Less,
        Kind::LessOrEqual => BinaryOperator::LessOrEqual,
        Kind::Greater => BinaryOperator::Greater,
        Kind::GreaterOrEqual => BinaryOperator::GreaterOrEqual,
        Kind::ShiftLeft => BinaryOperator::ShiftLeft,
        Kind::ShiftRight => BinaryOperator::ShiftRight,
        Kind::Plus => BinaryOperator::Add,
        Kind::Minus => BinaryOperator::Subtract,
        Kind::Star => BinaryOperator::Multiply,
        Kind::Slash => BinaryOperator::Divide,
        Kind::Percent => BinaryOperator::Remainder,
        _ => return None,
    })
}
