//! The states matter: numbered, each with what is new in it.

use quotient_language::text::wrap;
use quotient_language::{Step, Trace};

/// The columns for what changes in a step.
const ROOM: usize = 60;
/// Actions wider than this do not push the states to the right.
const WIDEST_ACTION: usize = 30;

pub(super) fn text(trace: &Trace, _width: usize) -> String {
    let rows = cells(trace);
    let rows = &rows[1..];
    let width = rows.iter().map(|row| row[1].chars().count()).max();
    let width = width.unwrap_or(0).min(WIDEST_ACTION);
    let mut text = String::new();
    for row in rows {
        let mut lines = row[2].lines();
        let first = lines.next().unwrap_or_default();
        text.push_str(format!("{:>4}  {:<width$}  {first}", row[0], row[1]).trim_end());
        text.push('\n');
        for line in lines {
            text.push_str(&format!("{:>4}  {:<width$}  {line}\n", "", ""));
        }
    }
    text
}

fn cells(trace: &Trace) -> Vec<Vec<String>> {
    let mut rows = vec![["", "step", "configuration"].map(str::to_owned).to_vec()];
    for (number, step) in trace.steps.iter().enumerate() {
        let action = step.action.clone().unwrap_or_default();
        rows.push(vec![number.to_string(), action, told(trace, number)]);
    }
    rows
}

/// What is new in a state, in words.
pub(super) fn told(trace: &Trace, number: usize) -> String {
    let Some(step) = trace.steps.get(number) else {
        return String::new();
    };
    let mut text = match plain(trace, step) {
        Some(word) => word,
        None => equations(trace, step, number == 0),
    };
    if let Some(remark) = &step.remark {
        text = match text.is_empty() {
            true => format!("-- {remark}"),
            false => format!("-- {remark}\n{text}"),
        };
    }
    text
}

/// A state that is one thing without a name.
fn plain(trace: &Trace, step: &Step) -> Option<String> {
    match (&trace.columns[..], &step.cells[..]) {
        ([column], [cell]) if column.is_empty() => Some(cell.text.clone()),
        ([], _) => Some(String::new()),
        // The step back to the loop has no cells of its own.
        (_, []) => Some(String::new()),
        _ => None,
    }
}

fn equations(trace: &Trace, step: &Step, all: bool) -> String {
    let cells = trace.columns.iter().zip(&step.cells);
    let new = cells.filter(|(_, cell)| (all || cell.changed) && !cell.text.is_empty());
    let new: Vec<String> = new
        .map(|(name, cell)| format!("{name} = {}", cell.text))
        .collect();
    match new.is_empty() {
        true => "(nothing changes)".to_owned(),
        false => wrap(&new.join(", "), ROOM),
    }
}
