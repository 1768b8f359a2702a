//! Invariants of circuits.

use std::collections::HashMap;

use quotient_core::Budget;
use quotient_netlist::{Circuit, Clause, Gate, Literal, Proof};
use rustsat::types::Lit;

use super::formula::{Formula, Steps};
use crate::Rejection;

/// A proof with a larger depth than this is not looked at.
pub(super) const MOST_STEPS: usize = 10_000;

/// Checks that a proof shows that a signal is never on.
pub(super) fn check(
    proof: &Proof,
    circuit: &Circuit,
    bad: Literal,
    budget: &Budget,
) -> Result<Vec<String>, Rejection> {
    is_within_reach(proof)?;
    holds_after(proof, circuit, budget)?;
    is_kept(&proof.clauses, circuit, budget)?;
    let clauses = proof.clauses.len();
    let mut facts = vec![match proof.after {
        0 => format!("{clauses} clauses hold at the start"),
        steps => format!("{clauses} clauses hold after {steps} steps"),
    }];
    facts.push("every step under the constraints keeps them".to_owned());
    if proof.after > 0 {
        starts_well(circuit, bad, proof.after, budget)?;
        facts.push(format!("the first {} states are not bad", proof.after));
    }
    let depth = proof.depth.max(1);
    if depth > 1 {
        starts_well(circuit, bad, depth - 1, budget)?;
        facts.push(format!("the first {} states are not bad", depth - 1));
    }
    goes_on_well(proof, circuit, bad, depth, budget)?;
    facts.push(match (depth, proof.distinct) {
        (1, _) => "no state with them is bad".to_owned(),
        (_, false) => format!(
            "after {} states that are not bad there is no bad one",
            depth - 1
        ),
        (_, true) => format!(
            "after {} different states that are not bad there is no bad one",
            depth - 1
        ),
    });
    Ok(facts)
}

/// A proof that asks for too many steps, or that mixes two ways to begin, is none.
pub(super) fn is_within_reach(proof: &Proof) -> Result<(), Rejection> {
    if proof.depth.max(proof.after) > MOST_STEPS {
        let message = format!("induction over more than {MOST_STEPS} steps is not checked");
        return Err(Rejection::unreadable(message));
    }
    if proof.after > 0 && (proof.depth > 1 || proof.distinct) {
        let message = "an invariant that begins later goes with no induction over several steps";
        return Err(Rejection::unreadable(message));
    }
    Ok(())
}

/// The clauses hold where they are said to begin: at the start, or after so many steps.
fn holds_after(proof: &Proof, circuit: &Circuit, budget: &Budget) -> Result<(), Rejection> {
    let last = proof.after;
    let mut formula = Formula::from_start(circuit, budget)?;
    for _ in 0..=last {
        formula.step()?;
    }
    for (number, clause) in proof.clauses.iter().enumerate() {
        let mut opposite = Vec::new();
        for &latch in clause {
            opposite.push(!formula.latch(last, latch)?);
        }
        if formula.possible(&opposite)? {
            let place = match last {
                0 => "at the start".to_owned(),
                steps => format!("after {steps} steps"),
            };
            let message = format!("clause {} does not hold {place}", number + 1);
            return Err(Rejection::wrong(message));
        }
    }
    Ok(())
}

fn is_kept(clauses: &[Clause], circuit: &Circuit, budget: &Budget) -> Result<(), Rejection> {
    let mut formula = Formula::new(circuit, budget)?;
    formula.step()?;
    formula.assume(clauses, 0)?;
    // What depends on few gates comes first: it is shown soon, and may help with what is built on it.
    let latches = circuit.latches();
    let height = |clause: &Clause| {
        let numbers = clause.iter().map(|latch| latch.unsigned_abs());
        let numbers = numbers.filter_map(|number| usize::try_from(number).ok()?.checked_sub(1));
        let nexts = numbers.filter_map(|number| latches.get(number));
        nexts.map(|latch| latch.next.node().index()).max()
    };
    let mut ordered: Vec<(usize, &Clause)> = clauses.iter().enumerate().collect();
    ordered.sort_by_cached_key(|(_, clause)| height(clause));
    for (number, clause) in ordered {
        let mut opposite = Vec::new();
        for &latch in clause {
            // That there is such a latch, `assume` has found out.
            let next = latches[latch.unsigned_abs() as usize - 1].next;
            opposite.push(formula.literal(0, next.flip_if(latch > 0))?);
        }
        if formula.possible(&opposite)? {
            let message = format!("a step leads out of clause {}", number + 1);
            return Err(Rejection::wrong(message));
        }
        if !opposite.is_empty() {
            let shown: Vec<_> = opposite.iter().map(|&literal| !literal).collect();
            formula.clause(&shown)?;
        }
    }
    Ok(())
}

