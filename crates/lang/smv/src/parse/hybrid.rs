//! `HCTLSPEC`: branching time with names for states.
//!
//! From loosest to tightest: `->` (to the right), `<->`, `|` `xor` `xnor`, `&`, the untils between
//! two formulas (`EU`, `AU`, `EW`, `AW`), and the prefixes. What names a state (`!{x}:`, `@{x}:`,
//! `3{x}:`, `V{x}:`) reaches as far to the right as it can. A part without names and temporal
//! operators is an expression of the model, as tight as a relation or in parentheses.

use quotient_core::Source;
use quotient_logic::{Hybrid, Until};

use super::expression::RELATION;
use super::{Parsed, Parser};
use crate::syntax::{Expressions, HybridSpecification, Name, Names, SyntaxId, Token, tokens};

/// More names would be more copies of all variables than anything can be worked out with.
const MOST_NAMES: usize = 8;
/// Formulas of more parts nest too deep for a stack, in the worst case.
const MOST_PARTS: usize = 500;

type Formula = Hybrid<SyntaxId>;

/// Whether a text that is asked for can only be a formula with names for states.
pub(crate) fn is_hybrid(source: &Source) -> bool {
    let Ok(lexemes) = tokens(source) else {
        return false;
    };
    let token = |at: usize| lexemes.get(at).map_or(Token::End, |lexeme| lexeme.token);
    (0..lexemes.len()).any(|at| {
        let braced = [1, 2, 3].map(|ahead| token(at + ahead))
            == [Token::Symbol("{"), Token::Word, Token::Symbol("}")];
        let colon = token(at + 4) == Token::Symbol(":");
        let text = &source.text()[lexemes[at].span.range()];
        braced && colon && matches!(text, "!" | "@" | "3" | "V")
    })
}

/// Parses one formula into the arena of a tree.
pub(crate) fn parse_hybrid(
    source: &Source,
    names: &mut Names,
    expressions: &mut Expressions,
) -> Result<HybridSpecification, quotient_core::Diagnostic> {
    let lexemes = tokens(source)?;
    let mut parser = Parser::new(source, &lexemes, names, expressions);
    let specification = parser.hybrid_body(None)?;
    match parser.peek().token {
        Token::End => Ok(specification),
        _ => Err(parser.unexpected("the end of the formula")),
    }
}

impl<'a> Parser<'a> {
    /// `NAME name := formula IN instance;`
    pub(super) fn hybrid(&mut self) -> Parsed<HybridSpecification> {
        let mut name = None;
        if self.take_word("NAME") {
            name = Some(self.name_of_specification()?);
            self.expect(":=")?;
        }
        self.hybrid_body(name)
    }

    fn hybrid_body(&mut self, name: Option<Name>) -> Parsed<HybridSpecification> {
        let start = self.peek().span;
        let mut reader = Reader {
            parser: self,
            names: Vec::new(),
            parts: 0,
        };
        let formula = reader.formula()?;
        let span = quotient_core::Span::new(start.start, self.last_end());
        let context = match self.take_word("IN") {
            true => Some(self.reference()?),
            false => None,
        };
        self.take_symbol(";");
        Ok(HybridSpecification {
            name,
            formula,
            context,
            span,
        })
    }
}

struct Reader<'p, 'a> {
    parser: &'p mut Parser<'a>,
    /// Names of states, the innermost last.
    names: Vec<&'a str>,
    /// How many parts were read.
    parts: usize,
}

