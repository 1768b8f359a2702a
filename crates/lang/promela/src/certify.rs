//! Evidence about programs, checked by running them.
//!
//! * A run begins where the program begins, and each of its steps is one of the program. It shows
//!   a failure if its last step fails, a bad end if nobody can move where it ends and somebody is
//!   not at an end; and that a formula is broken, if it comes back to a state (or nobody can move
//!   any more) and the formula is false along it, or if it leaves no way to fulfil the formula.
//! * That something holds of all states has no shorter proof here than the states themselves:
//!   they are found again, with a plain table of whole states and no engine, and counted.

use std::collections::HashMap;

use quotient_core::{Budget, Certified, Claim, Evidence, Rejection};

use crate::evidence::{RUN, Run, STATES, States, replayed};
use crate::judge::{Kripke, along, is_broken, is_broken_by};
use crate::program::Program;
use crate::question::{Asked, Atom, Question, ends_well, fair, seen};
use crate::space::{Mode, Space};
use crate::state::{FAILED, Fault, State};

/// Checks evidence about a question.
pub(crate) fn certify(
    program: &Program,
    mode: Mode,
    question: &Question,
    evidence: &Evidence,
    budget: &Budget,
) -> Result<Certified, Rejection> {
    if evidence.property.as_deref() != Some(&question.name) {
        return Err(Rejection::wrong("the evidence is about another property"));
    }
    let fact = match (evidence.claim, evidence.kind.as_str()) {
        (Claim::Violated, RUN) => {
            let run: Run = read(evidence)?;
            violated(program, mode, question, &run, budget)?
        }
        (Claim::Holds, STATES) => {
            let sizes: States = read(evidence)?;
            holds(program, mode, question, &sizes, budget)?
        }
        _ => {
            let message = format!("`{}` does not show this claim", evidence.kind);
            return Err(Rejection::wrong(message));
        }
    };
    Ok(Certified {
        property: question.name.clone(),
        facts: vec![fact],
    })
}

fn read<T: serde::de::DeserializeOwned>(evidence: &Evidence) -> Result<T, Rejection> {
    evidence
        .read()
        .map_err(|error| Rejection::unreadable(error.to_string()))
}

fn violated(
    program: &Program,
    mode: Mode,
    question: &Question,
    run: &Run,
    budget: &Budget,
) -> Result<String, Rejection> {
    let wrong = |why: &str| Err(Rejection::wrong(why));
    let mode = question.mode(mode);
    let safe = !question.is_about_runs();
    let claim = match &question.asked {
        Asked::Runs { claim, .. } => *claim,
        _ => None,
    };
    if safe && (run.back.is_some() || run.decides) {
        return wrong("a run that shows this ends");
    }
    let space = Space::new(mode.machine(program, safe), claim);
    if !safe {
        space.begins()?;
    }
    budget.charge(run.steps.len() as u64)?;
    let Some(mut states) = replayed(&space, run) else {
        return wrong("a step of the run is none of the program");
    };
    let last = states.len() - 1;
    // A claim that is lost or at its end moves no more, whatever the program does.
    let is_stuck = |state: &State| {
        let mut told = 0;
        let count = space.steps(state, &mut |_, _| told += 1);
        count.moves == 0 && told == 0
    };
    match &question.asked {
        Asked::Assertions => match Fault::of(states[last].cells[FAILED]) {
            Some(fault) => Ok(format!("after {last} steps {}", fault.words())),
            None => wrong("nothing fails in the run"),
        },
        Asked::EndStates => {
            if states[last].cells[FAILED] != 0 || !is_stuck(&states[last]) {
                return wrong("the run can go on where it ends");
            }
            match ends_well(program, &states[last]) {
                true => wrong("all processes may end where the run ends"),
                false => Ok(format!("after {last} steps nobody can move")),
            }
        }
        Asked::Events(_) => match Fault::of(states[last].cells[FAILED]) {
            Some(fault) if fault.is_of_events() => {
                Ok(format!("after {last} steps {}", fault.words()))
            }
            _ => wrong("the events of the run are as the trace says"),
        },
        Asked::Runs { formula, atoms, .. } if run.decides => {
            if run.back.is_some() {
                return wrong("a run that decides does not come back");
            }
            if states.iter().any(|state| state.cells[FAILED] != 0) {
                return wrong("a step of the run fails");
            }
            let most = states.iter().map(|state| state.processes.len()).max();
            let (formula, atoms) = asked(mode, formula, atoms, most.unwrap_or(0))?;
            let bits = states.iter().map(|state| seen(&space, &atoms, state));
            let bits: Vec<u64> = bits.collect();
            space.had_values()?;
            match is_broken_by(&formula, &bits, budget)? {
                true => Ok(format!("after {last} steps nothing can keep it")),
                false => wrong("the formula may still be kept after the run"),
            }
        }
        Asked::Runs { formula, atoms, .. } => {
            let back = match run.back {
                None if is_stuck(&states[last]) => last,
                None => return wrong("the run can go on where it ends"),
                Some(back) if back < last && states[back] == states[last] => {
                    states.pop();
                    back
                }
                Some(_) => return wrong("the run does not come back"),
            };
            let most = states.iter().map(|state| state.processes.len()).max();
            let (formula, atoms) = asked(mode, formula, atoms, most.unwrap_or(0))?;
            let bits: Vec<u64> = states
                .iter()
                .map(|state| seen(&space, &atoms, state))
                .collect();
            space.had_values()?;
            match along(&formula, &bits, back)? {
                true => wrong("the run fulfils the formula"),
                false => Ok(format!("a run of {last} steps breaks it")),
            }
        }
        Asked::Beyond(why) => wrong(why),
    }
}

