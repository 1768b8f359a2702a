//! `PSLSPEC`: properties of PSL as NuSMV takes them, by operator precedence.
//!
//! From loosest to tightest: `always` `never` `G`, `->` `<->`, the families of `eventually!` and
//! `next`, `before`, `until`, `abort`, `X` `F`, `? :`, `||`, `&&`, `|`, `xor`, `&`, and the
//! operators on values. So `G a -> X b & c` is `G (a -> X (b & c))`.

use quotient_core::Span;
use quotient_logic::Binary;

use super::{Parsed, Parser};
use crate::syntax::{
    BinaryOperator, Psl, PslSpecification, Sequence, Syntax, SyntaxId, Token, UnaryOperator,
};

pub(super) type Property = Psl<SyntaxId>;

/// How tight an operator binds.
pub(super) type Level = u8;
pub(super) const ALWAYS: Level = 1;
const IMPLIES: Level = 2;
pub(super) const NEXT: Level = 3;
const BEFORE: Level = 4;
const UNTIL: Level = 5;
const ABORT: Level = 6;
pub(super) const FINALLY: Level = 7;
const CHOOSE: Level = 8;

/// Properties are not copied beyond this size.
pub(super) const MOST_COPIED: usize = 4_096;

/// What was read: a plain expression, with the first node of its run, or a property.
pub(super) enum Part {
    Plain(SyntaxId, u32),
    Property(Property),
}

impl Part {
    pub(super) fn property(self) -> Property {
        match self {
            Part::Plain(root, _) => Psl::Boolean(root),
            Part::Property(property) => property,
        }
    }
}

#[derive(Clone, Copy)]
enum Operator {
    Plain(BinaryOperator),
    Connective(BinaryOperator, Binary),
    /// `until`, `before` and their variants: whether strong, whether inclusive.
    Until(bool, bool),
    Before(bool, bool),
    Abort,
    Choose,
}

