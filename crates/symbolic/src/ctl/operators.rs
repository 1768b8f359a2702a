//! The operators of CTL on sets of states, each result remembered.

use std::cell::RefCell;

use quotient_core::Stop;
use quotient_logic::Interval;
use rustc_hash::FxHashMap;

use super::{Step, Temporal};
use crate::diagrams::Set;
use crate::fixpoint::Arena;

/// Evaluates operators over the states of an arena, on fair paths: infinite ones, which meet
/// all justice conditions if there are any.
pub(crate) struct Evaluator<'a> {
    pub(crate) arena: Arena<'a>,
    /// Whether the states of the arena are exactly the reachable ones.
    pub(crate) forward: bool,
    known: &'a RefCell<Known>,
}

/// What was found out about the states of one arena, for the next formula about them.
#[derive(Default)]
pub(crate) struct Known {
    fair: Option<Set>,
    results: FxHashMap<(bool, Temporal, Set, Option<Set>), Set>,
}

/// This many results are kept for the next formula: their diagrams take room.
const MOST_KEPT: usize = 64;

impl<'a> Evaluator<'a> {
    /// An evaluator that goes on from what is known about the very same arena.
    pub(crate) fn new(arena: Arena<'a>, forward: bool, known: &'a RefCell<Known>) -> Self {
        if known.borrow().results.len() > MOST_KEPT {
            known.borrow_mut().results.clear();
        }
        Evaluator {
            arena,
            forward,
            known,
        }
    }

    /// The states where a fair path begins. Without fairness these are the states with an
    /// infinite path: all, if the relation is total.
    pub(crate) fn fair(&mut self) -> Result<Set, Stop> {
        if let Some(fair) = &self.known.borrow().fair {
            return Ok(fair.clone());
        }
        let fair = self.arena.forever_just(self.arena.states)?;
        self.known.borrow_mut().fair = Some(fair.clone());
        Ok(fair)
    }

    /// The initial states that count: those where a fair path begins.
    pub(crate) fn start(&mut self) -> Result<Set, Stop> {
        let fair = self.fair()?;
        self.arena.diagrams.and(&self.arena.machine.init, &fair)
    }

    pub(crate) fn constant(&self, value: bool) -> Set {
        match value {
            true => self.arena.states.clone(),
            false => self.arena.diagrams.constant(false),
        }
    }

    /// The part of a set that the arena has.
    pub(crate) fn inside(&self, set: &Set) -> Result<Set, Stop> {
        self.arena.diagrams.and(set, self.arena.states)
    }

    /// A propositional operator, given both operands and what stands for their negations.
    pub(crate) fn connective(
        &self,
        step: &Step,
        [a, b]: [&Set; 2],
        [not_a, not_b]: [&Set; 2],
    ) -> Result<Set, Stop> {
        let diagrams = self.arena.diagrams;
        match step {
            Step::And(..) => diagrams.and(a, b),
            Step::Or(..) => diagrams.or(a, b),
            Step::Implies(..) => diagrams.or(not_a, b),
            Step::Iff(..) => {
                let both = diagrams.and(a, b)?;
                diagrams.or(&both, &diagrams.and(not_a, not_b)?)
            }
            _ => {
                let left = diagrams.and(a, not_b)?;
                diagrams.or(&left, &diagrams.and(not_a, b)?)
            }
        }
    }

    /// A path quantifier with a temporal operator.
    pub(crate) fn temporal(
        &mut self,
        universal: bool,
        operator: Temporal,
        left: &Set,
        right: Option<&Set>,
    ) -> Result<Set, Stop> {
        let key = (universal, operator, left.clone(), right.cloned());
        if let Some(known) = self.known.borrow().results.get(&key) {
            return Ok(known.clone());
        }
        let empty = self.arena.diagrams.constant(false);
        let b = right.unwrap_or(&empty);
        let result = match universal {
            false => self.exists(operator, left, b)?,
            true => self.for_all(operator, left, b)?,
        };
        self.known.borrow_mut().results.insert(key, result.clone());
        Ok(result)
    }

