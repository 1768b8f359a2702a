//! CTL over any lattice of truth values.
//!
//! A formula with values in a lattice is a vector of sets of states, one for each
//! join-irreducible element ([`Components`]): temporal operators, conjunction and disjunction
//! work on each alone, negation exchanges two of them. What is equal for several components is
//! computed once: results are remembered by operator and operands, so the Booleans pay for
//! one component and nothing else.
//!
//! [`Components`]: quotient_lattice::Components

mod operators;
mod program;

pub(crate) use operators::{Evaluator, Known};
pub(crate) use program::{Program, Step, Temporal};

use oxidd::BooleanFunction;
use quotient_core::Stop;
use quotient_lattice::{Component, Components, Lattice};

use crate::diagrams::Set;

/// The component that is the truth itself: the only one of two values, and the first of others.
pub(crate) const TRUTH: Component = Component::new(0);

/// The values of the leaves of a program, and of inner parts that are to be taken for leaves.
pub(crate) trait Leaves<L: Lattice> {
    /// The set of states where a component of an atom holds.
    fn atom(&self, step: usize, component: Component) -> Result<Set, Stop>;

    /// For a marked part: what to take for true and for false.
    fn mark(&self, step: usize) -> Option<(L::Element, L::Element)>;
}

/// A formula to be evaluated over a lattice, lazily.
pub(crate) struct Evaluation<'a, L: Lattice, V: Leaves<L>> {
    program: &'a Program,
    lattice: &'a L,
    components: &'a Components<L>,
    leaves: &'a V,
    /// The values found so far, by step and component.
    values: Vec<Option<Set>>,
    /// The plain truth of marked parts.
    plain: Vec<Option<Set>>,
    /// The component that stands for plain truth in marked parts.
    truth: Component,
}

impl<'a, L: Lattice, V: Leaves<L>> Evaluation<'a, L, V> {
    /// Prepares an evaluation; marked parts are first evaluated for component `truth`.
    pub(crate) fn new(
        program: &'a Program,
        lattice: &'a L,
        components: &'a Components<L>,
        leaves: &'a V,
        truth: Component,
    ) -> Self {
        let steps = program.steps.len();
        Evaluation {
            program,
            lattice,
            components,
            leaves,
            values: vec![None; steps * components.len()],
            plain: vec![None; steps],
            truth,
        }
    }

    /// The value at the initial states taken together: the meet of all.
    pub(crate) fn initially(&mut self, evaluator: &mut Evaluator) -> Result<L::Element, Stop> {
        let root = self.program.root();
        let mut holds = Vec::with_capacity(self.components.len());
        for component in self.components.all() {
            holds.push(self.holds_initially(evaluator, root, component)?);
        }
        Ok(self.components.element(self.lattice, holds))
    }

    /// Whether a component is true in all initial states where a fair path begins. `AG` there is
    /// the same as truth in all reachable states of fair paths, which needs no fixpoint.
    pub(crate) fn holds_initially(
        &mut self,
        evaluator: &mut Evaluator,
        step: usize,
        component: Component,
    ) -> Result<bool, Stop> {
        let marked = self.leaves.mark(step).is_some();
        match self.program.steps[step] {
            Step::And(left, right) if !marked => Ok(self
                .holds_initially(evaluator, left, component)?
                && self.holds_initially(evaluator, right, component)?),
            Step::Temporal {
                universal: true,
                operator: Temporal::Globally(None),
                left,
                ..
            } if !marked && evaluator.forward => {
                let value = self.value(evaluator, left, component)?;
                let fair = evaluator.fair()?;
                evaluator.arena.diagrams.is_subset(&fair, &value)
            }
            _ => {
                let value = self.value(evaluator, step, component)?;
                let start = evaluator.start()?;
                let wrong = evaluator.arena.diagrams.minus(&start, &value)?;
                Ok(!wrong.satisfiable())
            }
        }
    }

