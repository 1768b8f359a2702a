//! Runs in the words of the program.

use quotient_core::Span;
use quotient_language::{Cell, Layout, Step, Trace};

use crate::evidence::{Run, Shift, Taken, replayed};
use crate::lex::At;
use crate::machine::Machine;
use crate::program::{Meaning, Program};
use crate::space::Space;
use crate::state::{FAILED, FRAME, Fault, HEAD, State};

/// Who a process is: its type and its number.
pub(crate) fn who(program: &Program, state: &State, number: usize) -> String {
    match number < state.processes.len() {
        true => format!(
            "{}({number})",
            program.proctypes[state.process(number).0].name
        ),
        false => format!("({number})"),
    }
}

/// A place in the main file.
pub(crate) fn span(at: At) -> Option<Span> {
    (at.file == 0 && at.span.end > at.span.start).then_some(at.span)
}

/// What a process does in a move, and where that is written.
pub(crate) fn action(program: &Program, state: &State, shift: &Shift) -> (String, Option<Span>) {
    let number = shift.process as usize;
    if number >= state.processes.len() {
        return (String::new(), None);
    }
    let (process, location) = state.process(number);
    let edges = &program.proctypes[process].locations[location as usize].edges;
    match edges.get(shift.edge as usize) {
        Some(edge) => (program.action(edge), span(edge.at)),
        None => (String::new(), None),
    }
}

/// The state after a move, whoever may move.
pub(crate) fn after(machine: &Machine<'_>, state: &State, shift: &Shift) -> Option<State> {
    let mut found = Vec::new();
    for timeout in [false, true] {
        if (shift.process as usize) < state.processes.len() {
            machine.moves(state, shift.process as usize, timeout, &mut found);
        }
        let mut fitting = found.iter().filter(|(one, ..)| shift.is(one));
        if let Some((_, next, _)) = fitting.next_back() {
            return Some(next.clone());
        }
    }
    None
}

/// The columns of a trace and how many processes it has.
pub(crate) struct Columns {
    processes: usize,
}

impl Columns {
    pub(crate) fn of<'a>(states: impl Iterator<Item = &'a State>) -> Columns {
        let most = states.map(|state| state.processes.len()).max();
        Columns {
            processes: most.unwrap_or(0).min(64),
        }
    }

    fn names(&self, program: &Program, first: &State) -> Vec<String> {
        let globals = program.globals.iter().map(|slot| slot.name.clone());
        let processes = (0..self.processes).map(|number| {
            let known = number < first.processes.len();
            if known {
                who(program, first, number)
            } else {
                format!("process {number}")
            }
        });
        globals.chain(processes).collect()
    }

    fn cells(&self, program: &Program, state: &State) -> Vec<Cell> {
        let globals = program.globals.iter().enumerate().map(|(at, slot)| {
            let value = state.cells[HEAD + at];
            Cell::new(value_text(program, state, value, slot.meaning))
        });
        let processes =
            (0..self.processes).map(|number| Cell::new(whereabouts(program, state, number)));
        globals.chain(processes).collect()
    }
}

fn value_text(program: &Program, state: &State, value: i32, meaning: Meaning) -> String {
    let channel = usize::try_from(value)
        .ok()
        .and_then(|one| one.checked_sub(1));
    match (meaning, channel) {
        (Meaning::Channel, Some(channel)) if channel < state.channels.len() => {
            messages(program, state, channel)
        }
        _ => program.value(value, meaning),
    }
}

/// The messages of a channel.
pub(crate) fn messages(program: &Program, state: &State, channel: usize) -> String {
    let (shape, length, start) = state.channel(channel);
    let shape = &program.shapes[shape];
    let fields = shape.fields.len();
    let message = |number: usize| {
        let cells = &state.cells[start + number * fields..start + (number + 1) * fields];
        let values = cells.iter().zip(&shape.fields);
        let values: Vec<String> = values
            .map(|(value, (_, meaning))| program.value(*value, *meaning))
            .collect();
        values.join(",")
    };
    let all: Vec<String> = (0..length).map(message).collect();
    format!("[{}]", all.join(" "))
}

