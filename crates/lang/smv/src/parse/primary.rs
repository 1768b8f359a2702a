//! What operators stand between: constants, names, calls, `case`, and prefix operators.

use quotient_core::Span;
use quotient_logic::{Interval, Unary};

use super::expression::RELATION;
use super::{Parsed, Parser, is_reserved};
use crate::program::{Bits, WIDEST};
use crate::syntax::{Builtin, Syntax, SyntaxId, Temporal, Token, UnaryOperator, WordConstant};

impl Parser<'_> {
    /// A primary expression with its prefixes, members, indices and bits.
    pub(super) fn primary(&mut self) -> Parsed<SyntaxId> {
        let (first, start) = (self.expressions.len(), self.peek().span);
        let operator = match self.peek().token {
            Token::Symbol("!") => UnaryOperator::Not,
            Token::Symbol("-") => UnaryOperator::Minus,
            _ => {
                if let Some(temporal) = self.temporal_prefix()? {
                    return Ok(temporal);
                }
                let base = self.plain(first)?;
                return self.postfixes(base, first, false);
            }
        };
        self.at += 1;
        let operand = self.deeper(Self::primary)?;
        let span = start.to(self.expressions.span(operand));
        Ok(self
            .expressions
            .add(Syntax::Unary(operator, operand), span, first))
    }

    /// `a.b[1].c`: what can be assigned or defined.
    pub(super) fn reference(&mut self) -> Parsed<SyntaxId> {
        let (first, span) = (self.expressions.len(), self.peek().span);
        let base = match self.take_word("self") {
            true => self.expressions.add(Syntax::Itself, span, first),
            false => {
                let name = self.declared_name()?;
                self.expressions
                    .add(Syntax::Name(name.id), name.span, first)
            }
        };
        self.postfixes(base, first, true)
    }

    pub(super) fn postfixes(
        &mut self,
        mut base: SyntaxId,
        first: u32,
        reference: bool,
    ) -> Parsed<SyntaxId> {
        loop {
            let node = if self.take_symbol(".") {
                Syntax::Member(base, self.member_name()?)
            } else if !self.repetition_follows() && self.take_symbol("[") {
                let index = self.expression()?;
                let node = match !reference && self.take_symbol(":") {
                    true => Syntax::Bits(base, index, self.expression()?),
                    false => Syntax::Index(base, index),
                };
                self.expect("]")?;
                node
            } else {
                return Ok(base);
            };
            let span = self.expressions.span(base).to(self.here_before());
            base = self.expressions.add(node, span, first);
        }
    }

    fn member_name(&mut self) -> Parsed<crate::syntax::NameId> {
        if self.peek().token == Token::Number {
            let span = self.advance().span;
            let text = self.text(span);
            return Ok(self.names.intern(text));
        }
        Ok(self.name()?.id)
    }

    /// The span of the token just taken.
    pub(super) fn here_before(&self) -> Span {
        let end = self.last_end();
        Span::new(end, end)
    }

    fn plain(&mut self, first: u32) -> Parsed<SyntaxId> {
        let lexeme = self.peek();
        let node = match lexeme.token {
            Token::Number => Syntax::Number(self.number()?),
            Token::WordConstant => Syntax::Word(self.word_constant()?),
            Token::Symbol("(") => {
                self.at += 1;
                let outer = std::mem::replace(&mut self.until_binds, true);
                let inner = self.expression();
                self.until_binds = outer;
                let inner = inner?;
                let span = lexeme.span.to(self.expect(")")?);
                self.expressions.widen(inner, span);
                return Ok(inner);
            }
            Token::Symbol("{") => {
                self.at += 1;
                let items = self.items("}")?;
                match items[..] {
                    // NuSMV reads `{a}` as `a`.
                    [only] => return Ok(only),
                    _ => Syntax::Set(self.expressions.add_list(&items)),
                }
            }
            Token::Symbol("?") if self.placeholders => {
                self.at += 1;
                match self.take_symbol("{") {
                    true => {
                        let items = self.items("}")?;
                        Syntax::Placeholder(Some(self.expressions.add_list(&items)))
                    }
                    false => Syntax::Placeholder(None),
                }
            }
            Token::Word => self.word()?,
            _ => return Err(self.unexpected("an expression")),
        };
        let span = Span::new(lexeme.span.start, self.last_end());
        Ok(self.expressions.add(node, span, first))
    }

    fn items(&mut self, close: &str) -> Parsed<Vec<SyntaxId>> {
        let mut items = vec![self.expression()?];
        while self.take_symbol(",") {
            items.push(self.expression()?);
        }
        self.expect(close)?;
        Ok(items)
    }

    fn word(&mut self) -> Parsed<Syntax> {
        let word = self.word_at(0).unwrap_or_default();
        // Older models have variables called `count` or `max`.
        let called = matches!(self.peek_at(1).token, Token::Symbol("("));
        if let (true, Some(builtin)) = (called, Builtin::named(word)) {
            return self.call(builtin);
        }
        let replicated = self.replicated.iter().rev();
        let name = self.names.find(word);
        if let Some(&(_, value)) = replicated.clone().find(|(bound, _)| Some(*bound) == name) {
            self.at += 1;
            return Ok(value);
        }
        match word {
            "TRUE" | "FALSE" => {
                self.at += 1;
                Ok(Syntax::Boolean(word == "TRUE"))
            }
            "self" => {
                self.at += 1;
                Ok(Syntax::Itself)
            }
            "next" => {
                self.at += 1;
                self.expect("(")?;
                let operand = self.expression()?;
                self.expect(")")?;
                Ok(Syntax::Next(operand))
            }
            "case" => self.case(),
            _ if is_reserved(word) => Err(self.unexpected("an expression")),
            _ => Ok(Syntax::Name(self.declared_name()?.id)),
        }
    }

    fn call(&mut self, builtin: Builtin) -> Parsed<Syntax> {
        let span = self.advance().span;
        self.expect("(")?;
        let arguments = self.items(")")?;
        match builtin.arity() {
            Some(arity) if arity != arguments.len() => {
                let message = format!(
                    "`{}` takes {arity} argument{}, not {}",
                    builtin.name(),
                    if arity == 1 { "" } else { "s" },
                    arguments.len()
                );
                Err(self.error("smv-argument-count", message, span))
            }
            _ => Ok(Syntax::Call(builtin, self.expressions.add_list(&arguments))),
        }
    }

    fn case(&mut self) -> Parsed<Syntax> {
        let open = self.advance().span;
        let mut branches = Vec::new();
        while !self.take_word("esac") {
            if self.peek().token == Token::End {
                let error = self.error("smv-syntax", "this `case` is never closed", open);
                return Err(error.help("close it with `esac`"));
            }
            branches.push(self.expression()?);
            self.expect(":")?;
            branches.push(self.expression()?);
            if !self.take_symbol(";") {
                return Err(self
                    .unexpected("`;`")
                    .note("every branch of a `case` ends with `;`, the last one too"));
            }
        }
        if branches.is_empty() {
            return Err(self.error("smv-syntax", "this `case` has no branch", open));
        }
        Ok(Syntax::Case(self.expressions.add_list(&branches)))
    }

    pub(super) fn number(&mut self) -> Parsed<i64> {
        let lexeme = self.peek();
        if lexeme.token != Token::Number {
            return Err(self.unexpected("a number"));
        }
        self.at += 1;
        // Twice the range of NuSMV's integers leaves room for every sum of two of them.
        match self.text(lexeme.span).parse::<i64>() {
            Ok(number) if number <= i64::from(u32::MAX) => Ok(number),
            _ => Err(self.error("smv-number", "this number is too large", lexeme.span)),
        }
    }

    fn word_constant(&mut self) -> Parsed<WordConstant> {
        let span = self.advance().span;
        let text = self.text(span);
        parse_word_constant(text).map_err(|why| self.error("smv-word-constant", why, span))
    }

    /// A temporal operator in front, if one stands here; `None` if what stands here is a name
    /// or no prefix at all.
    fn temporal_prefix(&mut self) -> Parsed<Option<SyntaxId>> {
        if !self.temporal || !self.operand_follows() {
            return Ok(None);
        }
        let (first, start) = (self.expressions.len(), self.peek().span);
        let Some(word) = self.word_at(0) else {
            return Ok(None);
        };
        let node = match word {
            "A" | "E" => match self.quantified_until(word == "A")? {
                Some(node) => node,
                None => return Ok(None),
            },
            _ => match self.unary_operator(word)? {
                Some((None, operator)) => {
                    Syntax::Temporal(Temporal::Unary(operator, self.at_level(RELATION)?))
                }
                Some((Some(quantifier), operator)) => {
                    let operand = self.at_level(RELATION)?;
                    Syntax::Temporal(Temporal::Quantified(quantifier, operator, operand))
                }
                None => return Ok(None),
            },
        };
        let span = Span::new(start.start, self.last_end());
        Ok(Some(self.expressions.add(node, span, first)))
    }

    /// Whether an operand can follow the word at hand: if not, the word is a name, such as a
    /// variable called `F` or `AG`.
    fn operand_follows(&self) -> bool {
        match self.peek_at(1).token {
            Token::End => false,
            Token::Symbol(symbol) => {
                matches!(symbol, "(" | "{" | "[" | "!") || symbol == "?" && self.placeholders
            }
            Token::Word => !matches!(
                self.word_at(1),
                Some("mod" | "union" | "in" | "xor" | "xnor" | "esac" | "IN" | "U" | "V")
            ),
            Token::Number | Token::WordConstant => true,
        }
    }

    /// `A [p U q]` and `E [p BU 1..3 q]`.
    fn quantified_until(&mut self, for_all: bool) -> Parsed<Option<Syntax>> {
        if !matches!(self.peek_at(1).token, Token::Symbol("[")) {
            return Ok(None);
        }
        self.at += 2;
        // Up to the bracket, `U` belongs to the quantifier.
        let outer = std::mem::replace(&mut self.until_binds, false);
        let left = self.expression();
        let interval = match (self.take_word("U"), self.take_word("BU")) {
            (true, _) => Ok(None),
            (_, true) => self.interval_dots().map(Some),
            _ if left.is_err() => Ok(None),
            _ => Err(self.unexpected("`U`")),
        };
        let right = match (&left, &interval) {
            (Ok(_), Ok(_)) => self.expression(),
            _ => Ok(SyntaxId(0)),
        };
        self.until_binds = outer;
        let (left, interval, right) = (left?, interval?, right?);
        self.expect("]")?;
        Ok(Some(Syntax::Temporal(Temporal::QuantifiedUntil(
            quantifier(for_all),
            interval,
            left,
            right,
        ))))
    }

    /// The prefix operator at hand, with its path quantifier if it has one; taken if there.
    fn unary_operator(&mut self, word: &str) -> Parsed<Option<(Option<Unary>, Unary)>> {
        let bounded: Option<fn(Option<Interval>) -> Unary> = match word {
            "F" | "EBF" | "ABF" => Some(Unary::Finally),
            "G" | "EBG" | "ABG" => Some(Unary::Globally),
            "O" => Some(Unary::Once),
            "H" => Some(Unary::Historically),
            _ => None,
        };
        let (quantifier_word, operator) = match word {
            "AX" | "EX" => (true, Unary::Next),
            "AF" | "EF" => (true, Unary::Finally(None)),
            "AG" | "EG" => (true, Unary::Globally(None)),
            "EBF" | "ABF" | "EBG" | "ABG" => (true, Unary::Next),
            "X" => (false, Unary::Next),
            "Y" => (false, Unary::Yesterday),
            "Z" => (false, Unary::WeakYesterday),
            "F" | "G" | "O" | "H" => (false, Unary::Next),
            _ => return Ok(None),
        };
        self.at += 1;
        let operator = match bounded {
            None => operator,
            Some(make) if quantifier_word => make(Some(self.interval_dots()?)),
            Some(make) => make(self.interval_brackets()?),
        };
        let quantifier = quantifier_word.then(|| quantifier(word.starts_with('A')));
        Ok(Some((quantifier, operator)))
    }

    /// `1..3` after `EBF` and its like.
    fn interval_dots(&mut self) -> Parsed<Interval> {
        let start = self.peek().span;
        let from = self.number()?;
        self.expect("..")?;
        let to = self.number()?;
        self.interval(start, from, Some(to))
    }

    /// `[1,3]` after `F`, `G`, `O` or `H`, if it is there.
    fn interval_brackets(&mut self) -> Parsed<Option<Interval>> {
        let start = self.peek().span;
        if !self.take_symbol("[") {
            return Ok(None);
        }
        let from = self.number()?;
        self.expect(",")?;
        let to = self.number()?;
        self.expect("]")?;
        self.interval(start, from, Some(to)).map(Some)
    }

    fn interval(&self, start: Span, from: i64, to: Option<i64>) -> Parsed<Interval> {
        let fits = |number: i64| u32::try_from(number).ok();
        let span = start.to(self.here_before());
        let (Some(from), Some(to)) = (fits(from), to.map_or(Some(None), |to| fits(to).map(Some)))
        else {
            return Err(self.error("smv-number", "this number is too large", span));
        };
        match to {
            Some(to) if to < from => Err(self.error(
                "smv-empty-range",
                "the interval ends before it starts",
                span,
            )),
            _ => Ok(Interval { from, to }),
        }
    }
}

