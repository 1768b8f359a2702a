//! Terms: sums of variables and numbers, and the constants that stand for numbers.

use quotient_core::{Diagnostic, Span};

use super::{Parsed, Parser};
use crate::lex::Kind;
use crate::tree::{Name, Part, Written};

impl Parser<'_> {
    /// Whether a constant is given its value here: `const C = 1`, `const C : int = 1`.
    pub(super) fn begins_constant(&self) -> bool {
        let sign = |at: usize, sign: &'static str| self.cursor.peek_at(at).kind == Kind::Sign(sign);
        let behind = match sign(1, ":") {
            true if sign(2, "=") => 2,
            true => 3,
            false => 1,
        };
        sign(behind, "=")
    }

    /// `NAME [: [TYPE]] = NUMBER`: a name for a number.
    pub(super) fn constant(&mut self) -> Parsed<()> {
        let name = self.name("the name of a constant")?;
        self.is_no_constant(&name)?;
        if self.takes(":") && !self.cursor.is(Kind::Sign("=")) {
            self.name("the name of a type")?;
        }
        self.expect("=")?;
        let term = self.term()?;
        let is_number = |(_, part): &(i64, Part)| !matches!(part, Part::Named(..));
        if !term.parts.iter().all(is_number) {
            let error = Diagnostic::error("constant", "a constant is given a number");
            return Err(error
                .at(self.cursor.source(), term.span, "")
                .help("what is a variable of the start is declared by `var`"));
        }
        self.constants.push((name.text, term));
        Ok(())
    }

    /// A constant is called like nothing else.
    pub(super) fn is_no_constant(&self, name: &Name) -> Parsed<()> {
        match self.constants.iter().any(|(known, _)| *known == name.text) {
            false => Ok(()),
            true => {
                let message = format!("`{}` is a constant", name.text);
                Err(Diagnostic::error("two-meanings", message)
                    .at(self.cursor.source(), name.span, "")
                    .help("choose another name"))
            }
        }
    }

    pub(super) fn term(&mut self) -> Parsed<Written> {
        let start = self.cursor.peek().span.start;
        let mut parts = Vec::new();
        let sign = if self.takes("-") { -1 } else { 1 };
        self.summand(sign, &mut parts)?;
        self.sum(&mut parts)?;
        Ok(Written {
            parts,
            span: self.cursor.span_from(start),
        })
    }

    /// `+ …` and `- …`, as long as they go on.
    pub(super) fn sum(&mut self, parts: &mut Vec<(i64, Part)>) -> Parsed<()> {
        loop {
            let sign = match (self.takes("+"), self.takes("-")) {
                (true, true) | (false, true) => -1,
                (true, false) => 1,
                (false, false) => return Ok(()),
            };
            self.summand(sign, parts)?;
        }
    }

    /// One part of a sum: a product in which at most one thing is no whole number.
    fn summand(&mut self, sign: i64, parts: &mut Vec<(i64, Part)>) -> Parsed<()> {
        let start = self.cursor.peek().span.start;
        let first = self.factor(parts.len())?;
        let product = self.times(start, first)?;
        let span = self.cursor.span_from(start);
        parts.extend(self.multiplied(product, sign, span)?);
        Ok(())
    }

    /// `* …`, as long as it goes on, behind what the product begins with.
    pub(super) fn times(
        &mut self,
        start: usize,
        mut product: Vec<(i64, Part)>,
    ) -> Parsed<Vec<(i64, Part)>> {
        while self.takes("*") {
            let other = self.factor(product.len())?;
            let (times, many) = match (whole(&product), whole(&other)) {
                (Some(times), _) => (times, other),
                (None, Some(times)) => (times, product),
                (None, None) => {
                    let message = "only a number times a variable is read";
                    let here = self.cursor.span_from(start);
                    let error = Diagnostic::error("product", message);
                    return Err(error
                        .at(self.cursor.source(), here, "")
                        .help("one side of `*` is a whole number"));
                }
            };
            let span = self.cursor.span_from(start);
            product = self.multiplied(many, times, span)?;
        }
        Ok(product)
    }

    fn multiplied(
        &self,
        parts: Vec<(i64, Part)>,
        times: i64,
        span: Span,
    ) -> Parsed<Vec<(i64, Part)>> {
        let one = |(by, part): (i64, Part)| {
            let by = by.checked_mul(times)?;
            let few = match &part {
                Part::Number(number) => by.checked_mul(*number)?,
                Part::Decimal(number) => by.checked_mul(*number)? / 1_000_000,
                Part::Named(..) => by,
            };
            (few.unsigned_abs() < 1 << 50).then_some((by, part))
        };
        let all: Option<Vec<(i64, Part)>> = parts.into_iter().map(one).collect();
        all.ok_or_else(|| {
            let error = Diagnostic::error("large-number", "this number is too large");
            let error = error.at(self.cursor.source(), span, "");
            error.help("products go up to 2^50")
        })
    }

    /// What `let` has named, a constant, a sum in brackets, a variable or a number.
    fn factor(&mut self, beside: usize) -> Parsed<Vec<(i64, Part)>> {
        if self.takes("(") {
            self.cursor.enter()?;
            let inner = self.term();
            self.cursor.leave();
            let inner = inner?;
            self.expect(")")?;
            return Ok(inner.parts);
        }
        let part = self.part_of_sum()?;
        let named = match &part {
            // What a quantifier names is not what `let` named before.
            Part::Named(name, at) if at.is_empty() && !self.bound.contains(&name.text) => {
                let mut named = self.named.iter().rev().chain(&self.constants);
                named.find(|(known, _)| *known == name.text).cloned()
            }
            _ => None,
        };
        match named {
            Some((name, term)) => {
                self.may_stand_here(&name, &term, beside)?;
                Ok(term.parts)
            }
            None => Ok(vec![(1, part)]),
        }
    }

    /// What `let` named is put in: not behind a quantifier that has another meaning for a name in it.
    fn may_stand_here(&self, name: &str, term: &Written, beside: usize) -> Parsed<()> {
        const MOST: usize = 10_000;
        let is_bound = |other: &&Name| self.bound.contains(&other.text);
        let names = term.parts.iter().flat_map(|(_, part)| match part {
            Part::Named(name, at) => std::iter::once(name).chain(at).collect(),
            Part::Number(_) | Part::Decimal(_) => Vec::new(),
        });
        let message = if let Some(other) = names.into_iter().find(is_bound) {
            let other = &other.text;
            format!("`{name}` speaks of `{other}`, which is something else behind this quantifier")
        } else if term.parts.len() + beside > MOST {
            format!("with `{name}`, this sum becomes too long")
        } else {
            return Ok(());
        };
        let here = self.cursor.peek().span;
        Err(Diagnostic::error("let", message).at(self.cursor.source(), here, ""))
    }

    fn part_of_sum(&mut self) -> Parsed<Part> {
        if self.cursor.is(Kind::Decimal) {
            let span = self.cursor.advance().span;
            let number = millionths(self.cursor.text(span)).ok_or_else(|| {
                Diagnostic::error("decimal", "this number is too large or too fine")
                    .at(self.cursor.source(), span, "")
                    .help("numbers have up to six digits behind the point")
            })?;
            while number % self.unit != 0 {
                self.unit /= 10;
            }
            return Ok(Part::Decimal(number));
        }
        if self.cursor.is(Kind::Number) {
            let span = self.cursor.advance().span;
            let number = self.cursor.text(span).parse::<i64>().ok();
            let number = number.filter(|number| *number < 1 << 40);
            return number.map(Part::Number).ok_or_else(|| {
                Diagnostic::error("large-number", "this number is too large")
                    .at(self.cursor.source(), span, "")
                    .help("numbers go up to 2^40")
            });
        }
        if self.cursor.is(Kind::Sign("#")) {
            return Ok(Part::Named(self.process()?, Vec::new()));
        }
        let name = self.name("a value, a variable or a number")?;
        let indices = self.indices()?;
        Ok(Part::Named(name, indices))
    }
}

/// The number that a sum of whole numbers is.
fn whole(parts: &[(i64, Part)]) -> Option<i64> {
    let mut sum = 0i64;
    for (by, part) in parts {
        let Part::Number(number) = part else {
            return None;
        };
        sum = sum.checked_add(by.checked_mul(*number)?)?;
    }
    Some(sum)
}

/// A number with a point, times a million.
fn millionths(text: &str) -> Option<i64> {
    let (whole, fraction) = text.split_once('.')?;
    let fraction = fraction.trim_end_matches('0');
    if fraction.len() > 6 {
        return None;
    }
    let whole: i64 = whole.parse().ok().filter(|whole| *whole < 1 << 30)?;
    let fraction: i64 = format!("{fraction:0<6}").parse().ok()?;
    whole.checked_mul(1_000_000)?.checked_add(fraction)
}
