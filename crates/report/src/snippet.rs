//! Diagnostics for people: the source line, a caret, a hint.

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use quotient_core::{Diagnostic, Label, Severity, Source, Span};
use quotient_language::text::wrap;
use unicode_width::UnicodeWidthStr;

/// How text for people is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Whether to use colours (ANSI escapes).
    pub colour: bool,
    /// How many columns there are.
    pub width: usize,
}

impl Default for Style {
    /// As for a file: no colour, 80 columns.
    fn default() -> Self {
        Style {
            colour: false,
            width: 80,
        }
    }
}

/// A diagnostic as a snippet of its source with carets, notes and hints.
///
/// ```
/// use quotient_core::{Diagnostic, Source, Span};
/// use quotient_report::{Style, snippet};
/// let source = Source::new("init.tmb", "Ops a:1\nStates q\n");
/// let diagnostic = Diagnostic::error("undeclared-letter", "letter `b` is not declared")
///     .at(&source, Span::new(4, 7), "the letters are declared here")
///     .help("add `b:1` to `Ops`");
/// assert!(snippet(&diagnostic, Style::default()).contains("^^^ the letters are declared here"));
/// ```
pub fn snippet(diagnostic: &Diagnostic, style: Style) -> String {
    let level = match diagnostic.severity {
        Severity::Note => Level::NOTE,
        Severity::Warning => Level::WARNING,
        Severity::Error => Level::ERROR,
    };
    let width = style.width.max(40);
    let mut notes = Vec::new();
    let room = width.saturating_sub("warning[]: ".len() + diagnostic.code.len());
    let title = wrap(&diagnostic.message, room.max(30));
    let title = level.primary_title(title).id(diagnostic.code);
    let mut group = Group::with_title(title);
    if let Some(source) = &diagnostic.source {
        group = match diagnostic
            .labels
            .first()
            .map(|label| within(source.text(), label.span))
        {
            None => group.element(Origin::path(source.name())),
            Some(span) if is_in_enormous_line(source.text(), span) => {
                let (line, column) = source.position(span.start);
                let place = Origin::path(source.name()).line(line).char_column(column);
                group.element(place).element(around(
                    source,
                    diagnostic.labels[0].text.clone(),
                    span,
                    line,
                ))
            }
            Some(_) => group.element(annotate(source, &diagnostic.labels, width, &mut notes)),
        };
    }
    notes.extend(diagnostic.notes.iter().cloned());
    // The gutter is as wide as the line numbers.
    let room = width - "= note: ".len() - 8;
    for note in notes {
        group = group.element(Level::NOTE.message(wrap(&note, room)));
    }
    for help in &diagnostic.help {
        group = group.element(Level::HELP.message(wrap(help, room)));
    }
    let renderer = if style.colour {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    renderer.term_width(width).render(&[group])
}

type Annotated<'a> = Snippet<'a, annotate_snippets::Annotation<'a>>;

/// The lines that the labels are on, from the first to the last, with their carets. What does
/// not fit beside a caret goes to the notes.
fn annotate<'a>(
    source: &'a Source,
    labels: &[Label],
    width: usize,
    notes: &mut Vec<String>,
) -> Annotated<'a> {
    let text = source.text();
    let spans: Vec<Span> = labels
        .iter()
        .map(|label| within(text, label.span))
        .collect();
    let first = spans.iter().map(|span| span.start).min().unwrap_or(0);
    let last = spans.iter().map(|span| span.end).max().unwrap_or(0);
    let (from, to) = (line_start(text, first), line_end(text, last));
    let (line, _) = source.position(from);
    let mut shown = Snippet::source(&text[from..to])
        .path(source.name())
        .line_start(line)
        .fold(true);
    for (number, (label, span)) in labels.iter().zip(spans).enumerate() {
        let kind = match number {
            0 => AnnotationKind::Primary,
            _ => AnnotationKind::Context,
        };
        let beside = text[line_start(text, span.start)..span.end].width() + 9;
        let annotation = kind.span(span.start - from..span.end - from);
        shown = shown.annotation(if beside + label.text.width() <= width {
            annotation.label(Some(label.text.clone()).filter(|text| !text.is_empty()))
        } else {
            if !label.text.is_empty() {
                notes.push(label.text.clone());
            }
            annotation
        });
    }
    shown
}

/// Lines longer than this are shown around the place that matters only.
const MOST_OF_A_LINE: usize = 2_000;

