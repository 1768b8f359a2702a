//! Words and signs of Timbuk files.

use quotient_core::Span;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    Open,
    Close,
    Comma,
    Colon,
    Arrow,
    Equals,
    End,
}

/// A token with its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) span: Span,
}

/// All tokens of a text; the last is the end. Also where a comment begins that has no end.
pub(super) fn tokens(text: &str) -> (Vec<Token>, Option<Span>) {
    let bytes = text.as_bytes();
    let mut all = Vec::new();
    let mut endless = None;
    let mut at = 0;
    let mut line_begins = true;
    while at < bytes.len() {
        let begin = at;
        let fresh_line = line_begins;
        line_begins = bytes[at] == b'\n' || (line_begins && bytes[at].is_ascii_whitespace());
        let single = match bytes[at] {
            b if b.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            b'%' => None,
            b'#' if fresh_line => None,
            b'(' if bytes[at..].starts_with(b"(*") => {
                let end = text[at + 2..].find("*)").map(|end| end + 2);
                if end.is_none() {
                    endless = Some(Span::new(at, at + 2));
                }
                at = end.map_or(bytes.len(), |end| at + end + 2);
                continue;
            }
            b'(' => Some(Kind::Open),
            b')' => Some(Kind::Close),
            b',' => Some(Kind::Comma),
            b':' => Some(Kind::Colon),
            b'=' => Some(Kind::Equals),
            b'-' if bytes[at..].starts_with(b"->") => {
                at += 2;
                all.push(Token {
                    kind: Kind::Arrow,
                    span: Span::new(begin, at),
                });
                continue;
            }
            _ => {
                while at < bytes.len() && in_word(&bytes[at..]) {
                    at += 1;
                }
                all.push(Token {
                    kind: Kind::Word,
                    span: Span::new(begin, at),
                });
                continue;
            }
        };
        match single {
            Some(kind) => {
                at += 1;
                let span = Span::new(begin, at);
                all.push(Token { kind, span });
            }
            None => at = text[at..].find('\n').map_or(bytes.len(), |end| at + end),
        }
    }
    let end = Span::new(text.len(), text.len());
    all.push(Token {
        kind: Kind::End,
        span: end,
    });
    (all, endless)
}

/// Whether a word goes on here. (Bytes above 127 belong to words, so words end between
/// characters.)
fn in_word(rest: &[u8]) -> bool {
    let ends = rest[0].is_ascii_whitespace() || b"(),:=%".contains(&rest[0]);
    !ends && !rest.starts_with(b"->")
}
