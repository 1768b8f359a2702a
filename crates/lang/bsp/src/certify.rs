//! Runs of programs, replayed step by step.
//!
//! A run is replayed by the rules of the small-step semantics: every step must be possible, every
//! barrier complete. Where it ends, nothing may be able to move but processors that are shown to
//! come back to the same local state by themselves; or, where the whole machine comes back, all
//! processors wait or have ended each time round, and no barrier stays complete without happening.
//! Steps of different processors commute and each processor is deterministic (Lemma 6 of the
//! semantics), so that every other order in which all that can happen at last does ends likewise.

use quotient_core::{Budget, Certified, Claim, Evidence, Rejection, Stop};

use crate::linear::judge;
use crate::machine::{self, Local};
use crate::outcome::{answers, nobody_has};
use crate::program::{Asked, Kind, Program, Question};
use crate::run::{Part, Run, ending};

/// The kind of evidence.
pub(crate) const RUN: &str = "bsp-run";

/// Checks evidence about a question.
pub(crate) fn certify(
    program: &Program,
    asked: &Asked,
    evidence: &Evidence,
    budget: &Budget,
) -> Result<Certified, Rejection> {
    if evidence.property.as_deref() != Some(asked.name.as_str()) {
        return Err(Rejection::wrong("the evidence is about another property"));
    }
    if let Question::Runs(formula) = &asked.question {
        if let Some(nobody) = nobody_has(program, &asked.question) {
            return Err(Rejection::wrong(nobody));
        }
        return judge::certify(program, &asked.name, formula, evidence, budget);
    }
    if evidence.kind != RUN {
        let message = format!("`{}` does not show this claim", evidence.kind);
        return Err(Rejection::wrong(message));
    }
    if let Some(nobody) = nobody_has(program, &asked.question) {
        return Err(Rejection::wrong(nobody));
    }
    let run: Run = evidence
        .read()
        .map_err(|error| Rejection::unreadable(error.to_string()))?;
    let (kind, locals) = replay(program, &run, budget)?;
    let holds = answers(program, &asked.question, kind, &locals)
        .ok_or_else(|| Rejection::wrong("an end does not show this claim"))?;
    match holds == (evidence.claim == Claim::Holds) {
        true => Ok(Certified {
            property: asked.name.clone(),
            facts: vec![format!(
                "a run of {} parts was replayed; it ends with {}",
                run.parts.len(),
                kind.word()
            )],
        }),
        false => Err(Rejection::wrong("the run shows the opposite")),
    }
}

/// A run says in a few digits how many steps it takes: what no search comes to is not followed.
const MOST_STEPS: u64 = 1_000_000_000;

/// Replays a run; says how it ends.
pub(crate) fn replay(
    program: &Program,
    run: &Run,
    budget: &Budget,
) -> Result<(Kind, Vec<Local>), Rejection> {
    let steps = run.parts.iter().map(|part| match part {
        Part::Steps { steps, .. } => *steps,
        Part::Barrier(_) => 1,
    });
    let all = steps.chain(run.loops.iter().map(|(_, steps)| *steps));
    if all.fold(0, u64::saturating_add) > MOST_STEPS {
        return Err(Stop::bound("the number of steps of a run", MOST_STEPS).into());
    }
    let mut locals = machine::beginning(program);
    let mut repeated = None;
    for (number, part) in run.parts.iter().enumerate() {
        if run.repeats == Some(number) {
            repeated = Some(locals.clone());
        }
        match part {
            Part::Steps { processor, steps } => {
                let local = locals.get_mut(*processor);
                let local = local.ok_or_else(|| Rejection::wrong("there is no such processor"))?;
                for _ in 0..*steps {
                    budget.charge(1)?;
                    if !local.step(program, *processor) {
                        let message = format!("processor {processor} cannot step there");
                        return Err(Rejection::wrong(message));
                    }
                    local.within_bounds()?;
                }
            }
            Part::Barrier(name) => {
                budget.charge(1)?;
                let group = program.groups.iter().position(|group| group.name == *name);
                let group = group.ok_or_else(|| Rejection::wrong("there is no such group"))?;
                if !machine::complete(program, &locals).contains(&group) {
                    let message = format!("the barrier of {name} is not complete there");
                    return Err(Rejection::wrong(message));
                }
                machine::barrier(program, &mut locals, group);
            }
        }
    }
    for &(processor, steps) in &run.loops {
        let local = locals.get(processor);
        let local = local.ok_or_else(|| Rejection::wrong("there is no such processor"))?;
        let mut again = local.clone();
        for _ in 0..steps {
            budget.charge(1)?;
            if !again.step(program, processor) {
                return Err(Rejection::wrong("a loop does not go on"));
            }
            again.within_bounds()?;
        }
        if steps == 0 || again != *local {
            return Err(Rejection::wrong("a loop does not come back"));
        }
    }
    let looping = |processor: usize| run.loops.iter().any(|(one, _)| *one == processor);
    let mut all = locals.iter().enumerate();
    if all.any(|(processor, local)| local.is_running() && !looping(processor)) {
        return Err(Rejection::wrong("the run can go on where it ends"));
    }
    if let Some(number) = run.repeats {
        let round = run.parts.get(number..).unwrap_or_default();
        let meets = round.iter().any(|part| matches!(part, Part::Barrier(_)));
        if !meets || repeated.as_ref() != Some(&locals) {
            return Err(Rejection::wrong("the machine does not come back"));
        }
        // A barrier stays complete until it happens: one that is never gone through in the round is
        // complete at its end.
        let happens = |group: usize| {
            let name = &program.groups[group].name;
            (round.iter()).any(|part| matches!(part, Part::Barrier(one) if one == name))
        };
        let complete = machine::complete(program, &locals);
        if let Some(group) = complete.into_iter().find(|&group| !happens(group)) {
            let name = &program.groups[group].name;
            let message = format!("the barrier of {name} is put off for ever");
            return Err(Rejection::wrong(message));
        }
        return Ok((ending(&locals, true), locals));
    }
    match machine::complete(program, &locals).is_empty() {
        true => Ok((ending(&locals, !run.loops.is_empty()), locals)),
        false => Err(Rejection::wrong("a barrier is complete where the run ends")),
    }
}
