//! Formulas of linear time about runs in which whatever can happen at last does.

use quotient_core::{Budget, Evidence, Stop, Verdict};
use quotient_explicit::{
    Halt, Lasso, Linear, Rest, Steps, Unsure, Words, linear, linear_fair, linear_unsure,
};
use quotient_language::Answer;
use quotient_logic::Formula;
use serde::{Deserialize, Serialize};
use serde_json::json;

pub(crate) mod formula;
pub(crate) mod judge;
pub(crate) mod space;
#[cfg(test)]
mod tests;

use crate::program::Program;
use crate::run::{Part, Run};
use crate::story;
use formula::Atom;
use space::Space;

/// A run that breaks a formula.
pub(crate) const LASSO: &str = "bsp-lasso";
/// How many states there are, in none of which a run goes on that breaks the formula.
pub(crate) const STATES: &str = "bsp-states";

/// How many states are looked at before it matters who is passed over.
const FEW_STATES: usize = 50_000;
/// The most states that are looked at.
const MOST_STATES: usize = 2_000_000;
/// How much work it may be to show that no run breaks a formula.
const JUDGED: u64 = 20_000_000;

/// A run, and how it goes on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Broken {
    pub(crate) processors: usize,
    pub(crate) parts: Vec<Part>,
    pub(crate) then: Then,
}

/// What comes after a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum Then {
    /// Whatever may come.
    Any,
    /// Nothing can move.
    Nothing,
    /// All from the part with this number on, again and again.
    Repeats(usize),
}

/// The number of states without a run that breaks a formula.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct States {
    pub(crate) processors: usize,
    pub(crate) states: usize,
}

/// A formula over the numbers of its atoms, and these.
pub(crate) fn numbered(formula: &Formula<Atom>) -> (Formula<u32>, Vec<Atom>) {
    let mut atoms: Vec<Atom> = Vec::new();
    let numbered = formula.map_atoms(|atom| {
        let known = atoms.iter().position(|one| one == atom);
        let number = known.unwrap_or_else(|| {
            atoms.push(atom.clone());
            atoms.len() - 1
        });
        number as u32
    });
    (numbered, atoms)
}

/// Whether all runs of a program fulfil a formula. Where memory is too short for all states, they are remembered by their
/// hashes, and nothing holds by that.
pub(crate) fn answer(
    program: &Program,
    name: &str,
    formula: &Formula<Atom>,
    budget: &Budget,
) -> Result<Answer, Stop> {
    // Something is left for hashes.
    let careful = match budget.memory_limit() {
        Some(limit) => budget.child_within(limit - limit / 8),
        None => budget.clone(),
    };
    match exactly(program, name, formula, &careful) {
        Err(Stop::Memory) => {
            budget.poll()?;
            by_hashes(program, name, formula, budget)
        }
        found => found,
    }
}

/// Looks for a run that breaks the formula, with states that are remembered by their hashes.
fn by_hashes(
    program: &Program,
    name: &str,
    formula: &Formula<Atom>,
    budget: &Budget,
) -> Result<Answer, Stop> {
    let (numbers, atoms) = numbered(formula);
    let space = Space::new(program, atoms, budget);
    let words = Words {
        system: &space,
        values: |state: &[u64]| space.sight.of_all(program, &space.locals(state)),
    };
    let labels = program.processors + program.groups.len();
    let found = linear_unsure(&words, &numbers, Some(labels as u32), budget);
    if let Some(stop) = space.stop() {
        return Err(stop);
    }
    match found {
        Err(Halt::Unfit(_)) => Err(Stop::Work),
        Err(Halt::Stopped(stop)) => Err(stop),
        Ok(Unsure::Nothing { pairs, chance }) => Err(Unsure::open(pairs, chance)),
        Ok(Unsure::Violated(lasso)) => broken(&space, name, formula, &lasso, budget),
    }
}

