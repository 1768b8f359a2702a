//! Text to words.

use quotient_core::{Diagnostic, Source, Span};

use crate::parse::MOST_ERRORS;
use crate::token::{Kind, Token};

/// The words of a text.
pub(crate) struct Words {
    /// They end with [`Kind::End`].
    pub(crate) tokens: Vec<Token>,
    /// What is no word; it is left out, or another of its kind stands for it.
    pub(crate) errors: Vec<Diagnostic>,
    /// What is odd.
    pub(crate) warnings: Vec<Diagnostic>,
}

/// Splits a text into words.
pub(crate) fn lex(source: &Source) -> Words {
    let mut lexer = Lexer {
        source,
        text: source.text(),
        at: 0,
        errors: Vec::new(),
        warnings: Vec::new(),
    };
    let mut tokens = Vec::new();
    loop {
        lexer.skip_blanks();
        let start = lexer.at;
        let kind = match lexer.errors.len() < MOST_ERRORS {
            true => lexer.next_kind(),
            false => Some(Kind::End),
        };
        if let Some(kind) = kind {
            let span = Span::new(start, lexer.at);
            tokens.push(Token { kind, span });
        }
        if kind == Some(Kind::End) {
            return Words {
                tokens,
                errors: lexer.errors,
                warnings: lexer.warnings,
            };
        }
    }
}

struct Lexer<'a> {
    source: &'a Source,
    text: &'a str,
    at: usize,
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
}

