//! How a program ends: one run decides, because all orders lead to the same end.
//!
//! Each processor runs until it waits, ends or fails; then complete barriers happen. A processor
//! that comes back to the same local state by itself, or a machine that comes back to the same
//! state between barriers, goes on for ever. Every barrier that is complete happens before any
//! happens again: a group that meets for ever holds nobody else up.

use quotient_core::{Budget, Stop};
use serde::{Deserialize, Serialize};

use crate::machine::{self, Local};
use crate::program::{Kind, Program};

/// A part of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum Part {
    /// A processor makes so many steps.
    Steps { processor: usize, steps: u64 },
    /// A barrier happens, of the group with this name.
    Barrier(String),
}

/// A run, and what is repeated for ever after it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Run {
    pub(crate) parts: Vec<Part>,
    /// Processors that come back to the same local state after so many steps of their own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) loops: Vec<(usize, u64)>,
    /// The whole machine is again as it was before the part with this number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) repeats: Option<usize>,
}

/// Where a run has led.
#[derive(Debug, Clone)]
pub(crate) struct Ended {
    pub(crate) run: Run,
    pub(crate) kind: Kind,
    pub(crate) locals: Vec<Local>,
}

/// Runs a program to its end.
pub(crate) fn run(program: &Program, budget: &Budget) -> Result<Ended, Stop> {
    let mut locals = machine::beginning(program);
    let mut run = Run::default();
    // A state between barriers that may come back, after how many parts, and when to take a
    // newer one (Brent's way).
    let mut old: (Vec<Local>, usize) = (Vec::new(), 0);
    let (mut rounds, mut patience) = (0_u64, 1_u64);
    loop {
        for (processor, local) in locals.iter_mut().enumerate() {
            let (steps, looping) = run_alone(program, processor, local, budget)?;
            if steps > 0 {
                run.parts.push(Part::Steps { processor, steps });
            }
            if let Some(length) = looping {
                run.loops.push((processor, length));
            }
        }
        let complete = machine::complete(program, &locals);
        // Others may still meet without a processor that loops, and something may fail there.
        if !complete.is_empty() {
            if old.0 == locals {
                run.repeats = Some(old.1);
                let kind = ending(&locals, true);
                return Ok(Ended { run, kind, locals });
            }
            rounds += 1;
            if rounds == patience {
                old = (locals.clone(), run.parts.len());
                patience *= 2;
            }
            // A processor waits for one barrier at a time, so none of these undoes another.
            for group in complete {
                machine::barrier(program, &mut locals, group);
                let name = program.groups[group].name.clone();
                run.parts.push(Part::Barrier(name));
            }
            // Loops are found again: their processors have not moved.
            run.loops.clear();
            continue;
        }
        let kind = ending(&locals, !run.loops.is_empty());
        return Ok(Ended { run, kind, locals });
    }
}

/// How it ends where nothing can move any more (but what loops by itself).
pub(crate) fn ending(locals: &[Local], loops: bool) -> Kind {
    if locals.iter().any(|local| local.fault().is_some()) {
        Kind::Fault
    } else if loops {
        Kind::Diverges
    } else if locals.iter().all(|local| local.value().is_some()) {
        Kind::Done
    } else {
        Kind::Deadlock
    }
}

/// Runs one processor until it stops by itself; says how many steps that took, and after how
/// many it comes back if it never stops.
fn run_alone(
    program: &Program,
    processor: usize,
    local: &mut Local,
    budget: &Budget,
) -> Result<(u64, Option<u64>), Stop> {
    let mut steps = 0;
    let (mut old, mut since, mut patience) = (local.clone(), 0_u64, 64_u64);
    while local.step(program, processor) {
        budget.charge(1)?;
        steps += 1;
        since += 1;
        local.within_bounds()?;
        if *local == old {
            return Ok((steps, Some(since)));
        }
        if since == patience {
            old = local.clone();
            since = 0;
            patience *= 2;
        }
    }
    Ok((steps, None))
}
