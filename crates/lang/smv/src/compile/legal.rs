//! What all states fulfil, and whether there is one to start in.

use quotient_core::{Budget, Stop};
use quotient_symbolic::{Expression, VariableId};

use super::Compiled;
use super::satisfy::Satisfier;

impl Compiled {
    /// Whether a state is legal and initial.
    pub(crate) fn has_initial_state(&mut self, budget: &Budget) -> Result<bool, Stop> {
        let mut start = self.legal();
        start.extend(self.model.init());
        let found = Satisfier::new(budget).satisfy(&self.model, &start, budget)?;
        Ok(found.is_some())
    }

    /// What every state fulfils: invariants, and that every variable has a value.
    pub(crate) fn legal(&mut self) -> Vec<Expression> {
        let mut legal = self.model.invariants().to_vec();
        let ids: Vec<VariableId> = self.model.variable_ids().map(|(id, _)| id).collect();
        for id in ids {
            legal.push(self.model.has_value(id));
        }
        legal
    }
}
