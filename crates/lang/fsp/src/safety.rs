//! Safety formulas as processes: `ltl_property` watches, `constraint` restricts.
//!
//! A state is what the fluents are and what is still to be said about the future: a disjunction
//! of sets of formulas, each set to hold from the next moment on. An action changes the fluents
//! and moves every formula on by one step (progression, Bacchus and Kabanza 1998). When nothing
//! is left that could still become true, the formula is violated.

use std::collections::{BTreeMap, BTreeSet};

use quotient_certify::strongly_minimal;
use quotient_core::{Budget, Stop};
use quotient_logic::{Binary, Formula, Kind, Unary};
use quotient_lts::{Action, ERROR, Fluent, Lts, LtsBuilder, State};

use crate::temporal::AssertionCheck;

/// Why a formula is not a process.
pub(crate) enum Refusal {
    /// It promises that something happens, which no finite trace can break.
    Liveness,
    /// It has too many propositions or leads to too many states.
    TooLarge,
    Stopped(Stop),
}

impl From<Stop> for Refusal {
    fn from(stop: Stop) -> Refusal {
        Refusal::Stopped(stop)
    }
}

/// More than these in one formula are not what people write.
const MOST_PROPOSITIONS: usize = 64;
const MOST_STATES: usize = 1 << 14;
const MOST_SETS: usize = 1 << 10;

/// The deterministic process that goes to the error state as soon as the formula is violated,
/// over the actions that the formula speaks about and some more.
pub(crate) fn safety_process(
    check: &AssertionCheck,
    more: &[Action],
    budget: &Budget,
) -> Result<Lts, Refusal> {
    let propositions = &check.fluents;
    if propositions.len() > MOST_PROPOSITIONS {
        return Err(Refusal::TooLarge);
    }
    let mut parts = Parts::default();
    let root = parts.add(&check.formula.negation_normal_form())?;
    let mut alphabet: BTreeSet<Action> = more.iter().copied().collect();
    for proposition in propositions {
        alphabet.extend(&proposition.begin);
        alphabet.extend(proposition.end.iter().flatten());
    }
    let mut builder = LtsBuilder::new();
    builder.alphabet(alphabet.iter().copied());
    let initial = propositions
        .iter()
        .enumerate()
        .filter(|(_, proposition)| proposition.initially)
        .fold(0u64, |values, (position, _)| values | 1 << position);
    let start = (initial, Sets::from([Set::from([root])]));
    let mut numbers: BTreeMap<(u64, Sets), State> =
        BTreeMap::from([(start.clone(), State::from(0))]);
    let mut todo = vec![start];
    while let Some((values, sets)) = todo.pop() {
        let from = numbers[&(values, sets.clone())];
        for &action in &alphabet {
            budget.charge(sets.len() as u64 + 1)?;
            let values = after(propositions, values, action);
            let next = parts.step(&sets, values)?;
            if next.is_empty() {
                builder.edge(from, action, ERROR);
                continue;
            }
            let fresh = State::from_index(numbers.len());
            let key = (values, next);
            let to = *numbers.entry(key.clone()).or_insert(fresh);
            if to == fresh {
                todo.push(key);
            }
            builder.edge(from, action, to);
            if numbers.len() > MOST_STATES {
                return Err(Refusal::TooLarge);
            }
        }
    }
    Ok(strongly_minimal(&builder.build(), budget)?)
}

/// The same process without the ways to the error state: it blocks them.
pub(crate) fn restricting(lts: &Lts) -> Lts {
    let mut builder = LtsBuilder::new();
    builder
        .at_least(lts.states())
        .initial(lts.initial())
        .alphabet(lts.alphabet().iter().copied());
    for (from, edge) in lts.all_edges() {
        if edge.target != ERROR {
            builder.edge(from, edge.action, edge.target);
        }
    }
    builder.build()
}

/// The values of the propositions after an action.
fn after(propositions: &[Fluent], values: u64, action: Action) -> u64 {
    let mut next = 0;
    for (position, proposition) in propositions.iter().enumerate() {
        let was = values >> position & 1 == 1;
        let is = proposition.begin.contains(&action)
            || match &proposition.end {
                Some(end) => was && !end.contains(&action),
                None => false,
            };
        next |= u64::from(is) << position;
    }
    next
}

