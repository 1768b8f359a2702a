//! Programs run step by step with concrete values.

use std::collections::HashMap;

use quotient_arithmetic::Condition;
use quotient_core::{Budget, Stop};
use serde::{Deserialize, Serialize};

use crate::lasso::{Structure, fair_lasso};
use crate::ltl::{Automaton, Ltl, automaton};
use crate::program::{Assign, Atom, Check, Program, walk};

/// A state of a program.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct State {
    pub(crate) places: Vec<usize>,
    pub(crate) integers: Vec<i64>,
    pub(crate) booleans: Vec<bool>,
}

/// A step: a process takes an edge, with values where any were possible.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Taken {
    pub(crate) process: usize,
    pub(crate) edge: usize,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) any: Vec<i64>,
}

/// A run; after the last step comes the state of a place again, if it goes on for ever.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Run {
    pub(crate) integers: Vec<i64>,
    pub(crate) booleans: Vec<bool>,
    /// A step each; `None` where nothing can happen.
    pub(crate) steps: Vec<Option<Taken>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) back: Option<usize>,
}

/// Values that stand for any integer in searches, at first.
pub(crate) const TRIED: [i64; 4] = [0, 1, -1, 2];
/// The most values that stand for any integer, and the most beginnings.
const MOST_TRIED: usize = 16;
const MOST_STARTS: usize = 256;

impl Program {
    /// The state with these values in which all processes begin.
    pub(crate) fn start(&self, integers: &[i64], booleans: &[bool]) -> Option<State> {
        let fits = |variable: &crate::program::Variable, value: i64| {
            variable.start.is_none_or(|start| start == value)
        };
        let sized = integers.len() == self.integers.len() && booleans.len() == self.booleans.len();
        let fine = sized
            && self
                .integers
                .iter()
                .zip(integers)
                .all(|(variable, value)| fits(variable, *value))
            && self
                .booleans
                .iter()
                .zip(booleans)
                .all(|(variable, value)| fits(variable, i64::from(*value)));
        fine.then(|| State {
            places: vec![0; self.processes.len()],
            integers: integers.to_vec(),
            booleans: booleans.to_vec(),
        })
    }

    /// Whether numbers are small enough in a state to say what these atoms are there, and who can
    /// move. Where they are not, nothing follows from it.
    pub(crate) fn is_known(&self, state: &State, atoms: &[Atom]) -> bool {
        let known = |condition: &Condition| {
            let value = condition.holds(&state.integers, &state.booleans);
            value.is_some()
        };
        let atoms = atoms.iter().all(|atom| match atom {
            Atom::Condition(condition) => known(condition),
            Atom::At(..) => true,
        });
        let mut processes = self.processes.iter().zip(&state.places);
        atoms
            && processes
                .all(|(process, place)| process.leaving(*place).all(|(_, edge)| known(&edge.guard)))
    }

    /// Whether a process can move.
    pub(crate) fn can_move(&self, state: &State, process: usize) -> bool {
        let mut edges = self.processes[process].leaving(state.places[process]);
        edges.any(|(_, edge)| edge.guard.holds(&state.integers, &state.booleans) == Some(true))
    }

    /// The state after a step, if it is one of the program.
    pub(crate) fn take(&self, state: &State, taken: &Taken) -> Option<State> {
        let edge = self.processes.get(taken.process)?.edges.get(taken.edge)?;
        if edge.from != state.places[taken.process]
            || edge.guard.holds(&state.integers, &state.booleans) != Some(true)
        {
            return None;
        }
        let mut next = state.clone();
        next.places[taken.process] = edge.to;
        let mut any = taken.any.iter();
        for assign in &edge.assign {
            match assign {
                Assign::Integer(at, sum) => {
                    next.integers[at.index()] = i64::try_from(sum.value(&state.integers)?).ok()?
                }
                Assign::Boolean(at, value) => {
                    next.booleans[at.index()] = value.holds(&state.integers, &state.booleans)?
                }
                Assign::AnyInteger(at) => next.integers[at.index()] = *any.next()?,
                Assign::AnyBoolean(at) => next.booleans[at.index()] = *any.next()? != 0,
            }
        }
        any.next().is_none().then_some(next)
    }

    /// The steps of a process from a state; of any integer these values are tried.
    pub(crate) fn moves(
        &self,
        state: &State,
        process: usize,
        tried: &[i64],
    ) -> Vec<(Taken, State)> {
        let mut found = Vec::new();
        for (number, edge) in self.processes[process].leaving(state.places[process]) {
            let mut choices: Vec<Vec<i64>> = vec![Vec::new()];
            for assign in &edge.assign {
                let values: &[i64] = match assign {
                    Assign::AnyInteger(_) => tried,
                    Assign::AnyBoolean(_) => &TRIED[..2],
                    _ => continue,
                };
                let longer = |start: &Vec<i64>, value: &i64| [start.as_slice(), &[*value]].concat();
                choices = choices
                    .iter()
                    .flat_map(|start| values.iter().map(move |value| longer(start, value)))
                    .take(64)
                    .collect();
            }
            for any in choices {
                let taken = Taken {
                    process,
                    edge: number,
                    any,
                };
                if let Some(next) = self.take(state, &taken) {
                    found.push((taken, next));
                }
            }
        }
        found
    }

