//! A run of one instance, step by step.

use std::sync::Arc;

use quotient_core::{Budget, Context, Diagnostic, Stop, Trouble};
use quotient_language::{Choice, Json, Random, Simulation, Status, Trace as Told};
use serde_json::json;

use crate::{Compiled, Configuration, Interpreter, Protocol, Taken, Trace};

/// So many choices are listed.
const MOST_LISTED: usize = 100;
/// A random step is one of so many, fewer where configurations are large.
const MOST_DRAWN: usize = 2_000;
const MOST_VALUES: usize = 4_000_000;

/// A run under way.
pub(super) struct Run {
    protocol: Arc<Protocol>,
    /// Nothing where the protocol does not fit into words.
    compiled: Option<Arc<Compiled>>,
    processes: usize,
    /// Where it may begin.
    starts: Vec<Configuration>,
    more_starts: bool,
    configurations: Vec<Configuration>,
    taken: Vec<Taken>,
    /// What can be done now, once that was looked for, and whether there is more.
    next: Option<Next>,
}

fn interpreter<'a>(protocol: &'a Protocol, compiled: Option<&'a Compiled>) -> Interpreter<'a> {
    match compiled {
        Some(compiled) => Interpreter::new(protocol, compiled),
        None => Interpreter::plain(protocol),
    }
}

type Next = (Vec<(Taken, Configuration)>, bool);

impl Run {
    pub(super) fn new(
        protocol: Arc<Protocol>,
        compiled: Option<Arc<Compiled>>,
        processes: usize,
        budget: &Budget,
    ) -> Result<Run, Trouble> {
        let interpreter = interpreter(&protocol, compiled.as_deref()).within(budget);
        let most = drawn(processes).min(interpreter.room_for(processes));
        let (starts, more_starts) = interpreter.some_initial(processes, most)?;
        if starts.is_empty() {
            let message =
                format!("no instance with {processes} processes has a first configuration");
            return Err(Diagnostic::error("no-instance", message)
                .in_source(&protocol.source)
                .help("look at `assume` and `initially`, or choose another number of processes")
                .into());
        }
        let mut run = Run {
            protocol,
            compiled,
            processes,
            starts,
            more_starts,
            configurations: Vec::new(),
            taken: Vec::new(),
            next: None,
        };
        if run.begins_by_itself() {
            run.configurations.push(run.starts[0].clone());
        }
        Ok(run)
    }

    /// Whether there is one way to begin, so that there is nothing to choose.
    fn begins_by_itself(&self) -> bool {
        self.starts.len() == 1 && !self.more_starts
    }

    fn interpreter(&self, budget: &Budget) -> Interpreter<'_> {
        interpreter(&self.protocol, self.compiled.as_deref()).within(budget)
    }

    /// What can be done now.
    fn next(&mut self, budget: &Budget) -> Result<&Next, Stop> {
        let next = match (self.next.take(), self.configurations.last()) {
            (Some(next), _) => next,
            (None, None) => (Vec::new(), false),
            (None, Some(now)) => {
                let size = now.processes.len();
                let interpreter = self.interpreter(budget);
                let most = drawn(size).min(interpreter.room_for(size));
                interpreter.some_successors(now, most)?
            }
        };
        Ok(self.next.insert(next))
    }

    fn table(&self) -> Trace {
        let interpreter = self.interpreter(&Budget::unlimited());
        interpreter.table(&self.configurations, &self.taken)
    }

    /// What a user reads of a step and where it leads.
    fn choices_of(&self, next: &[(Taken, Configuration)]) -> Vec<Choice> {
        let Some(now) = self.configurations.last() else {
            return Vec::new();
        };
        let interpreter = self.interpreter(&Budget::unlimited());
        let table = self.table();
        let here = table.rows.last().map_or(&[][..], |row| &row.processes);
        let name = |place: &usize| here.get(*place).map(|cell| cell.process.as_str());
        let mut choices: Vec<Choice> = Vec::new();
        for (taken, _) in next {
            let people = taken.people.iter().filter_map(name);
            let words: Vec<&str> = std::iter::once(taken.step.as_str()).chain(people).collect();
            let places = self.protocol.step_places.iter();
            let place = places.clone().find(|(known, _)| *known == taken.step);
            choices.push(Choice {
                action: words.join(" "),
                place: place.map(|(_, span)| *span),
                ..Choice::default()
            });
        }
        // Steps of one name are told apart by what they change.
        for number in 0..choices.len() {
            let same = |other: &Choice| other.action == choices[number].action;
            if choices.iter().filter(|other| same(other)).count() > 1 {
                let (taken, after) = &next[number];
                let both = [now.clone(), after.clone()];
                let step = interpreter.table(&both, std::slice::from_ref(taken));
                choices[number].leads_to = changes(&interpreter.told(&step));
            }
        }
        choices
    }
}

