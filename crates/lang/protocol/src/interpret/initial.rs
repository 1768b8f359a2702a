//! What instances of one size begin with.

use quotient_core::{Budget, Stop};

use super::steps::every;
use super::{Configuration, Interpreter, MOST_KEPT};
use crate::model::{Domain, Initial, Value, Variable};

impl Interpreter<'_> {
    /// The configurations that an instance of this size begins with.
    pub fn initial(&self, processes: usize) -> Vec<Configuration> {
        self.all_initial(processes).unwrap_or_default()
    }

    /// The same, or why there was no time or room for it.
    pub fn all_initial(&self, processes: usize) -> Result<Vec<Configuration>, Stop> {
        match self.some_initial(processes, self.room_for(processes))? {
            (all, false) => Ok(all),
            (_, true) => Err(Self::no_room()),
        }
    }

    /// So many of them at the most, and whether there are more.
    pub fn some_initial(
        &self,
        processes: usize,
        most: usize,
    ) -> Result<(Vec<Configuration>, bool), Stop> {
        // Where there are no processes, there is one size.
        let processes = match self.protocol.has_processes {
            true => processes,
            false => 0,
        };
        if self.weight(processes) > MOST_KEPT / 2 {
            return Err(Self::no_room());
        }
        let letters = starts(&self.protocol.fields, processes);
        let mut all = Vec::new();
        for globals in starts(&self.protocol.globals, processes) {
            if self.protocol.has_processes && !self.size_is_allowed(processes, &globals) {
                continue;
            }
            let mut rows = Rows::new(&self.protocol.fields, &letters, processes);
            while let Some(row) = rows.next(&self.budget)? {
                for row in self.with_pairs(row)? {
                    let mut start = Configuration {
                        globals: globals.clone(),
                        processes: row,
                        channels: self.initial_contents(),
                        seen: Vec::new(),
                    };
                    let begins = self.satisfies_initial_conditions(&start);
                    self.budget.poll()?;
                    if !begins {
                        continue;
                    }
                    if all.len() >= most {
                        return Ok((all, true));
                    }
                    self.look_first(&mut start);
                    self.budget.poll()?;
                    all.push(start);
                }
            }
        }
        Ok((all, false))
    }

    /// A row of processes with all that they may carry for each other at the start.
    fn with_pairs(&self, row: Vec<Vec<Value>>) -> Result<Vec<Vec<Vec<Value>>>, Stop> {
        const MOST_ROWS: usize = 200_000;
        let size = row.len();
        let mut all = vec![row];
        for pair in &self.protocol.pairs {
            if pair.initial == Initial::Order {
                let orders =
                    orders(size, MOST_ROWS / all.len().max(1)).ok_or_else(Self::no_room)?;
                let longer = all.iter().flat_map(|row| {
                    orders.iter().map(|order| {
                        let places = row.iter().zip(order);
                        let row = places.map(|(own, more)| [&own[..], &more[..]].concat());
                        row.collect::<Vec<Vec<Value>>>()
                    })
                });
                all = longer.collect();
                continue;
            }
            for place in 0..size {
                let carried = carried(pair, place, size).ok_or_else(Self::no_room)?;
                if all.len().saturating_mul(carried.len()) > MOST_ROWS {
                    return Err(Self::no_room());
                }
                let longer = all.iter().flat_map(|row| {
                    carried.iter().map(|more| {
                        let mut row = row.clone();
                        row[place].extend(more);
                        row
                    })
                });
                all = longer.collect();
            }
        }
        Ok(all)
    }

    /// Whether what processes carry for each other may be so at the start.
    fn pairs_begin(&self, processes: &[Vec<Value>]) -> bool {
        let (size, fields) = (processes.len(), self.protocol.fields.len());
        processes.iter().enumerate().all(|(place, values)| {
            let carried = values.get(fields..).unwrap_or_default();
            carried.len() == size * self.protocol.pairs.len()
                && self
                    .protocol
                    .pairs
                    .iter()
                    .enumerate()
                    .all(|(number, pair)| {
                        let own = &carried[number * size..(number + 1) * size];
                        let held = || own.iter().filter(|value| **value != 0).count();
                        let truth = own.iter().all(|value| *value == 0 || *value == 1);
                        match &pair.initial {
                            Initial::Order => {
                                let of = |one: usize| {
                                    let from = fields + number * size;
                                    processes[one].get(from..from + size).unwrap_or_default()
                                };
                                is_order(&(0..size).map(of).collect::<Vec<_>>())
                            }
                            Initial::Values(values) => {
                                own.iter().all(|value| values.contains(value))
                            }
                            Initial::Nobody => truth && held() == 0,
                            Initial::AnyOrNobody => truth && held() <= 1,
                            Initial::Itself => truth && held() == 1 && own[place] == 1,
                            _ => truth && held() == 1,
                        }
                    })
        })
    }

    /// Whether an instance may begin with a configuration.
    pub fn is_initial(&self, configuration: &Configuration) -> bool {
        let Configuration {
            globals,
            processes,
            channels,
            ..
        } = configuration;
        let size = processes.len();
        let begins = |variables: &[Variable], values: &[Value]| {
            variables.len() == values.len()
                && (variables.iter().zip(values)).all(|(variable, value)| match &variable.initial {
                    Initial::Values(values) => values.contains(value),
                    _ => true,
                })
        };
        let marked = |field: usize| -> Vec<usize> {
            let marked = |&place: &usize| processes[place][field] != 0;
            (0..size).filter(marked).collect()
        };
        let marks = |(field, variable): (usize, &Variable)| match variable.initial {
            Initial::FirstProcess => marked(field) == [0],
            Initial::LastProcess => marked(field) == [size.wrapping_sub(1)],
            Initial::AnyProcess => marked(field).len() == 1,
            Initial::Nobody => marked(field).is_empty(),
            Initial::AnyOrNobody => marked(field).len() <= 1,
            Initial::Values(_) | Initial::Itself | Initial::Parameter | Initial::Order => true,
        };
        (size > 0) == self.protocol.has_processes
            && begins(&self.protocol.globals, globals)
            && (size == 0 || self.size_is_allowed(size, globals))
            && self.parameters_fit(globals, size)
            && (processes.iter()).all(|values| {
                let own = values.get(..self.protocol.fields.len());
                own.is_some_and(|own| begins(&self.protocol.fields, own))
            })
            && self.pairs_begin(processes)
            && self.protocol.fields.iter().enumerate().all(marks)
            && *channels == self.initial_contents()
            && self.satisfies_initial_conditions(configuration)
    }

    fn initial_contents(&self) -> Vec<Vec<Value>> {
        let channels = self.protocol.channels.iter();
        channels.map(|channel| channel.initial.clone()).collect()
    }

    /// Whether parameters are numbers up to that of the processes.
    fn parameters_fit(&self, globals: &[Value], size: usize) -> bool {
        let fits = |(variable, value): (&Variable, &Value)| {
            variable.initial != Initial::Parameter
                || usize::try_from(*value).is_ok_and(|value| value <= size)
        };
        self.protocol.globals.iter().zip(globals).all(fits)
    }

    fn size_is_allowed(&self, processes: usize, globals: &[Value]) -> bool {
        let size = Configuration {
            globals: globals.to_vec(),
            processes: vec![Vec::new(); processes],
            channels: Vec::new(),
            seen: Vec::new(),
        };
        let scene = super::conditions::Scene {
            configuration: &size,
            choices: &[],
        };
        let holds = |expr| self.holds(expr, scene, &mut Vec::new());
        processes > 0 && self.protocol.assumptions.iter().all(holds)
    }

    fn satisfies_initial_conditions(&self, start: &Configuration) -> bool {
        self.protocol
            .initially
            .iter()
            .all(|condition| self.condition(condition, start))
            && self.satisfies_constraints(start)
    }
}

