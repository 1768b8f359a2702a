//! What was found, in words of the text.

use std::time::Duration;

use quotient_compose::{
    Answer as Found, Component, Finding, Lasso, Network, Starvation, Violation,
};
use quotient_core::{Budget, Context, Stop, Verdict};
use quotient_language::text::count;
use quotient_language::{Answer, Exhibit, Json, Trace};
use quotient_lts::evidence::NO_DEADLOCK;
use quotient_lts::{Action, Fluent, Question};
use serde_json::json;

use super::assumed::Assumed;
use super::place::Places;
use super::premises::premises;
use super::told::{Told, stuck, table, waiting_picture};
use crate::{Model, Teller, write_labels};

/// How long a run that is known may take to be told when time is over already.
const LAST_WORDS: Duration = Duration::from_millis(100);

/// The answers about one network, in words of the text.
pub(super) struct Teach<'a> {
    pub(super) model: &'a Model,
    pub(super) network: &'a Network,
    pub(super) asked: &'a Question,
}

/// A run with what is said about it.
struct Run {
    because: String,
    trace: Trace,
    table: Json,
    exhibits: Vec<Exhibit>,
}

impl Teach<'_> {
    /// Tells an answer of the engine under the name that the text has for it: the verdict first, then all that
    /// there is to say, since putting that into words may take longer than there is time.
    pub(super) fn tell(
        &self,
        found: &Found,
        name: &str,
        cx: &Context,
        tell: &mut dyn FnMut(Answer),
    ) {
        tell(self.verdict(found, name));
        let is_all = match &found.finding {
            Finding::Proof(_) => false,
            _ => found.verdict != Verdict::Violated,
        };
        if is_all {
            return;
        }
        // Where there is no time for it, the verdict stands alone.
        if let Ok(answer) = self.explained(found, self.verdict(found, name), cx) {
            tell(answer);
        }
    }

    /// An answer without anything that would take long to say.
    fn verdict(&self, found: &Found, name: &str) -> Answer {
        let mut answer = Answer::new(name, found.verdict.clone()).by(found.method.clone());
        answer.refinements = found
            .statistics
            .map_or(0, |statistics| statistics.conjectures.saturating_sub(1));
        answer.evidence = found.evidence.clone().map(|evidence| evidence.about(name));
        answer.because = match &found.finding {
            Finding::Explored(explored) => {
                let states = match usize::try_from(explored.states) {
                    Ok(states) if states < usize::MAX => count(states, "state"),
                    _ => "more than 10^19 states".to_owned(),
                };
                // Properties may have gone into components that were built.
                let can_err = |component: &Component| component.lts.has_error();
                let mut components = self.network.components().iter();
                match found.about == NO_DEADLOCK && !components.any(can_err) {
                    true => format!("{states} looked at, no ERROR among them"),
                    false => format!("{states} looked at"),
                }
            }
            Finding::Proof(_) => "assumptions, which there was no time to tell".to_owned(),
            _ => match &found.verdict {
                Verdict::Unknown(stop) => stop.to_string(),
                Verdict::Holds => "all executions looked at".to_owned(),
                Verdict::Violated => "a run, which there was no time to tell".to_owned(),
            },
        };
        answer
    }

    /// The same answer with the run or the assumptions behind it.
    fn explained(&self, found: &Found, mut answer: Answer, cx: &Context) -> Result<Answer, Stop> {
        if let Some(run) = self.run(found, cx)? {
            answer.because = run.because;
            answer.trace = Some(run.trace);
            answer.details.push(("table".to_owned(), run.table));
            answer.exhibits = run.exhibits;
        }
        if let Finding::Proof(proof) = &found.finding {
            let assumed = Assumed::new(proof, self.network);
            answer.exhibits = assumed.drawn();
            answer.exhibits.extend(premises(proof, self.network));
            answer.notes.extend(assumed.notes());
            answer.details.push(("table".to_owned(), assumed.json()));
            answer.because = assumed.because();
        }
        Ok(answer)
    }

    /// The run that shows a violation.
    fn run(&self, found: &Found, cx: &Context) -> Result<Option<Run>, Stop> {
        if found.verdict != Verdict::Violated {
            return Ok(None);
        }
        let network = found.network(self.network);
        let budget = match cx.budget.poll() {
            Ok(()) => cx.budget.clone(),
            Err(_) => Budget::new(Some(LAST_WORDS), None),
        };
        let teller = Teller::new(&network, &budget)?;
        let left_out = !found.left_out.is_empty();
        let mut places = Places::new(self.model);
        Ok(match &found.finding {
            Finding::Trace(trace) => {
                let told = Told::new(&teller, &trace.initial, &trace.steps, left_out);
                let steps = count(told.replay.steps.len(), "step");
                let mut shown = told.trace(&[], &mut places);
                let (because, end) = match trace.violation {
                    Violation::Deadlock => {
                        shown.ending = stuck("deadlock", &told.replay.end);
                        let end = told.replay.end.as_slice();
                        (format!("trace to a deadlock, {steps}"), end)
                    }
                    Violation::Error(part) => {
                        let name = teller.short(&network.components()[part].name);
                        let because = format!("trace to property violation in {name}, {steps}");
                        (because, &[][..])
                    }
                };
                let table = table(&told.replay.steps, &[], end);
                Some(Run {
                    because,
                    trace: shown,
                    table,
                    exhibits: waiting_picture(end).into_iter().collect(),
                })
            }
            Finding::Starvation(starvation) => {
                let lasso = self.lasso(&starvation.lasso, &teller, left_out, &[], &mut places);
                Some(self.starvation(starvation, &network, lasso))
            }
            Finding::Lasso(lasso) => {
                let fluents = match self.asked {
                    Question::Formula { fluents, .. } => truths(fluents, lasso, &network),
                    _ => Vec::new(),
                };
                Some(self.lasso(lasso, &teller, left_out, &fluents, &mut places))
            }
            Finding::Doomed(way) => {
                let fluents = match self.asked {
                    Question::Formula { fluents, .. } => truths(fluents, way, &network),
                    _ => Vec::new(),
                };
                let run = self.lasso(way, &teller, left_out, &fluents, &mut places);
                Some(self.doomed(run, way.way.len()))
            }
            _ => None,
        })
    }

    /// The way of an infinite execution, then what goes on for ever.
    fn lasso(
        &self,
        lasso: &Lasso,
        teller: &Teller,
        left_out: bool,
        truths: &[String],
        places: &mut Places<'_>,
    ) -> Run {
        let events = lasso.way.iter().chain(&lasso.cycle).copied();
        let steps: Vec<_> = events.zip(lasso.states[1..].iter().cloned()).collect();
        let told = Told::new(teller, &lasso.states[0], &steps, left_out);
        let mut trace = told.trace(truths, places);
        let way = lasso.way.len();
        let mut end = &[][..];
        let because = match lasso.cycle.is_empty() {
            true => {
                end = told.replay.end.as_slice();
                // Those who wait for what has ended may do so for ever; the verdict says if
                // that is wrong.
                let title = match end.iter().any(|end| end.ended) {
                    true => "end",
                    false => "deadlock",
                };
                trace.ending = stuck(title, end);
                "an execution that comes to its end".to_owned()
            }
            false => {
                trace.back_to = Some(way);
                "an infinite execution".to_owned()
            }
        };
        let mut json = table(&told.replay.steps[..way], truths, end);
        let cycle = told.replay.steps[way..].iter();
        json["cycle"] = cycle.clone().map(|step| step.label.as_str()).collect();
        json["cycleHidden"] = cycle.map(|step| step.hidden).collect();
        Run {
            because,
            trace,
            table: json,
            exhibits: Vec::new(),
        }
    }

    /// A way after which what was asked is broken whatever happens.
    fn doomed(&self, mut run: Run, steps: usize) -> Run {
        let steps = count(steps, "step");
        let (because, line) = match self.asked {
            Question::Formula { fair, .. } => (
                format!("trace to where it cannot be kept any more, {steps}"),
                match fair {
                    true => "every execution with fair choices that goes on from here breaks it",
                    false => "every execution that goes on from here breaks it",
                },
            ),
            _ => (
                format!("trace to where its actions do not go on, {steps}"),
                "from here on every execution with fair choices ends up without them",
            ),
        };
        run.because = because;
        run.trace.ending = vec![line.to_owned()];
        run.table["ending"] = json!(run.trace.ending);
        run
    }

    fn starvation(&self, starvation: &Starvation, network: &Network, mut run: Run) -> Run {
        let actions = network.actions();
        let name = |action: Action| actions.name(action);
        let mut inside: Vec<&str> = network
            .events()
            .map(|event| network.shown(event))
            .filter(|action| !action.is_tau() && !starvation.starved.contains(action))
            .map(name)
            .collect();
        inside.sort_unstable();
        inside.dedup();
        let set = write_labels(inside.iter().copied());
        let line = format!("actions in the terminal set: {set}");
        run.trace.ending.push(line);
        run.table["terminalSet"] = json!(inside);
        let missing = match self.asked {
            Question::Progress(properties) if !properties.is_empty() => {
                "in which none of its actions happens".to_owned()
            }
            _ => {
                let starved = starvation.starved.iter().map(|&action| name(action));
                format!("without {}", write_labels(starved))
            }
        };
        run.because = format!("trace to a terminal set of states {missing}");
        run
    }
}

/// The fluents that are true at the start and after each step; nothing if there are none but
/// actions.
fn truths(fluents: &[Fluent], lasso: &Lasso, network: &Network) -> Vec<String> {
    let fluents: Vec<&Fluent> = fluents
        .iter()
        .filter(|fluent| fluent.end.is_some())
        .collect();
    if fluents.is_empty() {
        return Vec::new();
    }
    let mut values: Vec<bool> = fluents.iter().map(|fluent| fluent.initially).collect();
    let named = |values: &[bool]| {
        let names = fluents.iter().zip(values).filter(|(_, value)| **value);
        let names: Vec<&str> = names.map(|(fluent, _)| fluent.name.as_str()).collect();
        names.join(" ")
    };
    let mut all = vec![named(&values)];
    for &event in lasso.way.iter().chain(&lasso.cycle) {
        let shown = network.shown(event);
        for (value, fluent) in values.iter_mut().zip(&fluents) {
            let end = fluent.end.as_deref();
            let ends = end.is_some_and(|end| end.contains(&shown));
            *value = fluent.begin.contains(&shown) || *value && !ends;
        }
        all.push(named(&values));
    }
    all
}
