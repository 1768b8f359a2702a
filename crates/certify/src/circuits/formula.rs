//! Circuits as formulas: what is asked about steps, and the same steps for a solver.

use quotient_core::{Budget, Stop};
use quotient_netlist::{Circuit, Clause, Gate, Graph, Literal, Node};
use rustsat::solvers::{Solve, SolveIncremental, SolverResult};
use rustsat::types::{Lit, TernaryVal};

use crate::Rejection;

/// No formula has more variables: solvers number them with 31 bits.
pub(super) const MOST_VARIABLES: usize = (1 << 30) - 1;

/// Steps of a circuit in clauses.
pub(super) trait Steps {
    /// The circuit.
    fn circuit(&self) -> &Circuit;

    /// A signal in a step.
    fn literal(&mut self, step: usize, literal: Literal) -> Result<Lit, Rejection>;

    /// A literal that may have any value.
    fn fresh(&mut self) -> Result<Lit, Rejection>;

    /// Demands one of some literals.
    fn clause(&mut self, literals: &[Lit]) -> Result<(), Rejection>;

    /// A literal of a clause over latches: the latch of this number, from 1, off if negative.
    fn latch(&mut self, step: usize, number: i64) -> Result<Lit, Rejection> {
        let latch = usize::try_from(number.unsigned_abs())
            .ok()
            .and_then(|number| number.checked_sub(1))
            .and_then(|number| self.circuit().latches().get(number));
        let Some(latch) = latch else {
            let message = format!("the invariant speaks of latch {number}, which is not there");
            return Err(Rejection::unreadable(message));
        };
        let signal = latch.node.literal().flip_if(number < 0);
        self.literal(step, signal)
    }

    /// Demands that a step fulfils clauses over latches.
    fn assume(&mut self, clauses: &[Clause], step: usize) -> Result<(), Rejection> {
        for clause in clauses {
            let mut literals = Vec::new();
            for &latch in clause {
                literals.push(self.latch(step, latch)?);
            }
            self.clause(&literals)?;
        }
        Ok(())
    }

    /// Demands that two steps differ in one of some latches.
    fn distinct(&mut self, latches: &[Literal], one: usize, other: usize) -> Result<(), Rejection> {
        let mut differences = Vec::new();
        for &latch in latches {
            let (a, b) = (self.literal(one, latch)?, self.literal(other, latch)?);
            let differs = self.fresh()?;
            self.clause(&[!differs, a, b])?;
            self.clause(&[!differs, !a, !b])?;
            differences.push(differs);
        }
        self.clause(&differences)
    }
}

/// Steps of a circuit in a solver.
///
/// What is asked about is written out and nothing else: a latch of a later step is what the step
/// before says, and gates that are the same in some steps, as [`Graph`] knows it, are one. What is
/// not written out may be anything, so that what is impossible without it is impossible with it.
pub(super) struct Formula<'a> {
    circuit: &'a Circuit,
    solver: rustsat_batsat::BasicSolver,
    /// All steps as gates over inputs; the solver's variables are its nodes.
    graph: Graph,
    /// Where each signal of each step is in it, if it was asked about.
    steps: Vec<Vec<Option<Literal>>>,
    /// Whether the first step is one that the circuit starts with.
    from_start: bool,
    budget: Budget,
}

impl<'a> Formula<'a> {
    /// No step yet; the first one may be in any state.
    pub(super) fn new(circuit: &'a Circuit, budget: &Budget) -> Result<Formula<'a>, Rejection> {
        let mut solver = rustsat_batsat::BasicSolver::default();
        let watched = budget.clone();
        solver
            .batsat_mut()
            .cb_mut()
            .set_stop(move || watched.poll().is_err());
        let mut formula = Formula {
            circuit,
            solver,
            graph: Graph::new(),
            steps: Vec::new(),
            from_start: false,
            budget: budget.clone(),
        };
        formula.clause(&[named(Literal::TRUE)])?;
        Ok(formula)
    }

    /// No step yet; the first one is one that the circuit starts with.
    pub(super) fn from_start(
        circuit: &'a Circuit,
        budget: &Budget,
    ) -> Result<Formula<'a>, Rejection> {
        let from_start = true;
        let formula = Formula::new(circuit, budget)?;
        Ok(Formula {
            from_start,
            ..formula
        })
    }

