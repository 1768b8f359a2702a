//! Answers.

use quotient_certify::Refuted;
use quotient_circuit::{Options, never, telling};
use quotient_core::{Conclusion, Context, Evidence, Stop, Trouble, Verdict};
use quotient_language::{Answer, Ask, Exhibit, Lane, Lanes, Picture};
use quotient_netlist::Run as CircuitRun;
use serde_json::json;

use crate::events;
use crate::kernel::Program;
use crate::model::{Abstraction, EsterelModel};
use crate::question::{Question, is_true};
use crate::react::{Event, Problem, Reaction};
use crate::replay::{RUN, Run, replay, status, told, trace};
use crate::tried;
use crate::wave::vcd;

pub(crate) fn check(
    model: &mut EsterelModel,
    ask: &Ask,
    cx: &Context,
    tell: &mut dyn FnMut(Answer),
) -> Result<(), Trouble> {
    let options = telling::options(&model.settings, ask);
    let mut asked: Vec<Question> = Vec::new();
    match ask.properties.is_empty() {
        true => asked.clone_from(&model.questions),
        false => {
            for name in &ask.properties {
                asked.extend(model.asked(name));
            }
        }
    }
    for question in asked {
        let number = (model.questions.iter()).position(|one| one.name == question.name);
        let mut answer = answer(model, &question, &options, ask, cx)?;
        answer.number = number.map(|number| number + 1);
        let circuit = &model.abstraction(&cx.budget)?.compiled.circuit;
        if answer.verdict == Verdict::Holds && telling::has_no_runs(circuit, cx)? {
            model.doubts.extend(telling::for_want_of_runs(&mut answer));
        }
        tell(answer);
    }
    Ok(())
}

fn answer(
    model: &mut EsterelModel,
    question: &Question,
    options: &Options,
    ask: &Ask,
    cx: &Context,
) -> Result<Answer, Trouble> {
    let program = model.program.clone();
    let source = model.source.clone();
    let refutations = model.settings.flag("refutations");
    let abstraction = model.abstraction(&cx.budget)?;
    let bad = abstraction.bad(question);
    let finding = never(&abstraction.compiled.circuit, bad, options, cx);
    let name = &question.name;
    let mut causality = None;
    let mut answer = telling::of_never(name, &finding, "registers", |run| {
        let violation = Violation::new(&program, abstraction, run, cx);
        causality = violation.causality(&source, abstraction, run);
        let answer = violation.answer(&program, abstraction, question, ask);
        let undecided = matches!(answer.verdict, Verdict::Unknown(Stop::Exhausted { .. }));
        let hint = &violation.events;
        let found = match undecided && causality.is_none() {
            true => tried::run(&program, &source, question, hint, &cx.budget),
            false => None,
        };
        match found {
            Some(events) => {
                let violation = Violation::of(&program, events, cx);
                violation.answer(&program, abstraction, question, ask)
            }
            None => answer,
        }
    });
    if let Some(mistake) = causality {
        return Err(mistake);
    }
    match &finding.conclusion {
        Conclusion::Holds(proof) => {
            if refutations {
                let circuit = &abstraction.compiled.circuit;
                let found = Refuted::evidence(proof, circuit, bad, &cx.budget);
                telling::show_refutations(found, ask, &mut answer);
            }
            let because = format!("never emitted: {}", answer.because);
            answer.because = because;
        }
        Conclusion::Violated(run) => {
            let last = run.inputs.len().saturating_sub(1);
            let shown = answer
                .trace
                .as_ref()
                .map(|trace| trace.len().saturating_sub(1));
            answer.because = match &answer.verdict {
                Verdict::Unknown(Stop::Exhausted { why }) => why.clone(),
                Verdict::Unknown(why) => format!("possibly emitted in instant {last}: {why}"),
                _ => format!("emitted in instant {}", shown.unwrap_or(last)),
            };
        }
        Conclusion::Unknown(_) => {}
    }
    let pure = &abstraction.pure;
    if !pure.is_exact() {
        let mut note = format!(
            "{} forgotten, so there is more behaviour than the program has",
            match pure.free {
                0 => "values are".to_owned(),
                1 => "1 test of data is".to_owned(),
                more => format!("{more} tests of data are"),
            }
        );
        for reason in pure.reasons.iter().take(6) {
            let (line, _) = source.position(reason.span.start);
            note.push_str(&format!(
                "\n  line {line}, {}: {}",
                reason.rule, reason.text
            ));
        }
        answer.notes.push(note);
    }
    let exact = ("exact".to_owned(), json!(pure.is_exact()));
    answer.details.push(exact);
    Ok(answer)
}

/// A run of the circuit as one of the program.
struct Violation {
    events: Vec<Event>,
    outcome: Result<Vec<Reaction>, (usize, Problem)>,
    undefined: bool,
}

