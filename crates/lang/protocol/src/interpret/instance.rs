//! All configurations of one size.

use quotient_core::{Budget, Stop};
use rustc_hash::FxHashMap;

use super::steps::every;
use super::{Configuration, Interpreter, Taken};
use crate::model::{Demand, Domain, Initial, Value, Variable};

/// What a complete search of one size found.
#[derive(Debug, Clone)]
pub struct Explored {
    /// How many configurations can be reached.
    pub configurations: usize,
    /// How many steps lead from one to another.
    pub steps: usize,
    /// The first violation of each safety property that is violated, by name.
    pub violations: Vec<(String, Violation)>,
}

/// A way to a forbidden configuration, or one on which something never happens.
#[derive(Debug, Clone)]
pub struct Violation {
    /// The configuration at the start.
    pub start: Configuration,
    /// Each step with the configuration that it leads to.
    pub steps: Vec<(Taken, Configuration)>,
    /// Where something never happens: how many steps come before those that repeat for ever,
    /// and the place of the process that waits there.
    pub repeats: Option<(usize, usize)>,
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
    /// The configurations that an instance of this size begins with.
    pub fn initial(&self, processes: usize) -> Vec<Configuration> {
        // Where there are no processes, there is one size.
        let processes = match self.protocol.has_processes {
            true => processes,
            false => 0,
        };
        if self.protocol.has_processes && !self.size_is_allowed(processes) {
            return Vec::new();
        }
        let begin = |variable: &Variable| match &variable.initial {
            Initial::Values(values) => Domain::Symbols(values.clone()),
            _ => Domain::Bool,
        };
        let starts = |variables: &[Variable]| {
            let domains: Vec<Domain> = variables.iter().map(begin).collect();
            every(&domains.iter().collect::<Vec<_>>())
        };
        let (globals, letters) = (
            starts(&self.protocol.globals),
            starts(&self.protocol.fields),
        );
        let mut rows: Vec<Vec<Vec<Value>>> = vec![Vec::new()];
        for place in 0..processes {
            let fits = |letter: &&Vec<Value>, row: &[Vec<Value>]| {
                self.marks_fit(letter, row, place, processes)
            };
            rows = rows
                .iter()
                .flat_map(|row| {
                    let letters = letters.iter().filter(|letter| fits(letter, row));
                    letters
                        .map(|letter| [row.as_slice(), std::slice::from_ref(letter)].concat())
                        .collect::<Vec<_>>()
                })
                .collect();
        }
        let mut all = Vec::new();
        for globals in &globals {
            for processes in &rows {
                let channels = vec![Vec::new(); self.protocol.channels.len()];
                let mut start = Configuration {
                    globals: globals.clone(),
                    processes: processes.clone(),
                    channels,
                    seen: Vec::new(),
                };
                self.look_first(&mut start);
                if self.all_marks_are_carried(&start) && self.satisfies_initial_conditions(&start) {
                    all.push(start);
                }
            }
        }
        all
    }

    fn size_is_allowed(&self, processes: usize) -> bool {
        let channels = vec![Vec::new(); self.protocol.channels.len()];
        let processes = vec![Vec::new(); processes];
        let size = Configuration {
            globals: Vec::new(),
            processes,
            channels,
            seen: Vec::new(),
        };
        let scene = super::conditions::Scene {
            configuration: &size,
            choices: &[],
        };
        let holds = |expr| self.holds(expr, scene, &mut Vec::new());
        !size.processes.is_empty() && self.protocol.assumptions.iter().all(holds)
    }

    fn marks_fit(
        &self,
        letter: &[Value],
        before: &[Vec<Value>],
        place: usize,
        processes: usize,
    ) -> bool {
        self.protocol
            .fields
            .iter()
            .enumerate()
            .all(|(field, variable)| {
                let marked = letter[field] != 0;
                match variable.initial {
                    Initial::FirstProcess => marked == (place == 0),
                    Initial::LastProcess => marked == (place + 1 == processes),
                    Initial::AnyProcess => {
                        !marked || before.iter().all(|process| process[field] == 0)
                    }
                    Initial::Nobody => !marked,
                    Initial::Values(_) => true,
                }
            })
    }

    fn all_marks_are_carried(&self, start: &Configuration) -> bool {
        let needed = |variable: &Variable| {
            matches!(
                variable.initial,
                Initial::FirstProcess | Initial::LastProcess | Initial::AnyProcess
            )
        };
        let mut fields = self
            .protocol
            .fields
            .iter()
            .enumerate()
            .filter(|(_, variable)| needed(variable));
        fields.all(|(field, _)| start.processes.iter().any(|process| process[field] != 0))
    }

    fn satisfies_initial_conditions(&self, start: &Configuration) -> bool {
        self.protocol
            .initially
            .iter()
            .all(|condition| self.condition(condition, start))
    }

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
            // Losing a message is not the system's doing.
            Demand::NoDeadlock => self
                .successors(configuration)
                .iter()
                .all(|(taken, _)| taken.step.starts_with("lose ")),
            Demand::LeadsTo(..) => false,
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
        let mut numbers: FxHashMap<Configuration, usize> = FxHashMap::default();
        let mut found: Vec<(Configuration, Option<(usize, Taken)>)> = Vec::new();
        for start in self.initial(processes) {
            numbers.entry(start.clone()).or_insert_with(|| {
                found.push((start, None));
                found.len() - 1
            });
        }
        let (mut done, mut steps, mut stop) = (0, 0, None);
        let names: Vec<&str> = self
            .protocol
            .property_names()
            .filter(|&name| wanted(name))
            .collect();
        let mut violated: Vec<Option<usize>> = vec![None; names.len()];
        while done < found.len() {
            if let Err(reason) = budget.charge(1) {
                stop = Some(reason);
                break;
            }
            let current = found[done].0.clone();
            for (name, violated) in names.iter().zip(&mut violated) {
                if violated.is_none() && self.violates(name, &current) {
                    *violated = Some(done);
                }
            }
            for (taken, next) in self.successors(&current) {
                steps += 1;
                if !numbers.contains_key(&next) {
                    numbers.insert(next.clone(), found.len());
                    found.push((next, Some((done, taken))));
                }
            }
            done += 1;
        }
        let violation =
            |(name, at): (&&str, Option<usize>)| Some(((*name).to_owned(), back_from(&found, at?)));
        let explored = Explored {
            configurations: found.len(),
            steps,
            violations: names.iter().zip(violated).filter_map(violation).collect(),
        };
        (explored, stop)
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