/// Formulas that all hold from some moment on.
type Set = BTreeSet<u32>;
/// Sets one of which holds; none contains another.
type Sets = BTreeSet<Set>;

/// The parts of a formula, by number, operands before operators.
#[derive(Default)]
struct Parts(Vec<Part>);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Constant(bool),
    /// The proposition at a position, or its negation.
    Literal(usize, bool),
    And(u32, u32),
    Or(u32, u32),
    Next(u32),
    Always(u32),
    /// The right up to and including the first left, or for ever.
    Release(u32, u32),
    /// The left until the right, or for ever.
    WeakUntil(u32, u32),
}

impl Parts {
    /// Adds a formula in negation normal form.
    fn add(&mut self, formula: &Formula<usize>) -> Result<u32, Refusal> {
        let part = match &formula.kind {
            Kind::Constant(value) => Part::Constant(*value),
            Kind::Atom(position) => Part::Literal(*position, true),
            Kind::Unary(Unary::Not, inner) => match &inner.kind {
                Kind::Atom(position) => Part::Literal(*position, false),
                _ => return Err(Refusal::Liveness),
            },
            Kind::Unary(Unary::Next, inner) => Part::Next(self.add(inner)?),
            Kind::Unary(Unary::Globally(None), inner) => Part::Always(self.add(inner)?),
            Kind::Binary(operator, left, right) => {
                let (left, right) = (self.add(left)?, self.add(right)?);
                match operator {
                    Binary::And => Part::And(left, right),
                    Binary::Or => Part::Or(left, right),
                    Binary::Release => Part::Release(left, right),
                    Binary::WeakUntil => Part::WeakUntil(left, right),
                    _ => return Err(Refusal::Liveness),
                }
            }
            _ => return Err(Refusal::Liveness),
        };
        if let Some(known) = self.0.iter().position(|&known| known == part) {
            return Ok(known as u32);
        }
        self.0.push(part);
        Ok(self.0.len() as u32 - 1)
    }

    /// What is left to hold from the next moment on.
    fn step(&self, sets: &Sets, values: u64) -> Result<Sets, Refusal> {
        // Every part once: operands come before operators.
        let mut progressed: Vec<Sets> = Vec::with_capacity(self.0.len());
        for (number, part) in self.0.iter().enumerate() {
            let itself = || Sets::from([Set::from([number as u32])]);
            let of = |part: &u32| &progressed[*part as usize];
            let sets = match part {
                Part::Constant(true) => Sets::from([Set::new()]),
                Part::Constant(false) => Sets::new(),
                Part::Literal(position, sign) => match (values >> position & 1 == 1) == *sign {
                    true => Sets::from([Set::new()]),
                    false => Sets::new(),
                },
                Part::And(left, right) => both(of(left), of(right))?,
                Part::Or(left, right) => either(of(left), of(right))?,
                Part::Next(inner) => Sets::from([Set::from([*inner])]),
                Part::Always(inner) => both(of(inner), &itself())?,
                Part::Release(left, right) => both(of(right), &either(of(left), &itself())?)?,
                Part::WeakUntil(left, right) => either(of(right), &both(of(left), &itself())?)?,
            };
            progressed.push(sets);
        }
        let mut result = Sets::new();
        for set in sets {
            let mut all = Sets::from([Set::new()]);
            for part in set {
                all = both(&all, &progressed[*part as usize])?;
            }
            result = either(&result, &all)?;
        }
        Ok(result)
    }
}

fn both(left: &Sets, right: &Sets) -> Result<Sets, Refusal> {
    if left.len().saturating_mul(right.len()) > MOST_SETS * MOST_SETS {
        return Err(Refusal::TooLarge);
    }
    let unions = left
        .iter()
        .flat_map(|left| right.iter().map(move |right| left | right));
    smallest(unions.collect())
}

fn either(left: &Sets, right: &Sets) -> Result<Sets, Refusal> {
    smallest(left | right)
}

