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
        let mut satisfier = Satisfier {
            solver: BasicSolver::default(),
            literals: rustc_hash::FxHashMap::default(),
            variables: rustsat::instances::BasicVarManager::default(),
            bits: rustc_hash::FxHashMap::default(),
        };
        satisfier.watch(budget);
        satisfier
    }

    /// From now on, another budget counts.
    pub(super) fn watch(&mut self, budget: &Budget) {
        let budget = budget.clone();
        let callbacks = self.solver.batsat_mut().cb_mut();
        callbacks.set_stop(move || budget.poll().is_err());
    }

    /// Values of current and next bits that make all expressions true, if there are any.
    pub(super) fn satisfy(
        &mut self,
        model: &Model,
        expressions: &[Expression],
        budget: &Budget,
    ) -> Result<Option<(Valuation, Valuation)>, Stop> {
        let assumptions = self.all_literals(model, expressions)?;
        self.solve(model, &assumptions, budget)
    }

    /// Different values of some bits that make all expressions true, at most so many; and
    /// whether there are more.
    pub(super) fn enumerate(
        &mut self,
        model: &Model,
        expressions: &[Expression],
        over: &[Expression],
        limit: usize,
        budget: &Budget,
    ) -> Result<(Vec<(Valuation, Valuation)>, bool), Stop> {
        let mut assumptions = self.all_literals(model, expressions)?;
        let over = self.all_literals(model, over)?;
        // What excludes the values found so far counts only while this is assumed.
        let searching = self.variables.new_lit();
        assumptions.push(searching);
        let mut found = Vec::new();
        let mut more = false;
        while let Some(values) = self.solve(model, &assumptions, budget)? {
            if found.len() == limit {
                more = true;
                break;
            }
            found.push(values);
            let is_true = |&bit: &Lit| matches!(self.solver.lit_val(bit), Ok(TernaryVal::True));
            let differs = over
                .iter()
                .map(|bit| if is_true(bit) { !*bit } else { *bit });
            let clause: Vec<Lit> = differs.chain([!searching]).collect();
            self.add(clause)?;
        }
        self.add(vec![!searching])?;
        Ok((found, more))
    }

    /// Values that make all expressions true, with some bits tossed like coins in this order, as
    /// far as that is possible.
    pub(super) fn toss(
        &mut self,
        model: &Model,
        expressions: &[Expression],
        coins: &[(Expression, bool)],
        budget: &Budget,
    ) -> Result<Option<(Valuation, Valuation)>, Stop> {
        let mut assumptions = self.all_literals(model, expressions)?;
        let bits: Vec<Expression> = coins.iter().map(|&(bit, _)| bit).collect();
        let bits = self.all_literals(model, &bits)?;
        let Some(mut values) = self.solve(model, &assumptions, budget)? else {
            return Ok(None);
        };
        let value = |satisfier: &Satisfier, bit: Lit| {
            matches!(satisfier.solver.lit_val(bit), Ok(TernaryVal::True))
        };
        let mut known: Vec<bool> = bits.iter().map(|&bit| value(self, bit)).collect();
        for (at, &(_, wanted)) in coins.iter().enumerate() {
            let literal = |value: bool| if value { bits[at] } else { !bits[at] };
            assumptions.push(literal(wanted));
            if known[at] == wanted {
                continue;
            }
            match self.solve(model, &assumptions, budget)? {
                Some(found) => {
                    values = found;
                    known = bits.iter().map(|&bit| value(self, bit)).collect();
                }
                None => {
                    assumptions.pop();
                    assumptions.push(literal(!wanted));
                }
            }
        }
        Ok(Some(values))
    }

    fn all_literals(
        &mut self,
        model: &Model,
        expressions: &[Expression],
    ) -> Result<Vec<Lit>, Stop> {
        let literals = expressions.iter();
        literals.map(|&one| self.literal(model, one)).collect()
    }

    fn add(&mut self, clause: Vec<Lit>) -> Result<(), Stop> {
        let added = self.solver.add_clause(clause.into_iter().collect());
        added.map_err(|_| Stop::Memory)
    }

    fn solve(
        &mut self,
        model: &Model,
        assumptions: &[Lit],
        budget: &Budget,
    ) -> Result<Option<(Valuation, Valuation)>, Stop> {
        budget.poll()?;
        match self.solver.solve_assumps(assumptions) {
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
                self.add(clause)?;
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
