//! Runs as evidence, replayed by the interpreter.

use quotient_core::{Budget, Certified, Claim, Diagnostic, Evidence, Rejection, Source, Trouble};
use quotient_language::text::count;
use quotient_language::{Cell, Layout, Step, Trace};
use serde::{Deserialize, Serialize};

use crate::events;
use crate::kernel::Program;
use crate::question::{Question, is_true};
use crate::react::{Event, Problem, Reaction, State};
use crate::syntax::Direction;

/// The kind of evidence that holds a [`Run`].
pub(crate) const RUN: &str = "esterel-run";

/// The inputs of each instant, as text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Run {
    pub(crate) instants: Vec<String>,
}

/// Runs a program on events.
pub(crate) fn replay(
    program: &Program,
    run: &[Event],
    budget: &Budget,
) -> Result<Vec<Reaction>, (usize, Problem)> {
    let mut state = State::new(program).map_err(|problem| (0, problem))?;
    let mut all = Vec::new();
    for (number, event) in run.iter().enumerate() {
        let reaction = state.react(program, event, budget);
        all.push(reaction.map_err(|problem| (number, problem))?);
    }
    Ok(all)
}

/// What a problem is, in words.
pub(crate) fn told(problem: &Problem) -> String {
    match problem {
        Problem::Causality(_) => "the program is not constructive there".to_owned(),
        Problem::Data(_, text) | Problem::Input(text) => text.clone(),
        Problem::Stopped(stop) => stop.to_string(),
    }
}

/// A problem as a mistake in the source.
pub(crate) fn mistake(source: &Source, problem: Problem) -> Trouble {
    match problem {
        Problem::Stopped(stop) => stop.into(),
        Problem::Input(text) => Trouble::usage(text),
        Problem::Data(span, text) => Diagnostic::error("data", text).at(source, span, "").into(),
        Problem::Causality(waits) => {
            let mut error = Diagnostic::error("causality", "the program is not constructive");
            for (span, text) in waits {
                error = error.at(source, span, text);
            }
            error.help("put a `pause` between, or use `pre`").into()
        }
    }
}

/// Checks that a run ends with the condition of a question true.
///
/// The inputs are given to the reference interpreter, which knows no circuits and no ranges; it
/// refuses inputs that break a relation, and errors of data and causality end the check.
pub(crate) fn certify(
    program: &Program,
    evidence: &Evidence,
    question: &Question,
    budget: &Budget,
) -> Result<Certified, Rejection> {
    quotient_certify::check_envelope(evidence, budget)?;
    if evidence.claim != Claim::Violated {
        return Err(Rejection::wrong("a run cannot show that a property holds"));
    }
    let run: Run = (evidence.read())
        .map_err(|error| Rejection::unreadable(format!("the evidence cannot be read: {error}")))?;
    let mut all = Vec::new();
    for (number, text) in run.instants.iter().enumerate() {
        let event = events::parse(program, text)
            .map_err(|why| Rejection::wrong(format!("instant {number}: {why}")))?;
        all.push(event);
    }
    let reactions = replay(program, &all, budget).map_err(|(number, problem)| match problem {
        Problem::Stopped(stop) => stop.into(),
        other => Rejection::wrong(format!("instant {number}: {}", told(&other))),
    })?;
    let Some(last) = reactions.last() else {
        return Err(Rejection::wrong("the run has no instants"));
    };
    if !is_true(&question.condition, &last.present) {
        let message = format!(
            "the last instant of the run does not show `{}`",
            question.name
        );
        return Err(Rejection::wrong(message));
    }
    Ok(Certified {
        property: question.name.clone(),
        facts: vec![
            format!("the inputs of {} are allowed", count(all.len(), "instant")),
            format!("the interpreter shows `{}` in the last one", question.name),
        ],
    })
}

/// A run with the signals of the interface.
pub(crate) fn trace(program: &Program, run: &[Event], reactions: &[Reaction]) -> Trace {
    let shown: Vec<usize> = (0..program.interface).collect();
    let layout = match shown.len() <= 14 {
        true => Layout::Grid,
        false => Layout::States,
    };
    let names = shown.iter().map(|&id| program.signals[id].name.clone());
    let mut trace = Trace::new(layout, names);
    for (event, reaction) in run.iter().zip(reactions) {
        let cells: Vec<Cell> = (shown.iter())
            .map(|&id| Cell::new(status(program, id, reaction)))
            .collect();
        trace
            .steps
            .push(Step::of(events::text(program, event), cells));
    }
    trace.mark_changes()
}

/// How a signal is in an instant: its value, `+`, or `-`.
pub(crate) fn status(program: &Program, id: usize, reaction: &Reaction) -> String {
    let value = reaction.values[id].as_ref().map(ToString::to_string);
    let sensor = program.signals[id].direction == Direction::Sensor;
    match (reaction.present[id], value) {
        (true, Some(value)) => value,
        (true, None) if sensor => "-".to_owned(),
        (true, None) => "+".to_owned(),
        (false, _) => "-".to_owned(),
    }
}
