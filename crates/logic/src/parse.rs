//! Formulas from text, for languages that bring only their atoms.

use quotient_core::{Diagnostic, Source, Span};

use crate::print::{Strength, strength};
use crate::{Binary, Formula, Interval, Kind, Placeholder, Unary};

/// The deepest nesting that [`parse`] accepts, so that no text exhausts the stack.
pub const MOST_NESTED: usize = 500;

/// Words that are operators; atoms cannot be called so.
const RESERVED: [&str; 24] = [
    "A", "E", "X", "F", "G", "Y", "Z", "O", "H", "U", "V", "R", "W", "S", "T", "BU", "AX", "AF",
    "AG", "EX", "EF", "EG", "TRUE", "FALSE",
];

/// Parses a formula whose atoms are names: letters, digits, `_` and `.`.
pub fn parse_names(source: &Source) -> Result<Formula<String>, Diagnostic> {
    parse(source, |source, start| {
        let rest = &source.text()[start..];
        let end = rest
            .find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.'))
            .unwrap_or(rest.len());
        Ok((end > 0).then(|| (rest[..end].to_owned(), start + end)))
    })
}

/// Parses a formula in NuSMV's syntax over any atoms.
///
/// Where neither an operator nor a parenthesis stands, `atom` is asked to read an atom from
/// that byte on: it answers with the atom and the byte behind it, or `None` if no atom
/// begins there. From weak to strong: `->` (leaning right), `<->`, `|` and `xor`, `&`, the
/// binary temporal operators `U V W S T` (leaning right), prefixes.
pub fn parse<A>(
    source: &Source,
    atom: impl FnMut(&Source, usize) -> Result<Option<(A, usize)>, Diagnostic>,
) -> Result<Formula<A>, Diagnostic> {
    let mut parser = Parser {
        source,
        at: 0,
        depth: 0,
        height: 0,
        in_brackets: false,
        atom,
    };
    let formula = parser.formula(Strength::Implies)?;
    parser.skip_space();
    if parser.at < source.text().len() {
        return Err(parser.expected("an operator or the end"));
    }
    Ok(formula)
}

fn too_deep(source: &Source, span: Span) -> Diagnostic {
    Diagnostic::error("formula-too-deep", "the formula is nested too deeply")
        .at(source, span, "")
        .note(format!("at most {MOST_NESTED} levels are read"))
}

struct Parser<'a, F> {
    source: &'a Source,
    at: usize,
    /// How deep the place is that is being read.
    depth: usize,
    /// How deep the formula is that was read last.
    height: usize,
    /// In `A [left U right]` both sides are whole formulas: the operator binds weakest.
    in_brackets: bool,
    atom: F,
}

