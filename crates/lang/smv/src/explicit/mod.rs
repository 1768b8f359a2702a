//! All states of a small model, one by one.
//!
//! The simplest way to answer questions about a model, and the slowest: tests compare the
//! state engine with it.
//!
//! * this file: every state is tried as a successor of every other;
//! * `search`: successors follow from assignments, as far as there are some;
//! * `branching`: where formulas of CTL hold;
//! * `distance`: how many steps it takes from some states to others;
//! * `part`: that one is false or true, of as many states as it takes to see that;
//! * `hybrid`: where formulas with names for states do.

mod branching;
mod distance;
mod hybrid;
mod part;
mod search;
#[cfg(test)]
mod tests;

pub(crate) use branching::{Branching, in_branching_time};
pub(crate) use hybrid::{MOST_STATES, is_small_enough};
pub(crate) use search::Searched;

use quotient_core::{Budget, Stop};
use rustc_hash::FxHashMap;

use crate::evaluate::State;
use crate::program::{Kind, Program, Value};

/// The part of a model that it can reach, state by state. Inputs are not part of states: in
/// [`Explored::states`] they have the first value of their domain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explored {
    /// The reachable states, in the order of discovery.
    pub states: Vec<State>,
    /// The initial ones.
    pub initial: Vec<usize>,
    /// The states that each state can step to, with some input, sorted.
    pub successors: Vec<Vec<usize>>,
}

impl Program {
    /// Explores all reachable states by trying every state as an initial state and as a
    /// successor. Gives up where more than `limit` combinations of values exist.
    pub fn explore(&self, limit: usize, budget: &Budget) -> Result<Explored, Stop> {
        let legal: Vec<State> = self
            .combinations(limit, |kind| kind != Kind::Input)?
            .into_iter()
            .filter(|state| self.is_legal(state))
            .collect();
        let inputs = self.combinations(limit, |kind| kind == Kind::Input)?;
        let mut explored = Explored {
            states: Vec::new(),
            initial: Vec::new(),
            successors: Vec::new(),
        };
        let mut numbers: FxHashMap<State, usize> = FxHashMap::default();
        for state in legal.iter().filter(|state| self.is_initial(state)) {
            numbers.insert(state.clone(), explored.states.len());
            explored.initial.push(explored.states.len());
            explored.states.push(state.clone());
        }
        while explored.successors.len() < explored.states.len() {
            let from = explored.states[explored.successors.len()].clone();
            let mut successors = Vec::new();
            for to in &legal {
                budget.charge(1)?;
                let step = |input: &State| self.is_step(&self.with_inputs(&from, input), to);
                if !inputs.iter().any(step) {
                    continue;
                }
                let number = *numbers.entry(to.clone()).or_insert_with(|| {
                    explored.states.push(to.clone());
                    explored.states.len() - 1
                });
                successors.push(number);
            }
            successors.sort_unstable();
            explored.successors.push(successors);
        }
        Ok(explored)
    }

    /// The state with the inputs of another.
    pub fn with_inputs(&self, state: &State, inputs: &State) -> State {
        let values = self.variables().iter().zip(state.0.iter().zip(&inputs.0));
        let pick = values.map(|(variable, (&own, &input))| match variable.kind {
            Kind::Input => input,
            _ => own,
        });
        State(pick.collect())
    }

    /// All combinations of values of the variables of some kinds; the others have the first
    /// value of their domain.
    pub fn combinations(
        &self,
        limit: usize,
        varies: impl Fn(Kind) -> bool,
    ) -> Result<Vec<State>, Stop> {
        let too_many = || Stop::bound("combinations of values", limit as u64);
        let mut all: Vec<Vec<Value>> = vec![Vec::new()];
        for variable in self.variables() {
            let values = match varies(variable.kind) {
                true => variable.domain.values(limit).ok_or_else(too_many)?,
                false => vec![variable.domain.first()],
            };
            if all.len().saturating_mul(values.len()) > limit {
                return Err(too_many());
            }
            let extend = |state: Vec<Value>| {
                let with = move |&value: &Value| {
                    let mut state = state.clone();
                    state.push(value);
                    state
                };
                values.iter().map(with).collect::<Vec<_>>()
            };
            all = all.into_iter().flat_map(extend).collect();
        }
        Ok(all.into_iter().map(State).collect())
    }
}
