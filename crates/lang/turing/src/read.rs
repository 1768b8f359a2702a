//! The reader of files.

use quotient_core::{Diagnostic, Source, Span, Trouble};

use crate::machine::{Action, Machine, Side};
use crate::question::{self, Asked, Question, Start, Wanted};

/// A file: a machine and what is asked about it.
#[derive(Debug, Clone)]
pub(crate) struct File {
    pub(crate) name: Option<String>,
    pub(crate) machine: Machine,
    pub(crate) questions: Vec<Question>,
}

/// An action as the file writes it, before states and symbols have numbers.
struct Raw<'a> {
    from: &'a str,
    read: char,
    write: char,
    shift: Option<Side>,
    to: &'a str,
    span: Span,
}

#[derive(Default)]
struct Reader<'a> {
    source: Option<&'a Source>,
    actions: Vec<Raw<'a>>,
    blank: Option<char>,
    start: Option<(&'a str, Span)>,
    /// What the form of the machine implies where the file does not say it.
    usual: Option<(char, &'a str)>,
    name: Option<String>,
    questions: Vec<(&'a str, Span)>,
    /// The symbols of the columns of the table that is being read.
    columns: Option<Vec<char>>,
    mistakes: Vec<Diagnostic>,
}

/// Reads a file; all its mistakes at once.
pub(crate) fn read(source: &Source) -> Result<File, Trouble> {
    let mut reader = Reader {
        source: Some(source),
        ..Reader::default()
    };
    let text = source.text();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let begin = at;
        at += line.len();
        let code = line.split('#').next().unwrap_or_default();
        let trimmed = code.trim();
        if !trimmed.is_empty() {
            let start = begin + (code.len() - code.trim_start().len());
            reader.line(trimmed, start);
        }
    }
    reader.finish()
}

/// Whether a line is a machine in the busy-beaver notation: `1RB1LB_1LA1RZ`.
pub(crate) fn is_notation(line: &str) -> bool {
    let mut rows = line.split('_');
    let width = line.find('_').unwrap_or(line.len());
    width >= 6
        && line.is_ascii()
        && rows.all(|row| {
            row.len() == width
                && row.len().is_multiple_of(3)
                && row.as_bytes().chunks(3).all(is_cell)
        })
}

/// Whether three letters are a cell of the notation: a digit, a side and a state; or nothing.
fn is_cell(cell: &[u8]) -> bool {
    match cell {
        [write, side, to] => {
            cell == b"---"
                || write.is_ascii_digit() && b"LR".contains(side) && to.is_ascii_uppercase()
        }
        _ => false,
    }
}

impl<'a> Reader<'a> {
    fn line(&mut self, line: &'a str, at: usize) {
        let span = Span::new(at, at + line.len());
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let rest_at = at + (line.len() - rest.len());
        let in_table = self.columns.is_some();
        match word {
            "machine" => self.name = Some(rest.to_owned()),
            "blank" => match single(rest) {
                Some(letter) => self.blank = Some(letter),
                None => self.wrong(span, "the blank is one symbol", "write `blank B`"),
            },
            "start" if !rest.is_empty() => self.start = Some((rest, span)),
            "check" => self
                .questions
                .push((rest, Span::new(rest_at, at + line.len()))),
            "table" => self.head(rest, span),
            _ if line.starts_with('<') => self.tuples(line, at),
            _ if in_table => self.row(line, at),
            _ if is_notation(line) => self.notation(line, at),
            _ => self.wrong(
                span,
                "this is no part of a machine",
                "lines are `<1,B,R,2>`, `<1,B,1,R,2>`, `1RB1LB_1LA1RZ`, `table 0 1`, `blank B`, \
                 `start 1` or `check QUESTION`",
            ),
        }
        if matches!(word, "machine" | "check" | "blank" | "start") {
            self.columns = None;
        }
    }

    fn wrong(&mut self, span: Span, message: impl Into<String>, help: &str) {
        let mut mistake = Diagnostic::error("syntax", message);
        if let Some(source) = self.source {
            mistake = mistake.at(source, span, "");
        }
        self.mistakes.push(mistake.help(help));
    }

    /// `<1,B,R,2> <2,1,W(0),3>`: quadruples, and quintuples with what is written before the move.
    fn tuples(&mut self, line: &'a str, at: usize) {
        const HELP: &str = "quadruples are `<1,B,R,2>` or `<1,B,W(1),2>`, quintuples `<1,B,1,R,2>`";
        let mut rest = line;
        while !rest.is_empty() {
            let begin = at + (line.len() - rest.len());
            let end = rest.find('>').map_or(rest.len(), |end| end + 1);
            let (tuple, after) = rest.split_at(end);
            rest = after.trim_start_matches(|letter: char| letter.is_whitespace() || letter == ',');
            let span = Span::new(begin, begin + tuple.len());
            let inner = tuple
                .strip_prefix('<')
                .and_then(|tuple| tuple.strip_suffix('>'));
            let fields: Vec<&'a str> = inner
                .unwrap_or_default()
                .split(',')
                .map(str::trim)
                .collect();
            let raw = match fields[..] {
                [from, read, operation, to] => single(read).and_then(|read| {
                    let (write, shift) = operation_of(operation, read)?;
                    Some(Raw {
                        from,
                        read,
                        write,
                        shift,
                        to,
                        span,
                    })
                }),
                [from, read, write, shift, to] => (single(read).zip(single(write)))
                    .zip(shift_of(shift))
                    .map(|((read, write), shift)| Raw {
                        from,
                        read,
                        write,
                        shift,
                        to,
                        span,
                    }),
                _ => None,
            };
            match raw.filter(|raw| !raw.from.is_empty() && !raw.to.is_empty()) {
                Some(raw) => {
                    let usual = ('B', if raw.from == "1" { "1" } else { raw.from });
                    let one = usual.1 == "1";
                    if self.usual.is_none() || one {
                        self.usual = Some(usual);
                    }
                    self.actions.push(raw);
                }
                None => self.wrong(span, format!("`{tuple}` is no action"), HELP),
            }
        }
    }

    /// `table 0 1`: the symbols of the columns, the blank first.
    fn head(&mut self, rest: &'a str, span: Span) {
        let columns: Option<Vec<char>> = rest.split_whitespace().map(single).collect();
        match columns.filter(|columns| !columns.is_empty()) {
            Some(columns) => {
                self.blank.get_or_insert(columns[0]);
                self.columns = Some(columns);
            }
            None => self.wrong(span, "a table begins with its symbols", "write `table 0 1`"),
        }
    }

    /// `A 1RB 1LC`: a state and what it does at each symbol.
    fn row(&mut self, line: &'a str, at: usize) {
        let columns = self.columns.clone().unwrap_or_default();
        let mut words = line.split_whitespace();
        let from = words.next().unwrap_or_default();
        let cells: Vec<&'a str> = words.collect();
        let span = Span::new(at, at + line.len());
        if cells.len() != columns.len() {
            let message = format!(
                "a row has {} cells, and this one {}",
                columns.len(),
                cells.len()
            );
            return self.wrong(span, message, "`---` stands for no action");
        }
        if self.usual.is_none() {
            self.usual = Some((columns[0], from));
        }
        for (cell, read) in cells.into_iter().zip(columns) {
            if cell.chars().all(|letter| letter == '-') {
                continue;
            }
            let begin = at + (cell.as_ptr() as usize - line.as_ptr() as usize);
            self.cell(from, read, cell, Span::new(begin, begin + cell.len()));
        }
    }

    fn cell(&mut self, from: &'a str, read: char, cell: &'a str, span: Span) {
        let mut letters = cell.chars();
        let (write, side) = (letters.next(), letters.next().map(String::from));
        let to = letters.as_str();
        let shift = side.and_then(|side| shift_of(&side));
        match (write, shift) {
            (Some(write), Some(shift)) if !to.is_empty() => self.actions.push(Raw {
                from,
                read,
                write,
                shift,
                to,
                span,
            }),
            _ => {
                let message = format!("`{cell}` is no action");
                self.wrong(
                    span,
                    message,
                    "write `1RB`: what is written, the move, the next state",
                );
            }
        }
    }

    /// `1RB1LB_1LA1RZ`: a row a state from A on, three letters a symbol from 0 on.
    fn notation(&mut self, line: &'a str, at: usize) {
        const STATES: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
        if line.split('_').count() > STATES.len() {
            return self.wrong(
                Span::new(at, at + line.len()),
                "more than 26 states",
                "use `table`",
            );
        }
        self.usual = Some(('0', "A"));
        let mut begin = 0;
        for (state, row) in line.split('_').enumerate() {
            for (symbol, place) in (0..row.len()).step_by(3).enumerate() {
                let cell = &row[place..place + 3];
                let span = Span::new(at + begin + place, at + begin + place + 3);
                let read = u32::try_from(symbol)
                    .ok()
                    .and_then(|one| char::from_digit(one, 10));
                match read {
                    _ if cell == "---" => {}
                    Some(read) => self.cell(&STATES[state..=state], read, cell, span),
                    None => self.wrong(span, "more than ten symbols", "use `table`"),
                }
            }
            begin += row.len() + 1;
        }
    }

    fn finish(mut self) -> Result<File, Trouble> {
        let mut machine = Machine::default();
        let (blank, start) = self.usual.unwrap_or(('B', "1"));
        let blank = self.blank.unwrap_or(blank);
        machine.blank = machine.symbol(blank).unwrap_or_default();
        machine.one = machine.symbol('1').unwrap_or_default();
        if self.actions.is_empty() && self.mistakes.is_empty() {
            let mut empty = Diagnostic::error("no-machine", "there is no action in this file");
            if let Some(source) = self.source {
                empty = empty.in_source(source);
            }
            self.mistakes
                .push(empty.help("write `<1,B,R,2>` or `1RB1LB_1LA1RZ`"));
        }
        machine.start = machine.state(self.start.map_or(start, |(name, _)| name));
        for raw in std::mem::take(&mut self.actions) {
            self.action(&mut machine, &raw);
        }
        if let Some((name, span)) = self.start
            && machine.table.get(machine.start).is_none_or(Vec::is_empty)
        {
            let message = format!("the start state `{name}` has no action");
            self.wrong(span, message, "name a state that has one");
        }
        let questions = self.ask(&mut machine);
        match self.mistakes.is_empty() {
            true => Ok(File {
                name: self.name,
                machine,
                questions,
            }),
            false => Err(self.mistakes.into()),
        }
    }

    fn action(&mut self, machine: &mut Machine, raw: &Raw<'_>) {
        let (from, to) = (machine.state(raw.from), machine.state(raw.to));
        let (Some(read), Some(write)) = (machine.symbol(raw.read), machine.symbol(raw.write))
        else {
            return self.wrong(raw.span, "more than 256 symbols", "use fewer");
        };
        let action = Action {
            write,
            shift: raw.shift,
            to,
            span: raw.span,
        };
        if let Some(old) = machine.add(from, read, action) {
            let message = format!("state `{}` has two actions at `{}`", raw.from, raw.read);
            let mut mistake = Diagnostic::error("two-actions", message);
            if let Some(source) = self.source {
                let line = |span: Span| source.position(span.start).0;
                let note = format!(
                    "they stand in lines {} and {}",
                    line(old.span),
                    line(raw.span)
                );
                mistake = mistake
                    .at(source, raw.span, "the second one")
                    .at(source, old.span, "the first one")
                    .note(note);
            }
            let mistake = mistake.help("a machine is deterministic: remove one of them");
            self.mistakes.push(mistake);
        }
    }

    /// The questions; whether it halts on the empty tape if the file has none.
    fn ask(&mut self, machine: &mut Machine) -> Vec<Question> {
        let mut all: Vec<Question> = Vec::new();
        let mut names = std::collections::HashSet::new();
        for (text, span) in std::mem::take(&mut self.questions) {
            let (name, body) = match text.split_once(':') {
                Some((name, body)) => (name.trim(), body.trim()),
                None => (text, text),
            };
            if !names.insert(name) {
                let message = format!("two questions are called `{name}`");
                self.wrong(span, message, "name one: `check NAME: halts on 8`");
                continue;
            }
            match question::read(body, machine) {
                Ok(asked) => all.push(Question {
                    name: name.to_owned(),
                    text: body.to_owned(),
                    span: Some(span),
                    asked,
                }),
                Err(why) => self.wrong(
                    span,
                    why,
                    "questions are `halts on 8 with 4 ones`, `diverges on 7`, \
                     `diverges on every 1(11)*` and `computes f(n) = n + 1 up to 9`",
                ),
            }
        }
        if all.is_empty() && self.mistakes.is_empty() {
            let start = Start::word(Vec::new(), machine.blank);
            all.push(Question {
                name: "halts on blank".to_owned(),
                text: "halts on blank".to_owned(),
                span: None,
                asked: Asked::Halts(start, Wanted::default()),
            });
        }
        all
    }
}

fn single(text: &str) -> Option<char> {
    let mut letters = text.chars();
    let letter = letters.next()?;
    (letters.next().is_none() && !"()[]<>,#|*+?.".contains(letter)).then_some(letter)
}

fn shift_of(text: &str) -> Option<Option<Side>> {
    match text {
        "L" | "l" => Some(Some(Side::Left)),
        "R" | "r" => Some(Some(Side::Right)),
        "N" | "S" | "n" | "s" => Some(None),
        _ => None,
    }
}

/// The operation of a quadruple: it moves, or it writes.
fn operation_of(text: &str, read: char) -> Option<(char, Option<Side>)> {
    match text {
        "L" => Some((read, Some(Side::Left))),
        "R" => Some((read, Some(Side::Right))),
        _ => {
            let written = text.strip_prefix('W')?.trim();
            let written = written.strip_prefix('(')?.strip_suffix(')')?;
            Some((single(written.trim())?, None))
        }
    }
}
