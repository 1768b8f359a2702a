//! Formulas about runs, where memory is too short for all markings: they are remembered by their hashes.
//!
//! A run that is found is fired again; without one a formula stays open, with the chance that a marking was missed.

use quotient_core::Stop;
use quotient_explicit::{Halt, Unsure, Words, linear_unsure};
use quotient_language::Answer;

use crate::check::{Checker, Task};
use crate::formula::{Question, Temporal};
use crate::space::Space;
use crate::temporal::{told_by, values};

/// The open formula of a task, and how many transitions runs are fair to.
fn formula_of(task: &Task, transitions: usize) -> Option<(&Temporal, Option<u32>)> {
    match &task.asked.question {
        _ if task.is_answered() => None,
        Question::Temporal(one) if one.linear => Some((one, None)),
        Question::Fair(one) => Some((one, Some(transitions as u32))),
        _ => None,
    }
}

/// Looks for runs that break what is open about runs, and says why the rest of it stays open.
pub(crate) fn solve(checker: &Checker<'_>, start: &[u64], tasks: &mut [Task]) -> Result<(), Stop> {
    let mut bits = vec![1; start.len()];
    for task in tasks {
        let Some((one, fair)) = formula_of(task, checker.net.transitions.len()) else {
            continue;
        };
        let name = &task.asked.name;
        let found = loop {
            let space = Space::new(checker.net, start, &mut bits);
            let words = Words {
                system: &space,
                values: |state: &[u64]| values(checker.net, &space, one, state),
            };
            match linear_unsure(&words, &one.formula, fair, &checker.cx.budget) {
                Err(Halt::Unfit(place)) => {
                    let bits = bits.get_mut(place as usize).filter(|bits| **bits < 64);
                    let Some(bits) = bits else {
                        return Err(Stop::bound("the number of tokens", u64::MAX));
                    };
                    *bits = (*bits * 2).min(64);
                }
                Err(Halt::Stopped(stop)) => break Err(stop),
                Ok(found) => break Ok(found),
            }
        };
        task.answer = Some(match found {
            Ok(Unsure::Violated(lasso)) => told_by(checker.net, start, task, &lasso),
            Ok(Unsure::Nothing { pairs, chance }) => {
                Answer::unknown(name, Unsure::open(pairs, chance))
            }
            // An automaton may be too large.
            Err(stop @ (Stop::Bound { .. } | Stop::Exhausted { .. })) => {
                Answer::unknown(name, stop)
            }
            Err(stop) => return Err(stop),
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use quotient_core::{Budget, Context, Source, Verdict};

    use super::*;
    use crate::certify::certify;
    use crate::testing::{checker, read};

    #[test]
    fn what_is_found_by_hashes_is_certified_and_nothing_holds_by_it() {
        let net = read("pl a (2)\npl c (1)\ntr go a -> b\ntr back b -> a\ntr end a*2 c -> d\n");
        let start = net.start().unwrap();
        for (text, verdict) in [
            ("G F b > 0", Some(Verdict::Violated)),
            ("F d > 0", Some(Verdict::Violated)),
            ("G a + b <= 2", None),
            ("G (d > 0 -> G a = 0)", None),
            ("fair G F b > 0", Some(Verdict::Violated)),
            ("fair (G F b > 0 | F d > 0)", None),
            ("fair F d > 0", Some(Verdict::Violated)),
        ] {
            let formula = text.strip_prefix("fair ").unwrap_or(text);
            let mut asked = crate::asked::alone(&Source::new("p", formula), &net, [])
                .ok()
                .unwrap();
            if let (true, Question::Temporal(one)) = (formula != text, &asked.question) {
                asked.question = Question::Fair(one.clone());
            }
            let mut tasks = Task::of(0, &asked);
            let cx = Context::default();
            solve(&checker(&net, &cx), &start, &mut tasks).unwrap();
            let answer = tasks[0].answer.take().unwrap();
            match verdict {
                Some(verdict) => {
                    assert_eq!(answer.verdict, verdict, "{text}");
                    let evidence = answer.evidence.unwrap();
                    let budget = Budget::unlimited();
                    certify(&net, &asked.name, &asked.question, &evidence, &budget).unwrap();
                }
                None => {
                    let Verdict::Unknown(stop) = answer.verdict else {
                        panic!("{text}");
                    };
                    assert!(stop.to_string().contains("with a chance of"), "{stop}");
                }
            }
        }
    }
}
