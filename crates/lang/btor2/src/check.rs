//! Answers.

use quotient_circuit::{Options, Way, longest_run, never, not_forever};
use quotient_core::{Conclusion, Context, Evidence, Trouble, Verdict};
use quotient_language::{Answer, Ask, Doubt, Exhibit};
use quotient_netlist::words::Blasted;
use quotient_netlist::{CIRCUIT_BOUND, CIRCUIT_INVARIANT, CIRCUIT_RUN, Run};
use serde_json::json;

use crate::model::{Question, Target, WordModel};
use crate::{trace, witness};

/// The methods by name.
pub(crate) fn methods() -> Vec<(String, String)> {
    let own = |way: Way| (way.name().to_owned(), way.line().to_owned());
    Way::ALL.into_iter().map(own).collect()
}

fn options(model: &WordModel, ask: &Ask) -> Options {
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
    model: &mut WordModel,
    ask: &Ask,
    cx: &Context,
    tell: &mut dyn FnMut(Answer),
) -> Result<(), Trouble> {
    let options = options(model, ask);
    let mut doubts = Vec::new();
    for question in &model.questions {
        let name = &question.property.name;
        if !ask.properties.is_empty() && !ask.properties.contains(name) {
            continue;
        }
        let mut answer = match &model.bits {
            Ok(blasted) => {
                let mut answer = answered(model, blasted, question, &options, ask, cx);
                if answer.verdict == Verdict::Holds {
                    doubts.extend(vacuity(blasted, &mut answer, cx)?);
                }
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

/// A proof about no runs at all is said to be one.
fn vacuity(blasted: &Blasted, answer: &mut Answer, cx: &Context) -> Result<Option<Doubt>, Trouble> {
    if longest_run(&blasted.circuit, 1, &cx.budget)? != Some(0) {
        return Ok(None);
    }
    answer.vacuous = true;
    answer.because = "no run fulfils the constraints, so nothing bad happens in any".to_owned();
    let text = format!(
        "{} holds for want of runs: the constraints exclude every state of the start",
        answer.property
    );
    answer.notes.push(text.clone());
    Ok(Some(Doubt::new("no-runs", text)))
}

fn answered(
    model: &WordModel,
    blasted: &Blasted,
    question: &Question,
    options: &Options,
    ask: &Ask,
    cx: &Context,
) -> Answer {
    let name = &question.property.name;
    let holds = |evidence: Evidence, because: String| {
        Answer::new(name, Verdict::Holds)
            .because(because)
            .with_evidence(evidence.about(name))
    };
    match question.target {
        Target::Never(_, number) => {
            let finding = never(&blasted.circuit, blasted.circuit.bad[number], options, cx);
            let mut answer = match finding.conclusion {
                Conclusion::Holds(proof) => {
                    let because = match (proof.clauses.len(), proof.depth) {
                        (0, 0 | 1) => "no state at all shows it".to_owned(),
                        (clauses, 0 | 1) => format!("{clauses} clauses over bits are an invariant"),
                        (_, depth) => format!("induction over {depth} steps"),
                    };
                    holds(Evidence::of_holds(CIRCUIT_INVARIANT, &proof), because)
                }
                Conclusion::Violated(run) => {
                    let steps = run.inputs.len().saturating_sub(1);
                    let because = format!("on after {steps} steps");
                    violated(model, blasted, name, &run, ask).because(because)
                }
                Conclusion::Unknown(stop) => Answer::unknown(name, stop),
            };
            answer.refinements = finding.refinements;
            answer.method = finding.way.map(str::to_owned);
            answer
        }
        Target::NotForever(number) => {
            let signals = WordModel::justice(blasted, number);
            let finding = not_forever(&blasted.circuit, &signals, options, cx);
            let mut answer = match finding.conclusion {
                Conclusion::Holds(bound) => {
                    let because = format!("all signals are on in at most {} rounds", bound.rounds);
                    holds(Evidence::of_holds(CIRCUIT_BOUND, &bound), because)
                }
                Conclusion::Violated(run) => {
                    let because =
                        format!("a run of {} steps goes round for ever", run.inputs.len());
                    violated(model, blasted, name, &run, ask).because(because)
                }
                Conclusion::Unknown(stop) => Answer::unknown(name, stop),
            };
            answer.refinements = finding.refinements;
            answer.method = finding.way.map(str::to_owned);
            answer
        }
    }
}

/// A violation with its run in all forms.
fn violated(model: &WordModel, blasted: &Blasted, name: &str, run: &Run, ask: &Ask) -> Answer {
    let steps = witness::steps(&model.words, blasted, run);
    let evidence = Evidence::of_violated(CIRCUIT_RUN, run).about(name);
    let mut answer = Answer::new(name, Verdict::Violated)
        .with_trace(trace::of(&model.words, &steps, run.back_to))
        .with_evidence(evidence);
    let text = witness::text(&model.words, name, &steps);
    answer
        .details
        .push(("witness".to_owned(), json!(text.clone())));
    if ask.exhibits {
        answer.exhibits.push(Exhibit {
            name: format!("{name}-witness"),
            caption: "the run as a BTOR2 witness".to_owned(),
            picture: None,
            files: vec![("wit".to_owned(), text)],
        });
    }
    answer
}
