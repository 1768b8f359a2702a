//! Invariants.

use quotient_automata::evidence::{INVARIANT_KIND, InvariantEvidence, PlainAutomaton};
use quotient_core::{Budget, Evidence, Stop};

use crate::{Set, System};

/// A set of configurations that shows that a property holds: it contains the initial ones, is
/// closed under the steps, and has no bad one.
#[derive(Debug, Clone)]
pub struct Proof {
    /// The set.
    pub invariant: Set,
    /// How many steps the last attempt took.
    pub steps: usize,
}

impl Proof {
    /// Whether it is one, for a property.
    pub fn is_valid(
        &self,
        system: &System,
        property: usize,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        let bad = system.bad(property);
        Ok(self.contains_initial(system, budget)?
            && !self.invariant.intersects(bad, budget)?
            && self.is_closed(system, budget)?)
    }

    fn contains_initial(&self, system: &System, budget: &Budget) -> Result<bool, Stop> {
        let outside = system.initial().difference(&self.invariant, budget)?;
        Ok(outside.is_empty_language())
    }

    fn is_closed(&self, system: &System, budget: &Budget) -> Result<bool, Stop> {
        let next = system.step().post(&self.invariant, budget)?;
        let outside = next.difference(&self.invariant, budget)?;
        Ok(outside.is_empty_language())
    }

    /// The invariant as evidence.
    pub fn evidence(&self) -> Evidence {
        let invariant = PlainAutomaton::from(&**self.invariant);
        Evidence::of_holds(INVARIANT_KIND, &InvariantEvidence { invariant })
    }
}
