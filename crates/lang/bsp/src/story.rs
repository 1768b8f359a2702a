//! A run to look at: superstep by superstep.

use quotient_language::{Cell, Lane, Lanes, Layout, Message, Step, Trace};

use crate::machine::{self, Control, Local};
use crate::outcome;
use crate::program::Program;
use crate::run::{Part, Run};

/// The most parts that are shown.
const MOST_PARTS: usize = 400;

/// Where a processor is, in words.
fn place(program: &Program, local: &Local) -> String {
    if let Some(value) = local.value() {
        return format!("ended: {value}");
    }
    match &local.control {
        Control::Waits(group, _) => format!("waits at {}", program.groups[*group].name),
        Control::Faulty(fault) => format!("fault: {}", outcome::fault(program, fault)),
        _ => "runs".to_owned(),
    }
}

/// The states of a run: what happened, and where everybody is.
fn states(program: &Program, run: &Run) -> Vec<(Part, Vec<Local>)> {
    let mut locals = machine::beginning(program);
    let mut all = Vec::new();
    for part in run.parts.iter().take(MOST_PARTS) {
        match part {
            Part::Steps { processor, steps } => {
                for _ in 0..*steps {
                    locals[*processor].step(program, *processor);
                }
            }
            Part::Barrier(name) => {
                let group = program.groups.iter().position(|group| group.name == *name);
                machine::barrier(program, &mut locals, group.unwrap_or(0));
            }
        }
        all.push((part.clone(), locals.clone()));
    }
    all
}

/// A run as a trace.
pub(crate) fn trace(program: &Program, run: &Run) -> Trace {
    let names = (0..program.processors).map(|one| format!("processor {one}"));
    let mut trace = Trace::new(Layout::Grid, names);
    let cells = |locals: &[Local]| -> Vec<Cell> {
        let cells = locals.iter().map(|local| Cell::new(place(program, local)));
        cells.collect()
    };
    trace
        .steps
        .push(Step::start(cells(&machine::beginning(program))));
    for (part, locals) in states(program, run) {
        let step = match &part {
            Part::Steps { processor, steps } => {
                let by = format!("processor {processor}");
                let action = match steps {
                    1 => "1 step".to_owned(),
                    _ => format!("{steps} steps"),
                };
                let step = Step::by(action, [by], cells(&locals));
                match &locals[*processor].control {
                    Control::Waits(_, at) => step.at(program.expressions[*at].1),
                    Control::Faulty(fault) => step.at(program.expressions[fault.at].1),
                    _ => step,
                }
            }
            Part::Barrier(name) => Step::of(format!("barrier {name}"), cells(&locals)),
        };
        trace.steps.push(step);
    }
    if let Some(part) = run.repeats.filter(|part| *part < MOST_PARTS) {
        trace.back_to = Some(part);
    }
    for (processor, steps) in &run.loops {
        let line = format!("processor {processor} repeats its last {steps} steps for ever");
        trace.ending.push(line);
    }
    if run.parts.len() > MOST_PARTS {
        let line = format!("{} more parts are not shown", run.parts.len() - MOST_PARTS);
        trace.ending.push(line);
    }
    trace.mark_changes()
}

/// A run in space and time: a lane for each processor, a moment for each barrier, and the
/// messages that it delivers.
pub(crate) fn picture(title: &str, program: &Program, run: &Run) -> Lanes {
    let lane = |one: usize| Lane {
        name: format!("processor {one}"),
        states: vec!["start".to_owned()],
        acts: Vec::new(),
    };
    let mut lanes: Vec<Lane> = (0..program.processors).map(lane).collect();
    let mut moments = vec!["start".to_owned()];
    let mut messages = Vec::new();
    let mut before = machine::beginning(program);
    for (part, locals) in states(program, run) {
        if let Part::Barrier(name) = &part {
            let at = moments.len();
            moments.push(name.clone());
            let group = program.groups.iter().position(|group| group.name == *name);
            let group = group.unwrap_or(0);
            for (one, lane) in lanes.iter_mut().enumerate() {
                let member = program.is_member(group, one);
                if member {
                    lane.acts.push(at);
                }
                lane.states.push(match member {
                    true => format!("barrier {name}"),
                    false => place(program, &before[one]),
                });
            }
            for &from in &program.groups[group].members {
                let environment = &before[from].environment;
                let sends = environment.sends.get(&group).into_iter().flatten();
                let puts = environment.puts.get(&group).into_iter().flatten();
                let sends = sends.map(|(to, value)| (*to, value.to_string()));
                let puts = puts.map(|(to, value, name, _)| {
                    (*to, format!("{} := {value}", program.names[*name]))
                });
                for (to, label) in sends.chain(puts) {
                    messages.push(Message {
                        label,
                        from: (from, at - 1),
                        to: (to, at),
                    });
                }
            }
        }
        before = locals;
    }
    moments.push("end".to_owned());
    for (one, lane) in lanes.iter_mut().enumerate() {
        lane.states.push(place(program, &before[one]));
    }
    Lanes {
        title: title.to_owned(),
        lanes,
        moments,
        messages,
        back_to: None,
    }
}
