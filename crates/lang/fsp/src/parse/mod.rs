//! Words to a tree, by recursive descent.

mod animation;
mod composite;
mod definition;
mod expression;
mod formula;
mod label;
mod left_out;
mod mtsa;
mod process;
mod recover;

use quotient_core::{Diagnostic, Source, Span};
use rustc_hash::FxHashSet;

use crate::lexer::{Words, lex};
use crate::syntax::{Name, Specification};
use crate::token::{Kind, Token};

/// How deep brackets, conditions and formulas may be nested. People write four levels;
/// the limit keeps malicious texts from exhausting the stack.
const DEEPEST: u32 = 100;

/// How many operators one expression or formula may have: each may make the tree a level deeper.
const MOST_OPERATORS: u32 = 1000;

/// After this many mistakes the rest is mostly noise.
pub(crate) const MOST_ERRORS: usize = 20;

/// Reads an FSP text. On success there may be warnings; else all mistakes are told, in the order
/// of the text.
///
/// ```
/// use quotient_core::Source;
/// let source = Source::new("lamp.lts", "LAMP = (on -> off -> LAMP).");
/// let (specification, warnings) = quotient_fsp::parse(&source).unwrap();
/// assert_eq!(specification.definitions.len(), 1);
/// assert!(warnings.is_empty());
/// ```
pub fn parse(source: &Source) -> Result<(Specification, Vec<Diagnostic>), Vec<Diagnostic>> {
    let Words {
        tokens,
        errors: not_words,
        warnings,
    } = lex(source);
    let mut parser = Parser {
        source,
        tokens,
        at: 0,
        depth: 0,
        operators: 0,
        counting: false,
        sets: FxHashSet::default(),
        ranges: FxHashSet::default(),
        read_over: FxHashSet::default(),
        errors: Vec::new(),
        warnings,
    };
    let specification = parser.specification();
    let errors = recover::all_mistakes(source, not_words, parser.errors);
    match errors.is_empty() {
        true => Ok((specification, parser.warnings)),
        false => Err(errors),
    }
}

struct Parser<'a> {
    source: &'a Source,
    tokens: Vec<Token>,
    at: usize,
    depth: u32,
    /// The operators of the outermost expression or formula so far, and whether it is open.
    operators: u32,
    counting: bool,
    /// The sets and ranges defined so far: FSP needs them to tell `S.a -> …` (a label) from
    /// `P` (a process), so a set has to be defined before it is used.
    sets: FxHashSet<String>,
    ranges: FxHashSet<String>,
    /// The definitions of MTSA that are not there for what follows.
    read_over: FxHashSet<String>,
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
}

type Parsed<T> = Result<T, Diagnostic>;

impl<'a> Parser<'a> {
    fn token(&self) -> Token {
        self.tokens[self.at]
    }

    fn kind(&self) -> Kind {
        self.token().kind
    }

    /// The kind of a word further on.
    fn kind_after(&self, words: usize) -> Kind {
        let last = self.tokens.len() - 1;
        self.tokens[(self.at + words).min(last)].kind
    }

    fn text(&self, span: Span) -> &'a str {
        &self.source.text()[span.range()]
    }

    fn word(&self) -> &'a str {
        self.text(self.token().span)
    }

    fn advance(&mut self) -> Token {
        let token = self.token();
        if token.kind != Kind::End {
            self.at += 1;
        }
        token
    }

    fn take(&mut self, kind: Kind) -> Option<Token> {
        (self.kind() == kind).then(|| self.advance())
    }

    /// The next word, which has to be of this kind; `what` says what is expected.
    fn expect(&mut self, kind: Kind, what: &str) -> Parsed<Token> {
        match self.take(kind) {
            Some(token) => Ok(token),
            None => Err(self.unexpected(what)),
        }
    }

    /// An identifier with a capital first letter.
    fn upper(&mut self, what: &str) -> Parsed<Name> {
        if self.kind() == Kind::Lower {
            let word = self.word();
            return Err(self.unexpected(what).help(format!(
                "`{word}` is a label because it does not start with a capital letter; \
                 names of processes, constants, ranges and sets do"
            )));
        }
        let token = self.expect(Kind::Upper, what)?;
        Ok(self.name(token))
    }

    fn name(&self, token: Token) -> Name {
        Name {
            text: self.text(token.span).to_string(),
            span: token.span,
        }
    }

    /// The end of the word before the next one.
    fn end_of_last(&self) -> usize {
        match self.at {
            0 => 0,
            at => self.tokens[at - 1].span.end,
        }
    }

    fn since(&self, start: usize) -> Span {
        Span::new(start, self.end_of_last())
    }

    fn unexpected(&self, what: &str) -> Diagnostic {
        let token = self.token();
        let found = match token.kind {
            Kind::End => "the end of the text".to_string(),
            _ => format!("`{}`", self.text(token.span)),
        };
        let diagnostic = Diagnostic::error("syntax", format!("expected {what}, found {found}")).at(
            self.source,
            token.span,
            format!("expected {what}"),
        );
        match (token.kind, what) {
            (Kind::Becomes, _) if self.kind_after(1) == Kind::Greater => {
                diagnostic.help("an arrow is written `->`")
            }
            (Kind::Becomes, "`)`" | "`]`" | "`then`") => {
                diagnostic.help("`==` compares, `=` defines")
            }
            (Kind::Bar, "an operator or `)`") => diagnostic.help("or is written `||` in a formula"),
            (Kind::Ampersand, "an operator or `)`") => {
                diagnostic.help("and is written `&&` in a formula")
            }
            _ => diagnostic,
        }
    }

    /// Runs a part of the parser one level deeper.
    fn nested<T>(&mut self, part: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth == DEEPEST {
            return Err(Diagnostic::error("too-deep", "this is nested too deeply")
                .at(self.source, self.token().span, format!("level {DEEPEST}"))
                .help("give the inner part a name of its own"));
        }
        self.depth += 1;
        let result = part(self);
        self.depth -= 1;
        result
    }

    /// Runs a part of the parser that reads an expression or a formula, counting operators from
    /// the outermost one on.
    fn counted<T>(&mut self, part: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.counting {
            return part(self);
        }
        self.counting = true;
        self.operators = 0;
        let result = part(self);
        self.counting = false;
        result
    }

    /// Counts one more operator.
    fn operator(&mut self) -> Parsed<()> {
        if self.operators < MOST_OPERATORS {
            self.operators += 1;
            return Ok(());
        }
        Err(
            Diagnostic::error("too-long", "there are too many operators in one expression")
                .at(
                    self.source,
                    self.token().span,
                    format!("more than {MOST_OPERATORS}"),
                )
                .help("give parts of it names of their own"),
        )
    }
}
