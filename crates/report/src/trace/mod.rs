//! Runs as text, as pictures and as JSON.

mod events;
mod grid;
mod picture;
mod states;

use quotient_language::{Json, Layout, Trace};
use serde::ser::{Serialize, Serializer};
use serde_json::json;

pub use picture::trace_picture;

use crate::columns;
use crate::lines::hanging;

/// A run as text, in lines of at most `width` characters where words allow.
///
/// ```
/// use quotient_language::{Cell, Layout, Step, Trace};
/// let mut trace = Trace::new(Layout::Grid, ["P1"]);
/// trace.steps.push(Step::start([Cell::new("idle")]));
/// trace.steps.push(Step::by("enter", ["P1"], [Cell::changed("critical")]));
/// let text = quotient_report::trace_text(&trace, 78);
/// assert_eq!(text, "step   by  P1\nstart      idle\nenter  P1  *critical\n");
/// ```
pub fn trace_text(trace: &Trace, width: usize) -> String {
    let mut text = match trace.layout {
        Layout::Grid => grid::text(trace, width),
        Layout::Events => events::text(trace, width),
        Layout::States => states::text(trace, width),
    };
    for line in &trace.ending {
        let indent = line.len() - line.trim_start().len();
        let room = width.saturating_sub(indent).max(20);
        let margin = format!("\n{:indent$}", "");
        let wrapped = hanging(line.trim_start(), room, 4).replace('\n', &margin);
        text.push_str(&format!("{:indent$}{wrapped}\n", ""));
    }
    text
}

/// A run for programs: for each step its `action`, who took it (`by`), the `configuration` in
/// words, and the `cells` by name with those that `changed`.
pub fn trace_json(trace: &Trace) -> Json {
    let numbers = 0..trace.steps.len();
    numbers.map(|number| step_json(trace, number)).collect()
}

/// The steps of a run for programs, to be written one by one.
pub(crate) struct StepsForPrograms<'a>(pub(crate) &'a Trace);

impl Serialize for StepsForPrograms<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let numbers = 0..self.0.steps.len();
        serializer.collect_seq(numbers.map(|number| step_json(self.0, number)))
    }
}

fn step_json(trace: &Trace, number: usize) -> Json {
    let step = &trace.steps[number];
    let mut object = json!({ "configuration": states::told(trace, number) });
    if let Some(action) = &step.action {
        object["action"] = json!(action);
    }
    if !step.by.is_empty() {
        object["by"] = json!(step.by);
    }
    let named = trace.columns.iter().any(|column| !column.is_empty());
    if named {
        let cells = trace.columns.iter().zip(&step.cells);
        let changed = cells.clone().filter(|(_, cell)| cell.changed);
        object["changed"] = changed.map(|(name, _)| json!(name)).collect();
        object["cells"] = cells
            .map(|(name, cell)| (name.clone(), json!(cell.text)))
            .collect::<serde_json::Map<_, _>>()
            .into();
    }
    if let Some(place) = step.place {
        object["place"] = json!(place);
    }
    object
}

/// Whether anybody is said to take a step.
fn somebody_acts(trace: &Trace) -> bool {
    trace.steps.iter().any(|step| !step.by.is_empty())
}

/// Columns as wide as their widest entry.
fn aligned(table: &[Vec<String>]) -> String {
    columns::aligned(table).concat()
}

#[cfg(test)]
mod tests;