/// Leaves out the sets that ask for more than another one does.
fn smallest(sets: Sets) -> Result<Sets, Refusal> {
    let keep: Sets = sets
        .iter()
        .filter(|set| {
            !sets
                .iter()
                .any(|other| other.len() < set.len() && other.is_subset(set))
        })
        .cloned()
        .collect();
    match keep.len() > MOST_SETS {
        true => Err(Refusal::TooLarge),
        false => Ok(keep),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quotient_lts::Actions;

    fn numbers(seed: u64) -> impl FnMut(u64) -> u64 {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        move |bound| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 20) % bound
        }
    }

    fn random(next: &mut impl FnMut(u64) -> u64, depth: u32) -> Formula<usize> {
        let literal = |number: u64| {
            let atom = Formula::atom(number as usize % 2);
            if number < 2 { atom } else { !atom }
        };
        if depth == 0 {
            return literal(next(4));
        }
        let left = random(next, depth - 1);
        match next(7) {
            0 => literal(next(4)),
            1 => Formula::unary(Unary::Next, left),
            2 => Formula::unary(Unary::Globally(None), left),
            number => {
                let operators = [Binary::And, Binary::Or, Binary::Release, Binary::WeakUntil];
                let right = random(next, depth - 1);
                Formula::binary(operators[number as usize - 3], left, right)
            }
        }
    }

    /// Whether a finite trace leaves hope: what lies beyond its end counts as true.
    fn hope(formula: &Formula<usize>, trace: &[u64], at: usize) -> bool {
        let Some(&values) = trace.get(at) else {
            return true;
        };
        let rest = at..=trace.len();
        match &formula.kind {
            Kind::Atom(position) => values >> position & 1 == 1,
            Kind::Unary(Unary::Not, inner) => match inner.kind {
                Kind::Atom(position) => values >> position & 1 == 0,
                _ => panic!("not in normal form"),
            },
            Kind::Unary(Unary::Next, inner) => hope(inner, trace, at + 1),
            Kind::Unary(_, inner) => rest.clone().all(|at| hope(inner, trace, at)),
            Kind::Binary(Binary::And, left, right) => {
                hope(left, trace, at) && hope(right, trace, at)
            }
            Kind::Binary(Binary::Or, left, right) => {
                hope(left, trace, at) || hope(right, trace, at)
            }
            Kind::Binary(Binary::Release, left, right) => rest.clone().all(|now| {
                hope(right, trace, now) || (at..now).any(|before| hope(left, trace, before))
            }),
            Kind::Binary(_, left, right) => rest.clone().any(|now| {
                hope(right, trace, now) && (at..now).all(|before| hope(left, trace, before))
            }),
            _ => panic!("not a safety formula"),
        }
    }

    #[test]
    fn the_error_comes_when_hope_is_lost() {
        let mut actions = Actions::new();
        let [a, b, c] = ["a", "b", "c"].map(|name| actions.intern(name));
        let propositions = vec![
            Fluent {
                name: "F".into(),
                begin: vec![a],
                end: Some(vec![b]),
                initially: true,
            },
            Fluent {
                name: "c".into(),
                begin: vec![c],
                end: None,
                initially: false,
            },
        ];
        for seed in 0..300 {
            let mut next = numbers(seed + 1);
            let check = AssertionCheck {
                name: "A".into(),
                formula: random(&mut next, 3),
                fluents: propositions.clone(),
                free: Vec::new(),
                warnings: Vec::new(),
            };
            let Ok(lts) = safety_process(&check, &[], &Budget::unlimited()) else {
                panic!("{}", check.formula);
            };
            for _ in 0..20 {
                let (mut state, mut values, mut trace) = (lts.initial(), 1, Vec::new());
                for _ in 0..6 {
                    let action = [a, b, c][next(3) as usize];
                    values = after(&propositions, values, action);
                    trace.push(values);
                    state = lts.successors(state, action)[0].target;
                    assert_eq!(
                        state != ERROR,
                        hope(&check.formula, &trace, 0),
                        "{} after {trace:?}",
                        check.formula
                    );
                    if state == ERROR {
                        break;
                    }
                }
            }
        }
    }
}
