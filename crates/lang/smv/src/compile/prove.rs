//! Whether a set of states is closed under steps and excludes what must not happen, by SAT.

use quotient_core::{Budget, Stop};
use quotient_symbolic::{Certificate, Expression, VariableId};

use super::Compiled;
use super::satisfy::Satisfier;
use crate::certify::Flaw;

impl Compiled {
    /// Checks that a set contains the initial states, is never left, and is inside a property.
    pub(crate) fn prove(
        &mut self,
        certificate: &Certificate,
        property: Expression,
        budget: &Budget,
    ) -> Result<(), Flaw> {
        let inside = self.set_of(certificate)?;
        let inside_next = self.model.next(inside);
        let inside_next = inside_next.ok_or_else(|| Flaw::Unknown("an input".to_owned()))?;
        let legal = self.legal();
        let mut legal_next = Vec::new();
        for &constraint in &legal {
            // What mentions inputs is about the step, not about the state after it.
            legal_next.extend(self.model.next(constraint));
        }
        let mut satisfier = Satisfier::new(budget);
        let mut impossible = |constraints: Vec<Expression>, flaw: Flaw| match satisfier.satisfy(
            &self.model,
            &constraints,
            budget,
        )? {
            None => Ok(()),
            Some(_) => Err(flaw),
        };
        let mut start = legal.clone();
        start.extend(self.model.init());
        start.push(!inside);
        impossible(start, Flaw::MissesInitial)?;
        let mut step = legal.clone();
        step.extend(legal_next);
        step.extend(self.model.transitions());
        step.extend([inside, !inside_next]);
        impossible(step, Flaw::IsLeft)?;
        let mut wrong = legal;
        wrong.extend([inside, !property]);
        impossible(wrong, Flaw::AllowsViolation)
    }

    /// Whether a state is legal and initial.
    pub(crate) fn has_initial_state(&mut self, budget: &Budget) -> Result<bool, Stop> {
        let mut start = self.legal();
        start.extend(self.model.init());
        let found = Satisfier::new(budget).satisfy(&self.model, &start, budget)?;
        Ok(found.is_some())
    }

    /// What every state fulfils: invariants, and that every variable has a value.
    pub(super) fn legal(&mut self) -> Vec<Expression> {
        let mut legal = self.model.invariants().to_vec();
        let ids: Vec<VariableId> = self.model.variable_ids().map(|(id, _)| id).collect();
        for id in ids {
            legal.push(self.model.has_value(id));
        }
        legal
    }

    /// The set as an expression.
    fn set_of(&mut self, certificate: &Certificate) -> Result<Expression, Flaw> {
        let malformed = || Flaw::Unreadable("the set is no decision diagram".to_owned());
        let mut sets = vec![Expression::TRUE];
        let get = |sets: &[Expression], reference: u32| {
            let set = sets.get((reference >> 1) as usize).copied();
            set.map(|set| if reference & 1 == 1 { !set } else { set })
        };
        for &(variable, bit, high, low) in &certificate.nodes {
            let name = certificate.variables.get(variable as usize);
            let name = name.ok_or_else(malformed)?;
            let id = self.model.find_variable(name);
            let id = id.ok_or_else(|| Flaw::Unknown(name.clone()))?;
            if bit as usize >= self.model.variable(id).bits().len() {
                return Err(malformed());
            }
            let high = get(&sets, high).ok_or_else(malformed)?;
            let low = get(&sets, low).ok_or_else(malformed)?;
            let test = self.model.bit(id, bit);
            sets.push(self.model.if_then_else(test, high, low));
        }
        get(&sets, certificate.root).ok_or_else(malformed)
    }
}
