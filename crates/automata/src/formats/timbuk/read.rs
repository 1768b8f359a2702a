//! The Timbuk reader.

use quotient_core::{Budget, Diagnostic, Source, Span, Trouble};

use super::label::{Labels, unclosed_set};
use super::sections::{Block, is_comment, split};
use crate::formats::cursor::{Cursor, duplicate, quoted, undeclared};
use crate::formats::draft::{Draft, DraftLabel, DraftMachine, Names};
use crate::formats::{Format, Kind, Reading, Role};

/// Reads all automata of a file; they share the letters of `Ops`.
pub(in crate::formats) fn read(
    source: &Source,
    reading: &Reading,
    budget: &Budget,
) -> Result<Draft, Trouble> {
    let sections = split(source)?;
    let mut operations = Operations::default();
    for &span in &sections.operations {
        operations.read(source, span, budget)?;
    }
    let mut draft = Draft::new(source, Format::Timbuk);
    draft.declared = true;
    for block in &sections.blocks {
        let reader = BlockReader {
            source,
            operations: &operations,
            block,
            expect: reading.expect,
        };
        let machine = reader.machine(budget)?;
        if machine.initial.is_empty() {
            draft.warnings.push(
                Diagnostic::warning(
                    "no-initial-state",
                    format!(
                        "`{}` has no initial state: it accepts nothing",
                        machine.name
                    ),
                )
                .in_source(source)
                .help("a start rule such as `x() -> q0` makes `q0` initial"),
            );
        }
        draft.machines.push(machine);
    }
    draft.letters = operations.letters;
    Ok(draft)
}

/// The symbols that `Ops` declares.
#[derive(Default)]
struct Operations {
    letters: Names,
    letters_at: Vec<Span>,
    start: Option<(String, Span)>,
}

impl Operations {
    fn read(&mut self, source: &Source, span: Span, budget: &Budget) -> Result<(), Trouble> {
        let mut cursor = Cursor::within(source, span);
        let mut first_on_line = false;
        loop {
            budget.poll()?;
            let before = cursor.at();
            cursor.skip_blanks();
            first_on_line |= source.text()[before..cursor.at()].contains('\n');
            if cursor.at_end() {
                return Ok(());
            }
            if first_on_line && is_comment(cursor.rest()) {
                cursor.skip_line();
                continue;
            }
            first_on_line = false;
            self.symbol(&mut cursor)?;
        }
    }

    /// `name:arity`; the name may be quoted.
    fn symbol(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Diagnostic> {
        let start = cursor.at();
        let (name, arity) = if cursor.eat("\"") {
            let name = quoted(cursor, '"')?;
            if !cursor.eat(":") {
                return Err(cursor.expected("`:` and the arity of the symbol"));
            }
            (name, cursor.take_while(|c| !c.is_whitespace()))
        } else {
            let word = cursor.take_while(|c| !c.is_whitespace());
            match word.rsplit_once(':') {
                // Some write a blank before the number.
                Some((name, "")) if !name.is_empty() => {
                    let mut ahead = cursor.clone();
                    ahead.take_while(|c| c == ' ' || c == '\t');
                    let arity = ahead.take_while(|c| c.is_ascii_digit());
                    if !arity.is_empty() {
                        *cursor = ahead;
                    }
                    (name.to_owned(), arity)
                }
                Some((name, arity)) => (name.to_owned(), arity),
                None => {
                    return Err(Diagnostic::error(
                        "syntax",
                        format!("symbol `{word}` has no arity"),
                    )
                    .at(cursor.source, cursor.since(start), "expected `name:arity`")
                    .help(format!(
                        "write `{word}:1` for a letter, `{word}:0` for the start symbol"
                    )));
                }
            }
        };
        let span = cursor.since(start);
        match arity {
            "1" => {
                let number = self.letters.intern(&name);
                match self.letters_at.get(number as usize) {
                    Some(&first) => {
                        return Err(duplicate(cursor.source, "letter", &name, first, span));
                    }
                    None => self.letters_at.push(span),
                }
            }
            "0" => match &self.start {
                Some((first, at)) => {
                    return Err(Diagnostic::error(
                        "duplicate",
                        format!("`{first}` and `{name}` both have arity 0"),
                    )
                    .at(cursor.source, span, "a second start symbol")
                    .at(cursor.source, *at, "the first one")
                    .help(
                        "a word automaton has one start symbol; several start rules may use it",
                    ));
                }
                None => self.start = Some((name, span)),
            },
            _ => {
                let number = arity.parse::<u64>();
                let message = match number {
                    Ok(arity) => {
                        format!("`{name}` takes {arity} arguments: this is a tree automaton")
                    }
                    Err(_) => format!("`{arity}` is not an arity"),
                };
                return Err(Diagnostic::error("arity", message)
                    .at(cursor.source, span, "expected arity 0 or 1")
                    .help("words are read here: letters have arity 1, the start symbol arity 0"));
            }
        }
        Ok(())
    }
}

struct BlockReader<'a> {
    source: &'a Source,
    operations: &'a Operations,
    block: &'a Block,
    expect: Option<Kind>,
}

