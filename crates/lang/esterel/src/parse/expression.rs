//! Data expressions, conditions on signals, and delays.

use quotient_language::text::Parsed;

use super::Parser;
use super::words::Word;
use crate::syntax::{Delay, Event, Expression, ExpressionKind, Operator};
use crate::value;

/// Operators by how tightly they bind, loosest first.
const LEVELS: &[&[(Word, Operator)]] = &[
    &[(Word::Keyword("or"), Operator::Or)],
    &[(Word::Keyword("and"), Operator::And)],
    &[
        (Word::Sign("="), Operator::Equal),
        (Word::Sign("<>"), Operator::Different),
        (Word::Sign("<"), Operator::Less),
        (Word::Sign("<="), Operator::AtMost),
        (Word::Sign(">"), Operator::Greater),
        (Word::Sign(">="), Operator::AtLeast),
    ],
    &[
        (Word::Sign("+"), Operator::Plus),
        (Word::Sign("-"), Operator::Minus),
    ],
    &[
        (Word::Sign("*"), Operator::Times),
        (Word::Sign("/"), Operator::Divide),
        (Word::Keyword("mod"), Operator::Modulo),
    ],
];

/// The level of sums: counts of delays are no comparisons.
const SUMS: usize = 3;

impl Parser<'_> {
    /// A data expression.
    pub(super) fn expression(&mut self) -> Parsed<Expression> {
        self.cursor.enter()?;
        let result = self.level(0);
        self.cursor.leave();
        result
    }

    fn level(&mut self, level: usize) -> Parsed<Expression> {
        if level == 2 && self.is_keyword("not") {
            let start = self.start();
            self.cursor.advance();
            self.cursor.enter()?;
            let inner = self.level(2);
            self.cursor.leave();
            return Ok(Expression {
                kind: ExpressionKind::Not(Box::new(inner?)),
                span: self.cursor.span_from(start),
            });
        }
        let Some(operators) = LEVELS.get(level) else {
            return self.unary();
        };
        let start = self.start();
        let mut left = self.level(level + 1)?;
        let mut length = 0;
        loop {
            let word = self.cursor.peek().kind;
            let Some(&(_, operator)) = operators.iter().find(|(sign, _)| *sign == word) else {
                return Ok(left);
            };
            length += 1;
            if length > 150 {
                // The tree leans to the left: its depth is that of the list.
                return Err(self.cursor.unexpected("a shorter expression"));
            }
            self.cursor.advance();
            let right = self.level(level + 1)?;
            left = Expression {
                kind: ExpressionKind::Binary(operator, Box::new(left), Box::new(right)),
                span: self.cursor.span_from(start),
            };
        }
    }

    fn unary(&mut self) -> Parsed<Expression> {
        let start = self.start();
        if self.sign("-") {
            self.cursor.enter()?;
            let inner = self.unary();
            self.cursor.leave();
            return Ok(Expression {
                kind: ExpressionKind::Negative(Box::new(inner?)),
                span: self.cursor.span_from(start),
            });
        }
        let kind = self.primary()?;
        Ok(Expression {
            kind,
            span: self.cursor.span_from(start),
        })
    }

    fn primary(&mut self) -> Parsed<ExpressionKind> {
        let token = self.cursor.peek();
        let text = self.cursor.text(token.span);
        match token.kind {
            Word::Whole | Word::Real => {
                let Some(number) = value::number(text) else {
                    return Err(self.cursor.unexpected("a number of reasonable size"));
                };
                self.cursor.advance();
                Ok(match token.kind {
                    Word::Whole => ExpressionKind::Whole(number),
                    _ => ExpressionKind::Real(number),
                })
            }
            Word::Text => {
                self.cursor.advance();
                Ok(ExpressionKind::Text(text.trim_matches('"').to_owned()))
            }
            Word::Keyword("true") | Word::Keyword("false") => {
                self.cursor.advance();
                Ok(ExpressionKind::Boolean(text == "true"))
            }
            Word::Sign("?") => {
                self.cursor.advance();
                Ok(ExpressionKind::Value(self.name()?.text))
            }
            Word::Sign("??") => {
                self.cursor.advance();
                Ok(ExpressionKind::TrapValue(self.name()?.text))
            }
            Word::Keyword("pre") => {
                self.cursor.advance();
                let open = self.sign("(");
                self.expect_sign("?")?;
                let name = self.name()?;
                if open {
                    self.expect_sign(")")?;
                }
                Ok(ExpressionKind::Before(name.text))
            }
            Word::Sign("(") => {
                self.cursor.advance();
                let inner = self.expression()?;
                self.expect_sign(")")?;
                Ok(inner.kind)
            }
            Word::Name => {
                let name = self.name()?;
                if !self.sign("(") {
                    return Ok(ExpressionKind::Name(name.text));
                }
                let arguments = match self.is_sign(")") {
                    true => Vec::new(),
                    false => self.list(Self::expression)?,
                };
                self.expect_sign(")")?;
                Ok(ExpressionKind::Call(name.text, arguments))
            }
            _ => Err(self.cursor.unexpected("an expression")),
        }
    }

    /// A condition on signals: `A`, `[A and not B]`, `pre(A) or B`.
    pub(super) fn event(&mut self) -> Parsed<Event> {
        self.cursor.enter()?;
        let result = self.event_or();
        self.cursor.leave();
        result
    }

    fn event_or(&mut self) -> Parsed<Event> {
        let mut left = self.event_and()?;
        let mut length = 0;
        while self.keyword("or") {
            length += 1;
            self.short(length)?;
            left = Event::Or(Box::new(left), Box::new(self.event_and()?));
        }
        Ok(left)
    }

    fn event_and(&mut self) -> Parsed<Event> {
        let mut left = self.event_not()?;
        let mut length = 0;
        while self.keyword("and") {
            length += 1;
            self.short(length)?;
            left = Event::And(Box::new(left), Box::new(self.event_not()?));
        }
        Ok(left)
    }

    fn short(&self, length: usize) -> Parsed<()> {
        match length <= 150 {
            true => Ok(()),
            false => Err(self.cursor.unexpected("a shorter condition")),
        }
    }

    fn event_not(&mut self) -> Parsed<Event> {
        if self.keyword("not") {
            self.cursor.enter()?;
            let inner = self.event_not();
            self.cursor.leave();
            return Ok(Event::Not(Box::new(inner?)));
        }
        if self.keyword("tick") {
            return Ok(Event::Tick);
        }
        if self.keyword("pre") {
            let open = self.sign("(");
            let name = self.name()?;
            if open {
                self.expect_sign(")")?;
            }
            return Ok(Event::Before(name));
        }
        for (open, close) in [("[", "]"), ("(", ")")] {
            if self.sign(open) {
                let inner = self.event()?;
                self.expect_sign(close)?;
                return Ok(inner);
            }
        }
        match self.cursor.is(Word::Name) {
            true => Ok(Event::Signal(self.name()?)),
            false => Err(self.cursor.unexpected("a signal")),
        }
    }

    /// `S`, `immediate S`, `3 S`, `[A or B]`.
    pub(super) fn delay(&mut self) -> Parsed<Delay> {
        let start = self.start();
        let immediate = self.keyword("immediate");
        let count = match self.counts() {
            true => Some(self.level(SUMS)?),
            false => None,
        };
        let event = self.event()?;
        Ok(Delay {
            immediate,
            count,
            event,
            span: self.cursor.span_from(start),
        })
    }

    /// Whether a count stands before the event.
    fn counts(&self) -> bool {
        match self.cursor.peek().kind {
            Word::Whole | Word::Sign("?" | "??" | "-") => true,
            Word::Name => matches!(
                self.cursor.peek_at(1).kind,
                Word::Name | Word::Keyword("tick") | Word::Sign("[" | "+" | "-" | "*" | "/")
            ),
            Word::Sign("(") => {
                // `(N + 1) S` counts, `(A and B)` is an event: look behind the closing one.
                let (mut depth, mut ahead) = (0i32, 0);
                loop {
                    match self.cursor.peek_at(ahead).kind {
                        Word::Sign("(") => depth += 1,
                        Word::Sign(")") => depth -= 1,
                        Word::End => return false,
                        _ => {}
                    }
                    ahead += 1;
                    if depth == 0 {
                        let next = self.cursor.peek_at(ahead).kind;
                        return matches!(
                            next,
                            Word::Name | Word::Keyword("tick") | Word::Sign("[")
                        );
                    }
                }
            }
            _ => false,
        }
    }
}
