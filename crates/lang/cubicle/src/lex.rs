//! Characters to words.

use quotient_core::{Diagnostic, Source, Span};
use quotient_language::text::{Comments, Scanner, Token, TokenKind};

/// The words of the language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A name, or a word that means something by itself.
    Word,
    /// Digits.
    Number,
    /// Digits with a point.
    Decimal,
    /// A sign, written alike everywhere.
    Sign(&'static str),
    End,
}

impl TokenKind for Kind {
    const END: Kind = Kind::End;

    fn describe(self) -> Option<String> {
        match self {
            Kind::Word => Some("a name".into()),
            Kind::Number => Some("a number".into()),
            Kind::Decimal => Some("a decimal number".into()),
            Kind::Sign(sign) => Some(format!("`{sign}`")),
            Kind::End => Some("the end of the text".into()),
        }
    }
}

const SIGNS: &[&str] = &[
    "<=>", "&&", "||", ":=", "<>", "<=", ">=", "=>", "!=", "==", "(", ")", "[", "]", "{", "}", ",",
    ";", ":", "=", "<", ">", "|", "+", "-", "*", ".", "?", "!", "#",
];

/// All words of a text; comments may stand inside comments.
pub(crate) fn words(source: &Source) -> Result<Vec<Token<Kind>>, Diagnostic> {
    let mut scanner = Scanner::new(source, Comments::NONE);
    let mut words = Vec::new();
    loop {
        scanner.skip_blanks()?;
        let start = scanner.position();
        if source.text()[start..].starts_with("(*") {
            skip_comment(source, &mut scanner)?;
            continue;
        }
        if scanner.is_at_end() {
            return Ok(words);
        }
        let (kind, span) = if let Some(span) = scanner.digits() {
            let rest = &source.text()[span.end..];
            // `1.` is a number with a fraction, too, but not behind a `#`: `forall #1. …`.
            let of_process = |word: &Token<Kind>| word.kind == Kind::Sign("#");
            let digit = rest
                .get(1..)
                .is_some_and(|rest| rest.starts_with(|next: char| next.is_ascii_digit()));
            if rest.starts_with('.') && (digit || !words.last().is_some_and(of_process)) {
                scanner.bump();
                scanner.digits();
                (Kind::Decimal, Span::new(span.start, scanner.position()))
            } else {
                (Kind::Number, span)
            }
        } else if let Some(span) = scanner.word() {
            let rest =
                scanner.take_while(|next| next.is_alphanumeric() || next == '_' || next == '\'');
            (Kind::Word, span.to(rest))
        } else if let Some((sign, span)) = scanner.one_of(SIGNS) {
            (Kind::Sign(sign), span)
        } else {
            return Err(scanner.stray());
        };
        words.push(Token { kind, span });
    }
}

fn skip_comment(source: &Source, scanner: &mut Scanner<'_>) -> Result<(), Diagnostic> {
    let start = scanner.position();
    let mut depth = 0usize;
    loop {
        let rest = &source.text()[scanner.position()..];
        if rest.starts_with("(*") {
            depth += 1;
            scanner.bump();
        } else if rest.starts_with("*)") {
            depth -= 1;
            scanner.bump();
        } else if rest.is_empty() {
            return Err(Diagnostic::error("open-comment", "this comment has no end")
                .at(source, Span::new(start, start + 2), "begins here")
                .help("end it with `*)`; every `(*` inside needs one of its own"));
        }
        scanner.bump();
        if depth == 0 {
            return Ok(());
        }
    }
}