/// How many choices are kept where configurations are so large.
fn drawn(processes: usize) -> usize {
    (MOST_VALUES / (processes + 1)).clamp(MOST_LISTED + 1, MOST_DRAWN)
}

/// The cells that the last step changed; all if nothing did.
fn changes(told: &Told) -> String {
    let Some(last) = told.steps.last() else {
        return String::new();
    };
    let cells = || told.columns.iter().zip(&last.cells);
    let any = cells().any(|(_, cell)| cell.changed);
    let shown = cells().filter(|(_, cell)| cell.changed || !any);
    let texts = shown.map(|(name, cell)| format!("{name}: {}", cell.text));
    texts.collect::<Vec<_>>().join(", ")
}

impl Simulation for Run {
    fn choices(&mut self, cx: &Context) -> Result<Vec<Choice>, Trouble> {
        if self.configurations.is_empty() {
            let interpreter = self.interpreter(&cx.budget);
            let starts = self.starts.iter().take(MOST_LISTED).enumerate();
            let choice = |(number, start): (usize, &Configuration)| {
                let table = interpreter.table(std::slice::from_ref(start), &[]);
                Choice {
                    action: format!("start {}", number + 1),
                    leads_to: changes(&interpreter.told(&table)),
                    ..Choice::default()
                }
            };
            return Ok(starts.map(choice).collect());
        }
        self.next(&cx.budget)?;
        let next = self.next.take().unwrap_or_default();
        let listed = next.0.len().min(MOST_LISTED);
        let choices = self.choices_of(&next.0[..listed]);
        self.next = Some(next);
        Ok(choices)
    }

    fn take(&mut self, choice: usize, cx: &Context) -> Result<(), Trouble> {
        if self.configurations.is_empty() {
            let start = self.starts.get(choice).ok_or_else(no_such_choice)?;
            self.configurations.push(start.clone());
            return Ok(());
        }
        let (next, _) = self.next(&cx.budget)?;
        let (taken, after) = next.get(choice).cloned().ok_or_else(no_such_choice)?;
        self.next = None;
        self.taken.push(taken);
        self.configurations.push(after);
        Ok(())
    }

    fn take_any(&mut self, random: &mut Random, cx: &Context) -> Result<bool, Trouble> {
        let number = match self.configurations.is_empty() {
            true => self.starts.len(),
            false => self.next(&cx.budget)?.0.len(),
        };
        if number == 0 {
            return Ok(false);
        }
        self.take(random.below(number), cx)?;
        Ok(true)
    }

    fn undo(&mut self) -> bool {
        if self.taken.pop().is_none() && (self.configurations.is_empty() || self.begins_by_itself())
        {
            return false;
        }
        self.configurations.pop();
        self.next = None;
        true
    }

    fn trace(&self) -> Told {
        let interpreter = self.interpreter(&Budget::unlimited());
        let begun = !self.configurations.is_empty();
        if begun {
            return interpreter.told(&self.table());
        }
        let start = interpreter.table(&self.starts[..1], &[]);
        let mut told = interpreter.told(&start);
        told.steps.clear();
        told
    }

    fn status(&mut self, cx: &Context) -> Result<Status, Trouble> {
        if self.configurations.is_empty() {
            let more = self.more_starts || self.starts.len() > MOST_LISTED;
            return Ok(Status {
                more,
                ..Status::default()
            });
        }
        let (next, more) = self.next(&cx.budget)?;
        let (deadlock, more) = (next.is_empty(), *more || next.len() > MOST_LISTED);
        let interpreter = self.interpreter(&cx.budget);
        let mut notes = Vec::new();
        if let Some(now) = self.configurations.last() {
            for name in self.protocol.safety_names() {
                let violates = interpreter.violates(name, now);
                cx.budget.poll()?;
                if violates {
                    notes.push(format!("this configuration violates {name}"));
                }
            }
        }
        Ok(Status {
            deadlock,
            notes,
            more,
            ..Status::default()
        })
    }

    fn refusal(&self, action: &str) -> Vec<String> {
        let (step, _) = action.split_once(' ').unwrap_or((action, ""));
        match self.protocol.step_names().any(|name| name == step) {
            true => vec![format!("`{action}` cannot be taken here")],
            false => vec![format!("the protocol has no step `{step}`")],
        }
    }

    fn spelled(&self, action: &str) -> String {
        action.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn details(&mut self, _: &Context) -> Result<Vec<(String, Json)>, Trouble> {
        let processes = self.processes;
        Ok(vec![
            ("processes".to_owned(), json!(processes)),
            ("table".to_owned(), json!(self.table())),
        ])
    }
}

fn no_such_choice() -> Trouble {
    Trouble::usage("there is no such choice")
}
