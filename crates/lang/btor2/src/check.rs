//! Answers.

use quotient_circuit::{Options, never, not_forever, telling};
use quotient_core::{Context, Trouble};
use quotient_language::{Answer, Ask};
use quotient_netlist::Run;
use quotient_netlist::words::Blasted;

use crate::model::{Question, Target, WordModel};
use crate::{trace, witness};

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
        let mut answer = match &model.bits {
            Ok(blasted) => {
                let mut answer = answered(model, blasted, question, &options, ask, cx);
                let circuit = &blasted.circuit;
                doubts.extend(telling::for_want_of_runs(circuit, &mut answer, cx)?);
                answer
            }
            Err(stop) => Answer::unknown(name, stop.clone()),
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
            let finding = never(&blasted.circuit, blasted.circuit.bad[number], options, cx);
            telling::of_never(name, &finding, "bits", violated)
        }
        Target::NotForever(number) => {
            let signals = WordModel::justice(blasted, number);
            let finding = not_forever(&blasted.circuit, &signals, options, cx);
            telling::of_not_forever(name, &finding, violated)
        }
    }
}

/// A violation with its run in all forms.
fn violated(model: &WordModel, blasted: &Blasted, name: &str, run: &Run, ask: &Ask) -> Answer {
    let steps = witness::steps(&model.words, blasted, run);
    let trace = trace::of(&model.words, &steps, run.back_to);
    let witness = ("a BTOR2", witness::text(&model.words, name, &steps));
    let waves = || trace::waves(&model.words, &steps);
    telling::violated(name, run, trace, witness, waves, ask)
}
