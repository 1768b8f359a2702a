//! Circuits as formulas, in the plainest way: each step has a variable for each node.

use quotient_core::{Budget, Stop};
use quotient_netlist::{Circuit, Gate, Literal};
use rustsat::solvers::{Solve, SolveIncremental, SolverResult};
use rustsat::types::{Lit, TernaryVal};

use super::refutation::Clauses;
use crate::Rejection;

/// Steps of a circuit in a solver.
pub(super) struct Formula<'a> {
    circuit: &'a Circuit,
    solver: rustsat_batsat::BasicSolver,
    /// The first variable of each step.
    steps: Vec<usize>,
    /// The next variable that is not taken.
    next: usize,
    /// The clauses, where they are listed and not solved.
    list: Option<Clauses>,
    /// Whether each node is spelled out; by default all are.
    needed: Option<Vec<bool>>,
    budget: Budget,
}

impl<'a> Formula<'a> {
    /// No step yet.
    pub(super) fn new(circuit: &'a Circuit, budget: &Budget) -> Formula<'a> {
        let mut solver = rustsat_batsat::BasicSolver::default();
        let watched = budget.clone();
        solver
            .batsat_mut()
            .cb_mut()
            .set_stop(move || watched.poll().is_err());
        Formula {
            circuit,
            solver,
            steps: Vec::new(),
            next: 0,
            list: None,
            needed: None,
            budget: budget.clone(),
        }
    }

    /// Leaves out what some signals and the constraints do not depend on: within a step, or also
    /// in the steps before. What is left out may be anything, so that what is impossible without
    /// it is impossible with it.
    pub(super) fn only(mut self, signals: &[Literal], steps_before: bool) -> Formula<'a> {
        let mut needed = vec![false; self.circuit.graph.len()];
        let mut open: Vec<Literal> = signals.to_vec();
        open.extend(&self.circuit.constraints);
        while let Some(literal) = open.pop() {
            if std::mem::replace(&mut needed[literal.node().index()], true) {
                continue;
            }
            match self.circuit.graph.gate(literal.node()) {
                Gate::And(a, b) => open.extend([a, b]),
                Gate::Latch(number) if steps_before => {
                    open.push(self.circuit.latches()[number].next);
                }
                Gate::Constant | Gate::Input(_) | Gate::Latch(_) => {}
            }
        }
        self.needed = Some(needed);
        self
    }

