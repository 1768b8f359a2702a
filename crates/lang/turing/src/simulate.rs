//! A run, step by step.

use quotient_core::{Context, Trouble};
use quotient_language::{Choice, Layout, Simulation, Status, Step, Trace};

use crate::check::{cells, name};
use crate::machine::Machine;
use crate::question::Start;
use crate::tape::Configuration;

/// A machine at work, with all the configurations that it was in.
pub(crate) struct Walk {
    machine: Machine,
    past: Vec<Configuration>,
}

impl Walk {
    pub(crate) fn new(machine: &Machine, start: &Start) -> Walk {
        Walk {
            machine: machine.clone(),
            past: vec![start.configuration(machine)],
        }
    }

    fn now(&self) -> &Configuration {
        &self.past[self.past.len() - 1]
    }
}

impl Simulation for Walk {
    fn choices(&mut self, _: &Context) -> Result<Vec<Choice>, Trouble> {
        let now = self.now();
        let action = self.machine.action(now.state, now.tape.scanned);
        let choice = name(&self.machine, now).map(|action_name| Choice {
            action: action_name,
            place: action.map(|action| action.span),
            ..Choice::default()
        });
        Ok(choice.into_iter().collect())
    }

    fn take(&mut self, choice: usize, cx: &Context) -> Result<(), Trouble> {
        cx.budget.poll()?;
        let mut next = self.now().clone();
        if choice > 0 || next.step(&self.machine).is_none() {
            return Err(Trouble::usage("there is no such step"));
        }
        self.past.push(next);
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
        let mut trace = Trace::new(Layout::States, ["state", "tape"]);
        let mut before: Option<&Configuration> = None;
        for now in &self.past {
            let cells = cells(&self.machine, now);
            trace.steps.push(match before {
                None => Step::start(cells),
                Some(old) => {
                    let step = Step::of(name(&self.machine, old).unwrap_or_default(), cells);
                    match self.machine.action(old.state, old.tape.scanned) {
                        Some(action) => step.at(action.span),
                        None => step,
                    }
                }
            });
            before = Some(now);
        }
        trace.mark_changes()
    }

    fn status(&mut self, _: &Context) -> Result<Status, Trouble> {
        let now = self.now();
        let mut status = Status::default();
        if self.machine.action(now.state, now.tape.scanned).is_none() {
            let ones = now.count(self.machine.one);
            let ones = ones.map_or("infinitely many".to_owned(), |ones| ones.to_string());
            let steps = self.past.len() - 1;
            status.notes.push(format!(
                "the machine stops after {steps} steps with {ones} ones"
            ));
        }
        Ok(status)
    }
}
