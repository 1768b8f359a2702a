//! Answers.

use quotient_circuit::{Options, Way, longest_run, never, not_forever};
use quotient_core::{Conclusion, Context, Evidence, Trouble, Verdict};
use quotient_language::{Answer, Ask, Doubt, Exhibit};
use quotient_netlist::aiger::witness::Witness;
use quotient_netlist::{CIRCUIT_BOUND, CIRCUIT_INVARIANT, CIRCUIT_RUN, Literal, Run};
use serde_json::json;

use crate::model::{CircuitModel, Question, Target};
use crate::trace;

/// The methods by name.
pub(crate) fn methods() -> Vec<(String, String)> {
    let own = |way: Way| (way.name().to_owned(), way.line().to_owned());
    Way::ALL.into_iter().map(own).collect()
}

fn options(model: &CircuitModel, ask: &Ask) -> Options {
    let mut options = Options {
        steps: model.settings.whole("steps"),
        threads: ask.threads.unwrap_or(2),
        ..Options::default()
    };
    let wanted = model.settings.text("method").unwrap_or("auto");
    if wanted != "auto" {
        options.ways = Way::ALL.to_vec();
        options.ways.retain(|way| way.name() == wanted);
    }
    options
}

pub(crate) fn check(
    model: &mut CircuitModel,
    ask: &Ask,
    cx: &Context,
    tell: &mut dyn FnMut(Answer),
) -> Result<(), Trouble> {
    let options = options(model, ask);
    let asked = |question: &Question| {
        ask.properties.is_empty()
            || ask
                .properties
                .iter()
                .any(|one| *one == question.name || *one == question.text)
    };
    let questions: Vec<(usize, Question)> = (model.questions.iter().cloned().enumerate())
        .filter(|(_, question)| asked(question))
        .collect();
    for (number, question) in questions {
        let mut answer = match &question.target {
            Target::Never(bad) => answer_never(model, &question, *bad, &options, ask, cx),
            Target::NotForever(signals) => {
                answer_not_forever(model, &question, signals, &options, ask, cx)
            }
        };
        answer.number = Some(number + 1);
        if answer.verdict == Verdict::Holds {
            vacuity(model, &mut answer, cx)?;
        }
        tell(answer);
    }
    Ok(())
}

/// A proof about no runs at all is said to be one.
fn vacuity(model: &mut CircuitModel, answer: &mut Answer, cx: &Context) -> Result<(), Trouble> {
    if longest_run(&model.circuit, 1, &cx.budget)? == Some(0) {
        answer.vacuous = true;
        answer.because = "no run fulfils the constraints, so nothing bad happens in any".to_owned();
        let text = format!(
            "{} holds for want of runs: the constraints exclude every state of the start",
            answer.property
        );
        answer.notes.push(text.clone());
        model.doubts.push(Doubt::new("no-runs", text));
    }
    Ok(())
}

fn answer_never(
    model: &mut CircuitModel,
    question: &Question,
    bad: Literal,
    options: &Options,
    ask: &Ask,
    cx: &Context,
) -> Answer {
    let finding = never(&model.circuit, bad, options, cx);
    let mut answer = match finding.conclusion {
        Conclusion::Holds(proof) => {
            let because = match (proof.clauses.len(), proof.depth) {
                (0, 0 | 1) => "no state at all shows it".to_owned(),
                (clauses, 0 | 1) => format!("{clauses} clauses over latches are an invariant"),
                (_, depth) => format!("induction over {depth} steps"),
            };
            if proof.clauses.is_empty() && proof.depth <= 1 {
                let name = &question.name;
                let text = format!("{name} holds in every state, whatever the circuit does");
                model.doubts.push(Doubt::new("needs-no-start", text));
            }
            let evidence = Evidence::of_holds(CIRCUIT_INVARIANT, &proof);
            Answer::new(&question.name, Verdict::Holds)
                .because(because)
                .with_evidence(evidence.about(&question.name))
        }
        Conclusion::Violated(run) => {
            let steps = run.inputs.len().saturating_sub(1);
            violated(model, question, &[bad], &run, ask).because(format!("on after {steps} steps"))
        }
        Conclusion::Unknown(stop) => Answer::unknown(&question.name, stop),
    };
    answer.refinements = finding.refinements;
    answer.method = finding.way.map(str::to_owned);
    answer
        .details
        .push(("latches".to_owned(), json!(finding.sizes[0])));
    answer
}

fn answer_not_forever(
    model: &CircuitModel,
    question: &Question,
    signals: &[Literal],
    options: &Options,
    ask: &Ask,
    cx: &Context,
) -> Answer {
    let finding = not_forever(&model.circuit, signals, options, cx);
    let mut answer = match finding.conclusion {
        Conclusion::Holds(bound) => {
            let because = format!("all signals are on in at most {} rounds", bound.rounds);
            let evidence = Evidence::of_holds(CIRCUIT_BOUND, &bound);
            Answer::new(&question.name, Verdict::Holds)
                .because(because)
                .with_evidence(evidence.about(&question.name))
        }
        Conclusion::Violated(run) => {
            let back_to = run.back_to.unwrap_or(0);
            violated(model, question, signals, &run, ask).because(format!(
                "a run of {} steps goes back to step {back_to} for ever",
                run.inputs.len()
            ))
        }
        Conclusion::Unknown(stop) => Answer::unknown(&question.name, stop),
    };
    answer.refinements = finding.refinements;
    answer.method = finding.way.map(str::to_owned);
    answer
}

/// A violation with its run in all forms.
fn violated(
    model: &CircuitModel,
    question: &Question,
    signals: &[Literal],
    run: &Run,
    ask: &Ask,
) -> Answer {
    let witness = Witness {
        property: question.name.replace('o', "b"),
        start: run.start.0.clone(),
        inputs: run.inputs.iter().map(|step| step.0.clone()).collect(),
    };
    let evidence = Evidence::of_violated(CIRCUIT_RUN, run).about(&question.name);
    let mut answer = Answer::new(&question.name, Verdict::Violated)
        .with_trace(trace::of(&model.circuit, signals, run))
        .with_evidence(evidence);
    let text = witness.to_text();
    answer
        .details
        .push(("witness".to_owned(), json!(text.clone())));
    if ask.exhibits {
        answer.exhibits.push(Exhibit {
            name: format!("{}-witness", question.name),
            caption: "the run as an AIGER witness".to_owned(),
            picture: None,
            files: vec![("wit".to_owned(), text)],
        });
    }
    answer
}
