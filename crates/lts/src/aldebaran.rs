//! The `.aut` file format of Aldebaran, as CADP and mCRL2 write it.
//!
//! A header `des (initial, transitions, states)`, then one edge a line:
//! `(source, "label", target)`. Labels without a comma may stand without quotes; `i` and
//! `tau` are the silent action. The error state, `END` and blocked actions have no place in
//! the format; the writer marks them by self-loops labelled `@error`, `@end` and
//! `@blocks label`, which the reader understands.

use std::fmt::Write;

use quotient_core::{Diagnostic, Source, Span};

use crate::{Action, Actions, ERROR, Lts, LtsBuilder, State};

const ERROR_MARK: &str = "@error";
const END_MARK: &str = "@end";
const BLOCKS_MARK: &str = "@blocks ";

/// More states than an explicit search here holds; a header that says more is a mistake.
const MOST_STATES: u64 = 1 << 26;

/// Reads a transition system; its actions are added to the table.
///
/// ```
/// use quotient_lts::{Actions, aldebaran};
/// use quotient_core::Source;
/// let source = Source::new("lock.aut", "des (0, 2, 2)\n(0, lock, 1)\n(1, \"unlock\", 0)\n");
/// let mut actions = Actions::new();
/// let lts = aldebaran::read(&source, &mut actions).unwrap();
/// assert_eq!((lts.states(), lts.transitions()), (2, 2));
/// assert_eq!(aldebaran::write(&lts, &actions), "des (0, 2, 2)\n(0, \"lock\", 1)\n(1, \"unlock\", 0)\n");
/// ```
pub fn read(source: &Source, actions: &mut Actions) -> Result<Lts, Diagnostic> {
    let mut reader = Reader { source, at: 0 };
    let header = reader.header()?;
    let mut edges = Vec::new();
    let mut error = None;
    let mut end = None;
    let mut blocked = Vec::new();
    let mut count = 0;
    while !reader.at_end() {
        let (from, label, to) = reader.edge(header.states)?;
        count += 1;
        match label {
            ERROR_MARK if from == to => error = Some(from),
            END_MARK if from == to => end = Some(from),
            "i" => edges.push((from, Action::TAU, to)),
            _ => match label.strip_prefix(BLOCKS_MARK).filter(|_| from == to) {
                Some(action) => blocked.push(actions.intern(action)),
                None => edges.push((from, actions.intern(label), to)),
            },
        }
    }
    if count != header.edges {
        return Err(Diagnostic::error(
            "aut-edge-count",
            format!(
                "the header announces {} edges, there are {count}",
                header.edges
            ),
        )
        .at(source, header.edges_at, "announced here")
        .help("correct the header, or complete the file"));
    }
    // The error state has no number in an `Lts`: the states after it move up.
    let place = |state: State| match error {
        Some(error) if state == error => ERROR,
        Some(error) if state > error => State::from_index(state.index() - 1),
        _ => state,
    };
    let mut builder = LtsBuilder::new();
    builder
        .at_least(header.states - usize::from(error.is_some()))
        .initial(place(header.initial))
        .alphabet(blocked);
    if let Some(end) = end {
        builder.end(place(end));
    }
    for (from, action, to) in edges {
        builder.edge(place(from), action, place(to));
    }
    Ok(builder.build())
}

/// Writes a transition system, the error state as the last one.
pub fn write(lts: &Lts, actions: &Actions) -> String {
    let mut lines = String::new();
    let mut count = 0;
    let error = State::from_index(lts.states());
    let number = |state: State| if state == ERROR { error } else { state };
    let mut line = |from: State, label: &str, to: State| {
        count += 1;
        // Writing to a string cannot fail.
        let _ = writeln!(lines, "({}, \"{label}\", {})", number(from), number(to));
    };
    let mut used = vec![false; actions.len()];
    for (from, edge) in lts.all_edges() {
        used[edge.action.index()] = true;
        match edge.action.is_tau() {
            true => line(from, "i", edge.target),
            false => line(from, actions.name(edge.action), edge.target),
        }
    }
    for &action in lts.alphabet().iter().filter(|action| !used[action.index()]) {
        let label = format!("{BLOCKS_MARK}{}", actions.name(action));
        line(State::from(0), &label, State::from(0));
    }
    if let Some(end) = lts.end() {
        line(end, END_MARK, end);
    }
    if lts.has_error() {
        line(ERROR, ERROR_MARK, ERROR);
    }
    let states = lts.states() + usize::from(lts.has_error());
    format!(
        "des ({}, {count}, {states})\n{lines}",
        number(lts.initial())
    )
}

struct Header {
    initial: State,
    edges: u64,
    edges_at: Span,
    states: usize,
}

struct Reader<'a> {
    source: &'a Source,
    at: usize,
}

impl<'a> Reader<'a> {
    fn header(&mut self) -> Result<Header, Diagnostic> {
        self.skip_space();
        if !self.rest().starts_with("des") {
            return Err(self.expected("the header `des (initial, edges, states)`"));
        }
        self.at += 3;
        self.symbol('(')?;
        let (initial, initial_at) = self.number()?;
        self.symbol(',')?;
        let (edges, edges_at) = self.number()?;
        self.symbol(',')?;
        let (states, states_at) = self.number()?;
        self.symbol(')')?;
        if states == 0 || states > MOST_STATES {
            let message = format!("{states} states: a file has between 1 and {MOST_STATES}");
            return Err(Diagnostic::error("aut-state-count", message).at(
                self.source,
                states_at,
                "announced here",
            ));
        }
        Ok(Header {
            initial: self.state(initial, initial_at, states as usize)?,
            edges,
            edges_at,
            states: states as usize,
        })
    }

