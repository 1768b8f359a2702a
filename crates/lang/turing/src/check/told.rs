//! Runs that are told step by step: short ones, and of long ones how they begin and how they end.

use quotient_language::{Layout, Step, Trace};

use super::{cells, name};
use crate::machine::Machine;
use crate::proof::Proof;
use crate::question::Start;
use crate::tape::Configuration;

/// The most steps of a run that stops and is told as a whole.
const WHOLE: u64 = 60;

/// The steps that are told of the beginning of others, and of the end of one that stops.
const FEW: u64 = 12;

/// The most steps that are made to tell how a run ends.
const FAR: u64 = 5_000_000;

/// The run from a tape of which this was shown.
pub(super) fn run(machine: &Machine, start: &Start, proof: &Proof) -> Trace {
    let mut now = start.configuration(machine);
    let mut trace = Trace::new(Layout::States, ["state", "tape"]);
    trace.steps.push(Step::start(cells(machine, &now)));
    match *proof {
        Proof::Halts { steps } if steps <= WHOLE => go(machine, &mut now, steps, &mut trace),
        Proof::Halts { steps } => {
            go(machine, &mut now, FEW, &mut trace);
            if steps > FAR {
                trace.ending.push(format!("it stops after {steps} steps"));
                return trace.mark_changes();
            }
            let between = steps - 2 * FEW;
            for _ in 0..between {
                now.step(machine);
            }
            let passed = Step::of(format!("{between} more steps"), cells(machine, &now));
            trace.steps.push(passed);
            go(machine, &mut now, FEW, &mut trace);
        }
        // What repeats is told once.
        Proof::Repeat { after, period } | Proof::TranslatedCycle { after, period, .. }
            if after.saturating_add(period) <= 2 * FEW =>
        {
            go(machine, &mut now, after + period, &mut trace);
        }
        _ => go(machine, &mut now, FEW, &mut trace),
    }
    let ending = match machine.action(now.state, now.tape.scanned) {
        None => "the machine stops here",
        Some(_) => "the run goes on for ever",
    };
    trace.ending.push(ending.to_owned());
    trace.mark_changes()
}

/// So many steps, or as many as there are.
fn go(machine: &Machine, now: &mut Configuration, steps: u64, trace: &mut Trace) {
    for _ in 0..steps {
        let Some(action) = machine.action(now.state, now.tape.scanned) else {
            return;
        };
        let name = name(machine, now).unwrap_or_default();
        now.step(machine);
        let step = Step::of(name, cells(machine, now));
        trace.steps.push(step.at(action.span));
    }
}
