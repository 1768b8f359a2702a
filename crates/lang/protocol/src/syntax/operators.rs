//! Words to tree: what stands between two expressions.

use quotient_core::Span;

use super::lexer::Token;
use super::parser::{Parsed, Parser};
use super::tree::*;

impl Parser<'_> {
    /// Precedence climbing; the levels from weakest to strongest.
    pub(super) fn binary(&mut self, level: usize) -> Parsed<Expression> {
        if level == LEVELS.len() {
            return self.prefix();
        }
        self.deeper()?;
        let mut left = self.binary(level + 1)?;
        while let Some(operator) = self.operator(LEVELS[level]) {
            // `=>` and `until` group to the right, comparisons do not chain, the others group
            // to the left.
            let right = match operator {
                Operator::Implies | Operator::Until | Operator::Unless => self.binary(level)?,
                _ => self.binary(level + 1)?,
            };
            let span = left.span.to(right.span);
            left = Expression {
                kind: Kind::Binary(operator, Box::new(left), Box::new(right)),
                span,
            };
        }
        self.depth -= 1;
        Ok(left)
    }

    /// The numbers of a range whose first one was just read, as a set.
    pub(super) fn numbers(&mut self, low: i64, from: Span) -> Parsed<Kind> {
        self.expect("..")?;
        let high = self.signed_number()?;
        let span = from.to(self.last_span());
        let many = high.saturating_sub(low);
        if !(0..MOST_NUMBERS).contains(&many) {
            let error = match many < 0 {
                true => {
                    let message = format!("the range {low}..{high} has no values");
                    self.error("empty-range", message, span)
                }
                false => self.error("huge-range", "this range is too large", span),
            };
            return Err(error.help("compare with both ends instead: `x >= 1 and x <= 3`"));
        }
        let number = |number| Expression {
            kind: Kind::Number(number),
            span,
        };
        Ok(Kind::Set((low..=high).map(number).collect()))
    }

    fn operator(&mut self, level: &[(&str, Operator)]) -> Option<Operator> {
        let found = level.iter().find(|(spelling, _)| match self.peek() {
            // `or then` begins the next alternative of a step.
            Token::Name(name) => {
                let temporal = ["until", "unless"].contains(spelling);
                name == spelling
                    && !(name == "or" && self.peek_word_at(1, "then"))
                    && (self.formula.is_some() || !temporal)
            }
            Token::Mark(mark) => mark == spelling,
            _ => false,
        })?;
        self.at += 1;
        Some(found.1)
    }
}

/// More numbers do not stand in a set.
pub(crate) const MOST_NUMBERS: i64 = 1000;

/// The level of comparisons.
pub(super) const COMPARISON: usize = 5;

const LEVELS: &[&[(&str, Operator)]] = &[
    &[("<=>", Operator::Iff)],
    &[("=>", Operator::Implies)],
    &[("until", Operator::Until), ("unless", Operator::Unless)],
    &[("or", Operator::Or)],
    &[("and", Operator::And)],
    &[
        ("=", Operator::Equal),
        ("!=", Operator::Different),
        ("<=", Operator::LessOrEqual),
        (">=", Operator::GreaterOrEqual),
        ("<", Operator::Less),
        (">", Operator::Greater),
        ("in", Operator::In),
    ],
    &[("+", Operator::Add), ("-", Operator::Subtract)],
    &[
        ("*", Operator::Multiply),
        ("/", Operator::Divide),
        ("mod", Operator::Modulo),
    ],
];
