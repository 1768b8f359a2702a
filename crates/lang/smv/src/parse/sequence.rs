//! Sequences of PSL: `{a; b[*2:5]; {c} & {d[=2]}}`.
//!
//! From loosest to tightest: `;`, `:`, `|`, `&` and `&&`, repetition. Expressions about one state
//! take what they can get of `&` and `|`: there, both readings are the same.

use super::{Parsed, Parser};
use crate::syntax::{Sequence, Syntax, SyntaxId, Token, UnaryOperator};

/// A repetition of more than this is refused.
const MOST_REPEATED: i64 = 1_000;

type Read = Sequence<SyntaxId>;

impl Parser<'_> {
    /// `{ … }`.
    pub(super) fn sequence(&mut self) -> Parsed<Read> {
        self.expect("{")?;
        let outer = std::mem::replace(&mut self.in_sequence, true);
        let body = self.deeper(Self::sequence_body);
        self.in_sequence = outer;
        let body = body?;
        self.expect("}")?;
        Ok(body)
    }

    fn sequence_body(&mut self) -> Parsed<Read> {
        let mut left = self.overlapping()?;
        while self.take_symbol(";") {
            left = left.then(self.overlapping()?);
        }
        Ok(left)
    }

    fn overlapping(&mut self) -> Parsed<Read> {
        let mut left = self.alternatives()?;
        while self.take_symbol(":") {
            left = Sequence::Overlap(Box::new(left), Box::new(self.alternatives()?));
        }
        Ok(left)
    }

    fn alternatives(&mut self) -> Parsed<Read> {
        let mut left = self.together()?;
        while self.take_symbol("|") {
            self.take_symbol("|");
            left = Sequence::Either(Box::new(left), Box::new(self.together()?));
        }
        Ok(left)
    }

    fn together(&mut self) -> Parsed<Read> {
        let mut left = self.repeated()?;
        while self.take_symbol("&") {
            let equally_long = self.take_symbol("&");
            let right = self.repeated()?;
            let both = |a: Read, b: Read| Sequence::Both(Box::new(a), Box::new(b));
            left = match equally_long {
                true => both(left, right),
                // The shorter one may be followed by anything.
                false => {
                    let rest = || Sequence::Any.repeat(0, None);
                    let longer_left = both(left.clone(), right.clone().then(rest()));
                    let longer_right = both(left.then(rest()), right);
                    Sequence::Either(Box::new(longer_left), Box::new(longer_right))
                }
            };
        }
        Ok(left)
    }

    fn repeated(&mut self) -> Parsed<Read> {
        let mut read = match self.peek().token {
            Token::Symbol("{") => self.sequence()?,
            Token::Symbol("[") => Sequence::Any,
            _ => {
                let (root, first) = self.expression_of_psl()?;
                match self.occurrences(root, first)? {
                    Some(read) => read,
                    None => Sequence::Boolean(root),
                }
            }
        };
        loop {
            let repeats = self.repetition_follows();
            if !repeats {
                return match (&read, self.is_symbol("[")) {
                    (Sequence::Any, true) => Err(self.unexpected("`[*` or `[+]`")),
                    _ => Ok(read),
                };
            }
            self.at += 1;
            let (from, to) = if self.take_symbol("+") {
                (1, None)
            } else if self.take_symbol("*") {
                self.count()?.unwrap_or((0, None))
            } else {
                return Err(self.unexpected("`*` or `+`"));
            };
            self.expect("]")?;
            read = read.repeat(from, to);
        }
    }

    /// `b[=2]` (the second `b` and then no other) and `b[->2]` (up to the second `b`).
    fn occurrences(&mut self, root: SyntaxId, first: u32) -> Parsed<Option<Read>> {
        let operator = match (self.is_symbol("["), self.peek_at(1).token) {
            (true, Token::Symbol(operator @ ("=" | "->"))) => operator,
            _ => return Ok(None),
        };
        self.at += 2;
        let (from, to) = self.count()?.unwrap_or((1, Some(1)));
        self.expect("]")?;
        let span = self.expressions.span(root);
        let not = Syntax::Unary(UnaryOperator::Not, root);
        let not = self.expressions.add(not, span, first);
        let without = || Sequence::Boolean(not).repeat(0, None);
        let up_to = without().then(Sequence::Boolean(root)).repeat(from, to);
        Ok(Some(match operator {
            "=" => up_to.then(without()),
            _ => up_to,
        }))
    }

    /// `2`, `2:5`, `2:inf`, or nothing.
    fn count(&mut self) -> Parsed<Option<(u32, Option<u32>)>> {
        if self.is_symbol("]") {
            return Ok(None);
        }
        let start = self.peek().span;
        let from = self.number()?;
        let to = match self.take_symbol(":") {
            true if self.take_word("inf") => None,
            true => Some(self.number()?),
            false => Some(from),
        };
        if to.is_some_and(|to| to < from) {
            let message = "the interval ends before it starts";
            return Err(self.error("smv-empty-range", message, start));
        }
        let fits = |number: i64| {
            u32::try_from(number)
                .ok()
                .filter(|_| number <= MOST_REPEATED)
        };
        match (fits(from), to.map(fits)) {
            (Some(from), None) => Ok(Some((from, None))),
            (Some(from), Some(Some(to))) => Ok(Some((from, Some(to)))),
            _ => {
                let message = format!("sequences are repeated at most {MOST_REPEATED} times");
                Err(self.error("smv-unsupported", message, start))
            }
        }
    }

    /// Whether `[*`, `[+]`, `[=` or `[->` stands at hand: no index of SMV begins like that.
    pub(super) fn repetition_follows(&self) -> bool {
        self.is_symbol("[")
            && match self.peek_at(1).token {
                Token::Symbol("*" | "=" | "->") => true,
                Token::Symbol("+") => self.peek_at(2).token == Token::Symbol("]"),
                _ => false,
            }
    }
}
