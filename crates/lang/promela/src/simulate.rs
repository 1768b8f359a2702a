//! A run, step by step.

use std::rc::Rc;

use quotient_core::{Context, Trouble};
use quotient_language::{Choice, Simulation, Status, Trace};

use crate::evidence::Taken;
use crate::program::Program;
use crate::question::ends_well;
use crate::space::{Mode, Space};
use crate::state::{FAILED, Fault, State};
use crate::trace::{action, after, walked, whereabouts, who};

/// A program at work, with all the states that it was in.
pub(crate) struct Walk {
    program: Rc<Program>,
    mode: Mode,
    past: Vec<(Option<Taken>, State)>,
}

/// The most choices that are listed.
const MOST_CHOICES: usize = 100;

impl Walk {
    pub(crate) fn new(program: Rc<Program>, mode: Mode) -> Walk {
        let start = Space::new(mode.machine(&program, true), None).start();
        Walk {
            program,
            mode,
            past: vec![(None, start)],
        }
    }

    fn space(&self) -> Space<'_> {
        Space::new(self.mode.machine(&self.program, true), None)
    }

    fn now(&self) -> &State {
        &self.past[self.past.len() - 1].1
    }

    /// All steps from here.
    fn steps(&self) -> Vec<(Taken, State)> {
        let mut found = Vec::new();
        self.space().steps(self.now(), &mut |moves, after| {
            found.push((Taken::of(moves, None, &[]), after.clone()));
        });
        found
    }
}

impl Simulation for Walk {
    fn choices(&mut self, cx: &Context) -> Result<Vec<Choice>, Trouble> {
        cx.budget.poll()?;
        let space = self.space();
        let found = self.steps();
        let choices = found.iter().take(MOST_CHOICES).map(|(taken, goal)| {
            let mut state = self.now().clone();
            let (mut texts, mut place) = (Vec::new(), None);
            for shift in &taken.moves {
                let (text, at) = action(&self.program, &state, shift);
                let mut by = who(&self.program, &state, shift.process as usize);
                if let Some((other, _)) = shift.partner {
                    by = format!("{by} to {}", who(&self.program, &state, other as usize));
                }
                texts.push(format!("{by} {text}"));
                place = place.or(at);
                if let Some(next) = after(&space.machine, &state, shift) {
                    state = next;
                }
            }
            let fault = Fault::of(goal.cells[FAILED]);
            Choice {
                action: texts.join("; "),
                leads_to: fault.map_or(String::new(), |fault| fault.words().to_owned()),
                automatic: false,
                place,
            }
        });
        Ok(choices.collect())
    }

    fn take(&mut self, choice: usize, cx: &Context) -> Result<(), Trouble> {
        cx.budget.poll()?;
        let found = self.steps().into_iter().take(MOST_CHOICES).nth(choice);
        let (taken, state) = found.ok_or_else(|| Trouble::usage("there is no such step"))?;
        self.past.push((Some(taken), state));
        Ok(())
    }

    fn undo(&mut self) -> bool {
        let more = self.past.len() > 1;
        if more {
            self.past.pop();
        }
        more
    }

    fn trace(&self) -> Trace {
        walked(&self.space(), &self.past)
    }

    fn status(&mut self, _: &Context) -> Result<Status, Trouble> {
        let now = self.now();
        let number = self.steps().len();
        let mut status = Status {
            more: number > MOST_CHOICES,
            ..Status::default()
        };
        if let Some(fault) = Fault::of(now.cells[FAILED]) {
            status
                .notes
                .push(format!("{}: the run ends here", fault.words()));
        } else if number == 0 && ends_well(&self.program, now) {
            status
                .notes
                .push("all processes have come to an end".to_owned());
        } else if number == 0 {
            status.deadlock = true;
        }
        for process in 0..now.processes.len() {
            let name = who(&self.program, now, process);
            let text = whereabouts(&self.program, now, process);
            status.whereabouts.push(format!("{name}: {text}"));
        }
        Ok(status)
    }
}
