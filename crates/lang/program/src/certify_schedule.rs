//! The check of a violation that a scheduler brings about.
//!
//! The evidence names processes, predicates, and those of the predicates that other processes are
//! kept from writing. What it proves: in the abstraction of the processes, in which the scheduler
//! says who steps and an opponent says what is unknown, the scheduler can come to a place and
//! stay for ever in places where the goal of the property certainly does not hold, so that again and again every
//! process of the spotlight steps or is blocked. The values of the program are one opponent. Every other process
//! steps again and again or is blocked, too: it is stopped only before edges that write what
//! must not be written, and the guards of all of these are certainly false again and again, so that it
//! can take another edge then, or none. So there is a fair run of the program that violates the property.

use std::collections::HashMap;

use quotient_arithmetic::Condition;
use quotient_core::{Budget, Rejection, Stop};
use serde::{Deserialize, Serialize};

use crate::certify_pairs::{open, told};
use crate::ltl::Ltl;
use crate::program::{Assign, Check, Edge, Program, before, leaves, variables};
use crate::seen::{Place, Seen, decided};

/// The body of evidence that a scheduler violates a property.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ScheduleBody {
    pub(crate) processes: Vec<String>,
    pub(crate) predicates: Vec<String>,
    /// Predicates, by number, that other processes are kept from writing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) kept: Vec<usize>,
}

/// The most places.
const MOST_PLACES: usize = 50_000;

struct Table<'a> {
    seen: Seen<'a>,
    /// Which predicates others are kept from writing.
    kept: Vec<bool>,
}

/// For each place what the scheduler can do: who steps, and where that may lead.
type Choices = Vec<Vec<(usize, Vec<usize>)>>;

/// Checks that a property is violated.
pub(crate) fn violated(
    program: &Program,
    check: &Check,
    body: &ScheduleBody,
    budget: &Budget,
) -> Result<Vec<String>, Rejection> {
    let (trigger, goal, always) = shape(&check.formula)
        .ok_or_else(|| Rejection::wrong("a scheduler refutes only that something comes"))?;
    let mut seen = Seen::read(program, &body.processes, &body.predicates)?;
    // The scheduler chooses the truth of what may become anything: of one predicate one truth.
    for (number, predicate) in seen.predicates.iter().enumerate() {
        if seen.predicates[..number].contains(predicate) {
            let text = &body.predicates[number];
            return Err(Rejection::wrong(format!("`{text}` is there twice")));
        }
    }
    let kept: Vec<bool> = (0..seen.predicates.len())
        .map(|number| body.kept.contains(&number))
        .collect();
    for (shaded, kept) in seen.shaded.iter_mut().zip(&kept) {
        *shaded &= !kept;
    }
    let table = Table { seen, kept };
    let stops = table.stops(budget)?;
    let (places, choices) = table.explore(budget)?;
    let is = |place: &Place, formula: &Ltl, wanted: bool| {
        table.seen.value(place, formula) == Some(wanted)
    };
    let never: Vec<bool> = places.iter().map(|place| is(place, goal, false)).collect();
    let blocked: Vec<Vec<bool>> = (stops.iter())
        .map(|guards| {
            let off = |place: &Place| {
                let facts = table.seen.facts(place);
                guards
                    .iter()
                    .all(|guard| decided(&facts, guard) == Some(false))
            };
            places.iter().map(off).collect()
        })
        .collect();
    let stay = lasting(
        &choices,
        never.clone(),
        &blocked,
        table.seen.processes.len(),
        budget,
    )?;
    let target: Vec<bool> = (places.iter().zip(&stay))
        .map(|(place, stay)| {
            *stay && trigger.is_none_or(|(formula, value)| is(place, formula, value))
        })
        .collect();
    let through = if always {
        never
    } else {
        vec![true; places.len()]
    };
    let from = forced(&choices, &through, target, &|_, _| false, budget)?;
    if !from[0] {
        return Err(Rejection::wrong("the scheduler cannot bring it about"));
    }
    let count = stay.iter().filter(|stay| **stay).count();
    Ok(vec![
        format!("a scheduler stays for ever in {count} abstract states, whatever is unknown"),
        "what follows was decided by linear integer arithmetic".to_owned(),
    ])
}

