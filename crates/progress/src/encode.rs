//! The search for an order of a given shape as a question for a SAT solver.

use std::cell::Cell;
use std::rc::Rc;

use quotient_core::{Budget, Stop};
use rustc_hash::FxHashMap;
use rustsat::solvers::{Solve, SolverResult};
use rustsat::types::{Clause, Lit, TernaryVal};
use rustsat_batsat::BasicSolver;

use crate::machine::Symbol;
use crate::rank::{Component, End, Part};

/// What the solver says.
pub(crate) enum Found {
    Components(Vec<Component>),
    Nothing,
    /// It took too long.
    GaveUp,
}

/// Components to be found, and what is known of them. Letters are those that the order knows.
pub(crate) struct Encoder {
    machines: Vec<Machine>,
    solver: BasicSolver,
    variables: u32,
    /// That a word is greater than another.
    greater: FxHashMap<(Vec<Symbol>, Vec<Symbol>), Lit>,
    patience: Rc<Cell<u64>>,
}

/// A machine to be found. Its states after a beginning of a word are variables of that
/// beginning: words share them.
struct Machine {
    part: Part,
    /// By state, letter and state.
    next: Vec<Vec<Vec<Lit>>>,
    /// By state, letter and bit, the heaviest first.
    out: Vec<Vec<Vec<Lit>>>,
    /// For each beginning the states, one of which it leads to.
    nodes: Vec<Vec<Lit>>,
    children: FxHashMap<(u32, Symbol), u32>,
    weights: FxHashMap<(u32, Symbol), Vec<Lit>>,
}

impl Encoder {
    pub(crate) fn new(shape: &[Part], letters: usize, budget: &Budget) -> Result<Encoder, Stop> {
        let mut encoder = Encoder {
            machines: Vec::new(),
            solver: BasicSolver::default(),
            variables: 0,
            greater: FxHashMap::default(),
            patience: Rc::new(Cell::new(0)),
        };
        let (budget, patience) = (budget.clone(), encoder.patience.clone());
        let callbacks = encoder.solver.batsat_mut().cb_mut();
        callbacks.set_stop(move || {
            patience.set(patience.get().saturating_sub(1));
            patience.get() == 0 || budget.charge(1).is_err()
        });
        for &part in shape {
            let machine = encoder.machine(part, letters)?;
            encoder.machines.push(machine);
        }
        Ok(encoder)
    }

    fn machine(&mut self, part: Part, letters: usize) -> Result<Machine, Stop> {
        let rows = |encoder: &mut Encoder, width: usize| -> Vec<Vec<Vec<Lit>>> {
            let mut row = || (0..width).map(|_| encoder.fresh()).collect();
            (0..part.states)
                .map(|_| (0..letters).map(|_| row()).collect())
                .collect()
        };
        let next = match part.states {
            1 => Vec::new(),
            states => rows(self, states),
        };
        let out = rows(self, part.bits);
        for targets in next.iter().flatten() {
            self.add(targets.iter().copied())?;
            for (at, &one) in targets.iter().enumerate() {
                for &other in &targets[..at] {
                    self.add([!one, !other])?;
                }
            }
        }
        Ok(Machine {
            part,
            next,
            out,
            nodes: vec![Vec::new()],
            children: FxHashMap::default(),
            weights: FxHashMap::default(),
        })
    }

    /// A literal that is true only if a word is greater than another.
    pub(crate) fn greater(&mut self, left: &[Symbol], right: &[Symbol]) -> Result<Lit, Stop> {
        let key = (left.to_vec(), right.to_vec());
        if let Some(&known) = self.greater.get(&key) {
            return Ok(known);
        }
        let whole = self.fresh();
        self.greater.insert(key, whole);
        // While `open`, all so far was equal, and what comes must not be less.
        let mut open = whole;
        for number in 0..self.machines.len() {
            let one = self.weights(number, left)?;
            let other = self.weights(number, right)?;
            let length = one.len();
            for at in 0..length {
                let at = match self.machines[number].part.weighs {
                    End::Left => at,
                    End::Right => length - 1 - at,
                };
                for (&one, &other) in one[at].iter().zip(&other[at]) {
                    if one == other {
                        continue;
                    }
                    let still = self.fresh();
                    self.add([!open, one, !other])?;
                    self.add([!open, still, one])?;
                    self.add([!open, still, !other])?;
                    open = still;
                }
            }
        }
        self.add([!open])?;
        Ok(whole)
    }

