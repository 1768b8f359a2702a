//! An opened program: what it can be asked.

use std::rc::Rc;

use quotient_core::{
    Budget, Certified, Context, Evidence, Rejection, Stop, Trouble, Verdict as Answered,
};
use quotient_language::text::count;
use quotient_language::{Answer, Ask, Doubt, Model, Property, Settings, Shown, Simulation, Viewed};
use serde_json::json;

use crate::certify;
use crate::compile::Compiled;
use crate::evidence::{RUN, Run, STATES, States};
use crate::program::{Proctype, Program};
use crate::question::{Asked, Question, questions};
use crate::search::{PLAIN_STATES, Safety, Verdict, exactly, runs, safety};
use crate::show::{self, reachable};
use crate::simulate::Walk;
use crate::space::{Mode, Space};
use crate::trace::{span, trace};

/// A program with its name and settings.
pub(crate) struct PromelaModel {
    name: String,
    compiled: Compiled,
    mode: Mode,
    /// What the last complete search of all states saw.
    visited: Option<Vec<Vec<bool>>>,
}

impl PromelaModel {
    pub(crate) fn new(name: &str, compiled: Compiled, settings: &Settings) -> PromelaModel {
        PromelaModel {
            name: name.to_owned(),
            compiled,
            mode: Mode {
                loses: settings.flag("lossy"),
                fair: settings.flag("weakly-fair"),
                watch: None,
            },
            visited: None,
        }
    }

    fn program(&self) -> &Program {
        &self.compiled.program
    }

    fn question(&mut self, name: &str) -> Result<Question, Trouble> {
        let all = questions(self.program());
        if let Some(found) = all.into_iter().find(|one| one.name == name) {
            return Ok(found);
        }
        let check = self.compiled.formula(name)?;
        Ok(Question::of(&check))
    }

    fn described(&self, question: &Question) -> Property {
        let all = questions(self.program());
        let place = all.iter().position(|one| one.name == question.name);
        Property {
            name: question.name.clone(),
            number: place.map(|place| place + 1),
            kind: question.kind.to_owned(),
            text: question.text.clone(),
            span: place.and(question.at).and_then(span),
            in_file: place.is_some(),
        }
    }

    fn violated(&self, question: &Question, run: &Run, because: String) -> Answer {
        let marks = !question.is_about_runs();
        let claim = match &question.asked {
            Asked::Runs { claim, .. } => *claim,
            _ => None,
        };
        let mode = question.mode(self.mode);
        let space = Space::new(mode.machine(self.program(), marks), claim);
        let evidence = Evidence::of_violated(RUN, run).about(&question.name);
        Answer::new(&question.name, Answered::Violated)
            .because(because)
            .with_trace(trace(&space, run))
            .with_evidence(evidence)
    }

    fn safe(&self, question: &Question, found: &Safety) -> Answer {
        let run = match question.asked {
            Asked::Assertions | Asked::Events(_) => &found.failed,
            _ => &found.stuck,
        };
        let seen = seen(found.states, found.reduced);
        let mut answer = match (run, &found.stop) {
            (Some(run), _) => {
                let what = match question.asked {
                    Asked::Assertions => "a step fails",
                    Asked::Events(_) => "an event comes that should not",
                    _ => "nobody can move, and not all are at an end",
                };
                let steps = count(run.steps.len(), "step");
                self.violated(
                    question,
                    run,
                    format!("{what} after {steps}; {seen} looked at"),
                )
            }
            (None, Some(stop)) => Answer::unknown(&question.name, stop.clone()),
            (None, None) => {
                let because = format!("{seen} looked at");
                self.holds(question, found.states, found.reduced, because)
            }
        };
        answer
            .details
            .push(("states".to_owned(), json!(found.states)));
        answer
            .details
            .push(("steps".to_owned(), json!(found.steps)));
        answer
    }

    fn holds(&self, question: &Question, states: usize, reduced: bool, because: String) -> Answer {
        let body = States {
            states: states as u64,
            reduced,
        };
        let evidence = Evidence::of_holds(STATES, &body).about(&question.name);
        Answer::new(&question.name, Answered::Holds)
            .because(because)
            .with_evidence(evidence)
    }

    /// An answer about runs that go on for ever.
    fn about_runs(&self, question: &Question, most: usize, cx: &Context) -> Answer {
        let Asked::Runs {
            claim,
            formula,
            atoms,
        } = &question.asked
        else {
            let why = match &question.asked {
                Asked::Beyond(why) => *why,
                _ => "it is not about runs",
            };
            return Answer::unknown(&question.name, Stop::exhausted(why));
        };
        let parts = (*claim, formula, &atoms[..]);
        let found = runs(
            self.program(),
            self.mode,
            parts,
            most,
            PLAIN_STATES,
            &cx.budget,
        );
        match found {
            Err(stop) => Answer::unknown(&question.name, stop),
            Ok(Verdict::Holds {
                pairs,
                states,
                reduced,
            }) => {
                let seen = seen(states, reduced);
                let because = format!("{seen} and {} looked at", count(pairs, "pair"));
                let mut answer = self.holds(question, states, reduced, because);
                answer.details.push(("states".to_owned(), json!(states)));
                answer
            }
            Ok(Verdict::Violated(run)) => {
                let steps = count(run.steps.len(), "step");
                let because = match run.back {
                    None if run.decides => format!("{steps} break it, whatever comes after"),
                    Some(_) => format!("a run of {steps} that goes round breaks it"),
                    None => format!("a run of {steps} that ends breaks it"),
                };
                self.violated(question, &run, because)
            }
        }
    }