/// Of `F q`, `G F q` and `G (p | F q)`: the state that must come first, with the truth of its
/// formula, the goal that must not come after it, and whether it must not come before.
type Shape<'a> = (Option<(&'a Ltl, bool)>, &'a Ltl, bool);

fn goal(formula: &Ltl) -> &Ltl {
    match formula {
        Ltl::Until(_, goal) => goal,
        other => other,
    }
}

fn shape(formula: &Ltl) -> Option<Shape<'_>> {
    let comes = |formula: &'_ Ltl| -> bool {
        matches!(formula, Ltl::Until(ever, goal) if **ever == Ltl::Constant(true) && goal.is_state())
    };
    match formula {
        one if comes(one) => Some((None, goal(one), true)),
        Ltl::Release(never, inner) if **never == Ltl::Constant(false) => match &**inner {
            one if comes(one) => Some((None, goal(one), false)),
            Ltl::Or(one, other) if one.is_state() && comes(other) => {
                Some((Some((one, false)), goal(other), false))
            }
            Ltl::Or(one, other) if other.is_state() && comes(one) => {
                Some((Some((other, false)), goal(one), false))
            }
            _ => None,
        },
        _ => None,
    }
}

/// From where the scheduler comes to a target, or makes a move that is wanted, without leaving what it
/// may pass through.
fn forced(
    choices: &Choices,
    through: &[bool],
    target: Vec<bool>,
    wanted: &dyn Fn(usize, &(usize, Vec<usize>)) -> bool,
    budget: &Budget,
) -> Result<Vec<bool>, Stop> {
    let mut from = target;
    let mut grows = true;
    while grows {
        grows = false;
        budget.charge(choices.len() as u64)?;
        for place in 0..choices.len() {
            if from[place] || !through[place] {
                continue;
            }
            let inside = |choice: &(usize, Vec<usize>)| choice.1.iter().all(|to| from[*to]);
            let mut can = choices[place].iter();
            if can.any(|choice| wanted(place, choice) || inside(choice)) {
                from[place] = true;
                grows = true;
            }
        }
    }
    Ok(from)
}

/// The places in which the scheduler stays for ever while every process steps and every stop is
/// blocked again and again.
fn lasting(
    choices: &Choices,
    mut stay: Vec<bool>,
    blocked: &[Vec<bool>],
    processes: usize,
    budget: &Budget,
) -> Result<Vec<bool>, Stop> {
    loop {
        let mut less = stay.clone();
        for duty in 0..processes + blocked.len() {
            let done = |place: usize, choice: &(usize, Vec<usize>)| {
                let kept = choice.1.iter().all(|to| stay[*to]);
                let stopped = || blocked[duty - processes][place];
                kept && if duty < processes {
                    choice.0 == duty
                } else {
                    stopped()
                }
            };
            let none = vec![false; stay.len()];
            let fulfilled = forced(choices, &stay, none, &done, budget)?;
            less.iter_mut()
                .zip(fulfilled)
                .for_each(|(less, one)| *less &= one);
        }
        if less == stay {
            return Ok(stay);
        }
        stay = less;
    }
}

