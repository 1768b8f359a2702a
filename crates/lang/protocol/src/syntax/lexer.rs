//! Text to words.

use quotient_core::{Diagnostic, Source, Span};

/// One word of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Token {
    /// A name or a keyword.
    Name(String),
    /// A number.
    Number(i64),
    /// A text in double quotes, without them.
    Text(String),
    /// An operator or a punctuation mark.
    Mark(&'static str),
    /// The end of the file.
    End,
}

impl std::fmt::Display for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Token::Name(name) => write!(f, "`{name}`"),
            Token::Number(number) => write!(f, "`{number}`"),
            Token::Text(_) => f.write_str("a quoted text"),
            Token::Mark(mark) => write!(f, "`{mark}`"),
            Token::End => f.write_str("the end of the file"),
        }
    }
}

/// Longest first, so that `:=` is not read as `:`. The second of a pair is how it is known.
const MARKS: &[(&str, &str)] = &[
    ("<=>", "<=>"),
    (":=", ":="),
    ("..", ".."),
    ("=>", "=>"),
    ("->", "=>"),
    ("<=", "<="),
    (">=", ">="),
    ("!=", "!="),
    ("==", "="),
    ("&&", "and"),
    ("||", "or"),
    ("≠", "!="),
    ("≤", "<="),
    ("≥", ">="),
    ("∧", "and"),
    ("∨", "or"),
    ("¬", "not"),
    ("=", "="),
    ("<", "<"),
    (">", ">"),
    ("!", "not"),
    ("+", "+"),
    ("-", "-"),
    ("*", "*"),
    ("(", "("),
    (")", ")"),
    ("{", "{"),
    ("}", "}"),
    (",", ","),
    (";", ";"),
    (":", ":"),
    (".", "."),
];

/// Splits a text into words with their places; the last is [`Token::End`].
pub(crate) fn tokens(source: &Source) -> Result<Vec<(Token, Span)>, Diagnostic> {
    let text = source.text();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let length;
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        } else if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        } else if rest.starts_with("/*") {
            let Some(end) = rest.find("*/") else {
                return Err(Diagnostic::error("open-comment", "this comment never ends")
                    .at(source, Span::new(at, at + 2), "begun here")
                    .help("close it with `*/`"));
            };
            at += end + 2;
            continue;
        } else if first.is_alphabetic() || first == '_' {
            length = length_while(rest, |c| c.is_alphanumeric() || c == '_' || c == '\'');
            found.push((
                Token::Name(rest[..length].to_owned()),
                Span::new(at, at + length),
            ));
        } else if first.is_ascii_digit() {
            length = length_while(rest, |c| c.is_ascii_digit());
            let number = rest[..length].parse().map_err(|_| {
                Diagnostic::error("huge-number", "this number is too large").at(
                    source,
                    Span::new(at, at + length),
                    "numbers have up to 18 digits",
                )
            })?;
            found.push((Token::Number(number), Span::new(at, at + length)));
        } else if first == '"' {
            let Some(end) = rest[1..]
                .find(['"', '\n'])
                .filter(|&end| rest[1 + end..].starts_with('"'))
            else {
                return Err(
                    Diagnostic::error("open-text", "this quoted text never ends")
                        .at(source, Span::new(at, at + 1), "begun here")
                        .help("close it with `\"` on the same line"),
                );
            };
            length = end + 2;
            found.push((
                Token::Text(rest[1..=end].to_owned()),
                Span::new(at, at + length),
            ));
        } else if let Some((spelling, mark)) = MARKS.iter().find(|(mark, _)| rest.starts_with(mark))
        {
            length = spelling.len();
            let token = match *mark {
                "and" | "or" | "not" => Token::Name((*mark).to_owned()),
                mark => Token::Mark(mark),
            };
            found.push((token, Span::new(at, at + length)));
        } else {
            return Err(Diagnostic::error(
                "unknown-character",
                format!("`{first}` has no meaning here"),
            )
            .at(source, Span::new(at, at + first.len_utf8()), "")
            .help(match first {
                '[' | ']' => "there are no arrays: `p.x` is the `x` of process `p`",
                _ => "names are made of letters, digits and `_`",
            }));
        }
        at += length;
    }
    found.push((Token::End, Span::new(text.len(), text.len())));
    Ok(found)
}

fn length_while(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|c| !belongs(c)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let found = tokens(&Source::new("t", text)).unwrap();
        found.iter().map(|(token, _)| token.to_string()).collect()
    }

    #[test]
    fn marks_are_read_longest_first() {
        assert_eq!(
            words("x:=0..3 // end"),
            ["`x`", "`:=`", "`0`", "`..`", "`3`", "the end of the file"]
        );
        assert_eq!(
            words("a && !b"),
            ["`a`", "`and`", "`not`", "`b`", "the end of the file"]
        );
    }

    #[test]
    fn unfinished_texts_and_comments_are_errors() {
        for text in ["\"abc", "/* abc", "\"a\nb\"", "€"] {
            assert!(tokens(&Source::new("t", text)).is_err(), "{text}");
        }
    }
}