    /// How many processes there are at a time, for fairness.
    fn most(&self, found: Option<&Safety>, cx: &Context) -> usize {
        match found {
            Some(found) if found.stop.is_none() => found.most,
            _ if !self.mode.fair => 0,
            _ => {
                let all = (true, true);
                // Fairness needs the real number, not one that was perhaps missed.
                exactly(self.program(), self.mode, all, PLAIN_STATES, &cx.budget).most
            }
        }
    }
}

/// How many states were looked at, in words.
fn seen(states: usize, reduced: bool) -> String {
    let seen = count(states, "state");
    match reduced {
        true => format!("{seen} that stand for all"),
        false => seen,
    }
}

impl Model for PromelaModel {
    fn properties(&self) -> Vec<Property> {
        let all = questions(self.program());
        all.iter().map(|one| self.described(one)).collect()
    }

    fn property(&mut self, name: &str) -> Result<Property, Trouble> {
        let question = self.question(name)?;
        Ok(self.described(&question))
    }

    fn check(
        &mut self,
        ask: &Ask,
        cx: &Context,
        tell: &mut dyn FnMut(Answer),
    ) -> Result<(), Trouble> {
        let asked = match ask.properties.is_empty() {
            true => questions(self.program()),
            false => ask
                .properties
                .iter()
                .map(|name| self.question(name))
                .collect::<Result<_, _>>()?,
        };
        let assertions = asked
            .iter()
            .any(|one| matches!(one.asked, Asked::Assertions));
        let ends = asked
            .iter()
            .any(|one| matches!(one.asked, Asked::EndStates));
        let mut found = None;
        if assertions || ends {
            let wanted = (assertions, ends);
            let safety = safety(self.program(), self.mode, wanted, PLAIN_STATES, &cx.budget);
            if safety.stop.is_none() && safety.failed.is_none() && safety.stuck.is_none() {
                self.visited = Some(safety.visited.clone());
            }
            found = Some(safety);
        }
        let most = self.most(found.as_ref().filter(|one| one.failed.is_none()), cx);
        for question in &asked {
            let mut answer = match (&question.asked, &found) {
                (Asked::Assertions | Asked::EndStates, Some(found)) => self.safe(question, found),
                (Asked::Events(_), _) => {
                    let mode = question.mode(self.mode);
                    let failures = (true, false);
                    let found = safety(self.program(), mode, failures, PLAIN_STATES, &cx.budget);
                    self.safe(question, &found)
                }
                _ => self.about_runs(question, most, cx),
            };
            answer.number = self.described(question).number;
            answer.method = Some("search".to_owned());
            tell(answer);
        }
        Ok(())
    }

    fn certify(
        &mut self,
        evidence: &Evidence,
        property: &Property,
        budget: &Budget,
    ) -> Result<Certified, Rejection> {
        let question = self
            .question(&property.name)
            .map_err(|trouble| Rejection::wrong(trouble.to_string()))?;
        certify::certify(self.program(), self.mode, &question, evidence, budget)
    }

    fn doubts(&mut self, _: &Context) -> Result<Vec<Doubt>, Trouble> {
        let mut doubts = Vec::new();
        let Some(visited) = &self.visited else {
            return Ok(doubts);
        };
        for (one, visited) in self.program().proctypes.iter().zip(visited) {
            if !visited.iter().any(|was| *was) {
                let text = format!("no process of type `{}` ever runs", one.name);
                let mut doubt = Doubt::new("never-run", text);
                doubt.span = span(one.at);
                doubts.push(doubt);
                continue;
            }
            for at in reachable(one) {
                let location = &one.locations[at as usize];
                let Some(edge) = location.edges.first() else {
                    continue;
                };
                if visited[at as usize] || location.hidden || escaped(one, at, visited) {
                    continue;
                }
                let words = self.program().action(edge);
                let text = format!("`{}` never comes to `{words}`", one.name);
                let mut doubt = Doubt::new("never-reached", text);
                doubt.span = span(edge.at);
                doubts.push(doubt);
            }
        }
        Ok(doubts)
    }

    fn show(&mut self, view: &Viewed, _: &Context) -> Result<Shown, Trouble> {
        show::show(&self.name, self.program(), view)
    }

    fn simulate(&mut self, _: &Context) -> Result<Box<dyn Simulation>, Trouble> {
        let program = Rc::new(self.program().clone());
        Ok(Box::new(Walk::new(program, self.mode)))
    }
}

/// Whether an escape of an `unless` that begins here was perhaps taken. Nobody ever stands at its beginning: its
/// steps are taken from inside of the sequence.
fn escaped(one: &Proctype, at: u32, visited: &[bool]) -> bool {
    let mut edges = one.locations.iter().flat_map(|location| &location.edges);
    let mut begun = one.locations[at as usize].edges.iter();
    edges.any(|edge| edge.unless.contains(&at)) && begun.any(|edge| visited[edge.to as usize])
}
