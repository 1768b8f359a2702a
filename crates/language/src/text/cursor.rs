//! Words to trees.

use quotient_core::{Diagnostic, Source, Span};

/// A word of a text with its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token<K> {
    /// What it is.
    pub kind: K,
    /// Where it stands.
    pub span: Span,
}

/// What words there are in a language.
pub trait TokenKind: Copy + PartialEq {
    /// The end of the text.
    const END: Self;

    /// What it is called in messages, for words that are always written alike: `` `(` ``.
    fn describe(self) -> Option<String>;
}

/// What a rule of a parser gives: a part of the tree, or a mistake.
pub type Parsed<T> = Result<T, Diagnostic>;

/// Walks over tokens, and says what is wrong where something else was expected.
///
/// The last token is always the end, which repeats for ever.
#[derive(Debug)]
pub struct Cursor<'a, K> {
    source: &'a Source,
    tokens: Vec<Token<K>>,
    at: usize,
    depth: u32,
    deepest: u32,
    mistakes: Vec<Diagnostic>,
}

/// How deeply texts may nest: far beyond what people write, far within the stack.
const DEEPEST: u32 = 200;
/// After so many mistakes the rest is mostly noise.
const MOST_MISTAKES: usize = 20;

impl<'a, K: TokenKind> Cursor<'a, K> {
    /// Begins at the first token; the end is added.
    pub fn new(source: &'a Source, mut tokens: Vec<Token<K>>) -> Cursor<'a, K> {
        let end = source.text().len();
        tokens.push(Token {
            kind: K::END,
            span: Span::new(end, end),
        });
        Cursor {
            source,
            tokens,
            at: 0,
            depth: 0,
            deepest: DEEPEST,
            mistakes: Vec::new(),
        }
    }

    /// With another limit on how deeply texts may nest.
    #[must_use]
    pub fn deepest(mut self, deepest: u32) -> Self {
        self.deepest = deepest;
        self
    }

    /// The text that the tokens come from.
    pub fn source(&self) -> &'a Source {
        self.source
    }

    /// The token at hand.
    pub fn peek(&self) -> Token<K> {
        self.peek_at(0)
    }

    /// A token further on.
    pub fn peek_at(&self, ahead: usize) -> Token<K> {
        self.tokens[(self.at + ahead).min(self.tokens.len() - 1)]
    }

    /// Whether the token at hand is of this kind.
    pub fn is(&self, kind: K) -> bool {
        self.peek().kind == kind
    }

    /// Whether all was read.
    pub fn is_at_end(&self) -> bool {
        self.is(K::END)
    }

    /// The token at hand, and on to the next.
    pub fn advance(&mut self) -> Token<K> {
        let token = self.peek();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    /// The number of tokens read: to see whether a rule got anywhere.
    pub fn position(&self) -> usize {
        self.at
    }

    /// Goes back to an earlier position.
    pub fn rewind(&mut self, position: usize) {
        self.at = position.min(self.at);
    }

    /// Where the token before the one at hand ends.
    pub fn last_end(&self) -> usize {
        self.at
            .checked_sub(1)
            .map_or(0, |before| self.tokens[before].span.end)
    }

    /// The place from a start to the end of what was read.
    pub fn span_from(&self, start: usize) -> Span {
        Span::new(start, self.last_end())
    }

    /// The text of a place.
    pub fn text(&self, span: Span) -> &'a str {
        self.source.text().get(span.range()).unwrap_or_default()
    }

    /// Takes the token at hand if it is of this kind.
    pub fn takes(&mut self, kind: K) -> bool {
        let is = self.is(kind);
        if is {
            self.advance();
        }
        is
    }

    /// Takes a token of this kind, or says that it was expected.
    pub fn expect(&mut self, kind: K) -> Parsed<Span> {
        match self.is(kind) {
            true => Ok(self.advance().span),
            false => {
                let what = kind
                    .describe()
                    .unwrap_or_else(|| "something else".to_owned());
                Err(self.unexpected(&what))
            }
        }
    }

    /// The mistake that something else was expected at the token at hand.
    pub fn unexpected(&self, expected: &str) -> Diagnostic {
        let token = self.peek();
        let found = match token.kind == K::END {
            true => "the end of the text".to_owned(),
            false => format!("`{}`", self.text(token.span)),
        };
        let message = format!("expected {expected}, found {found}");
        Diagnostic::error("syntax", message).at(self.source, token.span, "")
    }

