//! Runs in which processes take turns: a quick look for one that violates a property, before states
//! are searched. Such a run is fair, and comes back soon where there are few values, however many
//! processes there are.

use std::collections::HashMap;

use quotient_core::{Budget, Evidence, Rejection, Stop};

use crate::certify::{RUN, certify};
use crate::interpret::{Run, State, TRIED};
use crate::program::{Check, Program};

/// How many rounds are tried.
const MOST_ROUNDS: usize = 200;
/// How many beginnings are tried.
const MOST_STARTS: usize = 8;
/// How a process chooses between its steps: the first, the last, or round after round another.
const WAYS: usize = 3;

/// A run in turns that violates a property, if one of a few does.
pub(crate) fn in_turns(
    program: &Program,
    check: &Check,
    budget: &Budget,
) -> Result<Option<Run>, Stop> {
    for start in program.starts(&TRIED).into_iter().take(MOST_STARTS) {
        for way in 0..WAYS {
            let Some(run) = run(program, &start, way, budget)? else {
                continue;
            };
            let evidence = Evidence::of_violated(RUN, &run);
            match certify(program, check, &evidence, budget) {
                Ok(_) => return Ok(Some(run)),
                Err(Rejection::Stopped(stop)) if budget.poll().is_err() => return Err(stop),
                Err(_) => {}
            }
        }
    }
    Ok(None)
}

/// The run of one way to choose, up to where it comes back to a state.
fn run(program: &Program, start: &State, way: usize, budget: &Budget) -> Result<Option<Run>, Stop> {
    let mut steps = Vec::new();
    let mut seen: HashMap<State, usize> = HashMap::new();
    let mut state = start.clone();
    for round in 0..MOST_ROUNDS {
        let known = seen.insert(state.clone(), steps.len());
        let mut back = known;
        if known.is_none() {
            let before = steps.len();
            for process in 0..program.processes.len() {
                budget.charge(1)?;
                let mut moves = program.moves(&state, process, &TRIED);
                if moves.is_empty() {
                    continue;
                }
                let pick = match way {
                    0 => 0,
                    1 => moves.len() - 1,
                    _ => round % moves.len(),
                };
                let (taken, next) = moves.swap_remove(pick);
                steps.push(Some(taken));
                state = next;
            }
            if steps.len() == before {
                // Nobody can move: nothing happens, for ever.
                back = Some(steps.len());
                steps.push(None);
            }
        }
        if let Some(back) = back {
            return Ok(Some(Run {
                integers: start.integers.clone(),
                booleans: start.booleans.clone(),
                steps,
                back: Some(back),
            }));
        }
    }
    Ok(None)
}