impl Table<'_> {
    fn touches(edge: &Edge, predicate: &Condition) -> bool {
        let (integers, booleans) = variables(predicate);
        edge.assign.iter().any(|assign| match assign {
            Assign::Integer(at, _) | Assign::AnyInteger(at) => integers.contains(at),
            Assign::Boolean(at, _) | Assign::AnyBoolean(at) => booleans.contains(at),
        })
    }

    /// The guards before which processes outside are stopped: lists of those that stop one together.
    fn stops(&self, budget: &Budget) -> Result<Vec<Vec<Condition>>, Rejection> {
        let program = self.seen.program;
        let mut found: Vec<Vec<Condition>> = Vec::new();
        for number in self.seen.shade() {
            let process = &program.processes[number];
            let forbidden = |edge: &Edge| {
                let mut kept = self.seen.predicates.iter().zip(&self.kept);
                kept.any(|(predicate, kept)| *kept && Table::touches(edge, predicate))
            };
            // What only this process writes is known whatever others do.
            let alone = |leaf: &Condition| {
                let all = program.processes.iter().enumerate();
                let mut others = all.filter(|(other, _)| *other != number);
                !others.any(|(_, other)| other.writes_into(leaf))
            };
            let mut own: Vec<Condition> = (process.edges.iter())
                .flat_map(|edge| leaves(&edge.guard))
                .filter(alone)
                .collect();
            own.sort();
            own.dedup();
            let begin = open(&program.beginning(), &own)?;
            let mut waiting: Vec<(usize, u64)> = begin.into_iter().map(|bits| (0, bits)).collect();
            let mut seen = waiting.clone();
            while let Some((location, truth)) = waiting.pop() {
                budget.charge(1)?;
                let mut guards = Vec::new();
                for (_, edge) in process.leaving(location) {
                    let mut facts = told(&own, truth);
                    if decided(&facts, &edge.guard) == Some(false) {
                        continue;
                    }
                    if forbidden(edge) {
                        guards.push(edge.guard.clone());
                        continue;
                    }
                    facts.push(edge.guard.clone());
                    let after: Vec<Condition> = (own.iter())
                        .map(|predicate| before(program, edge, predicate))
                        .collect();
                    for truth in open(&facts, &after)? {
                        if !seen.contains(&(edge.to, truth)) {
                            seen.push((edge.to, truth));
                            waiting.push((edge.to, truth));
                        }
                    }
                }
                if !guards.is_empty() && !found.contains(&guards) {
                    found.push(guards);
                }
            }
        }
        Ok(found)
    }

    /// All places that may be reached, with what the scheduler can do there.
    fn explore(&self, budget: &Budget) -> Result<(Vec<Place>, Choices), Rejection> {
        let seen = &self.seen;
        let start = seen.values(&seen.program.beginning(), &Condition::clone);
        let mut places = vec![(vec![0; seen.processes.len()], start)];
        let mut numbers = HashMap::from([(places[0].clone(), 0)]);
        let mut choices = Choices::new();
        while choices.len() < places.len() {
            budget.charge(1)?;
            if places.len() > MOST_PLACES {
                return Err(Stop::bound("abstract states", MOST_PLACES as u64).into());
            }
            let here = choices.len();
            let place = places[here].clone();
            let facts = seen.facts(&place);
            let mut found = Vec::new();
            for (at, process) in seen.processes.iter().enumerate() {
                let process = &seen.program.processes[*process];
                let (mut anywhere, mut guards) = (Vec::new(), Vec::new());
                for (_, edge) in process.leaving(place.0[at]) {
                    guards.push(edge.guard.clone());
                    let holds = decided(&facts, &edge.guard);
                    if holds == Some(false) {
                        continue;
                    }
                    for next in self.after(&place, &facts, at, edge) {
                        let to = *numbers.entry(next.clone()).or_insert_with(|| {
                            places.push(next);
                            places.len() - 1
                        });
                        anywhere.push(to);
                        if holds == Some(true) {
                            found.push((at, vec![to]));
                        }
                    }
                }
                // Unless it certainly can step, it may stay where it is.
                if guards.is_empty() || decided(&facts, &Condition::Or(guards)) != Some(true) {
                    anywhere.push(here);
                }
                found.push((at, anywhere));
            }
            choices.push(found);
        }
        Ok((places, choices))
    }

    /// The places after an edge: one for each truth of Booleans to which any value is assigned.
    fn after(&self, place: &Place, facts: &[Condition], at: usize, edge: &Edge) -> Vec<Place> {
        let mut known = facts.to_vec();
        known.push(edge.guard.clone());
        let mut locations = place.0.clone();
        locations[at] = edge.to;
        let seen = &self.seen;
        let values = seen.values(&known, &|predicate| before(seen.program, edge, predicate));
        let mut all = vec![(locations, values)];
        for (number, predicate) in seen.predicates.iter().enumerate() {
            let any = |assign: &Assign| matches!(assign, Assign::AnyBoolean(to) if Condition::Boolean(*to) == *predicate);
            if seen.shaded[number] || !edge.assign.iter().any(any) {
                continue;
            }
            let both = |place: &Place| {
                [true, false].map(|value| {
                    let mut place = place.clone();
                    place.1[number] = Some(value);
                    place
                })
            };
            all = all.iter().flat_map(both).collect();
        }
        all
    }
}
