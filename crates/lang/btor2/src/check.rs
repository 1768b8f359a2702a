//! Answers.

use quotient_certify::Refuted;
use quotient_circuit::{
    ArrayFinding, ComesBack, Finding, Options, never, never_each, never_with_arrays, not_forever,
    not_forever_with_arrays, returning, telling,
};
use quotient_core::{Budget, Conclusion, Context, Evidence, Rejection, Trouble, Verdict};
use quotient_language::{Answer, Ask};
use quotient_netlist::words::{Blasted, Evaluator, Model, WORD_RUN, WatchedProof, to_watched_bits};
use quotient_netlist::{CIRCUIT_RUN, Literal, Run};

use crate::model::{Question, Target, WATCHED_REFUTED, WatchedRefuted, WordModel};
use crate::{trace, witness};

/// How much work is spent on a few elements of arrays, and then on all of them, in turns; after the
/// last turn all are spelled out, with no such limit. Nobody knows before which is easier: to find out
/// which elements matter may take longer than to look at the eight that there are.
const WORK_ON_ELEMENTS: [u64; 3] = [2_000_000, 10_000_000, 40_000_000];

pub(crate) fn check(
    model: &mut WordModel,
    ask: &Ask,
    cx: &Context,
    tell: &mut dyn FnMut(Answer),
) -> Result<(), Trouble> {
    let options = telling::options(&model.settings, ask);
    // A property may be asked by the name of its signal.
    let named = ask
        .properties
        .iter()
        .filter_map(|name| model.question(name));
    let named: Vec<&str> = named.map(|one| &*one.property.name).collect();
    let asked: Vec<&Question> = (model.questions.iter())
        .filter(|one| ask.properties.is_empty() || named.contains(&&*one.property.name))
        .collect();
    let no_runs = match &model.bits {
        Ok(blasted) => telling::has_no_runs(&blasted.circuit, cx)?,
        Err(_) => has_no_runs(&model.words, cx),
    };
    let (mut doubts, mut held) = (Vec::new(), Vec::new());
    let mut finish = |question: &Question, mut answer: Answer| {
        answer.number = question.property.number;
        let symbol = model.symbol(question);
        telling::call(&mut answer, symbol);
        if let (Verdict::Holds, Target::Never(_, number)) = (&answer.verdict, &question.target)
            && !no_runs
        {
            held.push((telling::called(&question.property.name, symbol), *number));
        }
        if no_runs {
            doubts.extend(telling::for_want_of_runs(&mut answer));
        }
        tell(answer);
    };
    match &model.bits {
        Ok(blasted) if !model.words.has_arrays() => {
            let never: Vec<(&Question, Literal)> = (asked.iter())
                .filter_map(|&question| match question.target {
                    Target::Never(_, number) => Some((question, blasted.circuit.bad[number])),
                    Target::NotForever(_) => None,
                })
                .collect();
            let signals: Vec<Literal> = never.iter().map(|&(_, bad)| bad).collect();
            let circuit = &blasted.circuit;
            never_each(circuit, &signals, &options, cx, &mut |at, finding| {
                let (question, bad) = never[at];
                let answer = told_in_bits(model, blasted, question, bad, &finding, ask, cx);
                finish(question, answer);
            });
        }
        _ => {}
    }
    for question in asked {
        let name = &question.property.name;
        let answer = match (&model.bits, &question.target) {
            (Ok(_), Target::Never(..)) if !model.words.has_arrays() => continue,
            (Ok(blasted), _) => answered(model, blasted, question, &options, ask, cx),
            (Err(_), &Target::Never(_, number)) => {
                let finding = never_with_arrays(&model.words, number, &options, cx);
                with_arrays(model, (name, number), &finding, ask, cx)
            }
            (Err(_), &Target::NotForever(number)) => {
                let finding = not_forever_with_arrays(&model.words, number, &options, cx);
                telling::of_not_forever_with_arrays(name, &finding, |run| {
                    let steps = run.evaluated(&model.words).unwrap_or_default();
                    let evidence = Evidence::of_violated(WORD_RUN, run);
                    told(model, name, evidence, (&steps, run.back_to), None, ask)
                })
            }
        };
        finish(question, answer);
    }
    model.doubts.extend(doubts);
    model.held = held;
    Ok(())
}

/// Whether constraints leave a model with large arrays without any run, if that is found out soon.
fn has_no_runs(words: &Model, cx: &Context) -> bool {
    let Some(asked) = words.any_step() else {
        return false;
    };
    let own = with_work(WORK_ON_ELEMENTS[0], cx);
    let finding = never_with_arrays(&asked, 0, &Options::default(), &own);
    finding.conclusion.verdict() == Verdict::Holds
}

/// A context with so much work.
fn with_work(work: u64, cx: &Context) -> Context {
    Context {
        budget: cx.budget.child_with_work(work),
        ..cx.clone()
    }
}

