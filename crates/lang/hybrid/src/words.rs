//! Words of the language.

use quotient_core::{Diagnostic, Source, Span};
use quotient_language::text::{Comments, Scanner, Token, TokenKind};

/// A word of the language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Word {
    Key(&'static str),
    Name,
    Number,
    /// Something in quotes.
    Text,
    Sign(&'static str),
    End,
}

/// Words that begin statements: recovery goes on at them.
pub(crate) const STATEMENTS: [&str; 13] = [
    "hybrid",
    "nominal",
    "relation",
    "letter",
    "constant",
    "integer",
    "satisfiable",
    "valid",
    "proof",
    "system",
    "world",
    "arrow",
    "check",
];

const OTHERS: [&str; 6] = ["forall", "down", "A", "E", "true", "false"];

const SIGNS: [&str; 30] = [
    "<=>", "<->", "=>", "->", "&&", "||", "<=", ">=", "!=", "~", "&", "|", "!", "<", ">", "[", "]",
    "(", ")", "{", "}", "@", "=", "+", "-", "*", ":", ".", ",", ";",
];

impl TokenKind for Word {
    const END: Word = Word::End;

    fn describe(self) -> Option<String> {
        match self {
            Word::Key(word) | Word::Sign(word) => Some(format!("`{word}`")),
            Word::Name => Some("a name".to_owned()),
            Word::Number => Some("a number".to_owned()),
            Word::Text => Some("something in quotes".to_owned()),
            Word::End => None,
        }
    }
}

/// The words of a text, and what is wrong with it.
pub(crate) fn words(source: &Source) -> (Vec<Token<Word>>, Vec<Diagnostic>) {
    let mut scanner = Scanner::new(
        source,
        Comments {
            line: &["#", "//", "%"],
            block: None,
        },
    );
    let (mut tokens, mut mistakes) = (Vec::new(), Vec::new());
    loop {
        if let Err(mistake) = scanner.skip_blanks() {
            mistakes.push(mistake);
        }
        if scanner.is_at_end() || mistakes.len() > 20 {
            return (tokens, mistakes);
        }
        let (kind, span) = if let Some(span) = scanner.word() {
            let text = scanner.text(span);
            let known = STATEMENTS.iter().chain(&OTHERS).find(|word| **word == text);
            (known.map_or(Word::Name, |word| Word::Key(word)), span)
        } else if let Some(span) = scanner.digits() {
            (Word::Number, span)
        } else if let Some(span) = quoted(&mut scanner) {
            (Word::Text, span)
        } else if let Some((sign, span)) = scanner.one_of(&SIGNS) {
            (Word::Sign(sign), span)
        } else {
            mistakes.push(scanner.stray());
            continue;
        };
        tokens.push(Token { kind, span });
    }
}

/// Takes something in quotes, which ends in the same line.
fn quoted(scanner: &mut Scanner<'_>) -> Option<Span> {
    if scanner.peek() != Some('"') {
        return None;
    }
    let (_, begin) = scanner.bump()?;
    let inner = scanner.take_while(|letter| letter != '"' && letter != '\n');
    let end = match scanner.peek() {
        Some('"') => scanner.bump().map(|(_, span)| span),
        _ => None,
    };
    Some(begin.to(end.unwrap_or(inner)))
}
