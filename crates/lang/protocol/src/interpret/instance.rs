//! All configurations of one size.

use quotient_core::{Budget, Stop};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Configuration, Interpreter, MOST_KEPT, Taken};
use crate::model::{Demand, Initial, Variable};

/// What a complete search of one size found.
#[derive(Debug, Clone)]
pub struct Explored {
    /// How many configurations can be reached.
    pub configurations: usize,
    /// How many steps lead from one to another.
    pub steps: usize,
    /// The first violation of each safety property that is violated, by name.
    pub violations: Vec<(String, Violation)>,
    /// The names of the steps that can be taken somewhere.
    pub taken: FxHashSet<String>,
    /// Whether every parameter is more than zero in some configuration; yes where there are none.
    pub telling: bool,
}

/// A way to a forbidden configuration, or one on which something never happens.
#[derive(Debug, Clone)]
pub struct Violation {
    /// The configuration at the start.
    pub start: Configuration,
    /// Each step with the configuration that it leads to.
    pub steps: Vec<(Taken, Configuration)>,
    /// Where something never happens: what repeats for ever.
    pub repeats: Option<Repeating>,
}

/// The end of a run that repeats for ever.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repeating {
    /// How many steps come before.
    pub from: usize,
    /// The places of the processes there that it is about.
    pub who: Vec<usize>,
    /// Whether the first of them waits in vain.
    pub waits: bool,
}

impl Violation {
    /// The configurations, first to last.
    pub fn configurations(&self) -> Vec<Configuration> {
        let after = self.steps.iter().map(|(_, after)| after.clone());
        [self.start.clone()].into_iter().chain(after).collect()
    }

    /// The steps alone.
    pub fn taken(&self) -> Vec<Taken> {
        self.steps.iter().map(|(taken, _)| taken.clone()).collect()
    }
}

impl Interpreter<'_> {
    /// Whether a configuration is forbidden by a safety property.
    pub fn violates(&self, property: &str, configuration: &Configuration) -> bool {
        let Some(property) = self
            .protocol
            .properties
            .iter()
            .find(|known| known.name == property)
        else {
            return false;
        };
        match &property.demand {
            Demand::Never(condition) => self.condition(condition, configuration),
            // What goes wrong is not the system's doing.
            Demand::NoDeadlock => self.can_go_on(configuration) == Ok(false),
            Demand::LeadsTo(..) | Demand::Happens(_) => false,
        }
    }

    /// Searches all configurations of one size, breadth first.
    pub fn explore(&self, processes: usize, budget: &Budget) -> Result<Explored, Stop> {
        match self.search(processes, &|_| true, budget) {
            (explored, None) => Ok(explored),
            (_, Some(stop)) => Err(stop),
        }
    }

    /// The same for some properties, as far as the budget goes: channels and lines that grow have
    /// no end.
    pub fn search(
        &self,
        processes: usize,
        wanted: &dyn Fn(&str) -> bool,
        budget: &Budget,
    ) -> (Explored, Option<Stop>) {
        let interpreter = Interpreter {
            budget: budget.clone(),
            ..*self
        };
        let names: Vec<&str> = self
            .protocol
            .property_names()
            .filter(|&name| wanted(name))
            .collect();
        let mut search = Search {
            violated: vec![None; names.len()],
            ..Search::default()
        };
        let stop = search.run(&interpreter, processes, &names).err();
        let Search {
            found,
            steps,
            violated,
            taken,
            ..
        } = search;
        let parameter =
            |(_, global): &(usize, &Variable)| matches!(global.initial, Initial::Parameter);
        let globals = self.protocol.globals.iter().enumerate();
        let parameters: Vec<usize> = (globals.filter(parameter))
            .map(|(number, _)| number)
            .collect();
        let telling = |(configuration, _): &(Configuration, _)| {
            let mut numbers = parameters.iter();
            numbers.all(|number| configuration.globals[*number] > 0)
        };
        let violation =
            |(name, at): (&&str, Option<usize>)| Some(((*name).to_owned(), back_from(&found, at?)));
        let explored = Explored {
            configurations: found.len(),
            steps,
            violations: names.iter().zip(violated).filter_map(violation).collect(),
            taken,
            telling: found.iter().any(telling),
        };
        (explored, stop)
    }
}

/// A search under way.
#[derive(Default)]
struct Search {
    numbers: FxHashMap<Configuration, usize>,
    found: Vec<(Configuration, Option<(usize, Taken)>)>,
    steps: usize,
    /// For each property the first configuration that violates it.
    violated: Vec<Option<usize>>,
    taken: FxHashSet<String>,
}

impl Search {
    fn run(
        &mut self,
        interpreter: &Interpreter<'_>,
        processes: usize,
        names: &[&str],
    ) -> Result<(), Stop> {
        for start in interpreter.all_initial(processes)? {
            self.find(start, None);
        }
        let weight = interpreter.weight(processes);
        let (mut done, mut kept) = (0, self.found.len().saturating_mul(weight));
        while done < self.found.len() {
            interpreter.budget.charge(1)?;
            let current = self.found[done].0.clone();
            for (name, violated) in names.iter().zip(&mut self.violated) {
                if violated.is_none() && interpreter.violates(name, &current) {
                    interpreter.budget.poll()?;
                    *violated = Some(done);
                }
            }
            for (taken, next) in interpreter.all_successors(&current)? {
                self.steps += 1;
                if !self.taken.contains(&taken.step) {
                    self.taken.insert(taken.step.clone());
                }
                let size = interpreter.weight(next.processes.len());
                if self.find(next, Some((done, taken))) {
                    kept += size;
                }
            }
            if kept > MOST_KEPT {
                return Err(Interpreter::no_room());
            }
            done += 1;
        }
        Ok(())
    }

    /// Whether it is new.
    fn find(&mut self, configuration: Configuration, by: Option<(usize, Taken)>) -> bool {
        if self.numbers.contains_key(&configuration) {
            return false;
        }
        self.numbers.insert(configuration.clone(), self.found.len());
        self.found.push((configuration, by));
        true
    }
}

/// The way from the start to a configuration.
fn back_from(found: &[(Configuration, Option<(usize, Taken)>)], mut at: usize) -> Violation {
    let mut steps = Vec::new();
    while let (after, Some((before, taken))) = &found[at] {
        steps.push((taken.clone(), after.clone()));
        at = *before;
    }
    steps.reverse();
    Violation {
        start: found[at].0.clone(),
        steps,
        repeats: None,
    }
}
