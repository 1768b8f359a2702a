//! The words of a file.

use quotient_core::{Diagnostic, Source};
use quotient_language::text::{Comments, Scanner, Token, TokenKind};

/// A word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Word {
    Name,
    Sign(&'static str),
    End,
}

const SIGNS: [&str; 10] = ["->", "..", "{", "}", ":", ";", "/", ",", "(", ")"];

impl TokenKind for Word {
    const END: Word = Word::End;

    fn describe(self) -> Option<String> {
        match self {
            Word::Sign(sign) => Some(format!("`{sign}`")),
            Word::Name => Some("a name".to_owned()),
            Word::End => None,
        }
    }
}

/// All words of a text, and what is wrong with it.
pub(crate) fn words(source: &Source) -> (Vec<Token<Word>>, Vec<Diagnostic>) {
    let mut scanner = Scanner::new(source, Comments::C);
    let (mut tokens, mut mistakes) = (Vec::new(), Vec::new());
    loop {
        if let Err(mistake) = scanner.skip_blanks() {
            mistakes.push(mistake);
        }
        if scanner.is_at_end() || mistakes.len() > 20 {
            return (tokens, mistakes);
        }
        let name =
            scanner.take_while(|letter| letter.is_alphanumeric() || "_'#$@".contains(letter));
        let (kind, span) = if name.start < name.end {
            (Word::Name, name)
        } else if let Some((sign, span)) = scanner.one_of(&SIGNS) {
            (Word::Sign(sign), span)
        } else {
            mistakes.push(scanner.stray());
            continue;
        };
        tokens.push(Token { kind, span });
    }
}
