//! Tokens of the SMV language.

use quotient_core::{Diagnostic, Source, Span};

/// What a token is; names and numbers keep their text in the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Token {
    /// A name or a keyword: which of the two is for the parser to say, by its place.
    Word,
    /// A decimal number.
    Number,
    /// A word constant: `0ub8_10`, `0sd16_5`, `0h_ff`.
    WordConstant,
    /// An operator or a bracket.
    Symbol(&'static str),
    /// The end of the text.
    End,
}

/// A token and where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Lexeme {
    pub(crate) token: Token,
    pub(crate) span: Span,
}

/// Longest first, so that the first that fits is the right one.
const SYMBOLS: [&str; 39] = [
    "<->", "<<<", ">>>", "->", ":=", "::", "..", "!=", "<=", ">=", "<<", ">>", "(", ")", "[", "]",
    "{", "}", ",", ";", ":", ".", "?", "!", "&", "|", "+", "-", "*", "/", "=", "<", ">", "~", "^",
    "@", "$", "%", "'",
];

/// Cuts a text into tokens, without comments and blanks; the last token is [`Token::End`].
pub(crate) fn tokens(source: &Source) -> Result<Vec<Lexeme>, Diagnostic> {
    let mut lexer = Lexer { source, at: 0 };
    let mut lexemes = Vec::new();
    loop {
        let lexeme = lexer.next()?;
        lexemes.push(lexeme);
        if lexeme.token == Token::End {
            return Ok(lexemes);
        }
    }
}

struct Lexer<'a> {
    source: &'a Source,
    at: usize,
}

impl Lexer<'_> {
    fn next(&mut self) -> Result<Lexeme, Diagnostic> {
        self.skip_blanks()?;
        let start = self.at;
        let rest = self.rest();
        let Some(first) = rest.chars().next() else {
            let span = Span::new(start, start);
            return Ok(Lexeme {
                token: Token::End,
                span,
            });
        };
        let (token, length) = if first.is_ascii_alphabetic() || first == '_' {
            (Token::Word, name_length(rest))
        } else if let Some(length) = quoted_length(rest) {
            (Token::Word, length)
        } else if first.is_ascii_digit() {
            number(rest)
        } else if let Some(symbol) = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
            (Token::Symbol(symbol), symbol.len())
        } else {
            let span = Span::new(start, start + first.len_utf8());
            return Err(Diagnostic::error(
                "smv-character",
                format!("unexpected character `{first}`"),
            )
            .at(self.source, span, "no SMV token starts with this")
            .help("names are made of letters, digits, `_`, `$`, `#` and `-`"));
        };
        self.at += length;
        Ok(Lexeme {
            token,
            span: Span::new(start, self.at),
        })
    }

    fn rest(&self) -> &str {
        &self.source.text()[self.at..]
    }

    /// Skips white space, `-- comments` and `/-- block comments --/`.
    fn skip_blanks(&mut self) -> Result<(), Diagnostic> {
        loop {
            let rest = self.rest();
            let blank = rest.len() - rest.trim_start().len();
            if blank > 0 {
                self.at += blank;
            } else if rest.starts_with("--") {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if let Some(comment) = rest.strip_prefix("/--") {
                let Some(end) = comment.find("--/") else {
                    let span = Span::new(self.at, self.at + 3);
                    return Err(
                        Diagnostic::error("smv-comment", "this comment is never closed")
                            .at(self.source, span, "opened here")
                            .help("close it with `--/`"),
                    );
                };
                self.at += 3 + end + 3;
            } else {
                return Ok(());
            }
        }
    }
}

/// How long a name in quotes is, the quotes included: they are part of it. NuSMV reads what other
/// tools write so.
fn quoted_length(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('"')?;
    let length = inner.find(['"', '\n'])?;
    (length > 0 && inner[length..].starts_with('"')).then_some(length + 2)
}

/// The length of the name that the text starts with.
///
/// A `-` may stand inside a name (`read-shared`, `reg-1`), but not before `>` or another `-`:
/// `a->b` is an implication, `a--b` a name and a comment.
fn name_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut length = 1;
    while let Some(&byte) = bytes.get(length) {
        let goes_on = match byte {
            b'-' => !matches!(bytes.get(length + 1), Some(b'>' | b'-')),
            b'_' | b'$' | b'#' | b'\\' => true,
            _ => byte.is_ascii_alphanumeric(),
        };
        if !goes_on {
            break;
        }
        length += 1;
    }
    length
}

/// A number, or a word constant such as `0ub4_1010`.
fn number(text: &str) -> (Token, usize) {
    word_constant_length(text).map_or_else(
        || (Token::Number, run(text, |byte| byte.is_ascii_digit())),
        |length| (Token::WordConstant, length),
    )
}

fn word_constant_length(text: &str) -> Option<usize> {
    let mut length = 1;
    let byte = |at: usize| text.as_bytes().get(at).copied();
    if byte(0) != Some(b'0') {
        return None;
    }
    if matches!(byte(length), Some(b'u' | b's')) {
        length += 1;
    }
    if !matches!(
        byte(length)?,
        b'b' | b'B' | b'o' | b'O' | b'd' | b'D' | b'h' | b'H'
    ) {
        return None;
    }
    length += 1;
    length += run(&text[length..], |byte| byte.is_ascii_digit());
    if byte(length) != Some(b'_') {
        return None;
    }
    length += 1;
    let digits = run(&text[length..], |byte| {
        byte.is_ascii_hexdigit() || byte == b'_'
    });
    (digits > 0).then_some(length + digits)
}

/// How many bytes at the start are as asked.
fn run(text: &str, is: impl Fn(u8) -> bool) -> usize {
    text.bytes().take_while(|&byte| is(byte)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        let source = Source::new("t", text);
        let lexemes = tokens(&source).unwrap();
        let cut = lexemes.iter().map(|lexeme| &text[lexeme.span.range()]);
        cut.take(lexemes.len() - 1).collect()
    }

    #[test]
    fn dashes_belong_to_names_but_not_to_arrows_and_comments() {
        assert_eq!(
            texts("read-shared->b -1 x-1--c\ny"),
            ["read-shared", "->", "b", "-", "1", "x-1", "y"]
        );
    }

    #[test]
    fn ranges_are_not_fractions() {
        assert_eq!(texts("0..15;--DATA"), ["0", "..", "15", ";"]);
        assert_eq!(texts("a.b.1"), ["a", ".", "b", ".", "1"]);
    }

    #[test]
    fn word_constants_are_one_token() {
        assert_eq!(
            texts("0ub8_1010_1010 0sd4_7 0h_fF 0 0b"),
            ["0ub8_1010_1010", "0sd4_7", "0h_fF", "0", "0", "b"]
        );
    }

    #[test]
    fn block_comments_span_lines() {
        assert_eq!(texts("a /-- b\n -- c\n --/ d"), ["a", "d"]);
        let unclosed = Source::new("t", "a /-- b");
        assert_eq!(tokens(&unclosed).unwrap_err().code, "smv-comment");
    }
}