    /// No step yet, and clauses that are listed only.
    pub(super) fn listing(circuit: &'a Circuit, budget: &Budget) -> Formula<'a> {
        Formula {
            list: Some(Clauses::default()),
            ..Formula::new(circuit, budget)
        }
    }

    /// How many variables there are, and the clauses that were listed.
    pub(super) fn into_list(self) -> (usize, Clauses) {
        (self.next, self.list.unwrap_or_default())
    }

    /// Adds a step with its gates and constraints; from the second on, its latches hold what the
    /// step before says.
    pub(super) fn step(&mut self) -> Result<usize, Rejection> {
        let step = self.unconstrained_step()?;
        for &constraint in &self.circuit.constraints {
            let constraint = self.literal(step, constraint);
            self.clause(&[constraint])?;
        }
        Ok(step)
    }

    /// Adds a step whose constraints count only if it is taken.
    pub(super) fn step_if(&mut self, taken: Lit) -> Result<usize, Rejection> {
        let step = self.unconstrained_step()?;
        for &constraint in &self.circuit.constraints {
            let constraint = self.literal(step, constraint);
            self.clause(&[!taken, constraint])?;
        }
        Ok(step)
    }

    fn unconstrained_step(&mut self) -> Result<usize, Rejection> {
        let step = self.steps.len();
        self.steps.push(self.next);
        self.take(self.circuit.graph.len())?;
        for (node, gate) in self.circuit.graph.nodes() {
            let needed = self.needed.as_ref();
            if needed.is_some_and(|needed| !needed[node.index()]) {
                continue;
            }
            let own = self.literal(step, node.literal());
            match gate {
                Gate::Constant => self.clause(&[!own])?,
                Gate::And(a, b) => {
                    let (a, b) = (self.literal(step, a), self.literal(step, b));
                    self.clause(&[!own, a])?;
                    self.clause(&[!own, b])?;
                    self.clause(&[own, !a, !b])?;
                }
                Gate::Latch(number) if step > 0 => {
                    let next = self.literal(step - 1, self.circuit.latches()[number].next);
                    self.clause(&[!own, next])?;
                    self.clause(&[own, !next])?;
                }
                Gate::Input(_) | Gate::Latch(_) => {}
            }
        }
        Ok(step)
    }

    /// Takes variables; the solver numbers them with 31 bits.
    fn take(&mut self, count: usize) -> Result<(), Rejection> {
        const MOST: usize = (1 << 30) - 1;
        self.budget.charge(count as u64)?;
        self.next += count;
        match self.next <= MOST {
            true => Ok(()),
            false => Err(Stop::bound("the variables of a formula", MOST as u64).into()),
        }
    }

    /// Demands that the first step is one that the circuit starts with.
    pub(super) fn start(&mut self) -> Result<(), Rejection> {
        for latch in self.circuit.latches() {
            if let Some(value) = latch.start {
                let own = self.literal(0, latch.node.literal());
                self.clause(&[if value { own } else { !own }])?;
            }
        }
        Ok(())
    }

    /// A signal in a step.
    pub(super) fn literal(&self, step: usize, literal: Literal) -> Lit {
        let variable = self.steps[step] + literal.node().index();
        named(variable, literal.is_negated())
    }

    /// A literal of a clause over latches: the latch of this number, from 1, off if negative.
    pub(super) fn latch(&self, step: usize, number: i64) -> Result<Lit, Rejection> {
        let latch = usize::try_from(number.unsigned_abs())
            .ok()
            .and_then(|number| number.checked_sub(1))
            .and_then(|number| self.circuit.latches().get(number));
        let Some(latch) = latch else {
            let message = format!("the invariant speaks of latch {number}, which is not there");
            return Err(Rejection::unreadable(message));
        };
        Ok(self.literal(step, latch.node.literal().flip_if(number < 0)))
    }

    /// Demands that two steps differ in one of some latches.
    pub(super) fn distinct(
        &mut self,
        latches: &[Literal],
        one: usize,
        other: usize,
    ) -> Result<(), Rejection> {
        let mut differences = Vec::new();
        for &latch in latches {
            let (a, b) = (self.literal(one, latch), self.literal(other, latch));
            let differs = self.fresh()?;
            self.clause(&[!differs, a, b])?;
            self.clause(&[!differs, !a, !b])?;
            differences.push(differs);
        }
        self.clause(&differences)
    }

    /// A literal that may have any value.
    pub(super) fn fresh(&mut self) -> Result<Lit, Rejection> {
        let fresh = named(self.next, false);
        self.take(1)?;
        Ok(fresh)
    }

    pub(super) fn clause(&mut self, literals: &[Lit]) -> Result<(), Rejection> {
        if let Some(list) = &mut self.list {
            list.push(literals.iter().map(|literal| literal.to_ipasir()));
            return Ok(());
        }
        self.solver.add_clause_ref(literals).map_err(broken)
    }

    /// Whether all of this can be, under assumptions.
    pub(super) fn possible(&mut self, assumptions: &[Lit]) -> Result<bool, Rejection> {
        self.budget.poll()?;
        match self.solver.solve_assumps(assumptions).map_err(broken)? {
            SolverResult::Sat => Ok(true),
            SolverResult::Unsat => Ok(false),
            SolverResult::Interrupted => {
                self.budget.poll()?;
                Err(Rejection::Stopped(Stop::Interrupted))
            }
        }
    }

    /// The value of a signal in the run just found.
    pub(super) fn value(&self, step: usize, literal: Literal) -> bool {
        let value = self.solver.lit_val(self.literal(step, literal));
        matches!(value, Ok(TernaryVal::True))
    }
}

fn named(variable: usize, negated: bool) -> Lit {
    Lit::new(variable as u32, negated)
}

fn broken(error: impl std::fmt::Display) -> Rejection {
    Rejection::unreadable(format!("the solver of the check failed: {error}"))
}