    fn edge(&mut self, states: usize) -> Result<(State, &'a str, State), Diagnostic> {
        self.symbol('(')?;
        let (from, from_at) = self.number()?;
        let from = self.state(from, from_at, states)?;
        self.symbol(',')?;
        let label = self.label()?;
        self.symbol(',')?;
        let (to, to_at) = self.number()?;
        let to = self.state(to, to_at, states)?;
        self.symbol(')')?;
        Ok((from, label, to))
    }

    fn state(&self, number: u64, at: Span, states: usize) -> Result<State, Diagnostic> {
        if number < states as u64 {
            return Ok(State::from_index(number as usize));
        }
        let message = format!("state {number} does not exist");
        Err(Diagnostic::error("aut-no-such-state", message)
            .at(self.source, at, "used here")
            .note(format!(
                "the header announces the states 0 to {}",
                states - 1
            )))
    }

    /// The text of a label, without its quotes.
    fn label(&mut self) -> Result<&'a str, Diagnostic> {
        self.skip_space();
        let text = self.source.text();
        let quoted = self.rest().starts_with('"');
        let from = self.at + usize::from(quoted);
        let stop: &[char] = if quoted { &['"', '\n'] } else { &[',', '\n'] };
        let Some(length) = text[from..].find(stop) else {
            return Err(self.expected("a label"));
        };
        self.at = from + length;
        if quoted {
            self.symbol('"')?;
        }
        let label = text[from..from + length].trim();
        if label.is_empty() {
            self.at = from;
            return Err(self.expected("a label"));
        }
        Ok(label)
    }

    fn number(&mut self) -> Result<(u64, Span), Diagnostic> {
        self.skip_space();
        let rest = self.rest();
        let length = rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len());
        let Ok(number) = rest[..length].parse() else {
            return Err(self.expected("a number"));
        };
        let span = Span::new(self.at, self.at + length);
        self.at += length;
        Ok((number, span))
    }

    fn symbol(&mut self, symbol: char) -> Result<(), Diagnostic> {
        self.skip_space();
        if !self.rest().starts_with(symbol) {
            return Err(self.expected(&format!("`{symbol}`")));
        }
        self.at += symbol.len_utf8();
        Ok(())
    }

    fn skip_space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    fn at_end(&mut self) -> bool {
        self.skip_space();
        self.rest().is_empty()
    }

    fn rest(&self) -> &'a str {
        &self.source.text()[self.at..]
    }

    fn expected(&self, what: &str) -> Diagnostic {
        let width = self.rest().chars().next().map_or(0, char::len_utf8);
        let message = match self.rest().chars().next() {
            Some(found) => format!("expected {what}, found `{}`", found.escape_default()),
            None => format!("expected {what}, found the end of the file"),
        };
        Diagnostic::error("aut-syntax", message)
            .at(self.source, Span::new(self.at, self.at + width), "here")
            .note("a line reads `(source, \"label\", target)`")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str) -> Result<(Lts, Actions), Diagnostic> {
        let mut actions = Actions::new();
        read(&Source::new("t.aut", text), &mut actions).map(|lts| (lts, actions))
    }

    #[test]
    fn error_end_and_blocked_actions_survive() {
        let mut actions = Actions::new();
        let (a, b) = (actions.intern("a"), actions.intern("b"));
        let mut builder = LtsBuilder::new();
        builder
            .edge(0, a, ERROR)
            .edge(0, Action::TAU, 1)
            .end(1)
            .alphabet([b]);
        let lts = builder.build();
        let text = write(&lts, &actions);
        let again = read(&Source::new("t.aut", text), &mut actions).unwrap();
        assert_eq!(again, lts);
    }

    #[test]
    fn an_lts_that_starts_in_error_survives() {
        let mut builder = LtsBuilder::new();
        builder.initial(ERROR);
        let lts = builder.build();
        let (again, _) = read_text(&write(&lts, &Actions::new())).unwrap();
        assert_eq!(again.initial(), ERROR);
    }

    #[test]
    fn mistakes_are_shown_in_place() {
        for (text, code, at) in [
            ("", "aut-syntax", 0),
            ("des (0, 0, 0)", "aut-state-count", 11),
            ("des (0, 0, 99999999999)", "aut-state-count", 11),
            ("des (0, 1, 2)\n(0, a, 2)", "aut-no-such-state", 21),
            ("des (0, 1, 2)\n(0, , 1)", "aut-syntax", 18),
            ("des (0, 2, 2)\n(0, a, 1)", "aut-edge-count", 8),
            ("des (0, 1, 2)\n(0, \"a, 1)", "aut-syntax", 18),
            ("des (5, 0, 2)", "aut-no-such-state", 5),
        ] {
            let diagnostic = read_text(text).unwrap_err();
            assert_eq!(diagnostic.code, code, "{text}: {diagnostic}");
            assert_eq!(diagnostic.labels[0].span.start, at, "{text}");
        }
    }

    #[test]
    fn any_text_is_read_or_refused() {
        quotient_trial::trial(|bytes| {
            let pieces = [
                "des",
                "(",
                ")",
                ",",
                "0",
                "1",
                "2",
                "\"",
                "a",
                "i",
                "@end",
                "\n",
                "é",
                "@blocks x",
            ];
            let mut text = String::from(if bytes.arbitrary()? {
                "des (0, 1, 2)\n"
            } else {
                ""
            });
            while !bytes.is_empty() {
                text.push_str(bytes.choose(&pieces)?);
            }
            if let Ok((lts, actions)) = read_text(&text) {
                let written = write(&lts, &actions);
                assert!(read_text(&written).is_ok(), "{written}");
            }
            Ok(())
        })
        .budget_ms(500);
    }
}
