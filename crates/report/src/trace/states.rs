//! The states matter: numbered, each with what is new in it.

use quotient_language::text::wrap;
use quotient_language::{Layout, Step, Trace};

/// The columns for what changes in a step.
const ROOM: usize = 60;
/// What is left for them in any case.
const LEAST_ROOM: usize = 30;
/// Stands for a blank at which no line ends.
const JOIN: &str = "\u{a0}";
/// Actions wider than this do not push the states to the right.
const WIDEST_ACTION: usize = 30;

pub(super) fn text(trace: &Trace, columns: usize) -> String {
    let actions = actions(trace);
    let width = actions.iter().map(|action| action.chars().count()).max();
    let width = width.unwrap_or(0).min(WIDEST_ACTION);
    let room = columns.saturating_sub(width + 8).clamp(LEAST_ROOM, ROOM);
    let mut text = String::new();
    for (number, action) in actions.iter().enumerate() {
        let told = told_within(trace, number, room);
        let mut lines = told.lines();
        let first = lines.next().unwrap_or_default();
        text.push_str(format!("{number:>4}  {action:<width$}  {first}").trim_end());
        text.push('\n');
        for line in lines {
            text.push_str(&format!("{:>4}  {:<width$}  {line}\n", "", ""));
        }
    }
    text.extend(going_on(trace).map(|words| format!("{:>4}  {words}\n", "")));
    text
}

/// What is done in each step, after who does it unless every action names them.
fn actions(trace: &Trace) -> Vec<String> {
    let action = |step: &Step| step.action.clone().unwrap_or_default();
    let named = |step: &Step| step.by.iter().all(|one| action(step).contains(one));
    if trace.steps.iter().all(named) {
        return trace.steps.iter().map(action).collect();
    }
    let by: Vec<String> = trace.steps.iter().map(|step| step.by.join(", ")).collect();
    let width = by.iter().map(|one| one.chars().count()).max().unwrap_or(0);
    let steps = trace.steps.iter().zip(&by);
    let line = |(step, by): (&Step, &String)| format!("{by:<width$}  {}", action(step));
    steps.map(line).collect()
}

/// How a run goes on after its last step, unless a remark there says so.
fn going_on(trace: &Trace) -> Option<String> {
    let last = trace.steps.len().checked_sub(1)?;
    let back = trace
        .back_to
        .filter(|_| trace.steps[last].remark.is_none())?;
    Some(match back == last {
        true => "and stays there for ever".to_owned(),
        false => format!("and goes on as after {back}, for ever"),
    })
}

/// What is new in a state, in words.
pub(super) fn told(trace: &Trace, number: usize) -> String {
    told_within(trace, number, ROOM)
}

fn told_within(trace: &Trace, number: usize, room: usize) -> String {
    let Some(step) = trace.steps.get(number) else {
        return String::new();
    };
    let mut text = match plain(trace, step) {
        Some(word) => word,
        None => equations(trace, step, number == 0, room),
    };
    // In a table of processes a remark is for the picture: who looks at whom is no part of a state.
    let remark = step.remark.as_ref();
    if let Some(remark) = remark.filter(|_| trace.layout != Layout::Grid) {
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

fn equations(trace: &Trace, step: &Step, all: bool, room: usize) -> String {
    let cells = trace.columns.iter().zip(&step.cells);
    let new = cells.filter(|(_, cell)| (all || cell.changed) && !cell.text.is_empty());
    let new: Vec<String> = new
        .map(|(name, cell)| format!("{name} = {}", cell.text))
        .collect();
    match new.is_empty() {
        true => "(nothing changes)".to_owned(),
        false => {
            // A line does not end inside an equation.
            let whole: Vec<String> = new.iter().map(|one| one.replace(' ', JOIN)).collect();
            wrap(&whole.join(", "), room).replace(JOIN, " ")
        }
    }
}
