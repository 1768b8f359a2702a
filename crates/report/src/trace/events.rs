//! The actions matter: numbered, each with who takes part.

use quotient_language::{Step, Trace};

use crate::columns;

pub(super) fn text(trace: &Trace, width: usize) -> String {
    let table = cells(trace);
    let mut lines = columns::last_wrapped(&table, width);
    // The head is a line of its own.
    let loop_at = trace.back_to.map(|from| {
        events(trace)
            .take_while(|(number, _)| *number <= from)
            .count()
    });
    if let Some(at) = loop_at.filter(|&at| at + 1 < lines.len()) {
        lines.insert(at + 1, "then for ever:\n".to_owned());
    }
    match table.len() {
        0 | 1 => "at the very start\n".to_owned(),
        _ => lines.concat(),
    }
}

fn cells(trace: &Trace) -> Vec<Vec<String>> {
    let mut head = vec!["step".to_owned(), "action".to_owned()];
    head.extend(
        trace
            .beside
            .iter()
            .filter_map(|&at| trace.columns.get(at).cloned()),
    );
    head.push("by".to_owned());
    let mut table = vec![head];
    for (count, (_, step)) in events(trace).enumerate() {
        let mut row = vec![
            (count + 1).to_string(),
            step.action.clone().unwrap_or_default(),
        ];
        let cell = |&at: &usize| step.cells.get(at).map(|cell| cell.text.clone());
        row.extend(trace.beside.iter().map(|at| cell(at).unwrap_or_default()));
        row.push(step.by.join(", "));
        table.push(row);
    }
    table
}

/// The steps that were taken, with their numbers among the states.
fn events(trace: &Trace) -> impl Iterator<Item = (usize, &Step)> {
    let steps = trace.steps.iter().enumerate();
    steps.filter(|(_, step)| step.action.is_some())
}
