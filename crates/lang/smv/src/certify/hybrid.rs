//! A second look at answers about formulas with names for states.

use quotient_core::{Budget, Certified, Claim, Evidence, Rejection};
use quotient_language::text::count;
use quotient_logic::Hybrid;
use serde::{Deserialize, Serialize};

use crate::evaluate::State;
use crate::explicit::{Branching, MOST_STATES, Searched, is_small_enough};
use crate::program::{Kind, NodeId, Program, Special};

/// What evidence about formulas with names for states is called.
pub(crate) const HYBRID_KIND: &str = "smv-hybrid";

/// The body of evidence against a formula: a state, by its values as the model writes them. Inputs
/// are left out.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NamedState {
    pub(crate) variables: Vec<String>,
    pub(crate) values: Vec<String>,
}

impl NamedState {
    pub(crate) fn new(program: &Program, state: &State) -> NamedState {
        let of_state = |&id: &crate::VariableId| program.variable(id).kind != Kind::Input;
        let ids: Vec<_> = program.variable_ids().filter(of_state).collect();
        let name = |&id: &crate::VariableId| program.variable(id).name.clone();
        NamedState {
            variables: ids.iter().map(name).collect(),
            values: (ids.iter())
                .map(|&id| program.show(state.value(id)))
                .collect(),
        }
    }
}

impl Program {
    /// Works a formula out in every legal state of a small model, by its definition. It holds if it
    /// is true in all initial states where a fair path begins; against it, the evidence names such
    /// a state where it is false.
    pub(crate) fn certify_hybrid(
        &self,
        special: &Special,
        formula: &Hybrid<NodeId>,
        evidence: &Evidence,
        budget: &Budget,
    ) -> Result<Certified, Rejection> {
        if evidence.kind != HYBRID_KIND {
            return Err(Rejection::unreadable(format!(
                "evidence of kind `{}` is not about formulas with names for states",
                evidence.kind
            )));
        }
        if !is_small_enough(self, formula.names()) {
            return Err(Rejection::unreadable(
                "the model is too large to look at each state",
            ));
        }
        let searched = Searched::everywhere(self, MOST_STATES, budget)?;
        let Some(branching) = Branching::new(self, &searched) else {
            return Err(Rejection::unreadable("fairness is about inputs here"));
        };
        let values = branching.named(formula, &mut Vec::new(), budget)?;
        let counts = |&state: &usize| branching.fair[state];
        let mut counted = (0..searched.initial).filter(counts);
        let fact = match evidence.claim {
            Claim::Holds => {
                let body = evidence.body.as_object();
                if !body.is_some_and(|body| body.is_empty()) {
                    return Err(Rejection::unreadable(
                        "nothing was expected in the evidence",
                    ));
                }
                if searched.initial == 0 {
                    return Err(Rejection::wrong("no state is initial"));
                }
                if counted.any(|state| !values[state]) {
                    let message = "the formula is false in an initial state";
                    return Err(Rejection::wrong(message));
                }
                let states = count(searched.states.len(), "state");
                format!("the formula was worked out in all {states}, one by one")
            }
            Claim::Violated => {
                let named: NamedState = evidence.read().map_err(|error| {
                    Rejection::unreadable(format!("the evidence cannot be read: {error}"))
                })?;
                let is_it = |&state: &usize| {
                    let own = NamedState::new(self, &searched.states[state]);
                    (own.variables, own.values) == (named.variables.clone(), named.values.clone())
                };
                match counted.find(is_it) {
                    None => return Err(Rejection::wrong("this is no initial state that counts")),
                    Some(state) if values[state] => {
                        return Err(Rejection::wrong("the formula is true in the state"));
                    }
                    Some(_) => "the formula is false in the state, which is initial".to_owned(),
                }
            }
        };
        Ok(Certified {
            property: special.text.clone(),
            facts: vec![fact],
        })
    }
}