impl<'a> Reader<'_, 'a> {
    fn formula(&mut self) -> Parsed<Formula> {
        self.deeper(|reader| {
            let left = reader.equivalence()?;
            match reader.parser.take_symbol("->") {
                true => Ok(left.negated().or(reader.formula()?)),
                false => Ok(left),
            }
        })
    }

    fn equivalence(&mut self) -> Parsed<Formula> {
        let mut left = self.row(0)?;
        while self.parser.take_symbol("<->") {
            let right = self.row(0)?;
            left = Hybrid::Iff(Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    /// Rows of `|`, and of `&` inside.
    fn row(&mut self, level: usize) -> Parsed<Formula> {
        if level == 2 {
            return self.until();
        }
        let mut left = self.row(level + 1)?;
        loop {
            let word = match self.parser.word_at(0) {
                Some(word @ ("xor" | "xnor")) if level == 0 => word,
                _ => "",
            };
            if !word.is_empty() {
                self.parser.at += 1;
                let right = self.row(level + 1)?;
                let iff = Hybrid::Iff(Box::new(left), Box::new(right));
                left = match word {
                    "xor" => iff.negated(),
                    _ => iff,
                };
            } else if self.parser.take_symbol(["|", "&"][level]) {
                let right = self.row(level + 1)?;
                left = match level {
                    0 => left.or(right),
                    _ => left.and(right),
                };
            } else {
                return Ok(left);
            }
        }
    }

    fn until(&mut self) -> Parsed<Formula> {
        let left = self.prefixed()?;
        let until = match self.parser.word_at(0) {
            Some("EU") => Until::EXISTS,
            Some("AU") => Until::ALL,
            Some("EW") => Until::EXISTS_WEAK,
            Some("AW") => Until::ALL_WEAK,
            _ => return Ok(left),
        };
        self.parser.at += 1;
        let right = self.deeper(Self::until)?;
        Ok(left.until(until, right))
    }

    fn prefixed(&mut self) -> Parsed<Formula> {
        self.parts += 1;
        if self.parts > MOST_PARTS {
            let message = format!("a formula of more than {MOST_PARTS} parts");
            let span = self.parser.peek().span;
            let error = self.parser.error("smv-nesting", message, span);
            return Err(error.help("give conditions on states a name with DEFINE"));
        }
        self.deeper(Self::prefix)
    }

    fn prefix(&mut self) -> Parsed<Formula> {
        let span = self.parser.peek().span;
        let text = self.parser.text(span);
        if let Some(name) = self.name_before_colon() {
            let is_jump = text == "@";
            let number = match is_jump {
                true => self.bound(name)?,
                false => self.names.len(),
            };
            self.parser.at += 5;
            if is_jump {
                return Ok(Hybrid::Jump(number, Box::new(self.formula()?)));
            }
            if number == MOST_NAMES {
                let message = format!("more than {MOST_NAMES} states have names here");
                return Err(self.parser.error("smv-nesting", message, span));
            }
            self.names.push(name);
            let inner = self.formula();
            self.names.pop();
            let inner = inner?;
            return Ok(match text {
                "!" => Hybrid::Bind(number, Box::new(inner)),
                "3" => Hybrid::Exists(number, Box::new(inner)),
                _ => Hybrid::Exists(number, Box::new(inner.negated())).negated(),
            });
        }
        if let Some(name) = self.braced(0).filter(|_| self.is_formula_ahead()) {
            let number = self.bound(name)?;
            self.parser.at += 3;
            return Ok(Hybrid::Named(number));
        }
        if !self.is_formula_ahead() {
            return self.parser.at_level(RELATION).map(Hybrid::Atom);
        }
        if self.parser.take_symbol("!") {
            return Ok(self.prefixed()?.negated());
        }
        if self.parser.take_symbol("(") {
            let inner = self.formula()?;
            self.parser.expect(")")?;
            return Ok(inner);
        }
        self.parser.at += 1;
        let next = |inner| Hybrid::ExistsNext(Box::new(inner));
        let globally = |inner| Hybrid::ExistsGlobally(Box::new(inner));
        Ok(match text {
            "E" | "A" => return self.bracketed(text == "A"),
            "EX" => next(self.prefixed()?),
            "AX" => next(self.prefixed()?.negated()).negated(),
            "EF" => self.prefixed()?.finally(),
            "AF" => globally(self.prefixed()?.negated()).negated(),
            "EG" => globally(self.prefixed()?),
            _ => self.prefixed()?.negated().finally().negated(),
        })
    }

    /// `E [f U g]` after its quantifier.
    fn bracketed(&mut self, universal: bool) -> Parsed<Formula> {
        self.parser.expect("[")?;
        let left = self.formula()?;
        let weak = self.parser.is_word("W");
        if !weak && !self.parser.is_word("U") {
            return Err(self.parser.unexpected("`U`"));
        }
        self.parser.at += 1;
        let right = self.formula()?;
        self.parser.expect("]")?;
        Ok(left.until(Until { universal, weak }, right))
    }

    /// The name in `{x}`, so many tokens ahead.
    fn braced(&self, ahead: usize) -> Option<&'a str> {
        let symbol = |ahead: usize, one: &'static str| {
            self.parser.peek_at(ahead).token == Token::Symbol(one)
        };
        let name = self.parser.word_at(ahead + 1)?;
        (symbol(ahead, "{") && symbol(ahead + 2, "}")).then_some(name)
    }

    /// The name in `!{x}:`, `@{x}:`, `3{x}:` or `V{x}:`.
    fn name_before_colon(&self) -> Option<&'a str> {
        self.binder_at(0)
    }

    fn binder_at(&self, ahead: usize) -> Option<&'a str> {
        let text = self.parser.text(self.parser.peek_at(ahead).span);
        let colon = self.parser.peek_at(ahead + 4).token == Token::Symbol(":");
        let name = self.braced(ahead + 1)?;
        (colon && matches!(text, "!" | "@" | "3" | "V")).then_some(name)
    }

    /// Whether what follows is more than an expression of the model.
    fn is_formula_ahead(&self) -> bool {
        let mut at = 0;
        while self.parser.peek_at(at).token == Token::Symbol("!") {
            if self.binder_at(at).is_some() {
                return true;
            }
            at += 1;
        }
        if self.parser.peek_at(at).token != Token::Symbol("(") {
            return self.opens_formula(at);
        }
        let mut open = 0usize;
        loop {
            match self.parser.peek_at(at).token {
                Token::Symbol("(") => open += 1,
                Token::Symbol(")") => open -= 1,
                Token::End => return false,
                _ if self.opens_formula(at) => return true,
                _ => {}
            }
            at += 1;
            if open == 0 {
                return false;
            }
        }
    }

    /// Whether a token can only be part of a formula: a name, or a temporal operator.
    fn opens_formula(&self, at: usize) -> bool {
        if self.binder_at(at).is_some() {
            return true;
        }
        let before = match at {
            0 => Token::End,
            _ => self.parser.peek_at(at - 1).token,
        };
        match self.parser.word_at(at) {
            // A part of another instance may have such a name.
            Some(_) if before == Token::Symbol(".") => false,
            Some("EX" | "AX" | "EF" | "AF" | "EG" | "AG" | "EU" | "AU" | "EW" | "AW") => true,
            Some("E" | "A") => self.parser.peek_at(at + 1).token == Token::Symbol("["),
            Some(_) => false,
            None => {
                // `{x}` is a set of one value, unless a state is called so.
                let name = self.braced(at);
                let is_member = self.parser.peek_at(at + 3).token == Token::Word
                    && self.parser.word_at(at + 3) == Some("union");
                name.is_some_and(|name| self.names.contains(&name) || (at == 0 && !is_member))
            }
        }
    }

    fn bound(&self, name: &str) -> Parsed<usize> {
        let found = self.names.iter().rposition(|&other| other == name);
        found.ok_or_else(|| {
            let span = self.parser.peek().span;
            let message = format!("no state is called `{name}` here");
            let error = self.parser.error("smv-state-name", message, span);
            error.help(format!(
                "name one before: `!{{{name}}}: …` or `3{{{name}}}: …`"
            ))
        })
    }

    fn deeper<T>(&mut self, rule: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.parser.depth >= super::DEEPEST {
            return self
                .parser
                .deeper(|parser| Err(parser.unexpected("a formula that nests less")));
        }
        self.parser.depth += 1;
        let result = rule(self);
        self.parser.depth -= 1;
        result
    }
}