    /// What a machine writes for each letter of a word.
    fn weights(&mut self, machine: usize, word: &[Symbol]) -> Result<Vec<Vec<Lit>>, Stop> {
        let mut weights = vec![Vec::new(); word.len()];
        let mut node = 0;
        for at in 0..word.len() {
            let at = match self.machines[machine].part.reads {
                End::Left => at,
                End::Right => word.len() - 1 - at,
            };
            weights[at] = self.weight(machine, node, word[at])?;
            node = self.child(machine, node, word[at])?;
        }
        Ok(weights)
    }

    fn weight(&mut self, machine: usize, node: u32, letter: Symbol) -> Result<Vec<Lit>, Stop> {
        let own = &self.machines[machine];
        if node == 0 {
            return Ok(own.out[0][letter as usize].clone());
        }
        if let Some(known) = own.weights.get(&(node, letter)) {
            return Ok(known.clone());
        }
        let bits = own.part.bits;
        let states = own.nodes[node as usize].clone();
        let out: Vec<Vec<Lit>> = (own.out.iter())
            .map(|row| row[letter as usize].clone())
            .collect();
        let weight: Vec<Lit> = (0..bits).map(|_| self.fresh()).collect();
        for (&state, out) in states.iter().zip(&out) {
            for (&weight, &out) in weight.iter().zip(out) {
                self.add([!state, !out, weight])?;
                self.add([!state, out, !weight])?;
            }
        }
        let known = &mut self.machines[machine].weights;
        known.insert((node, letter), weight.clone());
        Ok(weight)
    }

    fn child(&mut self, machine: usize, node: u32, letter: Symbol) -> Result<u32, Stop> {
        let own = &self.machines[machine];
        if own.part.states == 1 {
            return Ok(0);
        }
        if let Some(&known) = own.children.get(&(node, letter)) {
            return Ok(known);
        }
        let next: Vec<Vec<Lit>> = (own.next.iter())
            .map(|row| row[letter as usize].clone())
            .collect();
        let after = if node == 0 {
            next[0].clone()
        } else {
            let states = own.nodes[node as usize].clone();
            let after: Vec<Lit> = states.iter().map(|_| self.fresh()).collect();
            for (&state, next) in states.iter().zip(&next) {
                for (&next, &after) in next.iter().zip(&after) {
                    self.add([!state, !next, after])?;
                    self.add([!state, next, !after])?;
                }
            }
            after
        };
        let own = &mut self.machines[machine];
        let number = own.nodes.len() as u32;
        own.nodes.push(after);
        own.children.insert((node, letter), number);
        Ok(number)
    }

    pub(crate) fn fresh(&mut self) -> Lit {
        let literal = Lit::positive(self.variables);
        self.variables += 1;
        literal
    }

    pub(crate) fn add(&mut self, literals: impl IntoIterator<Item = Lit>) -> Result<(), Stop> {
        let clause: Clause = literals.into_iter().collect();
        self.solver
            .add_clause(clause)
            .map_err(|_| Stop::exhausted("the solver takes no more clauses"))
    }

    /// Components that fit all that was said, if the solver finds them soon enough.
    pub(crate) fn solve(&mut self, patience: u64, budget: &Budget) -> Result<Found, Stop> {
        self.patience.set(patience);
        let result = self.solver.solve();
        budget.poll()?;
        match result {
            Ok(SolverResult::Sat) => Ok(Found::Components(
                (self.machines.iter())
                    .map(|machine| self.component(machine))
                    .collect(),
            )),
            Ok(SolverResult::Unsat) => Ok(Found::Nothing),
            _ => Ok(Found::GaveUp),
        }
    }

    fn component(&self, machine: &Machine) -> Component {
        let is_true = |bit: &Lit| matches!(self.solver.lit_val(*bit), Ok(TernaryVal::True));
        let weight = |bits: &Vec<Lit>| {
            let bits = bits.iter();
            bits.fold(0, |weight, bit| 2 * weight + u32::from(is_true(bit)))
        };
        let weights: Vec<Vec<u32>> = (machine.out.iter())
            .map(|row| row.iter().map(weight).collect())
            .collect();
        let target = |targets: &Vec<Lit>| targets.iter().position(is_true).unwrap_or(0) as u32;
        let next = match machine.part.states {
            1 => vec![vec![0; weights[0].len()]],
            _ => (machine.next.iter())
                .map(|row| row.iter().map(target).collect())
                .collect(),
        };
        Component {
            part: machine.part,
            next,
            weight: weights,
        }
    }
}
