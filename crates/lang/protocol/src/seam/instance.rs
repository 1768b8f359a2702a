//! All configurations of one size.

use quotient_core::{Diagnostic, Stop, Trouble, Verdict};
use quotient_language::text::count;
use quotient_language::{Answer, Inspected, Settings};
use serde_json::json;

use super::lasso;
use crate::{Explored, Interpreter, Protocol, Violation};

/// The number of processes that the settings ask for.
pub(super) fn processes(settings: &Settings, protocol: &Protocol) -> Result<usize, Trouble> {
    match settings.whole("processes") {
        Some(number) => size(number),
        None if !protocol.has_processes() => Ok(0),
        None => {
            let message = "an instance needs a number of processes, and none is given";
            Err(Diagnostic::error("usage", message)
                .help("say how many there are at the start, as in `--processes 3` or `-n 3`")
                .into())
        }
    }
}

/// A number of processes, if so many can be.
pub(super) fn size(number: u64) -> Result<usize, Trouble> {
    let most = super::MOST_PROCESSES;
    match usize::try_from(number) {
        Ok(size) if number <= most => Ok(size),
        _ => {
            let message = format!("an instance of {number} processes is too large");
            Err(Diagnostic::error("usage", message)
                .help(format!(
                    "at most {most} processes can be looked at one by one"
                ))
                .into())
        }
    }
}

/// Searches an instance completely.
pub(super) fn inspect(interpreter: &Interpreter<'_>, processes: usize) -> Inspected {
    let budget = interpreter.budget().clone();
    let (mut explored, stop) = interpreter.search(processes, &|_| true, &budget);
    let mut stop_of_progress = stop.clone();
    if stop.is_none() {
        match interpreter.starvation(processes, &budget) {
            Ok(starving) => explored.violations.extend(starving),
            Err(stop) => stop_of_progress = Some(stop),
        }
    }
    let mut notes = Vec::new();
    if let Some(stop) = &stop {
        notes.push(format!("these are not all: {stop}"));
    }
    let nowhere = explored.configurations == 0 && stop.is_none();
    if nowhere {
        notes.push(NOWHERE.to_owned());
    }
    let protocol = interpreter.protocol();
    let answer = |name: &str| {
        let progress = protocol.progress_names().any(|known| known == name);
        let violation = explored.violations.iter().find(|(known, _)| known == name);
        let stop = if progress { &stop_of_progress } else { &stop };
        if let Some((_, violation)) = violation {
            return violated(interpreter, name, violation);
        }
        if nowhere {
            return Answer::unknown(name, Stop::inconclusive(NOWHERE));
        }
        let demand = protocol.progress_demand(name);
        let moment = protocol.reads_one_by_one()
            && demand.is_some_and(|demand| demand.speaks_of_the_next_step());
        if progress && (moment || !interpreter.progress_is_decided()) {
            let why = "not looked at: it says what must happen, and here runs need not repeat";
            return Answer::unknown(name, Stop::inconclusive(why));
        }
        match stop {
            Some(stop) => Answer::unknown(name, stop.clone()),
            None => Answer::new(name, Verdict::Holds).because("for this size"),
        }
    };
    Inspected {
        what: what(protocol, processes),
        sizes: sizes(&explored),
        answers: protocol.property_names().map(answer).collect(),
        notes,
    }
}

const NOWHERE: &str = "no instance of this size has a first configuration";

fn what(protocol: &Protocol, processes: usize) -> String {
    match protocol.has_processes() {
        true => count(processes, "process"),
        false => "no processes".to_owned(),
    }
}

fn sizes(explored: &Explored) -> Vec<(&'static str, u64)> {
    vec![
        ("configurations", explored.configurations as u64),
        ("steps", explored.steps as u64),
    ]
}

/// A violation that repeats, found in a small instance, with its evidence.
pub(super) fn repeating(
    interpreter: &Interpreter<'_>,
    name: &str,
    violation: &Violation,
) -> Answer {
    const METHOD: &str = "search of small instances";
    let answer = violated(interpreter, name, violation);
    match lasso::evidence(interpreter.protocol(), violation) {
        Some(evidence) => answer.with_evidence(evidence.about(name).found_by(METHOD)),
        None => answer,
    }
    .by(METHOD)
}

pub(super) fn violated(interpreter: &Interpreter<'_>, name: &str, violation: &Violation) -> Answer {
    let table = interpreter.tell(violation);
    let because = format!("a run of {}", count(table.rows.len() - 1, "step"));
    let mut answer = Answer::new(name, Verdict::Violated).because(because);
    answer.trace = Some(interpreter.told(&table));
    answer.details.push(("table".to_owned(), json!(table)));
    answer
}
