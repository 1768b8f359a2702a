//! Runs that go on for ever, until all that they hold comes back.

use std::collections::HashMap;

use quotient_netlist::{Bits, Circuit, Run};

/// So many steps at most, and so many gates in all of them together.
const MOST_STEPS: usize = 10_000;
const MOST_GATES: usize = 20_000_000;

/// A run that goes on for ever with its round repeated until every latch holds what it held when a
/// round began. What the question depends on comes back in each round, so that each is as good as
/// the first; other latches come back some rounds later, and readers of other tools wait for these.
/// Nothing if that takes very many steps.
///
/// ```
/// use quotient_circuit::returning;
/// use quotient_netlist::{Circuit, Run};
/// let mut circuit = Circuit::new();
/// let toggle = circuit.latch(Some(false));
/// circuit.connect(toggle, !toggle);
/// let run = Run { start: vec![false].into(), inputs: vec![vec![].into()], back_to: Some(0) };
/// let whole = returning(&run, &circuit).unwrap();
/// assert_eq!((whole.inputs.len(), whole.back_to), (2, Some(0)));
/// ```
pub fn returning(run: &Run, circuit: &Circuit) -> Option<Run> {
    let round = run.inputs.get(run.back_to?..)?;
    let most = MOST_STEPS.min(MOST_GATES / circuit.graph.len());
    let mut held = run.start.clone();
    let mut inputs: Vec<Bits> = Vec::new();
    let mut seen: HashMap<Bits, usize> = HashMap::new();
    let mut part = &run.inputs[..run.back_to?];
    loop {
        for step in part {
            held = after(circuit, &held, step);
            inputs.push(step.clone());
        }
        if let Some(&first) = seen.get(&held) {
            let start = run.start.clone();
            return Some(Run {
                start,
                inputs,
                back_to: Some(first),
            });
        }
        if round.is_empty() || inputs.len() + round.len() > most {
            return None;
        }
        seen.insert(held.clone(), inputs.len());
        part = round;
    }
}

/// What the latches hold after a step.
fn after(circuit: &Circuit, held: &Bits, inputs: &Bits) -> Bits {
    let words = |bits: &Bits| -> Vec<u64> { bits.0.iter().map(|&bit| u64::from(bit)).collect() };
    let state = circuit.evaluate(&words(held), &words(inputs));
    let nexts = circuit
        .latches()
        .iter()
        .map(|latch| state.is_on(latch.next));
    nexts.collect::<Vec<bool>>().into()
}
