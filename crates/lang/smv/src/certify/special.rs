//! A second look at evidence about specifications that are no formulas of CTL or LTL.

use quotient_certify::StatesQuestion;
use quotient_core::{Budget, Certified, Claim, Evidence, Rejection};
use quotient_logic::Formula;

use super::{RUN_KIND, RunEvidence};
use crate::evaluate::State;
use crate::program::{Program, Saying, Special, Specification};
use crate::psl::holds_on;
use crate::syntax::SpecificationKind;

impl Program {
    /// Looks again at evidence about one of them. That against a property of PSL with sequences is a
    /// run.
    ///
    /// The independent checker finds out whether it is an infinite, fair run of the model; then the
    /// property is worked out on it by its plain meaning, place by place.
    pub(crate) fn certify_special(
        &self,
        special: &Special,
        evidence: &Evidence,
        budget: &Budget,
    ) -> Result<Certified, Rejection> {
        if !evidence.text.is_empty() && evidence.text != special.text {
            let message = format!(
                "the evidence is about `{}`, not about `{}`",
                evidence.text, special.text
            );
            return Err(Rejection::wrong(message));
        }
        if !matches!(special.says, Saying::Unread(_)) {
            self.have_values(&special.says.atoms(), budget)?;
        }
        if let Saying::Hybrid(formula) = &special.says {
            return self.certify_hybrid(special, formula, evidence, budget);
        }
        if let Saying::Distance(distance) = &special.says {
            return self.certify_distance(special, distance, evidence, budget);
        }
        let Saying::Property(property) = &special.says else {
            let message = format!("there is no evidence about `{}`", special.keyword);
            return Err(Rejection::unreadable(message));
        };
        if (evidence.kind.as_str(), evidence.claim) != (RUN_KIND, Claim::Violated) {
            return Err(Rejection::wrong(
                "about a property with sequences, only a run that violates it is evidence",
            ));
        }
        let run: RunEvidence = evidence.read().map_err(|error| {
            Rejection::unreadable(format!("the evidence cannot be read: {error}"))
        })?;
        // Every infinite fair run violates this.
        let nothing = Specification {
            kind: SpecificationKind::Ltl,
            is_psl: true,
            name: None,
            formula: Formula::constant(false),
            text: special.text.clone(),
            span: special.span,
        };
        let (model, never) = self.to_states(&nothing, budget)?;
        let question = StatesQuestion {
            model: &model,
            property: &never,
            allow_empty: false,
        };
        let facts = question.certify_run(&run, budget)?;
        let back_to = run.back_to.filter(|&back_to| back_to < run.states.len());
        let Some(back_to) = back_to else {
            return Err(Rejection::wrong("the run is not infinite"));
        };
        let states = self.states_of(&run)?;
        match holds_on(self, property, &states, back_to) {
            Some(false) => Ok(Certified {
                property: special.text.clone(),
                facts,
            }),
            Some(true) => Err(Rejection::wrong("the property holds on this run")),
            None => Err(Rejection::unreadable("a sequence is too large")),
        }
    }

    /// The states of a run that gives every variable a value.
    pub(super) fn states_of(&self, run: &RunEvidence) -> Result<Vec<State>, Rejection> {
        let place = |name: &str| run.variables.iter().position(|one| one == name);
        let places: Option<Vec<usize>> = (self.variables().iter())
            .map(|variable| place(&variable.name))
            .collect();
        let missing = || Rejection::wrong("the run does not give every variable a value");
        let places = places.ok_or_else(missing)?;
        let state = |values: &Vec<String>| {
            let pairs = self.variables().iter().zip(&places);
            let values = pairs.map(|(variable, &place)| {
                let text = values.get(place)?;
                self.read_value(&variable.domain, text)
            });
            values.collect::<Option<Vec<_>>>().map(State)
        };
        let states = run.states.iter().map(state);
        states.collect::<Option<Vec<State>>>().ok_or_else(missing)
    }
}
