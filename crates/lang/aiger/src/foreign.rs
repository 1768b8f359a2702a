//! Witnesses of other tools.

use std::collections::HashMap;

use quotient_circuit::matters;
use quotient_netlist::aiger::witness::Witness;
use quotient_netlist::{Bits, Circuit, Literal, Run};

/// Reads a witness of a circuit: the property that it is about, and its run. Where the circuit
/// asks about outputs, `b0` is the first of them. Lists of ABC are read, too. What is wrong is told in
/// a line.
pub(crate) fn read(circuit: &Circuit, text: &str) -> Result<(String, Run), String> {
    if let Some(listed) = crate::listed::read(circuit, text) {
        return listed;
    }
    let witness = Witness::read(text)?;
    let (latches, inputs) = (circuit.latches().len(), circuit.inputs().len());
    if witness.start.len() != latches {
        let found = witness.start.len();
        return Err(format!("it starts with {found} latches of {latches}"));
    }
    let Some(first) = witness.inputs.first() else {
        return Err("the witness has no steps".to_owned());
    };
    if first.len() != inputs {
        let found = first.len();
        return Err(format!("its steps have {found} inputs of {inputs}"));
    }
    let mut run = Run {
        start: witness.start.into(),
        inputs: witness.inputs.into_iter().map(Bits::from).collect(),
        back_to: None,
    };
    let property = match circuit.bad.is_empty() && circuit.justice.is_empty() {
        true => witness.property.replace('b', "o"),
        false => witness.property,
    };
    if let Some(number) = property.strip_prefix('j') {
        let number: Option<usize> = number.parse().ok();
        let justice = number.and_then(|number| circuit.justice.get(number));
        let none = || format!("the circuit has no justice `{property}`");
        let mut signals = justice.ok_or_else(none)?.clone();
        signals.extend(&circuit.fairness);
        come_back(circuit, &signals, &mut run)?;
    }
    Ok((property, run))
}

/// Finds out where a run goes on for ever: in the first of the states that it comes back to in
/// the end, after its last step or in it, as far as some signals depend on them.
fn come_back(circuit: &Circuit, signals: &[Literal], run: &mut Run) -> Result<(), String> {
    let mut seen: HashMap<Vec<bool>, usize> = HashMap::new();
    let mut last: Option<(usize, usize)> = None;
    let states = run.states(circuit);
    let (_, cone) = matters(circuit, signals);
    let latches = || {
        let latches = circuit.latches().iter().zip(&cone);
        latches
            .filter(|(_, matters)| **matters)
            .map(|(latch, _)| latch)
    };
    for (step, state) in states.iter().enumerate() {
        let here: Vec<bool> = latches()
            .map(|latch| state.is_on(latch.node.literal()))
            .collect();
        let first = *seen.entry(here).or_insert(step);
        if first < step {
            last = Some((first, step));
        }
    }
    let after = states.last().map(|state| {
        let next = latches().map(|latch| state.is_on(latch.next));
        next.collect::<Vec<bool>>()
    });
    let back_to = after.and_then(|after| seen.get(&after).copied());
    match (back_to, last) {
        (Some(back_to), _) => run.back_to = Some(back_to),
        (None, Some((first, step))) if step + 1 == states.len() => {
            run.inputs.truncate(step);
            run.back_to = Some(first);
        }
        _ => return Err("it comes back to none of its states".to_owned()),
    }
    Ok(())
}
