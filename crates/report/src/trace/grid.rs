//! One row a state, one column a cell.

use quotient_language::{Cell, Trace};

use super::{aligned, somebody_acts};

/// What stands in the table before the steps that repeat.
const FOR_EVER: &str = "(for ever)";

/// The table; if it is wider than `width`, what changes is listed below each step instead.
pub(super) fn text(trace: &Trace, width: usize) -> String {
    let grid = cells(trace);
    let table = aligned(&grid);
    match table.lines().all(|line| line.chars().count() <= width) {
        true => table,
        false => listed(&grid, width, if somebody_acts(trace) { 2 } else { 1 }),
    }
}

/// The table as cells of text, the first row its head.
fn cells(trace: &Trace) -> Vec<Vec<String>> {
    let acts = somebody_acts(trace);
    let mut head = vec!["step".to_owned()];
    head.extend(acts.then(|| "by".to_owned()));
    head.extend(trace.columns.iter().cloned());
    let width = head.len();
    let mut table = vec![head];
    for (number, step) in trace.steps.iter().enumerate() {
        if trace.back_to.is_some_and(|from| from + 1 == number) {
            let mut line = vec![String::new(); width];
            line[0] = FOR_EVER.to_owned();
            table.push(line);
        }
        let action = step.action.clone().unwrap_or_else(|| "start".to_owned());
        let mut line = vec![action];
        line.extend(acts.then(|| step.by.join(" ")));
        line.extend(step.cells.iter().map(starred));
        line.resize(width, String::new());
        table.push(line);
    }
    table
}

/// What changed is marked by a star.
fn starred(cell: &Cell) -> String {
    match (cell.changed, cell.text.is_empty()) {
        (true, true) => "*-".to_owned(),
        (true, false) => format!("*{}", cell.text),
        (false, _) => cell.text.clone(),
    }
}

/// A table that is too wide as a list: each step, and below it what is new.
fn listed(table: &[Vec<String>], width: usize, names: usize) -> String {
    let Some((head, rows)) = table.split_first() else {
        return String::new();
    };
    let mut text = String::new();
    let mut earlier: Option<&Vec<String>> = None;
    for row in rows {
        text += row[..names].join("  ").trim_end();
        text.push('\n');
        if row[0] == FOR_EVER {
            continue;
        }
        let mut used = 0;
        for (column, (name, cell)) in head.iter().zip(row).enumerate().skip(names) {
            let is_new = match earlier {
                None => !cell.is_empty(),
                // Whoever is gone leaves an empty cell.
                Some(earlier) => {
                    cell.starts_with('*') || cell.is_empty() != earlier[column].is_empty()
                }
            };
            let moved = name == "order" && earlier.is_some_and(|earlier| earlier[column] != *cell);
            if !is_new && !moved {
                continue;
            }
            let shown = if cell.is_empty() { "gone" } else { cell };
            let entry = format!("{name}: {shown}");
            let size = entry.chars().count();
            if used > 0 && used + 3 + size <= width {
                text += "   ";
                used += 3 + size;
            } else {
                text += if used > 0 { "\n    " } else { "    " };
                used = 4 + size;
            }
            text += &entry;
        }
        if used > 0 {
            text.push('\n');
        }
        earlier = Some(row);
    }
    text
}
