//! Runs in the names of the circuit.

use quotient_circuit::matters;
use quotient_language::{Cell, Layout, Step, Trace};
use quotient_netlist::wave::Wave;
use quotient_netlist::{Circuit, Literal, Run};

/// The most columns of a run that is shown.
const MOST_COLUMNS: usize = 100;

/// A run with the inputs and latches that the signals depend on.
pub(crate) fn of(circuit: &Circuit, signals: &[Literal], run: &Run) -> Trace {
    let (inputs, latches) = matters(circuit, signals);
    let mut columns: Vec<(String, Literal)> = Vec::new();
    for (number, node) in circuit.inputs().iter().enumerate() {
        if inputs[number] {
            columns.push((circuit.input_name(number), node.literal()));
        }
    }
    for (number, latch) in circuit.latches().iter().enumerate() {
        if latches[number] {
            columns.push((circuit.latch_name(number), latch.node.literal()));
        }
    }
    let left_out = columns.len().saturating_sub(MOST_COLUMNS);
    columns.truncate(MOST_COLUMNS);
    let layout = if columns.len() <= 16 {
        Layout::Grid
    } else {
        Layout::States
    };
    let mut trace = Trace::new(layout, columns.iter().map(|(name, _)| name.clone()));
    for (number, state) in run.states(circuit).iter().enumerate() {
        let cell = |(_, signal): &(String, Literal)| {
            Cell::new(if state.is_on(*signal) { "1" } else { "0" })
        };
        let cells: Vec<Cell> = columns.iter().map(cell).collect();
        trace.steps.push(match number {
            0 => Step::start(cells),
            _ => Step::of("step", cells),
        });
    }
    if let Some(back) = run.back_to.and_then(|at| trace.steps.get(at)) {
        // After the last step all of this is as it was there.
        let cells = back.cells.clone();
        trace.steps.push(Step::of("step", cells));
        trace.back_to = run.back_to;
    }
    if left_out > 0 {
        let line = format!("{left_out} more inputs and latches are in the witness");
        trace.ending.push(line);
    }
    trace.mark_changes()
}

/// All inputs and latches, and the signals asked about, step by step.
pub(crate) fn waves(circuit: &Circuit, signals: &[Literal], run: &Run) -> Vec<Wave> {
    let inputs = circuit.inputs().iter().enumerate();
    let inputs = inputs.map(|(number, node)| (circuit.input_name(number), node.literal()));
    let latches = circuit.latches().iter().enumerate();
    let latches = latches.map(|(number, latch)| (circuit.latch_name(number), latch.node.literal()));
    let asked = signals.iter().enumerate();
    let asked = asked.map(|(number, &signal)| (format!("asked{number}"), signal));
    let states = run.states(circuit);
    let value = |signal: Literal| {
        let digit = |on: bool| if on { "1" } else { "0" };
        let values = states.iter().map(|state| digit(state.is_on(signal)));
        values.map(str::to_owned).collect()
    };
    let wave = |(name, signal)| Wave {
        name,
        width: 1,
        values: value(signal),
    };
    inputs.chain(latches).chain(asked).map(wave).collect()
}