fn quantifier(for_all: bool) -> Unary {
    match for_all {
        true => Unary::ForAll,
        false => Unary::Exists,
    }
}

/// The parts of `0sd8_255`: sign, base, width, digits.
fn parse_word_constant(text: &str) -> Result<WordConstant, String> {
    let (head, digits) = text.split_once('_').unwrap_or((text, ""));
    let mut head = head[1..].chars().peekable();
    let signed = head.next_if(|&c| c == 's' || c == 'u') == Some('s');
    let base = match head.next() {
        Some('b' | 'B') => 2,
        Some('o' | 'O') => 8,
        Some('h' | 'H') => 16,
        _ => 10,
    };
    let width: String = head.collect();
    let digits: String = digits.chars().filter(|&c| c != '_').collect();
    let bits = Bits::read(&digits, base).ok_or_else(|| match digits.len() > 15 {
        true => format!("this constant does not fit into {WIDEST} bits"),
        false => format!("`{digits}` is no number of base {base}"),
    })?;
    let bits_per_digit: u32 = match base {
        2 => 1,
        8 => 3,
        _ => 4,
    };
    let width = match width.is_empty() {
        true if base == 10 => {
            return Err("a decimal word constant needs its width: `0ud8_5`".into());
        }
        true => (digits.len() as u32).saturating_mul(bits_per_digit),
        false => width.parse().unwrap_or(u32::MAX),
    };
    if !(1..=WIDEST).contains(&width) {
        return Err(format!("words have between 1 and {WIDEST} bits"));
    }
    // A signed decimal names the magnitude, which a minus sign in front may turn negative.
    let room = match signed && base == 10 {
        true => Bits::from(1) << (width - 1),
        false => (!Bits::ZERO).cut(width),
    };
    if bits > room {
        return Err(format!("{bits} does not fit into {width} bits"));
    }
    Ok(WordConstant {
        signed,
        width,
        bits,
    })
}
