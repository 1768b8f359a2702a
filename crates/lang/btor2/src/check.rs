//! Answers.

use quotient_certify::Refuted;
use quotient_circuit::{ArrayFinding, Options, never, never_with_arrays, not_forever, telling};
use quotient_core::{Conclusion, Context, Evidence, Trouble};
use quotient_language::{Answer, Ask};
use quotient_netlist::words::{Blasted, Evaluator, WORD_RUN};
use quotient_netlist::{CIRCUIT_RUN, Run};

use crate::model::{Question, Target, WordModel};
use crate::{trace, witness};

/// How much work is spent on a few elements of arrays before all are spelled out.
const WORK_ON_ELEMENTS: u64 = 40_000_000;

pub(crate) fn check(
    model: &mut WordModel,
    ask: &Ask,
    cx: &Context,
    tell: &mut dyn FnMut(Answer),
) -> Result<(), Trouble> {
    let options = telling::options(&model.settings, ask);
    let mut doubts = Vec::new();
    for question in &model.questions {
        let name = &question.property.name;
        if !ask.properties.is_empty() && !ask.properties.contains(name) {
            continue;
        }
        let mut answer = match (&model.bits, &question.target) {
            (Ok(blasted), _) => {
                let mut answer = answered(model, blasted, question, &options, ask, cx);
                let circuit = &blasted.circuit;
                doubts.extend(telling::for_want_of_runs(circuit, &mut answer, cx)?);
                answer
            }
            (Err(_), &Target::Never(_, number)) => {
                let finding = never_with_arrays(&model.words, number, &options, cx);
                with_arrays(model, name, &finding, ask)
            }
            (Err(stop), Target::NotForever(_)) => Answer::unknown(name, stop.clone()),
        };
        answer.number = question.property.number;
        tell(answer);
    }
    model.doubts.extend(doubts);
    Ok(())
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
            if model.words.has_arrays() {
                let own = Context {
                    budget: cx.budget.child_with_work(WORK_ON_ELEMENTS),
                    ..cx.clone()
                };
                let finding = never_with_arrays(&model.words, number, options, &own);
                if finding.conclusion.verdict().is_definite() {
                    return with_arrays(model, name, &finding, ask);
                }
            }
            let (circuit, bad) = (&blasted.circuit, blasted.circuit.bad[number]);
            let finding = never(circuit, bad, options, cx);
            let mut answer = telling::of_never(name, &finding, "bits", violated);
            if let Conclusion::Holds(proof) = &finding.conclusion
                && model.settings.flag("refutations")
            {
                let found = Refuted::evidence(proof, circuit, bad, &cx.budget);
                telling::show_refutations(found, ask, &mut answer);
            }
            answer
        }
        Target::NotForever(number) => {
            let signals = WordModel::justice(blasted, number);
            let finding = not_forever(&blasted.circuit, &signals, options, cx);
            telling::of_not_forever(name, &finding, violated)
        }
    }
}

/// The answer where a few elements of arrays were watched.
fn with_arrays(model: &WordModel, name: &str, finding: &ArrayFinding, ask: &Ask) -> Answer {
    telling::of_never_with_arrays(name, finding, |run| {
        let steps = run.evaluated(&model.words).unwrap_or_default();
        let evidence = Evidence::of_violated(WORD_RUN, run);
        told(model, name, evidence, &steps, None, ask)
    })
}

/// A violation with its run in all forms.
fn violated(model: &WordModel, blasted: &Blasted, name: &str, run: &Run, ask: &Ask) -> Answer {
    let steps = witness::steps(&model.words, blasted, run);
    let evidence = Evidence::of_violated(CIRCUIT_RUN, run);
    told(model, name, evidence, &steps, run.back_to, ask)
}

fn told(
    model: &WordModel,
    name: &str,
    evidence: Evidence,
    steps: &[Evaluator<'_>],
    back_to: Option<usize>,
    ask: &Ask,
) -> Answer {
    let trace = trace::of(&model.words, steps, back_to);
    let witness = ("a BTOR2", witness::text(&model.words, name, steps));
    let waves = || trace::waves(&model.words, steps);
    telling::violated(name, evidence, trace, witness, waves, ask)
}
