//! Models with arrays of any size: what must not happen for ever.

use quotient_core::{Conclusion, Context, Stop};
use quotient_netlist::words::{Evaluator, Model, WatchedBound, WordRun};

use crate::{Options, never_with_arrays};

/// The most rounds that are counted.
const MOST_ROUNDS: usize = 256;

/// What came out of a question about runs without end of a model with arrays.
#[derive(Debug, Clone)]
pub struct ArrayLiveFinding {
    /// The answer with its evidence.
    pub conclusion: Conclusion<WatchedBound, WordRun>,
    /// The method that gave the last answer about bits.
    pub way: Option<&'static str>,
    /// How many numbers of rounds were asked about.
    pub refinements: u64,
}

/// Whether no run of a model, whose arrays may be of any size, has all signals of a justice property
/// on infinitely often.
///
/// The number of rounds in which all signals were on is bounded by 0, 1, 2, … (Claessen and
/// Sörensson, 2012), each with as many elements of arrays as that takes. A run that passes a bound
/// may come back to a state it was in, arrays included, with all signals on in between: then it goes
/// on for ever.
pub fn not_forever_with_arrays(
    model: &Model,
    justice: usize,
    options: &Options,
    cx: &Context,
) -> ArrayLiveFinding {
    let mut found = ArrayLiveFinding {
        conclusion: Conclusion::Unknown(Stop::exhausted("there is no such property")),
        way: None,
        refinements: 0,
    };
    let mut rounds = 0;
    while let Some(counted) = model.counting(justice, rounds) {
        let finding = never_with_arrays(&counted, 0, options, cx);
        found.way = finding.way;
        found.refinements += 1;
        match finding.conclusion {
            Conclusion::Holds(proof) => {
                found.conclusion = Conclusion::Holds(WatchedBound {
                    rounds,
                    watched: proof.watched,
                    proof: proof.proof,
                });
                return found;
            }
            Conclusion::Violated(run) => {
                if let Some(lasso) = lasso(model, justice, run, cx) {
                    found.conclusion = lasso;
                    return found;
                }
            }
            Conclusion::Unknown(stop) => {
                found.conclusion = Conclusion::Unknown(stop);
                return found;
            }
        }
        // Long runs come back sooner or later, if they do; small bounds are those with proofs.
        rounds = match rounds {
            0..8 => rounds + 1,
            _ => rounds * 2,
        };
        if rounds > MOST_ROUNDS {
            let why = "no bound on the rounds is small, and no run was seen to come back";
            found.conclusion = Conclusion::Unknown(Stop::inconclusive(why));
            return found;
        }
    }
    found
}

/// The part of a run that goes on for ever, if there is one; or why the search ended.
fn lasso(
    model: &Model,
    justice: usize,
    run: WordRun,
    cx: &Context,
) -> Option<Conclusion<WatchedBound, WordRun>> {
    let signals = model.justice_signals(justice)?;
    // What is chosen in the model with the counter is chosen in the model.
    let steps: Vec<Evaluator<'_>> = run.evaluated(model)?;
    let matter = model.states_that_matter(&signals);
    let on = |step: &Evaluator<'_>, at: usize| step.operand(signals[at]).is_on();
    for last in 0..steps.len() {
        let work = (last + 1) * (model.states().len() + signals.len());
        if let Err(stop) = cx.budget.charge(work as u64) {
            return Some(Conclusion::Unknown(stop));
        }
        let mut open: Vec<usize> = (0..signals.len()).collect();
        for first in (0..=last).rev() {
            open.retain(|&at| !on(&steps[first], at));
            if open.is_empty() && steps[last].leads_to(&steps[first], &matter) {
                let mut steps = run.steps;
                steps.truncate(last + 1);
                return Some(Conclusion::Violated(WordRun {
                    steps,
                    back_to: Some(first),
                }));
            }
        }
    }
    None
}