    /// Adds a step with its constraints; from the second on, its latches hold what the step before
    /// says.
    pub(super) fn step(&mut self) -> Result<usize, Rejection> {
        let step = self.steps.len();
        let nodes = self.circuit.graph.len();
        // As if each signal of each step had a variable of its own: their places take memory, too.
        if (step + 1).saturating_mul(nodes) > MOST_VARIABLES {
            return Err(too_many_variables());
        }
        self.budget.charge(nodes as u64)?;
        self.steps.push(vec![None; nodes]);
        for number in 0..self.circuit.constraints.len() {
            let constraint = self.literal(step, self.circuit.constraints[number])?;
            self.clause(&[constraint])?;
        }
        Ok(step)
    }

    /// Writes out a signal of a step, after what it is made of.
    fn written(&mut self, step: usize, signal: Literal) -> Result<Literal, Rejection> {
        let mut open = Vec::new();
        loop {
            if let Some(known) = self.known(step, signal, &mut open) {
                return Ok(known);
            }
            while let Some(&(step, node)) = open.last() {
                if self.steps[step][node.index()].is_none() {
                    self.steps[step][node.index()] = self.translated(step, node, &mut open)?;
                }
                if self.steps[step][node.index()].is_some() {
                    open.pop();
                }
            }
        }
    }

    /// Where a signal is, or else it is put among those to be written out.
    fn known(
        &self,
        step: usize,
        signal: Literal,
        open: &mut Vec<(usize, Node)>,
    ) -> Option<Literal> {
        let known = self.steps[step][signal.node().index()];
        if known.is_none() {
            open.push((step, signal.node()));
        }
        known.map(|node| node.flip_if(signal.is_negated()))
    }

    /// A node of a step as gates; nothing if what it is made of must be written out before.
    fn translated(
        &mut self,
        step: usize,
        node: Node,
        open: &mut Vec<(usize, Node)>,
    ) -> Result<Option<Literal>, Rejection> {
        Ok(match self.circuit.graph.gate(node) {
            Gate::Constant => Some(Literal::FALSE),
            Gate::Input(_) => Some(self.free()?),
            Gate::And(a, b) => match (self.known(step, a, open), self.known(step, b, open)) {
                (Some(a), Some(b)) => Some(self.both(a, b)?),
                _ => None,
            },
            Gate::Latch(number) => {
                let latch = &self.circuit.latches()[number];
                match (step.checked_sub(1), latch.start) {
                    (Some(earlier), _) => self.known(earlier, latch.next, open),
                    (None, Some(value)) if self.from_start => Some(Literal::constant(value)),
                    (None, _) => Some(self.free()?),
                }
            }
        })
    }

    /// A gate that may have any value.
    fn free(&mut self) -> Result<Literal, Rejection> {
        let free = self.graph.input(0);
        self.is_within_reach()?;
        Ok(free)
    }

    /// Two gates together, which the solver is told if it is a new gate.
    fn both(&mut self, a: Literal, b: Literal) -> Result<Literal, Rejection> {
        let known = self.graph.len();
        let both = self.graph.and(a, b);
        self.is_within_reach()?;
        for node in (known..self.graph.len()).map(Node::new) {
            if let Gate::And(a, b) = self.graph.gate(node) {
                let [own, a, b] = [node.literal(), a, b].map(named);
                self.clause(&[!own, a])?;
                self.clause(&[!own, b])?;
                self.clause(&[own, !a, !b])?;
            }
        }
        Ok(both)
    }

    fn is_within_reach(&self) -> Result<(), Rejection> {
        match self.graph.len() <= MOST_VARIABLES {
            true => Ok(()),
            false => Err(too_many_variables()),
        }
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

    /// The value of a literal in the run just found.
    pub(super) fn value(&self, literal: Lit) -> bool {
        matches!(self.solver.lit_val(literal), Ok(TernaryVal::True))
    }
}

impl Steps for Formula<'_> {
    fn circuit(&self) -> &Circuit {
        self.circuit
    }

    fn literal(&mut self, step: usize, literal: Literal) -> Result<Lit, Rejection> {
        Ok(named(self.written(step, literal)?))
    }

    fn fresh(&mut self) -> Result<Lit, Rejection> {
        Ok(named(self.free()?))
    }

    fn clause(&mut self, literals: &[Lit]) -> Result<(), Rejection> {
        self.solver.add_clause_ref(literals).map_err(broken)
    }
}

/// That a formula has more variables than it may have.
pub(super) fn too_many_variables() -> Rejection {
    Stop::bound("the variables of a formula", MOST_VARIABLES as u64).into()
}

/// The variable of a gate.
fn named(literal: Literal) -> Lit {
    Lit::new(literal.node().index() as u32, literal.is_negated())
}

fn broken(error: impl std::fmt::Display) -> Rejection {
    Rejection::unreadable(format!("the solver of the check failed: {error}"))
}
