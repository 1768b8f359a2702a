//! The search: image after image with states merged, back exactly where it went wrong.

use quotient_core::{Attempt, Budget, Context, Method, Stop, What};
use quotient_trees::{TreeAutomaton, inclusion, intersection, reduce, union};

use crate::run::through;
use crate::{Abstraction, Run, System};

/// From where to where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// From the initial trees, by images.
    Forward,
    /// From the bad trees, by pre-images.
    Backward,
}

/// A set that is never left.
#[derive(Debug, Clone)]
pub struct Invariant {
    /// Forward: it contains the initial trees, steps stay in it, none in it is bad. Backward: it
    /// contains the bad trees, whatever steps into it is in it, none in it is initial.
    pub direction: Direction,
    /// The set.
    pub set: TreeAutomaton,
}

/// One search: a direction and a way to merge states.
#[derive(Debug)]
pub struct Search<'a> {
    system: &'a System,
    direction: Direction,
    from: &'a TreeAutomaton,
    target: &'a TreeAutomaton,
    abstraction: Abstraction,
}

impl<'a> Search<'a> {
    /// A search in a system for a tree that must not be reached.
    pub fn new(
        system: &'a System,
        bad: &'a TreeAutomaton,
        direction: Direction,
        abstraction: Abstraction,
    ) -> Self {
        let (from, target) = match direction {
            Direction::Forward => (&system.initial, bad),
            Direction::Backward => (bad, &system.initial),
        };
        Search {
            system,
            direction,
            from,
            target,
            abstraction,
        }
    }

    fn onward(&self, set: &TreeAutomaton, budget: &Budget) -> Result<TreeAutomaton, Stop> {
        match self.direction {
            Direction::Forward => self.system.image(set, budget),
            Direction::Backward => self.system.preimage(set, budget),
        }
    }

    fn back(&self, set: &TreeAutomaton, budget: &Budget) -> Result<TreeAutomaton, Stop> {
        match self.direction {
            Direction::Forward => self.system.preimage(set, budget),
            Direction::Backward => self.system.image(set, budget),
        }
    }

    /// Follows a meeting of the last set with the target back: to a run, or to where it breaks.
    fn follow(
        &self,
        sets: &[TreeAutomaton],
        meeting: TreeAutomaton,
        budget: &Budget,
    ) -> Result<Attempt<Invariant, Run, TreeAutomaton>, Stop> {
        let mut ways = vec![reduce(&meeting, budget)?];
        for set in sets[..sets.len() - 1].iter().rev() {
            let here = &ways[ways.len() - 1];
            let before = union(here, &self.back(here, budget)?);
            let before = reduce(&intersection(set, &before, budget)?, budget)?;
            if before.is_empty() {
                return Ok(Attempt::FalseAlarm(here.clone()));
            }
            ways.push(before);
        }
        ways.reverse();
        through(self.system, self.direction, &ways, budget).map(Attempt::Refuted)
    }
}

impl Method for Search<'_> {
    type Proof = Invariant;
    type Trace = Run;
    type Spurious = TreeAutomaton;

    fn attempt(
        &mut self,
        cx: &mut Context,
    ) -> Result<Attempt<Invariant, Run, TreeAutomaton>, Stop> {
        let budget = cx.budget.clone();
        let mut sets = vec![reduce(self.from, &budget)?];
        for step in 0.. {
            let last = &sets[sets.len() - 1];
            tell(cx, step, last);
            let meeting = intersection(last, self.target, &budget)?;
            if !meeting.is_empty() {
                return self.follow(&sets, meeting, &budget);
            }
            let next = reduce(&union(last, &self.onward(last, &budget)?), &budget)?;
            if inclusion(&next, last, &budget)?.holds() {
                return Ok(Attempt::Proved(Invariant {
                    direction: self.direction,
                    set: last.clone(),
                }));
            }
            let merged = self.abstraction.apply(&next, &budget)?;
            sets.push(reduce(&merged, &budget)?);
        }
        Err(Stop::exhausted("more steps than can be counted"))
    }

    fn refine(&mut self, false_alarm: TreeAutomaton, cx: &mut Context) -> Result<(), Stop> {
        refine(&mut self.abstraction, false_alarm, cx)
    }
}

/// Tells how large the set is after a step.
pub(crate) fn tell(cx: &Context, step: u64, set: &TreeAutomaton) {
    cx.story.tell(|| What::Step {
        attempt: cx.attempt,
        step,
        sizes: [
            ("states", set.states() as u64),
            ("rules", set.rules().len() as u64),
        ]
        .into(),
    });
}

/// Makes an abstraction finer after a false alarm, and tells of it.
pub(crate) fn refine(
    abstraction: &mut Abstraction,
    false_alarm: TreeAutomaton,
    cx: &Context,
) -> Result<(), Stop> {
    let detail = abstraction.refine(false_alarm)?;
    cx.story.tell(|| What::Refined {
        refinement: cx.attempt + 1,
        detail,
        sizes: [].into(),
    });
    Ok(())
}
