//! Functions and formulas.

use quotient_core::Diagnostic;
use quotient_language::text::{Cursor, Parsed};

use crate::formula::Formula;
use crate::function;
use crate::network::{Network, Update};
use crate::words::Word::{self, Name, Number, Sign};

/// The walker of this parser.
pub(crate) type Walk<'a> = Cursor<'a, Word>;

/// A function. From weak to strong: `|`, `^`, `&`, `!`.
pub(crate) fn expression(cursor: &mut Walk<'_>, network: &mut Network) -> Parsed<Update> {
    function::read(cursor, network)
}

pub(crate) fn constant(cursor: &mut Walk<'_>) -> Parsed<bool> {
    let span = cursor.advance().span;
    match cursor.text(span) {
        "0" => Ok(false),
        "1" => Ok(true),
        _ => Err(Diagnostic::error("number", "expected 0 or 1").at(cursor.source(), span, "")),
    }
}

/// A formula. From weak to strong: `<=>`, `=>`, `|`, `^`, `&`, `EU` `AU` `EW` `AW`, prefixes;
/// what names a state reaches as far to the right as it can.
pub(crate) fn formula(cursor: &mut Walk<'_>, network: &mut Network) -> Parsed<Formula> {
    let mut reader = Reader {
        network,
        names: Vec::new(),
    };
    reader.equivalence(cursor)
}

struct Reader<'a> {
    network: &'a Network,
    /// Names of states, the innermost last.
    names: Vec<String>,
}

fn boxed(formula: Formula) -> Box<Formula> {
    Box::new(formula)
}

fn or(one: Formula, other: Formula) -> Formula {
    Formula::Or(boxed(one), boxed(other))
}

fn and(one: Formula, other: Formula) -> Formula {
    Formula::And(boxed(one), boxed(other))
}

/// The most parts of a formula.
const MOST_PARTS: usize = 20_000;

/// A formula that is not too large: `<=>`, `^` and untils write their operands several times, and
/// each inside another does it again.
fn small(formula: Formula, cursor: &Walk<'_>) -> Parsed<Formula> {
    if formula.size() <= MOST_PARTS {
        return Ok(formula);
    }
    let end = cursor.last_end();
    let span = quotient_core::Span::new(end.saturating_sub(1), end);
    let message = format!("written out, the formula has more than {MOST_PARTS} parts");
    Err(Diagnostic::error("too-large", message).at(cursor.source(), span, ""))
}

