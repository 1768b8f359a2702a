//! An opened model: questions and answers.

use quotient_arrays::{Instance, State, System};
use quotient_backward::{Backward, Run, Slice, Unreachable};
use quotient_certify::{arrays_can_begin, certify_never, certify_run};
use quotient_core::{
    Budget, Certified, Conclusion, Context, Diagnostic, Evidence, Rejection, Source, Stop, Trouble,
    Verdict, run,
};
use quotient_language::text::count;
use quotient_language::{
    Answer, Ask, Cell, Doubt, Graph, Inspected, Layout, Model, Node, Property, Shown, Simulation,
    Step, Trace, Viewed, Written,
};
use serde::{Deserialize, Serialize};

use crate::instance;
use crate::lower::{Lowered, lower_formula};
use crate::parse::parse_formula;
use crate::simulate::Walk;
use crate::written;

/// What never happens, with any number of processes.
const NEVER: &str = "arrays-invariant";
/// A run of an instance.
const RUN: &str = "arrays-run";
/// Why a run that was found is not told.
const NO_RUN: &str = "a run was found that does not go through with all that its steps do";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Never {
    never: Vec<Part>,
}

/// There are not so many different processes `#1`, `#2`, … for which the formula holds.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Part {
    processes: usize,
    formula: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Taken {
    processes: usize,
    states: Vec<State>,
    steps: Vec<(String, Vec<usize>)>,
}

pub(crate) struct Opened {
    source: Source,
    lowered: Lowered,
    processes: usize,
}

impl Opened {
    pub(crate) fn new(source: &Source, lowered: Lowered, processes: usize) -> Opened {
        Opened {
            source: source.clone(),
            lowered,
            processes,
        }
    }

    pub(crate) fn system(&self) -> &System {
        &self.lowered.system
    }

    /// What a search says about a question, and how often it was refined.
    pub(crate) fn searched(
        &self,
        search: &mut Backward<'_>,
        slice: Option<&Slice>,
        cx: &Context,
    ) -> (Conclusion<Unreachable, Run>, u64) {
        let system = self.system();
        let mut cx = Context {
            story: cx.story.of_method("backward"),
            ..cx.clone()
        };
        let outcome = run(search, &mut cx);
        let conclusion = match (outcome.conclusion, slice) {
            (Conclusion::Violated(run), Some(slice)) => {
                match slice.whole(system, &run, &cx.budget) {
                    Ok(Some(run)) => Conclusion::Violated(run),
                    Ok(None) => Conclusion::Unknown(Stop::inconclusive(NO_RUN)),
                    Err(stop) => Conclusion::Unknown(stop),
                }
            }
            (conclusion, _) => conclusion,
        };
        (conclusion, outcome.refinements)
    }

    /// The answer to one question.
    pub(crate) fn answer(
        &self,
        number: usize,
        (conclusion, refinements): (Conclusion<Unreachable, Run>, u64),
        cx: &Context,
    ) -> Answer {
        let system = self.system();
        let bad = &system.bad[number];
        let mut answer = match conclusion {
            Conclusion::Holds(proof) => {
                let formulas = proof.formulas(system);
                // A proof that the checker does not follow is none.
                if let Err(rejected) = certify_never(system, number, &formulas, &cx.budget) {
                    let stop = match rejected {
                        Rejection::Stopped(stop) => stop,
                        other => {
                            Stop::inconclusive(format!("a proof was found that is none: {other}"))
                        }
                    };
                    return Answer::unknown(&bad.name, stop).by("backward");
                }
                let never: Vec<Part> = formulas
                    .iter()
                    .map(|(processes, formula)| Part {
                        processes: *processes,
                        formula: system.written(formula),
                    })
                    .collect();
                let because = format!(
                    "with any number of processes, by {}",
                    count(never.len(), "invariant")
                );
                let mut answer = Answer::new(&bad.name, Verdict::Holds).because(because);
                answer.notes = told(&never);
                answer.with_evidence(Evidence::of_holds(NEVER, &Never { never }))
            }
            Conclusion::Violated(run) => {
                let because = format!("with {}", count(run.processes, "process"));
                let taken = Taken {
                    processes: run.processes,
                    states: run.states.clone(),
                    steps: run
                        .steps
                        .iter()
                        .map(|(which, at)| (system.transitions[*which].name.clone(), at.clone()))
                        .collect(),
                };
                Answer::new(&bad.name, Verdict::Violated)
                    .because(because)
                    .with_trace(trace(system, &run))
                    .with_evidence(Evidence::of_violated(RUN, &taken))
            }
            Conclusion::Unknown(stop) => Answer::unknown(&bad.name, stop),
        };
        answer.refinements = refinements;
        answer.number = Some(number + 1);
        if let Some(evidence) = answer.evidence.take() {
            answer.evidence = Some(evidence.about(&bad.name).found_by("backward"));
        }
        answer.by("backward")
    }
}