/// The answer to one question.
fn answered(
    model: &WordModel,
    blasted: &Blasted,
    question: &Question,
    options: &Options,
    ask: &Ask,
    cx: &Context,
) -> Answer {
    let name = &question.property.name;
    let violated = |run: &Run| violated(model, blasted, name, run, ask);
    match question.target {
        Target::Never(_, number) => {
            let bad = blasted.circuit.bad[number];
            let told =
                |finding: &Finding| told_in_bits(model, blasted, question, bad, finding, ask, cx);
            for work in WORK_ON_ELEMENTS {
                let own = with_work(work, cx);
                let finding = never_with_arrays(&model.words, number, options, &own);
                if finding.conclusion.verdict().is_definite() {
                    return with_arrays(model, (name, number), &finding, ask, cx);
                }
                if Some(&work) == WORK_ON_ELEMENTS.last() || cx.budget.poll().is_err() {
                    break;
                }
                let finding = never(&blasted.circuit, bad, options, &with_work(work, cx));
                if finding.verdict().is_definite() {
                    return told(&finding);
                }
            }
            told(&never(&blasted.circuit, bad, options, cx))
        }
        Target::NotForever(number) => {
            let signals = WordModel::justice(blasted, number);
            let to = ComesBack::WhatMatters;
            let finding = not_forever(&blasted.circuit, &signals, to, options, cx);
            telling::of_not_forever(name, &finding, violated)
        }
    }
}

/// The answer about a signal, from what was found of its circuit.
fn told_in_bits(
    model: &WordModel,
    blasted: &Blasted,
    question: &Question,
    bad: Literal,
    finding: &Finding,
    ask: &Ask,
    cx: &Context,
) -> Answer {
    let name = &question.property.name;
    let violated = |run: &Run| violated(model, blasted, name, run, ask);
    let mut answer = telling::of_never(name, finding, "bits", violated);
    if let Conclusion::Holds(proof) = &finding.conclusion
        && model.settings.flag("refutations")
    {
        let found = Refuted::evidence(proof, &blasted.circuit, bad, &cx.budget);
        telling::show_refutations(found, ask, &mut answer);
    }
    answer
}

/// The answer where a few elements of arrays were watched.
fn with_arrays(
    model: &WordModel,
    (name, number): (&str, usize),
    finding: &ArrayFinding,
    ask: &Ask,
    cx: &Context,
) -> Answer {
    let mut answer = telling::of_never_with_arrays(name, finding, |run| {
        let steps = run.evaluated(&model.words).unwrap_or_default();
        let evidence = Evidence::of_violated(WORD_RUN, run);
        told(model, name, evidence, (&steps, None), None, ask)
    });
    if let Conclusion::Holds(proof) = &finding.conclusion
        && model.settings.flag("refutations")
    {
        let found = refuted(model, number, proof, &cx.budget);
        telling::show_refutations(found, ask, &mut answer);
    }
    answer
}

/// A proof about watched elements with refutations of what must be impossible.
fn refuted(
    model: &WordModel,
    number: usize,
    proof: &WatchedProof,
    budget: &Budget,
) -> Result<(Evidence, Vec<[String; 3]>), Rejection> {
    let watched = proof.watched.clone();
    let circuit = to_watched_bits(&model.words, &watched, number, budget)?.circuit;
    let (evidence, files) = Refuted::evidence(&proof.proof, &circuit, circuit.bad[0], budget)?;
    let refuted = evidence
        .read()
        .map_err(|error| Rejection::unreadable(error.to_string()))?;
    let own = WatchedRefuted { watched, refuted };
    Ok((Evidence::of_holds(WATCHED_REFUTED, &own), files))
}

/// Rounds are not repeated for a witness where its steps would hold more values of words than this.
const MOST_VALUES: usize = 2_000_000;

/// A violation with its run in all forms.
fn violated(model: &WordModel, blasted: &Blasted, name: &str, run: &Run, ask: &Ask) -> Answer {
    let steps = |run: &Run| witness::steps(&model.words, blasted, run);
    let evidence = Evidence::of_violated(CIRCUIT_RUN, run);
    // Who reads witnesses waits until all states are back, not only the bits that matter.
    let most = MOST_VALUES / model.words.nodes().len().max(1);
    let whole = returning(run, &blasted.circuit).filter(|whole| whole.inputs.len() <= most);
    let whole = whole.and_then(|whole| witness::returning(&model.words, blasted, &whole, most));
    told(
        model,
        name,
        evidence,
        (&steps(run), run.back_to),
        whole,
        ask,
    )
}

/// What is said where a run is no witness.
const NO_WITNESS: &str = "there is no BTOR2 witness: an array is filled with something, and has too many elements for a list\n";

fn told(
    model: &WordModel,
    name: &str,
    evidence: Evidence,
    (steps, back_to): (&[Evaluator<'_>], Option<usize>),
    whole: Option<Vec<Evaluator<'_>>>,
    ask: &Ask,
) -> Answer {
    let trace = trace::of(&model.words, steps, back_to);
    let shown = whole.as_deref().unwrap_or(steps);
    let witness = ("a BTOR2", witness::text(&model.words, name, shown));
    let waves = || trace::waves(&model.words, steps);
    let mut answer = telling::violated(name, evidence, trace, witness, waves, ask);
    if !answer.details.iter().any(|(detail, _)| detail == "witness") {
        answer.notes.push(NO_WITNESS.to_owned());
    }
    answer
}
