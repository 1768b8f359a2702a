//! Expressions and formulas, by operator precedence.
//!
//! From loosest to tightest, as NuSMV's manual orders them: `->` (to the right), `<->`,
//! `? :`, `|` `xor` `xnor`, `&`, the LTL operators `U` `V` `S` `T`, the temporal prefixes,
//! the relations, `in`, `union`, ranges, shifts, `+` `-`, `*` `/` `mod`, `::`, and the
//! prefixes `!` and `-`, which bind tighter than any operator (`!a = b` is `(!a) = b`).

use quotient_logic::Binary;

use super::{Parsed, Parser};
use crate::syntax::{BinaryOperator, Syntax, SyntaxId, Temporal, Token};

/// How tight an operator binds.
type Level = u8;
const IMPLIES: Level = 1;
const CHOOSE: Level = 3;
pub(super) const RELATION: Level = 7;
const RANGE: Level = 10;
const SHIFT: Level = 11;
const CONCATENATE: Level = 14;

enum Operator {
    Plain(BinaryOperator),
    Temporal(Binary),
    Choose,
    Range,
}

impl Parser<'_> {
    /// Any expression.
    pub(super) fn expression(&mut self) -> Parsed<SyntaxId> {
        self.at_level(IMPLIES)
    }

    /// An expression without sets and relations, as bounds of ranges are.
    pub(super) fn shift_expression(&mut self) -> Parsed<SyntaxId> {
        self.at_level(SHIFT)
    }

    /// An expression of operators that bind at least as tight as `loosest`.
    pub(super) fn at_level(&mut self, loosest: Level) -> Parsed<SyntaxId> {
        self.deeper(|parser| parser.operators(loosest))
    }

    fn operators(&mut self, loosest: Level) -> Parsed<SyntaxId> {
        let first = self.expressions.len();
        let mut left = self.primary()?;
        while let Some((operator, level)) = self.operator() {
            if level < loosest {
                break;
            }
            if level == IMPLIES {
                return self.implications(left, first);
            }
            if level == CHOOSE {
                left = self.choices(left, first)?;
                continue;
            }
            self.at += 1;
            let right = self.at_level(level + 1)?;
            let node = match operator {
                Operator::Plain(operator) => Syntax::Binary(operator, left, right),
                Operator::Temporal(operator) => {
                    Syntax::Temporal(Temporal::Binary(operator, left, right))
                }
                Operator::Range | Operator::Choose => Syntax::Range(left, right),
            };
            left = self.join(node, left, right, first);
        }
        Ok(left)
    }

    fn join(&mut self, node: Syntax, left: SyntaxId, right: SyntaxId, first: u32) -> SyntaxId {
        let span = self.expressions.span(left).to(self.expressions.span(right));
        self.expressions.add(node, span, first)
    }

    /// `a -> b -> c` groups to the right: the operands first, then the nodes from the last.
    fn implications(&mut self, left: SyntaxId, first: u32) -> Parsed<SyntaxId> {
        let mut operands = vec![(left, first)];
        while self.take_symbol("->") {
            let first = self.expressions.len();
            operands.push((self.at_level(IMPLIES + 1)?, first));
        }
        let (mut right, _) = operands.pop().unwrap_or((left, first));
        for (left, first) in operands.into_iter().rev() {
            let node = Syntax::Binary(BinaryOperator::Implies, left, right);
            right = self.join(node, left, right, first);
        }
        Ok(right)
    }

    /// `a ? b : c ? d : e` groups to the right.
    fn choices(&mut self, test: SyntaxId, first: u32) -> Parsed<SyntaxId> {
        let mut choices = Vec::new();
        let mut last = (test, first);
        while self.take_symbol("?") {
            let then = self.expression()?;
            self.expect(":")?;
            choices.push((last, then));
            let first = self.expressions.len();
            last = (self.at_level(CHOOSE + 1)?, first);
        }
        let mut other = last.0;
        for ((test, first), then) in choices.into_iter().rev() {
            other = self.join(Syntax::Choose(test, then, other), test, other, first);
        }
        Ok(other)
    }

    /// The operator at hand, with how tight it binds.
    fn operator(&self) -> Option<(Operator, Level)> {
        use BinaryOperator as B;
        let plain = |operator, level| Some((Operator::Plain(operator), level));
        match self.peek().token {
            Token::Symbol(symbol) => match symbol {
                "->" => plain(B::Implies, IMPLIES),
                "<->" => plain(B::Iff, 2),
                "?" => Some((Operator::Choose, CHOOSE)),
                "|" => plain(B::Or, 4),
                "&" => plain(B::And, 5),
                "=" => plain(B::Equal, RELATION),
                "!=" => plain(B::NotEqual, RELATION),
                "<" => plain(B::Less, RELATION),
                ">" => plain(B::Greater, RELATION),
                "<=" => plain(B::LessEqual, RELATION),
                ">=" => plain(B::GreaterEqual, RELATION),
                ".." => Some((Operator::Range, RANGE)),
                "<<" => plain(B::ShiftLeft, SHIFT),
                ">>" => plain(B::ShiftRight, SHIFT),
                "<<<" => plain(B::RotateLeft, SHIFT),
                ">>>" => plain(B::RotateRight, SHIFT),
                "+" => plain(B::Plus, 12),
                "-" => plain(B::Minus, 12),
                "*" => plain(B::Times, 13),
                "/" => plain(B::Divide, 13),
                "::" => plain(B::Concatenate, CONCATENATE),
                _ => None,
            },
            Token::Word => match self.word_at(0)? {
                "xor" => plain(B::Xor, 4),
                "xnor" => plain(B::Xnor, 4),
                "in" => plain(B::In, 8),
                "union" => plain(B::Union, 9),
                "mod" => plain(B::Modulo, 13),
                word if self.temporal && self.until_binds => {
                    let operator = match word {
                        "U" => Binary::Until(None),
                        "V" => Binary::Release,
                        "S" => Binary::Since,
                        "T" => Binary::Triggered,
                        _ => return None,
                    };
                    Some((Operator::Temporal(operator), 6))
                }
                _ => None,
            },
            _ => None,
        }
    }
}