    /// Runs a rule one level deeper; too deep is a mistake, not a crash.
    pub fn nested<T>(&mut self, rule: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.enter()?;
        let result = rule(self);
        self.leave();
        result
    }

    /// One level deeper, for parsers that keep a cursor inside; [`leave`](Cursor::leave) undoes it.
    pub fn enter(&mut self) -> Parsed<()> {
        if self.depth >= self.deepest {
            let message = format!("this nests more than {} levels deep", self.deepest);
            return Err(Diagnostic::error("too-deep", message)
                .at(self.source, self.peek().span, "")
                .help("name a part of it and use the name"));
        }
        self.depth += 1;
        Ok(())
    }

    /// One level up again.
    pub fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    /// Notes a mistake and goes on.
    pub fn mistake(&mut self, mistake: Diagnostic) {
        self.mistakes.push(mistake);
    }

    /// Whether there are so many mistakes that the rest is mostly noise.
    pub fn is_hopeless(&self) -> bool {
        self.mistakes.len() >= MOST_MISTAKES
    }

    /// Goes on to the next token that fits (or the end), at least one further than `from`.
    pub fn recover(&mut self, from: usize, fits: impl Fn(K) -> bool) {
        if self.at == from {
            self.advance();
        }
        while !self.is_at_end() && !fits(self.peek().kind) {
            self.advance();
        }
    }

    /// All mistakes, if there were any.
    pub fn finish<T>(self, tree: T) -> Result<T, Vec<Diagnostic>> {
        match self.mistakes.is_empty() {
            true => Ok(tree),
            false => Err(self.mistakes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{Comments, Scanner};

    #[derive(Debug, Clone, Copy, PartialEq)]
    enum Word {
        Name,
        Open,
        Close,
        End,
    }

    impl TokenKind for Word {
        const END: Word = Word::End;
        fn describe(self) -> Option<String> {
            match self {
                Word::Open => Some("`(`".into()),
                Word::Close => Some("`)`".into()),
                _ => None,
            }
        }
    }

    fn tokens(source: &Source) -> Vec<Token<Word>> {
        let mut scanner = Scanner::new(source, Comments::HASH);
        let mut tokens = Vec::new();
        loop {
            scanner.skip_blanks().unwrap();
            let (kind, span) = if let Some(span) = scanner.word() {
                (Word::Name, span)
            } else if let Some((sign, span)) = scanner.one_of(&["(", ")"]) {
                (if sign == "(" { Word::Open } else { Word::Close }, span)
            } else {
                return tokens;
            };
            tokens.push(Token { kind, span });
        }
    }

    /// `x` or `( … )`, by depth.
    fn group(cursor: &mut Cursor<'_, Word>) -> Parsed<usize> {
        cursor.nested(|cursor| match cursor.takes(Word::Open) {
            true => {
                let inner = group(cursor)?;
                cursor.expect(Word::Close)?;
                Ok(inner + 1)
            }
            false => cursor.expect(Word::Name).map(|_| 0),
        })
    }

    fn parse(text: &str) -> Parsed<usize> {
        let source = Source::new("t", text);
        let mut cursor = Cursor::new(&source, tokens(&source));
        group(&mut cursor)
    }

    #[test]
    fn rules_nest_to_a_limit() {
        assert_eq!(parse("((x)) # deep"), Ok(2));
        let deep = "(".repeat(5000);
        assert_eq!(parse(&deep).unwrap_err().code, "too-deep");
    }

    #[test]
    fn what_was_expected_is_said_where_it_is_missing() {
        let error = parse("((x)").unwrap_err();
        assert_eq!(error.message, "expected `)`, found the end of the text");
        assert_eq!(error.labels[0].span, Span::new(4, 4));
    }

    #[test]
    fn recovery_gets_further() {
        let source = Source::new("t", ") ) ( x");
        let mut cursor = Cursor::new(&source, tokens(&source));
        let start = cursor.position();
        let mistake = group(&mut cursor).unwrap_err();
        cursor.mistake(mistake);
        cursor.recover(start, |kind| kind == Word::Open);
        assert!(cursor.is(Word::Open));
        assert_eq!(cursor.finish(()).unwrap_err().len(), 1);
    }
}
