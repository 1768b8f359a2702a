//! Runs that somebody makes step by step, and what small runs say about a model.

use quotient_arrays::{Instance, State, System, different};
use quotient_backward::{Run, beginnings};
use quotient_core::{Context, Stop, Trouble};
use quotient_language::{Choice, Doubt, Simulation, Status, Trace};

use crate::model::trace;
use crate::written;

/// A run so far.
pub(crate) struct Walk {
    system: System,
    run: Run,
    starts: Vec<State>,
    offered: Vec<(Option<(usize, Vec<usize>)>, State)>,
}

/// The most beginnings that are offered.
const MOST_STARTS: usize = 50;

impl Walk {
    pub(crate) fn new(system: System, processes: usize, cx: &Context) -> Result<Walk, Trouble> {
        let processes = processes.max(system.least());
        let starts = beginnings(&system, processes, MOST_STARTS, &cx.budget)?;
        let mut walk = Walk {
            run: Run {
                processes,
                states: Vec::new(),
                steps: Vec::new(),
            },
            system,
            starts,
            offered: Vec::new(),
        };
        if let [start] = &walk.starts[..] {
            walk.run.states.push(start.clone());
        }
        Ok(walk)
    }

    fn offer(&mut self, cx: &Context) -> Result<(), Stop> {
        self.offered.clear();
        let Some(state) = self.run.states.last() else {
            let starts = self.starts.iter().map(|start| (None, start.clone()));
            self.offered = starts.collect();
            return Ok(());
        };
        let instance = Instance::new(&self.system, self.run.processes);
        for (which, transition) in self.system.transitions.iter().enumerate() {
            let mut tuples = Vec::new();
            different(self.run.processes, transition.processes, &mut |at| {
                tuples.push(at.clone())
            });
            for at in tuples {
                for after in instance.after(transition, &at, state, &cx.budget)? {
                    self.offered.push((Some((which, at.clone())), after));
                }
            }
        }
        Ok(())
    }

    /// What is new in a state, or all of it at the start.
    fn news(&self, state: &State) -> String {
        let instance = Instance::new(&self.system, self.run.processes);
        let before = self.run.states.last();
        let news: Vec<String> = state
            .iter()
            .enumerate()
            .filter(|(cell, value)| before.is_none_or(|before| before[*cell] != **value))
            .map(|(cell, value)| {
                let column = written::column(&self.system, &instance, cell);
                format!(
                    "{column} = {}",
                    written::value(&self.system, &instance, cell, *value)
                )
            })
            .collect();
        news.join(", ")
    }
}

impl Simulation for Walk {
    fn choices(&mut self, cx: &Context) -> Result<Vec<Choice>, Trouble> {
        self.offer(cx)?;
        let choice = |(by, state): &(Option<(usize, Vec<usize>)>, State)| Choice {
            action: match by {
                None => "start".into(),
                Some((which, at)) => {
                    let (name, by) = written::step(&self.system, *which, at);
                    format!("{name}({})", by.join(", "))
                }
            },
            leads_to: self.news(state),
            place: by
                .as_ref()
                .map(|(which, _)| self.system.transitions[*which].span),
            ..Choice::default()
        };
        Ok(self.offered.iter().map(choice).collect())
    }

    fn take(&mut self, choice: usize, cx: &Context) -> Result<(), Trouble> {
        self.offer(cx)?;
        let Some((by, state)) = self.offered.get(choice).cloned() else {
            return Err(Trouble::usage("there is no such step"));
        };
        self.run.states.push(state);
        self.run.steps.extend(by);
        Ok(())
    }

    fn undo(&mut self) -> bool {
        let least = usize::from(self.starts.len() == 1);
        if self.run.states.len() <= least {
            return false;
        }
        self.run.states.pop();
        self.run.steps.pop();
        true
    }

    fn trace(&self) -> Trace {
        trace(&self.system, &self.run)
    }

    fn status(&mut self, cx: &Context) -> Result<Status, Trouble> {
        self.offer(cx)?;
        let instance = Instance::new(&self.system, self.run.processes);
        let mut notes = Vec::new();
        if let Some(state) = self.run.states.last() {
            for bad in &self.system.bad {
                if instance.is_bad(bad, state) {
                    notes.push(format!("`{}` is violated here", bad.name));
                }
            }
        }
        Ok(Status {
            deadlock: self.offered.is_empty(),
            notes,
            ..Status::default()
        })
    }
}

/// Transitions that no small instance ever takes.
pub(crate) fn never_taken(system: &System, cx: &Context) -> Result<Vec<Doubt>, Trouble> {
    const MOST: usize = 20_000;
    let widest = system
        .transitions
        .iter()
        .map(|one| one.processes)
        .max()
        .unwrap_or(0);
    let processes = widest.max(system.least()).max(3);
    let taken = quotient_backward::taken(system, processes, MOST, &cx.budget)?;
    let Some(taken) = taken else {
        return Ok(Vec::new());
    };
    let mut doubts = Vec::new();
    for (transition, taken) in system.transitions.iter().zip(taken) {
        if !taken {
            let text = format!(
                "`{}` is never possible with {processes} processes",
                transition.name
            );
            let mut doubt = Doubt::new("dead-transition", text);
            doubt.span = Some(transition.span);
            doubts.push(doubt);
        }
    }
    Ok(doubts)
}