    fn exists(&mut self, operator: Temporal, a: &Set, b: &Set) -> Result<Set, Stop> {
        let fair = self.fair()?;
        let diagrams = self.arena.diagrams;
        match operator {
            Temporal::Next => self.arena.before(&diagrams.and(a, &fair)?),
            Temporal::Finally(None) => {
                let target = diagrams.and(a, &fair)?;
                self.arena.until(self.arena.states, &target)
            }
            Temporal::Globally(None) => self.arena.forever_just(a),
            Temporal::Until(None) => self.arena.until(a, &diagrams.and(b, &fair)?),
            Temporal::WeakUntil => {
                let until = self.arena.until(a, &diagrams.and(b, &fair)?)?;
                diagrams.or(&until, &self.arena.forever_just(a)?)
            }
            Temporal::Release => {
                let both = diagrams.and(&diagrams.and(a, b)?, &fair)?;
                let until = self.arena.until(b, &both)?;
                diagrams.or(&until, &self.arena.forever_just(b)?)
            }
            Temporal::Finally(Some(steps)) => {
                let target = diagrams.and(a, &fair)?;
                let through = self.constant(true);
                self.bounded_until(&through, &target, steps)
            }
            Temporal::Until(Some(steps)) => {
                let target = diagrams.and(b, &fair)?;
                self.bounded_until(a, &target, steps)
            }
            Temporal::Globally(Some(steps)) => {
                let mut all = match steps.to {
                    None => self.arena.forever_just(a)?,
                    Some(to) if to < steps.from => return Ok(fair),
                    Some(to) => {
                        let mut all = diagrams.and(a, &fair)?;
                        for _ in steps.from..to {
                            let next = diagrams.and(&self.arena.before(&all)?, a)?;
                            if std::mem::replace(&mut all, next.clone()) == next {
                                break;
                            }
                        }
                        all
                    }
                };
                for _ in 0..steps.from {
                    let next = self.arena.before(&all)?;
                    if std::mem::replace(&mut all, next.clone()) == next {
                        break;
                    }
                }
                Ok(all)
            }
        }
    }

    /// Some path reaches the target within an interval of steps, through `through` until then.
    fn bounded_until(&self, through: &Set, target: &Set, steps: Interval) -> Result<Set, Stop> {
        let diagrams = self.arena.diagrams;
        let mut all = match steps.to {
            None => self.arena.until(through, target)?,
            Some(to) if to < steps.from => return Ok(diagrams.constant(false)),
            Some(to) => {
                let mut all = target.clone();
                for _ in steps.from..to {
                    let before = diagrams.and(&self.arena.before(&all)?, through)?;
                    let next = diagrams.or(target, &before)?;
                    if std::mem::replace(&mut all, next.clone()) == next {
                        break;
                    }
                }
                all
            }
        };
        for _ in 0..steps.from {
            let next = diagrams.and(&self.arena.before(&all)?, through)?;
            if std::mem::replace(&mut all, next.clone()) == next {
                break;
            }
        }
        Ok(all)
    }

    /// On all paths: no path does the opposite.
    fn for_all(&mut self, operator: Temporal, a: &Set, b: &Set) -> Result<Set, Stop> {
        if let Temporal::Until(Some(steps)) = operator {
            return self.for_all_bounded_until(a, b, steps);
        }
        let (not_a, not_b) = (self.arena.complement(a)?, self.arena.complement(b)?);
        let opposite = match operator {
            Temporal::Next => self.exists(Temporal::Next, &not_a, b)?,
            Temporal::Finally(steps) => self.exists(Temporal::Globally(steps), &not_a, b)?,
            Temporal::Globally(steps) => self.exists(Temporal::Finally(steps), &not_a, b)?,
            Temporal::Until(_) => self.exists(Temporal::Release, &not_a, &not_b)?,
            Temporal::Release => self.exists(Temporal::Until(None), &not_a, &not_b)?,
            Temporal::WeakUntil => {
                let neither = self.arena.diagrams.and(&not_a, &not_b)?;
                self.exists(Temporal::Until(None), &not_b, &neither)?
            }
        };
        self.arena.complement(&opposite)
    }

    /// Every fair path reaches `target` within an interval of steps: states that begin no
    /// fair path count as there.
    fn for_all_bounded_until(
        &mut self,
        through: &Set,
        target: &Set,
        steps: Interval,
    ) -> Result<Set, Stop> {
        let fair = self.fair()?;
        let diagrams = self.arena.diagrams;
        let unfair = self.arena.complement(&fair)?;
        let arena = &self.arena;
        let after = |set: &Set| -> Result<Set, Stop> {
            let escapes = diagrams.and(&arena.complement(set)?, &fair)?;
            arena.complement(&arena.before(&escapes)?)
        };
        let done = diagrams.or(target, &unfair)?;
        let mut all = match steps.to {
            Some(to) if to < steps.from => return Ok(unfair),
            Some(to) => {
                let mut all = done.clone();
                for _ in steps.from..to {
                    let next = diagrams.or(&done, &diagrams.and(through, &after(&all)?)?)?;
                    if std::mem::replace(&mut all, next.clone()) == next {
                        break;
                    }
                }
                all
            }
            None => self.for_all(Temporal::Until(None), through, target)?,
        };
        for _ in 0..steps.from {
            let next = {
                let arena = &self.arena;
                let escapes = diagrams.and(&arena.complement(&all)?, &fair)?;
                let after = arena.complement(&arena.before(&escapes)?)?;
                diagrams.or(&unfair, &diagrams.and(through, &after)?)?
            };
            if std::mem::replace(&mut all, next.clone()) == next {
                break;
            }
        }
        Ok(all)
    }
}