/// What never happens, for people: the shortest first.
fn told(never: &[Part]) -> Vec<String> {
    const MOST: usize = 12;
    let mut lines: Vec<&Part> = never.iter().collect();
    lines.sort_by_key(|part| (part.processes, part.formula.len()));
    let mut text = String::from("never, for different processes:");
    for part in lines.iter().take(MOST) {
        text.push_str("\n  ");
        text.push_str(&part.formula);
    }
    if never.len() > MOST {
        text.push_str(&format!(
            "\n  and {} more, all in the evidence",
            never.len() - MOST
        ));
    }
    vec![text]
}

/// A run with a column for each cell.
pub(crate) fn trace(system: &System, run: &Run) -> Trace {
    let instance = Instance::new(system, run.processes);
    let columns = (0..instance.cells()).map(|cell| written::column(system, &instance, cell));
    let mut trace = Trace::new(Layout::States, columns);
    for (number, state) in run.states.iter().enumerate() {
        let values = state.iter().enumerate();
        let cells =
            values.map(|(cell, value)| Cell::new(written::value(system, &instance, cell, *value)));
        let cells: Vec<Cell> = cells.collect();
        trace.steps.push(match number.checked_sub(1) {
            None => Step::start(cells),
            Some(before) => {
                let (which, at) = &run.steps[before];
                let (action, by) = written::step(system, *which, at);
                Step::by(action, by, cells).at(system.transitions[*which].span)
            }
        });
    }
    trace.mark_changes()
}

impl Model for Opened {
    fn properties(&self) -> Vec<Property> {
        let bad = self.system().bad.iter().enumerate();
        bad.map(|(number, bad)| Property {
            name: bad.name.clone(),
            number: Some(number + 1),
            kind: "unsafe".into(),
            text: self.source.text()[bad.span.range()].to_string(),
            span: Some(bad.span),
            in_file: true,
        })
        .collect()
    }

    fn can_begin(&mut self, budget: &Budget) -> Result<bool, Trouble> {
        match arrays_can_begin(self.system(), budget) {
            Err(Rejection::Stopped(stop)) => Err(stop.into()),
            // What the checker cannot follow it does not find empty either.
            Err(_) => Ok(true),
            Ok(begins) => Ok(begins),
        }
    }

    fn check(
        &mut self,
        ask: &Ask,
        cx: &Context,
        tell: &mut dyn FnMut(Answer),
    ) -> Result<(), Trouble> {
        self.check_all(ask, cx, tell);
        Ok(())
    }

