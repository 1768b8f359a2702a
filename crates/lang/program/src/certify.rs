//! Evidence and its check.
//!
//! For `holds` the evidence names the spotlight: processes, predicates, and the predicates whose
//! unknown values are told apart. The check builds the abstraction anew, in another way: without
//! parameters, with unknown values of those predicates split into both, and only with may-steps.
//! It keeps every run of the program (predicates into which other processes write are unknown
//! throughout; what follows from arithmetic is decided by refutation, which is never wrong), so
//! that no bad state, or no fair path that violates the formula, means that the program has none.
//! For `violated` the evidence is a run with all values, which is replayed; one that goes on for
//! ever must return to a state, be fair to every process, and the formula is evaluated on it.

use std::collections::HashMap;

use quotient_arithmetic::{Condition, implies};
use quotient_core::{Budget, Certified, Claim, Evidence, Rejection, Stop};
use serde::{Deserialize, Serialize};

use crate::interpret::{Run, State};
use crate::lasso::{Structure, fair_lasso};
use crate::ltl::{Ltl, automaton};
use crate::program::{Atom, Check, Program, before};
use crate::seen::{Place, Seen};
use crate::{certify_pairs, certify_schedule, certify_states};

/// Kinds of evidence.
pub(crate) const SPOTLIGHT: &str = "program-spotlight";
pub(crate) const STATES: &str = "program-states";
pub(crate) const PAIRS: &str = "program-pairs";
pub(crate) const SCHEDULE: &str = "program-schedule";
pub(crate) const RUN: &str = "program-run";

/// The body of evidence that a property holds.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Body {
    pub(crate) processes: Vec<String>,
    pub(crate) predicates: Vec<String>,
    /// Predicates, by number, whose unknown values are told apart.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) split: Vec<usize>,
}

/// Checks evidence about a property.
pub(crate) fn certify(
    program: &Program,
    check: &Check,
    evidence: &Evidence,
    budget: &Budget,
) -> Result<Certified, Rejection> {
    let unreadable = |error: serde_json::Error| Rejection::unreadable(error.to_string());
    let facts = match (evidence.claim, evidence.kind.as_str()) {
        (Claim::Holds, SPOTLIGHT) => holds(
            program,
            check,
            &evidence.read().map_err(unreadable)?,
            budget,
        )?,
        (Claim::Holds, STATES) => certify_states::holds(
            program,
            check,
            &evidence.read().map_err(unreadable)?,
            budget,
        )?,
        (Claim::Holds, PAIRS) => certify_pairs::holds(
            program,
            check,
            &evidence.read().map_err(unreadable)?,
            budget,
        )?,
        (Claim::Violated, SCHEDULE) => certify_schedule::violated(
            program,
            check,
            &evidence.read().map_err(unreadable)?,
            budget,
        )?,
        (Claim::Violated, RUN) => violated(
            program,
            check,
            &evidence.read().map_err(unreadable)?,
            budget,
        )?,
        (_, kind) => {
            return Err(Rejection::unreadable(format!(
                "`{kind}` is no evidence for this claim"
            )));
        }
    };
    Ok(Certified {
        property: check.name.clone(),
        facts,
    })
}