impl<'a, A, F> Parser<'a, F>
where
    F: FnMut(&Source, usize) -> Result<Option<(A, usize)>, Diagnostic>,
{
    /// Operands joined by operators that bind at least as tightly as `weakest`.
    fn formula(&mut self, weakest: Strength) -> Result<Formula<A>, Diagnostic> {
        self.depth += 1;
        if self.depth > MOST_NESTED {
            return Err(too_deep(self.source, Span::new(self.at, self.at + 1)));
        }
        let mut left = self.prefix()?;
        while let Some((operator, length)) = self.peek_binary() {
            let here = strength(operator);
            if here < weakest || (self.in_brackets && here == Strength::Temporal) {
                break;
            }
            self.at += length;
            let operator = self.with_steps_between(operator)?;
            let height = self.height;
            let leans_right = matches!(here, Strength::Implies | Strength::Temporal);
            let right = self.formula(if leans_right { here } else { tighter(here) })?;
            self.grow(height)?;
            left = Formula::binary(operator, left, right);
        }
        self.depth -= 1;
        Ok(left)
    }

    fn prefix(&mut self) -> Result<Formula<A>, Diagnostic> {
        self.skip_space();
        let start = self.at;
        let rest = self.rest();
        if rest.starts_with('!') {
            self.at += 1;
            return self.under(start, &[Unary::Not]);
        }
        if rest.starts_with('(') {
            self.at += 1;
            return self.closed_by(start, ')');
        }
        if rest.starts_with('?') {
            self.at += 1;
            self.height = 1;
            let over = self.atoms_of_interest()?;
            let span = Span::new(start, self.at);
            return Ok(Formula::new(Kind::Placeholder(Placeholder { over }), span));
        }
        let word = self.word();
        self.at += word.len();
        let span = Span::new(start, self.at);
        match word {
            "TRUE" | "FALSE" => {
                self.height = 1;
                Ok(Formula::new(Kind::Constant(word == "TRUE"), span))
            }
            "A" | "E" => {
                let quantifier = quantifier(word);
                self.skip_space();
                if !self.rest().starts_with('[') {
                    return self.under(start, &[quantifier]);
                }
                self.at += 1;
                let inner = self.closed_by(start, ']')?;
                self.grow(0)?;
                let span = inner.span;
                Ok(Formula::new(Kind::Unary(quantifier, Box::new(inner)), span))
            }
            "X" => self.under(start, &[Unary::Next]),
            "Y" => self.under(start, &[Unary::Yesterday]),
            "Z" => self.under(start, &[Unary::WeakYesterday]),
            "F" | "G" | "O" | "H" => {
                let operator = self.with_steps(word)?;
                self.under(start, &[operator])
            }
            "AX" | "EX" => self.under(start, &[quantifier(&word[..1]), Unary::Next]),
            "AF" | "AG" | "EF" | "EG" => {
                let operator = self.with_steps(&word[1..])?;
                self.under(start, &[quantifier(&word[..1]), operator])
            }
            _ => {
                self.at = start;
                self.read_atom()
            }
        }
    }

    /// Prefix operators, outermost first, in front of what follows.
    fn under(&mut self, start: usize, operators: &[Unary]) -> Result<Formula<A>, Diagnostic> {
        self.depth += 1;
        if self.depth > MOST_NESTED {
            return Err(too_deep(self.source, Span::new(start, self.at)));
        }
        let mut formula = self.prefix()?;
        self.depth -= 1;
        let span = Span::new(start, formula.span.end);
        for &operator in operators.iter().rev() {
            self.grow(0)?;
            formula = Formula::new(Kind::Unary(operator, Box::new(formula)), span);
        }
        Ok(formula)
    }

    fn closed_by(&mut self, start: usize, bracket: char) -> Result<Formula<A>, Diagnostic> {
        let outside = std::mem::replace(&mut self.in_brackets, bracket == ']');
        let mut inner = self.formula(Strength::Implies)?;
        if self.in_brackets {
            self.in_brackets = false;
            if let Some((operator, length)) = self.peek_binary() {
                self.at += length;
                let operator = self.with_steps_between(operator)?;
                self.in_brackets = true;
                let height = self.height;
                let right = self.formula(Strength::Implies)?;
                self.grow(height)?;
                inner = Formula::binary(operator, inner, right);
            }
        }
        self.in_brackets = outside;
        self.skip_space();
        if !self.rest().starts_with(bracket) {
            return Err(self.expected(&format!("`{bracket}`")).at(
                self.source,
                Span::new(start, start + 1),
                "to close this",
            ));
        }
        self.at += 1;
        inner.span = Span::new(start, self.at);
        Ok(inner)
    }

    fn read_atom(&mut self) -> Result<Formula<A>, Diagnostic> {
        let start = self.at;
        let reserved = RESERVED.contains(&self.word());
        let read = match reserved {
            true => None,
            false => (self.atom)(self.source, start)?,
        };
        let Some((atom, end)) = read else {
            return Err(self.expected("a formula"));
        };
        self.at = end;
        self.height = 1;
        Ok(Formula::new(Kind::Atom(atom), Span::new(start, end)))
    }

    /// Puts an operator over the formula read last and one of the given height.
    fn grow(&mut self, other: usize) -> Result<(), Diagnostic> {
        self.height = self.height.max(other) + 1;
        match self.height > MOST_NESTED {
            true => Err(too_deep(self.source, Span::new(self.at, self.at + 1))),
            false => Ok(()),
        }
    }

    fn atoms_of_interest(&mut self) -> Result<Option<Vec<A>>, Diagnostic> {
        if !self.rest().starts_with('{') {
            return Ok(None);
        }
        self.at += 1;
        let mut over = Vec::new();
        loop {
            self.skip_space();
            if self.rest().starts_with('}') {
                self.at += 1;
                return Ok(Some(over));
            }
            if !over.is_empty() {
                self.expect(',')?;
                self.skip_space();
            }
            let Some((atom, end)) = (self.atom)(self.source, self.at)? else {
                return Err(self.expected("an atom or `}`"));
            };
            self.at = end;
            over.push(atom);
        }
    }

    /// `F`, `G`, `O` or `H` with the interval that may follow.
    fn with_steps(&mut self, word: &str) -> Result<Unary, Diagnostic> {
        self.skip_space();
        let steps = match self.rest().starts_with('[') {
            true => {
                self.at += 1;
                let from = self.number()?;
                self.expect(',')?;
                let to = self.upper_end()?;
                self.expect(']')?;
                Some(Interval { from, to })
            }
            false => None,
        };
        Ok(match word {
            "F" => Unary::Finally(steps),
            "G" => Unary::Globally(steps),
            "O" => Unary::Once(steps),
            _ => Unary::Historically(steps),
        })
    }

    /// `BU` with the interval `from..to` that follows.
    fn with_steps_between(&mut self, operator: Binary) -> Result<Binary, Diagnostic> {
        if !matches!(operator, Binary::Until(Some(_))) {
            return Ok(operator);
        }
        let from = self.number()?;
        self.expect('.')?;
        self.expect('.')?;
        let to = self.upper_end()?;
        Ok(Binary::Until(Some(Interval { from, to })))
    }

    fn upper_end(&mut self) -> Result<Option<u32>, Diagnostic> {
        self.skip_space();
        if self.word() == "inf" {
            self.at += 3;
            return Ok(None);
        }
        self.number().map(Some)
    }

    fn number(&mut self) -> Result<u32, Diagnostic> {
        self.skip_space();
        let rest = self.rest();
        let length = rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len());
        let number = rest[..length]
            .parse()
            .map_err(|_| self.expected("a number of steps"))?;
        self.at += length;
        Ok(number)
    }

    fn expect(&mut self, sign: char) -> Result<(), Diagnostic> {
        self.skip_space();
        if !self.rest().starts_with(sign) {
            return Err(self.expected(&format!("`{sign}`")));
        }
        self.at += sign.len_utf8();
        Ok(())
    }

    fn peek_binary(&mut self) -> Option<(Binary, usize)> {
        self.skip_space();
        let signs = [
            ("->", Binary::Implies),
            ("<->", Binary::Iff),
            ("&", Binary::And),
            ("|", Binary::Or),
        ];
        let rest = self.rest();
        let sign = signs.iter().find(|(sign, _)| rest.starts_with(sign));
        if let Some((sign, operator)) = sign {
            return Some((*operator, sign.len()));
        }
        let word = self.word();
        let operator = match word {
            "xor" => Binary::Xor,
            "U" => Binary::Until(None),
            "BU" => Binary::Until(Some(Interval { from: 0, to: None })),
            "V" | "R" => Binary::Release,
            "W" => Binary::WeakUntil,
            "S" => Binary::Since,
            "T" => Binary::Triggered,
            _ => return None,
        };
        Some((operator, word.len()))
    }

    fn expected(&self, what: &str) -> Diagnostic {
        let text = self.source.text();
        let found = match text[self.at..].chars().next() {
            None => "the end of the formula".to_owned(),
            Some(sign) => match self.word() {
                "" => format!("`{sign}`"),
                word => format!("`{word}`"),
            },
        };
        let length = self.word().len().max(1);
        Diagnostic::error("formula-syntax", format!("expected {what}, found {found}")).at(
            self.source,
            Span::new(self.at, (self.at + length).min(text.len())),
            format!("expected {what}"),
        )
    }

    fn rest(&self) -> &'a str {
        &self.source.text()[self.at..]
    }

    fn word(&self) -> &'a str {
        let rest = self.rest();
        let end = rest
            .find(|c: char| !(c.is_alphanumeric() || c == '_'))
            .unwrap_or(rest.len());
        &rest[..end]
    }

    fn skip_space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }
}

fn quantifier(word: &str) -> Unary {
    match word {
        "A" => Unary::ForAll,
        _ => Unary::Exists,
    }
}

fn tighter(strength: Strength) -> Strength {
    match strength {
        Strength::Implies => Strength::Iff,
        Strength::Iff => Strength::Or,
        Strength::Or => Strength::And,
        Strength::And => Strength::Temporal,
        Strength::Temporal | Strength::Prefix => Strength::Prefix,
    }
}