/// Longer symbols before their beginnings.
const SYMBOLS: [(&str, Kind); 50] = [
    ("<->", Kind::Equivalent),
    ("[]", Kind::Always),
    ("||", Kind::Parallel),
    ("&&", Kind::And),
    ("!=", Kind::NotEqual),
    ("<=", Kind::LessOrEqual),
    ("<<", Kind::ShiftLeft),
    ("<>", Kind::Eventually),
    (">=", Kind::GreaterOrEqual),
    (">>", Kind::ShiftRight),
    ("==", Kind::EqualEqual),
    ("..", Kind::DotDot),
    ("->", Kind::Arrow),
    ("::", Kind::Share),
    ("#", Kind::Hash),
    ("'", Kind::Quote),
    ("+", Kind::Plus),
    ("*", Kind::Star),
    ("%", Kind::Percent),
    ("~", Kind::Tilde),
    ("^", Kind::Caret),
    (",", Kind::Comma),
    ("(", Kind::LeftRound),
    (")", Kind::RightRound),
    ("{", Kind::LeftCurly),
    ("}", Kind::RightCurly),
    ("[", Kind::LeftSquare),
    ("]", Kind::RightSquare),
    (";", Kind::Semicolon),
    ("@", Kind::At),
    ("\\", Kind::Backslash),
    ("|", Kind::Bar),
    ("&", Kind::Ampersand),
    ("!", Kind::Not),
    ("<", Kind::Less),
    (">", Kind::Greater),
    ("=", Kind::Becomes),
    (".", Kind::Dot),
    ("-", Kind::Minus),
    (":", Kind::Colon),
    ("/", Kind::Slash),
    // Typed by word processors and copied from lecture slides.
    ("→", Kind::Arrow),
    ("–>", Kind::Arrow),
    ("—>", Kind::Arrow),
    ("−>", Kind::Arrow),
    ("–", Kind::Minus),
    ("−", Kind::Minus),
    ("‖", Kind::Parallel),
    ("’", Kind::Quote),
    ("‘", Kind::Quote),
];

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Blanks and comments.
    fn skip_blanks(&mut self) {
        loop {
            let rest = self.rest();
            let blank: usize = rest
                .chars()
                .take_while(|c| c.is_whitespace() || *c == '\u{feff}')
                .map(char::len_utf8)
                .sum();
            let rest = &rest[blank..];
            if rest.starts_with("//") {
                self.at += blank + rest.find('\n').unwrap_or(rest.len());
            } else if let Some(comment) = rest.strip_prefix("/*") {
                let start = self.at + blank;
                match comment.find("*/") {
                    Some(end) => self.at = start + end + 4,
                    None => {
                        self.at = self.text.len();
                        self.warnings.push(
                            Diagnostic::warning("open-comment", "this comment never ends")
                                .at(self.source, Span::new(start, start + 2), "starts here")
                                .help("close it with `*/`"),
                        );
                    }
                }
            } else {
                self.at += blank;
                return;
            }
        }
    }

    /// The next word; none if what stands here is no word.
    fn next_kind(&mut self) -> Option<Kind> {
        let Some(first) = self.rest().chars().next() else {
            return Some(Kind::End);
        };
        if first.is_ascii_digit() {
            return Some(self.integer());
        }
        if first.is_alphabetic() || first == '_' {
            let length = self.length_while(|c| c.is_alphanumeric() || c == '_');
            let word = &self.rest()[..length];
            let kind = Kind::keyword(word).unwrap_or(if first.is_uppercase() {
                Kind::Upper
            } else {
                Kind::Lower
            });
            self.at += length;
            return Some(kind);
        }
        if first == '"' {
            return Some(self.string());
        }
        for (symbol, kind) in SYMBOLS {
            if self.rest().starts_with(symbol) {
                self.at += symbol.len();
                return Some(kind);
            }
        }
        let span = Span::new(self.at, self.at + first.len_utf8());
        self.at = span.end;
        let error = Diagnostic::error(
            "unexpected-character",
            format!("`{first}` means nothing in FSP"),
        )
        .at(self.source, span, "unexpected character");
        self.errors.push(match first {
            '?' => error.help(
                "modal transitions of MTSA, `a? -> P`, are not read: write `a -> P` for what may \
                 happen, and leave it out for what need not",
            ),
            _ => error,
        });
        None
    }

    fn length_while(&self, accept: impl Fn(char) -> bool) -> usize {
        self.rest()
            .chars()
            .take_while(|&c| accept(c))
            .map(char::len_utf8)
            .sum()
    }

    /// Decimal, or as in C: octal after `0`, hexadecimal after `0x`.
    fn integer(&mut self) -> Kind {
        let length = self.length_while(|c| c.is_ascii_alphanumeric());
        let word = &self.rest()[..length];
        let value = if let Some(digits) = word.strip_prefix("0x").or(word.strip_prefix("0X")) {
            i32::from_str_radix(digits, 16)
        } else if word.len() > 1 && word.starts_with('0') {
            i32::from_str_radix(word, 8)
        } else {
            word.parse()
        };
        let span = Span::new(self.at, self.at + length);
        self.at += length;
        let Ok(value) = value else {
            let diagnostic = Diagnostic::error("bad-number", format!("`{word}` is not a number"))
                .at(self.source, span, "not a number");
            let note = if word.bytes().all(|b| b.is_ascii_digit()) && !word.starts_with('0') {
                format!("numbers go up to {}", i32::MAX)
            } else if word.starts_with('0') {
                "a number that starts with 0 is octal".to_string()
            } else {
                "names start with a letter".to_string()
            };
            self.errors.push(diagnostic.note(note));
            return Kind::Integer(0);
        };
        Kind::Integer(value)
    }

    fn string(&mut self) -> Kind {
        let rest = &self.rest()[1..];
        let end = rest
            .find(['"', '\n'])
            .filter(|&end| rest[end..].starts_with('"'));
        match end {
            Some(end) => self.at += end + 2,
            None => {
                let start = Span::new(self.at, self.at + 1);
                self.errors.push(
                    Diagnostic::error("open-string", "this text has no closing `\"`").at(
                        self.source,
                        start,
                        "starts here",
                    ),
                );
                self.at += 1 + rest.find('\n').unwrap_or(rest.len());
            }
        }
        Kind::Text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Kind> {
        let words = lex(&Source::new("t", text));
        assert!(words.errors.is_empty());
        words.tokens.into_iter().map(|token| token.kind).collect()
    }

    #[test]
    fn longest_symbol_wins() {
        use Kind::*;
        assert_eq!(
            kinds("<-><>[] [ ] <a>>> ..."),
            [
                Equivalent,
                Eventually,
                Always,
                LeftSquare,
                RightSquare,
                Less,
                Lower,
                ShiftRight,
                Greater,
                DotDot,
                Dot,
                End
            ]
        );
    }

    #[test]
    fn comments_are_blanks() {
        assert_eq!(
            kinds("a// b\n/* c * / **/d"),
            [Kind::Lower, Kind::Lower, Kind::End]
        );
    }

    #[test]
    fn numbers_are_those_of_c() {
        assert_eq!(
            kinds("10 010 0x1F 0"),
            [
                Kind::Integer(10),
                Kind::Integer(8),
                Kind::Integer(31),
                Kind::Integer(0),
                Kind::End
            ]
        );
    }

    #[test]
    fn open_comment_is_a_warning() {
        let words = lex(&Source::new("t", "a /* b"));
        assert_eq!((words.errors.len(), words.warnings.len()), (0, 1));
    }

    #[test]
    fn open_string_is_an_error() {
        assert_eq!(lex(&Source::new("t", "\"a\n\"")).errors.len(), 2);
    }

    #[test]
    fn words_go_on_after_what_is_no_word() {
        let words = lex(&Source::new("t", "a $ 09 b"));
        let kinds: Vec<Kind> = words.tokens.iter().map(|token| token.kind).collect();
        use Kind::*;
        assert_eq!(kinds, [Lower, Integer(0), Lower, End]);
        assert_eq!(words.errors.len(), 2);
        let words = lex(&Source::new("t", "$".repeat(100_000)));
        assert_eq!(words.errors.len(), MOST_ERRORS);
    }

    #[test]
    fn dashes_of_word_processors_are_minus_and_arrow() {
        use Kind::*;
        assert_eq!(
            kinds("– −1 –> −>"),
            [Minus, Minus, Integer(1), Arrow, Arrow, End]
        );
    }
}
