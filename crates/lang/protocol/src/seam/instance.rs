//! All configurations of one size.

use quotient_core::{Context, Diagnostic, Evidence, Stop, Trouble, Verdict};
use quotient_language::text::count;
use quotient_language::{Answer, Inspected, Settings};
use serde_json::json;

use super::certify_wide::{RUN, Told};
use super::lasso;
use crate::check::known::{self, Small};
use crate::{Configuration, Explored, Interpreter, Protocol, Violation};

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

/// How a violation was found that an instance has.
const METHOD: &str = "search of small instances";

/// Searches an instance completely.
pub(super) fn inspect(interpreter: &Interpreter<'_>, processes: usize) -> Inspected {
    let budget = interpreter.budget().clone();
    // Where there may be no end of configurations, the first ones are searched for runs that repeat before
    // the time is over.
    let early = match interpreter.protocol().may_grow() {
        true => interpreter
            .some_starvation(processes, MOST_AT_FIRST, &budget)
            .ok(),
        false => None,
    };
    let (mut explored, stop) = interpreter.search(processes, &|_| true, &budget);
    let mut stop_of_progress = stop.clone();
    match early {
        Some((starving, true)) => {
            explored.violations.extend(starving);
            stop_of_progress = None;
        }
        Some((starving, false)) if stop.is_some() => explored.violations.extend(starving),
        _ if stop.is_none() => match interpreter.starvation(processes, &budget) {
            Ok(starving) => explored.violations.extend(starving),
            Err(stop) => stop_of_progress = Some(stop),
        },
        _ => {}
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
        let searched = demand.is_some_and(|demand| protocol.is_searched_for(demand));
        if progress && !(searched && interpreter.progress_is_decided()) {
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

/// So many configurations are searched first where there may be no end of them.
const MOST_AT_FIRST: usize = 1_500;

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

/// A violation that a small instance has, with its evidence.
pub(super) fn violating(
    protocol: &Protocol,
    property: &str,
    violation: &Violation,
    cx: &Context,
) -> Answer {
    if violation.repeats.is_some() {
        return repeating(&Interpreter::plain(protocol), property, violation);
    }
    let steps = violation.taken().into_iter().map(|taken| taken.step);
    run_of(
        protocol,
        property,
        violation.configurations(),
        steps.collect(),
        cx,
    )
}

/// A run that violates a property, if the interpreter takes it, with its evidence.
pub(super) fn run_of(
    protocol: &Protocol,
    property: &str,
    configurations: Vec<Configuration>,
    steps: Vec<String>,
    cx: &Context,
) -> Answer {
    let interpreter = Interpreter::plain(protocol).within(&cx.budget);
    let begins = (configurations.first()).is_some_and(|first| interpreter.is_initial(first));
    let followed = interpreter.follow(&configurations, &steps);
    let violates = configurations
        .last()
        .is_some_and(|last| interpreter.violates(property, last));
    if let Err(stop) = cx.budget.poll() {
        return Answer::unknown(property, stop);
    }
    let Some(run) = followed.filter(|_| begins && violates) else {
        let why = "a run was found that the interpreter cannot take";
        return Answer::unknown(property, Stop::inconclusive(why));
    };
    let rows = run.configurations.iter().map(|one| protocol.row(one));
    let told = Told {
        configurations: rows.collect(),
        steps,
    };
    let after = run.configurations[1..].iter().cloned();
    let violation = Violation {
        start: run.configurations[0].clone(),
        steps: run.taken.into_iter().zip(after).collect(),
        repeats: None,
    };
    let answer = violated(&interpreter, property, &violation);
    let evidence = Evidence::of_violated(RUN, &told);
    answer.with_evidence(evidence.about(property).found_by(METHOD))
}

/// What small instances say about a property of a protocol that no engine has room for.
pub(super) fn small_only(protocol: &Protocol, property: &str, why: &str, cx: &Context) -> Answer {
    let interpreter = Interpreter::plain(protocol);
    let stop = Stop::inconclusive(why);
    let most = known::MANY_CONFIGURATIONS;
    let small = protocol.in_instances(&interpreter, property, &stop, &cx.budget, most);
    match small {
        Some(Small::Violated(violation)) => {
            violating(protocol, property, &violation, cx).by(METHOD)
        }
        small => {
            let mut answer = Answer::unknown(property, stop);
            answer.notes.extend(small.and_then(|small| small.note()));
            answer
        }
    }
}
