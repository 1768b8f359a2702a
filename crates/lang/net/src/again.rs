//! Whether something can always happen again, whatever happened: `AG EF condition`.
//!
//! It cannot if a marking is reached where the net is stuck without it, or a part of the markings that is never left
//! and has it nowhere. If all markings lead back to the start, it can if it can happen at all.

use std::collections::HashMap;

use quotient_core::{Evidence, Stop, Verdict};
use quotient_explicit::{Halt, StateId, bottoms};
use quotient_language::Answer;
use quotient_logic::{Kind, Unary};
use serde_json::json;

use crate::check::{Checker, Task};
use crate::evidence::{Markings, PART, Run};
use crate::examination::Sharing;
use crate::formula::{Formula, Question, Temporal};
use crate::properties::Asked;
use crate::reduced;
use crate::temporal::{Rounds, listed, visited};

/// How many transitions are looked at, in all markings together, for one where the net is stuck.
const MOST_LOOKS: usize = 4_000_000;

/// The condition of a formula `AG EF condition`.
pub(crate) fn condition(one: &Temporal) -> Option<&Formula> {
    let mut formula = &one.formula;
    let wanted = [
        Unary::ForAll,
        Unary::Globally(None),
        Unary::Exists,
        Unary::Finally(None),
    ];
    for operator in wanted {
        match &formula.kind {
            Kind::Unary(found, inner) if *found == operator => formula = inner,
            _ => return None,
        }
    }
    match formula.kind {
        Kind::Atom(atom) if !one.linear => one.atoms.get(atom as usize),
        _ => None,
    }
}

/// The condition of an open task of this kind.
pub(crate) fn open(task: &Task) -> Option<&Formula> {
    match &task.asked.question {
        Question::Temporal(one) if !task.is_answered() => condition(one),
        _ => None,
    }
}

/// Answers open formulas of this kind by a marking where the net is stuck.
pub(crate) fn solve(
    checker: &Checker<'_>,
    start: &[u64],
    bits: &mut [u32],
    tasks: &mut [Task],
) -> Result<(), Stop> {
    if !tasks.iter().any(|task| open(task).is_some()) {
        return Ok(());
    }
    let asked = Asked {
        name: "stuck".to_owned(),
        text: String::new(),
        kind: "reachable",
        question: Question::Possible(Formula::Dead),
        span: None,
    };
    let mut stuck = Task::of(0, &asked);
    let most = MOST_LOOKS / (1 + checker.net.transitions.len());
    reduced::solve(checker, start, most.min(60_000), bits, &mut stuck)?;
    let answer = stuck.pop().and_then(|task| task.answer);
    let Some(answer) = answer.filter(|answer| answer.verdict == Verdict::Holds) else {
        return Ok(());
    };
    let run = answer.evidence.and_then(|one| one.read::<Run>().ok());
    let Some(markings) = run.and_then(|run| along(checker, start, &run)) else {
        return Ok(());
    };
    let Some(last) = markings.last().cloned() else {
        return Ok(());
    };
    let mut sharing = Sharing::default();
    for task in tasks {
        let Some(condition) = open(task) else {
            continue;
        };
        if condition.holds(checker.net, &last) {
            continue;
        }
        let because = match markings.len() {
            1 => "the net is stuck at the start".to_owned(),
            number => format!("the net gets stuck after {} steps", number - 1),
        };
        let evidence = sharing.of(task, || {
            let markings = markings.clone();
            let evidence = Evidence::of_violated(PART, &Markings { markings });
            evidence.about(&task.asked.name)
        });
        let answer = Answer::new(&task.asked.name, Verdict::Violated)
            .because(because)
            .by("stubborn sets")
            .with_evidence(evidence);
        task.answer = Some(answer);
    }
    Ok(())
}

/// The markings of a run.
fn along(checker: &Checker<'_>, start: &[u64], run: &Run) -> Option<Vec<Vec<u64>>> {
    let transitions = checker.net.transitions.iter();
    let names: HashMap<&str, _> = transitions.map(|one| (one.id.as_str(), one)).collect();
    let mut markings = vec![start.to_vec()];
    for name in &run.fired {
        let next = names.get(name.as_str())?.fire(markings.last()?)?;
        markings.push(next);
    }
    Some(markings)
}

impl Rounds<'_> {
    /// Answers open formulas of this kind by the parts of the markings that are never left.
    pub(crate) fn again(&mut self, tasks: &mut [Task]) -> Result<(), Halt> {
        if !tasks.iter().any(|task| open(task).is_some()) {
            return Ok(());
        }
        let steps = &self.steps;
        let complete = steps.visited() == steps.graph().len();
        let parts = bottoms(steps, &self.checker.cx.budget)?;
        let mut sharing = Sharing::default();
        let all = visited(self.space, steps);
        for task in tasks {
            let Some(condition) = open(task) else {
                continue;
            };
            let holds = |state: &StateId| {
                let state = &steps.graph().state(*state);
                let tokens = |place: usize| self.space.tokens(state, place);
                condition.holds_with(self.checker.net, &tokens)
            };
            let without = parts.iter().find(|part| !part.iter().any(holds));
            let mut answer = match without {
                Some(part) => {
                    let because = match part.len() {
                        1 => "nothing else can happen any more in one of the markings".to_owned(),
                        number => format!("{number} markings are never left"),
                    };
                    let markings = listed(self.space, steps, self.way_to(part).into_iter());
                    self.told(task, Verdict::Violated, because, markings)
                }
                None if complete => {
                    let number = steps.visited();
                    let because = format!("all {number} reachable markings were looked at");
                    let mut answer = self.told(task, Verdict::Holds, because, None);
                    answer.evidence = all.as_ref().map(|all| {
                        sharing.of(task, || {
                            let markings = all.clone();
                            let evidence = Evidence::of_holds(PART, &Markings { markings });
                            evidence.about(&task.asked.name)
                        })
                    });
                    if answer.evidence.is_some() {
                        answer.notes.clear();
                    }
                    answer
                }
                None => continue,
            };
            let number = ("parts".to_owned(), json!(parts.len()));
            answer.details.push(number);
            task.answer = Some(answer);
        }
        Ok(())
    }

    /// The markings of a run to a part, and the part.
    fn way_to(&self, part: &[StateId]) -> Vec<StateId> {
        let graph = self.steps.graph();
        let mut all = part.to_vec();
        let mut at = part.iter().copied().min();
        while let Some(state) = at {
            all.push(state);
            at = graph.before(state).map(|(before, _)| before);
        }
        all.sort_unstable();
        all.dedup();
        all
    }
}