    /// The states where a component of a part holds.
    pub(crate) fn value(
        &mut self,
        evaluator: &mut Evaluator,
        step: usize,
        component: Component,
    ) -> Result<Set, Stop> {
        let place = step * self.components.len() + component.index();
        if let Some(value) = &self.values[place] {
            return Ok(value.clone());
        }
        let value = match self.leaves.mark(step) {
            Some((if_true, if_false)) => {
                let plain = self.plain_value(evaluator, step)?;
                let is = |element| self.components.component(self.lattice, component, element);
                match (is(&if_true), is(&if_false)) {
                    (true, true) => evaluator.constant(true),
                    (true, false) => plain,
                    (false, true) => evaluator.arena.complement(&plain)?,
                    (false, false) => evaluator.constant(false),
                }
            }
            None => self.compute(evaluator, step, component)?,
        };
        self.values[place] = Some(value.clone());
        Ok(value)
    }

    /// The truth of a part without any marks.
    pub(crate) fn plain_value(
        &mut self,
        evaluator: &mut Evaluator,
        step: usize,
    ) -> Result<Set, Stop> {
        if let Some(value) = &self.plain[step] {
            return Ok(value.clone());
        }
        let value = match self.program.steps[step] {
            Step::Constant(value) => evaluator.constant(value),
            Step::Leaf => {
                let atom = self.leaves.atom(step, self.truth)?;
                evaluator.inside(&atom)?
            }
            Step::Not(operand) => {
                let operand = self.plain_value(evaluator, operand)?;
                evaluator.arena.complement(&operand)?
            }
            Step::And(left, right)
            | Step::Or(left, right)
            | Step::Implies(left, right)
            | Step::Iff(left, right)
            | Step::Xor(left, right) => {
                let (a, b) = (
                    self.plain_value(evaluator, left)?,
                    self.plain_value(evaluator, right)?,
                );
                let (not_a, not_b) = (
                    evaluator.arena.complement(&a)?,
                    evaluator.arena.complement(&b)?,
                );
                evaluator.connective(&self.program.steps[step], [&a, &b], [&not_a, &not_b])?
            }
            Step::Temporal {
                universal,
                operator,
                left,
                right,
            } => {
                let left = self.plain_value(evaluator, left)?;
                let right = match right {
                    Some(right) => Some(self.plain_value(evaluator, right)?),
                    None => None,
                };
                evaluator.temporal(universal, operator, &left, right.as_ref())?
            }
        };
        self.plain[step] = Some(value.clone());
        Ok(value)
    }

    fn compute(
        &mut self,
        evaluator: &mut Evaluator,
        step: usize,
        component: Component,
    ) -> Result<Set, Stop> {
        let dual = self.components.negation(component);
        match self.program.steps[step] {
            Step::Constant(value) => Ok(evaluator.constant(value)),
            Step::Leaf => {
                let atom = self.leaves.atom(step, component)?;
                evaluator.inside(&atom)
            }
            Step::Not(operand) => {
                let operand = self.value(evaluator, operand, dual)?;
                evaluator.arena.complement(&operand)
            }
            Step::And(left, right) | Step::Or(left, right) => {
                let (a, b) = (
                    self.value(evaluator, left, component)?,
                    self.value(evaluator, right, component)?,
                );
                evaluator.connective(&self.program.steps[step], [&a, &b], [&a, &b])
            }
            Step::Implies(left, right) => {
                let (a, b) = (
                    self.value(evaluator, left, dual)?,
                    self.value(evaluator, right, component)?,
                );
                let not_a = evaluator.arena.complement(&a)?;
                evaluator.connective(&self.program.steps[step], [&a, &b], [&not_a, &b])
            }
            Step::Iff(left, right) | Step::Xor(left, right) => {
                let (a, b) = (
                    self.value(evaluator, left, component)?,
                    self.value(evaluator, right, component)?,
                );
                let (not_a, not_b) = (
                    self.value(evaluator, left, dual)?,
                    self.value(evaluator, right, dual)?,
                );
                let (not_a, not_b) = (
                    evaluator.arena.complement(&not_a)?,
                    evaluator.arena.complement(&not_b)?,
                );
                evaluator.connective(&self.program.steps[step], [&a, &b], [&not_a, &not_b])
            }
            Step::Temporal {
                universal,
                operator,
                left,
                right,
            } => {
                let left = self.value(evaluator, left, component)?;
                let right = match right {
                    Some(right) => Some(self.value(evaluator, right, component)?),
                    None => None,
                };
                evaluator.temporal(universal, operator, &left, right.as_ref())
            }
        }
    }
}
