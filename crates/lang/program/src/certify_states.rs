//! Checks that a property holds by looking at all states of a program.
//!
//! No evidence is needed but the claim: every integer begins with a number and none becomes just any, so that each state
//! has finitely many next ones, and all are found here with the steps of the program alone. A step whose numbers are too
//! large to be computed ends the check.

use std::collections::HashMap;

use quotient_core::{Budget, Rejection, Stop};
use serde::{Deserialize, Serialize};

use crate::interpret::{State, Taken};
use crate::lasso::{Structure, fair_lasso};
use crate::ltl::automaton;
use crate::program::{Assign, Atom, Check, Edge, Program};

/// The body of such evidence: there is nothing to say.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StatesBody {}

/// The most states that are looked at.
const MOST_STATES: usize = 200_000;
/// The most Booleans that may begin, or become, just any at a time.
const MOST_OPEN: usize = 12;

/// Finds all states again and judges the property on them.
pub(crate) fn holds(
    program: &Program,
    check: &Check,
    _: &StatesBody,
    budget: &Budget,
) -> Result<Vec<String>, Rejection> {
    let atoms = check.formula.normal(true).atoms();
    let mut states = beginnings(program)?;
    let mut numbers: HashMap<State, usize> = HashMap::new();
    for (number, state) in states.iter().enumerate() {
        numbers.insert(state.clone(), number);
    }
    let processes = program.processes.len();
    let mut structure = Structure {
        initial: (0..states.len()).collect(),
        processes,
        ..Structure::default()
    };
    let size = 1 + (program.integers.len() + program.booleans.len() + processes) as u64;
    while structure.steps.len() < states.len() {
        budget.charge(size)?;
        if states.len() > MOST_STATES {
            return Err(Stop::bound("states", MOST_STATES as u64).into());
        }
        let here = structure.steps.len();
        let state = states[here].clone();
        if !program.is_known(&state, &atoms) {
            return Err(too_large());
        }
        if let Some(good) = check.formula.invariant()
            && !program.satisfies(good, &state)
        {
            return Err(Rejection::wrong("a bad state can be reached"));
        }
        let mut steps = Vec::new();
        let mut rests = Vec::new();
        for process in 0..processes {
            let next = followers(program, &state, process)?;
            rests.push(next.is_empty());
            for state in next {
                let to = *numbers.entry(state.clone()).or_insert_with(|| {
                    states.push(state);
                    states.len() - 1
                });
                steps.push((to, Some(process)));
            }
        }
        if steps.is_empty() {
            steps.push((here, None));
        }
        let literal = |atom: &Atom| {
            let holds = program.holds(atom, &state);
            [!holds, holds]
        };
        structure.literals.push(atoms.iter().map(literal).collect());
        structure.steps.push(steps);
        structure.rests.push(rests);
    }
    if check.formula.invariant().is_none() {
        let automaton = automaton(&check.formula.normal(true));
        let automaton = automaton.ok_or_else(|| Rejection::wrong("the formula is too large"))?;
        if fair_lasso(&structure, &automaton, budget)?.is_some() {
            return Err(Rejection::wrong("a fair run violates the formula"));
        }
    }
    Ok(vec![format!("{} states are all there are", states.len())])
}

fn too_large() -> Rejection {
    Stop::inconclusive("numbers of a state are too large to be compared").into()
}

/// All states that the program may begin in.
fn beginnings(program: &Program) -> Result<Vec<State>, Rejection> {
    let integers: Option<Vec<i64>> = program.integers.iter().map(|one| one.start).collect();
    let open = || Rejection::wrong("an integer may begin with any value");
    let integers = integers.ok_or_else(open)?;
    let free = (program.booleans.iter()).filter(|one| one.start.is_none());
    let mut found = Vec::new();
    for choice in choices(free.count())? {
        let mut choice = choice.into_iter();
        let booleans = program.booleans.iter().map(|one| match one.start {
            Some(start) => start != 0,
            None => choice.next() == Some(1),
        });
        found.push(State {
            places: vec![0; program.processes.len()],
            integers: integers.clone(),
            booleans: booleans.collect(),
        });
    }
    Ok(found)
}

/// All rows of so many zeros and ones.
fn choices(count: usize) -> Result<Vec<Vec<i64>>, Rejection> {
    if count > MOST_OPEN {
        return Err(Stop::bound("open Booleans", MOST_OPEN as u64).into());
    }
    let bits = |row: usize| (0..count).map(|at| ((row >> at) & 1) as i64).collect();
    Ok((0..1_usize << count).map(bits).collect())
}

/// The states after each step that a process can take.
fn followers(program: &Program, state: &State, process: usize) -> Result<Vec<State>, Rejection> {
    let mut found = Vec::new();
    for (number, edge) in program.processes[process].leaving(state.places[process]) {
        match edge.guard.holds(&state.integers, &state.booleans) {
            Some(true) => {}
            Some(false) => continue,
            None => return Err(too_large()),
        }
        for any in choices(open_booleans(edge)?)? {
            let taken = Taken {
                process,
                edge: number,
                any,
            };
            found.push(program.take(state, &taken).ok_or_else(too_large)?);
        }
    }
    Ok(found)
}

/// How many Booleans become just any in a step; integers must not.
fn open_booleans(edge: &Edge) -> Result<usize, Rejection> {
    let open = |assign: &&Assign| matches!(assign, Assign::AnyInteger(_));
    if edge.assign.iter().any(|assign| open(&assign)) {
        return Err(Rejection::wrong("an integer may become any value"));
    }
    let free = |assign: &&Assign| matches!(assign, Assign::AnyBoolean(_));
    Ok(edge.assign.iter().filter(free).count())
}
