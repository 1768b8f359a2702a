//! Formulas about runs that are weakly fair: a transition that can fire from some time on always fires again
//! and again.
//!
//! What holds along all runs holds along fair ones; and every beginning of a run is one of a fair run. Where
//! neither decides, parts of the markings are looked at in which a fair run could stay. There, of a transition that
//! priorities have taken apart, each part is one by itself: what no run breaks then, no fair one does; a run that is found
//! is looked at again, whether it is fair to the whole.

use quotient_core::{Context, Stop, Verdict};
use quotient_explicit::{Halt, Lasso, Linear, Rest, StateId, Steps, linear_fair};
use quotient_language::Answer;

use crate::check::{Checker, Ready, Task};
use crate::evidence::{self, LASSO};
use crate::formula::{Question, Temporal};
use crate::judge::Part;
use crate::net::Split;
use crate::properties::Asked;
use crate::space::Space;
use crate::temporal::{JUDGED, Rounds, listed, values, visited};

/// How many markings are looked at in each round. After the first, it is asked whether fairness is needed at all.
const ROUNDS: [usize; 4] = [50_000, 1_000_000, 10_000_000, usize::MAX];
/// How much work that may be.
const WITHOUT: u64 = 20_000_000;

/// Asks only about fair runs.
pub(crate) fn fairly(asked: &mut Asked) {
    asked.question = match std::mem::replace(&mut asked.question, Question::Size) {
        Question::Temporal(one) if one.linear => Question::Fair(one),
        Question::Temporal(_) => {
            let why = "fairness is read for formulas of linear time only";
            Question::Beyond(why.to_owned())
        }
        other => other,
    };
}

fn formula_of(task: &Task) -> Option<&Temporal> {
    match &task.asked.question {
        Question::Fair(one) if !task.is_answered() => Some(one),
        _ => None,
    }
}

/// Answers what is asked about fair runs; says why the rest is open.
pub(crate) fn solve(
    checker: &Checker<'_>,
    start: &[u64],
    bits: &mut [u32],
    tasks: &mut [Task],
    ready: &mut Ready<'_>,
) -> Result<Option<Stop>, Stop> {
    let mut stop = None;
    for states in ROUNDS {
        if !tasks.iter().any(|task| formula_of(task).is_some()) {
            return Ok(None);
        }
        stop = search(checker, start, states.min(checker.most), bits, tasks)?;
        ready(tasks);
        if states == ROUNDS[0] {
            along_all_runs(checker, start, tasks)?;
            ready(tasks);
        }
        if states >= checker.most {
            break;
        }
    }
    Ok(stop)
}

/// What holds along all runs needs no fairness; nor does what a beginning breaks, or a run that gets stuck.
fn along_all_runs(checker: &Checker<'_>, start: &[u64], tasks: &mut [Task]) -> Result<(), Stop> {
    for task in tasks {
        let Some(one) = formula_of(task) else {
            continue;
        };
        let plain = Asked {
            question: Question::Temporal(one.clone()),
            ..task.asked.clone()
        };
        let cx = Context {
            budget: checker.cx.budget.child_with_work(WITHOUT),
            ..checker.cx.clone()
        };
        let most = checker.most.min(ROUNDS[1]);
        let without = Checker {
            cx: &cx,
            most,
            ..*checker
        };
        let mut own = Task::of(task.number, &plain);
        // Answers that are there are good, whatever ended it.
        let _ = without.from(start, &mut own, &mut |_| {});
        checker.cx.budget.poll()?;
        let answer = own.pop().and_then(|own| own.answer);
        task.answer = answer.filter(|answer| match answer.verdict {
            Verdict::Holds => true,
            Verdict::Violated => ends_fairly(answer),
            Verdict::Unknown(_) => false,
        });
    }
    Ok(())
}

/// Whether a run shows the answer that is fair, or the beginning of a fair one.
fn ends_fairly(answer: &Answer) -> bool {
    let evidence = answer.evidence.as_ref().filter(|one| one.kind == LASSO);
    let lasso = evidence.and_then(|one| one.read::<evidence::Lasso>().ok());
    lasso.is_some_and(|lasso| lasso.back_to.is_none())
}

