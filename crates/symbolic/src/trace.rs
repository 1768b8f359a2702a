//! Runs of a model, to show and to replay.

use crate::model::{Model, Valuation, Value, VariableId};

/// A run of a model: states with the inputs of the step that follows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace {
    /// The states, the first one initial. Input bits belong to the step to the next state.
    pub states: Vec<Valuation>,
    /// For an infinite run the state that follows the last one.
    pub back_to: Option<usize>,
    /// The variables that the run is about: the others do not matter and have no value here.
    pub variables: Vec<VariableId>,
}

impl Trace {
    /// The value of a variable at a step.
    pub fn value(&self, model: &Model, step: usize, variable: VariableId) -> Value {
        model.value(variable, &self.states[step])
    }

    /// Whether the model can do all this: the first state is initial, every state legal, every
    /// step allowed, and the loop closes. Fairness is not looked at, nor are constraints on
    /// variables that the run is not about.
    pub fn replays(&self, model: &mut Model) -> bool {
        let about = |model: &Model, expression| {
            let mut owners = model.support([expression]).into_iter();
            owners.all(|(bit, _)| self.variables.contains(&model.owner(bit)))
        };
        let mut legal = model.invariants().to_vec();
        for &variable in &self.variables {
            legal.push(model.has_value(variable));
        }
        let model = &*model;
        let holds = |expression, now: &Valuation, next: Option<&Valuation>| {
            !about(model, expression) || model.evaluate(expression, now, next)
        };
        let Some(first) = self.states.first() else {
            return false;
        };
        let steps = self.states.windows(2).map(|pair| (&pair[0], &pair[1]));
        let closing = self.back_to.and_then(|back| {
            let (last, first) = (self.states.last()?, self.states.get(back)?);
            Some((last, first))
        });
        let frozen = model.variable_ids().filter(|(id, variable)| {
            variable.kind == crate::model::Kind::Frozen && self.variables.contains(id)
        });
        let frozen: Vec<u32> = frozen.flat_map(|(_, variable)| variable.bits()).collect();
        (self.back_to.is_none() || closing.is_some())
            && model.init().iter().all(|&one| holds(one, first, None))
            && self
                .states
                .iter()
                .all(|state| legal.iter().all(|&one| holds(one, state, None)))
            && steps.chain(closing).all(|(now, next)| {
                let mut constraints = model.transitions().iter();
                constraints.all(|&one| holds(one, now, Some(next)))
                    && frozen.iter().all(|&bit| now.get(bit) == next.get(bit))
            })
    }
}
