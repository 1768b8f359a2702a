//! Gates, as clauses for a SAT solver.
//!
//! Every gate is a new variable with the clauses that say what it is (Tseitin's encoding), so
//! values of the free literals determine the values of all gates. Nothing is asserted but
//! these definitions; what a question supposes is given when it is asked.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use quotient_core::{Budget, Stop};
use rustc_hash::FxHashMap;
use rustsat::solvers::{Solve, SolveIncremental, SolverResult};
use rustsat::types::{Lit, TernaryVal};
use rustsat_batsat::BasicSolver;

/// More variables than this are too many.
const MOST_VARIABLES: u32 = 1 << 28;

/// A growing circuit and the solver that knows it.
pub(super) struct Circuit {
    solver: BasicSolver,
    count: u32,
    yes: Lit,
    gates: FxHashMap<Gate, Lit>,
    full: bool,
    /// How many decisions the present question may still take.
    effort: Arc<AtomicU64>,
    budget: Budget,
}

#[derive(PartialEq, Eq, Hash)]
enum Gate {
    And(Lit, Lit),
    Xor(Lit, Lit),
    Choose(Lit, Lit, Lit),
}

impl Circuit {
    /// A circuit whose questions are charged to a budget.
    pub(super) fn new(budget: &Budget) -> Circuit {
        let mut solver = BasicSolver::default();
        let watched = budget.clone();
        let effort = Arc::new(AtomicU64::new(u64::MAX));
        let left = effort.clone();
        solver.batsat_mut().cb_mut().set_stop(move || {
            let more = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
                left.checked_sub(1)
            });
            more.is_err() || watched.charge(1).is_err()
        });
        let mut circuit = Circuit {
            solver,
            count: 1,
            yes: Lit::positive(0),
            gates: FxHashMap::default(),
            full: false,
            effort,
            budget: budget.clone(),
        };
        circuit.clause(&[circuit.yes]);
        circuit
    }

    /// A literal that may have any value.
    pub(super) fn free(&mut self) -> Lit {
        if self.count >= MOST_VARIABLES {
            self.full = true;
            return self.yes;
        }
        self.count += 1;
        Lit::positive(self.count - 1)
    }

    pub(super) fn constant(&self, value: bool) -> Lit {
        if value { self.yes } else { !self.yes }
    }

    fn clause(&mut self, literals: &[Lit]) {
        let added = self.solver.add_clause(literals.iter().copied().collect());
        self.full |= added.is_err();
    }

    fn gate(&mut self, gate: Gate) -> Lit {
        if let Some(&known) = self.gates.get(&gate) {
            return known;
        }
        let out = self.free();
        match gate {
            Gate::And(a, b) => {
                self.clause(&[!out, a]);
                self.clause(&[!out, b]);
                self.clause(&[out, !a, !b]);
            }
            Gate::Xor(a, b) => {
                self.clause(&[!out, a, b]);
                self.clause(&[!out, !a, !b]);
                self.clause(&[out, !a, b]);
                self.clause(&[out, a, !b]);
            }
            Gate::Choose(test, then, other) => {
                self.clause(&[!test, !then, out]);
                self.clause(&[!test, then, !out]);
                self.clause(&[test, !other, out]);
                self.clause(&[test, other, !out]);
            }
        }
        self.gates.insert(gate, out);
        out
    }

    pub(super) fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (yes, no) = (self.yes, !self.yes);
        match (a, b) {
            _ if a == no || b == no || a == !b => no,
            _ if a == yes || a == b => b,
            _ if b == yes => a,
            _ => self.gate(Gate::And(a.min(b), a.max(b))),
        }
    }

    pub(super) fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    pub(super) fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let (yes, no) = (self.yes, !self.yes);
        match (a, b) {
            _ if a == b => no,
            _ if a == !b => yes,
            _ if a == no => b,
            _ if a == yes => !b,
            _ if b == no => a,
            _ if b == yes => !a,
            _ => self.gate(Gate::Xor(a.min(b), a.max(b))),
        }
    }

    pub(super) fn choose(&mut self, test: Lit, then: Lit, other: Lit) -> Lit {
        let (yes, no) = (self.yes, !self.yes);
        match test {
            _ if test == yes || then == other => then,
            _ if test == no => other,
            _ if then == yes => self.or(test, other),
            _ if then == no => self.and(!test, other),
            _ if other == yes => self.or(!test, then),
            _ if other == no => self.and(test, then),
            _ => self.gate(Gate::Choose(test, then, other)),
        }
    }

    pub(super) fn all(&mut self, literals: impl IntoIterator<Item = Lit>) -> Lit {
        let mut result = self.yes;
        for literal in literals {
            result = self.and(result, literal);
        }
        result
    }

    pub(super) fn any(&mut self, literals: impl IntoIterator<Item = Lit>) -> Lit {
        let mut result = !self.yes;
        for literal in literals {
            result = self.or(result, literal);
        }
        result
    }

    /// Whether all these literals can be true together.
    pub(super) fn possible(&mut self, supposed: &[Lit]) -> Result<bool, Stop> {
        self.budget.poll()?;
        if self.full {
            return Err(Stop::Memory);
        }
        match self.solver.solve_assumps(supposed) {
            Ok(SolverResult::Unsat) => Ok(false),
            Ok(SolverResult::Sat) => Ok(true),
            _ => {
                self.budget.poll()?;
                Err(Stop::exhausted("the SAT solver gave up"))
            }
        }
    }

    /// The same if so many decisions suffice to say.
    pub(super) fn possible_within(
        &mut self,
        supposed: &[Lit],
        decisions: u64,
    ) -> Result<Option<bool>, Stop> {
        self.effort.store(decisions, Ordering::Relaxed);
        let found = self.possible(supposed);
        let used_up = self.effort.swap(u64::MAX, Ordering::Relaxed) == 0;
        match found {
            Err(_) if used_up => self.budget.poll().map(|()| None),
            found => found.map(Some),
        }
    }

    /// Adds what was found to follow from the gates: that these literals are not all false.
    pub(super) fn learn(&mut self, literals: &[Lit]) {
        self.clause(literals);
    }

    /// The value of a literal in the possibility found last; one that does not matter is false.
    pub(super) fn value(&self, literal: Lit) -> bool {
        matches!(self.solver.lit_val(literal), Ok(TernaryVal::True))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gates_are_determined_by_their_inputs() {
        let circuit = &mut Circuit::new(&Budget::unlimited());
        let (a, b, c) = (circuit.free(), circuit.free(), circuit.free());
        let and = circuit.and(a, b);
        let xor = circuit.xor(a, b);
        let choose = circuit.choose(a, b, c);
        for bits in 0..8u32 {
            let [x, y, z] = [0, 1, 2].map(|at| bits >> at & 1 == 1);
            let given = [(a, x), (b, y), (c, z)].map(|(l, v)| if v { l } else { !l });
            let expected = [
                (and, x && y),
                (xor, x != y),
                (choose, if x { y } else { z }),
            ];
            for (gate, value) in expected {
                let right = if value { gate } else { !gate };
                let with = |literal| [&given[..], &[literal]].concat();
                assert_eq!(circuit.possible(&with(right)), Ok(true));
                assert_eq!(circuit.possible(&with(!right)), Ok(false));
            }
        }
    }

    #[test]
    fn constants_and_repeated_inputs_need_no_gate() {
        let circuit = &mut Circuit::new(&Budget::unlimited());
        let a = circuit.free();
        let (yes, no) = (circuit.constant(true), circuit.constant(false));
        let ends = [(yes, true), (no, false)];
        for (x, value) in ends {
            for (y, other) in ends {
                assert_eq!(circuit.and(x, y), circuit.constant(value && other));
                assert_eq!(circuit.xor(x, y), circuit.constant(value != other));
                let expected = if value { other } else { true };
                assert_eq!(circuit.choose(x, y, yes), circuit.constant(expected));
                // If `a` then one, else the other.
                let mixed = match (value, other) {
                    (true, true) => yes,
                    (false, false) => no,
                    (true, false) => a,
                    (false, true) => !a,
                };
                assert_eq!(circuit.choose(a, x, y), mixed);
            }
            assert_eq!(circuit.and(a, x), if value { a } else { no });
            assert_eq!(circuit.and(x, a), if value { a } else { no });
            assert_eq!(circuit.xor(a, x), if value { !a } else { a });
            assert_eq!(circuit.xor(x, a), if value { !a } else { a });
        }
        assert_eq!((circuit.and(a, a), circuit.and(a, !a)), (a, no));
        assert_eq!((circuit.xor(a, a), circuit.xor(a, !a)), (no, yes));
    }
}
