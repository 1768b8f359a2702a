//! The FSM reader.

use quotient_core::{Budget, Diagnostic, Source, Span, Trouble};

use super::EPSILONS;
use super::symbols::Symbols;
use crate::formats::draft::{Draft, DraftLabel, DraftMachine, Letters};
use crate::formats::{Format, Kind, Reading, Role};

/// A word of a line and where it stands.
type Word<'a> = (&'a str, Span);

/// Reads a machine. The first state named is the initial one.
pub(in crate::formats) fn read(
    source: &Source,
    reading: &Reading,
    budget: &Budget,
) -> Result<Draft, Trouble> {
    let symbols = reading
        .symbols
        .iter()
        .map(Symbols::read)
        .collect::<Result<Vec<_>, _>>()?;
    let lines = lines(source)?;
    let kind = kind(&lines, reading.expect);
    let naming = match symbols.as_slice() {
        [] => Naming::plain(&lines, kind),
        [both] => Naming::Tables(both, both),
        [input, output, ..] => Naming::Tables(input, output),
    };
    let mut draft = Draft::new(source, Format::Fsm);
    for table in &symbols {
        draft.declared = true;
        table.names.iter().for_each(|name| {
            draft.letters.intern(name);
        });
    }
    let mut machine = DraftMachine::new("", Role::Unspecified, kind);
    for line in &lines {
        budget.poll()?;
        if kind == Kind::Transducer && line.len() >= 4 && machine.shown_at.is_none() {
            machine.shown_at = Some(line[2].1.to(line[3].1));
        }
        let weight = match (line.as_slice(), kind) {
            ([state], _) => {
                final_state(&mut machine, state.0);
                None
            }
            ([state, weight], _) => {
                final_state(&mut machine, state.0);
                Some(weight)
            }
            ([from, to, label, rest @ ..], Kind::Automaton) => {
                let label = naming.letters(source, label, false, &mut draft)?;
                let label = label.map_or(DraftLabel::SILENT, DraftLabel::Copy);
                edge(&mut machine, from.0, label, to.0);
                rest.first()
            }
            ([from, to, input, rest @ ..], Kind::Transducer) => {
                let input_letters = naming.letters(source, input, false, &mut draft)?;
                let output = rest.first().unwrap_or(input);
                let output = naming.letters(source, output, true, &mut draft)?;
                edge(
                    &mut machine,
                    from.0,
                    DraftLabel::Pair(input_letters, output),
                    to.0,
                );
                rest.get(1)
            }
            ([], _) => None,
        };
        if let Some(&(weight, span)) = weight {
            check_weight(source, weight, span)?;
        }
    }
    draft.machines.push(machine);
    Ok(draft)
}

fn lines(source: &Source) -> Result<Vec<Vec<Word<'_>>>, Diagnostic> {
    let text = source.text();
    let mut lines = Vec::new();
    for line in text.split('\n') {
        let words: Vec<Word<'_>> = line
            .split_whitespace()
            .map(|word| {
                let start = word.as_ptr() as usize - text.as_ptr() as usize;
                (word, Span::new(start, start + word.len()))
            })
            .collect();
        if words.len() > 5 {
            return Err(
                Diagnostic::error("syntax", format!("{} columns on a line", words.len()))
                    .at(source, words[5].1, "expected the end of the line")
                    .help("a line is `source target input [output] [weight]` or `state [weight]`"),
            );
        }
        if !words.is_empty() {
            lines.push(words);
        }
    }
    Ok(lines)
}

/// Three columns make an automaton (four, if the last is a weight), five a transducer; where
/// all edges have four the caller decides, or they are input and output.
fn kind(lines: &[Vec<Word<'_>>], expect: Option<Kind>) -> Kind {
    let has = |columns: usize| lines.iter().any(|line| line.len() == columns);
    match (has(3), has(4), has(5)) {
        (_, _, true) => Kind::Transducer,
        (true, _, false) => Kind::Automaton,
        (false, true, false) => expect.unwrap_or(Kind::Transducer),
        (false, false, false) => expect.unwrap_or(Kind::Automaton),
    }
}

/// How words name letters.
enum Naming<'a> {
    /// All are numbers; 0 is ε.
    Numbers,
    /// They are the names themselves.
    Names,
    /// Looked up, for input and output.
    Tables(&'a Symbols, &'a Symbols),
}

impl Naming<'_> {
    fn plain(lines: &[Vec<Word<'_>>], kind: Kind) -> Naming<'static> {
        let labels = match kind {
            Kind::Automaton => 2..3,
            Kind::Transducer => 2..4,
        };
        let numbers = lines
            .iter()
            .filter(|line| line.len() > 2)
            .flat_map(|line| &line[labels.start..labels.end.min(line.len())])
            .all(|(word, _)| word.bytes().all(|byte| byte.is_ascii_digit()));
        match numbers {
            true => Naming::Numbers,
            false => Naming::Names,
        }
    }

    fn letters(
        &self,
        source: &Source,
        &(word, span): &Word<'_>,
        output: bool,
        draft: &mut Draft,
    ) -> Result<Option<Letters>, Trouble> {
        let name = match self {
            Naming::Numbers => Some(word).filter(|word| !word.bytes().all(|byte| byte == b'0')),
            Naming::Names => Some(word).filter(|word| !EPSILONS.contains(word)),
            Naming::Tables(input, _) if !output => input.find(source, word, span)?,
            Naming::Tables(_, output) => output.find(source, word, span)?,
        };
        Ok(name.map(|name| Letters::one(draft.letters.intern(name))))
    }
}

fn edge(machine: &mut DraftMachine, from: &str, label: DraftLabel, to: &str) {
    let source = state(machine, from);
    let target = state(machine, to);
    machine.edge(source, label, target);
}

fn final_state(machine: &mut DraftMachine, name: &str) {
    let number = state(machine, name);
    machine.accepting.push(number);
}

fn state(machine: &mut DraftMachine, name: &str) -> u32 {
    let number = machine.states.intern(name);
    if machine.initial.is_empty() {
        machine.initial.push(number);
    }
    number
}

/// Only the weight that changes nothing: zero, the one of the tropical semiring.
fn check_weight(source: &Source, weight: &str, span: Span) -> Result<(), Diagnostic> {
    match weight.parse::<f64>() {
        Ok(0.0) => Ok(()),
        Ok(_) => Err(Diagnostic::error("weighted", format!("weight {weight}: the machine is weighted"))
            .at(source, span, "expected no weight, or 0")
            .help("weights have no meaning here: remove them all, or map them to 0")),
        Err(_) => Err(Diagnostic::error("syntax", format!("`{weight}` is not a weight"))
            .at(source, span, "expected a number")
            .note("the lines with three columns make this an automaton: `source target letter [weight]`")
            .help("a transducer has four columns on every line: `source target input output`")),
    }
}
