//! Systems of any number of processes: runs of instances, and what never happens for any number.

mod axioms;
mod encode;
mod numbers;
#[cfg(test)]
mod tests;

use quotient_arrays::{Domain, Formula, Instance, Place, State, System, Term, different};
use quotient_core::{Budget, Stop};

use crate::Rejection;
use encode::{Encoding, Moment};

/// More processes than this are not looked at together.
const MOST_PROCESSES: usize = 12;
/// More are not where each two of them hold another one.
const MOST_IN_PAIRS: usize = 8;
/// More ways to choose some of them are not looked at one by one.
const MOST_TUPLES: u64 = 1_000_000;

/// Checks that something bad never happens, with any number of processes, by a list of things that
/// never happen: each says that there are not so many different processes for which a formula
/// holds.
///
/// What is shown, each by finding no state of a few processes that says otherwise:
///
/// - nothing of the list is there in a start;
/// - what is bad has something of the list in it;
/// - after a step, something of the list is there only if something of it was there before.
///
/// A few processes are enough. Take a state of any number of processes, a step of some of them,
/// and processes for which a formula of the list holds afterwards. Forget all processes but these:
/// nothing of the list is among those that are left if none was among all, what the step asks of
/// every other process it asks of those that are left, and what they hold afterwards they hold
/// because of the step and what they held before. Cells that hold a forgotten process hold one of
/// as many names for such as there are cells; the same for values that are only compared.
///
/// Where the system has axioms (see [`quotient_arrays::Axiom`]), a state that says otherwise must
/// also satisfy them: the process that an axiom says there is is not forgotten (it may be one of
/// those that are left anyway, or one more; both are tried). An axiom is used
/// only if the number it rests on is positive for all sizes that the start allows, by our own
/// arithmetic; that the arrays it speaks of are kept as it says is how the system was made.
pub fn certify_never(
    system: &System,
    bad: usize,
    never: &[(usize, Formula)],
    budget: &Budget,
) -> Result<(), Rejection> {
    let Some(bad) = system.bad.get(bad) else {
        return Err(Rejection::wrong("there is no such property"));
    };
    for (processes, formula) in never {
        if *processes > MOST_PROCESSES || !is_plain(formula) {
            let message = "a part of the invariant speaks of too much to be checked";
            return Err(Rejection::unreadable(message));
        }
        if !compares_like(system, *processes, formula) {
            let message = "a part of the invariant compares what cannot be compared";
            return Err(Rejection::unreadable(message));
        }
    }
    for (number, (processes, formula)) in never.iter().enumerate() {
        let all = (*processes).max(system.start.processes);
        let mut encoding = Encoding::new(system, all, None, budget)?;
        for at in tuples(all, system.start.processes, budget)? {
            encoding.demand(&system.start.formula, &at, Moment::Before)?;
        }
        let at: Vec<usize> = (0..*processes).collect();
        encoding.demand(formula, &at, Moment::Before)?;
        if encoding.is_possible(&[])? {
            return Err(Rejection::wrong(format!(
                "part {} of the invariant is there at a start",
                number + 1
            )));
        }
    }
    for (processes, formula) in &bad.ways {
        let mut encoding = Encoding::new(system, *processes, None, budget)?;
        let at: Vec<usize> = (0..*processes).collect();
        encoding.demand(formula, &at, Moment::Before)?;
        nothing_of(&mut encoding, never, *processes, budget)?;
        let state = axioms::State {
            system,
            never,
            processes: *processes,
            step: None,
            formula,
            at: &at,
        };
        if encoding.is_possible(&[])? && !axioms::refute(&state, budget)? {
            return Err(Rejection::wrong(
                "something bad may happen outside the invariant",
            ));
        }
    }
    for transition in 0..system.transitions.len() {
        closed_under(system, transition, never, budget)?;
    }
    Ok(())
}

/// Whether a system may have a start: `false` only where no number of processes has one. What is
/// demanded of all processes is demanded of the fewest that there can be and of those whom their
/// cells hold; or of all there are, if there are not so many. Whom the others hold may be forgotten.
pub fn arrays_can_begin(system: &System, budget: &Budget) -> Result<bool, Rejection> {
    let demanded = system.start.processes;
    let begins = |mut encoding: Encoding<'_>, all: usize| {
        for at in tuples(all, demanded, budget)? {
            encoding.demand(&system.start.formula, &at, Moment::Before)?;
        }
        encoding.is_possible(&[])
    };
    let least = system.least();
    if !begins(Encoding::new(system, least, None, budget)?, least)? {
        return Ok(false);
    }
    let holding = (system.variables.iter()).filter(|one| one.domain == Domain::Process);
    let arities: Vec<usize> = holding.map(|one| one.arity).collect();
    let cells = arities
        .iter()
        .map(|&arity| least.saturating_pow(arity as u32));
    let most = cells.fold(least, usize::saturating_add);
    let room = match arities.iter().all(|&arity| arity < 2) {
        true => MOST_PROCESSES,
        false => MOST_IN_PAIRS,
    };
    if most > least && (most > room || choices(most, demanded) > MOST_TUPLES) {
        return Ok(true);
    }
    for all in least..most {
        if begins(Encoding::at_start(system, all, all, budget)?, all)? {
            return Ok(true);
        }
    }
    begins(Encoding::at_start(system, most, least, budget)?, most)
}

