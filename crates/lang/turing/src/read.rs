//! The reader of files.

mod ends;

use quotient_core::{Diagnostic, Source, Span, Trouble};

use crate::layout::{self, Field, operation_of, single};
use crate::machine::{Action, Machine};
use crate::question::{self, Asked, Question, Start, Wanted};
use crate::settle::{self, Form, Raw, Settled};

/// A file: a machine and what is asked about it.
#[derive(Debug, Clone)]
pub(crate) struct File {
    pub(crate) name: Option<String>,
    pub(crate) machine: Machine,
    pub(crate) questions: Vec<Question>,
}

#[derive(Default)]
struct Reader<'a> {
    source: Option<&'a Source>,
    actions: Vec<Raw>,
    blank: Option<(char, Span)>,
    /// The first symbol of a table, which is its blank.
    blank_of_table: Option<(char, Span)>,
    start: Option<(&'a str, Span)>,
    /// What the form of the machine implies where the file does not say it: the blank, and the
    /// state to begin with (none for the notation, whose states have names in the end).
    usual: Option<(char, Option<String>)>,
    /// The rows of the busy-beaver notation, with where they stand.
    rows: Vec<(Vec<Field<'a>>, Span)>,
    /// Whether these stand on one line.
    rows_are_whole: bool,
    /// A line before all rows that may be one, or be drawn.
    drawn: Option<Span>,
    /// A state and a symbol on a line of their own: what is done stands on the next one.
    pending: Option<([&'a str; 2], Span)>,
    name: Option<(String, Span)>,
    /// The states that the file says it stops in.
    stopping: Vec<(&'a str, Span)>,
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
        if !trimmed.is_empty() && !trimmed.starts_with("//") && !trimmed.starts_with(';') {
            let start = begin + (code.len() - code.trim_start().len());
            reader.line(trimmed, start);
        }
    }
    reader.finish()
}

impl<'a> Reader<'a> {
    fn line(&mut self, line: &'a str, at: usize) {
        let span = Span::new(at, at + line.len());
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let rest_at = at + (line.len() - rest.len());
        let is_word = !rest.is_empty() && !rest.contains(char::is_whitespace);
        if self.second_line(line, at) {
            return;
        }
        match word {
            "machine" | "name:" => {
                let old = self.name.replace((rest.to_owned(), span));
                self.once("name", old.map(|(_, span)| span), span);
            }
            "blank" | "blank:" => match single(rest.trim_matches(['\'', '"'])) {
                Some(letter) => {
                    let old = self.blank.replace((letter, span));
                    self.once("blank", old.map(|(_, span)| span), span);
                }
                None => self.wrong(span, "the blank is one symbol", "write `blank B`"),
            },
            "start" | "start:" | "init:" | "initial:" if is_word => {
                let old = self.start.replace((rest, span));
                self.once("start", old.map(|(_, span)| span), span);
            }
            // A machine stops where it has no action: whether it has none there is looked at later.
            "accept:" | "reject:" | "halt:" | "final:" => self.stopping.push((rest, span)),
            "states:" | "alphabet:" => {}
            "check" => self
                .questions
                .push((rest, Span::new(rest_at, at + line.len()))),
            "table" => self.head(layout::cells(rest), span),
            _ if line.starts_with('<') && line.contains(',') => self.tuples(line, at),
            _ if layout::is_rule(line) && !self.is_empty_row(line, span) => {}
            _ if self.columns.is_some() => self.row(line, at),
            _ => self.loose(line, at),
        }
        if matches!(word, "machine" | "check" | "blank" | "start") {
            self.columns = None;
        }
    }

    /// Tells that something is said a second time.
    fn once(&mut self, what: &str, old: Option<Span>, span: Span) {
        if let (Some(old), Some(source)) = (old, self.source) {
            let message = format!("the {what} is given twice");
            let mistake = Diagnostic::error("given-twice", message)
                .at(source, span, "the second time")
                .at(source, old, "the first time");
            self.mistakes
                .push(mistake.help("a file has one machine: remove one of them"));
        }
    }

    /// Whether dashes on a line of their own are the row of a state that does nothing: they are
    /// where rows of the notation go on line by line.
    fn is_empty_row(&mut self, line: &str, span: Span) -> bool {
        if self.columns.is_some() || layout::empty_cells(line).is_none() {
            return false;
        }
        let goes_on = !self.rows.is_empty() && !self.rows_are_whole;
        if self.rows.is_empty() {
            self.drawn.get_or_insert(span);
        }
        goes_on
    }

    /// Whether this line says what is done in the situation that stands on the line before it.
    fn second_line(&mut self, line: &'a str, at: usize) -> bool {
        let Some(([from, read], span)) = self.pending.take() else {
            return false;
        };
        let fields = layout::fields(line);
        let done = match fields[..] {
            [(_, one), (_, two), (_, three)] => single(read).zip(layout::done([one, two, three])),
            _ => None,
        };
        match done {
            Some((read, ways)) => {
                let here = Span::new(at, at + line.len());
                self.tuple(Raw::new(from, read, ways, Form::Loose, here));
                true
            }
            None => {
                let message = "what is done here is missing";
                let help =
                    "the next line says it: `q1,1,>`, the next state, what is written, the move";
                self.wrong(span, message, help);
                false
            }
        }
    }

    /// A line in one of the layouts that need no word before them.
    fn loose(&mut self, line: &'a str, at: usize) {
        let span = Span::new(at, at + line.len());
        if let Some(rows) = layout::notation(line) {
            return self.notation(rows, span);
        }
        if let Some((name, tuples)) = line.split_once('=')
            && name.trim().chars().all(char::is_alphanumeric)
            && tuples.trim_start_matches(['{', ' ']).starts_with('<')
        {
            let tuples = tuples.trim_start_matches(['{', ' ']);
            let begin = at + (line.len() - tuples.len());
            return self.tuples(tuples.trim_end_matches(['}', ' ']), begin);
        }
        let fields = layout::fields(line);
        let form = match layout::has_arrow(line) {
            true => Form::Loose,
            false => Form::Plain,
        };
        let found = Self::actions_of(&fields, form, at);
        if !found.is_empty() {
            return found.into_iter().for_each(|raw| self.tuple(raw));
        }
        let texts: Vec<&'a str> = fields.iter().map(|(_, text)| *text).collect();
        match texts[..] {
            [from, read] if single(read).is_some() && line.contains(',') => {
                self.pending = Some(([from, read], span));
            }
            [from, ..] if self.is_row(&texts[1..]) => {
                let columns =
                    (0..texts.len() as u32 - 1).filter_map(|one| char::from_digit(one, 10));
                let columns: Vec<char> = columns.collect();
                if self.usual.is_none() {
                    self.usual = Some(('0', Some(from.to_owned())));
                }
                for ((place, cell), read) in fields[1..].iter().zip(columns) {
                    self.cell(from, read, cell, at + place);
                }
            }
            _ if self.actions.is_empty() && layout::head(line).is_some() => {
                self.head(layout::cells(line), span);
            }
            _ => self.wrong(
                span,
                "this is no part of a machine",
                "lines are `<1,B,R,2>`, `<1,B,1,R,2>`, `1RB1LB_1LA1RZ`, `table 0 1`, `blank B`, \
                 `start 1` or `check QUESTION`",
            ),
        }
    }

    /// Whether these are what a state does at 0, 1 and so on.
    fn is_row(&self, cells: &[&str]) -> bool {
        let known = |cell: &&str| cell.len() >= 3 && layout::cell(cell).is_some();
        (2..=10).contains(&cells.len())
            && cells.iter().any(known)
            && cells
                .iter()
                .all(|cell| known(cell) || layout::is_nothing(cell))
    }

    /// The tuples that these fields are; none if they are not all of one form.
    fn actions_of(fields: &[Field<'a>], form: Form, at: usize) -> Vec<Raw> {
        let texts: Vec<&'a str> = fields.iter().map(|(_, text)| *text).collect();
        let spans = |range: std::ops::Range<usize>| {
            let (last, text) = fields[range.end - 1];
            Span::new(at + fields[range.start].0, at + last + text.len())
        };
        let five = |texts: &[&'a str], span: Span| match *texts {
            [from, read, one, two, three] => Some(Raw::new(
                from,
                single(read)?,
                layout::done([one, two, three])?,
                form,
                span,
            )),
            _ => None,
        };
        let four = |texts: &[&'a str], span: Span| match *texts {
            [from, read, operation, to] => {
                let read = single(read)?;
                let (write, shift) = operation_of(operation, read)?;
                Some(Raw::fixed(from, read, (write, shift, to), span))
            }
            _ => None,
        };
        let all = |size: usize, read: &dyn Fn(&[&'a str], Span) -> Option<Raw>| {
            let tuples = texts.chunks(size).enumerate();
            let tuples = tuples.map(|(number, tuple)| {
                let begin = number * size;
                read(tuple, spans(begin..begin + tuple.len()))
            });
            tuples.collect::<Option<Vec<Raw>>>().unwrap_or_default()
        };
        match texts[..] {
            [situation, cell] if cell.len() >= 3 && layout::cell(situation).is_none() => {
                let place = situation.char_indices().next_back();
                let (from, read) = situation.split_at(place.map_or(0, |(place, _)| place));
                let read = single(read).filter(|_| !from.is_empty());
                let found = read.zip(layout::cell(cell));
                let raw = found
                    .map(|(read, (ways, _))| Raw::new(from, read, ways, Form::Plain, spans(0..2)));
                raw.into_iter().collect()
            }
            [from, read, cell] if cell.len() >= 3 => {
                let found = single(read).zip(layout::cell(cell));
                let raw = found
                    .map(|(read, (ways, _))| Raw::new(from, read, ways, Form::Plain, spans(0..3)));
                raw.into_iter().collect()
            }
            [] => Vec::new(),
            _ if texts.len().is_multiple_of(5) => all(5, &five),
            _ if texts.len().is_multiple_of(4) => all(4, &four),
            _ => Vec::new(),
        }
    }

    fn tuple(&mut self, raw: Raw) {
        if self.usual.is_none() || raw.from == "1" {
            self.usual = Some(('B', Some(raw.from.clone())));
        }
        self.actions.push(raw);
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
            let between = |letter: char| letter.is_whitespace() || ",;".contains(letter);
            rest = after.trim_start_matches(between);
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
                    Some(Raw::fixed(from, read, (write, shift, to), span))
                }),
                [from, read, one, two, three] => single(read)
                    .zip(layout::done([one, two, three]))
                    .map(|(read, ways)| Raw::new(from, read, ways, Form::Plain, span)),
                _ => None,
            };
            match raw.filter(Raw::is_whole) {
                Some(raw) => self.tuple(raw),
                None => self.wrong(span, format!("`{tuple}` is no action"), HELP),
            }
        }
    }

    /// `table 0 1`: the symbols of the columns, the blank first.
    fn head(&mut self, cells: Vec<Field<'a>>, span: Span) {
        let cells = cells.into_iter().map(|(_, cell)| cell);
        // The corner of a table may be empty, or have a word in it.
        let cells = cells.skip_while(|cell| cell.chars().count() != 1);
        let columns: Option<Vec<char>> = cells.map(single).collect();
        match columns.filter(|columns| !columns.is_empty()) {
            Some(columns) => {
                let (first, old) = *self.blank_of_table.get_or_insert((columns[0], span));
                if first != columns[0] && self.blank.is_none() {
                    self.once("blank", Some(old), span);
                }
                self.columns = Some(columns);
            }
            None => self.wrong(span, "a table begins with its symbols", "write `table 0 1`"),
        }
    }

    /// `A 1RB 1LC`: a state and what it does at each symbol.
    fn row(&mut self, line: &'a str, at: usize) {
        let columns = self.columns.clone().unwrap_or_default();
        let mut cells = layout::cells(line).into_iter();
        let from = cells.next().map_or("", |(_, from)| from);
        let from = from.trim_end_matches(':').trim();
        let cells: Vec<Field<'a>> = cells.collect();
        let span = Span::new(at, at + line.len());
        if cells.len() != columns.len() || from.is_empty() {
            let message = format!(
                "a row has {} cells, and this one {}",
                columns.len(),
                cells.len()
            );
            return self.wrong(span, message, "`---` stands for no action");
        }
        if self.usual.is_none() {
            self.usual = Some((columns[0], Some(from.to_owned())));
        }
        for ((place, cell), read) in cells.into_iter().zip(columns) {
            self.cell(from, read, cell, at + place);
        }
    }

    fn cell(&mut self, from: &str, read: char, cell: &str, at: usize) {
        let span = Span::new(at, at + cell.len());
        match layout::cell(cell) {
            _ if layout::is_nothing(cell) => {}
            Some((ways, compact)) => {
                let form = if compact { Form::Plain } else { Form::Loose };
                self.actions.push(Raw::new(from, read, ways, form, span));
            }
            None => {
                let message = format!("`{cell}` is no action");
                self.wrong(
                    span,
                    message,
                    "write `1RB`: what is written, the move, the next state",
                );
            }
        }
    }

    /// `1RB1LB_1LA1RZ`: a row a state from A on, three letters a symbol from 0 on. Lines of one
    /// row each go on where the one before them ended.
    fn notation(&mut self, rows: Vec<Vec<Field<'a>>>, span: Span) {
        let is_whole = rows.len() > 1;
        if !self.rows.is_empty() && (is_whole || self.rows_are_whole) {
            let message = "this is another machine, and a file has one";
            return self.wrong(span, message, "put it into a file of its own");
        }
        if let (Some(drawn), false) = (self.drawn.take(), is_whole) {
            let message = "is this drawn, or the row of a state that does nothing?";
            self.wrong(drawn, message, "leave it out, or use `table`");
        }
        let width = self
            .rows
            .first()
            .map_or(rows[0].len(), |(row, _)| row.len());
        if rows[0].len() != width {
            let message = format!(
                "this row has {} actions, and the first {width}",
                rows[0].len()
            );
            return self.wrong(span, message, "`---` stands for no action");
        }
        self.rows_are_whole = is_whole;
        self.rows.extend(rows.into_iter().map(|row| (row, span)));
        self.usual.get_or_insert(('0', None));
    }

    /// Makes actions of the rows of the notation, once all of them are known.
    fn settle_rows(&mut self) {
        let rows = std::mem::take(&mut self.rows);
        let Some((_, span)) = rows.first() else {
            return;
        };
        let whole = span.to(rows.last().map_or(*span, |(_, span)| *span));
        let names = match settle::names_of_rows(&rows) {
            Ok(names) => names,
            Err((message, help)) => return self.wrong(whole, message, help),
        };
        if let Some((_, start)) = &mut self.usual {
            start.get_or_insert(names.of(0));
        }
        for (state, (row, span)) in rows.iter().enumerate() {
            for (symbol, (place, cell)) in row.iter().enumerate() {
                let read = u32::try_from(symbol).ok();
                let read = read.and_then(|one| char::from_digit(one, 10));
                let Some(read) = read else {
                    return self.wrong(*span, "more than ten symbols", "use `table`");
                };
                let at = span.start + place;
                let span = Span::new(at, at + cell.len());
                if let Some(done) = names.cell(cell) {
                    self.actions
                        .push(Raw::fixed(&names.of(state), read, done, span));
                }
            }
        }
    }

    fn finish(mut self) -> Result<File, Trouble> {
        self.second_line("", 0);
        self.settle_rows();
        let mut machine = Machine::default();
        let (blank, start) = (self.usual.take()).unwrap_or(('B', None));
        let start = start.unwrap_or_else(|| "1".to_owned());
        let given = self.blank.or(self.blank_of_table).map(|(blank, _)| blank);
        let blank = given.unwrap_or_else(|| self.blank_of(blank));
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
        machine.start = machine.state(self.start.map_or(&start, |(name, _)| name));
        let (settled, unsettled) = settle::settled(std::mem::take(&mut self.actions));
        for span in unsettled {
            let message = "this can be read in several ways: which is the next state?";
            let help =
                "write `<A,0,S,R,B>`: state, scanned symbol, what is written, move, next state";
            self.wrong(span, message, help);
        }
        for action in settled {
            self.action(&mut machine, &action);
        }
        self.begins_there(&machine);
        self.stops_there(&machine);
        let questions = self.ask(&mut machine);
        match self.mistakes.is_empty() {
            true => Ok(File {
                name: self.name.map(|(name, _)| name),
                machine,
                questions,
            }),
            false => Err(self.mistakes.into()),
        }
    }

    /// The blank where the file does not say it. Nobody asks about the empty tape of a machine
    /// that does nothing on it: then it is another symbol that stands for blank.
    fn blank_of(&self, usual: char) -> char {
        let reads = |symbol: char| self.actions.iter().any(|raw| raw.read == symbol);
        match reads(usual) || !self.questions.is_empty() {
            true => usual,
            false => ['_', '□', '⊔', 'b', '0']
                .into_iter()
                .find(|one| reads(*one))
                .unwrap_or(usual),
        }
    }

    fn action(&mut self, machine: &mut Machine, raw: &Settled) {
        let (from, to) = (machine.state(&raw.from), machine.state(&raw.to));
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
