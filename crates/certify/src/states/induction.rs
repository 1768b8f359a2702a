//! Whether induction over several steps proves that something is always true.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use quotient_core::{Budget, Rejection, Stop};
use quotient_logic::Formula;
use quotient_states::{ExpressionId, Induction, Kind, Value};
use rustsat::types::Lit;

use super::StatesQuestion;
use super::circuit::Circuit;
use super::encode::{Encoding, Frame};
use super::set::{has_initial_state, surely};

/// A proof with a larger depth than this is not looked at.
const MOST_STEPS: usize = 10_000;

/// Two questions to a SAT solver for a depth of `k`, each of which must have no answer: a run of at
/// most `k - 1` states from an initial one whose last violates the property, and `k` states in a row
/// of which the last alone violates it. Where states are to be different, no two of the latter are
/// the same: a shortest run to a violation goes through no state twice, since what lies between
/// could be left out.
pub(super) fn prove(
    question: &StatesQuestion,
    induction: &Induction,
    budget: &Budget,
) -> Result<Vec<String>, Rejection> {
    let Some(always) = question.always() else {
        let message = "the property is no invariant, so induction over states does not prove it";
        return Err(Rejection::wrong(message));
    };
    let depth = induction.depth;
    if !(1..=MOST_STEPS).contains(&depth) {
        let message = format!("induction is over 1 to {MOST_STEPS} states");
        return Err(Rejection::unreadable(message));
    }
    let mut steps = Steps::new(question, &always, budget);
    steps.extend()?;
    let (begins, initial) = steps.start()?;
    if !begins && !question.allow_empty {
        let why = "the model has no initial state, so everything is always true in it";
        return Err(Stop::inconclusive(why).into());
    }
    for at in 0..depth - 1 {
        steps.reach(at)?;
        let supposed = [&initial[..], &steps.up_to(at, false)].concat();
        if steps.circuit.possible(&supposed)? {
            let message = format!("a state {at} steps from the start violates the property");
            return Err(Rejection::wrong(message));
        }
    }
    steps.reach(depth - 1)?;
    steps.goes_on(depth - 1, induction.distinct)?;
    let different = if induction.distinct { "different " } else { "" };
    Ok(match depth {
        1 => vec!["no state violates the property".to_owned()],
        _ => vec![
            format!(
                "the first {} states of no run violate the property",
                depth - 1
            ),
            format!(
                "nor does the one after {} {different}states that do not",
                depth - 1
            ),
        ],
    })
}

/// States in a row.
struct Steps<'a> {
    question: &'a StatesQuestion<'a>,
    always: &'a Formula<ExpressionId>,
    circuit: Circuit,
    frames: Vec<Frame>,
    /// Of each state but the last: that it is legal and leads to the next.
    steps: Vec<Vec<Lit>>,
    /// Of each state but the last: that it is legal.
    legal: Vec<Vec<Lit>>,
    /// Of each state but the last: that it surely has the property.
    holds: Vec<Lit>,
    first: Option<Encoding>,
    budget: &'a Budget,
}

impl<'a> Steps<'a> {
    fn new(
        question: &'a StatesQuestion<'a>,
        always: &'a Formula<ExpressionId>,
        budget: &'a Budget,
    ) -> Steps<'a> {
        let mut circuit = Circuit::new(budget);
        let frames = vec![Frame::new(&mut circuit, question.model, None)];
        Steps {
            question,
            always,
            circuit,
            frames,
            steps: Vec::new(),
            legal: Vec::new(),
            holds: Vec::new(),
            first: None,
            budget,
        }
    }

    /// States up to one with this number, the step from it included if the property is about steps.
    fn reach(&mut self, number: usize) -> Result<(), Stop> {
        let more = usize::from(self.question.is_about_steps(self.always));
        while self.legal.len() <= number + more {
            self.extend()?;
        }
        Ok(())
    }

    /// One state more.
    fn extend(&mut self) -> Result<(), Stop> {
        let model = self.question.model;
        let circuit = &mut self.circuit;
        let now = &self.frames[self.frames.len() - 1];
        let next = Frame::new(circuit, model, Some(now));
        let mut roots = [&model.invariants[..], &model.transitions].concat();
        if self.first.is_none() {
            roots.extend(&model.initial);
        }
        roots.extend(self.always.atoms().into_iter().copied());
        self.budget.charge(roots.len() as u64)?;
        let here = Encoding::new(circuit, model, roots, now, Some(&next), self.budget)?;
        let mut legal = vec![now.in_domain(circuit, model)];
        for &id in &model.invariants {
            legal.push(here.perhaps(circuit, id));
        }
        let mut step = Vec::new();
        for &id in &model.transitions {
            step.push(here.perhaps(circuit, id));
        }
        self.holds.push(surely(circuit, &here, self.always).0);
        self.legal.push(legal);
        self.steps.push(step);
        self.first.get_or_insert(here);
        self.frames.push(next);
        Ok(())
    }

    /// Whether some state is surely initial, and that the first one perhaps is.
    fn start(&mut self) -> Result<(bool, Vec<Lit>), Stop> {
        let Some(here) = &self.first else {
            return Ok((false, Vec::new()));
        };
        let circuit = &mut self.circuit;
        let begins = has_initial_state(self.question, circuit, here, &self.frames[0])?;
        let initial = self.question.model.initial.iter();
        let initial = initial.map(|&id| here.perhaps(circuit, id));
        Ok((begins, initial.collect()))
    }

    /// A run whose state with this number violates the property; perhaps the states before do not.
    fn up_to(&self, last: usize, right_before: bool) -> Vec<Lit> {
        let mut supposed = Vec::new();
        for at in 0..last {
            supposed.extend(&self.legal[at]);
            supposed.extend(&self.steps[at]);
            if right_before {
                supposed.push(self.holds[at]);
            }
        }
        supposed.extend(&self.legal[last]);
        supposed.push(!self.holds[last]);
        if self.question.is_about_steps(self.always) {
            supposed.extend(&self.steps[last]);
            supposed.extend(&self.legal[last + 1]);
        }
        supposed
    }

    /// No violation after so many states without one.
    fn goes_on(&mut self, last: usize, distinct: bool) -> Result<(), Rejection> {
        let mut supposed = self.up_to(last, true);
        while self.circuit.possible(&supposed)? {
            let repeated = match distinct {
                true => self.repetitions(last),
                false => Vec::new(),
            };
            if repeated.is_empty() {
                let message = "states without a violation lead to one";
                return Err(Rejection::wrong(message));
            }
            for (one, other) in repeated {
                self.budget.charge(self.frames.len() as u64)?;
                let (model, circuit) = (self.question.model, &mut self.circuit);
                let same = self.frames[one].same_state(circuit, model, &self.frames[other]);
                supposed.push(!same);
            }
        }
        Ok(())
    }

    /// States of the row just found that are the same as an earlier one.
    fn repetitions(&self, last: usize) -> Vec<(usize, usize)> {
        let variables = &self.question.model.variables;
        let mut seen: HashMap<Vec<Value>, usize> = HashMap::new();
        let mut found = Vec::new();
        for (at, frame) in self.frames[..=last].iter().enumerate() {
            let Some(state) = frame.state(&self.circuit, self.question.model) else {
                continue;
            };
            let values = variables.iter().zip(state.0);
            let values = values.filter(|(variable, _)| variable.kind != Kind::Input);
            match seen.entry(values.map(|(_, value)| value).collect()) {
                Entry::Occupied(earlier) => found.push((*earlier.get(), at)),
                Entry::Vacant(place) => {
                    place.insert(at);
                }
            }
        }
        found
    }
}