    /// Values around which conditions of the program or a formula change, after the usual ones.
    pub(crate) fn telling(&self, check: &Check) -> Vec<i64> {
        let mut found = TRIED.to_vec();
        let mut near = |condition: &Condition| {
            walk(condition, &mut |part| {
                let (Condition::AtMostZero(sum) | Condition::Zero(sum)) = part else {
                    return;
                };
                let (_, constant) = sum.parts();
                let Ok(constant) = i32::try_from(constant).map(i64::from) else {
                    return;
                };
                for value in [-constant, constant] {
                    for value in [value, value + 1, value - 1] {
                        if found.len() < MOST_TRIED && !found.contains(&value) {
                            found.push(value);
                        }
                    }
                }
            });
        };
        for atom in check.formula.atoms() {
            if let Atom::Condition(condition) = &atom {
                near(condition);
            }
        }
        for process in &self.processes {
            process.edges.iter().for_each(|edge| near(&edge.guard));
        }
        found
    }

    /// The states that it may begin in; of integers without a value these are tried, fewer if there are many.
    pub(crate) fn starts(&self, tried: &[i64]) -> Vec<State> {
        let open = self.integers.iter().filter(|one| one.start.is_none());
        let open = u32::try_from(open.count()).unwrap_or(u32::MAX);
        let fits = |count: &usize| {
            count
                .checked_pow(open)
                .is_some_and(|all| all <= MOST_STARTS)
        };
        let each = (2..=tried.len()).rev().find(fits).unwrap_or(2);
        let tried = &tried[..each.min(tried.len())];
        let mut found: Vec<(Vec<i64>, Vec<bool>)> = vec![(Vec::new(), Vec::new())];
        for variable in &self.integers {
            let values = variable.start.map_or(tried.to_vec(), |start| vec![start]);
            found = found
                .into_iter()
                .flat_map(|(integers, booleans)| {
                    let with =
                        |value: &i64| ([integers.as_slice(), &[*value]].concat(), booleans.clone());
                    values.iter().map(with).collect::<Vec<_>>()
                })
                .take(MOST_STARTS)
                .collect();
        }
        for variable in &self.booleans {
            let values = variable
                .start
                .map_or(vec![false, true], |start| vec![start != 0]);
            found = found
                .into_iter()
                .flat_map(|(integers, booleans)| {
                    let with = |value: &bool| {
                        (integers.clone(), [booleans.as_slice(), &[*value]].concat())
                    };
                    values.iter().map(with).collect::<Vec<_>>()
                })
                .take(4096)
                .collect();
        }
        found
            .iter()
            .filter_map(|(integers, booleans)| self.start(integers, booleans))
            .collect()
    }

    /// Whether searches see all values: no integer is left open.
    pub(crate) fn is_closed(&self) -> bool {
        let any = |assign: &Assign| matches!(assign, Assign::AnyInteger(_));
        let edges = self.processes.iter().flat_map(|process| &process.edges);
        self.integers
            .iter()
            .all(|variable| variable.start.is_some())
            && !edges.flat_map(|edge| &edge.assign).any(any)
    }

    /// Whether an atom is true in a state.
    pub(crate) fn holds(&self, atom: &Atom, state: &State) -> bool {
        match atom {
            Atom::Condition(condition) => {
                condition.holds(&state.integers, &state.booleans) == Some(true)
            }
            Atom::At(process, location) => state.places[*process] == *location,
        }
    }

    /// Whether a formula about one state is true there.
    pub(crate) fn satisfies(&self, formula: &Ltl, state: &State) -> bool {
        formula.on_lasso(1, 0, &|atom, _| self.holds(atom, state))[0]
    }
}

/// What a search for a violation ended with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Found {
    Violation(Run),
    /// All states were seen, and there is none.
    Nothing,
    /// There were too many states.
    TooMany,
}

/// Searches the states of a program for a violation, with only some processes moving: enough for
/// a finite run, while one that goes on for ever must be fair to all.
pub(crate) fn search(
    program: &Program,
    check: &Check,
    movers: &[usize],
    most: usize,
    budget: &Budget,
) -> Result<Found, Stop> {
    search_with(program, check, movers, most, &TRIED, budget)
}