/// The values that variables may begin with together.
fn starts(variables: &[Variable], processes: usize) -> Vec<Vec<Value>> {
    let begin = |variable: &Variable| match &variable.initial {
        Initial::Values(values) => Domain::Symbols(values.clone()),
        Initial::Parameter => Domain::Range(0, Value::try_from(processes).unwrap_or(0)),
        _ => Domain::Bool,
    };
    let domains: Vec<Domain> = variables.iter().map(begin).collect();
    every(&domains.iter().collect::<Vec<_>>())
}

/// Every order of so many processes: for each of them, which come behind it. Nothing if there are more
/// than so many.
fn orders(size: usize, most: usize) -> Option<Vec<Vec<Vec<Value>>>> {
    let mut ranked: Vec<Vec<usize>> = vec![Vec::new()];
    for one in 0..size {
        if ranked.len().saturating_mul(one + 1) > most {
            return None;
        }
        let longer = ranked.iter().flat_map(|order| {
            (0..=one).map(move |place| {
                let mut order = order.clone();
                order.insert(place, one);
                order
            })
        });
        ranked = longer.collect();
    }
    let places = |order: Vec<usize>| {
        let rank = |one: usize| order.iter().position(|known| *known == one);
        let behind = |one: usize| {
            let others = (0..size).map(|other| Value::from(rank(one) < rank(other)));
            others.collect::<Vec<Value>>()
        };
        (0..size).map(behind).collect()
    };
    Some(ranked.into_iter().map(places).collect())
}

