//! A run, step by step: one variable at a time, or all at once.

use std::collections::HashSet;

use quotient_core::{Context, Trouble};
use quotient_language::{Cell, Choice, Layout, Random, Simulation, Status, Step, Trace};

use crate::given::Unit;
use crate::network::{Network, Update};

/// The most changes that are listed.
const MOST_CHOICES: usize = 100;
/// The most states to begin with that are listed.
const MOST_STARTS: usize = 16;
/// What is chosen where all variables change at once.
const ALL: &str = "all";

/// A run that grows and shrinks at its end; where the start is open, its first choice is a beginning.
pub(crate) struct Run {
    network: Network,
    units: Vec<Unit>,
    is_synchronous: bool,
    /// The values that a beginning has.
    start: HashSet<(usize, bool)>,
    states: Vec<Vec<bool>>,
    /// What was chosen to reach each state but the first.
    taken: Vec<String>,
}

impl Run {
    /// A run from the start that is given, or else from the initial levels of the file.
    pub(crate) fn new(network: &Network, is_synchronous: bool) -> Run {
        let given = match network.start.is_empty() {
            true => network.initial.iter(),
            false => network.start.iter(),
        };
        let is_fixed = |at: usize| network.fixed.iter().any(|pin| pin.0 == at);
        let given = given.filter(|pin| !is_fixed(pin.0));
        let mut run = Run {
            network: network.clone(),
            units: network.units(),
            is_synchronous,
            start: network.fixed.iter().chain(given).copied().collect(),
            states: Vec::new(),
            taken: Vec::new(),
        };
        if run.open().is_empty() {
            let start = run.beginning(|_| 0);
            run.states.push(start);
        }
        run
    }

    /// The variables whose level at the beginning is open, with those that they may have.
    fn open(&self) -> Vec<(usize, Vec<usize>)> {
        let levels = self.units.iter().map(|unit| unit.levels_with(&self.start));
        levels
            .enumerate()
            .filter(|(_, all)| all.len() > 1)
            .collect()
    }

    /// The state that begins so: for each variable the place of its level among those that it may have.
    fn beginning(&self, mut place: impl FnMut(&[usize]) -> usize) -> Vec<bool> {
        let mut state = vec![false; self.network.names.len()];
        for unit in &self.units {
            let levels = unit.levels_with(&self.start);
            let level = levels.get(place(&levels)).or(levels.first());
            for (at, value) in unit.pins(level.copied().unwrap_or(0)) {
                state[at] = value;
            }
        }
        state
    }

    /// The first states to begin with, counted up, and whether there are more.
    fn beginnings(&self) -> (Vec<Vec<bool>>, bool) {
        let open = self.open();
        let number = open
            .iter()
            .try_fold(1usize, |all, (_, levels)| all.checked_mul(levels.len()));
        let number = number.unwrap_or(usize::MAX);
        let begin = |mut rest: usize| {
            self.beginning(|levels| {
                let place = rest % levels.len().max(1);
                rest /= levels.len().max(1);
                place
            })
        };
        let some = (0..number.min(MOST_STARTS)).map(begin).collect();
        (some, number > MOST_STARTS)
    }

    /// The variables that want to change in a state, each with the state after it.
    fn changes(&self, state: &[bool]) -> Vec<(usize, Vec<bool>)> {
        let mut found = Vec::new();
        for (number, unit) in self.units.iter().enumerate() {
            for &at in &unit.variables {
                if self.network.updates[at].value_in(state) != state[at] {
                    let mut after = state.to_vec();
                    after[at] = !after[at];
                    found.push((number, after));
                }
            }
        }
        found
    }

    /// What can be done in a state: how it is called, and the state after it.
    fn steps(&self, state: &[bool]) -> Vec<(String, Vec<bool>)> {
        let changes = self.changes(state);
        if !self.is_synchronous {
            let named = changes.into_iter();
            return named
                .map(|(unit, after)| (self.units[unit].name.clone(), after))
                .collect();
        }
        if changes.is_empty() {
            return Vec::new();
        }
        let mut all = state.to_vec();
        for (_, after) in changes {
            let differing = (0..all.len()).filter(|&at| after[at] != state[at]);
            differing.for_each(|at| all[at] = after[at]);
        }
        vec![(ALL.to_owned(), all)]
    }

    /// Levels in words, of the variables that differ from another state.
    fn words(&self, state: &[bool], unlike: Option<&[bool]>) -> String {
        let differs =
            |unit: &&Unit| unlike.is_none_or(|other| unit.level(other) != unit.level(state));
        let told = self.units.iter().filter(differs);
        let told = told.map(|unit| format!("{}={}", unit.name, unit.level(state)));
        told.collect::<Vec<_>>().join(" ")
    }