fn exactly(
    program: &Program,
    name: &str,
    formula: &Formula<Atom>,
    budget: &Budget,
) -> Result<Answer, Stop> {
    let (numbers, atoms) = numbered(formula);
    let space = Space::new(program, atoms, budget);
    let mut values = |state: &[u64]| space.sight.of_all(program, &space.locals(state));
    // What holds along all runs holds along those that pass nobody over; every beginning is one of such a run, and where
    // nobody can move nobody is passed over.
    let mut steps = Steps::new(&space, FEW_STATES);
    if let Some(stop) = space.stop() {
        return Err(stop);
    }
    let near = linear(&mut steps, &numbers, &mut values, budget);
    let passes = |found: &Linear| match found {
        Linear::Holds(_) => false,
        Linear::Violated(run) => matches!(run.rest, Rest::Back(_)),
    };
    let mut states = steps.visited();
    let found = match near {
        Ok(found) if !passes(&found) => Ok((found, Vec::new())),
        Err(Halt::Unfit(_)) => near.map(|found| (found, Vec::new())),
        _ => {
            budget.poll()?;
            let mut steps = Steps::new(&space, MOST_STATES);
            let found = linear_fair(&mut steps, &numbers, &mut values, budget);
            states = steps.visited();
            found
        }
    };
    match found {
        Err(Halt::Unfit(_)) => Err(space.stop().unwrap_or(Stop::Work)),
        Err(Halt::Stopped(stop)) => Err(stop),
        Ok((Linear::Holds(_), _)) => {
            let mut answer = Answer::new(name, Verdict::Holds)
                .because(format!("no run through {states} states breaks it"))
                .by("search");
            answer.details.push(("states".to_owned(), json!(states)));
            let judged = budget.child_with_work(JUDGED);
            match judge::is_kept(program, formula, &judged) {
                Ok(states) => {
                    let processors = program.processors;
                    let body = States { processors, states };
                    let evidence = Evidence::of_holds(STATES, &body);
                    answer.evidence = Some(evidence.about(name));
                }
                Err(_) => {
                    budget.poll()?;
                    let note = "the states are too many to be judged again as evidence";
                    answer.notes.push(note.to_owned());
                }
            }
            Ok(answer)
        }
        Ok((Linear::Violated(lasso), _)) => broken(&space, name, formula, &lasso, budget),
    }
}

/// A run breaks the formula.
fn broken(
    space: &Space<'_>,
    name: &str,
    formula: &Formula<Atom>,
    lasso: &Lasso,
    budget: &Budget,
) -> Result<Answer, Stop> {
    let program = space.program;
    let (labels, end) = (&lasso.labels, lasso.labels.len());
    let (parts, then, because) = match lasso.rest {
        Rest::Any => {
            let (parts, _) = space.parts(labels, end, false)?;
            (parts, Then::Any, "the beginning of a run breaks it")
        }
        Rest::Back(back) => {
            let (parts, begins) = space.parts(labels, back, true)?;
            let because = "a run that goes on for ever breaks it";
            (parts, Then::Repeats(begins), because)
        }
        Rest::Stuck => {
            let (parts, begins) = space.parts(labels, end, true)?;
            let because = "a run breaks it";
            match begins < parts.len() {
                true => (parts, Then::Repeats(begins), because),
                false => (parts, Then::Nothing, because),
            }
        }
    };
    let body = Broken {
        processors: program.processors,
        parts,
        then,
    };
    let mut answer = Answer::new(name, Verdict::Violated)
        .because(because)
        .by("search");
    let run = Run {
        parts: body.parts.clone(),
        loops: Vec::new(),
        repeats: match body.then {
            Then::Repeats(part) => Some(part),
            _ => None,
        },
    };
    answer.trace = Some(story::trace(program, &run));
    match judge::is_broken(program, formula, &body, budget) {
        Ok(_) => {
            let evidence = Evidence::of_violated(LASSO, &body);
            answer.evidence = Some(evidence.about(name));
        }
        Err(_) => {
            budget.poll()?;
            let note = "the run is too long to be judged again as evidence";
            answer.notes.push(note.to_owned());
        }
    }
    Ok(answer)
}
