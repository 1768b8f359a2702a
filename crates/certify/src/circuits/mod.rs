//! Evidence about circuits: invariants, runs, and bounds on how often something happens.

mod formula;
mod invariant;
mod liveness;
mod refutation;
mod run;
#[cfg(test)]
mod tests;

use quotient_core::{Budget, Claim, Evidence};
use quotient_netlist::{CIRCUIT_BOUND, CIRCUIT_INVARIANT, CIRCUIT_RUN, Circuit, Literal};

use crate::{Certified, Rejection, check_envelope};

pub use refutation::{CIRCUIT_REFUTED, Refuted};

/// What is asked about a circuit.
#[derive(Debug, Clone, Copy)]
pub enum CircuitQuestion<'a> {
    /// This signal is never on.
    Never(Literal),
    /// These signals are not all on infinitely often in one run (fairness is among them).
    NotForever(&'a [Literal]),
}

/// Checks evidence about a circuit.
///
/// For *never*, an invariant is accepted if every state of the start satisfies all its clauses,
/// every step under the constraints from a state that does leads to one that does, and no such
/// state shows the signal under the constraints (or, for proofs with a depth, none does after so
/// many that do not); each is asked of a SAT solver that the engine does not use, on formulas
/// made here. If it begins after so many steps, the states that are so many steps away from the
/// start must satisfy it instead, and none that is nearer may show the signal. A run is accepted if it starts where the circuit does, fulfils the constraints in
/// every step, and shows the signal in the last, all by simulation. With refutations ([`Refuted`]) no
/// solver is asked: each is followed clause by clause.
///
/// For *not for ever*, a bound is accepted if a counter of the rounds in which all signals were
/// on, built here, never passes it; a run is accepted if it returns to a state it was in, with
/// every signal on in between.
///
/// ```
/// use quotient_certify::{CircuitQuestion, certify_circuit};
/// use quotient_core::{Budget, Evidence};
/// use quotient_netlist::{CIRCUIT_INVARIANT, Circuit, Proof};
/// let mut circuit = Circuit::new();
/// let latch = circuit.latch(Some(false));
/// let proof = |clauses| Proof { clauses, depth: 0, distinct: false, after: 0 };
/// let check = |clauses| {
///     let evidence = Evidence::of_holds(CIRCUIT_INVARIANT, &proof(clauses));
///     let question = CircuitQuestion::Never(latch);
///     certify_circuit(&evidence, &circuit, question, "b0", &Budget::unlimited())
/// };
/// assert!(check(vec![vec![-1]]).is_ok());
/// assert!(check(vec![]).is_err());
/// ```
pub fn certify_circuit(
    evidence: &Evidence,
    circuit: &Circuit,
    question: CircuitQuestion<'_>,
    property: &str,
    budget: &Budget,
) -> Result<Certified, Rejection> {
    check_envelope(evidence, budget)?;
    let kind = evidence.kind.as_str();
    let facts = match (kind, evidence.claim, question) {
        (CIRCUIT_INVARIANT, Claim::Holds, CircuitQuestion::Never(bad)) => {
            invariant::check(&read(evidence)?, circuit, bad, budget)?
        }
        (CIRCUIT_REFUTED, Claim::Holds, CircuitQuestion::Never(bad)) => {
            refutation::check(&read(evidence)?, circuit, bad, budget)?
        }
        (CIRCUIT_RUN, Claim::Violated, CircuitQuestion::Never(bad)) => {
            run::check(&read(evidence)?, circuit, bad, budget)?
        }
        (CIRCUIT_RUN, Claim::Violated, CircuitQuestion::NotForever(signals)) => {
            run::check_lasso(&read(evidence)?, circuit, signals, budget)?
        }
        (CIRCUIT_BOUND, Claim::Holds, CircuitQuestion::NotForever(signals)) => {
            liveness::check(&read(evidence)?, circuit, signals, budget)?
        }
        (CIRCUIT_INVARIANT | CIRCUIT_REFUTED | CIRCUIT_RUN | CIRCUIT_BOUND, ..) => {
            let message = format!("evidence of kind `{kind}` cannot show this claim");
            return Err(Rejection::wrong(message));
        }
        _ => {
            let message = format!("`{kind}` is no kind of evidence about circuits");
            return Err(Rejection::unreadable(message));
        }
    };
    Ok(Certified {
        property: property.to_owned(),
        facts,
    })
}

/// Whether some state of the start fulfils the constraints with some inputs: else a circuit has no
/// runs.
pub fn circuit_can_begin(circuit: &Circuit, budget: &Budget) -> Result<bool, Rejection> {
    if circuit.constraints.is_empty() {
        return Ok(true);
    }
    let mut formula = formula::Formula::from_start(circuit, budget)?;
    formula.step()?;
    formula.possible(&[])
}

fn read<T: serde::de::DeserializeOwned>(evidence: &Evidence) -> Result<T, Rejection> {
    evidence
        .read()
        .map_err(|error| Rejection::unreadable(format!("the evidence cannot be read: {error}")))
}
