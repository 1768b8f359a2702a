//! Questions about markings, and about runs without *next*, answered on smaller nets.

use std::collections::BTreeSet;

use quotient_core::Stop;
use quotient_language::Answer;

use crate::check::{Checker, Task};
use crate::detour_time;
use crate::evidence::{Bound, RUN, Run};
use crate::formula::{Formula, Linear, Question, Temporal};
use crate::found::Found;
use crate::net::Net;
use crate::properties::Asked;
use crate::quiet;
use crate::smaller::{Kept, Smaller, smaller};

/// The most questions that get a net of their own.
const MOST_TASKS: usize = 64;

/// Answers open questions on nets that are smaller, with at most so many markings each.
pub(crate) fn solve(
    checker: &Checker<'_>,
    start: &[u64],
    most: usize,
    tasks: &mut [Task],
) -> Result<(), Stop> {
    let open = tasks.iter_mut().filter(|task| task.is_open());
    for task in open.take(MOST_TASKS) {
        task.answer = answered(checker, start, most, task)?;
    }
    Ok(())
}

/// Answers open formulas of linear time that do not say *next*, likewise.
pub(crate) fn solve_over_time(
    checker: &Checker<'_>,
    start: &[u64],
    most: usize,
    tasks: &mut [Task],
) -> Result<(), Stop> {
    let open = tasks.iter_mut().filter(|task| task.is_open_over_time());
    for task in open.take(MOST_TASKS) {
        task.answer = answered(checker, start, most, task)?;
    }
    Ok(())
}

fn answered(
    checker: &Checker<'_>,
    start: &[u64],
    most: usize,
    task: &mut Task,
) -> Result<Option<Answer>, Stop> {
    let net = checker.net;
    let Some(question) = plain(net, &task.asked.question) else {
        return Ok(None);
    };
    let asked = places(&question);
    let kept = match (&asked, &question) {
        (Some(places), Question::Temporal(_)) => Kept::Runs(places),
        (Some(places), _) => Kept::Places(places),
        (None, _) => Kept::Stuck,
    };
    let Some(lesser) = smaller(net, start, kept, &checker.cx.budget)? else {
        return Ok(None);
    };
    let size = |net: &Net| net.places.len() + net.transitions.len();
    if size(&lesser.net) >= size(net) {
        return Ok(None);
    }
    let mut numbers = vec![None; start.len()];
    for (number, &place) in lesser.places.iter().enumerate() {
        numbers[place] = Some(number);
    }
    let Some(question) = renumbered(&question, &numbers) else {
        return Ok(None);
    };
    let asked = Asked {
        question,
        ..task.asked.clone()
    };
    let mut inner = Task::of(0, &asked);
    let smaller_start: Vec<u64> = lesser.places.iter().map(|&place| start[place]).collect();
    let part = Checker {
        net: &lesser.net,
        cx: checker.cx,
        most: most.min(checker.most),
        threads: checker.threads,
        nested: true,
        symmetry: checker.symmetry,
    };
    part.from(&smaller_start, &mut inner, &mut |_| ())?;
    let Some(answer) = inner.pop().and_then(|one| one.answer) else {
        return Ok(None);
    };
    Ok(told(checker, start, task, &lesser, &answer))
}

/// The answer in terms of the given net.
fn told(
    checker: &Checker<'_>,
    start: &[u64],
    task: &Task,
    lesser: &Smaller,
    answer: &Answer,
) -> Option<Answer> {
    if !answer.verdict.is_definite() {
        return None;
    }
    if let Question::Temporal(_) = task.asked.question {
        return detour_time::told(checker, start, task, lesser, answer);
    }
    let (places, transitions) = (lesser.net.places.len(), lesser.net.transitions.len());
    let where_ = format!("on a smaller net of {places} places and {transitions} transitions");
    let note = "what was shown on a smaller net has no evidence about the given one";
    let mut found = match &task.asked.question {
        Question::Most(_) => {
            let exact = answer.value.as_ref()?.exact.as_ref()?;
            checker.bound(task, exact.parse().ok()?, None)
        }
        _ if answer.verdict == task.verdict(true) => {
            let evidence = answer.evidence.as_ref().filter(|one| one.kind == RUN);
            let run = evidence.and_then(|one| one.read::<Run>().ok());
            let fired = run.and_then(|run| translated(lesser, &run));
            let (goal, value) = task.goal()?;
            let last = fired
                .as_ref()
                .and_then(|fired| ends(checker.net, start, fired));
            if let (Some(fired), Some(last)) = (fired, last)
                && goal.holds(checker.net, &last) == value
            {
                let found = Found::Somehow(fired);
                return Some(checker.reached(task, start, found).by("smaller net"));
            }
            return None;
        }
        _ => Answer::new(&task.asked.name, task.verdict(false)),
    };
    found.because = match &found.because[..] {
        "" => format!("{where_}: {}", answer.because),
        value => format!("{value}: {where_}"),
    };
    if let Question::Most(terms) = &task.asked.question {
        // A bound that weights of the given net allow, too, is shown by them.
        let bound = answer
            .evidence
            .as_ref()
            .and_then(|one| one.read::<Bound>().ok());
        let fired = bound.and_then(|bound| translated(lesser, &bound.run));
        let value = found.value.as_ref()?.exact.as_ref()?.parse::<i128>().ok()?;
        let last = fired
            .as_ref()
            .and_then(|fired| ends(checker.net, start, fired));
        if last.is_none_or(|last| Linear::sum(terms, &last) != value) {
            found
                .notes
                .push("no run to the number was worked out".to_owned());
        }
    }
    found.notes.push(note.to_owned());
    Some(found.by("smaller net"))
}

