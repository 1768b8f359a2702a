//! Three-valued answers: may-steps prove, must-steps refute, and what is between is unknown.
//!
//! A property is true if no fair may-path violates it, false if a path of must-steps does (to a
//! bad state for an invariant, for ever and fairly otherwise), and unknown in between, with the
//! may-path as the unconfirmed counterexample. A path that reaches a bad state over an unknown
//! step refutes nothing, whatever the printed semantics says.

use std::collections::VecDeque;

use quotient_core::{Budget, Stop};

use crate::abstraction::{Abstraction, Builder, Value};
use crate::lasso::{Structure, fair_lasso};
use crate::ltl::{Automaton, Ltl};

/// The answer for one valuation of the parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Answer {
    True,
    False(Path),
    Unknown(Path),
}

/// A path of an abstraction: places with the step taken from each.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Path {
    pub(crate) steps: Vec<(usize, usize)>,
    /// The place after the last step.
    pub(crate) end: usize,
    /// Of a path that goes on for ever, where it goes on.
    pub(crate) back: Option<usize>,
}

/// What is asked of an abstraction.
pub(crate) enum Question {
    /// Always true of each state.
    Invariant(Ltl),
    /// The automaton of the negation accepts no path.
    Automaton(Automaton),
}

/// The values that a question needs, for each place.
pub(crate) struct Labels {
    values: Vec<Vec<Value>>,
}

impl Labels {
    pub(crate) fn new(
        builder: &mut Builder<'_>,
        abstraction: &Abstraction,
        question: &Question,
    ) -> Labels {
        let places = abstraction.places.iter();
        let values = places.map(|place| match question {
            Question::Invariant(good) => vec![builder.formula(place, good)],
            Question::Automaton(automaton) => automaton
                .atoms
                .iter()
                .map(|atom| builder.atom(place, atom))
                .collect(),
        });
        Labels {
            values: values.collect(),
        }
    }
}

/// The answer for one valuation.
pub(crate) fn answer(
    abstraction: &Abstraction,
    labels: &Labels,
    question: &Question,
    valuation: u64,
    budget: &Budget,
) -> Result<Answer, Stop> {
    match question {
        Question::Invariant(_) => {
            let may_fail = |place: usize| !labels.values[place][0].is_true(valuation);
            let Some(alarm) = reach(abstraction, |step| step.may_be_true(valuation), may_fail)
            else {
                return Ok(Answer::True);
            };
            let fails = |place: usize| !labels.values[place][0].may_be_true(valuation);
            let real = reach(abstraction, |step| step.is_true(valuation), fails);
            Ok(real.map_or(Answer::Unknown(alarm), Answer::False))
        }
        Question::Automaton(automaton) => {
            let may = structure(abstraction, labels, |value| value.may_be_true(valuation));
            let Some(alarm) = fair_lasso(&may.0, automaton, budget)? else {
                return Ok(Answer::True);
            };
            let must = structure(abstraction, labels, |value| value.is_true(valuation));
            let real = fair_lasso(&must.0, automaton, budget)?;
            let path = |lasso: crate::lasso::Lasso, numbers: &[Vec<usize>]| {
                let steps = lasso
                    .path
                    .iter()
                    .map(|&(place, step)| (place, numbers[place][step]));
                let end = lasso.path.get(lasso.back).map_or(0, |(place, _)| *place);
                Path {
                    steps: steps.collect(),
                    end,
                    back: Some(lasso.back),
                }
            };
            Ok(match real {
                Some(real) => Answer::False(path(real, &must.1)),
                None => Answer::Unknown(path(alarm, &may.1)),
            })
        }
    }
}

/// The shortest path over steps that count to a place that does.
fn reach(
    abstraction: &Abstraction,
    counts: impl Fn(Value) -> bool,
    wanted: impl Fn(usize) -> bool,
) -> Option<Path> {
    let mut parent: Vec<Option<(usize, usize)>> = vec![None; abstraction.places.len()];
    let mut seen = vec![false; abstraction.places.len()];
    seen[0] = true;
    let mut queue = VecDeque::from([0]);
    while let Some(place) = queue.pop_front() {
        if wanted(place) {
            let mut steps = Vec::new();
            let mut at = place;
            while let Some((before, step)) = parent[at] {
                steps.push((before, step));
                at = before;
            }
            steps.reverse();
            return Some(Path {
                steps,
                end: place,
                back: None,
            });
        }
        for (number, step) in abstraction.steps[place].iter().enumerate() {
            if counts(step.value) && !seen[step.to] {
                seen[step.to] = true;
                parent[step.to] = Some((place, number));
                queue.push_back(step.to);
            }
        }
    }
    None
}

/// The steps, literals and rests that count, with the numbers of the steps.
fn structure(
    abstraction: &Abstraction,
    labels: &Labels,
    counts: impl Fn(Value) -> bool,
) -> (Structure, Vec<Vec<usize>>) {
    let mut numbers = Vec::new();
    let mut steps = Vec::new();
    for row in &abstraction.steps {
        let kept = || {
            row.iter()
                .enumerate()
                .filter(|(_, step)| counts(step.value))
        };
        numbers.push(kept().map(|(number, _)| number).collect());
        steps.push(
            kept()
                .map(|(_, step)| (step.to, step.by.map(|(process, _)| process)))
                .collect(),
        );
    }
    let literal = |value: &Value| [counts(value.not()), counts(*value)];
    let structure = Structure {
        initial: vec![0],
        steps,
        literals: labels
            .values
            .iter()
            .map(|row| row.iter().map(literal).collect())
            .collect(),
        rests: abstraction
            .rests
            .iter()
            .map(|row| row.iter().map(|rest| counts(*rest)).collect())
            .collect(),
        processes: abstraction.rests.first().map_or(0, Vec::len),
    };
    (structure, numbers)
}

/// Whether a place lies on a cycle of may-steps other than one where nothing happens.
pub(crate) fn is_on_cycle(abstraction: &Abstraction, place: usize) -> bool {
    let mut seen = vec![false; abstraction.places.len()];
    let mut waiting = vec![place];
    while let Some(at) = waiting.pop() {
        for step in abstraction.steps[at]
            .iter()
            .filter(|step| step.by.is_some() && step.value.may != 0)
        {
            if step.to == place {
                return true;
            }
            if !seen[step.to] {
                seen[step.to] = true;
                waiting.push(step.to);
            }
        }
    }
    false
}
