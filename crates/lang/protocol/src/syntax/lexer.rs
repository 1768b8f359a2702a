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
    ("/", "/"),
    ("[", "["),
    ("]", "]"),
    ("(", "("),
    (")", ")"),
    ("{", "{"),
    ("}", "}"),
    (",", ","),
    (";", ";"),
    (":", ":"),
    (".", "."),
];

/// Splits a text into words with their places, the last of which is [`Token::End`]; and what is
/// wrong, which is passed over.
pub(crate) fn tokens(source: &Source) -> (Vec<(Token, Span)>, Vec<Diagnostic>) {
    let text = source.text();
    let (mut found, mut mistakes) = (Vec::new(), Vec::new());
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
                let mistake = Diagnostic::error("open-comment", "this comment never ends");
                let place = Span::new(at, at + 2);
                mistakes.push(
                    mistake
                        .at(source, place, "begun here")
                        .help("close it with `*/`"),
                );
                break;
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
            let number = rest[..length].parse().unwrap_or_else(|_| {
                let mistake = Diagnostic::error("huge-number", "this number is too large");
                let place = Span::new(at, at + length);
                mistakes.push(mistake.at(source, place, "numbers have up to 18 digits"));
                0
            });
            found.push((Token::Number(number), Span::new(at, at + length)));
        } else if first == '"' {
            let Some(end) = rest[1..]
                .find(['"', '\n'])
                .filter(|&end| rest[1 + end..].starts_with('"'))
            else {
                let mistake = Diagnostic::error("open-text", "this quoted text never ends");
                mistakes.push(
                    mistake
                        .at(source, Span::new(at, at + 1), "begun here")
                        .help("close it with `\"` on the same line"),
                );
                length = rest.find('\n').unwrap_or(rest.len());
                let unfinished = Token::Text(rest[1..length].to_owned());
                found.push((unfinished, Span::new(at, at + length)));
                at += length;
                continue;
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
            let message = format!("`{first}` has no meaning here");
            length = first.len_utf8();
            let mistake = Diagnostic::error("unknown-character", message)
                .at(source, Span::new(at, at + length), "")
                .help("names are made of letters, digits and `_`");
            mistakes.push(mistake);
        }
        at += length;
    }
    found.push((Token::End, Span::new(text.len(), text.len())));
    (found, mistakes)
}

fn length_while(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|c| !belongs(c)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let (found, _) = tokens(&Source::new("t", text));
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
        for (text, wrong) in [("\"abc", 1), ("/* abc", 1), ("\"a\nb\"", 2), ("€ x €", 2)] {
            assert_eq!(tokens(&Source::new("t", text)).1.len(), wrong, "{text}");
        }
    }
}