/// Where a process is, with its variables.
pub(crate) fn whereabouts(program: &Program, state: &State, number: usize) -> String {
    if number >= state.processes.len() {
        return "-".to_owned();
    }
    let (process, location) = state.process(number);
    let proctype = &program.proctypes[process];
    let here = &proctype.locations[location as usize];
    let mut text = match here.edges.first() {
        Some(edge) if edge.at.file == 0 => {
            let (line, _) = program.files[0].position(edge.at.span.start);
            format!("line {line}")
        }
        _ => "end".to_owned(),
    };
    if let Some(label) = here.labels.first() {
        text = format!("{text} {label}");
    }
    let base = state.processes[number] as usize + FRAME;
    for (at, slot) in proctype.slots.iter().enumerate().take(24) {
        let value = state.cells[base + at];
        text = format!(
            "{text} {}={}",
            slot.name,
            program.value(value, slot.meaning)
        );
    }
    text
}

/// A run as a trace; moves of an atomic step are shown one by one.
pub(crate) fn trace(space: &Space<'_>, run: &Run) -> Trace {
    let program = space.program();
    let states = replayed(space, run).unwrap_or_default();
    let Some(first) = states.first() else {
        return Trace::default();
    };
    let columns = Columns::of(states.iter());
    let mut trace = Trace::new(Layout::States, columns.names(program, first));
    trace.steps.push(Step::start(columns.cells(program, first)));
    // Where each step of the run ends in the trace.
    let mut ends = vec![0];
    for (number, taken) in run.steps.iter().enumerate() {
        let (Some(before), Some(goal)) = (states.get(number), states.get(number + 1)) else {
            break;
        };
        push_step(space, &columns, &mut trace, (before, goal), taken);
        ends.push(trace.steps.len() - 1);
    }
    trace.back_to = match run.back {
        Some(back) => ends.get(back).copied(),
        None => None,
    };
    if let Some(fault) = states.last().and_then(|last| Fault::of(last.cells[FAILED])) {
        trace.ending.push(format!("{}.", capital(fault.words())));
    }
    trace.mark_changes()
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|one| one.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// Adds the moves of one step.
pub(crate) fn push_step(
    space: &Space<'_>,
    columns: &Columns,
    trace: &mut Trace,
    (before, goal): (&State, &State),
    taken: &Taken,
) {
    let program = space.program();
    let mut state = before.clone();
    for (number, shift) in taken.moves.iter().enumerate() {
        let (text, place) = action(program, &state, shift);
        let mut by = vec![who(program, &state, shift.process as usize)];
        by.extend(
            shift
                .partner
                .map(|(other, _)| who(program, &state, other as usize)),
        );
        let next = match number + 1 == taken.moves.len() {
            true => Some(goal.clone()),
            false => after(&space.machine, &state, shift),
        };
        let Some(next) = next else { return };
        let mut step = Step::by(text, by, columns.cells(program, &next));
        step.place = place;
        trace.steps.push(step);
        state = next;
    }
    if taken.moves.is_empty() {
        trace
            .steps
            .push(Step::of("nobody moves", columns.cells(program, goal)));
    }
}

/// A trace of single steps, for runs that somebody makes.
pub(crate) fn walked(space: &Space<'_>, past: &[(Option<Taken>, State)]) -> Trace {
    let program = space.program();
    let columns = Columns::of(past.iter().map(|(_, state)| state));
    let Some((_, first)) = past.first() else {
        return Trace::default();
    };
    let mut trace = Trace::new(Layout::States, columns.names(program, first));
    trace.steps.push(Step::start(columns.cells(program, first)));
    for pair in past.windows(2) {
        if let Some(taken) = &pair[1].0 {
            push_step(space, &columns, &mut trace, (&pair[0].1, &pair[1].1), taken);
        }
    }
    trace.mark_changes()
}
