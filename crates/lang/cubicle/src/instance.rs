//! All states of one size, searched without any guess: a second opinion.

use std::collections::HashMap;

use quotient_arrays::{Bad, Domain, Formula, Instance, Relation, State, System, Term, Value};
use quotient_arrays::{VariableId, different};
use quotient_backward::{Run, all_beginnings};
use quotient_core::{Budget, Stop, Verdict};
use quotient_language::text::count;
use quotient_language::{Answer, Inspected};

use crate::model::trace;

/// More beginnings than this are not looked at.
const MOST_STARTS: usize = 200_000;

/// A way into a state: the state before, by number, the transition and who took it.
type Way = Option<(usize, usize, Vec<usize>)>;

/// What was found.
struct Explored {
    states: Vec<State>,
    ways: Vec<Way>,
    steps: u64,
    /// For each property the first state that violates it.
    violated: Vec<Option<usize>>,
    /// Why these are not all.
    stop: Option<Stop>,
}

/// Searches an instance of so many processes.
pub(crate) fn inspect(system: &System, processes: usize, budget: &Budget) -> Inspected {
    let instance = Instance::new(system, processes);
    let mut explored = Explored {
        states: Vec::new(),
        ways: Vec::new(),
        steps: 0,
        violated: vec![None; system.bad.len()],
        stop: None,
    };
    if let Err(stop) = explored.search(system, &instance, budget) {
        explored.stop = Some(stop);
    }
    let mut notes = Vec::new();
    if let Some(stop) = &explored.stop {
        notes.push(format!("these are not all: {stop}"));
    }
    let nowhere = explored.states.is_empty() && explored.stop.is_none();
    if nowhere {
        notes.push(NOWHERE.to_owned());
    }
    let few = few_values(system);
    let answer = |(number, bad): (usize, &Bad)| {
        let mut answer = match (explored.violated[number], &explored.stop) {
            (Some(state), _) => explored.answer(system, processes, bad, state),
            (None, Some(stop)) => Answer::unknown(&bad.name, stop.clone()),
            (None, None) if nowhere => Answer::unknown(&bad.name, Stop::inconclusive(NOWHERE)),
            (None, None) => match few {
                Some(name) => Answer::unknown(
                    &bad.name,
                    Stop::inconclusive(format!(
                        "`{name}` may be any of infinitely many values, and only a few were tried"
                    )),
                ),
                None => Answer::new(&bad.name, Verdict::Holds).because("for this size"),
            },
        };
        answer.number = Some(number + 1);
        answer
    };
    Inspected {
        what: count(processes, "process"),
        sizes: vec![
            ("configurations", explored.states.len() as u64),
            ("steps", explored.steps),
        ],
        answers: system.bad.iter().enumerate().map(answer).collect(),
        notes,
    }
}

const NOWHERE: &str = "no instance of this size has a start";

impl Explored {
    fn search(
        &mut self,
        system: &System,
        instance: &Instance<'_>,
        budget: &Budget,
    ) -> Result<(), Stop> {
        let processes = instance.processes();
        let (starts, all) = all_beginnings(system, processes, MOST_STARTS, budget)?;
        let mut known: HashMap<State, usize> = HashMap::new();
        for start in starts {
            self.add(start, None, &mut known);
        }
        let mut tuples: Vec<Vec<Vec<usize>>> = Vec::new();
        for transition in &system.transitions {
            let mut who = Vec::new();
            different(processes, transition.processes, &mut |at| {
                who.push(at.clone())
            });
            tuples.push(who);
        }
        let mut number = 0;
        while number < self.states.len() {
            let state = self.states[number].clone();
            for (violated, bad) in self.violated.iter_mut().zip(&system.bad) {
                if violated.is_none() && instance.is_bad(bad, &state) {
                    *violated = Some(number);
                }
            }
            for (which, transition) in system.transitions.iter().enumerate() {
                for at in &tuples[which] {
                    for next in instance.after(transition, at, &state, budget)? {
                        self.steps += 1;
                        self.add(next, Some((number, which, at.clone())), &mut known);
                    }
                }
            }
            budget.charge(state.len() as u64)?;
            number += 1;
        }
        match all {
            true => Ok(()),
            false => Err(Stop::bound("states to begin with", MOST_STARTS as u64)),
        }
    }

    fn add(&mut self, state: State, way: Way, known: &mut HashMap<State, usize>) {
        if known.contains_key(&state) {
            return;
        }
        known.insert(state.clone(), self.states.len());
        self.states.push(state);
        self.ways.push(way);
    }

    fn answer(&self, system: &System, processes: usize, bad: &Bad, state: usize) -> Answer {
        let mut run = Run {
            processes,
            states: vec![self.states[state].clone()],
            steps: Vec::new(),
        };
        let mut at = state;
        while let Some((before, which, who)) = &self.ways[at] {
            run.states.push(self.states[*before].clone());
            run.steps.push((*which, who.clone()));
            at = *before;
        }
        run.states.reverse();
        run.steps.reverse();
        Answer::new(&bad.name, Verdict::Violated)
            .because(format!("a run of {}", count(run.steps.len(), "step")))
            .with_trace(trace(system, &run))
    }
}

/// A variable that may be any of infinitely many values, at a start or by a step: not all of them can
/// be tried. One that begins with a number of the file and is only set by sums is none.
fn few_values(system: &System) -> Option<&str> {
    let infinite = |domain| matches!(domain, Domain::Integer | Domain::Real | Domain::Opaque(_));
    let variables = VariableId::all(system.variables.len()).zip(&system.variables);
    let mut infinite = variables.filter(|(_, variable)| infinite(variable.domain));
    let few = infinite.find(|(number, _)| {
        let updates = system.transitions.iter().flat_map(|one| &one.updates);
        let mut cases = updates
            .filter(|update| update.variable == *number)
            .flat_map(|update| &update.cases);
        !begins_fixed(&system.start.formula, *number)
            || cases.any(|(_, value)| *value == Value::Any)
    });
    few.map(|(_, variable)| variable.name.as_str())
}

/// Whether a formula says of a variable, whichever process it belongs to, that it is some number.
fn begins_fixed(formula: &Formula, variable: VariableId) -> bool {
    let is_number = |cell: &Term, number: &Term| {
        let own = |at: &[usize]| at.is_empty() || at == [0];
        matches!(cell, Term::Cell(place) if place.variable == variable && own(&place.at))
            && matches!(number, Term::Sum(parts, _) if parts.is_empty())
    };
    match formula {
        Formula::And(parts) => parts.iter().any(|part| begins_fixed(part, variable)),
        Formula::Compare(left, Relation::Same, right) => {
            is_number(left, right) || is_number(right, left)
        }
        _ => false,
    }
}
