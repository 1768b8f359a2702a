//! The formulas that an invariant makes impossible, as lists of clauses.

use std::fmt::Write;

use quotient_core::{Budget, Stop};
use quotient_netlist::{Circuit, Literal, Proof};
use rustsat::types::Lit;

use super::listing::Listing;
use crate::Rejection;
use crate::circuits::formula::Steps;
use crate::circuits::invariant::{is_within_reach, nodes_that_matter};

/// That more latches than this differ in pairs of states is not written down.
const MOST_COMPARED: usize = 1 << 22;

/// A formula in clauses. A literal is a number from 1, negative if the variable is false.
pub(super) struct Cnf {
    /// What files with it are called.
    pub(super) name: &'static str,
    /// What would be if it could be satisfied.
    pub(super) says: &'static str,
    pub(super) variables: usize,
    pub(super) clauses: Clauses,
}

impl Cnf {
    pub(super) fn to_dimacs(&self) -> String {
        let mut text = format!("p cnf {} {}\n", self.variables, self.clauses.len());
        for number in 0..self.clauses.len() {
            for literal in self.clauses.get(number) {
                // Writing to a text cannot fail.
                let _ = write!(text, "{literal} ");
            }
            text.push_str("0\n");
        }
        text
    }
}

/// Clauses one behind the other.
#[derive(Debug, Default)]
pub(super) struct Clauses {
    literals: Vec<i32>,
    ends: Vec<usize>,
}

impl Clauses {
    pub(super) fn push(&mut self, literals: impl IntoIterator<Item = i32>) {
        self.literals.extend(literals);
        self.ends.push(self.literals.len());
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// A clause by its number, from 0.
    pub(super) fn get(&self, number: usize) -> &[i32] {
        let start = match number {
            0 => 0,
            _ => self.ends[number - 1],
        };
        &self.literals[start..self.ends[number]]
    }
}

/// All formulas of an invariant, in this order: some clause is violated at the start (or where it
/// begins); a step leads out of one; if the proof has a depth or begins later, a bad state is among
/// the first; a bad state comes after those that the depth names.
pub(super) fn formulas(
    proof: &Proof,
    circuit: &Circuit,
    bad: Literal,
    budget: &Budget,
) -> Result<Vec<Cnf>, Rejection> {
    is_within_reach(proof)?;
    let depth = proof.depth.max(1);
    let mut all = vec![
        at_start(proof, circuit, budget)?,
        by_a_step(proof, circuit, budget)?,
    ];
    let first = (depth - 1).max(proof.after);
    if first > 0 {
        all.push(among_the_first(circuit, bad, first, budget)?);
    }
    all.push(after_others(proof, circuit, bad, depth, budget)?);
    Ok(all)
}

fn at_start(proof: &Proof, circuit: &Circuit, budget: &Budget) -> Result<Cnf, Rejection> {
    let mut formula = Listing::new(circuit, budget);
    for step in 0..=proof.after {
        formula.step()?;
        if step == 0 {
            formula.start()?;
        }
    }
    let mut violated = Vec::new();
    for clause in &proof.clauses {
        let mut literals = Vec::new();
        for &latch in clause {
            literals.push(formula.latch(proof.after, latch)?);
        }
        violated.push(none_of(&mut formula, &literals)?);
    }
    formula.clause(&violated)?;
    Ok(listed(
        formula,
        "start",
        "a clause is violated at the start",
    ))
}

fn by_a_step(proof: &Proof, circuit: &Circuit, budget: &Budget) -> Result<Cnf, Rejection> {
    let mut formula = Listing::new(circuit, budget);
    formula.step()?;
    formula.assume(&proof.clauses, 0)?;
    let mut violated = Vec::new();
    for clause in &proof.clauses {
        let mut literals = Vec::new();
        for &latch in clause {
            // That there is such a latch, `assume` has found out.
            let next = circuit.latches()[latch.unsigned_abs() as usize - 1].next;
            literals.push(formula.literal(0, next.flip_if(latch < 0))?);
        }
        violated.push(none_of(&mut formula, &literals)?);
    }
    formula.clause(&violated)?;
    Ok(listed(formula, "step", "a step leads out of a clause"))
}

fn among_the_first(
    circuit: &Circuit,
    bad: Literal,
    steps: usize,
    budget: &Budget,
) -> Result<Cnf, Rejection> {
    // Each number of steps is a question of its own: later constraints say nothing about a run
    // that ends before. So the constraints of a step count only if it is taken.
    let mut formula = Listing::new(circuit, budget);
    let mut reached = Vec::new();
    let mut taken: Option<Lit> = None;
    for step in 0..steps {
        let this = formula.fresh()?;
        formula.step_if(this)?;
        if step == 0 {
            formula.start()?;
        }
        if let Some(before) = taken {
            formula.clause(&[!this, before])?;
        }
        taken = Some(this);
        let shown = formula.fresh()?;
        let bad = formula.literal(step, bad)?;
        formula.clause(&[!shown, bad])?;
        formula.clause(&[!shown, this])?;
        reached.push(shown);
    }
    formula.clause(&reached)?;
    Ok(listed(formula, "first", "one of the first states is bad"))
}

fn after_others(
    proof: &Proof,
    circuit: &Circuit,
    bad: Literal,
    depth: usize,
    budget: &Budget,
) -> Result<Cnf, Rejection> {
    let mut formula = Listing::new(circuit, budget);
    for step in 0..depth {
        formula.step()?;
        formula.assume(&proof.clauses, step)?;
        if step + 1 < depth {
            let good = formula.literal(step, !bad)?;
            formula.clause(&[good])?;
        }
    }
    let last = formula.literal(depth - 1, bad)?;
    formula.clause(&[last])?;
    if proof.distinct {
        let latches = nodes_that_matter(circuit, bad);
        let pairs = depth * depth.saturating_sub(1) / 2;
        if pairs.saturating_mul(latches.len()) > MOST_COMPARED {
            return Err(Stop::bound("latches to compare", MOST_COMPARED as u64).into());
        }
        for one in 0..depth {
            for other in one + 1..depth {
                budget.poll()?;
                formula.distinct(&latches, one, other)?;
            }
        }
    }
    Ok(listed(formula, "bad", "a bad state fulfils what is shown"))
}

/// A new literal; if it is true, none of the others is.
fn none_of(formula: &mut Listing<'_>, literals: &[Lit]) -> Result<Lit, Rejection> {
    let none = formula.fresh()?;
    for &literal in literals {
        formula.clause(&[!none, !literal])?;
    }
    Ok(none)
}

fn listed(formula: Listing<'_>, name: &'static str, says: &'static str) -> Cnf {
    let (variables, clauses) = formula.into_clauses();
    Cnf {
        name,
        says,
        variables,
        clauses,
    }
}
