//! Answers.

use quotient_certify::Refuted;
use quotient_circuit::{ComesBack, Finding, Options, never_each, not_forever, returning, telling};
use quotient_core::{Conclusion, Context, Evidence, Trouble, Verdict};
use quotient_language::{Answer, Ask, Doubt};
use quotient_netlist::aiger::witness::Witness;
use quotient_netlist::{CIRCUIT_RUN, Literal, Run};
use serde_json::json;

use crate::model::{CircuitModel, Question, Target};
use crate::trace;

pub(crate) fn check(
    model: &mut CircuitModel,
    ask: &Ask,
    cx: &Context,
    tell: &mut dyn FnMut(Answer),
) -> Result<(), Trouble> {
    let options = telling::options(&model.settings, ask);
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
    let (never, forever): (Vec<_>, Vec<_>) = (questions.into_iter())
        .partition(|(_, question)| matches!(question.target, Target::Never(_)));
    let signals: Vec<Literal> = (never.iter())
        .filter_map(|(_, question)| match question.target {
            Target::Never(bad) => Some(bad),
            Target::NotForever(_) => None,
        })
        .collect();
    let mut doubts = Vec::new();
    let mut held = Vec::new();
    let no_runs = telling::has_no_runs(&model.circuit, cx)?;
    let symbols: Vec<String> = (model.questions.iter())
        .map(|question| question.text.clone())
        .collect();
    let mut finish = |number: usize, mut answer: Answer, doubts: &mut Vec<Doubt>| {
        answer.number = Some(number + 1);
        telling::call(&mut answer, symbols.get(number).map(String::as_str));
        if no_runs {
            doubts.extend(telling::for_want_of_runs(&mut answer));
        }
        tell(answer);
    };
    let model_seen = &*model;
    never_each(
        &model.circuit,
        &signals,
        &options,
        cx,
        &mut |at, finding| {
            let (number, question) = &never[at];
            let answer = answer_never(model_seen, question, signals[at], &finding, ask, cx);
            if finding.verdict() == Verdict::Holds && !no_runs {
                let name = telling::called(&question.name, Some(&question.text));
                held.push((name, signals[at]));
            }
            finish(*number, answer, &mut doubts);
        },
    );
    for (number, question) in forever {
        if let Target::NotForever(signals) = &question.target {
            let answer = answer_not_forever(model, &question, signals, &options, ask, cx);
            finish(number, answer, &mut doubts);
        }
    }
    model.doubts.extend(doubts);
    model.held = held;
    Ok(())
}

/// The answer to one question.
fn answer_never(
    model: &CircuitModel,
    question: &Question,
    bad: Literal,
    finding: &Finding,
    ask: &Ask,
    cx: &Context,
) -> Answer {
    let mut answer = telling::of_never(&question.name, finding, "latches", |run| {
        violated(model, question, &[bad], run, ask)
    });
    telling::show_witness(&model.circuit, bad, finding, ask, &mut answer);
    if let Conclusion::Holds(proof) = &finding.conclusion
        && model.settings.flag("refutations")
    {
        let found = Refuted::evidence(proof, &model.circuit, bad, &cx.budget);
        telling::show_refutations(found, ask, &mut answer);
    }
    let latches = ("latches".to_owned(), json!(finding.sizes[0]));
    answer.details.push(latches);
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
    let finding = not_forever(&model.circuit, signals, ComesBack::WhatMatters, options, cx);
    telling::of_not_forever(&question.name, &finding, |run| {
        violated(model, question, signals, run, ask)
    })
}

/// A violation with its run in all forms.
fn violated(
    model: &CircuitModel,
    question: &Question,
    signals: &[Literal],
    run: &Run,
    ask: &Ask,
) -> Answer {
    // Who reads witnesses waits until all latches are back, not only those that matter.
    let whole = returning(run, &model.circuit);
    let shown = whole.as_ref().unwrap_or(run);
    let witness = Witness {
        property: question.name.replace('o', "b"),
        start: shown.start.0.clone(),
        inputs: shown.inputs.iter().map(|step| step.0.clone()).collect(),
    };
    let trace = trace::of(&model.circuit, signals, run);
    let witness = ("an AIGER", Some(witness.to_text()));
    let waves = || trace::waves(&model.circuit, signals, run);
    let evidence = Evidence::of_violated(CIRCUIT_RUN, run);
    telling::violated(&question.name, evidence, trace, witness, waves, ask)
}
