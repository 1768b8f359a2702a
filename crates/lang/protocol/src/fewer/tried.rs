//! What happens with fewer variables, tried with more of them.

use std::collections::BinaryHeap;

use quotient_core::{Budget, Stop};
use rustc_hash::FxHashSet;

use super::Kept;
use crate::model::{Initial, Protocol, Value, Variable};
use crate::{Configuration, Interpreter};

/// A run of the protocol with fewer variables to where the property is violated.
#[derive(Debug, Clone)]
pub(crate) struct Alarm {
    pub(crate) kept: Kept,
    pub(crate) configurations: Vec<Configuration>,
}

/// What became of a run that was tried.
pub(super) enum Tried {
    /// It can be taken, with these steps and configurations.
    Goes(Vec<Configuration>, Vec<String>),
    /// It cannot.
    Never,
    /// There are too many ways to try.
    Unsure,
}

/// So many configurations are looked at.
const MOST_TRIED: usize = 3_000;
/// So many first configurations are tried.
const MOST_STARTS: usize = 500;

/// Tries a run with more variables: in between, others may change. `wider` is the protocol with those,
/// and the property is its only one.
pub(super) fn tried(
    wider: &Protocol,
    kept: &Kept,
    alarm: &Alarm,
    budget: &Budget,
) -> Result<Tried, Stop> {
    // Where it takes much to prepare a step, who was there last knows more.
    match searched(wider, kept, alarm, false, budget)? {
        Tried::Unsure => searched(wider, kept, alarm, true, budget),
        decided => Ok(decided),
    }
}

fn searched(
    wider: &Protocol,
    kept: &Kept,
    alarm: &Alarm,
    deep: bool,
    budget: &Budget,
) -> Result<Tried, Stop> {
    let Some(property) = wider.property_names().next() else {
        return Ok(Tried::Unsure);
    };
    let interpreter = Interpreter::plain(wider).within(budget);
    // That nobody can go on is so where no step can be taken for sure.
    let sure = wider.surely.clone().map(|steps| Protocol {
        steps,
        surely: None,
        ..wider.clone()
    });
    let judge = Interpreter::plain(sure.as_ref().unwrap_or(wider)).within(budget);
    let view = View::new(kept, alarm);
    let last = alarm.configurations.len() - 1;
    let (starts, mut all) = view.starts(wider, &interpreter);
    let mut found: Vec<(Configuration, usize, Option<(usize, String)>)> = Vec::new();
    let mut known: FxHashSet<(usize, Configuration)> = FxHashSet::default();
    // Who has come furthest goes on; of those, who was there first, or last.
    let mut open: BinaryHeap<(usize, usize)> = BinaryHeap::new();
    let place = |number: usize| if deep { number } else { usize::MAX - number };
    for start in starts {
        open.push((0, place(found.len())));
        known.insert((0, start.clone()));
        found.push((start, 0, None));
    }
    while let Some((at, placed)) = open.pop() {
        let number = place(placed);
        let now = found[number].0.clone();
        if at == last && judge.violates(property, &now) {
            budget.poll()?;
            let (mut configurations, mut steps, mut here) = (Vec::new(), Vec::new(), number);
            loop {
                let (configuration, _, before) = &found[here];
                configurations.push(configuration.clone());
                let Some((before, step)) = before else { break };
                steps.push(step.clone());
                here = *before;
            }
            configurations.reverse();
            steps.reverse();
            return Ok(Tried::Goes(configurations, steps));
        }
        if found.len() > MOST_TRIED {
            all = false;
            break;
        }
        for (taken, after) in interpreter.all_successors(&now)? {
            let seen = view.of(&after);
            for next in [at + 1, at] {
                let goes = alarm.configurations.get(next) == Some(&seen);
                if goes && known.insert((next, after.clone())) {
                    open.push((next, place(found.len())));
                    found.push((after.clone(), next, Some((number, taken.step.clone()))));
                }
            }
        }
    }
    budget.poll()?;
    Ok(if all { Tried::Never } else { Tried::Unsure })
}

/// How configurations with more variables look with fewer.
struct View<'a> {
    alarm: &'a Alarm,
    /// Of the variables that there are, those of the alarm.
    shown: Kept,
}

impl<'a> View<'a> {
    fn new(kept: &Kept, alarm: &'a Alarm) -> View<'a> {
        let shown = |kept: &[bool], fewer: &[bool]| {
            let both = kept.iter().zip(fewer);
            both.filter(|(kept, _)| **kept)
                .map(|(_, fewer)| *fewer)
                .collect()
        };
        View {
            alarm,
            shown: Kept {
                globals: shown(&kept.globals, &alarm.kept.globals),
                fields: shown(&kept.fields, &alarm.kept.fields),
            },
        }
    }

    fn of(&self, configuration: &Configuration) -> Configuration {
        let processes = configuration.processes.iter();
        Configuration {
            globals: self.shown.of_globals(&configuration.globals),
            processes: processes.map(|one| self.shown.of_fields(one)).collect(),
            channels: configuration.channels.clone(),
            seen: Vec::new(),
        }
    }

    /// First configurations that look like the first one of the alarm, and whether these are all.
    fn starts(
        &self,
        wider: &Protocol,
        interpreter: &Interpreter<'_>,
    ) -> (Vec<Configuration>, bool) {
        let first = &self.alarm.configurations[0];
        // What each value may be, one after the other.
        let mut choices: Vec<Vec<Value>> = Vec::new();
        let mut add = |variables: &[Variable], shown: &[bool], values: &[Value]| {
            let mut values = values.iter();
            for (variable, shown) in variables.iter().zip(shown) {
                choices.push(match (shown, &variable.initial) {
                    (true, _) => values.next().copied().into_iter().collect(),
                    (false, Initial::Values(values)) => values.clone(),
                    (false, _) => variable.domain.values(),
                });
            }
        };
        add(&wider.globals, &self.shown.globals, &first.globals);
        for process in &first.processes {
            add(&wider.fields, &self.shown.fields, process);
        }
        let ways = choices.iter().map(Vec::len);
        let ways = ways.fold(1, usize::saturating_mul);
        let mut starts = Vec::new();
        for number in 0..ways.min(MOST_STARTS) {
            let mut rest = number;
            let mut values = choices.iter().map(|choice| {
                let value = choice[rest % choice.len()];
                rest /= choice.len();
                value
            });
            let globals: Vec<Value> = values.by_ref().take(wider.globals.len()).collect();
            let processes = first.processes.iter();
            let processes = processes.map(|_| values.by_ref().take(wider.fields.len()).collect());
            let start = Configuration {
                globals,
                processes: processes.collect(),
                channels: first.channels.clone(),
                seen: Vec::new(),
            };
            if interpreter.is_initial(&start) {
                starts.push(start);
            }
        }
        (starts, ways <= MOST_STARTS)
    }
}
