//! States that axioms about large sets of processes exclude.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use quotient_arrays::{Amount, Axiom, Formula, Place, System};
use quotient_core::Budget;

use super::encode::{Encoding, Moment, all_tuples};
use super::numbers::{Row, is_impossible};
use super::{MOST_PROCESSES, nothing_of};
use crate::Rejection;

/// A state that should not be: nothing of a list is in it, and a formula holds of these processes
/// there, or after a step of the first of them.
pub(super) struct State<'a> {
    pub(super) system: &'a System,
    pub(super) never: &'a [(usize, Formula)],
    pub(super) processes: usize,
    pub(super) step: Option<usize>,
    pub(super) formula: &'a Formula,
    pub(super) at: &'a [usize],
}

/// The most processes that are added for axioms.
const MOST_WITNESSES: usize = 6;

/// Whether the axioms show that there is no such state. Those are used of which a state at hand
/// is an exception. The process that an axiom says there is may be one of those at hand or one
/// more, so every number of processes is looked at, from those at hand to one more for each axiom.
pub(super) fn refute(state: &State<'_>, budget: &Budget) -> Result<bool, Rejection> {
    let axioms = state.system.axioms.iter();
    let mut axioms: Vec<&Axiom> = axioms
        .filter(|axiom| is_positive(state.system, &axiom.positive))
        .collect();
    // What says most about the process that there is comes first: few are added.
    axioms.sort_by_key(|axiom| match &axiom.conclusion {
        Formula::And(parts) => Reverse(parts.len()),
        _ => Reverse(1),
    });
    if axioms.is_empty() {
        return Ok(false);
    }
    let mut used: Vec<Used<'_>> = Vec::new();
    loop {
        let most = state.processes + used.len();
        if most > MOST_PROCESSES {
            return Ok(false);
        }
        let mut found = None;
        for all in (state.processes..=most).rev() {
            let mut encoding = exception(state, &used, all, budget)?;
            if encoding.is_possible(&[])? {
                found = Some((encoding, all));
                break;
            }
        }
        let Some((encoding, all)) = found else {
            return Ok(true);
        };
        if used.len() == MOST_WITNESSES {
            return Ok(false);
        }
        let broken = axioms.iter().find_map(|axiom| {
            let tuples = all_tuples(state.processes, axiom.processes);
            let broken = tuples.into_iter().find(|tuple| {
                encoding.is_so(&axiom.premise, tuple)
                    && !used
                        .iter()
                        .any(|(known, at)| *known == *axiom && at == tuple)
                    && (0..all).all(|one| {
                        let at = [&tuple[..], &[one]].concat();
                        !encoding.is_so(&axiom.conclusion, &at)
                    })
            });
            broken.map(|tuple| (*axiom, tuple))
        });
        match broken {
            Some(one) => used.push(one),
            None => return Ok(false),
        }
    }
}

/// An axiom, and the processes that it is used for.
type Used<'a> = (&'a Axiom, Vec<usize>);

/// The state that should not be, with so many processes, and some axioms satisfied.
fn exception<'a>(
    state: &State<'a>,
    used: &[Used<'_>],
    all: usize,
    budget: &Budget,
) -> Result<Encoding<'a>, Rejection> {
    let mut encoding = Encoding::new(state.system, all, state.step, budget)?;
    nothing_of(&mut encoding, state.never, all, budget)?;
    let moment = match state.step {
        Some(_) => Moment::After,
        None => Moment::Before,
    };
    encoding.demand(state.formula, state.at, moment)?;
    for (axiom, tuple) in used {
        let everybody: Vec<usize> = (0..all).collect();
        encoding.demand(&instance(axiom, tuple, all), &everybody, Moment::Before)?;
    }
    Ok(encoding)
}

/// An axiom about some processes, with its witness among so many; places are processes.
fn instance(axiom: &Axiom, tuple: &[usize], all: usize) -> Formula {
    let premise = axiom.premise.moved(&|place| tuple[place]);
    let mut any = vec![premise.negated()];
    for one in 0..all {
        let place = |place: usize| tuple.get(place).copied().unwrap_or(one);
        any.push(axiom.conclusion.moved(&place));
    }
    Formula::Or(any)
}

/// Whether a number is positive for every number of processes that a start allows.
fn is_positive(system: &System, amount: &Amount) -> bool {
    let mut names: BTreeMap<Place, usize> = BTreeMap::new();
    let mut row = |amount: &Amount, sign: i128| {
        let mut row = Row::constant(i128::from(amount.constant) * sign);
        row.add(0, i128::from(amount.processes) * sign);
        for (factor, place) in &amount.cells {
            let next = names.len() + 1;
            let name = *names.entry(place.clone()).or_insert(next);
            row.add(name, i128::from(*factor) * sign);
        }
        row
    };
    // It is at most zero, although there is a process and no size is negative.
    let mut rows = vec![row(amount, 1)];
    rows.extend(system.sizes().iter().map(|size| row(size, -1)));
    let mut processes = Row::constant(1);
    processes.add(0, -1);
    rows.push(processes);
    is_small(amount) && is_impossible(rows)
}

/// Whether no number is so large that sums of it may have been cut off.
fn is_small(amount: &Amount) -> bool {
    let few = |number: i64| number.unsigned_abs() < 1 << 40;
    let mut cells = amount.cells.iter();
    few(amount.processes)
        && few(amount.constant)
        && amount.divided < 1 << 30
        && cells.all(|(factor, _)| few(*factor))
}
