//! What is wrong with an input, and where.

use std::ops::Range;
use std::sync::Arc;

use serde::Serialize;

/// A range of bytes in a source text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The bytes from `start` up to, not including, `end`.
    pub fn new(start: usize, end: usize) -> Span {
        Span {
            start,
            end: end.max(start),
        }
    }

    /// The smallest span that covers both.
    pub fn to(self, other: Span) -> Span {
        Span {
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }

    /// As a range, to slice the text with.
    pub fn range(self) -> Range<usize> {
        self.start..self.end
    }
}

impl From<Range<usize>> for Span {
    fn from(range: Range<usize>) -> Span {
        Span::new(range.start, range.end)
    }
}

/// A named text: the file that spans point into. Clones share the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source(Arc<(String, String)>);

impl Source {
    /// A text with the name to show for it, mostly a path.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Source {
        Source(Arc::new((name.into(), text.into())))
    }

    /// The name to show.
    pub fn name(&self) -> &str {
        &self.0.0
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.0.1
    }

    /// Line and column (both from 1, columns in characters) of a byte.
    ///
    /// ```
    /// use quotient_core::Source;
    /// assert_eq!(Source::new("f", "ab\ncd").position(4), (2, 2));
    /// ```
    pub fn position(&self, byte: usize) -> (usize, usize) {
        let text = self.text();
        let mut byte = byte.min(text.len());
        while !text.is_char_boundary(byte) {
            byte -= 1;
        }
        let before = &text[..byte];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        (
            before.matches('\n').count() + 1,
            before[line_start..].chars().count() + 1,
        )
    }
}

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// Probably not what was meant, but the input can be used.
    Warning,
    /// The input cannot be used.
    Error,
}

/// A place in the source with a few words about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What to say there; may be empty.
    pub text: String,
}

/// A message about an input: what is wrong, where, what was expected, how to fix it.
///
/// Libraries turn their error enums into this one type; only the top floor shows it, as a
/// snippet with carets, as JSON or otherwise.
///
/// ```
/// use quotient_core::{Diagnostic, Source, Span};
/// let source = Source::new("init.tmb", "Ops a:1\nStates q\n");
/// let diagnostic = Diagnostic::error("undeclared-letter", "letter `b` is not declared")
///     .at(&source, Span::new(4, 7), "the letters are declared here")
///     .help("add `b:1` to `Ops`");
/// assert_eq!(diagnostic.to_string(), "init.tmb:1:5: error: letter `b` is not declared");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// A stable name for the kind of message, in kebab case.
    pub code: &'static str,
    /// One line: what is wrong.
    pub message: String,
    /// The text that the labels point into, if the message is about a text.
    pub source: Option<Source>,
    /// The first label is the place to look at; others explain.
    pub labels: Vec<Label>,
    /// Facts that help to understand, one line each.
    pub notes: Vec<String>,
    /// What to do about it, one line each.
    pub help: Vec<String>,
}

impl Diagnostic {
    /// An error of the given kind.
    pub fn error(code: &'static str, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Error, code, message)
    }

    /// A warning of the given kind.
    pub fn warning(code: &'static str, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Warning, code, message)
    }

    fn new(severity: Severity, code: &'static str, message: impl Into<String>) -> Diagnostic {
        let message = message.into();
        let (source, labels, notes, help) = (None, Vec::new(), Vec::new(), Vec::new());
        Diagnostic {
            severity,
            code,
            message,
            source,
            labels,
            notes,
            help,
        }
    }

    /// Points at a place; the first call sets the place to look at, later ones explain.
    /// All places of one diagnostic lie in one source.
    pub fn at(mut self, source: &Source, span: Span, text: impl Into<String>) -> Diagnostic {
        self.source.get_or_insert_with(|| source.clone());
        self.labels.push(Label {
            span,
            text: text.into(),
        });
        self
    }

    /// Names the file where there is no place in it to point at.
    pub fn in_source(mut self, source: &Source) -> Diagnostic {
        self.source.get_or_insert_with(|| source.clone());
        self
    }

    /// Adds a fact.
    pub fn note(mut self, text: impl Into<String>) -> Diagnostic {
        self.notes.push(text.into());
        self
    }

    /// Adds what to do.
    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help.push(text.into());
        self
    }

    /// Adds "did you mean …" if a known name is near the misspelt one.
    pub fn did_you_mean<'a>(
        self,
        name: &str,
        known: impl IntoIterator<Item = &'a str>,
    ) -> Diagnostic {
        match crate::nearest(name, known) {
            Some(near) => self.help(format!("did you mean `{near}`?")),
            None => self,
        }
    }
}

impl std::fmt::Display for Diagnostic {
    /// One line, as compilers print it: `file:line:column: error: message`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(source) = &self.source {
            write!(f, "{}:", source.name())?;
            if let Some(label) = self.labels.first() {
                let (line, column) = source.position(label.span.start);
                write!(f, "{line}:{column}:")?;
            }
            f.write_str(" ")?;
        }
        let severity = match self.severity {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        write!(f, "{severity}: {}", self.message)
    }
}

impl std::error::Error for Diagnostic {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_characters_and_never_split_one() {
        let source = Source::new("f", "é\nxé");
        assert_eq!(source.position(1), (1, 1));
        assert_eq!(source.position(5), (2, 2));
        assert_eq!(source.position(99), (2, 3));
    }

    #[test]
    fn display_without_source_has_no_place() {
        assert_eq!(Diagnostic::warning("w", "odd").to_string(), "warning: odd");
    }
}