fn is_in_enormous_line(text: &str, span: Span) -> bool {
    line_end(text, span.start) - line_start(text, span.start) > MOST_OF_A_LINE
}

/// A place in an enormous line.
fn around<'a>(source: &'a Source, label: String, span: Span, line: usize) -> Annotated<'a> {
    let text = source.text();
    let from = boundary(text, span.start.saturating_sub(20)).max(line_start(text, span.start));
    let end = boundary(
        text,
        span.end
            .min(span.start + 30)
            .min(line_end(text, span.start)),
    );
    let to = boundary(text, end + 20).min(line_end(text, end));
    let annotation = AnnotationKind::Primary.span(span.start - from..end - from);
    Snippet::source(&text[from..to])
        .line_start(line)
        .annotation(annotation.label(Some(label).filter(|text| !text.is_empty())))
}

/// The span, moved to lie within the text and between characters.
fn within(text: &str, span: Span) -> Span {
    let start = boundary(text, span.start);
    Span::new(start, boundary(text, span.end).max(start))
}

/// The nearest place between characters at or before a byte.
fn boundary(text: &str, byte: usize) -> usize {
    let mut byte = byte.min(text.len());
    while !text.is_char_boundary(byte) {
        byte -= 1;
    }
    byte
}

fn line_start(text: &str, byte: usize) -> usize {
    text[..byte].rfind('\n').map_or(0, |newline| newline + 1)
}

fn line_end(text: &str, byte: usize) -> usize {
    text[byte..]
        .find('\n')
        .map_or(text.len(), |newline| byte + newline)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn plain(diagnostic: &Diagnostic) -> String {
        snippet(diagnostic, Style::default())
    }

    #[test]
    fn an_error_shows_the_line_and_the_hint() {
        let source = Source::new("init.tmb", "Ops a:1 b:1\nStates q\nFinal States q\n");
        let diagnostic = Diagnostic::error("undeclared-state", "state `p` is not declared")
            .at(&source, Span::new(34, 35), "used here")
            .at(&source, Span::new(12, 18), "the states are declared here")
            .note("a state must stand in `States` before it is used")
            .did_you_mean("qq", ["q"]);
        insta::assert_snapshot!(plain(&diagnostic));
    }

    #[test]
    fn an_error_without_a_place_names_the_file() {
        let source = Source::new("data.bin", "");
        let diagnostic = Diagnostic::error("binary-file", "this is not a text file")
            .in_source(&source)
            .help("automata are read from text");
        insta::assert_snapshot!(plain(&diagnostic));
    }

    #[test]
    fn an_error_without_a_source_is_a_line() {
        assert_eq!(
            plain(&Diagnostic::error("e", "no such file")),
            "error[e]: no such file"
        );
    }

    #[test]
    fn an_enormous_line_is_shown_around_the_place() {
        let text = format!("{}oops{}", "a ".repeat(50_000), " b".repeat(50_000));
        let source = Source::new("long", text);
        let diagnostic = Diagnostic::error("syntax", "unexpected word").at(
            &source,
            Span::new(100_000, 100_004),
            "here",
        );
        insta::assert_snapshot!(plain(&diagnostic));
    }

    #[test]
    fn long_messages_are_wrapped() {
        let diagnostic = Diagnostic::error("e", "word ".repeat(40)).help("help ".repeat(40));
        assert!(plain(&diagnostic).lines().all(|line| line.width() <= 80));
    }

    #[test]
    fn colour_only_when_asked_for() {
        let diagnostic = Diagnostic::error("e", "no");
        assert!(!plain(&diagnostic).contains('\u{1b}'));
        assert!(
            snippet(
                &diagnostic,
                Style {
                    colour: true,
                    width: 80
                }
            )
            .contains('\u{1b}')
        );
    }

    proptest! {
        #[test]
        fn no_span_and_no_text_breaks_it(
            text in "[aé\n\t\u{0}🦀 ]{0,40}",
            padding in prop::sample::select(vec![0usize, 3_000]),
            spans in prop::collection::vec((0usize..60, 0usize..60), 1..4),
        ) {
            let source = Source::new("f", format!("{text}{}", "é".repeat(padding)));
            let mut diagnostic = Diagnostic::error("e", "message");
            for (start, end) in spans {
                diagnostic = diagnostic.at(&source, Span::new(start, end), "here");
            }
            prop_assert!(plain(&diagnostic).contains("message"));
        }
    }
}
