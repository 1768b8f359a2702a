//! Runs as data: every front end can step through them.

use quotient_core::Span;
use serde::Serialize;

/// A run: states with named cells, and the steps between them.
///
/// ```
/// use quotient_language::{Cell, Layout, Step, Trace};
/// let mut trace = Trace::new(Layout::Grid, ["P1", "P2"]);
/// trace.steps.push(Step::start([Cell::new("idle"), Cell::new("idle")]));
/// trace.steps.push(Step::by("enter", ["P1"], [Cell::changed("critical"), Cell::new("idle")]));
/// assert_eq!(trace.steps[1].cells[0].text, "critical");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Trace {
    /// How it is best shown as text.
    pub layout: Layout,
    /// The names of the cells of each state, in this order.
    pub columns: Vec<String>,
    /// Columns that are worth a place beside the actions ([`Layout::Events`]), by number.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub beside: Vec<usize>,
    /// The states; the first is the start unless it has an action.
    pub steps: Vec<Step>,
    /// Of a run that goes on for ever: after the last step it goes on as after this one, by
    /// number. (If that is the last one, nothing happens any more.)
    #[serde(rename = "backTo", skip_serializing_if = "Option::is_none")]
    pub back_to: Option<usize>,
    /// What is to be said about where it ends; whole lines, those that belong to the one before
    /// indented.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ending: Vec<String>,
}

/// How a run is best shown as text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Layout {
    /// One row a state, one column a cell; what changed is marked.
    #[default]
    Grid,
    /// The actions matter: numbered, each with who takes part.
    Events,
    /// The states matter: numbered, each with what is new in it.
    States,
}

/// A state, and the step that led to it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Step {
    /// What happened; nothing at the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// Who did it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub by: Vec<String>,
    /// The values of the cells.
    pub cells: Vec<Cell>,
    /// The place in the source of the step taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Span>,
    /// What else is to be said about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remark: Option<String>,
}

/// The value of one cell.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Cell {
    /// The value as text.
    pub text: String,
    /// Whether the step changed it.
    pub changed: bool,
}

impl Trace {
    /// A run without states yet.
    pub fn new<C: Into<String>>(layout: Layout, columns: impl IntoIterator<Item = C>) -> Trace {
        Trace {
            layout,
            columns: columns.into_iter().map(Into::into).collect(),
            ..Trace::default()
        }
    }

    /// How many steps were taken: an infinite run's step back to its loop counts.
    pub fn len(&self) -> usize {
        self.steps
            .iter()
            .filter(|step| step.action.is_some())
            .count()
    }

    /// Whether no step was taken.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Marks as changed what differs from the state before.
    #[must_use]
    pub fn mark_changes(mut self) -> Trace {
        for number in 1..self.steps.len() {
            let (before, after) = self.steps.split_at_mut(number);
            let (before, after) = (&before[number - 1], &mut after[0]);
            for (cell, old) in after.cells.iter_mut().zip(&before.cells) {
                cell.changed = cell.text != old.text;
            }
        }
        self
    }
}

impl Step {
    /// The start of a run.
    pub fn start(cells: impl IntoIterator<Item = Cell>) -> Step {
        Step {
            cells: cells.into_iter().collect(),
            ..Step::default()
        }
    }

    /// A step that somebody took.
    pub fn by<B: Into<String>>(
        action: impl Into<String>,
        by: impl IntoIterator<Item = B>,
        cells: impl IntoIterator<Item = Cell>,
    ) -> Step {
        Step {
            action: Some(action.into()),
            by: by.into_iter().map(Into::into).collect(),
            ..Step::start(cells)
        }
    }

    /// A step.
    pub fn of(action: impl Into<String>, cells: impl IntoIterator<Item = Cell>) -> Step {
        Step::by(action, [""; 0], cells)
    }

    /// With its place in the source.
    #[must_use]
    pub fn at(mut self, place: Span) -> Step {
        self.place = Some(place);
        self
    }
}

impl Cell {
    /// A value that is as it was.
    pub fn new(text: impl Into<String>) -> Cell {
        Cell {
            text: text.into(),
            changed: false,
        }
    }

    /// A value that is new.
    pub fn changed(text: impl Into<String>) -> Cell {
        Cell {
            changed: true,
            ..Cell::new(text)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_found() {
        let mut trace = Trace::new(Layout::States, ["x", "y"]);
        trace
            .steps
            .push(Step::start([Cell::new("1"), Cell::new("2")]));
        trace
            .steps
            .push(Step::of("go", [Cell::new("1"), Cell::new("3")]));
        let trace = trace.mark_changes();
        let changed: Vec<bool> = trace.steps[1]
            .cells
            .iter()
            .map(|cell| cell.changed)
            .collect();
        assert_eq!(changed, [false, true]);
        assert_eq!(trace.len(), 1);
    }
}
