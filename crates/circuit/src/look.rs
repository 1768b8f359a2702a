//! What there is to doubt about a circuit.

use quotient_core::{Budget, Stop};
use quotient_netlist::{Circuit, Literal};

use crate::reduce::{constants, sequential_cone, starts};
use crate::unroll::Unrolling;

/// The value of each latch that never changes, as far as a calculation with three values shows.
///
/// ```
/// use quotient_core::Budget;
/// use quotient_netlist::Circuit;
/// let mut circuit = Circuit::new();
/// circuit.latch(Some(true));
/// let stuck = quotient_circuit::stuck_latches(&circuit, &Budget::unlimited()).unwrap();
/// assert_eq!(stuck, [Some(true)]);
/// ```
pub fn stuck_latches(circuit: &Circuit, budget: &Budget) -> Result<Vec<Option<bool>>, Stop> {
    constants(circuit, starts(circuit), budget)
}

/// The most states that a run of the circuit can have, if that is less than asked: constraints
/// may end all runs, or leave none.
pub fn longest_run(circuit: &Circuit, most: usize, budget: &Budget) -> Result<Option<usize>, Stop> {
    if circuit.constraints.is_empty() {
        return Ok(None);
    }
    let mut unrolling = Unrolling::new(circuit, true);
    for steps in 0..most {
        budget.charge(circuit.graph.len() as u64)?;
        if !unrolling.ask(Literal::TRUE, budget)? {
            return Ok(Some(steps));
        }
        unrolling.extend();
    }
    Ok(None)
}

/// Whether no state at all shows a signal, reached or not: what holds like that does not depend on what the
/// circuit does, nor on how it starts.
///
/// ```
/// use quotient_core::Budget;
/// use quotient_netlist::Circuit;
/// let mut circuit = Circuit::new();
/// let (one, other) = (circuit.latch(Some(false)), circuit.latch(Some(false)));
/// let (both, odd) = (circuit.graph.and(one, other), circuit.graph.xor(one, other));
/// let neither = circuit.graph.and(both, odd);
/// let budget = Budget::unlimited();
/// assert!(quotient_circuit::no_state_shows(&circuit, neither, &budget).unwrap());
/// assert!(!quotient_circuit::no_state_shows(&circuit, both, &budget).unwrap());
/// ```
pub fn no_state_shows(circuit: &Circuit, signal: Literal, budget: &Budget) -> Result<bool, Stop> {
    budget.charge(circuit.graph.len() as u64)?;
    let mut unrolling = Unrolling::new(circuit, false);
    let signal = unrolling.at_last(signal);
    Ok(!unrolling.ask(signal, budget)?)
}

/// Which inputs and which latches some signals and all constraints depend on in any number of
/// steps.
pub fn matters(circuit: &Circuit, signals: &[Literal]) -> (Vec<bool>, Vec<bool>) {
    let mut roots = circuit.constraints.clone();
    roots.extend(signals);
    let marks = sequential_cone(circuit, &roots);
    let inputs = circuit.inputs().iter().map(|node| marks[node.index()]);
    let latches = circuit.latches().iter();
    let latches = latches.map(|latch| marks[latch.node.index()]);
    (inputs.collect(), latches.collect())
}