impl Reader<'_> {
    fn equivalence(&mut self, cursor: &mut Walk<'_>) -> Parsed<Formula> {
        cursor.nested(|cursor| {
            let left = self.implication(cursor)?;
            if cursor.takes(Sign("<=>")) || cursor.takes(Sign("<->")) {
                let right = self.equivalence(cursor)?;
                let both = and(left.clone(), right.clone());
                return small(or(both, and(left.negated(), right.negated())), cursor);
            }
            Ok(left)
        })
    }

    fn implication(&mut self, cursor: &mut Walk<'_>) -> Parsed<Formula> {
        cursor.nested(|cursor| {
            let left = self.row(cursor, 0)?;
            if cursor.takes(Sign("=>")) || cursor.takes(Sign("->")) {
                return Ok(or(left.negated(), self.implication(cursor)?));
            }
            Ok(left)
        })
    }

    fn row(&mut self, cursor: &mut Walk<'_>, level: usize) -> Parsed<Formula> {
        let signs: [&[&str]; 3] = [&["|", "||"], &["^"], &["&", "&&"]];
        let Some(own) = signs.get(level) else {
            return self.until(cursor);
        };
        let mut left = self.row(cursor, level + 1)?;
        for _ in 0..200 {
            if !own.iter().any(|sign| cursor.takes(Sign(sign))) {
                return Ok(left);
            }
            let right = self.row(cursor, level + 1)?;
            left = match level {
                0 => or(left, right),
                1 => {
                    let only = and(left.clone(), right.clone().negated());
                    small(or(only, and(left.negated(), right)), cursor)?
                }
                _ => and(left, right),
            };
        }
        Err(cursor.unexpected("fewer operands"))
    }

    fn until(&mut self, cursor: &mut Walk<'_>) -> Parsed<Formula> {
        cursor.nested(|cursor| {
            let left = self.prefixed(cursor)?;
            let word = match cursor.is(Name) {
                true => cursor.text(cursor.peek().span),
                false => "",
            };
            if !["EU", "AU", "EW", "AW"].contains(&word) {
                return Ok(left);
            }
            cursor.advance();
            let right = self.until(cursor)?;
            let until =
                |one: Formula, other: Formula| Formula::ExistsUntil(boxed(one), boxed(other));
            // On all paths f until g: no path keeps g false for ever, or until both are false.
            let all_until = |left: Formula, right: Formula| {
                let neither = and(left.negated(), right.clone().negated());
                let bad = until(right.clone().negated(), neither);
                or(bad, Formula::ExistsGlobally(boxed(right.negated()))).negated()
            };
            let found = match word {
                "EU" => until(left, right),
                "AU" => all_until(left, right),
                "EW" => or(
                    until(left.clone(), right),
                    Formula::ExistsGlobally(boxed(left)),
                ),
                _ => {
                    let neither = and(left.negated(), right.clone().negated());
                    until(right.negated(), neither).negated()
                }
            };
            small(found, cursor)
        })
    }

    fn prefixed(&mut self, cursor: &mut Walk<'_>) -> Parsed<Formula> {
        cursor.nested(|cursor| {
            let token = cursor.peek();
            let text = cursor.text(token.span);
            let quantifier = cursor.peek_at(1).kind == Sign("{");
            match token.kind {
                Sign("{") => {
                    let name = self.name(cursor)?;
                    Ok(Formula::Named(self.bound(&name, cursor)?))
                }
                Sign("@") => {
                    cursor.advance();
                    let name = self.name(cursor)?;
                    cursor.expect(Sign(":"))?;
                    let at = self.bound(&name, cursor)?;
                    Ok(Formula::Jump(at, boxed(self.equivalence(cursor)?)))
                }
                Sign("!") | Number | Name if quantifier && ["!", "3", "V"].contains(&text) => {
                    cursor.advance();
                    let name = self.name(cursor)?;
                    cursor.expect(Sign(":"))?;
                    self.names.push(name);
                    let at = self.names.len() - 1;
                    let inner = self.equivalence(cursor);
                    self.names.pop();
                    let inner = boxed(inner?);
                    Ok(match text {
                        "!" => Formula::Bind(at, inner),
                        "3" => Formula::Exists(at, inner),
                        _ => Formula::Exists(at, boxed(inner.negated())).negated(),
                    })
                }
                Sign("!" | "~") => {
                    cursor.advance();
                    Ok(self.prefixed(cursor)?.negated())
                }
                Name if ["EX", "AX", "EF", "AF", "EG", "AG"].contains(&text) => {
                    cursor.advance();
                    let inner = self.prefixed(cursor)?;
                    let finally = |inner: Formula| {
                        Formula::ExistsUntil(boxed(Formula::Constant(true)), boxed(inner))
                    };
                    Ok(match text {
                        "EX" => Formula::ExistsNext(boxed(inner)),
                        "AX" => Formula::ExistsNext(boxed(inner.negated())).negated(),
                        "EF" => finally(inner),
                        "AF" => Formula::ExistsGlobally(boxed(inner.negated())).negated(),
                        "EG" => Formula::ExistsGlobally(boxed(inner)),
                        _ => finally(inner.negated()).negated(),
                    })
                }
                Sign("(") => {
                    cursor.advance();
                    let inner = self.equivalence(cursor)?;
                    cursor.expect(Sign(")"))?;
                    Ok(inner)
                }
                Number => constant(cursor).map(Formula::Constant),
                Name => {
                    cursor.advance();
                    match text.to_ascii_lowercase().as_str() {
                        "true" => return Ok(Formula::Constant(true)),
                        "false" => return Ok(Formula::Constant(false)),
                        _ => {}
                    }
                    let found = self.network.names.iter().position(|name| name == text);
                    found.map(Formula::Variable).ok_or_else(|| {
                        Diagnostic::error(
                            "unknown-variable",
                            format!("there is no variable `{text}`"),
                        )
                        .at(cursor.source(), token.span, "")
                        .did_you_mean(text, self.network.names.iter().map(String::as_str))
                    })
                }
                _ => Err(cursor.unexpected("a formula")),
            }
        })
    }

    /// `{x}`
    fn name(&mut self, cursor: &mut Walk<'_>) -> Parsed<String> {
        cursor.expect(Sign("{"))?;
        let span = cursor.expect(Name)?;
        cursor.expect(Sign("}"))?;
        Ok(cursor.text(span).to_owned())
    }

    fn bound(&self, name: &str, cursor: &Walk<'_>) -> Parsed<usize> {
        self.names
            .iter()
            .rposition(|other| other == name)
            .ok_or_else(|| {
                let span = quotient_core::Span::new(
                    cursor.last_end().saturating_sub(1),
                    cursor.last_end(),
                );
                Diagnostic::error("unbound-name", format!("no state is called `{name}` here"))
                    .at(cursor.source(), span, "")
                    .help(format!(
                        "name one before: `!{{{name}}}: …` or `3{{{name}}}: …`"
                    ))
            })
    }
}