/// Whether a formula without quantifiers compares like with like: a process beside a value of an
/// enumeration would be a number beside a number, which other processes do not have.
fn compares_like(system: &System, processes: usize, formula: &Formula) -> bool {
    match formula {
        Formula::And(parts) | Formula::Or(parts) => {
            let mut parts = parts.iter();
            parts.all(|part| compares_like(system, processes, part))
        }
        Formula::Compare(left, _, right) => {
            match (
                Like::of(system, processes, left),
                Like::of(system, processes, right),
            ) {
                (Some(Like::Value(value)), Some(Like::Of(Domain::Enumeration(number))))
                | (Some(Like::Of(Domain::Enumeration(number))), Some(Like::Value(value))) => {
                    value < system.enumerations[number.index()].len()
                }
                (Some(Like::Value(_)), Some(other)) | (Some(other), Some(Like::Value(_))) => {
                    matches!(other, Like::Value(_))
                }
                (Some(one), Some(other)) => one == other,
                _ => false,
            }
        }
        _ => false,
    }
}

/// What a term is, for comparing like with like.
#[derive(PartialEq)]
enum Like {
    /// A value of some enumeration.
    Value(usize),
    /// A number, whole or not.
    Number,
    Of(Domain),
}

impl Like {
    fn of(system: &System, processes: usize, term: &Term) -> Option<Like> {
        let cell = |place: &Place| {
            let variable = system.variables.get(place.variable.index())?;
            let fits = variable.arity == place.at.len()
                && place.at.iter().all(|&process| process < processes);
            fits.then_some(match variable.domain {
                Domain::Integer | Domain::Real => Like::Number,
                other => Like::Of(other),
            })
        };
        match term {
            Term::Cell(place) => cell(place),
            Term::Constant(value) => Some(Like::Value(*value)),
            Term::Process(process) => (*process < processes).then_some(Like::Of(Domain::Process)),
            Term::Sum(parts, _) => {
                let mut parts = parts.iter();
                let numbers = parts.all(|(_, place)| cell(place) == Some(Like::Number));
                numbers.then_some(Like::Number)
            }
        }
    }
}

/// No quantifiers: the formula speaks of its own processes only.
fn is_plain(formula: &Formula) -> bool {
    match formula {
        Formula::And(parts) | Formula::Or(parts) => parts.iter().all(is_plain),
        Formula::Compare(..) => true,
        Formula::ForallOther(_)
        | Formula::ExistsOther(_)
        | Formula::Enough(_)
        | Formula::Many(..)
        | Formula::Few(..) => false,
    }
}

/// All tuples of different processes. There may be very many: each is charged for, together and
/// before they are made.
fn tuples(below: usize, length: usize, budget: &Budget) -> Result<Vec<Vec<usize>>, Rejection> {
    let number = choices(below, length);
    if number > MOST_TUPLES {
        let bound = Stop::bound("choices of processes at a time", MOST_TUPLES);
        return Err(bound.into());
    }
    budget.charge(number)?;
    let mut all = Vec::new();
    different(below, length, &mut |at| all.push(at.clone()));
    Ok(all)
}

/// How many tuples of different processes there are.
fn choices(below: usize, length: usize) -> u64 {
    (0..length).fold(1_u64, |number, at| {
        number.saturating_mul(below.saturating_sub(at) as u64)
    })
}

/// Demands that nothing of the list is there before the step.
fn nothing_of(
    encoding: &mut Encoding<'_>,
    never: &[(usize, Formula)],
    processes: usize,
    budget: &Budget,
) -> Result<(), Rejection> {
    for (needed, formula) in never {
        let not = formula.negated();
        for at in tuples(processes, *needed, budget)? {
            encoding.demand(&not, &at, Moment::Before)?;
        }
    }
    Ok(())
}