/// More atoms have no bits of their own.
const MOST_ATOMS: usize = 60;

fn asked(
    mode: Mode,
    formula: &quotient_logic::Formula<u32>,
    atoms: &[Atom],
    most: usize,
) -> Result<(quotient_logic::Formula<u32>, Vec<Atom>), Rejection> {
    let (formula, atoms) = match mode.fair {
        true => fair(formula, atoms, most),
        false => (formula.clone(), atoms.to_vec()),
    };
    match atoms.len() > MOST_ATOMS {
        true => Err(Rejection::wrong(
            "there are too many processes to be fair to",
        )),
        false => Ok((formula, atoms)),
    }
}

/// All states with what follows from each.
struct Found {
    states: Vec<State>,
    next: Vec<Vec<u32>>,
    stuck: Vec<bool>,
}

fn explored(space: &Space<'_>, budget: &Budget) -> Result<Found, Rejection> {
    let mut numbers: HashMap<Vec<i32>, u32> = HashMap::new();
    let mut found = Found {
        states: Vec::new(),
        next: Vec::new(),
        stuck: Vec::new(),
    };
    let start = space.start();
    numbers.insert(start.cells.clone(), 0);
    found.states.push(start);
    while found.next.len() < found.states.len() {
        budget.charge(1)?;
        let state = found.states[found.next.len()].clone();
        let mut next = Vec::new();
        let states = &mut found.states;
        let count = space.steps(&state, &mut |_, after| {
            let number = *numbers.entry(after.cells.clone()).or_insert_with(|| {
                states.push(after.clone());
                states.len() as u32 - 1
            });
            next.push(number);
        });
        if count.endless {
            return Err(Rejection::wrong("an atomic sequence may go on for ever"));
        }
        next.sort_unstable();
        next.dedup();
        found.next.push(next);
        found.stuck.push(count.moves == 0);
    }
    Ok(found)
}

fn holds(
    program: &Program,
    mode: Mode,
    question: &Question,
    sizes: &States,
    budget: &Budget,
) -> Result<String, Rejection> {
    let wrong = |why: &str| Err(Rejection::wrong(why));
    let mode = question.mode(mode);
    let safe = !question.is_about_runs();
    let claim = match &question.asked {
        Asked::Runs { claim, .. } => *claim,
        _ => None,
    };
    let space = Space::new(mode.machine(program, safe), claim);
    if !safe {
        space.begins()?;
    }
    let found = explored(&space, budget)?;
    let number = found.states.len();
    match &question.asked {
        Asked::Assertions => {
            if found.states.iter().any(|state| state.cells[FAILED] != 0) {
                return wrong("something fails");
            }
        }
        Asked::EndStates => {
            let mut all = found.states.iter().zip(&found.stuck);
            if all.any(|(state, stuck)| {
                *stuck && state.cells[FAILED] == 0 && !ends_well(program, state)
            }) {
                return wrong("nobody can move in a state that is no end");
            }
        }
        Asked::Events(_) => {
            let fails =
                |state: &State| Fault::of(state.cells[FAILED]).is_some_and(Fault::is_of_events);
            if found.states.iter().any(fails) {
                return wrong("an event comes that should not");
            }
        }
        Asked::Runs { formula, atoms, .. } => {
            let most = found.states.iter().map(|state| state.processes.len()).max();
            let (formula, atoms) = asked(mode, formula, atoms, most.unwrap_or(0))?;
            let states = found.states.iter();
            let kripke = Kripke {
                bits: states.map(|state| seen(&space, &atoms, state)).collect(),
                next: found.next,
            };
            space.had_values()?;
            if is_broken(&kripke, &formula, budget)? {
                return wrong("a run breaks the formula");
            }
        }
        Asked::Beyond(why) => return wrong(why),
    }
    // A search that needed only a part of the states says how many it saw.
    let part = !safe || sizes.reduced;
    match sizes.states == number as u64 || part && sizes.states <= number as u64 {
        true => Ok(format!("all {number} states were looked at again")),
        false => Err(Rejection::wrong(format!(
            "there are {number} states, not {}",
            sizes.states
        ))),
    }
}
