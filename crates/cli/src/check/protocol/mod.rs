//! Models in the protocol language.

mod certify;
mod control;
mod doubts;
mod invariants;

use quotient_automata::Nfa;
use quotient_automata::formats::{Document, Format, Machine, Named, Role, decode};
use quotient_core::{Diagnostic, Source, Verdict, nearest};
use quotient_language::Files;
use quotient_language::text::wrap;
use quotient_protocol::{Answered, CompileError, Compiled, Interpreter, Protocol};
use quotient_regular::Found;
use quotient_report::svg;
use serde_json::json;

use super::disk::Disk;
use super::{Answer, Checked, Meaning, Table, Wishes, words};
use crate::failure::Failure;
use crate::files;
use crate::outputs::count;
use crate::session::Session;

pub(super) use certify::certify;
pub(crate) use control::control_picture;

/// Checks the model and tells violations in its words.
pub(super) fn check(
    source: &Source,
    wishes: &Wishes,
    session: &Session,
) -> Result<Checked, Failure> {
    let (protocol, compiled) = compile(source, session)?;
    let names: Vec<&str> = protocol.property_names().collect();
    if names.is_empty() {
        let message = "there is no property to check";
        return Err(Diagnostic::error("no-problem", message)
            .in_source(source)
            .help("add one, as in `property mutex: never exists p, q: …`")
            .into());
    }
    for name in &wishes.properties {
        if !names.contains(&name.as_str()) {
            let there: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            let near = nearest(name, names.iter().copied());
            return Err(words::unknown_property(name, &there.join(", "), near).into());
        }
    }
    let (context, recorder) = words::context(session);
    let options = words::options(wishes, None);
    let report = protocol
        .check(&wishes.properties, &options, &context)
        .map_err(failure)?;
    let interpreter = Interpreter::new(&protocol, &compiled);
    let mut parts: Vec<Named> = Vec::new();
    for answered in &report.answers {
        for part in words::parts(&answered.problem) {
            if parts.iter().all(|known| known.name != part.name) {
                parts.push(part);
            }
        }
    }
    let answers = report.answers.iter();
    let mut checked = Checked {
        title: protocol.title().unwrap_or(source.name()).to_owned(),
        answers: answers
            .map(|answered| answer(answered, &interpreter, wishes))
            .collect(),
        doubts: report.doubts.iter().map(words::doubt).collect(),
        story: recorder.events(),
        parts,
        ..Checked::default()
    };
    invariants::tell(&mut checked, &protocol, &compiled, session);
    if wishes.doubt {
        doubts::translate(&mut checked, &protocol, &compiled, &session.budget);
    }
    let flow = control_picture("control flow", &protocol.control_flow(&compiled));
    checked
        .figures
        .push(("control flow".to_owned(), svg(&flow)));
    // What was added to letters means nothing to the reader.
    if !compiled.is_approximation() {
        checked.meaning = Meaning::new({
            let (protocol, compiled) = (protocol.clone(), compiled.clone());
            move |letters| {
                let own = letters.alphabet_len() == compiled.alphabet().len();
                own.then(|| protocol.condition(&compiled, letters))
                    .flatten()
            }
        });
    }
    Ok(checked)
}

/// An answer, with its run in the words of the source.
fn answer(answered: &Answered, interpreter: &Interpreter<'_>, wishes: &Wishes) -> Answer {
    let mut answer = words::translate(&answered.answer, &answered.problem, wishes);
    if let Some(trace) = &answered.trace {
        answer.because = format!("a run of {}", count(trace.rows.len() - 1, "step"));
        answer.table = Some(Table {
            text: interpreter.text(trace, 78),
            cells: interpreter.grid(trace),
            json: json!(trace),
        });
    }
    answer.notes = answered.notes.iter().map(|note| wrap(note, 78)).collect();
    answer
}

/// The invariant that proves a property.
pub(crate) fn invariant(
    source: &Source,
    protocol: &Protocol,
    compiled: &Compiled,
    property: &str,
    session: &Session,
) -> Result<Nfa, Failure> {
    let (context, _) = words::context(session);
    let options = words::options(&Wishes::default(), None);
    let report = protocol
        .check(&[property.to_owned()], &options, &context)
        .map_err(failure)?;
    let message = match report
        .answers
        .into_iter()
        .next()
        .map(|one| one.answer.found)
    {
        Some(Found::Nothing(stop)) => return Err(stop.into()),
        Some(Found::Proof(proof)) if proof.invariant.alphabet() == compiled.alphabet() => {
            return Ok(proof.invariant.to_nfa());
        }
        Some(Found::Proof(_)) => {
            format!("what proves `{property}` is over more letters than those of the protocol")
        }
        _ => format!("`{property}` is violated, so no invariant proves it"),
    };
    Err(Diagnostic::error("no-invariant", message)
        .in_source(source)
        .help(format!(
            "`quotient check {} --property {property}` shows what was found",
            source.name()
        ))
        .into())
}

/// The automaton that proves a property, if it holds.
fn found_invariant(answer: &Answer) -> Option<&Nfa> {
    let (_, named) = answer.exhibits.first()?;
    match &named.machine {
        Machine::Automaton(nfa) if answer.verdict == Verdict::Holds => Some(nfa),
        _ => None,
    }
}

/// Reads and compiles a model.
pub(crate) fn compile(source: &Source, session: &Session) -> Result<(Protocol, Compiled), Failure> {
    let protocol = parse(source, session)?;
    let compiled = protocol.compile(&session.budget).map_err(failure)?;
    Ok((protocol, compiled))
}

/// Reads a model and the files that it imports, which lie beside it.
fn parse(source: &Source, session: &Session) -> Result<Protocol, Failure> {
    let limits = files::limits(session);
    let mut disk = Disk::beside(source.name(), limits.bytes);
    let protocol = Protocol::parse_with(source, &mut |path| {
        let bytes = disk.read(path)?;
        decode(path, bytes, &limits).map_err(|error| error.message)
    })?;
    Ok(protocol)
}

fn failure(error: CompileError) -> Failure {
    match error {
        CompileError::Protocol(diagnostic) => Failure::from(*diagnostic),
        CompileError::Stopped(stop) => stop.into(),
    }
}

/// The automata and transducers of a model, as if they had been read from a file.
pub(crate) fn document(source: &Source, compiled: &Compiled) -> Document {
    let mut machines = vec![Named::new(
        "initial",
        Role::Initial,
        compiled.initial().clone(),
    )];
    for (name, transducer) in compiled.relation().parts() {
        machines.push(Named::new(name, Role::Transition, transducer.clone()));
    }
    for (name, bad) in compiled.bad() {
        machines.push(Named::new(name, Role::Bad, bad.clone()));
    }
    Document {
        has_bits: false,
        source: source.clone(),
        format: Format::Timbuk,
        alphabet: compiled.alphabet().clone(),
        machines,
        settings: Vec::new(),
        warnings: Vec::new(),
    }
}
