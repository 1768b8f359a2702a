//! A run, step by step: any processor that can may go on.

use quotient_core::{Context, Trouble};
use quotient_language::{Choice, Simulation, Status, Trace};

use crate::machine::{self, Control, Local};
use crate::program::Program;
use crate::run::{Part, Run};
use crate::story;

/// The most steps that a choice takes: a processor that loops by itself never stops.
const MOST_STEPS: u64 = 100_000;

/// A run that grows and shrinks at its end. A choice runs a processor until it waits, ends or
/// fails, or performs a barrier.
pub(crate) struct Walk {
    program: Program,
    states: Vec<Vec<Local>>,
    run: Run,
}

impl Walk {
    pub(crate) fn new(program: &Program) -> Walk {
        Walk {
            program: program.clone(),
            states: vec![machine::beginning(program)],
            run: Run::default(),
        }
    }

    fn here(&self) -> &[Local] {
        self.states.last().map_or(&[], Vec::as_slice)
    }

    /// Processors that can run, then barriers that can happen.
    fn possible(&self) -> Vec<Part> {
        let locals = self.here();
        let running = (0..locals.len()).filter(|&one| locals[one].is_running());
        let running = running.map(|processor| Part::Steps {
            processor,
            steps: 0,
        });
        let barriers = machine::complete(&self.program, locals).into_iter();
        let barriers = barriers.map(|one| Part::Barrier(self.program.groups[one].name.clone()));
        running.chain(barriers).collect()
    }
}

impl Simulation for Walk {
    fn choices(&mut self, _: &Context) -> Result<Vec<Choice>, Trouble> {
        let choice = |part: Part| match part {
            Part::Steps { processor, .. } => {
                let at = match self.here()[processor].control {
                    Control::Evaluates(at) => Some(self.program.expressions[at].1),
                    _ => None,
                };
                Choice {
                    action: format!("run {processor}"),
                    place: at,
                    ..Choice::default()
                }
            }
            Part::Barrier(name) => Choice {
                action: format!("barrier {name}"),
                ..Choice::default()
            },
        };
        Ok(self.possible().into_iter().map(choice).collect())
    }

    fn take(&mut self, choice: usize, _: &Context) -> Result<(), Trouble> {
        let part = self.possible().get(choice).cloned();
        let part = part.ok_or_else(|| Trouble::usage("there is no such choice"))?;
        let mut locals = self.here().to_vec();
        let part = match part {
            Part::Steps { processor, .. } => {
                let mut steps = 0;
                while steps < MOST_STEPS && locals[processor].step(&self.program, processor) {
                    steps += 1;
                    locals[processor].within_bounds()?;
                }
                Part::Steps { processor, steps }
            }
            Part::Barrier(name) => {
                let group = self.program.groups.iter().position(|one| one.name == name);
                machine::barrier(&self.program, &mut locals, group.unwrap_or(0));
                Part::Barrier(name)
            }
        };
        self.run.parts.push(part);
        self.states.push(locals);
        Ok(())
    }

    fn undo(&mut self) -> bool {
        let undone = self.run.parts.pop().is_some();
        if undone {
            self.states.pop();
        }
        undone
    }

    fn trace(&self) -> Trace {
        story::trace(&self.program, &self.run)
    }

    fn status(&mut self, _: &Context) -> Result<Status, Trouble> {
        let stuck = self.possible().is_empty();
        let ended = self.here().iter().all(|local| local.value().is_some());
        // Who failed does not wait for anybody.
        let is_faulty = |local: &Local| matches!(local.control, Control::Faulty(_));
        let failed = self.here().iter().any(is_faulty);
        Ok(Status {
            deadlock: stuck && !ended && !failed,
            notes: match (ended, stuck && failed) {
                (true, _) => vec!["all processors have ended".to_owned()],
                (_, true) => vec!["a processor has failed, and nobody can go on".to_owned()],
                _ => Vec::new(),
            },
            ..Status::default()
        })
    }
}
