//! Runs as every front end takes them.

use quotient_language::{Cell, Layout, Step, Trace as Told};

use rustc_hash::FxHashMap;

use crate::model::{Bound, Expr};
use crate::{Interpreter, Row, Topology, Trace};

impl Interpreter<'_> {
    /// The table of a run: globals, processes, channels, and the order where it changes.
    pub(super) fn told(&self, trace: &Trace) -> Told {
        let protocol = self.protocol();
        let globals = protocol.globals.iter().map(|global| global.name.clone());
        let channels = protocol.channels.iter().map(|channel| channel.name.clone());
        let processes = trace.processes.iter().cloned();
        let mut columns: Vec<String> = globals.chain(processes).chain(channels).collect();
        let moves = trace.moves() && protocol.topology() != Topology::Set;
        if moves {
            columns.push("order".to_owned());
        }
        let mut told = Told::new(Layout::Grid, columns);
        for (number, row) in trace.rows.iter().enumerate() {
            let cells = self.cells(trace, row, moves);
            let Some(action) = &row.step else {
                told.steps.push(Step::start(cells));
                continue;
            };
            let mut step = Step::by(action, row.by.iter().chain(&row.with), cells);
            let places = protocol.step_places.iter();
            let place = places.clone().find(|(name, _)| name == action);
            step.place = place.map(|(_, span)| *span);
            let before = number.checked_sub(1).map(|before| &trace.rows[before]);
            let seen = before.map_or(Vec::new(), |before| self.looked_at(action, row, before));
            if !seen.is_empty() {
                step.remark = Some(format!("looks at {}", seen.join(", ")));
            }
            told.steps.push(step);
        }
        told.back_to = trace.repeats.as_ref().map(|repeats| repeats.from);
        told.ending.extend(trace.moral());
        told
    }

    /// The processes that are in the range of a quantifier of a step.
    fn looked_at(&self, action: &str, row: &Row, before: &Row) -> Vec<String> {
        let mut steps = self.protocol().steps.iter();
        let Some(step) = steps.find(|step| step.name == action) else {
            return Vec::new();
        };
        let people: Vec<Option<usize>> = (row.by.iter().chain(&row.with))
            .map(|name| before.processes.iter().position(|one| one.process == *name))
            .collect();
        let place = |who: &usize| people.get(*who).copied().flatten();
        let mut seen = vec![false; before.processes.len()];
        let mut look = |bound: &Bound| {
            // Who is meant by a quantifier around this one is not known: then nobody is left out.
            let left = bound.left_of.as_ref().and_then(place);
            let right = bound.right_of.as_ref().and_then(place);
            for (at, seen) in seen.iter_mut().enumerate() {
                let other = bound
                    .different_from
                    .iter()
                    .all(|who| place(who) != Some(at));
                let inside =
                    left.is_none_or(|left| at < left) && right.is_none_or(|right| at > right);
                *seen |= other && inside;
            }
        };
        step.guard.walk(&mut |part| match part {
            Expr::Quantified { bound, .. }
            | Expr::Count { bound, .. }
            | Expr::Threshold { bound, .. } => look(bound),
            _ => {}
        });
        step.readings
            .iter()
            .for_each(|reading| look(&reading.bound));
        let both = before.processes.iter().zip(&seen);
        both.filter(|(_, seen)| **seen)
            .map(|(one, _)| one.process.clone())
            .collect()
    }

    fn cells(&self, trace: &Trace, row: &Row, moves: bool) -> Vec<Cell> {
        let told = |text: String, changed: bool| Cell { text, changed };
        let globals = row.globals.iter();
        let globals = globals.map(|item| told(item.value.clone(), item.changed));
        let by_name: FxHashMap<&str, &crate::Cell> = (row.processes.iter())
            .map(|cell| (cell.process.as_str(), cell))
            .collect();
        let processes = trace.processes.iter().map(|name| {
            let cell = by_name.get(name.as_str());
            cell.map_or_else(Cell::default, |cell| told(self.short(cell), cell.changed))
        });
        let channels = row.channels.iter().map(|channel| {
            let text = match channel.changed && channel.values.is_empty() {
                true => "-".to_owned(),
                false => channel.values.join(" "),
            };
            told(text, channel.changed)
        });
        let order = moves.then(|| {
            let names = row.processes.iter().map(|cell| cell.process.as_str());
            Cell::new(names.collect::<Vec<_>>().join(" "))
        });
        let cells = globals.chain(processes).chain(channels).chain(order);
        cells.collect()
    }
}
