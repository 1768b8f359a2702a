//! Runs as every front end takes them.

use quotient_language::{Cell, Layout, Step, Trace as Told};

use rustc_hash::FxHashMap;

use crate::model::{Bound, Domain, Expr};
use crate::{Interpreter, Row, Topology, Trace};

impl Interpreter<'_> {
    /// The table of a run: globals, whom they hold, the variables of processes, channels, and the
    /// order where it changes.
    pub(super) fn told(&self, trace: &Trace) -> Told {
        let protocol = self.protocol();
        let globals = protocol.globals.iter().map(|global| global.name.clone());
        let channels = protocol.channels.iter().map(|channel| channel.name.clone());
        let mut columns: Vec<String> = globals.collect();
        columns.extend(self.holders().map(str::to_owned));
        let own = self.values_of_a_process(trace);
        for process in &trace.processes {
            match &own {
                None => columns.push(process.clone()),
                Some(own) => columns.extend(own.iter().map(|name| format!("{process}.{name}"))),
            }
        }
        columns.extend(channels);
        let moves = trace.moves() && protocol.topology() != Topology::Set;
        if moves {
            columns.push("order".to_owned());
        }
        let width = own.map_or(1, |own| own.len());
        let mut told = Told::new(Layout::Grid, columns);
        for (number, row) in trace.rows.iter().enumerate() {
            let earlier = number.checked_sub(1).map(|before| &trace.rows[before]);
            let cells = self.cells(trace, row, earlier, width, moves);
            let Some(action) = &row.step else {
                told.steps.push(Step::start(cells));
                continue;
            };
            let mut step = Step::by(action, row.by.iter().chain(&row.with), cells);
            let places = protocol.step_places.iter();
            let place = places.clone().find(|(name, _)| name == action);
            step.place = place.map(|(_, span)| *span);
            let seen = earlier.map_or(Vec::new(), |before| self.looked_at(action, row, before));
            if !seen.is_empty() {
                step.remark = Some(format!("looks at {}", seen.join(", ")));
            }
            told.steps.push(step);
        }
        self.leave_out_what_is_never_true(&mut told);
        told.back_to = trace.repeats.as_ref().map(|repeats| repeats.from);
        told.ending.extend(trace.moral());
        told
    }

    /// What processes have for each other is much, and most of it is false all the time, such as
    /// messages that are never sent: only what is true at some time is shown.
    fn leave_out_what_is_never_true(&self, told: &mut Told) {
        let pairs = self.protocol().pairs.iter();
        let truths = pairs.filter(|pair| pair.mark.is_none() && pair.domain == Domain::Bool);
        let truths: Vec<String> = truths.map(|pair| format!(".{}[", pair.name)).collect();
        let shown = told.columns.iter().enumerate().map(|(at, column)| {
            let carried = truths.iter().any(|name| column.contains(name.as_str()));
            let is_told = |step: &Step| {
                let cell = step.cells.get(at);
                cell.is_some_and(|cell| cell.changed || !["", "false"].contains(&&*cell.text))
            };
            !carried || told.steps.iter().any(is_told)
        });
        let shown: Vec<bool> = shown.collect();
        let is_shown = |at: usize| shown.get(at).copied().unwrap_or(true);
        let mut at = 0..;
        told.columns.retain(|_| at.next().is_some_and(is_shown));
        for step in &mut told.steps {
            let mut at = 0..;
            step.cells.retain(|_| at.next().is_some_and(is_shown));
        }
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
            | Expr::Threshold { bound, .. }
            | Expr::HowMany { bound, .. } => look(bound),
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

    /// The globals that hold a process.
    fn holders(&self) -> impl Iterator<Item = &str> {
        let marks = self.protocol().fields.iter();
        let marks = marks.filter(|field| field.mark.is_some());
        marks.map(|field| field.name.as_str())
    }

    /// The names of the values of a process, unless the only one tells by itself what it is, or
    /// there is none.
    fn values_of_a_process(&self, trace: &Trace) -> Option<Vec<String>> {
        let protocol = self.protocol();
        let mut cells = trace.rows.iter().flat_map(|row| &row.processes);
        let names = cells.next()?.values.iter().map(|item| item.name.clone());
        let names: Vec<String> = names.collect();
        let is_truth = |name: &String| {
            let mut all = protocol.fields.iter().chain(&protocol.pairs);
            all.any(|known| known.name == *name && known.domain == Domain::Bool)
        };
        match names.as_slice() {
            [] => None,
            [only] => is_truth(only).then_some(names),
            _ => Some(names),
        }
    }

    fn cells(
        &self,
        trace: &Trace,
        row: &Row,
        earlier: Option<&Row>,
        width: usize,
        moves: bool,
    ) -> Vec<Cell> {
        let told = |text: String, changed: bool| Cell { text, changed };
        let globals = row.globals.iter();
        let globals = globals.map(|item| told(item.value.clone(), item.changed));
        let held = |row: &Row, holder: &str| {
            let mut cells = row.processes.iter();
            let cell = cells.find(|cell| cell.held_by.iter().any(|known| known == holder));
            cell.map_or_else(|| "none".to_owned(), |cell| cell.process.clone())
        };
        let holders = self.holders().map(|holder| {
            let now = held(row, holder);
            let changed = earlier.is_some_and(|earlier| held(earlier, holder) != now);
            told(now, changed)
        });
        let by_name: FxHashMap<&str, &crate::Cell> = (row.processes.iter())
            .map(|cell| (cell.process.as_str(), cell))
            .collect();
        let processes = trace.processes.iter().flat_map(|name| {
            let values = by_name.get(name.as_str()).map(|cell| &cell.values);
            let mut cells: Vec<Cell> = match values {
                None => Vec::new(),
                Some(values) if values.is_empty() => vec![told("-".to_owned(), false)],
                Some(values) => (values.iter())
                    .map(|item| told(item.value.clone(), item.changed))
                    .collect(),
            };
            cells.resize_with(width, Cell::default);
            cells
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
        let cells = globals.chain(holders).chain(processes);
        cells.chain(channels).chain(order).collect()
    }
}