/// Replays a run.
fn violated(
    program: &Program,
    check: &Check,
    run: &Run,
    budget: &Budget,
) -> Result<Vec<String>, Rejection> {
    let start = program.start(&run.integers, &run.booleans);
    let mut states =
        vec![start.ok_or_else(|| Rejection::wrong("the run does not begin as the program does"))?];
    let size = (program.integers.len() + program.booleans.len() + program.processes.len()) as u64;
    for (number, taken) in run.steps.iter().enumerate() {
        // All states are kept, to be compared and for the formula.
        budget.charge(1 + size)?;
        let now = &states[number];
        let stuck = || (0..program.processes.len()).all(|process| !program.can_move(now, process));
        let next = match taken {
            Some(taken) if taken.process < program.processes.len() => program.take(now, taken),
            None if stuck() => Some(now.clone()),
            _ => None,
        };
        let wrong = || Rejection::wrong(format!("step {} is no step of the program", number + 1));
        states.push(next.ok_or_else(wrong)?);
    }
    let atoms = check.formula.atoms();
    if !states.iter().all(|state| program.is_known(state, &atoms)) {
        let message = "numbers of the run are too large to be compared";
        return Err(Stop::inconclusive(message).into());
    }
    let Some(back) = run.back else {
        let (Some(good), Some(last)) = (check.formula.invariant(), states.last()) else {
            return Err(Rejection::wrong("a finite run refutes only an invariant"));
        };
        return match program.satisfies(good, last) {
            true => Err(Rejection::wrong("the last state of the run is fine")),
            false => Ok(vec![format!(
                "a run of {} steps ends in a bad state",
                run.steps.len()
            )]),
        };
    };
    let (Some(end), true) = (states.pop(), back < run.steps.len()) else {
        return Err(Rejection::wrong("the run does not go on"));
    };
    if states[back] != end {
        return Err(Rejection::wrong(
            "the run does not return to where it goes on",
        ));
    }
    for process in 0..program.processes.len() {
        budget.charge(states.len() as u64)?;
        let moves = run.steps[back..]
            .iter()
            .flatten()
            .any(|taken| taken.process == process);
        let rests = || {
            states[back..]
                .iter()
                .any(|state| !program.can_move(state, process))
        };
        if !moves && !rests() {
            let name = &program.processes[process].name;
            return Err(Rejection::wrong(format!("the run is unfair to {name}")));
        }
    }
    let values = check.formula.on_lasso(states.len(), back, &|atom, at| {
        program.holds(atom, &states[at])
    });
    match values[0] {
        true => Err(Rejection::wrong("the run satisfies the formula")),
        false => Ok(vec![format!(
            "a fair run of {} steps, the last {} again and again, violates the formula",
            states.len(),
            states.len() - back
        )]),
    }
}

/// The most abstract states that are looked at.
const MOST_PLACES: usize = 400_000;

struct Checker<'a> {
    seen: Seen<'a>,
    /// Predicates, by number, whose unknown values are told apart.
    split: &'a [usize],
}

fn holds(
    program: &Program,
    check: &Check,
    body: &Body,
    budget: &Budget,
) -> Result<Vec<String>, Rejection> {
    let seen = Seen::read(program, &body.processes, &body.predicates)?;
    if check.formula.has_next() && !seen.shade().is_empty() {
        return Err(Rejection::wrong(
            "the formula counts steps, so that all processes must be seen",
        ));
    }
    let checker = Checker {
        seen,
        split: &body.split,
    };
    let (places, structure) = checker.explore(check, budget)?;
    if let Some(good) = check.formula.invariant() {
        if places
            .iter()
            .any(|place| checker.seen.value(place, good) != Some(true))
        {
            return Err(Rejection::wrong(
                "the abstraction reaches a state that may be bad",
            ));
        }
    } else {
        let automaton = automaton(&check.formula.normal(true));
        let automaton = automaton.ok_or_else(|| Rejection::wrong("the formula is too large"))?;
        if fair_lasso(&structure, &automaton, budget)?.is_some() {
            return Err(Rejection::wrong(
                "the abstraction has a fair path that may violate the formula",
            ));
        }
    }
    Ok(vec![
        format!(
            "{} abstract states keep every run of the program",
            places.len()
        ),
        "what follows was decided by linear integer arithmetic".to_owned(),
    ])
}