/// No bad state among the first ones.
fn starts_well(
    circuit: &Circuit,
    bad: Literal,
    steps: usize,
    budget: &Budget,
) -> Result<(), Rejection> {
    let mut formula = Formula::from_start(circuit, budget)?;
    for step in 0..steps {
        formula.step()?;
        let bad = formula.literal(step, bad)?;
        if formula.possible(&[bad])? {
            let message = format!("a bad state can be reached in {step} steps");
            return Err(Rejection::wrong(message));
        }
    }
    Ok(())
}

/// No bad state after so many with the invariant that are not bad.
fn goes_on_well(
    proof: &Proof,
    circuit: &Circuit,
    bad: Literal,
    depth: usize,
    budget: &Budget,
) -> Result<(), Rejection> {
    let mut formula = Formula::new(circuit, budget)?;
    for step in 0..depth {
        formula.step()?;
        formula.assume(&proof.clauses, step)?;
        if step + 1 < depth {
            let good = formula.literal(step, !bad)?;
            formula.clause(&[good])?;
        }
    }
    let last = formula.literal(depth - 1, bad)?;
    let latches = nodes_that_matter(circuit, bad);
    let states = match proof.distinct {
        true => states(&mut formula, &latches, depth)?,
        false => Vec::new(),
    };
    while formula.possible(&[last])? {
        let repeated = repetitions(&formula, &states);
        if repeated.is_empty() {
            return Err(Rejection::wrong(
                "the invariant does not keep bad states out",
            ));
        }
        for (one, other) in repeated {
            formula.distinct(&latches, one, other)?;
        }
    }
    Ok(())
}

/// The latches that the signal or the constraints depend on in any number of steps. A shortest
/// run to a bad state never repeats their values.
pub(super) fn nodes_that_matter(circuit: &Circuit, bad: Literal) -> Vec<Literal> {
    let matters = latches_that_matter(circuit, &[bad]);
    let latches = circuit.latches().iter().zip(matters);
    latches
        .filter(|(_, matters)| *matters)
        .map(|(latch, _)| latch.node.literal())
        .collect()
}

/// Of each latch whether some signals or the constraints depend on it in any number of steps.
pub(super) fn latches_that_matter(circuit: &Circuit, signals: &[Literal]) -> Vec<bool> {
    let mut marked = vec![false; circuit.graph.len()];
    let mut open: Vec<Literal> = circuit.constraints.clone();
    open.extend(signals);
    while let Some(literal) = open.pop() {
        if std::mem::replace(&mut marked[literal.node().index()], true) {
            continue;
        }
        match circuit.graph.gate(literal.node()) {
            Gate::And(a, b) => open.extend([a, b]),
            Gate::Latch(number) => open.push(circuit.latches()[number].next),
            Gate::Constant | Gate::Input(_) => {}
        }
    }
    let latches = circuit.latches().iter();
    latches.map(|latch| marked[latch.node.index()]).collect()
}

/// The latches of all steps.
fn states(
    formula: &mut Formula<'_>,
    latches: &[Literal],
    steps: usize,
) -> Result<Vec<Vec<Lit>>, Rejection> {
    let mut states = Vec::new();
    for step in 0..steps {
        let state = latches.iter().map(|&latch| formula.literal(step, latch));
        states.push(state.collect::<Result<_, _>>()?);
    }
    Ok(states)
}

/// Steps of the run just found whose state an earlier step has, too.
fn repetitions(formula: &Formula<'_>, states: &[Vec<Lit>]) -> Vec<(usize, usize)> {
    let mut seen: HashMap<Vec<bool>, usize> = HashMap::new();
    let mut found = Vec::new();
    for (step, latches) in states.iter().enumerate() {
        let state = latches.iter().map(|&latch| formula.value(latch)).collect();
        match seen.get(&state) {
            Some(&earlier) => found.push((earlier, step)),
            None => {
                seen.insert(state, step);
            }
        }
    }
    found
}
