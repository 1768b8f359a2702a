//! Whether an expression of the engine's model can be true, by a SAT solver.

use quotient_core::{Budget, Stop};
use quotient_symbolic::{Expression, Model, Node, Valuation};
use rustsat::instances::ManageVars;
use rustsat::solvers::{Solve, SolveIncremental, SolverResult};
use rustsat::types::{Lit, TernaryVal};
use rustsat_batsat::BasicSolver;

/// A solver that knows some expressions of a model already.
pub(super) struct Satisfier {
    solver: BasicSolver,
    /// The literal of each node that the solver knows.
    literals: rustc_hash::FxHashMap<usize, Lit>,
    variables: rustsat::instances::BasicVarManager,
    /// The literals of the bits: current, next.
    bits: rustc_hash::FxHashMap<(u32, bool), Lit>,
}

impl Satisfier {
    pub(super) fn new(budget: &Budget) -> Satisfier {
        let mut solver = BasicSolver::default();
        let budget = budget.clone();
        solver
            .batsat_mut()
            .cb_mut()
            .set_stop(move || budget.poll().is_err());
        Satisfier {
            solver,
            literals: rustc_hash::FxHashMap::default(),
            variables: rustsat::instances::BasicVarManager::default(),
            bits: rustc_hash::FxHashMap::default(),
        }
    }

    /// Values of current and next bits that make all expressions true, if there are any.
    pub(super) fn satisfy(
        &mut self,
        model: &Model,
        expressions: &[Expression],
        budget: &Budget,
    ) -> Result<Option<(Valuation, Valuation)>, Stop> {
        let mut assumptions = Vec::new();
        for &expression in expressions {
            assumptions.push(self.literal(model, expression)?);
        }
        match self.solver.solve_assumps(&assumptions) {
            Ok(SolverResult::Unsat) => Ok(None),
            Ok(SolverResult::Sat) => Ok(Some(self.valuations(model))),
            _ => {
                budget.poll()?;
                Err(Stop::exhausted("the SAT solver gave up"))
            }
        }
    }

    fn valuations(&self, model: &Model) -> (Valuation, Valuation) {
        let mut now = Valuation::new(model.bit_count());
        let mut next = Valuation::new(model.bit_count());
        for (&(bit, is_next), &literal) in &self.bits {
            let value = matches!(self.solver.lit_val(literal), Ok(TernaryVal::True));
            match is_next {
                true => next.set(bit, value),
                false => now.set(bit, value),
            }
        }
        (now, next)
    }

    /// Tells the solver what the nodes of an expression mean (Tseitin's encoding).
    fn literal(&mut self, model: &Model, expression: Expression) -> Result<Lit, Stop> {
        for node in model.nodes_below([expression]) {
            if self.literals.contains_key(&node) {
                continue;
            }
            let result = self.variables.new_lit();
            let get = |side: Expression| {
                let literal = self.literals[&side.node()];
                if side.is_negated() { !literal } else { literal }
            };
            let clauses: Vec<Vec<Lit>> = match model.node_at(node) {
                Node::True => vec![vec![result]],
                Node::Bit { bit, next } => {
                    self.bits.insert((bit, next), result);
                    Vec::new()
                }
                Node::And(a, b) => {
                    let (a, b) = (get(a), get(b));
                    vec![vec![!result, a], vec![!result, b], vec![result, !a, !b]]
                }
                Node::Xor(a, b) => {
                    let (a, b) = (get(a), get(b));
                    vec![
                        vec![!result, a, b],
                        vec![!result, !a, !b],
                        vec![result, !a, b],
                        vec![result, a, !b],
                    ]
                }
                Node::If(test, then, other) => {
                    let (test, then, other) = (get(test), get(then), get(other));
                    vec![
                        vec![!test, !then, result],
                        vec![!test, then, !result],
                        vec![test, !other, result],
                        vec![test, other, !result],
                    ]
                }
            };
            for clause in clauses {
                let added = self.solver.add_clause(clause.into_iter().collect());
                added.map_err(|_| Stop::Memory)?;
            }
            self.literals.insert(node, result);
        }
        let literal = self.literals[&expression.node()];
        Ok(if expression.is_negated() {
            !literal
        } else {
            literal
        })
    }
}
