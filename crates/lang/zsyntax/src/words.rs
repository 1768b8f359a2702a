//! The words of the text form.

use quotient_core::{Diagnostic, Source, Span};
use quotient_language::text::{Comments, Scanner, Token, TokenKind};

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Word {
    Name,
    Number,
    And,
    Star,
    Plus,
    Equals,
    Arrow,
    Both,
    Colon,
    Open,
    Close,
    Line,
    /// A formula about runs, up to the end of its line.
    Formula,
    End,
}

impl TokenKind for Word {
    const END: Word = Word::End;

    fn describe(self) -> Option<String> {
        let text = match self {
            Word::And => "`&`",
            Word::Star => "`*`",
            Word::Plus => "`+`",
            Word::Equals => "`=`",
            Word::Arrow => "`->`",
            Word::Both => "`<->`",
            Word::Colon => "`:`",
            Word::Open => "`(`",
            Word::Close => "`)`",
            Word::Line => "the end of the line",
            Word::Name => "the name of a molecule",
            Word::Number => "a number",
            Word::Formula => "a formula",
            Word::End => return None,
        };
        Some(text.to_owned())
    }
}

/// The words of a text, and signs that are none.
pub(crate) fn tokens(source: &Source) -> (Vec<Token<Word>>, Vec<Diagnostic>) {
    const SIGNS: [(&str, Word); 10] = [
        ("<->", Word::Both),
        ("->", Word::Arrow),
        ("&", Word::And),
        ("*", Word::Star),
        ("+", Word::Plus),
        ("=", Word::Equals),
        (":", Word::Colon),
        ("(", Word::Open),
        (")", Word::Close),
        ("\n", Word::Line),
    ];
    let mut scanner = Scanner::new(source, Comments::NONE);
    let (mut tokens, mut mistakes) = (Vec::new(), Vec::new());
    loop {
        scanner.take_while(|letter| letter.is_whitespace() && letter != '\n');
        if scanner.peek() == Some('#') {
            scanner.take_while(|letter| letter != '\n');
        }
        if scanner.is_at_end() {
            return (tokens, mistakes);
        }
        let word = scanner.take_while(|letter| letter.is_alphanumeric() || letter == '_');
        if word.start < word.end {
            let begins = tokens
                .last()
                .is_none_or(|last: &Token<Word>| last.kind == Word::Line);
            if begins && scanner.text(word) == "ltl" && is_formula(&source.text()[word.end..]) {
                tokens.push(Token {
                    kind: Word::Name,
                    span: word,
                });
                tokens.extend(formula(source, word.end));
                let end = tokens.last().map_or(word.end, |last| last.span.end);
                while scanner.position() < end && scanner.bump().is_some() {}
                continue;
            }
            let digits = scanner.text(word).bytes().all(|byte| byte.is_ascii_digit());
            tokens.push(Token {
                kind: if digits { Word::Number } else { Word::Name },
                span: word,
            });
            continue;
        }
        if let Some((sign, span)) = scanner.one_of(&SIGNS.map(|(sign, _)| sign)) {
            let kind = SIGNS.iter().find(|(text, _)| *text == sign);
            tokens.extend(kind.map(|&(_, kind)| Token { kind, span }));
            continue;
        }
        if scanner.peek() == Some('"') {
            let start = scanner.position();
            scanner.bump();
            scanner.take_while(|letter| letter != '"' && letter != '\n');
            scanner.bump();
            tokens.push(Token {
                kind: Word::Name,
                span: Span::new(start, scanner.position()),
            });
            continue;
        }
        if mistakes.len() < 20 {
            mistakes.push(scanner.stray());
        } else {
            scanner.bump();
        }
    }
}

/// Whether `ltl` begins a question, and is not a molecule that reacts or the name of a reaction.
fn is_formula(rest: &str) -> bool {
    let next = rest.trim_start_matches(|letter: char| letter.is_whitespace() && letter != '\n');
    next.len() < rest.len() && !next.starts_with(['*', '-', '<', '&', ':', '\n', '#'])
}

/// What stands behind `ltl`: a name with a colon, if there is one, and the rest of the line.
fn formula(source: &Source, from: usize) -> Vec<Token<Word>> {
    let text = source.text();
    let skip = |at: usize| text.len() - text[at..].trim_start_matches([' ', '\t', '\r']).len();
    let mut begin = skip(from);
    let mut tokens = Vec::new();
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let rest = &text[begin..];
    let end = begin + rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
    let colon = skip(end);
    if end > begin && text[colon..].starts_with(':') {
        let name = Span::new(begin, end);
        tokens.push(Token {
            kind: Word::Name,
            span: name,
        });
        tokens.push(Token {
            kind: Word::Colon,
            span: Span::new(colon, colon + 1),
        });
        begin = skip(colon + 1);
    }
    let mut quoted = false;
    let stops = |letter: char| {
        quoted ^= letter == '"';
        letter == '\n' || letter == '#' && !quoted
    };
    let rest = &text[begin..];
    let end = rest.find(stops).unwrap_or(rest.len());
    let end = begin + rest[..end].trim_end().len();
    if end > begin {
        tokens.push(Token {
            kind: Word::Formula,
            span: Span::new(begin, end),
        });
    }
    tokens
}

/// Whether `commutative` is a line of its own, and not a molecule in a line that goes on.
pub(crate) fn is_commutative(source: &Source, tokens: &[Token<Word>]) -> bool {
    let goes_on = |kind| matches!(kind, Word::And | Word::Arrow | Word::Both);
    tokens.iter().enumerate().any(|(at, token)| {
        let begins = at == 0 || tokens[at - 1].kind == Word::Line;
        let ends = tokens
            .get(at + 1)
            .is_none_or(|next| next.kind == Word::Line);
        let mut before = tokens[..at].iter().rev().map(|one| one.kind);
        let before = before.find(|kind| *kind != Word::Line);
        let is = token.kind == Word::Name && &source.text()[token.span.range()] == "commutative";
        is && begins && ends && !before.is_some_and(goes_on)
    })
}
