//! Words of functions and formulas.

use quotient_core::{Diagnostic, Source, Span};
use quotient_language::text::{Comments, Scanner, Token, TokenKind};

/// A word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Word {
    Name,
    Number,
    Sign(&'static str),
    End,
}

const SIGNS: [&str; 17] = [
    "<=>", "<->", "=>", "->", "&&", "||", "!", "~", "&", "|", "^", "(", ")", "{", "}", ":", "@",
];

impl TokenKind for Word {
    const END: Word = Word::End;

    fn describe(self) -> Option<String> {
        match self {
            Word::Sign(word) => Some(format!("`{word}`")),
            Word::Name => Some("a name".to_owned()),
            Word::Number => Some("0 or 1".to_owned()),
            Word::End => None,
        }
    }
}

/// The words of a part of a text, and what is wrong with it.
pub(crate) fn words(source: &Source, part: Span) -> (Vec<Token<Word>>, Vec<Diagnostic>) {
    // Blanks instead of the rest keep the places right.
    let text = source.text();
    let before: String = text[..part.start]
        .chars()
        .map(|letter| if letter == '\n' { '\n' } else { ' ' })
        .collect();
    let padding = " ".repeat(part.start - before.len().min(part.start));
    let own = Source::new(
        source.name(),
        format!("{before}{padding}{}", &text[part.range()]),
    );
    let mut scanner = Scanner::new(&own, Comments::NONE);
    let (mut tokens, mut mistakes) = (Vec::new(), Vec::new());
    loop {
        let _ = scanner.skip_blanks();
        if scanner.is_at_end() || mistakes.len() > 20 {
            return (tokens, mistakes);
        }
        let (kind, span) = if let Some(span) = scanner.digits() {
            // `3{x}:` is a quantifier; other names do not begin with digits.
            (Word::Number, span)
        } else if let Some(span) = scanner.word() {
            let more =
                scanner.take_while(|letter| letter.is_alphanumeric() || "_.[]".contains(letter));
            (Word::Name, span.to(more))
        } else if let Some((sign, span)) = scanner.one_of(&SIGNS) {
            (Word::Sign(sign), span)
        } else {
            let mut mistake = scanner.stray();
            mistake.source = mistake.source.map(|_| source.clone());
            mistakes.push(mistake);
            continue;
        };
        tokens.push(Token { kind, span });
    }
}