/// Whether a transition sets a variable that a formula without quantifiers speaks of.
fn is_changed(system: &System, transition: usize, formula: &Formula) -> bool {
    let updates = &system.transitions[transition].updates;
    let is_set = |place: &Place| updates.iter().any(|one| one.variable == place.variable);
    let term = |term: &Term| match term {
        Term::Cell(place) => is_set(place),
        Term::Sum(parts, _) => parts.iter().any(|(_, place)| is_set(place)),
        Term::Constant(_) | Term::Process(_) => false,
    };
    match formula {
        Formula::And(parts) | Formula::Or(parts) => {
            let mut parts = parts.iter();
            parts.any(|part| is_changed(system, transition, part))
        }
        Formula::Compare(left, _, right) => term(left) || term(right),
        _ => true,
    }
}

/// Shows that a transition leads from where nothing of the list is to where nothing of it is.
fn closed_under(
    system: &System,
    transition: usize,
    never: &[(usize, Formula)],
    budget: &Budget,
) -> Result<(), Rejection> {
    let taking = system.transitions[transition].processes;
    let most = never
        .iter()
        .map(|(processes, _)| *processes)
        .max()
        .unwrap_or(0);
    // Where a step changes nothing of what is spoken of, it is there afterwards only if it was before.
    let mut parts = never.iter();
    if !parts.any(|(_, formula)| is_changed(system, transition, formula)) {
        return Ok(());
    }
    for processes in taking..=taking + most {
        if never
            .iter()
            .all(|(needed, _)| *needed < processes - taking || *needed > processes)
        {
            continue;
        }
        let mut encoding = Encoding::new(system, processes, Some(transition), budget)?;
        nothing_of(&mut encoding, never, processes, budget)?;
        for (number, (needed, formula)) in never.iter().enumerate() {
            if !is_changed(system, transition, formula) {
                continue;
            }
            for at in tuples(processes, *needed, budget)? {
                // All processes that take no part in the step are those of the formula; with
                // fewer it was looked at before. Nothing tells them apart (the order in which they stand is
                // any): it is enough to look at them in one order.
                let others = at.iter().filter(|one| **one >= taking);
                if !others.copied().eq(taking..processes) {
                    continue;
                }
                let after = encoding.assumed(formula, &at, Moment::After)?;
                let state = axioms::State {
                    system,
                    never,
                    processes,
                    step: Some(transition),
                    formula,
                    at: &at,
                };
                if encoding.is_possible(&[after])? && !axioms::refute(&state, budget)? {
                    let name = &system.transitions[transition].name;
                    return Err(Rejection::wrong(format!(
                        "`{name}` may lead into part {} of the invariant",
                        number + 1
                    )));
                }
            }
        }
    }
    Ok(())
}

/// Checks a run of an instance that ends in something bad, step by step.
pub fn certify_run(
    system: &System,
    bad: usize,
    processes: usize,
    states: &[State],
    steps: &[(usize, Vec<usize>)],
    budget: &Budget,
) -> Result<(), Rejection> {
    let Some(bad) = system.bad.get(bad) else {
        return Err(Rejection::wrong("there is no such property"));
    };
    if processes < system.least() || processes > 1000 || states.len() != steps.len() + 1 {
        return Err(Rejection::wrong("the run is not one of this system"));
    }
    // Every choice of processes is looked at, at the start and at the end.
    for chosen in [system.start.processes, bad.processes()] {
        if choices(processes, chosen) > 100 * MOST_TUPLES {
            let bound = Stop::bound("choices of processes", 100 * MOST_TUPLES);
            return Err(bound.into());
        }
    }
    let instance = Instance::new(system, processes);
    for state in states {
        let whole = state.len() == instance.cells()
            && state
                .iter()
                .enumerate()
                .all(|(cell, value)| instance.is_value(cell, *value));
        if !whole {
            return Err(Rejection::wrong(
                "a state of the run is not one of this system",
            ));
        }
    }
    if !instance.is_start(&states[0]) {
        return Err(Rejection::wrong("the run does not begin at a start"));
    }
    for (number, (which, at)) in steps.iter().enumerate() {
        budget.poll().map_err(Rejection::Stopped)?;
        let taken = system.transitions.get(*which).filter(|transition| {
            let mut sorted = at.clone();
            sorted.sort_unstable();
            sorted.dedup();
            sorted.len() == at.len()
                && at.len() == transition.processes
                && at.iter().all(|one| *one < processes)
                && instance.leads(transition, at, &states[number], &states[number + 1])
        });
        if taken.is_none() {
            return Err(Rejection::wrong(format!(
                "step {} of the run is not possible",
                number + 1
            )));
        }
    }
    match instance.is_bad(bad, &states[states.len() - 1]) {
        true => Ok(()),
        false => Err(Rejection::wrong(
            "nothing bad is there at the end of the run",
        )),
    }
}