impl Violation {
    fn new(
        program: &Program,
        abstraction: &Abstraction,
        run: &CircuitRun,
        cx: &Context,
    ) -> Violation {
        let compiled = &abstraction.compiled;
        let concrete = |inputs: &quotient_netlist::Bits| {
            let given = compiled.inputs.iter().zip(&inputs.0);
            let pure: Event = given
                .filter(|(_, on)| **on)
                .map(|(&id, _)| (id, None))
                .collect();
            abstraction.pure.concrete(program, &pure)
        };
        let events: Vec<Event> = run.inputs.iter().map(concrete).collect();
        let states = run.states(&compiled.circuit);
        let undefined = (states.last()).is_some_and(|state| state.is_on(compiled.undefined));
        Violation {
            undefined,
            ..Violation::of(program, events, cx)
        }
    }

    /// What the program answers to some inputs.
    fn of(program: &Program, events: Vec<Event>, cx: &Context) -> Violation {
        let outcome = replay(program, &events, &cx.budget);
        Violation {
            events,
            outcome,
            undefined: false,
        }
    }

    /// The mistake in the program, if it is not constructive.
    fn causality(
        &self,
        source: &quotient_core::Source,
        abstraction: &Abstraction,
        run: &CircuitRun,
    ) -> Option<Trouble> {
        let Err((_, Problem::Causality(waits))) = &self.outcome else {
            return None;
        };
        let instant = self.events.len().saturating_sub(1);
        let mut mistake = abstraction.compiled.causality(source, run, instant);
        if mistake.labels.is_empty() {
            for (span, text) in waits {
                mistake = mistake.at(source, *span, text.clone());
            }
        }
        Some(mistake.into())
    }

    fn answer(
        &self,
        program: &Program,
        abstraction: &Abstraction,
        question: &Question,
        ask: &Ask,
    ) -> Answer {
        let name = &question.name;
        let shows = match &self.outcome {
            Ok(all) => (all.last()).is_some_and(|last| is_true(&question.condition, &last.present)),
            Err(_) => false,
        };
        let Ok(reactions) = self
            .outcome
            .as_ref()
            .map_err(|_| ())
            .and_then(|all| match shows {
                true => Ok(all),
                false => Err(()),
            })
        else {
            return self.doubtful(program, abstraction, name);
        };
        let instants: Vec<String> = (self.events.iter())
            .map(|event| events::text(program, event))
            .collect();
        let esi: String = instants.iter().map(|one| format!("{one};\n")).collect();
        let evidence = Evidence::of_violated(RUN, &Run { instants }).about(name);
        let mut answer = Answer::new(name, Verdict::Violated)
            .with_trace(trace(program, &self.events, reactions))
            .with_evidence(evidence);
        if ask.exhibits {
            answer.exhibits.push(Exhibit {
                name: format!("{name}-run"),
                caption: "the run, reaction by reaction".to_owned(),
                picture: Some(picture(program, &self.events, reactions)),
                files: vec![
                    ("esi".to_owned(), esi),
                    ("vcd".to_owned(), vcd(program, reactions)),
                ],
            });
        }
        answer
    }

    /// A run that only the pure program has.
    fn doubtful(&self, program: &Program, abstraction: &Abstraction, name: &str) -> Answer {
        let why = match (&self.outcome, self.undefined) {
            (Err((_, Problem::Stopped(stop))), _) => return Answer::unknown(name, stop.clone()),
            (Err((number, problem)), _) => {
                format!("the run stops in instant {number}: {}", told(problem))
            }
            (Ok(_), true) => "data holds control up in the pure program".to_owned(),
            (Ok(_), false) if abstraction.pure.is_exact() => {
                "the run of the pure program is none of this one".to_owned()
            }
            (Ok(_), false) => "only where forgotten tests go against the data".to_owned(),
        };
        let last = self.events.len().saturating_sub(1);
        let why = format!("possibly emitted in instant {last}: {why}");
        let stop = Stop::exhausted(why.clone());
        let mut answer = Answer::new(name, Verdict::Unknown(stop)).because(why);
        if let Ok(reactions) = &self.outcome {
            answer.trace = Some(trace(program, &self.events, reactions));
        }
        answer
    }
}

/// A run as lanes: one a signal.
fn picture(program: &Program, events: &[Event], reactions: &[Reaction]) -> Picture {
    let lanes = (0..program.interface).map(|id| Lane {
        name: program.signals[id].name.clone(),
        states: (reactions.iter())
            .map(|reaction| match status(program, id, reaction).as_str() {
                "-" => String::new(),
                text => text.to_owned(),
            })
            .collect(),
        acts: (0..reactions.len())
            .filter(|&at| reactions[at].present[id])
            .collect(),
    });
    Picture::from(Lanes {
        title: program.name.clone(),
        lanes: lanes.collect(),
        moments: events
            .iter()
            .map(|one| events::text(program, one))
            .collect(),
        messages: Vec::new(),
        back_to: None,
    })
}