    /// How a beginning is called: by the levels that were open.
    fn called(&self, state: &[bool]) -> String {
        let open = self.open();
        let told = open.iter().map(|(unit, _)| &self.units[*unit]);
        let told = told.map(|unit| format!("{}={}", unit.name, unit.level(state)));
        told.collect::<Vec<_>>().join(" ")
    }
}

impl Simulation for Run {
    fn choices(&mut self, _: &Context) -> Result<Vec<Choice>, Trouble> {
        let choice = |action: String, leads_to: String| Choice {
            action,
            leads_to,
            ..Choice::default()
        };
        let Some(state) = self.states.last() else {
            let begins = self.beginnings().0.into_iter();
            return Ok(begins
                .map(|one| choice(self.called(&one), String::new()))
                .collect());
        };
        let steps = self.steps(state).into_iter().take(MOST_CHOICES);
        let told = steps.map(|(action, after)| choice(action, self.words(&after, Some(state))));
        Ok(told.collect())
    }

    fn take(&mut self, number: usize, _: &Context) -> Result<(), Trouble> {
        let wrong = || Trouble::usage("there is no such choice");
        let Some(state) = self.states.last() else {
            let start = self.beginnings().0.into_iter().nth(number);
            self.states.push(start.ok_or_else(wrong)?);
            return Ok(());
        };
        let step = self.steps(state).into_iter().nth(number);
        let (action, after) = step.ok_or_else(wrong)?;
        self.states.push(after);
        self.taken.push(action);
        Ok(())
    }

    /// Any beginning, not only one of those that are listed.
    fn take_any(&mut self, random: &mut Random, cx: &Context) -> Result<bool, Trouble> {
        let Some(state) = self.states.last() else {
            let start = self.beginning(|levels| random.below(levels.len()));
            self.states.push(start);
            return Ok(true);
        };
        let number = self.steps(state).len();
        if number > 0 {
            self.take(random.below(number), cx)?;
        }
        Ok(number > 0)
    }

    fn undo(&mut self) -> bool {
        let chosen = !self.open().is_empty();
        let undone = self.taken.pop().is_some() || (chosen && self.states.len() == 1);
        if undone {
            self.states.pop();
        }
        undone
    }

    fn trace(&self) -> Trace {
        let columns = self.units.iter().map(|unit| unit.name.clone());
        let mut trace = Trace::new(Layout::States, columns);
        for (number, state) in self.states.iter().enumerate() {
            let cells = self
                .units
                .iter()
                .map(|unit| Cell::new(unit.level(state).to_string()));
            trace.steps.push(match number.checked_sub(1) {
                None => Step::start(cells),
                Some(before) => Step::of(self.taken[before].clone(), cells),
            });
        }
        trace.mark_changes()
    }

    fn status(&mut self, _: &Context) -> Result<Status, Trouble> {
        let Some(state) = self.states.last() else {
            return Ok(Status {
                more: self.beginnings().1,
                ..Status::default()
            });
        };
        let number = self.steps(state).len();
        let mut notes = Vec::new();
        if number == 0 {
            notes.push("steady: nothing changes any more".to_owned());
        } else if self.is_synchronous {
            let last = self.states.len() - 1;
            let before = self.states[..last].iter().rposition(|other| other == state);
            if let Some(before) = before {
                let length = last - before;
                notes.push(format!(
                    "it goes round: this state was there {length} steps before"
                ));
            }
        }
        Ok(Status {
            notes,
            whereabouts: vec![self.words(state, None)],
            more: number > MOST_CHOICES,
            ..Status::default()
        })
    }

    fn refusal(&self, action: &str) -> Vec<String> {
        let Some(state) = self.states.last() else {
            return vec!["the start is open: name its levels with `--start`".to_owned()];
        };
        let unit = self.units.iter().find(|unit| unit.name == action);
        let told = unit.map(|unit| match self.is_synchronous {
            true => format!("all variables change at once: the step is called `{ALL}`"),
            false => {
                let level = unit.level(state);
                format!("`{action}` has the level that its function gives it: {level}")
            }
        });
        told.into_iter().collect()
    }

    fn spelled(&self, action: &str) -> String {
        action.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

impl Update {
    /// Its value in a state of any number of variables.
    fn value_in(&self, state: &[bool]) -> bool {
        match self {
            Update::Constant(value) => *value,
            Update::Variable(at) => state[*at],
            Update::Not(inner) => !inner.value_in(state),
            Update::And(one, other) => one.value_in(state) && other.value_in(state),
            Update::Or(one, other) => one.value_in(state) || other.value_in(state),
            Update::Xor(one, other) => one.value_in(state) != other.value_in(state),
        }
    }
}
