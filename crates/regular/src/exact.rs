//! Exact breadth-first search.

use std::sync::Arc;

use quotient_core::{Context, Stop, What};

use crate::{Direction, Proof, Run, Set, System};

/// The configurations reached in up to so many steps, for each number.
pub(crate) struct Exploration<'s> {
    system: &'s System,
    reached: Vec<Set>,
}

impl<'s> Exploration<'s> {
    pub(crate) fn new(system: &'s System) -> Self {
        Exploration::from(system, system.initial().clone())
    }

    /// From these initial configurations only.
    pub(crate) fn from(system: &'s System, start: Set) -> Self {
        Exploration {
            system,
            reached: vec![start],
        }
    }

    pub(crate) fn steps(&self) -> usize {
        self.reached.len() - 1
    }

    /// What was reached in up to 0, 1, … steps.
    pub(crate) fn sets(&self) -> &[Set] {
        &self.reached
    }

    /// What is reached so far.
    pub(crate) fn last(&self) -> &Set {
        &self.reached[self.reached.len() - 1]
    }

    /// One step further; true if nothing new was reached.
    pub(crate) fn step(&mut self, cx: &Context) -> Result<bool, Stop> {
        let last = self.last().clone();
        let mut next = self.system.step().post(&last, &cx.budget)?;
        if !self.system.step_has_identity() {
            next = next.union(&last, &cx.budget)?;
        }
        let next = Arc::new(next.minimize(&cx.budget)?);
        if next == last {
            return Ok(true);
        }
        cx.story.tell(|| What::Step {
            attempt: 0,
            step: self.reached.len() as u64,
            sizes: [("states", next.len() as u64)].into(),
        });
        self.reached.push(next);
        Ok(false)
    }

    /// Whether what is reached now meets a set.
    pub(crate) fn meets(&self, set: &Set, cx: &Context) -> Result<bool, Stop> {
        self.last().intersects(set, &cx.budget)
    }

    /// A shortest run to a bad configuration of the property, which was met just now.
    pub(crate) fn run_to(&self, property: usize, cx: &Context) -> Result<Run, Stop> {
        let budget = &cx.budget;
        let met = self
            .last()
            .intersection(self.system.bad(property), budget)?;
        let mut family: Vec<Set> = vec![Arc::new(met.minimize(budget)?)];
        for reached in self.reached[..self.steps()].iter().rev() {
            let before = self.system.step().pre(&family[family.len() - 1], budget)?;
            let within = before.intersection(reached, budget)?;
            family.push(Arc::new(within.minimize(budget)?));
        }
        let (direction, start) = (Direction::Forward, &self.reached[0]);
        Run::choose(self.system, direction, family.iter().rev(), start, cx)
    }

    /// What is reached, as a proof, when nothing new can be.
    pub(crate) fn proof(&self) -> Proof {
        Proof {
            invariant: self.last().clone(),
            steps: self.steps(),
        }
    }
}
