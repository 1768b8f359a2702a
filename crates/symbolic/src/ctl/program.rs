//! A CTL formula as a list of steps, operands before what they are part of.

use quotient_core::Span;
use quotient_logic::{Binary, Formula, Interval, Kind, Unary};

/// One operator applied to earlier steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    Constant(bool),
    /// An atom or placeholder.
    Leaf,
    Not(usize),
    And(usize, usize),
    Or(usize, usize),
    Implies(usize, usize),
    Iff(usize, usize),
    Xor(usize, usize),
    /// A path quantifier and the temporal operator under it.
    Temporal {
        universal: bool,
        operator: Temporal,
        left: usize,
        right: Option<usize>,
    },
}

/// The temporal operators of CTL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Temporal {
    Next,
    Finally(Option<Interval>),
    Globally(Option<Interval>),
    Until(Option<Interval>),
    Release,
    WeakUntil,
}

/// A formula as steps.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) steps: Vec<Step>,
    /// For each step the position of its subformula. (A quantifier with its operator is one
    /// step, at the position of the quantifier.)
    pub(crate) positions: Vec<usize>,
}

impl Program {
    /// Compiles a CTL formula; the span of the first part that is not CTL otherwise.
    pub(crate) fn new<A>(formula: &Formula<A>) -> Result<Program, Span> {
        let mut program = Program {
            steps: Vec::new(),
            positions: Vec::new(),
        };
        program.add(formula, &mut 0)?;
        Ok(program)
    }

    /// The step of the whole formula.
    pub(crate) fn root(&self) -> usize {
        self.steps.len() - 1
    }

    /// The steps that a step is made of.
    pub(crate) fn operands(&self, step: usize) -> Vec<usize> {
        match self.steps[step] {
            Step::Constant(_) | Step::Leaf => Vec::new(),
            Step::Not(operand) => vec![operand],
            Step::And(left, right)
            | Step::Or(left, right)
            | Step::Implies(left, right)
            | Step::Iff(left, right)
            | Step::Xor(left, right) => vec![left, right],
            Step::Temporal { left, right, .. } => std::iter::once(left).chain(right).collect(),
        }
    }

    /// The step that a step is an operand of.
    pub(crate) fn parent(&self, step: usize) -> Option<usize> {
        (step + 1..self.steps.len()).find(|&above| self.operands(above).contains(&step))
    }

    fn push(&mut self, step: Step, position: usize) -> usize {
        self.steps.push(step);
        self.positions.push(position);
        self.steps.len() - 1
    }

    fn add<A>(&mut self, formula: &Formula<A>, next: &mut usize) -> Result<usize, Span> {
        let position = *next;
        *next += 1;
        let step = match &formula.kind {
            Kind::Constant(value) => Step::Constant(*value),
            Kind::Atom(_) | Kind::Placeholder(_) => Step::Leaf,
            Kind::Unary(Unary::Not, operand) => Step::Not(self.add(operand, next)?),
            Kind::Unary(quantifier @ (Unary::ForAll | Unary::Exists), path) => {
                *next += 1;
                let universal = *quantifier == Unary::ForAll;
                self.add_temporal(universal, path, next)?
            }
            Kind::Unary(..) => return Err(formula.span),
            Kind::Binary(operator, left, right) => {
                let connective: fn(usize, usize) -> Step = match operator {
                    Binary::And => Step::And,
                    Binary::Or => Step::Or,
                    Binary::Implies => Step::Implies,
                    Binary::Iff => Step::Iff,
                    Binary::Xor => Step::Xor,
                    _ => return Err(formula.span),
                };
                let left = self.add(left, next)?;
                connective(left, self.add(right, next)?)
            }
        };
        Ok(self.push(step, position))
    }

    fn add_temporal<A>(
        &mut self,
        universal: bool,
        path: &Formula<A>,
        next: &mut usize,
    ) -> Result<Step, Span> {
        let (operator, left, right) = match &path.kind {
            Kind::Unary(operator, operand) => {
                let operator = match operator {
                    Unary::Next => Temporal::Next,
                    Unary::Finally(steps) => Temporal::Finally(*steps),
                    Unary::Globally(steps) => Temporal::Globally(*steps),
                    _ => return Err(path.span),
                };
                (operator, self.add(operand, next)?, None)
            }
            Kind::Binary(operator, left, right) => {
                let operator = match operator {
                    Binary::Until(steps) => Temporal::Until(*steps),
                    Binary::Release => Temporal::Release,
                    Binary::WeakUntil => Temporal::WeakUntil,
                    _ => return Err(path.span),
                };
                let left = self.add(left, next)?;
                (operator, left, Some(self.add(right, next)?))
            }
            _ => return Err(path.span),
        };
        Ok(Step::Temporal {
            universal,
            operator,
            left,
            right,
        })
    }
}
