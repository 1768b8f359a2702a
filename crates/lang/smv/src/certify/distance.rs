//! A second look at the numbers of `COMPUTE`.

use quotient_core::{Budget, Certified, Claim, Evidence, Rejection};
use quotient_language::text::count;
use serde::{Deserialize, Serialize};

use super::{MOST_STATES, WORK_TO_SHOW};
use crate::explicit::{Branching, Searched};
use crate::program::{Distance, Program, Special};

/// What evidence about a number of steps is called.
pub(crate) const DISTANCE_KIND: &str = "smv-distance";

/// The body: the number, or `infinity`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Steps {
    steps: String,
}

impl Program {
    /// Works a distance out on all reachable states of a small model, one by one.
    pub(crate) fn certify_distance(
        &self,
        special: &Special,
        distance: &Distance,
        evidence: &Evidence,
        budget: &Budget,
    ) -> Result<Certified, Rejection> {
        if (evidence.kind.as_str(), evidence.claim) != (DISTANCE_KIND, Claim::Holds) {
            let message = "about a number of steps, only that number is evidence";
            return Err(Rejection::wrong(message));
        }
        let told: Steps = evidence.read().map_err(|error| {
            Rejection::unreadable(format!("the evidence cannot be read: {error}"))
        })?;
        // What was found out with little work is found out again with a little more.
        let own = budget.child_with_work(8 * WORK_TO_SHOW);
        let searched = Searched::new(self, &[], MOST_STATES, &own);
        if let Some(stop) = &searched.stopped {
            return Err(stop.clone().into());
        }
        if searched.initial == 0 {
            return Err(Rejection::wrong("no state is initial"));
        }
        let Some(found) = self.steps_between(&searched, distance) else {
            return Err(Rejection::wrong("the number of steps is not defined"));
        };
        if found != told.steps {
            let message = format!("the number of steps is {found}, not {}", told.steps);
            return Err(Rejection::wrong(message));
        }
        let states = count(searched.states.len(), "reachable state");
        Ok(Certified {
            property: special.text.clone(),
            facts: vec![format!(
                "the number of steps is {found}: it was worked out in all {states}, one by one"
            )],
        })
    }

    /// The number of steps as evidence, where looking at all states does not take long.
    pub(crate) fn distance_evidence(
        &self,
        distance: &Distance,
        steps: &str,
        budget: &Budget,
    ) -> Option<Evidence> {
        let own = budget.child_with_work(WORK_TO_SHOW);
        let searched = Searched::new(self, &[], MOST_STATES, &own);
        if searched.stopped.is_some() || searched.initial == 0 {
            return None;
        }
        self.steps_between(&searched, distance)?;
        self.have_values(&distance.atoms(), budget).ok()?;
        let steps = steps.to_owned();
        Some(Evidence::of_holds(DISTANCE_KIND, &Steps { steps }))
    }

    fn steps_between(&self, searched: &Searched, distance: &Distance) -> Option<String> {
        let found = Branching::new(self, searched)?.distance(distance)?;
        Some(found.map_or_else(|| "infinity".to_owned(), |steps| steps.to_string()))
    }
}
