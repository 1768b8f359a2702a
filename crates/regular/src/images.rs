//! Images that are computed once.

use std::sync::Arc;

use quotient_core::{Budget, Stop};
use rustc_hash::FxHashMap;

use crate::{Direction, Set, System};

/// Images and pre-images of one method, remembered by the set they are of.
///
/// What an attempt used is kept for the next, which mostly begins in the same way; what two
/// attempts did not use is forgotten, so that memory stays in proportion to the sets at hand.
pub(crate) struct Images<'s> {
    system: &'s System,
    direction: Direction,
    forward: Memory,
    backward: Memory,
}

#[derive(Default)]
struct Memory {
    current: FxHashMap<Set, Set>,
    previous: FxHashMap<Set, Set>,
}

impl<'s> Images<'s> {
    /// The images of a method that works in a direction: for a backward one, forward images
    /// are pre-images of the system.
    pub(crate) fn new(system: &'s System, direction: Direction) -> Self {
        Images {
            system,
            direction,
            forward: Memory::default(),
            backward: Memory::default(),
        }
    }

    /// A new attempt begins.
    pub(crate) fn next_attempt(&mut self) {
        for memory in [&mut self.forward, &mut self.backward] {
            memory.previous = std::mem::take(&mut memory.current);
        }
    }

    /// One step on, in the direction of the method.
    pub(crate) fn post(&mut self, set: &Set, budget: &Budget) -> Result<Set, Stop> {
        let (step, direction) = (self.system.step(), self.direction);
        self.forward.get(set, || match direction {
            Direction::Forward => step.post(set, budget)?.minimize(budget),
            Direction::Backward => step.pre(set, budget)?.minimize(budget),
        })
    }

    /// One step back, against the direction of the method.
    pub(crate) fn pre(&mut self, set: &Set, budget: &Budget) -> Result<Set, Stop> {
        let (step, direction) = (self.system.step(), self.direction);
        self.backward.get(set, || match direction {
            Direction::Forward => step.pre(set, budget)?.minimize(budget),
            Direction::Backward => step.post(set, budget)?.minimize(budget),
        })
    }
}

impl Memory {
    fn get(
        &mut self,
        set: &Set,
        compute: impl FnOnce() -> Result<quotient_automata::Canonical, Stop>,
    ) -> Result<Set, Stop> {
        if let Some(known) = self.current.get(set) {
            return Ok(known.clone());
        }
        let image = match self.previous.remove(set) {
            Some(known) => known,
            None => Arc::new(compute()?),
        };
        self.current.insert(set.clone(), image.clone());
        Ok(image)
    }
}
