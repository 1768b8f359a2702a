//! From text to an expression, by recursive descent.

use quotient_core::{Diagnostic, Source, Span};

use super::lexer::{Kind, Token, tokens};
use super::term::Term;
use crate::{Alphabet, Predicate};

/// How deep parentheses, complements and repetitions may be nested.
const MAX_DEPTH: usize = 128;

/// How often a part may be repeated, in one repetition.
const MAX_REPEAT: u32 = 1000;

/// How many letters and signs there may be with repetitions written out.
const MAX_SIZE: u64 = 1_000_000;

pub(super) fn parse(source: &Source, alphabet: &Alphabet) -> Result<Term, Diagnostic> {
    let mut parser = Parser {
        source,
        alphabet,
        tokens: tokens(source)?,
        at: 0,
    };
    let (term, _) = parser.alternatives(0)?;
    match parser.peek() {
        Kind::End => {}
        Kind::Sign(')') => {
            return Err(parser
                .unexpected("this parenthesis was never opened")
                .help("remove it, or write `(` where the group begins"));
        }
        _ => return Err(parser.unexpected("expected an expression")),
    }
    let size = term.unfolded_size();
    if size > MAX_SIZE {
        let all = Span::new(0, source.text().len());
        let text = format!("{size} letters and signs with all repetitions written out");
        return Err(
            Diagnostic::error("expression-size", "the expression is too large")
                .at(source, all, text)
                .note(format!("at most {MAX_SIZE} are allowed")),
        );
    }
    Ok(term)
}

struct Parser<'a> {
    source: &'a Source,
    alphabet: &'a Alphabet,
    tokens: Vec<Token<'a>>,
    at: usize,
}

/// A term and how deep it is nested.
type Nested = Result<(Term, usize), Diagnostic>;

