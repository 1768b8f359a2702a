//! Steps of a circuit as a list of clauses, in the plainest way: each step has a variable for each
//! node.

use quotient_core::Budget;
use quotient_netlist::{Circuit, Gate, Literal};
use rustsat::types::Lit;

use super::formulas::Clauses;
use crate::Rejection;
use crate::circuits::formula::{MOST_VARIABLES, Steps, too_many_variables};

/// Clauses that say what the steps of a circuit are.
pub(super) struct Listing<'a> {
    circuit: &'a Circuit,
    /// The first variable of each step.
    steps: Vec<usize>,
    /// The next variable that is not taken.
    next: usize,
    clauses: Clauses,
    budget: Budget,
}

impl<'a> Listing<'a> {
    /// No step yet.
    pub(super) fn new(circuit: &'a Circuit, budget: &Budget) -> Listing<'a> {
        Listing {
            circuit,
            steps: Vec::new(),
            next: 0,
            clauses: Clauses::default(),
            budget: budget.clone(),
        }
    }

    /// How many variables there are, and the clauses.
    pub(super) fn into_clauses(self) -> (usize, Clauses) {
        (self.next, self.clauses)
    }

    /// Adds a step with its gates and constraints; from the second on, its latches hold what the
    /// step before says.
    pub(super) fn step(&mut self) -> Result<usize, Rejection> {
        let step = self.unconstrained_step()?;
        for &constraint in &self.circuit.constraints {
            let constraint = self.at(step, constraint);
            self.clause(&[constraint])?;
        }
        Ok(step)
    }

    /// Adds a step whose constraints count only if it is taken.
    pub(super) fn step_if(&mut self, taken: Lit) -> Result<usize, Rejection> {
        let step = self.unconstrained_step()?;
        for &constraint in &self.circuit.constraints {
            let constraint = self.at(step, constraint);
            self.clause(&[!taken, constraint])?;
        }
        Ok(step)
    }

    fn unconstrained_step(&mut self) -> Result<usize, Rejection> {
        let step = self.steps.len();
        self.steps.push(self.next);
        self.take(self.circuit.graph.len())?;
        for (node, gate) in self.circuit.graph.nodes() {
            let own = self.at(step, node.literal());
            match gate {
                Gate::Constant => self.clause(&[!own])?,
                Gate::And(a, b) => {
                    let (a, b) = (self.at(step, a), self.at(step, b));
                    self.clause(&[!own, a])?;
                    self.clause(&[!own, b])?;
                    self.clause(&[own, !a, !b])?;
                }
                Gate::Latch(number) if step > 0 => {
                    let next = self.at(step - 1, self.circuit.latches()[number].next);
                    self.clause(&[!own, next])?;
                    self.clause(&[own, !next])?;
                }
                Gate::Input(_) | Gate::Latch(_) => {}
            }
        }
        Ok(step)
    }

    /// Demands that the first step is one that the circuit starts with.
    pub(super) fn start(&mut self) -> Result<(), Rejection> {
        for latch in self.circuit.latches() {
            if let Some(value) = latch.start {
                let own = self.at(0, latch.node.literal());
                self.clause(&[if value { own } else { !own }])?;
            }
        }
        Ok(())
    }

    fn take(&mut self, count: usize) -> Result<(), Rejection> {
        self.budget.charge(count as u64)?;
        self.next += count;
        match self.next <= MOST_VARIABLES {
            true => Ok(()),
            false => Err(too_many_variables()),
        }
    }

    fn at(&self, step: usize, literal: Literal) -> Lit {
        let variable = self.steps[step] + literal.node().index();
        Lit::new(variable as u32, literal.is_negated())
    }
}

impl Steps for Listing<'_> {
    fn circuit(&self) -> &Circuit {
        self.circuit
    }

    fn literal(&mut self, step: usize, literal: Literal) -> Result<Lit, Rejection> {
        Ok(self.at(step, literal))
    }

    fn fresh(&mut self) -> Result<Lit, Rejection> {
        let fresh = Lit::new(self.next as u32, false);
        self.take(1)?;
        Ok(fresh)
    }

    fn clause(&mut self, literals: &[Lit]) -> Result<(), Rejection> {
        let literals = literals.iter().map(|literal| literal.to_ipasir());
        self.clauses.push(literals);
        Ok(())
    }
}
