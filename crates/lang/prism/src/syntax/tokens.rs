//! Characters to words.

use quotient_core::{Diagnostic, Source};
use quotient_language::text::{Comments, Scanner, Token, TokenKind};

/// A word of the language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Word {
    /// A name or a keyword.
    Name,
    /// A whole number.
    Whole,
    /// A number with a point or an exponent.
    Real,
    /// A text in quotes.
    Quoted,
    /// A sign.
    Sign(&'static str),
    /// The end of the text.
    End,
}

impl TokenKind for Word {
    const END: Word = Word::End;

    fn describe(self) -> Option<String> {
        match self {
            Word::Name => Some("a name".to_owned()),
            Word::Whole | Word::Real => Some("a number".to_owned()),
            Word::Quoted => Some("a name in quotes".to_owned()),
            Word::Sign(sign) => Some(format!("`{sign}`")),
            Word::End => Some("the end of the text".to_owned()),
        }
    }
}

const SIGNS: &[&str] = &[
    "<=>", "=>", "->", "<=", ">=", "!=", "..", "||", "=", "<", ">", "+", "-", "*", "/", "!", "&",
    "|", "?", ":", ";", ",", "(", ")", "[", "]", "{", "}", "'", "^",
];

/// The words of a text, and what is no word.
pub(crate) fn tokens(source: &Source) -> (Vec<Token<Word>>, Vec<Diagnostic>) {
    let mut scanner = Scanner::new(source, Comments::C);
    let mut tokens = Vec::new();
    let mut mistakes = Vec::new();
    loop {
        if let Err(mistake) = scanner.skip_blanks() {
            mistakes.push(mistake);
        }
        let start = scanner.position();
        if scanner.is_at_end() || mistakes.len() > 20 {
            return (tokens, mistakes);
        }
        let kind = if scanner.word().is_some() {
            Word::Name
        } else if scanner.digits().is_some() || starts_with_point(source, start) {
            number(source, &mut scanner)
        } else if scanner.peek() == Some('"') {
            scanner.bump();
            scanner.take_while(|letter| letter != '"' && letter != '\n');
            match scanner.one_of(&["\""]) {
                Some(_) => Word::Quoted,
                None => {
                    let span = quotient_core::Span::new(start, scanner.position());
                    let message = "this name in quotes has no end";
                    mistakes.push(Diagnostic::error("syntax", message).at(source, span, ""));
                    continue;
                }
            }
        } else if let Some((sign, _)) = scanner.one_of(SIGNS) {
            Word::Sign(sign)
        } else {
            mistakes.push(scanner.stray());
            continue;
        };
        let span = quotient_core::Span::new(start, scanner.position());
        tokens.push(Token { kind, span });
    }
}

fn starts_with_point(source: &Source, at: usize) -> bool {
    let mut bytes = source.text().as_bytes()[at..].iter();
    bytes.next() == Some(&b'.') && bytes.next().is_some_and(u8::is_ascii_digit)
}

/// The rest of a number whose whole part was read. Two points are a range, not a fraction.
fn number(source: &Source, scanner: &mut Scanner<'_>) -> Word {
    let mut kind = Word::Whole;
    let rest = &source.text()[scanner.position()..];
    if rest.starts_with('.') && !rest.starts_with("..") {
        kind = Word::Real;
        scanner.bump();
        scanner.digits();
    }
    let rest = &source.text().as_bytes()[scanner.position()..];
    if matches!(rest.first(), Some(b'e' | b'E')) {
        let signed = usize::from(matches!(rest.get(1), Some(b'+' | b'-')));
        if rest.get(1 + signed).is_some_and(u8::is_ascii_digit) {
            kind = Word::Real;
            for _ in 0..=signed {
                scanner.bump();
            }
            scanner.digits();
        }
    }
    kind
}
