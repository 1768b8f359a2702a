//! Models in the protocol language.

mod control;
mod doubts;
mod invariants;

use quotient_automata::Nfa;
use quotient_automata::evidence::RunEvidence;
use quotient_automata::formats::{Document, Format, Machine, Named, Role};
use quotient_core::{Diagnostic, Source, Verdict};
use quotient_protocol::{CompileError, Compiled, Interpreter, Protocol};
use quotient_regular::problem_files::ProblemFile;
use quotient_report::svg;
use serde_json::json;

pub(crate) use control::control_picture;

use super::words::{self, Setup};
use super::{Answer, Checked, Meaning, Table, Wishes};
use crate::failure::Failure;
use crate::session::Session;

/// Checks the model and tells violations in its words.
pub(super) fn check(
    source: &Source,
    wishes: &Wishes,
    session: &Session,
) -> Result<Checked, Failure> {
    let (protocol, compiled) = compile(source, session)?;
    let mut checked = words::check(setup(source, &protocol, &compiled)?, wishes, session)?;
    let interpreter = Interpreter::new(&protocol, &compiled);
    invariants::tell(&mut checked, &protocol, &compiled, session);
    if wishes.doubt {
        doubts::translate(&mut checked, &protocol, &compiled, &session.budget);
    }
    let flow = control_picture("control flow", &protocol.control_flow(&compiled));
    checked
        .figures
        .push(("control flow".to_owned(), svg(&flow)));
    checked.meaning = Meaning::new({
        let (protocol, compiled) = (protocol.clone(), compiled.clone());
        move |letters| protocol.condition(&compiled, letters)
    });
    for answer in &mut checked.answers {
        let run = answer
            .evidence
            .as_ref()
            .and_then(|evidence| evidence.read::<RunEvidence>().ok());
        let Some(run) = run else { continue };
        let word = |names: &Vec<String>| compiled.alphabet().word(&names.join(" ")).ok();
        if let Some(words) = run.words.iter().map(word).collect::<Option<Vec<_>>>() {
            let trace = interpreter.explain(&words, &run.steps);
            answer.table = Some(Table {
                text: interpreter.text(&trace, 78),
                cells: interpreter.grid(&trace),
                json: json!(trace),
            });
        }
    }
    Ok(checked)
}

/// Compiles the model to a problem about words.
pub(super) fn read(source: &Source, session: &Session) -> Result<Setup, Failure> {
    let (protocol, compiled) = compile(source, session)?;
    setup(source, &protocol, &compiled)
}

/// The invariant that proves a property.
pub(crate) fn invariant(
    source: &Source,
    protocol: &Protocol,
    compiled: &Compiled,
    property: &str,
    session: &Session,
) -> Result<Nfa, Failure> {
    let wishes = Wishes {
        properties: vec![property.to_owned()],
        ..Wishes::default()
    };
    let checked = words::check(setup(source, protocol, compiled)?, &wishes, session)?;
    let found = checked.answers.iter().find_map(found_invariant);
    if let Some(invariant) = found {
        return Ok(invariant.clone());
    }
    let verdict = checked.answers.first().map(|answer| answer.verdict.clone());
    let message = match verdict {
        Some(Verdict::Unknown(stop)) => return Err(stop.into()),
        _ => format!("`{property}` is violated, so no invariant proves it"),
    };
    Err(Diagnostic::error("no-invariant", message)
        .in_source(source)
        .help(format!(
            "`quotient check {} --property {property}` shows a run",
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
    let protocol = Protocol::parse(source)?;
    let compiled = protocol
        .compile(&session.budget)
        .map_err(|error| match error {
            CompileError::Protocol(diagnostic) => Failure::from(*diagnostic),
            CompileError::Stopped(stop) => stop.into(),
        })?;
    Ok((protocol, compiled))
}

fn setup(source: &Source, protocol: &Protocol, compiled: &Compiled) -> Result<Setup, Failure> {
    let mut warnings = Vec::new();
    for liveness in compiled.liveness() {
        let message = format!(
            "`{}` says what must happen; only safety is checked",
            liveness.name
        );
        warnings.push(Diagnostic::warning("unsupported", message).in_source(source));
    }
    if compiled.bad().is_empty() {
        return Err(Failure::Input(
            warnings
                .into_iter()
                .chain([
                    Diagnostic::error("no-problem", "there is no safety property to check")
                        .in_source(source)
                        .help("add one, as in `property mutex: never exists p, q: …`"),
                ])
                .collect(),
        ));
    }
    let problem = words::problem(
        compiled.initial().clone(),
        compiled.bad().to_vec(),
        compiled.relation().clone(),
    )
    .map_err(|diagnostic| diagnostic.in_source(source))?;
    let title = protocol.title().unwrap_or(source.name()).to_owned();
    let file = ProblemFile {
        name: protocol.title().map(str::to_owned),
        problem,
        configuration: None,
        timeout: None,
        warnings,
    };
    Ok(Setup { title, file })
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
