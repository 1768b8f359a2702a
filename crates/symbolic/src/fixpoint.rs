//! Least and greatest fixpoints over the reachable states of a machine.

use oxidd::BooleanFunction;
use quotient_core::Stop;

use crate::diagrams::{Diagrams, Set};
use crate::system::Machine;

/// The states of a machine that a question looks at.
pub(crate) struct Arena<'a> {
    pub(crate) diagrams: &'a Diagrams,
    pub(crate) machine: &'a Machine,
    /// Complements are taken and predecessors looked for inside this set.
    pub(crate) states: &'a Set,
}

impl Arena<'_> {
    /// The states with a successor in the set.
    pub(crate) fn before(&self, set: &Set) -> Result<Set, Stop> {
        let before = self.machine.relation.preimage(self.diagrams, set)?;
        self.diagrams.and(&before, self.states)
    }

    pub(crate) fn complement(&self, set: &Set) -> Result<Set, Stop> {
        self.diagrams.minus(self.states, set)
    }

    /// The states from which `through` leads to `target`.
    pub(crate) fn until(&self, through: &Set, target: &Set) -> Result<Set, Stop> {
        let diagrams = self.diagrams;
        let mut all = target.clone();
        let mut new = target.clone();
        while new.satisfiable() {
            let before = self.before(&new)?;
            let before = diagrams.and(&before, through)?;
            new = diagrams.minus(&before, &all)?;
            all = diagrams.or(&all, &new)?;
        }
        Ok(all)
    }

    /// The states from which some path stays in the set for ever.
    pub(crate) fn forever(&self, set: &Set) -> Result<Set, Stop> {
        let mut all = set.clone();
        loop {
            let before = self.before(&all)?;
            let next = self.diagrams.and(&all, &before)?;
            if next == all {
                return Ok(all);
            }
            all = next;
        }
    }

    /// The states from which some path stays in the set for ever and meets all justice
    /// conditions infinitely often (after Emerson and Lei 1986). A condition may be about the
    /// inputs of a step, so it is looked for on steps.
    pub(crate) fn forever_just(&self, set: &Set) -> Result<Set, Stop> {
        let mut all = self.forever(set)?;
        if self.machine.justice.is_empty() {
            return Ok(all);
        }
        loop {
            let before = all.clone();
            for condition in &self.machine.justice {
                let target = self.just_steps(&all, condition)?;
                all = self.until(&all, &target)?;
            }
            if all == before {
                return Ok(all);
            }
        }
    }

    /// The states of a set with a step inside the set in which a condition holds.
    pub(crate) fn just_steps(&self, set: &Set, condition: &Set) -> Result<Set, Stop> {
        let relation = &self.machine.relation;
        let before = relation.preimage_where(self.diagrams, set, condition)?;
        self.diagrams.and(&before, set)
    }

    /// A set whose terminal strongly connected parts are exactly the ones where fair paths,
    /// compassion included, may stay for ever within `set` (after Kesten, Pnueli and Raviv
    /// 1998).
    pub(crate) fn fair_hull(&self, set: &Set) -> Result<Set, Stop> {
        let diagrams = self.diagrams;
        let mut all = self.forever_just(set)?;
        if self.machine.compassion.is_empty() {
            return Ok(all);
        }
        loop {
            let before = all.clone();
            for (when, then) in &self.machine.compassion {
                let target = diagrams.and(&all, then)?;
                let good = self.until(&all, &target)?;
                let calm = diagrams.minus(&all, when)?;
                all = diagrams.or(&good, &calm)?;
            }
            all = self.forever_just(&all)?;
            if all == before {
                return Ok(all);
            }
        }
    }

    /// The states from which a fair path, compassion included, stays in the set.
    pub(crate) fn forever_fair(&self, set: &Set) -> Result<Set, Stop> {
        let hull = self.fair_hull(set)?;
        match self.machine.compassion.is_empty() {
            true => Ok(hull),
            false => self.until(set, &hull),
        }
    }
}
