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
