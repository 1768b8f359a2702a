//! Runs in the names of the circuit.

use quotient_circuit::matters;
use quotient_language::{Cell, Layout, Step, Trace};
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
    trace.back_to = run.back_to;
    if left_out > 0 {
        let line = format!("{left_out} more inputs and latches are in the witness");
        trace.ending.push(line);
    }
    trace.mark_changes()
}
