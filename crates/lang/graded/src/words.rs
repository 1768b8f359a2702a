//! Words of the language.

use quotient_core::{Diagnostic, Source};
use quotient_language::text::{Comments, Scanner, Token, TokenKind};

/// A word of the language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Word {
    /// A word that begins a statement, or another reserved one.
    Key(&'static str),
    Name,
    Number,
    Text,
    Sign(&'static str),
    End,
}

/// Words that begin statements: recovery goes on at them.
pub(crate) const STATEMENTS: [&str; 15] = [
    "grades",
    "values",
    "order",
    "one",
    "compose",
    "implies",
    "star",
    "states",
    "initial",
    "prop",
    "program",
    "variable",
    "transitions",
    "labels",
    "check",
];

const OTHERS: [&str; 7] = [
    "at",
    "everywhere",
    "somewhere",
    "when",
    "grade",
    "as",
    "true",
];

const SIGNS: [&str; 31] = [
    "<->", "->", "<=", ">=", "!=", "==", ":=", "..", "<", ">", "=", ";", "+", "*", "?", "!", "&",
    "|", "(", ")", "[", "]", "{", "}", ",", ":", "-", "/", "%", "~", "∞",
];

impl TokenKind for Word {
    const END: Word = Word::End;

    fn describe(self) -> Option<String> {
        match self {
            Word::Key(word) | Word::Sign(word) => Some(format!("`{word}`")),
            Word::Name => Some("a name".to_owned()),
            Word::Number => Some("a number".to_owned()),
            Word::Text => Some("a file in double quotes".to_owned()),
            Word::End => None,
        }
    }
}

/// The words of a text, and what is wrong with it.
pub(crate) fn words(source: &Source) -> (Vec<Token<Word>>, Vec<Diagnostic>) {
    let mut scanner = Scanner::new(
        source,
        Comments {
            line: &["#", "//"],
            block: None,
        },
    );
    let mut tokens = Vec::new();
    let mut mistakes = Vec::new();
    loop {
        if let Err(mistake) = scanner.skip_blanks() {
            mistakes.push(mistake);
        }
        if scanner.is_at_end() || mistakes.len() > 20 {
            return (tokens, mistakes);
        }
        let (kind, span) = if let Some(span) = scanner.word() {
            let text = scanner.text(span);
            let reserved = STATEMENTS.iter().chain(&OTHERS).find(|word| **word == text);
            (reserved.map_or(Word::Name, |word| Word::Key(word)), span)
        } else if let Some(mut span) = scanner.digits() {
            let rest = |at: usize| source.text().get(at..).unwrap_or_default().as_bytes();
            for sign in [b'.', b'/'] {
                let follows = rest(span.end);
                if follows.first() == Some(&sign) && follows.get(1).is_some_and(u8::is_ascii_digit)
                {
                    scanner.bump();
                    span = span.to(scanner.digits().unwrap_or(span));
                }
            }
            (Word::Number, span)
        } else if scanner.peek() == Some('"') {
            let start = scanner.position();
            scanner.bump();
            scanner.take_while(|letter| letter != '"' && letter != '\n');
            if scanner.peek() != Some('"') {
                let span = quotient_core::Span::new(start, start + 1);
                let mistake = Diagnostic::error("syntax", "this text has no end");
                mistakes.push(mistake.at(source, span, "").help("close it with `\"`"));
                continue;
            }
            scanner.bump();
            (
                Word::Text,
                quotient_core::Span::new(start, scanner.position()),
            )
        } else if let Some((sign, span)) = scanner.one_of(&SIGNS) {
            (Word::Sign(sign), span)
        } else {
            mistakes.push(scanner.stray());
            continue;
        };
        tokens.push(Token { kind, span });
    }
}

/// A text for a message, not longer than a line.
pub(crate) fn short(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
