//! Proofs of the checks of an invariant, for those who trust no SAT solver.
//!
//! What makes an invariant one are formulas that cannot be satisfied: that a clause is violated at
//! the start, that a step leads out of a clause, that a state with all clauses is bad. Each is
//! written as a list of clauses ([`formulas`]), and a solver's log of what it learnt becomes a
//! refutation in LRAT (Cruz-Filipe and others, 2017): a list of clauses, each with the clauses that
//! make it true one after the other, down to the empty one (`elaborate`). To check it, a few lines
//! suffice (`lrat`).

mod elaborate;
mod formulas;
mod listing;
mod lrat;
#[cfg(test)]
mod tests;

use quotient_core::{Budget, Evidence};
use quotient_netlist::{Circuit, Literal, Proof};
use serde::{Deserialize, Serialize};

use crate::Rejection;
use formulas::formulas;

/// The kind of evidence that holds a [`Refuted`].
pub const CIRCUIT_REFUTED: &str = "circuit-refuted";

/// An invariant, and a refutation of each formula that must not be satisfiable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Refuted {
    /// The invariant.
    pub invariant: Proof,
    /// In LRAT, for each formula in its order: a clause is violated at the start, a step leads out of a
    /// clause, for proofs with a depth one of the first states is bad, a bad state is left.
    pub refutations: Vec<String>,
}

impl Refuted {
    /// Finds refutations for an invariant that shows that a signal is never on.
    ///
    /// # Errors
    /// If it does not show that, or if the budget does not suffice.
    ///
    /// ```
    /// use quotient_certify::{CIRCUIT_REFUTED, CircuitQuestion, Refuted, certify_circuit};
    /// use quotient_core::{Budget, Evidence};
    /// use quotient_netlist::{Circuit, Proof};
    /// let mut circuit = Circuit::new();
    /// let latch = circuit.latch(Some(false));
    /// let proof = Proof { clauses: vec![vec![-1]], depth: 0, distinct: false, after: 0 };
    /// let budget = Budget::unlimited();
    /// let refuted = Refuted::find(&proof, &circuit, latch, &budget).unwrap();
    /// let evidence = Evidence::of_holds(CIRCUIT_REFUTED, &refuted);
    /// let question = CircuitQuestion::Never(latch);
    /// assert!(certify_circuit(&evidence, &circuit, question, "b0", &budget).is_ok());
    /// ```
    pub fn find(
        invariant: &Proof,
        circuit: &Circuit,
        bad: Literal,
        budget: &Budget,
    ) -> Result<Refuted, Rejection> {
        let mut refutations = Vec::new();
        for cnf in formulas(invariant, circuit, bad, budget)? {
            refutations.push(elaborate::refute(&cnf, budget)?);
        }
        Ok(Refuted {
            invariant: invariant.clone(),
            refutations,
        })
    }

    /// The same as evidence, with files for other checkers of LRAT: the name of each formula, the
    /// formula in DIMACS, and its refutation.
    ///
    /// # Errors
    /// Those of [`Refuted::find`].
    pub fn evidence(
        invariant: &Proof,
        circuit: &Circuit,
        bad: Literal,
        budget: &Budget,
    ) -> Result<(Evidence, Vec<[String; 3]>), Rejection> {
        let refuted = Refuted::find(invariant, circuit, bad, budget)?;
        let all = formulas(invariant, circuit, bad, budget)?;
        let pairs = all.iter().zip(&refuted.refutations);
        let files = pairs.map(|(cnf, lrat)| [cnf.name.to_owned(), cnf.to_dimacs(), lrat.clone()]);
        let files = files.collect();
        Ok((Evidence::of_holds(CIRCUIT_REFUTED, &refuted), files))
    }
}

/// Checks that refutations show that a signal is never on.
pub(super) fn check(
    refuted: &Refuted,
    circuit: &Circuit,
    bad: Literal,
    budget: &Budget,
) -> Result<Vec<String>, Rejection> {
    let all = formulas(&refuted.invariant, circuit, bad, budget)?;
    if all.len() != refuted.refutations.len() {
        let message = format!(
            "there are {} formulas to refute, not {}",
            all.len(),
            refuted.refutations.len()
        );
        return Err(Rejection::wrong(message));
    }
    let mut facts = vec![format!("{} clauses", refuted.invariant.clauses.len())];
    for (cnf, text) in all.iter().zip(&refuted.refutations) {
        let steps = lrat::check(cnf, text, budget)?;
        facts.push(format!("{}: refuted in {steps} steps", cnf.says));
    }
    Ok(facts)
}
