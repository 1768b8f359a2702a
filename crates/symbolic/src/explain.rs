//! Why a CTL formula has its value: a path, as far as one path can show it.

use oxidd::BooleanFunction;
use quotient_core::Stop;
use quotient_lattice::Booleans;

use crate::ctl::{Evaluation, Evaluator, Leaves, Step, TRUTH, Temporal};
use crate::diagrams::Set;
use crate::path::Path;

/// How far a path shows why a formula has its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Showing {
    /// The path shows it all.
    Whole,
    /// The path ends in a state from which something about *all* paths must be believed: no
    /// path can show that.
    UpToAllPaths,
    /// The path shows one of several things that are all needed.
    OneOfSeveral,
    /// The path ends where an operator with a bounded number of steps begins.
    UpToBounded,
}

impl std::fmt::Display for Showing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Showing::Whole => "the path shows it",
            Showing::UpToAllPaths => {
                "from the last state on, all paths are needed to show it: no single path can"
            }
            Showing::OneOfSeveral => "the path shows one of several things that are needed",
            Showing::UpToBounded => {
                "the path ends where an operator with a bounded number of steps begins"
            }
        })
    }
}

/// Explains values of the parts of a formula in single states.
pub(crate) struct Explainer<'e, 'a, 'p, V: Leaves<Booleans>> {
    pub(crate) evaluator: &'e mut Evaluator<'a>,
    pub(crate) evaluation: &'e mut Evaluation<'p, Booleans, V>,
    pub(crate) steps: &'p [Step],
}