impl BlockReader<'_> {
    fn machine(&self, budget: &Budget) -> Result<DraftMachine, Trouble> {
        let declared_kind = self
            .block
            .marker
            .as_ref()
            .map(|(marker, at)| match marker.as_str() {
                "@INT" => (Kind::Transducer, *at),
                _ => (Kind::Automaton, *at),
            });
        let known = declared_kind.map(|(kind, _)| kind);
        let mut machine = DraftMachine::new(
            &self.block.name,
            Role::Unspecified,
            known.or(self.expect).unwrap_or(Kind::Automaton),
        );
        machine.shown_at = declared_kind.map(|(_, at)| at);
        self.states(&mut machine, budget)?;
        self.accepting(&mut machine)?;
        if let Some(span) = self.block.transitions {
            let labels = Labels {
                source: self.source,
                letters: &self.operations.letters,
                // The caller may expect the other kind: that is told once the file is read.
                kind: known.or(self.expect.filter(|&kind| kind == Kind::Transducer)),
            };
            let mut cursor = Cursor::within(self.source, span);
            loop {
                budget.poll()?;
                self.skip(&mut cursor);
                if cursor.at_end() {
                    break;
                }
                self.rule(&mut cursor, &labels, &mut machine)?;
            }
        }
        Ok(machine)
    }

    fn states(&self, machine: &mut DraftMachine, budget: &Budget) -> Result<(), Trouble> {
        let Some(span) = self.block.states else {
            return Err(
                Diagnostic::error("syntax", "the section `States` is missing")
                    .in_source(self.source)
                    .help("declare the states: `States q0 q1`")
                    .into(),
            );
        };
        let mut places: Vec<Span> = Vec::new();
        for (name, at) in self.state_list(span)? {
            budget.poll()?;
            let number = machine.states.intern(&name) as usize;
            match places.get(number) {
                Some(&first) => {
                    return Err(duplicate(self.source, "state", &name, first, at).into());
                }
                None => places.push(at),
            }
        }
        Ok(())
    }

    fn accepting(&self, machine: &mut DraftMachine) -> Result<(), Trouble> {
        let Some(span) = self.block.accepting else {
            return Ok(());
        };
        for (name, at) in self.state_list(span)? {
            let state = self.known_state(machine, &name, at)?;
            machine.accepting.push(state);
        }
        Ok(())
    }

    fn state_list(&self, span: Span) -> Result<Vec<(String, Span)>, Diagnostic> {
        let mut cursor = Cursor::within(self.source, span);
        let mut list = Vec::new();
        loop {
            self.skip(&mut cursor);
            if cursor.at_end() {
                return Ok(list);
            }
            // Some writers separate states by commas.
            if cursor.eat(",") {
                continue;
            }
            list.push(self.state(&mut cursor)?);
        }
    }

    /// `start() -> q`, `start -> q`, `label(q) -> r` or the silent `q -> r`.
    fn rule(
        &self,
        cursor: &mut Cursor<'_>,
        labels: &Labels<'_>,
        machine: &mut DraftMachine,
    ) -> Result<(), Trouble> {
        let label_at = self.label_span(cursor)?;
        cursor.skip_blanks();
        if cursor.eat("->") {
            let target = self.state_number(cursor, machine)?;
            let name = self.source.text()[label_at.range()].trim();
            if self.is_start(name) {
                machine.initial.push(target);
                return Ok(());
            }
            let name = name.strip_suffix(":0").unwrap_or(name);
            return match machine.states.get(name) {
                Some(source) => {
                    machine.edge(source, DraftLabel::SILENT, target);
                    Ok(())
                }
                None => Err(self.no_start(name, label_at).into()),
            };
        }
        if !cursor.eat("(") {
            return Err(cursor.expected("`(` or `->`").into());
        }
        cursor.skip_blanks();
        if cursor.eat(")") {
            let name = self.source.text()[label_at.range()].trim();
            if !self.is_start(name) {
                return Err(self.no_start(name, label_at).into());
            }
            self.arrow(cursor)?;
            let target = self.state_number(cursor, machine)?;
            machine.initial.push(target);
            return Ok(());
        }
        let source = self.state_number(cursor, machine)?;
        cursor.skip_blanks();
        if cursor.peek() == Some(',') {
            return Err(Diagnostic::error(
                "arity",
                "a letter takes one state: this is a tree automaton",
            )
            .at(
                self.source,
                Span::new(cursor.at(), cursor.at() + 1),
                "a second argument",
            )
            .help("words are read here: write `letter(state) -> state`")
            .into());
        }
        if !cursor.eat(")") {
            return Err(cursor.expected("`)`").into());
        }
        self.arrow(cursor)?;
        let target = self.state_number(cursor, machine)?;
        let label = labels.read(label_at)?;
        if label.is_pair()
            || self.source.text()[label_at.range()]
                .trim_start()
                .starts_with('@')
        {
            machine.show_kind(Kind::Transducer, label_at);
        }
        machine.edge(source, label, target);
        Ok(())
    }

    /// The text before `(` or `->`; outer quotes do not belong to it.
    fn label_span(&self, cursor: &mut Cursor<'_>) -> Result<Span, Diagnostic> {
        let start = cursor.at();
        if cursor.eat("\"") {
            // Without escapes the text between the quotes is the label as it stands.
            let inner = cursor.at();
            quoted(cursor, '"')?;
            return Ok(Span::new(inner, cursor.at() - 1));
        }
        let mut brace: Option<usize> = None;
        loop {
            let at = cursor.at();
            if brace.is_none() && cursor.rest().starts_with("->") {
                return Ok(Span::new(start, at));
            }
            match (cursor.bump(), brace) {
                (Some('{'), _) => brace = Some(at),
                (Some('}'), _) => brace = None,
                (Some('"'), Some(_)) => drop(quoted(cursor, '"')?),
                (Some('('), None) => {
                    cursor.go_to(at);
                    return Ok(Span::new(start, at));
                }
                (Some('\n') | None, None) => {
                    cursor.go_to(at);
                    return Err(cursor
                        .expected("`(` or `->`")
                        .help("a rule is `letter(state) -> state`"));
                }
                (None, Some(open)) => return Err(unclosed_set(self.source, open)),
                (Some(_), _) => {}
            }
        }
    }

    fn arrow(&self, cursor: &mut Cursor<'_>) -> Result<(), Diagnostic> {
        cursor.skip_blanks();
        match cursor.eat("->") {
            true => Ok(()),
            false => Err(cursor.expected("`->`")),
        }
    }

    fn state_number(
        &self,
        cursor: &mut Cursor<'_>,
        machine: &DraftMachine,
    ) -> Result<u32, Diagnostic> {
        cursor.skip_blanks();
        let (name, span) = self.state(cursor)?;
        self.known_state(machine, &name, span)
    }

    fn known_state(
        &self,
        machine: &DraftMachine,
        name: &str,
        span: Span,
    ) -> Result<u32, Diagnostic> {
        machine.states.get(name).ok_or_else(|| {
            undeclared(self.source, span, "state", name, machine.states.iter())
                .help(format!("or declare it: add `{name}` to `States`"))
        })
    }

    /// A state, with or without its arity `:0`.
    fn state(&self, cursor: &mut Cursor<'_>) -> Result<(String, Span), Diagnostic> {
        let start = cursor.at();
        let name = cursor.take_while(|c| !c.is_whitespace() && !"(),\"{}".contains(c));
        let name = name.strip_suffix(":0").unwrap_or(name);
        match name.is_empty() {
            true => Err(cursor.expected("a state")),
            false => Ok((name.to_owned(), cursor.since(start))),
        }
    }

    fn is_start(&self, name: &str) -> bool {
        matches!(&self.operations.start, Some((start, _)) if start == name)
    }

    fn no_start(&self, name: &str, span: Span) -> Diagnostic {
        let diagnostic = Diagnostic::error(
            "undeclared-start",
            format!("`{name}` is not the start symbol"),
        )
        .at(self.source, span, "expected the symbol of arity 0");
        match &self.operations.start {
            Some((start, at)) => diagnostic
                .at(self.source, *at, "declared here")
                .help(format!(
                    "write `{start}() -> state` to make a state initial"
                )),
            None => diagnostic.help(format!("declare it: add `{name}:0` to `Ops`")),
        }
    }

    /// Moves over blanks and comments. `#`, `%` and `//` begin a comment unless they are the
    /// letters of a rule (`#` is, in published models).
    fn skip(&self, cursor: &mut Cursor<'_>) {
        loop {
            cursor.skip_blanks();
            let rest = cursor.rest();
            let is_mark = rest.starts_with(['#', '%']) || rest.starts_with("//");
            if !is_mark || self.begins_rule(rest) {
                return;
            }
            cursor.skip_line();
        }
    }

    fn begins_rule(&self, rest: &str) -> bool {
        let end = rest
            .find(|c: char| c == '(' || c.is_whitespace())
            .unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        let input = word.split('/').next().unwrap_or_default();
        let is_letter = |name: &str| self.operations.letters.get(name).is_some();
        let is_label = is_letter(word)
            || (!input.is_empty() && is_letter(input))
            || (word.starts_with('/') && is_letter("/"));
        is_label && after.trim_start().starts_with(['(', '/'])
    }
}
