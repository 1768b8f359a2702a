//! Answers about runs from smaller nets, in terms of the given one.

use quotient_core::{Evidence, Verdict};
use quotient_language::Answer;

use crate::certify::certify;
use crate::check::{Checker, Task};
use crate::evidence::{self, LASSO, Lasso};
use crate::formula::Question;
use crate::smaller::Smaller;
use crate::temporal::JUDGED;
use crate::trace;

/// The answer about the given net to a formula of linear time that does not say *next*, if that of the
/// smaller net is one. A run that breaks it is told, if what it comes back to is also a marking of
/// the given net.
pub(crate) fn told(
    checker: &Checker<'_>,
    start: &[u64],
    task: &Task,
    lesser: &Smaller,
    answer: &Answer,
) -> Option<Answer> {
    let (places, transitions) = (lesser.net.places.len(), lesser.net.transitions.len());
    let where_ = format!("on a smaller net of {places} places and {transitions} transitions");
    if answer.verdict == Verdict::Violated
        && let Some(found) = run(checker, start, task, lesser, answer)
    {
        return Some(found);
    }
    let mut found = Answer::new(&task.asked.name, answer.verdict.clone())
        .because(format!("{where_}: {}", answer.because))
        .by("smaller net");
    let note = "what was shown on a smaller net has no evidence about the given one";
    found.notes.push(note.to_owned());
    Some(found)
}

/// A run that breaks the formula, as one of the given net.
fn run(
    checker: &Checker<'_>,
    start: &[u64],
    task: &Task,
    lesser: &Smaller,
    answer: &Answer,
) -> Option<Answer> {
    let evidence = answer.evidence.as_ref().filter(|one| one.kind == LASSO)?;
    let lasso: Lasso = evidence.read().ok()?;
    let (mut fired, mut back_to) = (Vec::new(), None);
    for (step, name) in lasso.run.fired.iter().enumerate() {
        if lasso.back_to == Some(step) {
            back_to = Some(fired.len());
        }
        let number: usize = name.parse().ok()?;
        fired.extend_from_slice(lesser.words.get(number)?);
    }
    let body = Lasso {
        run: evidence::run(checker.net, start, &fired),
        back_to,
        decides: lasso.decides,
    };
    let evidence = Evidence::of_violated(LASSO, &body).about(&task.asked.name);
    let Question::Temporal(_) = &task.asked.question else {
        return None;
    };
    let budget = checker.cx.budget.child_with_work(JUDGED);
    let name = &task.asked.name;
    certify(checker.net, name, &task.asked.question, &evidence, &budget).ok()?;
    let mut trace = trace::of(checker.net, start, &fired);
    let whole = fired.len() < trace.steps.len();
    trace.back_to = back_to.filter(|_| whole);
    if !lasso.decides && back_to.is_none() && whole {
        trace.ending.push("nothing can fire any more".to_owned());
    }
    let because = trace::broken_by(fired.len(), back_to, lasso.decides);
    let found = Answer::new(name, Verdict::Violated).because(because);
    let found = found.by("smaller net").with_trace(trace);
    Some(found.with_evidence(evidence))
}
