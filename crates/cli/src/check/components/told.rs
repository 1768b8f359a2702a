//! Traces of components as tables: what happens, and who does it.

use quotient_compose::Wait;
use quotient_fsp::{Step, Waiting};
use serde_json::{Value, json};

use crate::check::Table;

/// One row a step: the action, and where it takes the components; then, where nothing more can
/// happen, where they are stuck.
pub(crate) fn told_table(steps: &[Step], end: &[Waiting]) -> Table {
    table(steps, steps.len(), &[], &stuck("deadlock", end), end)
}

/// The same for an execution that goes on for ever with the steps after the first `way`, with
/// the fluents that are true after each step, if any are of interest. Without such steps it comes
/// to its end, well or not.
pub(crate) fn infinite_table(
    steps: &[Step],
    way: usize,
    truths: &[String],
    end: &[Waiting],
) -> Table {
    // Those who wait for what has ended may do so for ever; the verdict says if that is wrong.
    let title = match end.iter().any(|end| end.ended) {
        true => "end",
        false => "deadlock",
    };
    table(steps, way, truths, &stuck(title, end), end)
}

fn table(steps: &[Step], way: usize, truths: &[String], stuck: &str, end: &[Waiting]) -> Table {
    let titles = ["step", "action", "true", "by"];
    let mut cells = vec![titles.map(str::to_owned).to_vec()];
    for (number, step) in steps.iter().enumerate() {
        cells.push(vec![
            (number + 1).to_string(),
            shown_label(step),
            truths.get(number).cloned().unwrap_or_default(),
            moves(step),
        ]);
    }
    if truths.is_empty() {
        cells.iter_mut().for_each(|row| {
            row.remove(2);
        });
    }
    let mut lines = columns(&cells);
    if way < steps.len() {
        lines.insert(way + 1, "then for ever:\n".to_owned());
    }
    let mut text = match steps.is_empty() {
        true => "at the very start\n".to_owned(),
        false => lines.concat(),
    };
    text.push_str(stuck);
    let mut told: Vec<Value> = steps[..way].iter().map(step_json).collect();
    for (step, truth) in told.iter_mut().zip(truths) {
        step["fluents"] = truth.split_whitespace().collect();
    }
    let mut json = json!({ "steps": told });
    if !end.is_empty() {
        json["waiting"] = end.iter().map(waiting_json).collect();
    }
    Table { text, cells, json }
}

/// An action, in brackets where the system hides it.
pub(crate) fn shown_label(step: &Step) -> String {
    match step.hidden {
        true => format!("({})", step.label),
        false => step.label.clone(),
    }
}

/// Who takes part in a step, and what they become.
pub(crate) fn moves(step: &Step) -> String {
    let moves = step.moves.iter().map(|one| match &one.state {
        Some(state) => format!("{} → {state}", one.component),
        None => one.component.clone(),
    });
    moves.collect::<Vec<_>>().join(", ")
}

/// Why nothing happens any more: who waits for what, and who is not ready for it.
fn stuck(title: &str, end: &[Waiting]) -> String {
    let acting: Vec<&Waiting> = end.iter().filter(|end| !end.watches).collect();
    if end.is_empty() {
        return String::new();
    }
    let mut text = format!("{title}: nothing can happen any more\n");
    for end in acting {
        let line = wrapped(&waiting_line(end), WIDTH - 6, 6);
        text.push_str(&format!("  {line}\n"));
    }
    text
}

/// What one component is ready for.
pub(crate) fn waiting_line(end: &Waiting) -> String {
    let at = match &end.state {
        Some(state) if !end.component.ends_with(state.as_str()) => format!(", at {state},"),
        _ => String::new(),
    };
    if end.waits.is_empty() {
        let done = match (end.ended, end.state.as_deref()) {
            (true, _) => "has ended well (END)",
            (_, Some("STOP")) => "has stopped (STOP)",
            (_, Some("ERROR")) => "is in ERROR",
            _ => "does nothing more",
        };
        return format!("{} {done}", end.component);
    }
    let mut waits: Vec<String> = end.waits.iter().map(wait).collect();
    waits.sort();
    waits.dedup();
    format!("{}{at} waits for {}", end.component, waits.join(", "))
}

/// An action, with those who take part in it and are not ready.
fn wait(wait: &Wait) -> String {
    match wait.held_up_by.as_slice() {
        [] => wait.action.clone(),
        others => format!("{} with {}", wait.action, others.join(" and ")),
    }
}

pub(crate) fn step_json(step: &Step) -> Value {
    let moves: Vec<Value> = step
        .moves
        .iter()
        .map(|one| json!({ "component": one.component, "state": one.state }))
        .collect();
    json!({ "action": step.label, "hidden": step.hidden, "moves": moves })
}

pub(crate) fn waiting_json(end: &Waiting) -> Value {
    let waits = end.waits.iter();
    let waits: Vec<Value> = waits
        .map(|wait| json!({ "action": wait.action, "heldUpBy": wait.held_up_by }))
        .collect();
    json!({
        "component": end.component,
        "state": end.state,
        "ended": end.ended,
        "waits": waits,
    })
}

/// What is left of 80 columns for a table within an answer.
pub(super) const WIDTH: usize = 78;

/// Rows in columns as wide as their widest entry, the last one wrapped.
fn columns(cells: &[Vec<String>]) -> Vec<String> {
    let count = cells.first().map_or(0, Vec::len);
    let last = count.saturating_sub(1);
    let width = |column: usize| {
        let cells = cells.iter().map(|row| row[column].chars().count());
        cells.max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..last).map(width).collect();
    let indent = widths.iter().sum::<usize>() + 2 * last;
    let line = |row: &Vec<String>| {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            line.push_str(&format!("{cell:<width$}  "));
        }
        let wrapped = wrapped(&row[last], WIDTH.saturating_sub(indent).max(20), indent);
        format!("{line}{wrapped}\n")
    };
    cells.iter().map(line).collect()
}

/// A text of several lines, each within the width, what is left over indented.
pub(crate) fn wrapped(text: &str, width: usize, indent: usize) -> String {
    let lines = text.lines().map(|line| {
        quotient_language::text::wrap(line, width).replace('\n', &format!("\n{:indent$}", ""))
    });
    lines.collect::<Vec<_>>().join("\n")
}
