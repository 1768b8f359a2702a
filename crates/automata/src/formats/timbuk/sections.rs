//! Where the sections of a Timbuk file begin and end.

use quotient_core::{Diagnostic, Source, Span};

use super::KEYWORDS;
use crate::formats::cursor::{Cursor, duplicate, quoted};

/// One automaton of the file: the parts that follow an `Automaton` line.
#[derive(Debug, Default)]
pub(super) struct Block {
    pub(super) name: String,
    /// `@INFA` or `@INT` after the name, and where.
    pub(super) marker: Option<(String, Span)>,
    pub(super) states: Option<Span>,
    pub(super) accepting: Option<Span>,
    pub(super) transitions: Option<Span>,
}

/// The sections in the order of their meaning, whatever their order in the file.
#[derive(Debug, Default)]
pub(super) struct Sections {
    pub(super) operations: Vec<Span>,
    pub(super) blocks: Vec<Block>,
}

/// Splits a file at the lines that begin with a section's name.
pub(super) fn split(source: &Source) -> Result<Sections, Diagnostic> {
    let starts = keywords(source);
    let mut sections = Sections::default();
    for (index, &(keyword, at)) in starts.iter().enumerate() {
        let end = starts
            .get(index + 1)
            .map_or(source.text().len(), |&(_, next)| next.start);
        let body = Span::new(at.end, end);
        if keyword == "Ops" {
            sections.operations.push(body);
            continue;
        }
        if keyword == "Automaton" {
            sections.blocks.push(name_line(source, body));
            continue;
        }
        if sections.blocks.is_empty() {
            sections.blocks.push(Block::default());
        }
        let block = sections.blocks.last_mut().expect("pushed above");
        let place = match keyword {
            "States" => &mut block.states,
            "Final States" => &mut block.accepting,
            _ => &mut block.transitions,
        };
        if let Some(first) = place {
            let first = Span::new(first.start - keyword.len(), first.start);
            return Err(duplicate(source, "section", keyword, first, at));
        }
        *place = Some(body);
    }
    match sections.operations.is_empty() || sections.blocks.is_empty() {
        false => Ok(sections),
        true => Err(missing(source, &starts)),
    }
}

fn missing(source: &Source, found: &[(&'static str, Span)]) -> Diagnostic {
    let missing = match found.iter().any(|&(keyword, _)| keyword == "Ops") {
        false => "Ops",
        true => "Automaton",
    };
    let mut cursor = Cursor::new(source);
    cursor.skip_blanks();
    let first_word = cursor.clone().take_while(char::is_alphanumeric).to_owned();
    let place = Span::new(cursor.at(), cursor.at() + first_word.len());
    let diagnostic = Diagnostic::error("syntax", format!("the section `{missing}` is missing"))
        .at(source, place, "expected a section of a Timbuk file")
        .note("the sections are `Ops`, `Automaton`, `States`, `Final States`, `Transitions`");
    match KEYWORDS.contains(&first_word.as_str()) {
        true => diagnostic,
        false => diagnostic.did_you_mean(&first_word, KEYWORDS),
    }
}

/// The name of an automaton: the rest of its line without the marker of its kind.
fn name_line(source: &Source, body: Span) -> Block {
    let text = &source.text()[body.range()];
    let mut block = Block::default();
    let mut words = Vec::new();
    for word in text.split_whitespace() {
        match word {
            "@INFA" | "@INT" => {
                let start = body.start + (word.as_ptr() as usize - text.as_ptr() as usize);
                let at = Span::new(start, start + word.len());
                block.marker = Some((word.to_owned(), at));
            }
            _ => words.push(word),
        }
    }
    block.name = words.join(" ");
    block
}

/// The keywords of the file with their places. A keyword stands first on its line, or after
/// the name of the automaton; what looks like one before `(`, `:` or `->` is a name.
fn keywords(source: &Source) -> Vec<(&'static str, Span)> {
    let mut cursor = Cursor::new(source);
    let mut found: Vec<(&'static str, Span)> = Vec::new();
    let (mut first_on_line, mut quotes) = (true, true);
    loop {
        let before = cursor.at();
        cursor.skip_blanks();
        first_on_line |= source.text()[before..cursor.at()].contains('\n');
        if cursor.at_end() {
            return found;
        }
        let start = cursor.at();
        if first_on_line && in_header(&found) && is_comment(cursor.rest()) {
            cursor.skip_line();
            continue;
        }
        if quotes && cursor.peek() == Some('"') {
            // A quoted name may hold blanks and keywords.
            cursor.bump();
            if quoted(&mut cursor, '"').is_err() {
                // No other quote closes either; the reader of the section will tell.
                quotes = false;
                cursor.go_to(start + 1);
            }
            first_on_line = false;
            continue;
        }
        let word = cursor.take_while(|c| !c.is_whitespace() && (c != '"' || !quotes));
        let after_name = matches!(
            found.last(),
            Some(("Automaton" | "States" | "Final States" | "Ops", _))
        );
        if let Some(keyword) = KEYWORDS.into_iter().find(|&keyword| keyword == word)
            && (first_on_line || after_name)
            && !is_name(cursor.rest())
        {
            let mut keyword = keyword;
            if keyword == "Final" {
                let mut ahead = cursor.clone();
                ahead.skip_blanks();
                if !ahead.eat("States") || ahead.rest().starts_with(|c: char| !c.is_whitespace()) {
                    first_on_line = false;
                    continue;
                }
                cursor = ahead;
                keyword = "Final States";
            }
            found.push((keyword, cursor.since(start)));
        }
        first_on_line = false;
    }
}

/// Before the rules, `#`, `%` and `//` at the start of a line begin a comment unless they are
/// declared as letters there; among the rules the reader decides.
fn in_header(found: &[(&'static str, Span)]) -> bool {
    !matches!(found.last(), Some(("Transitions", _)))
}

/// Whether a line of the header is a comment: it begins like one and is no `letter:arity`.
pub(super) fn is_comment(line: &str) -> bool {
    if !line.starts_with(['#', '%']) && !line.starts_with("//") {
        return false;
    }
    let word = line.split_whitespace().next().unwrap_or_default();
    match word.rsplit_once(':') {
        Some((_, arity)) => arity.is_empty() || !arity.bytes().all(|byte| byte.is_ascii_digit()),
        None => true,
    }
}

fn is_name(rest: &str) -> bool {
    let rest = rest.trim_start_matches([' ', '\t']);
    rest.starts_with(['(', ':']) || rest.starts_with("->")
}