impl Checker<'_> {
    /// All places that can be reached, as a structure of may-steps.
    fn explore(
        &self,
        check: &Check,
        budget: &Budget,
    ) -> Result<(Vec<Place>, Structure), Rejection> {
        let seen = &self.seen;
        let facts = seen.program.beginning();
        let start = (
            vec![0; seen.processes.len()],
            seen.values(&facts, &Condition::clone),
        );
        let has_shade = !seen.shade().is_empty();
        let mut places: Vec<Place> = Vec::new();
        let mut numbers: HashMap<Place, usize> = HashMap::new();
        let mut initial = Vec::new();
        for place in self.both(start, budget)? {
            initial.push(places.len());
            numbers.insert(place.clone(), places.len());
            places.push(place);
        }
        let mut cache = HashMap::new();
        let mut structure = Structure {
            initial,
            processes: seen.processes.len(),
            ..Structure::default()
        };
        let atoms = check.formula.normal(true).atoms();
        while structure.steps.len() < places.len() {
            budget.charge(1)?;
            if places.len() > MOST_PLACES {
                return Err(Stop::bound("abstract states", MOST_PLACES as u64).into());
            }
            let here = structure.steps.len();
            let place = places[here].clone();
            let mut steps = Vec::new();
            let mut rests = Vec::new();
            for at in 0..seen.processes.len() {
                let (next, rest) = self.moves(&place, at, &mut cache, budget)?;
                rests.push(rest);
                for place in next {
                    let to = *numbers.entry(place.clone()).or_insert_with(|| {
                        places.push(place);
                        places.len() - 1
                    });
                    steps.push((to, Some(at)));
                }
            }
            // A process in the shade may step at any time: nothing that is seen changes, but
            // what is unknown may. (A path that stays for ever is fair only if all may rest.)
            if has_shade || rests.iter().all(|rest| *rest) {
                steps.push((here, None));
            }
            structure.steps.push(steps);
            structure.rests.push(rests);
            let literal = |atom: &Atom| {
                let value = seen.value(&place, &Ltl::Atom(atom.clone()));
                [value != Some(true), value != Some(false)]
            };
            structure.literals.push(atoms.iter().map(literal).collect());
        }
        Ok((places, structure))
    }

    /// Where a process may go, and whether it may be unable to.
    fn moves(
        &self,
        place: &Place,
        at: usize,
        cache: &mut HashMap<(Vec<Option<bool>>, usize, usize), Option<Vec<Option<bool>>>>,
        budget: &Budget,
    ) -> Result<(Vec<Place>, bool), Stop> {
        let (seen, program) = (&self.seen, self.seen.program);
        let number = seen.processes[at];
        let process = &program.processes[number];
        let facts = seen.facts(place);
        let mut found = Vec::new();
        let mut guards = Vec::new();
        for (edge_number, edge) in process.leaving(place.0[at]) {
            budget.charge(1)?;
            guards.push(edge.guard.clone());
            let key = (place.1.clone(), number, edge_number);
            let after = cache.entry(key).or_insert_with(|| {
                if implies(&facts, &edge.guard.negated()) {
                    return None;
                }
                let mut known = facts.clone();
                known.push(edge.guard.clone());
                Some(seen.values(&known, &|predicate| before(program, edge, predicate)))
            });
            if let Some(values) = after.clone() {
                let mut locations = place.0.clone();
                locations[at] = edge.to;
                found.extend(self.both((locations, values), budget)?);
            }
        }
        let enabled = !guards.is_empty() && implies(&facts, &Condition::Or(guards));
        Ok((found, !enabled))
    }

    /// The places that a place stands for when its unknowns are told apart: up to two for each
    /// predicate.
    fn both(&self, place: Place, budget: &Budget) -> Result<Vec<Place>, Stop> {
        let mut all = vec![place];
        for &predicate in self.split {
            let open = |place: &Place| {
                self.seen.shaded.get(predicate) == Some(&false) && place.1[predicate].is_none()
            };
            if all.len() > MOST_PLACES {
                return Err(Stop::bound("abstract states", MOST_PLACES as u64));
            }
            let mut apart = Vec::with_capacity(2 * all.len());
            for place in all {
                budget.charge(1 + place.1.len() as u64 / 8)?;
                if !open(&place) {
                    apart.push(place);
                    continue;
                }
                for value in [true, false] {
                    let mut place = place.clone();
                    place.1[predicate] = Some(value);
                    apart.push(place);
                }
            }
            all = apart;
        }
        Ok(all)
    }
}

/// The states of a run that was found, for showing.
pub(crate) fn states(program: &Program, run: &Run) -> Vec<State> {
    let mut all: Vec<State> = program
        .start(&run.integers, &run.booleans)
        .into_iter()
        .collect();
    for taken in &run.steps {
        let Some(now) = all.last() else { break };
        let next = match taken {
            Some(taken) => program.take(now, taken),
            None => Some(now.clone()),
        };
        all.extend(next);
    }
    all
}