/// Looks for fair runs among at most so many markings.
fn search(
    checker: &Checker<'_>,
    start: &[u64],
    most: usize,
    bits: &mut [u32],
    tasks: &mut [Task],
) -> Result<Option<Stop>, Stop> {
    loop {
        let space = Space::new(checker.net, start, bits);
        let mut rounds = Rounds::new(checker, &space, Steps::new(&space, most), start, most);
        match look(&mut rounds, tasks) {
            Ok(stop) => return Ok(stop),
            Err(Halt::Unfit(place)) => {
                let Some(bits) = bits.get_mut(place as usize).filter(|bits| **bits < 64) else {
                    return Err(Stop::bound("the number of tokens", u64::MAX));
                };
                *bits = (*bits * 2).min(64);
            }
            Err(Halt::Stopped(stop)) => return Err(stop),
        }
    }
}

fn look(rounds: &mut Rounds<'_>, tasks: &mut [Task]) -> Result<Option<Stop>, Halt> {
    let mut full = None;
    let budget = &rounds.checker.cx.budget;
    let (net, space) = (rounds.checker.net, rounds.space);
    for task in tasks {
        let Some(one) = formula_of(task) else {
            continue;
        };
        let mut values = |state: &[u64]| values(net, space, one, state);
        let outcome = linear_fair(&mut rounds.steps, &one.formula, &mut values, budget);
        task.answer = match outcome {
            Ok((Linear::Holds(pairs), part)) => {
                let because = format!(
                    "no fair run breaks it: {pairs} pairs of a marking and what is left to fulfil"
                );
                let part = shown(rounds, one, &part);
                Some(rounds.told(task, Verdict::Holds, because, part))
            }
            Ok((Linear::Violated(lasso), _)) => match passed_over(rounds, &lasso) {
                None => Some(broken(rounds, task, &lasso)),
                Some(whole) => {
                    let why = format!(
                        "the run that was found passes `{whole}` over, which can always fire in one of several ways (`pr`)"
                    );
                    Some(Answer::unknown(&task.asked.name, Stop::exhausted(why)))
                }
            },
            Err(Halt::Stopped(stop @ Stop::Bound { .. })) => {
                full = Some(stop);
                None
            }
            Err(Halt::Stopped(stop @ Stop::Exhausted { .. })) => {
                Some(Answer::unknown(&task.asked.name, stop))
            }
            Err(halt) => return Err(halt),
        };
    }
    Ok(full)
}

/// Markings that the checker will take as evidence.
fn shown(rounds: &Rounds<'_>, one: &Temporal, part: &[StateId]) -> Option<Vec<Vec<u64>>> {
    let all = visited(rounds.space, &rounds.steps);
    let part = all.or_else(|| listed(rounds.space, &rounds.steps, part.iter().copied()))?;
    let budget = rounds.checker.cx.budget.child_with_work(JUDGED);
    let judged = Part::new(rounds.checker.net, &part, &budget);
    judged.and_then(|judged| judged.linear_fair(one)).ok()?;
    Some(part)
}

/// A transition that was taken apart, and can always fire on the way round without doing so.
fn passed_over<'a>(rounds: &Rounds<'a>, lasso: &Lasso) -> Option<&'a str> {
    let Rest::Back(back) = lasso.rest else {
        return None;
    };
    let net = rounds.checker.net;
    let mut marking = rounds.start.to_vec();
    let mut round = Vec::new();
    for (at, &label) in lasso.labels.iter().enumerate() {
        if at >= back {
            round.push(marking.clone());
        }
        let Some(next) = net.transitions[label as usize].fire(&marking) else {
            return net.split.first().map(|one| one.name.as_str());
        };
        marking = next;
    }
    let fired = &lasso.labels[back.min(lasso.labels.len())..];
    let is_passed = |one: &&Split| {
        let fires = fired
            .iter()
            .any(|&label| one.parts.contains(&(label as usize)));
        let parts = &net.transitions[one.parts.clone()];
        let can = |marking: &Vec<u64>| parts.iter().any(|part| part.is_enabled(marking));
        !fires && round.iter().all(can)
    };
    net.split
        .iter()
        .find(is_passed)
        .map(|one| one.name.as_str())
}

fn broken(rounds: &Rounds<'_>, task: &Task, lasso: &Lasso) -> Answer {
    let mut answer = rounds.told_by(task, lasso);
    if lasso.rest == Rest::Any && !rounds.is_shown(task, lasso) {
        answer.evidence = None;
        let note = "that this beginning breaks it takes too long to be shown as evidence";
        answer.notes.push(note.to_owned());
    }
    answer
}

#[cfg(test)]
mod tests;
