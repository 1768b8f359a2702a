//! The lines of a file and the words of a line.

use std::borrow::Cow;

use quotient_core::{Budget, Diagnostic, Source, Span, Trouble};

use crate::formats::cursor::{Cursor, quoted};

/// A word of a line.
#[derive(Debug, Clone)]
pub(super) struct Word<'a> {
    pub(super) text: Cow<'a, str>,
    pub(super) span: Span,
    pub(super) quoted: bool,
}

impl Word<'_> {
    /// Whether it is this mark or key, and not a quoted name.
    pub(super) fn is(&self, mark: &str) -> bool {
        !self.quoted && self.text == mark
    }
}

/// Calls back with the words of each line that has some. A backslash at its end joins a line
/// to the next; `#` begins a comment; parentheses are words of their own, and so are the
/// operators inside them.
pub(super) fn each_line<'a>(
    source: &'a Source,
    span: Span,
    budget: &Budget,
    mut each: impl FnMut(&[Word<'a>]) -> Result<(), Trouble>,
) -> Result<(), Trouble> {
    let mut cursor = Cursor::within(source, span);
    let mut words: Vec<Word<'a>> = Vec::new();
    loop {
        cursor.take_while(|c| c.is_whitespace() && c != '\n');
        let start = cursor.at();
        match cursor.peek() {
            None | Some('\n') => {
                budget.poll()?;
                if !words.is_empty() {
                    each(&words)?;
                    words.clear();
                }
                if cursor.bump().is_none() {
                    return Ok(());
                }
            }
            Some('#') => cursor.skip_line(),
            Some('\\') if joins_lines(cursor.rest()) => {
                cursor.skip_line();
                cursor.bump();
            }
            Some('"') => {
                cursor.bump();
                let text = Cow::Owned(quoted(&mut cursor, '"')?);
                words.push(Word {
                    text,
                    span: cursor.since(start),
                    quoted: true,
                });
            }
            Some(c) => {
                let text = match is_operator(c) {
                    true => {
                        cursor.bump();
                        &source.text()[cursor.since(start).range()]
                    }
                    false => {
                        cursor.take_while(|c| !c.is_whitespace() && !is_operator(c) && c != '"')
                    }
                };
                words.push(Word {
                    text: Cow::Borrowed(text),
                    span: cursor.since(start),
                    quoted: false,
                });
            }
        }
    }
}

/// Calls back with the words of the lines that begin with a mark, and with those of the first
/// line whatever it begins with. Lines are only taken apart where they may matter, unless
/// quotes or joined lines make it hard to see where one begins.
pub(super) fn each_line_with<'a>(
    mark: char,
    source: &'a Source,
    span: Span,
    budget: &Budget,
    mut each: impl FnMut(&[Word<'a>]) -> Result<(), Trouble>,
) -> Result<(), Trouble> {
    let text = &source.text()[span.range()];
    if text.contains(['"', '\\']) {
        let mut is_first = true;
        return each_line(source, span, budget, |words| {
            let wanted = !words[0].quoted && words[0].text.starts_with(mark);
            match wanted || std::mem::take(&mut is_first) {
                true => each(words),
                false => Ok(()),
            }
        });
    }
    let (mut at, mut is_first) = (span.start, true);
    for line in text.split_inclusive('\n') {
        let line_span = Span::new(at, at + line.len());
        at += line.len();
        let words = line.trim_start();
        let is_blank = words.is_empty() || words.starts_with('#');
        if words.starts_with(mark) || (is_first && !is_blank) {
            each_line(source, line_span, budget, &mut each)?;
        }
        is_first &= is_blank;
    }
    Ok(())
}

fn is_operator(c: char) -> bool {
    "()&|!".contains(c)
}

fn joins_lines(rest: &str) -> bool {
    rest[1..]
        .trim_start_matches([' ', '\t', '\r'])
        .starts_with('\n')
}

/// The place after the last word of a line.
pub(super) fn end_of(words: &[Word<'_>]) -> Span {
    let end = words.last().map_or(0, |word| word.span.end);
    Span::new(end, end)
}

/// The error for a line that is no transition.
pub(super) fn no_transition(source: &Source, words: &[Word<'_>], expected: &str) -> Diagnostic {
    let span = words[0].span.to(end_of(words));
    Diagnostic::error("syntax", "this is no transition")
        .at(source, span, format!("expected {expected}"))
        .help("keys begin with `%`, sections with `@`, comments with `#`")
}
