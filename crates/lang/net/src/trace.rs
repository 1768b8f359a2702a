//! Runs in the names of the net.

use quotient_language::text::count;
use quotient_language::{Cell, Layout, Step, Trace};

use crate::net::Net;

/// The most columns of a run that is shown.
const MOST_COLUMNS: usize = 100;

/// The most numbers of a run that are shown, and steps in any case. A search in depth may find one
/// of a hundred thousand steps, which nobody reads and which takes long to draw.
const MOST_CELLS: usize = 30_000;
const FEW_STEPS: usize = 300;

/// A run; places that never change are left out where there are many, and so is what comes after
/// many steps.
pub(crate) fn of(net: &Net, start: &[u64], fired: &[usize]) -> Trace {
    let columns = net.places.len().clamp(1, MOST_COLUMNS);
    let later = fired
        .len()
        .saturating_sub((MOST_CELLS / columns).max(FEW_STEPS));
    let fired = &fired[..fired.len() - later];
    let mut markings = vec![start.to_vec()];
    for &one in fired {
        let next = markings
            .last()
            .and_then(|last| net.transitions[one].fire(last));
        // Runs that are shown were fired before.
        markings.extend(next);
    }
    let mut columns: Vec<usize> = (0..net.places.len()).collect();
    if columns.len() > 12 {
        columns.retain(|&place| markings.iter().any(|one| one[place] != start[place]));
    }
    let left_out = columns.len().saturating_sub(MOST_COLUMNS);
    columns.truncate(MOST_COLUMNS);
    let layout = match columns.len() <= 12 {
        true => Layout::Grid,
        false => Layout::States,
    };
    let names = columns.iter().map(|&place| net.places[place].label.clone());
    let mut trace = Trace::new(layout, names);
    for (number, marking) in markings.iter().enumerate() {
        let cells = columns
            .iter()
            .map(|&place| Cell::new(marking[place].to_string()));
        let cells: Vec<Cell> = cells.collect();
        trace.steps.push(match number.checked_sub(1) {
            None => Step::start(cells),
            Some(before) => {
                let transition = &net.transitions[fired[before]];
                Step::of(transition.label.clone(), cells).at(transition.span)
            }
        });
    }
    if left_out > 0 {
        trace.ending.push(format!("{left_out} more places change"));
    }
    if later > 0 {
        let note = format!("{later} more steps, which are in the evidence");
        trace.ending.push(note);
    }
    trace.mark_changes()
}

/// What a run that breaks a formula is like: it goes back, whatever comes after it decides nothing, or it is stuck.
pub(crate) fn broken_by(steps: usize, back: Option<usize>, decides: bool) -> String {
    let all = count(steps, "step");
    match back {
        _ if decides && steps == 1 => format!("{all} breaks it, whatever comes after"),
        _ if decides => format!("{all} break it, whatever comes after"),
        Some(back) => {
            let first = count(back, "step");
            format!("a run breaks it: {first}, then {} for ever", steps - back)
        }
        None => format!("a run of {all} that gets stuck breaks it"),
    }
}
