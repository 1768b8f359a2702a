//! A place in a text, moving forward.

use quotient_core::{Diagnostic, Source, Span};

/// Reads a text from left to right; what every reader with a grammar of its own starts from.
#[derive(Debug, Clone)]
pub(super) struct Cursor<'a> {
    pub(super) source: &'a Source,
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(source: &'a Source) -> Cursor<'a> {
        Cursor {
            source,
            text: source.text(),
            at: 0,
        }
    }

    /// The same text, but only the part inside the span.
    pub(super) fn within(source: &'a Source, span: Span) -> Cursor<'a> {
        Cursor {
            source,
            text: &source.text()[..span.end],
            at: span.start,
        }
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn go_to(&mut self, at: usize) {
        self.at = at;
    }

    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub(super) fn at_end(&self) -> bool {
        self.at == self.text.len()
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn bump(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        Some(next)
    }

    /// Moves over the given text if it comes next.
    pub(super) fn eat(&mut self, expected: &str) -> bool {
        let found = self.rest().starts_with(expected);
        if found {
            self.at += expected.len();
        }
        found
    }

    pub(super) fn take_while(&mut self, keep: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c| !keep(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    pub(super) fn skip_blanks(&mut self) {
        self.take_while(char::is_whitespace);
    }

    pub(super) fn skip_line(&mut self) {
        self.take_while(|c| c != '\n');
    }

    pub(super) fn since(&self, start: usize) -> Span {
        Span::new(start, self.at)
    }

    /// "Expected …, found …", at what comes next.
    pub(super) fn expected(&self, what: &str) -> Diagnostic {
        let rest = self.rest();
        let next: String = match rest.chars().next() {
            None => String::new(),
            Some(c) if is_word(c) => rest.chars().take_while(|&c| is_word(c)).take(40).collect(),
            Some(c) => c.to_string(),
        };
        let found = match next.as_str() {
            "" => "the end of the file".to_owned(),
            "\n" => "the end of the line".to_owned(),
            _ => format!("`{next}`"),
        };
        let span = Span::new(self.at, self.at + next.trim_end_matches('\n').len());
        Diagnostic::error("syntax", format!("expected {what}, found {found}")).at(
            self.source,
            span,
            format!("expected {what}"),
        )
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The contents of a quoted string after its opening quote, up to the closing one; a backslash
/// takes the next character as it is (`\n` and `\t` excepted).
pub(super) fn quoted(cursor: &mut Cursor<'_>, quote: char) -> Result<String, Diagnostic> {
    let start = cursor.at().saturating_sub(quote.len_utf8());
    let mut name = String::new();
    loop {
        match cursor.bump() {
            Some(c) if c == quote => return Ok(name),
            Some('\\') => match cursor.bump() {
                Some('n') => name.push('\n'),
                Some('t') => name.push('\t'),
                Some('r') => name.push('\r'),
                Some(c) => name.push(c),
                None => break,
            },
            Some(c) => name.push(c),
            None => break,
        }
    }
    let end = start + quote.len_utf8();
    Err(Diagnostic::error("syntax", "a quoted name has no end")
        .at(cursor.source, Span::new(start, end), "it begins here")
        .help(format!("close it with `{quote}`")))
}

/// The inverse of [`quoted`].
pub(super) fn quote(name: &str, quote: char) -> String {
    let mut text = String::with_capacity(name.len() + 2);
    text.push(quote);
    for c in name.chars() {
        match c {
            '\n' => text.push_str("\\n"),
            '\t' => text.push_str("\\t"),
            '\r' => text.push_str("\\r"),
            c if c == quote || c == '\\' => text.extend(['\\', c]),
            c => text.push(c),
        }
    }
    text.push(quote);
    text
}

/// "Not declared", with the nearest name that is.
pub(super) fn undeclared<'n>(
    source: &Source,
    span: Span,
    what: &'static str,
    name: &str,
    known: impl IntoIterator<Item = &'n str>,
) -> Diagnostic {
    let code = match what {
        "letter" => "undeclared-letter",
        _ => "undeclared-state",
    };
    let diagnostic = Diagnostic::error(code, format!("{what} `{name}` is not declared")).at(
        source,
        span,
        "not declared",
    );
    // Every name of one character is near to every other.
    match name.chars().nth(1) {
        Some(_) => diagnostic.did_you_mean(name, known),
        None => diagnostic,
    }
}

/// "Declared twice", with both places.
pub(super) fn duplicate(
    source: &Source,
    what: &str,
    name: &str,
    first: Span,
    second: Span,
) -> Diagnostic {
    Diagnostic::error("duplicate", format!("{what} `{name}` is declared twice"))
        .at(source, second, "declared again")
        .at(source, first, "first declared here")
        .help("remove one of the two")
}