/// Whether what each process carries says which of two comes first, in an order of all.
fn is_order(carried: &[&[Value]]) -> bool {
    let size = carried.len();
    let behind = |one: usize| carried[one].iter().filter(|value| **value == 1).count();
    let all: Vec<usize> = (0..size).map(behind).collect();
    (0..size).all(|one| {
        carried[one].len() == size
            && (0..size).all(|other| {
                let different = one == other || all[one] != all[other];
                different && carried[one][other] == Value::from(all[one] > all[other])
            })
    })
}

/// What a process may carry for all at the start; nothing if that is too much.
fn carried(pair: &Variable, place: usize, size: usize) -> Option<Vec<Vec<Value>>> {
    const MOST: usize = 10_000;
    let holding = |held: usize| (0..size).map(|one| Value::from(one == held)).collect();
    Some(match &pair.initial {
        Initial::Values(values) => {
            let mut all: Vec<Vec<Value>> = vec![Vec::new()];
            for _ in 0..size {
                if all.len() * values.len() > MOST {
                    return None;
                }
                let longer = all.iter();
                let longer = longer.flat_map(|before| {
                    values
                        .iter()
                        .map(move |value| [&before[..], &[*value]].concat())
                });
                all = longer.collect();
            }
            all
        }
        Initial::Nobody => vec![vec![0; size]],
        Initial::Itself => vec![holding(place)],
        Initial::AnyOrNobody => (0..=size).map(holding).collect(),
        _ => (0..size).map(holding).collect(),
    })
}

/// All rows of processes that an instance may begin with, one after the other.
struct Rows<'a> {
    fields: &'a [Variable],
    letters: &'a [Vec<Value>],
    processes: usize,
    row: Vec<Vec<Value>>,
    /// For each place the first letter that was not tried.
    untried: Vec<usize>,
    /// For each field on how many processes of the row it is a mark.
    carried: Vec<usize>,
    over: bool,
}

impl<'a> Rows<'a> {
    fn new(fields: &'a [Variable], letters: &'a [Vec<Value>], processes: usize) -> Rows<'a> {
        Rows {
            fields,
            letters,
            processes,
            row: Vec::new(),
            untried: vec![0],
            carried: vec![0; fields.len()],
            over: false,
        }
    }

    fn next(&mut self, budget: &Budget) -> Result<Option<Vec<Vec<Value>>>, Stop> {
        while !self.over {
            budget.poll()?;
            if self.row.len() == self.processes {
                let row = self.row.clone();
                let whole = self.all_marks_are_carried();
                self.back();
                if whole {
                    return Ok(Some(row));
                }
                continue;
            }
            let place = self.row.len();
            let next = (self.untried[place]..self.letters.len())
                .find(|&letter| self.marks_fit(&self.letters[letter]));
            let Some(letter) = next else {
                self.back();
                continue;
            };
            self.untried[place] = letter + 1;
            self.untried.push(0);
            self.count(letter, 1);
            self.row.push(self.letters[letter].clone());
        }
        Ok(None)
    }

    /// Leaves out the last process.
    fn back(&mut self) {
        self.untried.pop();
        match self.row.pop() {
            None => self.over = true,
            Some(_) => self.count(self.untried[self.row.len()] - 1, -1),
        }
    }

    fn count(&mut self, letter: usize, by: isize) {
        for (carried, &value) in self.carried.iter_mut().zip(&self.letters[letter]) {
            if value != 0 {
                *carried = carried.saturating_add_signed(by);
            }
        }
    }

    /// Whether a process with these values may stand next.
    fn marks_fit(&self, letter: &[Value]) -> bool {
        let place = self.row.len();
        let fits = |(field, variable): (usize, &Variable)| {
            let marked = letter[field] != 0;
            match variable.initial {
                Initial::FirstProcess => marked == (place == 0),
                Initial::LastProcess => marked == (place + 1 == self.processes),
                Initial::AnyProcess | Initial::AnyOrNobody => !marked || self.carried[field] == 0,
                Initial::Nobody => !marked,
                Initial::Values(_) | Initial::Itself | Initial::Parameter | Initial::Order => true,
            }
        };
        self.fields.iter().enumerate().all(fits)
    }

    fn all_marks_are_carried(&self) -> bool {
        let needed = |variable: &Variable| {
            use Initial::{AnyProcess, FirstProcess, LastProcess};
            matches!(variable.initial, FirstProcess | LastProcess | AnyProcess)
        };
        (self.fields.iter().zip(&self.carried))
            .all(|(variable, &carried)| !needed(variable) || carried > 0)
    }
}