impl<'a> Parser<'a> {
    fn peek(&self) -> &Kind<'a> {
        &self.tokens[self.at].kind
    }

    fn span(&self) -> Span {
        self.tokens[self.at].span
    }

    fn take_sign(&mut self, sign: char) -> bool {
        let found = *self.peek() == Kind::Sign(sign);
        self.at += usize::from(found);
        found
    }

    fn alternatives(&mut self, depth: usize) -> Nested {
        self.list(depth, Some('|'), Parser::conjunction, Term::Union)
    }

    fn conjunction(&mut self, depth: usize) -> Nested {
        self.list(depth, Some('&'), Parser::sequence, Term::Intersection)
    }

    fn sequence(&mut self, depth: usize) -> Nested {
        self.list(depth, None, Parser::complement, Term::Concatenation)
    }

    /// Parts with a sign between them, or side by side.
    fn list(
        &mut self,
        depth: usize,
        between: Option<char>,
        part: impl Fn(&mut Self, usize) -> Nested,
        whole: impl Fn(Vec<Term>) -> Term,
    ) -> Nested {
        let (first, mut deepest) = part(self, depth)?;
        let mut parts = vec![first];
        while match between {
            Some(sign) => self.take_sign(sign),
            None => self.is_start(),
        } {
            let (next, depth) = part(self, depth)?;
            parts.push(next);
            deepest = deepest.max(depth);
        }
        if parts.len() == 1 {
            return Ok((parts.remove(0), deepest));
        }
        self.nested(whole(parts), deepest + 1)
    }

    /// Whether an expression begins here.
    fn is_start(&self) -> bool {
        matches!(
            self.peek(),
            Kind::Bare(_) | Kind::Quoted(_) | Kind::Sign('[' | '.' | '~' | '(')
        )
    }

    fn complement(&mut self, depth: usize) -> Nested {
        if !self.take_sign('~') {
            return self.repetition(depth);
        }
        self.check_depth(depth + 1)?;
        let (term, inner) = self.complement(depth + 1)?;
        self.nested(Term::complement(term), inner + 1)
    }

    fn repetition(&mut self, depth: usize) -> Nested {
        let (mut term, mut inner) = self.atom(depth)?;
        loop {
            let (least, most) = if self.take_sign('*') {
                (0, None)
            } else if self.take_sign('+') {
                (1, None)
            } else if self.take_sign('?') {
                (0, Some(1))
            } else if *self.peek() == Kind::Sign('{') {
                self.bounds()?
            } else {
                return Ok((term, inner));
            };
            (term, inner) = self.nested(term.repeat(least, most), inner + 1)?;
        }
    }

    /// `{3}`, `{2,4}`, `{2,}` or `{,4}`.
    fn bounds(&mut self) -> Result<(u32, Option<u32>), Diagnostic> {
        let start = self.span();
        self.at += 1;
        let least = self.number()?;
        let (least, most) = if self.take_sign(',') {
            (least.unwrap_or(0), self.number()?)
        } else {
            match least {
                Some(count) => (count, Some(count)),
                None => return Err(self.unexpected("expected a number of times")),
            }
        };
        let end = self.span();
        if !self.take_sign('}') {
            return Err(self.unexpected("expected `}` after the number of times"));
        }
        if most.is_some_and(|most| most < least) {
            let message = "the upper bound is below the lower";
            return Err(Diagnostic::error("expression-syntax", message)
                .at(self.source, start.to(end), "no number of times fits")
                .help("write the smaller number first"));
        }
        Ok((least, most))
    }

    fn number(&mut self) -> Result<Option<u32>, Diagnostic> {
        let Kind::Bare(text) = *self.peek() else {
            return Ok(None);
        };
        if !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(self.unexpected("expected a number of times"));
        }
        match text.parse::<u32>() {
            Ok(number) if number <= MAX_REPEAT => {
                self.at += 1;
                Ok(Some(number))
            }
            _ => Err(Diagnostic::error("expression-size", "too many repetitions")
                .at(self.source, self.span(), format!("more than {MAX_REPEAT}"))
                .help("use `*` or `+` for any number")),
        }
    }

    fn atom(&mut self, depth: usize) -> Nested {
        if self.take_sign('(') {
            self.check_depth(depth + 1)?;
            if self.take_sign(')') {
                return Ok((Term::EmptyWord, 0));
            }
            let open = self.tokens[self.at - 1].span;
            let nested = self.alternatives(depth + 1)?;
            if !self.take_sign(')') {
                return Err(self.unexpected("expected `)`").at(
                    self.source,
                    open,
                    "the group begins here",
                ));
            }
            return Ok(nested);
        }
        if self.take_sign('.') {
            return Ok((Term::any(self.alphabet), 0));
        }
        if self.take_sign('[') {
            return Ok((self.class()?, 0));
        }
        if matches!(self.peek(), Kind::Bare("ε")) && self.alphabet.letter("ε").is_none() {
            self.at += 1;
            return Ok((Term::EmptyWord, 0));
        }
        match self.letter()? {
            Some(letters) => Ok((Term::Letters(letters), 0)),
            None => Err(self.unexpected("expected an expression")),
        }
    }

    /// A class of letters after its `[`.
    fn class(&mut self) -> Result<Term, Diagnostic> {
        let open = self.tokens[self.at - 1].span;
        let negated = self.take_sign('^');
        let mut letters = Predicate::none(self.alphabet);
        while let Some(letter) = self.letter()? {
            letters.or_assign(&letter);
        }
        if !self.take_sign(']') {
            return Err(self.unexpected("expected a letter or `]`").at(
                self.source,
                open,
                "the class begins here",
            ));
        }
        Ok(Term::letters(if negated { letters.not() } else { letters }))
    }

    fn letter(&mut self) -> Result<Option<Predicate>, Diagnostic> {
        let token = &self.tokens[self.at];
        let name = match &token.kind {
            Kind::Bare(name) => *name,
            Kind::Quoted(name) => name.as_str(),
            _ => return Ok(None),
        };
        let Some(letter) = self.alphabet.letter(name) else {
            return Err(self.unknown(name, token.span));
        };
        self.at += 1;
        Ok(Some(Predicate::of(self.alphabet, [letter])))
    }

    fn unknown(&self, name: &str, span: Span) -> Diagnostic {
        let message = format!("`{name}` is not a letter of the alphabet");
        let diagnostic = Diagnostic::error("unknown-letter", message)
            .at(self.source, span, "not in the alphabet")
            .did_you_mean(name, self.alphabet.names());
        // A beginner's slip: letters are names, so that `ab` is one letter.
        let single = |c: char| self.alphabet.letter(c.encode_utf8(&mut [0; 4])).is_some();
        if name.chars().count() > 1 && name.chars().all(single) {
            let apart: Vec<String> = name.chars().map(String::from).collect();
            return diagnostic.help(format!(
                "letters are separated by blanks: `{}`",
                apart.join(" ")
            ));
        }
        diagnostic
    }

    fn nested(&self, term: Term, depth: usize) -> Nested {
        self.check_depth(depth)?;
        Ok((term, depth))
    }

    fn check_depth(&self, depth: usize) -> Result<(), Diagnostic> {
        if depth <= MAX_DEPTH {
            return Ok(());
        }
        let message = "the expression is nested too deeply";
        Err(Diagnostic::error("expression-depth", message).at(
            self.source,
            self.span(),
            format!("more than {MAX_DEPTH} levels"),
        ))
    }

    fn unexpected(&self, expected: &str) -> Diagnostic {
        let found = match self.peek() {
            Kind::End => "found the end".to_owned(),
            Kind::Sign(sign) => format!("found `{sign}`"),
            Kind::Bare(name) => format!("found `{name}`"),
            Kind::Quoted(name) => format!("found the letter `{name}`"),
        };
        Diagnostic::error("expression-syntax", expected).at(self.source, self.span(), found)
    }
}