impl<V: Leaves<Booleans>> Explainer<'_, '_, '_, V> {
    fn value(&mut self, step: usize) -> Result<Set, Stop> {
        self.evaluation.value(self.evaluator, step, TRUTH)
    }

    fn is_temporal(&self, step: usize) -> bool {
        match self.steps[step] {
            Step::Constant(_) | Step::Leaf => false,
            Step::Not(operand) => self.is_temporal(operand),
            Step::And(left, right)
            | Step::Or(left, right)
            | Step::Implies(left, right)
            | Step::Iff(left, right)
            | Step::Xor(left, right) => self.is_temporal(left) || self.is_temporal(right),
            Step::Temporal { .. } => true,
        }
    }

    /// Extends a path so that it shows that a part is true (or false) in its last state, which
    /// it is.
    pub(crate) fn explain(
        &mut self,
        step: usize,
        truth: bool,
        path: &mut Path,
    ) -> Result<Showing, Stop> {
        if !self.is_temporal(step) {
            return Ok(Showing::Whole);
        }
        match self.steps[step] {
            Step::Constant(_) | Step::Leaf => Ok(Showing::Whole),
            Step::Not(operand) => self.explain(operand, !truth, path),
            Step::And(left, right) => self.both_or_one(left, truth, right, truth, truth, path),
            Step::Or(left, right) => self.both_or_one(left, truth, right, truth, !truth, path),
            Step::Implies(left, right) => {
                self.both_or_one(left, !truth, right, truth, !truth, path)
            }
            Step::Iff(left, right) | Step::Xor(left, right) => {
                let state = path.states[path.states.len() - 1].clone();
                let of_left = self.holds_in(left, &state)?;
                let of_right = self.holds_in(right, &state)?;
                self.both_or_one(left, of_left, right, of_right, true, path)
            }
            Step::Temporal {
                universal,
                operator,
                left,
                right,
            } => match universal == truth {
                true => Ok(Showing::UpToAllPaths),
                false => self.temporal(truth, operator, left, right, path),
            },
        }
    }

    fn holds_in(&mut self, step: usize, state: &Set) -> Result<bool, Stop> {
        let value = self.value(step)?;
        let both = self.evaluator.arena.diagrams.and(&value, state)?;
        Ok(both.satisfiable())
    }

    /// Explains both operands, or one that suffices.
    fn both_or_one(
        &mut self,
        left: usize,
        of_left: bool,
        right: usize,
        of_right: bool,
        both: bool,
        path: &mut Path,
    ) -> Result<Showing, Stop> {
        if both {
            return match (self.is_temporal(left), self.is_temporal(right)) {
                (_, false) => self.explain(left, of_left, path),
                (false, true) => self.explain(right, of_right, path),
                (true, true) => {
                    self.explain(left, of_left, path)?;
                    Ok(Showing::OneOfSeveral)
                }
            };
        }
        let state = path.states[path.states.len() - 1].clone();
        let left_does = self.holds_in(left, &state)? == of_left;
        let right_does = self.holds_in(right, &state)? == of_right;
        // Prefer what needs no path.
        match left_does && (!right_does || !self.is_temporal(left)) {
            true => self.explain(left, of_left, path),
            false => self.explain(right, of_right, path),
        }
    }

    /// Shows that some path does it (`truth`), or that some path does the opposite.
    fn temporal(
        &mut self,
        truth: bool,
        operator: Temporal,
        left: usize,
        right: Option<usize>,
        path: &mut Path,
    ) -> Result<Showing, Stop> {
        let of = |this: &mut Self, step: usize| -> Result<Set, Stop> {
            let value = this.value(step)?;
            match truth {
                true => Ok(value),
                false => this.evaluator.arena.complement(&value),
            }
        };
        let a = of(self, left)?;
        let b = match right {
            Some(right) => of(self, right)?,
            None => self.evaluator.constant(false),
        };
        let right = right.unwrap_or(left);
        let from = path.states[path.states.len() - 1].clone();
        let fair = self.evaluator.fair()?;
        let everywhere = self.evaluator.constant(true);
        let operator = if truth { operator } else { dual(operator) };
        let diagrams = self.evaluator.arena.diagrams;
        match operator {
            Temporal::Next => {
                let target = diagrams.and(&a, &fair)?;
                let arena = &self.evaluator.arena;
                let after = arena.machine.relation.image(diagrams, &from)?;
                let next = arena.pick(&diagrams.and(&after, &target)?)?;
                let Some(next) = next else {
                    return Ok(Showing::UpToAllPaths);
                };
                path.states.push(next);
                self.explain(left, truth, path)
            }
            Temporal::Finally(None) => {
                let target = diagrams.and(&a, &fair)?;
                self.go(path, &everywhere, &target)?;
                self.explain(left, truth, path)
            }
            Temporal::Until(None) => {
                let target = diagrams.and(&b, &fair)?;
                self.go(path, &a, &target)?;
                self.explain(right, truth, path)
            }
            Temporal::Globally(None) => {
                path.append(self.evaluator.arena.lasso(&from, &a, false)?);
                self.inner(left)
            }
            // `a V b`: b up to a state where both hold, or b for ever.
            Temporal::Release => {
                let both = diagrams.and(&diagrams.and(&a, &b)?, &fair)?;
                match self.evaluator.arena.route(&from, &b, &both)? {
                    Some(way) => {
                        path.append(way);
                        self.both_or_one(left, truth, right, truth, true, path)
                    }
                    None => {
                        path.append(self.evaluator.arena.lasso(&from, &b, false)?);
                        self.inner(right)
                    }
                }
            }
            // `a W b`. For the opposite of `a W b` both operands are negated: not b until
            // neither.
            Temporal::WeakUntil if truth => {
                let target = diagrams.and(&b, &fair)?;
                match self.evaluator.arena.route(&from, &a, &target)? {
                    Some(way) => {
                        path.append(way);
                        self.explain(right, truth, path)
                    }
                    None => {
                        path.append(self.evaluator.arena.lasso(&from, &a, false)?);
                        self.inner(left)
                    }
                }
            }
            Temporal::WeakUntil => {
                let neither = diagrams.and(&diagrams.and(&a, &b)?, &fair)?;
                self.go(path, &b, &neither)?;
                self.both_or_one(left, truth, right, truth, true, path)
            }
            Temporal::Finally(Some(_)) | Temporal::Globally(Some(_)) | Temporal::Until(Some(_)) => {
                Ok(Showing::UpToBounded)
            }
        }
    }

    fn go(&mut self, path: &mut Path, through: &Set, target: &Set) -> Result<(), Stop> {
        let from = path.states[path.states.len() - 1].clone();
        if let Some(way) = self.evaluator.arena.route(&from, through, target)? {
            path.append(way);
        }
        Ok(())
    }

    /// After a lasso, what its states satisfy is left to believe unless it is propositional.
    fn inner(&self, step: usize) -> Result<Showing, Stop> {
        Ok(match self.is_temporal(step) {
            true => Showing::OneOfSeveral,
            false => Showing::Whole,
        })
    }
}

/// What some path does when not all paths do the operator, with negated operands.
fn dual(operator: Temporal) -> Temporal {
    match operator {
        Temporal::Next => Temporal::Next,
        Temporal::Finally(steps) => Temporal::Globally(steps),
        Temporal::Globally(steps) => Temporal::Finally(steps),
        Temporal::Until(None) => Temporal::Release,
        Temporal::Until(steps) => Temporal::Until(steps),
        Temporal::Release => Temporal::Until(None),
        Temporal::WeakUntil => Temporal::WeakUntil,
    }
}