impl Parser<'_> {
    /// A property, up to the semicolon.
    pub(super) fn psl(&mut self) -> Parsed<PslSpecification> {
        let mut name = None;
        if self.take_word("NAME") {
            name = Some(self.name_of_specification()?);
            self.expect(":=")?;
        }
        let start = self.peek().span.start;
        self.take_word("sequence");
        let property = self.psl_level(ALWAYS)?.property();
        let span = Span::new(start, self.last_end());
        let context = match self.take_word("IN") {
            true => Some(self.reference()?),
            false => None,
        };
        self.take_symbol(";");
        Ok(PslSpecification {
            name,
            property,
            context,
            span,
        })
    }

    /// Whether a property is one of branching time: it has `AG`, `E [` and the like.
    pub(super) fn psl_is_branching(&self) -> bool {
        for ahead in 0.. {
            match self.peek_at(ahead).token {
                Token::End | Token::Symbol(";") => break,
                Token::Word => match self.word_at(ahead) {
                    Some("AG" | "AF" | "AX" | "EG" | "EF" | "EX") => return true,
                    Some("A" | "E") if self.peek_at(ahead + 1).token == Token::Symbol("[") => {
                        return true;
                    }
                    Some(word) if super::is_section(word) => break,
                    _ => {}
                },
                _ => {}
            }
        }
        false
    }

    /// An expression inside of a sequence, with the first node of its run.
    pub(super) fn expression_of_psl(&mut self) -> Parsed<(SyntaxId, u32)> {
        let span = self.peek().span;
        match self.psl_level(IMPLIES)? {
            Part::Plain(root, first) => Ok((root, first)),
            Part::Property(_) => {
                let message = "a property cannot stand inside of a sequence";
                Err(self.error("smv-temporal-place", message, span))
            }
        }
    }

    pub(super) fn psl_level(&mut self, loosest: Level) -> Parsed<Part> {
        self.deeper(|parser| parser.psl_operators(loosest))
    }

    fn psl_operators(&mut self, loosest: Level) -> Parsed<Part> {
        let mut left = self.psl_primary()?;
        while let Some((operator, level, tokens)) = self.psl_operator() {
            if level < loosest {
                break;
            }
            let span = self.peek().span;
            self.at += tokens;
            left = match operator {
                Operator::Choose => {
                    let then = self.psl_level(IMPLIES)?;
                    self.expect(":")?;
                    let other = self.psl_level(CHOOSE)?;
                    self.psl_choice(left, then, other, span)?
                }
                Operator::Plain(BinaryOperator::In | BinaryOperator::Union) => {
                    let right = self.at_level(9)?;
                    self.psl_join(operator, left, Part::Plain(right, 0), span)?
                }
                _ => {
                    let right = self.psl_level(level + 1)?;
                    self.psl_join(operator, left, right, span)?
                }
            };
        }
        Ok(left)
    }

    fn psl_choice(&mut self, test: Part, then: Part, other: Part, span: Span) -> Parsed<Part> {
        match (test, then, other) {
            (Part::Plain(test, first), Part::Plain(then, _), Part::Plain(other, _)) => {
                let node = Syntax::Choose(test, then, other);
                let all = self.expressions.span(test).to(self.expressions.span(other));
                Ok(Part::Plain(self.expressions.add(node, all, first), first))
            }
            (Part::Plain(test, _), then, other) => {
                let test = Psl::Boolean(test);
                let not = Psl::Not(Box::new(test.clone()));
                let yes = Psl::binary(Binary::And, test, then.property());
                let no = Psl::binary(Binary::And, not, other.property());
                Ok(Part::Property(Psl::binary(Binary::Or, yes, no)))
            }
            _ => Err(self.psl_needs_value(span)),
        }
    }

    fn psl_needs_value(&self, span: Span) -> quotient_core::Diagnostic {
        let message = "this operator needs values, not properties";
        self.error("smv-temporal-place", message, span)
    }

    fn psl_join(
        &mut self,
        operator: Operator,
        left: Part,
        right: Part,
        span: Span,
    ) -> Parsed<Part> {
        let plain = match operator {
            Operator::Plain(plain) | Operator::Connective(plain, _) => Some(plain),
            _ => None,
        };
        if let (Some(plain), &Part::Plain(left, first), &Part::Plain(right, _)) =
            (plain, &left, &right)
        {
            let node = Syntax::Binary(plain, left, right);
            let all = self.expressions.span(left).to(self.expressions.span(right));
            return Ok(Part::Plain(self.expressions.add(node, all, first), first));
        }
        let (left, right) = (left.property(), right.property());
        Ok(Part::Property(match operator {
            Operator::Plain(_) | Operator::Choose => return Err(self.psl_needs_value(span)),
            Operator::Connective(_, connective) => Psl::binary(connective, left, right),
            Operator::Until(strong, inclusive) => {
                let goal = match inclusive {
                    true => Psl::binary(Binary::And, self.copied(&left, span)?, right),
                    false => right,
                };
                Psl::binary(until(strong), left, goal)
            }
            Operator::Before(strong, inclusive) => {
                let not = Psl::Not(Box::new(self.copied(&right, span)?));
                let goal = match inclusive {
                    true => left,
                    false => Psl::binary(Binary::And, left, not.clone()),
                };
                Psl::binary(until(strong), not, goal)
            }
            Operator::Abort => {
                let Psl::Boolean(when) = right else {
                    let message = "only an expression about one state can stand after `abort`";
                    return Err(self.error("smv-temporal-place", message, span));
                };
                self.aborted(left, when, true, span)?
            }
        }))
    }

    /// A copy, if it is small enough.
    pub(super) fn copied(&self, property: &Property, span: Span) -> Parsed<Property> {
        match property.size() > MOST_COPIED {
            true => Err(self.error("smv-unsupported", "this property is too large", span)),
            false => Ok(property.clone()),
        }
    }

    /// The operator at hand, how tight it binds, and its number of tokens.
    fn psl_operator(&self) -> Option<(Operator, Level, usize)> {
        use BinaryOperator as B;
        let plain = |operator, level, tokens| Some((Operator::Plain(operator), level, tokens));
        let join = |operator, binary, level, tokens| {
            Some((Operator::Connective(operator, binary), level, tokens))
        };
        // Inside of a sequence, what follows may be one of its operators.
        let of_sequence = |tokens: usize| {
            self.in_sequence && matches!(self.peek_at(tokens).token, Token::Symbol("{" | "["))
        };
        match self.peek().token {
            Token::Symbol(symbol) => match symbol {
                "->" => join(B::Implies, Binary::Implies, IMPLIES, 1),
                "<->" => join(B::Iff, Binary::Iff, IMPLIES, 1),
                "?" => Some((Operator::Choose, CHOOSE, 1)),
                "|" if self.follows("->") || self.follows("=") => None,
                "|" if self.follows("|") && !of_sequence(2) => join(B::Or, Binary::Or, 9, 2),
                "&" if self.follows("&") && !of_sequence(2) => join(B::And, Binary::And, 10, 2),
                "|" if !of_sequence(1) && !self.follows("|") => join(B::Or, Binary::Or, 11, 1),
                "^" => join(B::Xor, Binary::Xor, 12, 1),
                "&" if !of_sequence(1) && !self.follows("&") => join(B::And, Binary::And, 13, 1),
                "=" if self.follows("=") => plain(B::Equal, 14, 2),
                "=" => plain(B::Equal, 14, 1),
                "!=" => plain(B::NotEqual, 14, 1),
                "<" => plain(B::Less, 15, 1),
                ">" => plain(B::Greater, 15, 1),
                "<=" => plain(B::LessEqual, 15, 1),
                ">=" => plain(B::GreaterEqual, 15, 1),
                "<<" => plain(B::ShiftLeft, 17, 1),
                ">>" => plain(B::ShiftRight, 17, 1),
                "<<<" => plain(B::RotateLeft, 17, 1),
                ">>>" => plain(B::RotateRight, 17, 1),
                "+" => plain(B::Plus, 18, 1),
                "-" => plain(B::Minus, 18, 1),
                "*" => plain(B::Times, 19, 1),
                "/" => plain(B::Divide, 19, 1),
                "%" => plain(B::Modulo, 19, 1),
                "::" => plain(B::Concatenate, 19, 1),
                _ => None,
            },
            Token::Word => match self.word_at(0)? {
                "xor" => join(B::Xor, Binary::Xor, 12, 1),
                "xnor" => join(B::Xnor, Binary::Iff, 12, 1),
                "in" => plain(B::In, 16, 1),
                "union" => plain(B::Union, 16, 1),
                "mod" => plain(B::Modulo, 19, 1),
                "abort" => Some((Operator::Abort, ABORT, 1)),
                _ => {
                    let (word, strong, inclusive, tokens) = self.temporal_word()?;
                    match word {
                        "until" => Some((Operator::Until(strong, inclusive), UNTIL, tokens)),
                        "before" => Some((Operator::Before(strong, inclusive), BEFORE, tokens)),
                        _ => None,
                    }
                }
            },
            _ => None,
        }
    }

    /// Whether a symbol stands right behind the token at hand, without a blank.
    fn follows(&self, symbol: &str) -> bool {
        let next = self.peek_at(1);
        next.span.start == self.peek().span.end
            && matches!(next.token, Token::Symbol(text) if text == symbol)
    }

    /// A word of PSL with `!` (strong) and `_` (inclusive) behind it, and its number of tokens.
    pub(super) fn temporal_word(&self) -> Option<(&str, bool, bool, usize)> {
        let word = self.word_at(0)?;
        let (bare, inclusive) = match word {
            "until_" | "before_" | "within_" | "whilenot_" => (&word[..word.len() - 1], true),
            _ => (word, false),
        };
        let strong = !inclusive && self.follows("!");
        let behind = self.peek_at(2);
        let underscore =
            strong && self.word_at(2) == Some("_") && behind.span.start == self.peek_at(1).span.end;
        let tokens = 1 + usize::from(strong) + usize::from(underscore);
        Some((bare, strong, inclusive || underscore, tokens))
    }

    fn psl_primary(&mut self) -> Parsed<Part> {
        let (first, start) = (self.expressions.len(), self.peek().span);
        match self.peek().token {
            Token::Symbol("(") => {
                self.at += 1;
                let outer = std::mem::replace(&mut self.in_sequence, false);
                let inner = self.psl_level(ALWAYS);
                self.in_sequence = outer;
                let inner = inner?;
                let span = start.to(self.expect(")")?);
                Ok(match inner {
                    Part::Plain(root, first) => {
                        self.expressions.widen(root, span);
                        Part::Plain(self.postfixes(root, first, false)?, first)
                    }
                    property => property,
                })
            }
            Token::Symbol("!" | "~") => {
                self.at += 1;
                let operand = self.deeper(Self::psl_primary)?;
                Ok(match operand {
                    Part::Plain(root, _) => {
                        let span = start.to(self.expressions.span(root));
                        let node = Syntax::Unary(UnaryOperator::Not, root);
                        Part::Plain(self.expressions.add(node, span, first), first)
                    }
                    Part::Property(property) => Part::Property(Psl::Not(Box::new(property))),
                })
            }
            Token::Symbol("{") => self.psl_sequence().map(Part::Property),
            Token::Symbol("[") => {
                self.at += 1;
                let left = self.psl_level(ALWAYS)?.property();
                let strong = match self.word_at(0) {
                    Some("U") => true,
                    Some("W") => false,
                    _ => return Err(self.unexpected("`U` or `W`")),
                };
                self.at += 1;
                let right = self.psl_level(ALWAYS)?.property();
                self.expect("]")?;
                Ok(Part::Property(Psl::binary(until(strong), left, right)))
            }
            Token::Word => match self.psl_prefix()? {
                Some(property) => Ok(Part::Property(property)),
                None => Ok(Part::Plain(self.primary()?, first)),
            },
            _ => Ok(Part::Plain(self.primary()?, first)),
        }
    }

    /// A sequence with what may follow it: `!`, `|-> p`, `|=> p`, `(p)`.
    fn psl_sequence(&mut self) -> Parsed<Property> {
        let sequence = self.sequence()?;
        let implied = self.is_symbol("|") && (self.follows("->") || self.follows("="));
        if implied {
            self.at += 1;
            let overlapping = self.take_symbol("->");
            if !overlapping {
                self.expect("=")?;
                self.expect(">")?;
            }
            let then = self.psl_level(NEXT)?.property();
            let sequence = match overlapping {
                true => sequence,
                false => sequence.then(Sequence::Any),
            };
            return Ok(Psl::After(sequence, Box::new(then)));
        }
        if self.take_symbol("(") {
            let then = self.psl_level(ALWAYS)?.property();
            self.expect(")")?;
            return Ok(Psl::After(sequence, Box::new(then)));
        }
        let strong = self.take_symbol("!");
        Ok(Psl::Matches { strong, sequence })
    }
}

pub(super) fn until(strong: bool) -> Binary {
    match strong {
        true => Binary::Until(None),
        false => Binary::WeakUntil,
    }
}
