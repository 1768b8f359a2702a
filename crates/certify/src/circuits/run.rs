//! Runs of circuits, by simulation.

use quotient_core::Budget;
use quotient_netlist::{Circuit, Gate, Literal, Run};

use super::invariant::latches_that_matter;
use crate::Rejection;

/// Checks that a run violates *this signal is never on*.
pub(super) fn check(
    run: &Run,
    circuit: &Circuit,
    bad: Literal,
    budget: &Budget,
) -> Result<Vec<String>, Rejection> {
    if run.back_to.is_some() {
        return Err(Rejection::wrong(
            "a run to a bad state does not go on for ever",
        ));
    }
    let mut shown = false;
    simulate(run, circuit, budget, |_, state| shown = on(state, bad))?;
    if !shown {
        return Err(Rejection::wrong("the signal is off in the last step"));
    }
    let steps = run.inputs.len();
    Ok(vec![
        "the run starts where the circuit does".to_owned(),
        format!("the constraints hold in each of its {steps} steps"),
        "the signal is on in the last step".to_owned(),
    ])
}

/// Checks that a run goes on for ever with all signals on again and again.
///
/// It must come back to what the signals and the constraints depend on in any number of steps: with the
/// same inputs all of these then go round. Other latches need not come back.
pub(super) fn check_lasso(
    run: &Run,
    circuit: &Circuit,
    signals: &[Literal],
    budget: &Budget,
) -> Result<Vec<String>, Rejection> {
    let steps = run.inputs.len();
    let Some(back_to) = run.back_to.filter(|&step| step < steps) else {
        return Err(Rejection::wrong("the run does not go on for ever"));
    };
    let matters = latches_that_matter(circuit, signals);
    let mut returned = Vec::new();
    let mut seen = vec![false; signals.len()];
    let last = simulate(run, circuit, budget, |step, state| {
        if step == back_to {
            let latches = circuit.latches().iter();
            returned = latches
                .map(|latch| on(state, latch.node.literal()))
                .collect();
        }
        if step >= back_to {
            for (seen, &signal) in seen.iter_mut().zip(signals) {
                *seen |= on(state, signal);
            }
        }
    })?;
    let mut ends = last.iter().zip(&returned).zip(&matters);
    if !ends.all(|((last, returned), matters)| !matters || last == returned) {
        return Err(Rejection::wrong(
            "the run does not return to the state it claims to",
        ));
    }
    if let Some(number) = seen.iter().position(|seen| !seen) {
        let message = format!(
            "signal {} of the property is never on in the loop",
            number + 1
        );
        return Err(Rejection::wrong(message));
    }
    Ok(vec![
        "the run starts where the circuit does".to_owned(),
        format!("the constraints hold in each of its {steps} steps"),
        match matters.iter().all(|matters| *matters) {
            true => format!("it returns to the state of step {back_to}"),
            false => format!("it returns to what matters of the state of step {back_to}"),
        },
        "each signal is on in the loop".to_owned(),
    ])
}

/// The value of each node in each step, gate by gate; gives the latches after the last.
fn simulate(
    run: &Run,
    circuit: &Circuit,
    budget: &Budget,
    mut look: impl FnMut(usize, &[bool]),
) -> Result<Vec<bool>, Rejection> {
    let latches = circuit.latches();
    if run.start.0.len() != latches.len() {
        return Err(Rejection::unreadable(
            "the run gives values to other latches",
        ));
    }
    for (number, (latch, &value)) in latches.iter().zip(&run.start.0).enumerate() {
        if latch.start.is_some_and(|start| start != value) {
            let name = circuit.latch_name(number);
            let message = format!("the latch {name} does not start as the run says");
            return Err(Rejection::wrong(message));
        }
    }
    let mut held = run.start.0.clone();
    let mut state: Vec<bool> = Vec::with_capacity(circuit.graph.len());
    for (step, inputs) in run.inputs.iter().enumerate() {
        budget.charge(circuit.graph.len() as u64)?;
        if inputs.0.len() != circuit.inputs().len() {
            return Err(Rejection::unreadable(
                "the run gives values to other inputs",
            ));
        }
        state.clear();
        for (_, gate) in circuit.graph.nodes() {
            let value = match gate {
                Gate::Constant => false,
                Gate::Input(number) => inputs.0[number],
                Gate::Latch(number) => held[number],
                Gate::And(a, b) => on(&state, a) && on(&state, b),
            };
            state.push(value);
        }
        if let Some(number) = circuit.constraints.iter().position(|&one| !on(&state, one)) {
            let message = format!("constraint {number} is violated in step {step}");
            return Err(Rejection::wrong(message));
        }
        held = latches.iter().map(|latch| on(&state, latch.next)).collect();
        look(step, &state);
    }
    Ok(held)
}

fn on(state: &[bool], literal: Literal) -> bool {
    state[literal.node().index()] != literal.is_negated()
}
