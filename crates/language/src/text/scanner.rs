//! Characters to words.

use quotient_core::{Diagnostic, Source, Span};

/// Walks over the characters of a text.
///
/// ```
/// use quotient_core::Source;
/// use quotient_language::text::{Comments, Scanner};
/// let source = Source::new("f", "x1 // a comment\n<= 42");
/// let mut scanner = Scanner::new(&source, Comments::C);
/// scanner.skip_blanks().unwrap();
/// assert_eq!(scanner.word().map(|span| scanner.text(span)), Some("x1"));
/// scanner.skip_blanks().unwrap();
/// assert_eq!(scanner.one_of(&["<=", "<"]).map(|(sign, _)| sign), Some("<="));
/// scanner.skip_blanks().unwrap();
/// assert_eq!(scanner.digits().map(|span| scanner.text(span)), Some("42"));
/// assert!(scanner.is_at_end());
/// ```
#[derive(Debug, Clone)]
pub struct Scanner<'a> {
    source: &'a Source,
    at: usize,
    comments: Comments,
}

/// How comments are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Comments {
    /// What begins a comment that goes to the end of the line.
    pub line: &'static [&'static str],
    /// What begins and ends a comment over several lines.
    pub block: Option<(&'static str, &'static str)>,
}

impl Comments {
    /// `// …` and `/* … */`.
    pub const C: Comments = Comments {
        line: &["//"],
        block: Some(("/*", "*/")),
    };
    /// `# …`.
    pub const HASH: Comments = Comments {
        line: &["#"],
        block: None,
    };
    /// None.
    pub const NONE: Comments = Comments {
        line: &[],
        block: None,
    };
}

impl<'a> Scanner<'a> {
    /// Begins at the first character.
    pub fn new(source: &'a Source, comments: Comments) -> Scanner<'a> {
        Scanner {
            source,
            at: 0,
            comments,
        }
    }

    fn rest(&self) -> &'a str {
        &self.source.text()[self.at..]
    }

    /// The place of the next character.
    pub fn position(&self) -> usize {
        self.at
    }

    /// The next character.
    pub fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Whether all was read.
    pub fn is_at_end(&self) -> bool {
        self.at == self.source.text().len()
    }

    /// The text of a span.
    pub fn text(&self, span: Span) -> &'a str {
        self.source.text().get(span.range()).unwrap_or_default()
    }

    /// Skips blanks and comments; a comment without an end is a mistake.
    pub fn skip_blanks(&mut self) -> Result<(), Diagnostic> {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            if self
                .comments
                .line
                .iter()
                .any(|mark| trimmed.starts_with(mark))
            {
                self.at += trimmed.find('\n').unwrap_or(trimmed.len());
                continue;
            }
            match self.comments.block {
                Some((begin, end)) if trimmed.starts_with(begin) => {
                    let Some(length) = trimmed[begin.len()..].find(end) else {
                        let span = Span::new(self.at, self.at + begin.len());
                        let message = "this comment has no end";
                        self.at = self.source.text().len();
                        return Err(Diagnostic::error("syntax", message)
                            .at(self.source, span, "begins here")
                            .help(format!("close it with `{end}`")));
                    };
                    self.at += begin.len() + length + end.len();
                }
                _ => return Ok(()),
            }
        }
    }

    /// Takes characters while they fit.
    pub fn take_while(&mut self, fits: impl Fn(char) -> bool) -> Span {
        let rest = self.rest();
        let end = rest.find(|letter| !fits(letter)).unwrap_or(rest.len());
        let span = Span::new(self.at, self.at + end);
        self.at = span.end;
        span
    }

    /// Takes a word: a letter or `_`, then letters, digits and `_`.
    pub fn word(&mut self) -> Option<Span> {
        let first = self.peek()?;
        (first.is_alphabetic() || first == '_')
            .then(|| self.take_while(|letter| letter.is_alphanumeric() || letter == '_'))
    }

    /// Takes decimal digits.
    pub fn digits(&mut self) -> Option<Span> {
        let first = self.peek()?;
        first
            .is_ascii_digit()
            .then(|| self.take_while(|letter| letter.is_ascii_digit()))
    }

    /// Takes the first of some signs that is there: longer ones must come first.
    pub fn one_of(&mut self, signs: &[&'static str]) -> Option<(&'static str, Span)> {
        let rest = self.rest();
        let sign = *signs.iter().find(|sign| rest.starts_with(**sign))?;
        let span = Span::new(self.at, self.at + sign.len());
        self.at = span.end;
        Some((sign, span))
    }

    /// Takes one character, whatever it is.
    pub fn bump(&mut self) -> Option<(char, Span)> {
        let letter = self.peek()?;
        let span = Span::new(self.at, self.at + letter.len_utf8());
        self.at = span.end;
        Some((letter, span))
    }

    /// The mistake of a character that no word begins with, which is skipped.
    pub fn stray(&mut self) -> Diagnostic {
        let end = Span::new(self.at, self.at);
        let (letter, span) = self.bump().unwrap_or((' ', end));
        let message = format!("`{}` has no meaning here", letter.escape_debug());
        Diagnostic::error("syntax", message).at(self.source, span, "")
    }
}