/// The same with values that stand for any integer.
pub(crate) fn search_with(
    program: &Program,
    check: &Check,
    movers: &[usize],
    most: usize,
    tried: &[i64],
    budget: &Budget,
) -> Result<Found, Stop> {
    let invariant = check.formula.invariant();
    let atoms = check.formula.atoms();
    let mut numbers: HashMap<State, usize> = HashMap::new();
    let mut states: Vec<State> = Vec::new();
    let mut parent: Vec<Option<(usize, Taken)>> = Vec::new();
    let mut steps: Vec<Vec<(usize, Option<Taken>)>> = Vec::new();
    for state in program.starts(tried) {
        if numbers.insert(state.clone(), states.len()).is_none() {
            states.push(state);
            parent.push(None);
        }
    }
    let begins = states.len();
    let mut complete = true;
    while steps.len() < states.len() {
        budget.charge(1)?;
        let here = steps.len();
        let state = states[here].clone();
        if !program.is_known(&state, &atoms) {
            complete = false;
            steps.push(Vec::new());
            continue;
        }
        if let Some(good) = invariant
            && !program.satisfies(good, &state)
        {
            return Ok(Found::Violation(back_to_start(&states, &parent, here)));
        }
        let mut found = Vec::new();
        if states.len() >= most {
            complete = false;
            steps.push(found);
            continue;
        }
        for &process in movers {
            for (taken, next) in program.moves(&state, process, tried) {
                let to = *numbers.entry(next.clone()).or_insert_with(|| {
                    states.push(next);
                    parent.push(Some((here, taken.clone())));
                    states.len() - 1
                });
                found.push((to, Some(taken)));
            }
        }
        // Somebody who could move only to numbers that are too large is not stuck.
        let stuck = || !movers.iter().any(|&one| program.can_move(&state, one));
        complete &= !loses_steps(program, &state, movers, &found);
        if found.is_empty() && stuck() {
            found.push((here, None));
        }
        steps.push(found);
    }
    let nothing = if complete {
        Found::Nothing
    } else {
        Found::TooMany
    };
    if invariant.is_some() {
        return Ok(nothing);
    }
    let Some(automaton) = automaton(&check.formula.normal(true)) else {
        return Ok(Found::TooMany);
    };
    let structure = structure(program, &automaton, &states, &steps, begins);
    let Some(lasso) = fair_lasso(&structure, &automaton, budget)? else {
        return Ok(nothing);
    };
    let first = &states[lasso.path.first().map_or(0, |(state, _)| *state)];
    let taken = |(state, step): &(usize, usize)| steps[*state][*step].1.clone();
    Ok(Found::Violation(Run {
        integers: first.integers.clone(),
        booleans: first.booleans.clone(),
        steps: lasso.path.iter().map(taken).collect(),
        back: Some(lasso.back),
    }))
}

/// Whether a step was left out because its numbers are too large.
fn loses_steps(
    program: &Program,
    state: &State,
    movers: &[usize],
    found: &[(usize, Option<Taken>)],
) -> bool {
    movers.iter().any(|&process| {
        let mut edges = program.processes[process].leaving(state.places[process]);
        edges.any(|(number, edge)| {
            let is_it = |taken: &Taken| taken.process == process && taken.edge == number;
            edge.guard.holds(&state.integers, &state.booleans) == Some(true)
                && !found
                    .iter()
                    .any(|(_, taken)| taken.as_ref().is_some_and(is_it))
        })
    })
}

/// The states that were found, as a structure in which processes that cannot move may rest.
fn structure(
    program: &Program,
    automaton: &Automaton,
    states: &[State],
    steps: &[Vec<(usize, Option<Taken>)>],
    begins: usize,
) -> Structure {
    let all = program.processes.len();
    Structure {
        initial: (0..begins).collect(),
        steps: steps
            .iter()
            .map(|row| {
                row.iter()
                    .map(|(to, taken)| (*to, taken.as_ref().map(|one| one.process)))
                    .collect()
            })
            .collect(),
        literals: states
            .iter()
            .map(|state| {
                automaton
                    .atoms
                    .iter()
                    .map(|atom| {
                        let holds = program.holds(atom, state);
                        [!holds, holds]
                    })
                    .collect()
            })
            .collect(),
        rests: states
            .iter()
            .map(|state| {
                (0..all)
                    .map(|process| !program.can_move(state, process))
                    .collect()
            })
            .collect(),
        processes: all,
    }
}

fn back_to_start(states: &[State], parent: &[Option<(usize, Taken)>], end: usize) -> Run {
    let mut steps = Vec::new();
    let mut at = end;
    while let Some((before, taken)) = &parent[at] {
        steps.push(Some(taken.clone()));
        at = *before;
    }
    steps.reverse();
    let (integers, booleans) = (states[at].integers.clone(), states[at].booleans.clone());
    Run {
        integers,
        booleans,
        steps,
        back: None,
    }
}