    fn certify(
        &mut self,
        evidence: &Evidence,
        property: &Property,
        budget: &Budget,
    ) -> Result<Certified, Rejection> {
        let system = self.system();
        let place = system.bad.iter().position(|bad| bad.name == property.name);
        let Some(bad) = place else {
            return Err(Rejection::wrong("the file has no such property"));
        };
        let unreadable = |error: serde_json::Error| Rejection::unreadable(error.to_string());
        let facts = match (evidence.verdict(), evidence.kind.as_str()) {
            (Verdict::Holds, NEVER) => {
                let read: Never = evidence.read().map_err(unreadable)?;
                let mut never = Vec::new();
                for part in &read.never {
                    never.push((part.processes, self.part(part)?));
                }
                certify_never(system, bad, &never, budget)?;
                vec![
                    format!("{} true at every start", count(never.len(), "invariant")),
                    "what is bad breaks one of them".into(),
                    "no step breaks one, whatever the number of processes".into(),
                ]
            }
            (Verdict::Violated, RUN) => {
                let read: Taken = evidence.read().map_err(unreadable)?;
                let mut steps = Vec::new();
                for (name, at) in read.steps {
                    let which = system.transitions.iter().position(|one| one.name == name);
                    let which = which.ok_or_else(|| {
                        Rejection::wrong(format!("there is no transition `{name}`"))
                    })?;
                    steps.push((which, at));
                }
                certify_run(system, bad, read.processes, &read.states, &steps, budget)?;
                vec![format!(
                    "a run of {} of {}",
                    count(steps.len(), "step"),
                    count(read.processes, "process")
                )]
            }
            _ => {
                return Err(Rejection::unreadable(
                    "this kind of evidence says nothing about such a claim",
                ));
            }
        };
        Ok(Certified {
            property: property.name.clone(),
            facts,
        })
    }

    fn doubts(&mut self, cx: &Context) -> Result<Vec<Doubt>, Trouble> {
        crate::simulate::never_taken(self.system(), cx)
    }

    fn show(&mut self, _: &Viewed, _: &Context) -> Result<Shown, Trouble> {
        let system = self.system();
        let mut shown = Shown::titled("processes with arrays")
            .fact("variables", system.variables.len().to_string())
            .fact("transitions", system.transitions.len().to_string())
            .fact("properties", system.bad.len().to_string());
        let mut graph = Graph::new("which transition writes what");
        let variables: Vec<_> = system
            .variables
            .iter()
            .map(|variable| graph.node(Node::round(variable.name.clone())))
            .collect();
        for transition in &system.transitions {
            let node = graph.node(Node::round(transition.name.clone()));
            for update in &transition.updates {
                graph.edge(node, variables[update.variable.index()], String::new());
            }
        }
        shown = shown.picture(graph);
        Ok(shown)
    }

    fn simulate(&mut self, cx: &Context) -> Result<Box<dyn Simulation>, Trouble> {
        let walk = Walk::new(self.lowered.system.clone(), self.processes, cx)?;
        Ok(Box::new(walk))
    }

    fn instance(&mut self, cx: &Context) -> Result<Inspected, Trouble> {
        let processes = self.processes.max(self.system().least());
        Ok(instance::inspect(self.system(), processes, &cx.budget))
    }

    fn convert(&mut self, _: &str, _: Option<&str>, _: &Context) -> Result<Written, Trouble> {
        let text = self
            .system()
            .cubicle()
            .map_err(|why| Diagnostic::error("cannot-be-written", why).in_source(&self.source))?;
        Ok(Written {
            text,
            line: format!(
                "a system with {}",
                count(self.system().transitions.len(), "transition")
            ),
            ..Written::default()
        })
    }
}

impl Opened {
    /// A part of an invariant, read as the file is.
    fn part(&self, part: &Part) -> Result<quotient_arrays::Formula, Rejection> {
        let source = Source::new("evidence", part.formula.as_str());
        let wrong = |mistakes: Vec<quotient_core::Diagnostic>| {
            let first = mistakes.first().map(|mistake| mistake.message.clone());
            Rejection::unreadable(first.unwrap_or_else(|| "a formula is not understood".into()))
        };
        let tree = parse_formula(&source).map_err(wrong)?;
        if part.processes > 12 {
            return Err(Rejection::unreadable(
                "a formula speaks of too many processes",
            ));
        }
        lower_formula(&source, &self.lowered, part.processes, &tree).map_err(wrong)
    }
}
