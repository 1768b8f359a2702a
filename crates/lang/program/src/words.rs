//! Words of the language.

use quotient_core::{Diagnostic, Source, Span};
use quotient_language::text::{Comments, Scanner, Token, TokenKind};

/// A word of the language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Word {
    Key(&'static str),
    Name,
    Number,
    Sign(&'static str),
    End,
}

/// Words that begin declarations: recovery goes on at them.
pub(crate) const DECLARATIONS: [&str; 4] = ["program", "shared", "process", "check"];

const OTHERS: [&str; 12] = [
    "local", "int", "bool", "if", "else", "while", "await", "skip", "any", "at", "true", "false",
];

const SIGNS: [&str; 32] = [
    "<->", "->", "<=", ">=", "!=", "==", ":=", "..", "[]", "<>", "&&", "||", "<", ">", "=", ";",
    "+", "-", "*", "/", "%", "!", "&", "|", "(", ")", "[", "]", "{", "}", ",", "@",
];

impl TokenKind for Word {
    const END: Word = Word::End;

    fn describe(self) -> Option<String> {
        match self {
            Word::Key(word) | Word::Sign(word) => Some(format!("`{word}`")),
            Word::Name => Some("a name".to_owned()),
            Word::Number => Some("a number".to_owned()),
            Word::End => None,
        }
    }
}

/// The words of a text, and what is wrong with it. A name may have parts: `Customer.1`.
pub(crate) fn words(source: &Source) -> (Vec<Token<Word>>, Vec<Diagnostic>) {
    let comments = Comments {
        line: &["//", "#"],
        block: Some(("/*", "*/")),
    };
    let mut scanner = Scanner::new(source, comments);
    let (mut tokens, mut mistakes) = (Vec::new(), Vec::new());
    loop {
        if let Err(mistake) = scanner.skip_blanks() {
            mistakes.push(mistake);
        }
        if scanner.is_at_end() || mistakes.len() > 20 {
            return (tokens, mistakes);
        }
        let (kind, span) = if let Some(mut span) = scanner.word() {
            let text = scanner.text(span);
            let mut known = DECLARATIONS.iter().chain(&OTHERS);
            match known.find(|word| **word == text) {
                Some(word) => (Word::Key(word), span),
                None => {
                    while follows(source, span.end) {
                        scanner.bump();
                        let part =
                            scanner.take_while(|letter| letter.is_alphanumeric() || letter == '_');
                        span = span.to(part);
                    }
                    (Word::Name, span)
                }
            }
        } else if let Some(span) = scanner.digits() {
            (Word::Number, span)
        } else if scanner.peek() == Some(':')
            && !source.text()[scanner.position()..].starts_with(":=")
        {
            let start = scanner.position();
            scanner.bump();
            (Word::Sign(":"), Span::new(start, start + 1))
        } else if let Some((sign, span)) = scanner.one_of(&SIGNS) {
            (Word::Sign(sign), span)
        } else {
            mistakes.push(scanner.stray());
            continue;
        };
        tokens.push(Token { kind, span });
    }
}

/// Whether a dot and a further part of a name follow.
fn follows(source: &Source, at: usize) -> bool {
    let rest = source.text().get(at..).unwrap_or_default().as_bytes();
    rest.first() == Some(&b'.')
        && rest
            .get(1)
            .is_some_and(|next| next.is_ascii_alphanumeric() || *next == b'_')
}