/// A run of the smaller net in transitions of the given one.
fn translated(lesser: &Smaller, run: &Run) -> Option<Vec<usize>> {
    let mut fired = Vec::new();
    for name in &run.fired {
        let number: usize = name.parse().ok()?;
        fired.extend_from_slice(lesser.words.get(number)?);
    }
    Some(fired)
}

/// The marking after a run, if it can be fired.
fn ends(net: &Net, start: &[u64], fired: &[usize]) -> Option<Vec<u64>> {
    let mut marking = start.to_vec();
    for &one in fired {
        marking = net.transitions[one].fire(&marking)?;
    }
    Some(marking)
}

/// The question without names of transitions; nothing if it speaks about being stuck together
/// with something else.
fn plain(net: &Net, question: &Question) -> Option<Question> {
    Some(match question {
        Question::Possible(goal) if goal.about_stuck() == Some(true) => question.clone(),
        Question::Always(safe) if safe.about_stuck() == Some(false) => question.clone(),
        Question::Possible(goal) => Question::Possible(without_transitions(net, goal)?),
        Question::Always(safe) => Question::Always(without_transitions(net, safe)?),
        Question::Most(_) => question.clone(),
        Question::Temporal(one) if quiet::is_fit(one) => {
            let atoms = one.atoms.iter().map(|atom| without_transitions(net, atom));
            Question::Temporal(Temporal {
                atoms: atoms.collect::<Option<_>>()?,
                ..one.clone()
            })
        }
        _ => return None,
    })
}

fn without_transitions(net: &Net, formula: &Formula) -> Option<Formula> {
    let each = |parts: &[Formula]| -> Option<Vec<Formula>> {
        parts
            .iter()
            .map(|part| without_transitions(net, part))
            .collect()
    };
    Some(match formula {
        Formula::Truth(_) | Formula::AtLeast(_) => formula.clone(),
        Formula::Not(inner) => Formula::Not(Box::new(without_transitions(net, inner)?)),
        Formula::All(parts) => Formula::All(each(parts)?),
        Formula::Any(parts) => Formula::Any(each(parts)?),
        Formula::Fireable(one) => {
            let transition = &net.transitions[*one];
            if !transition.assign.is_empty() {
                return None;
            }
            let mut parts = Vec::new();
            for guard in &transition.guard {
                if guard.most.is_some() {
                    return None;
                }
                parts.push(Formula::AtLeast(Linear {
                    terms: vec![(guard.place, 1)],
                    least: i64::try_from(guard.least).ok()?,
                }));
            }
            Formula::All(parts)
        }
        Formula::Dead => return None,
    })
}

/// The places that a question is about; nothing if it is about being stuck.
fn places(question: &Question) -> Option<BTreeSet<usize>> {
    fn collect(formula: &Formula, all: &mut BTreeSet<usize>) -> Option<()> {
        match formula {
            Formula::Not(inner) => collect(inner, all),
            Formula::All(parts) | Formula::Any(parts) => {
                parts.iter().try_for_each(|part| collect(part, all))
            }
            Formula::AtLeast(linear) => {
                all.extend(linear.terms.iter().map(|term| term.0));
                Some(())
            }
            Formula::Dead => None,
            _ => Some(()),
        }
    }
    let mut all = BTreeSet::new();
    match question {
        Question::Possible(formula) | Question::Always(formula) => collect(formula, &mut all)?,
        Question::Most(terms) => all.extend(terms.iter().map(|term| term.0)),
        Question::Temporal(one) => {
            let mut atoms = one.atoms.iter();
            atoms.try_for_each(|atom| collect(atom, &mut all))?;
        }
        _ => {}
    }
    Some(all)
}

/// The question about the places of the smaller net.
fn renumbered(question: &Question, numbers: &[Option<usize>]) -> Option<Question> {
    let terms = |terms: &[(usize, i64)]| -> Option<Vec<(usize, i64)>> {
        let mut all = Vec::with_capacity(terms.len());
        for &(place, factor) in terms {
            all.push((numbers[place]?, factor));
        }
        all.sort_unstable();
        Some(all)
    };
    fn formula(
        one: &Formula,
        terms: &dyn Fn(&[(usize, i64)]) -> Option<Vec<(usize, i64)>>,
    ) -> Option<Formula> {
        let each = |parts: &[Formula]| -> Option<Vec<Formula>> {
            parts.iter().map(|part| formula(part, terms)).collect()
        };
        Some(match one {
            Formula::Not(inner) => Formula::Not(Box::new(formula(inner, terms)?)),
            Formula::All(parts) => Formula::All(each(parts)?),
            Formula::Any(parts) => Formula::Any(each(parts)?),
            Formula::AtLeast(linear) => Formula::AtLeast(Linear {
                terms: terms(&linear.terms)?,
                least: linear.least,
            }),
            Formula::Fireable(_) => return None,
            Formula::Truth(_) | Formula::Dead => one.clone(),
        })
    }
    Some(match question {
        Question::Possible(goal) => Question::Possible(formula(goal, &terms)?),
        Question::Always(safe) => Question::Always(formula(safe, &terms)?),
        Question::Most(sum) => Question::Most(terms(sum)?),
        Question::Temporal(one) => {
            let atoms = one.atoms.iter().map(|atom| formula(atom, &terms));
            Question::Temporal(Temporal {
                atoms: atoms.collect::<Option<_>>()?,
                ..one.clone()
            })
        }
        _ => return None,
    })
}
