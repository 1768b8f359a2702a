//! A run in the words of the source: who did what, and what changed.

use quotient_automata::Word;
use serde::Serialize;

use crate::model::{Initial, Value, Variable};
use crate::{Configuration, Interpreter, Taken, Violation};

/// A run as a table: one row a configuration, one column a process.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Trace {
    /// The first row is the start; each other row is reached by its step.
    pub rows: Vec<Row>,
    /// The names of all processes that ever exist, in the order of their creation.
    pub processes: Vec<String>,
    /// What repeats for ever, where the run goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeats: Option<Repeats>,
}

/// That the end of a run repeats for ever, and a process waits in vain, or a formula is not true.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Repeats {
    /// The number of the row, from 0, that the last row is again.
    pub from: usize,
    /// The process that waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waiting: Option<String>,
    /// The processes of which a formula is not true.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub about: Vec<String>,
    /// Who was seen when they could not take a step, so that they are not passed over unfairly.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unable: Vec<Unable>,
}

/// A process that cannot take a step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unable {
    /// The number of the row, from 0.
    pub row: usize,
    /// The process.
    pub process: String,
}

impl Trace {
    /// Whether processes ever stand otherwise than in the order of their names.
    pub(crate) fn moves(&self) -> bool {
        self.rows.iter().any(|row| {
            let order = row.processes.iter().map(|cell| &cell.process);
            !order.eq(self.processes.iter().take(row.processes.len()))
        })
    }

    /// That rows repeat from one on, about the processes at some places there: one that waits, or
    /// those of a formula.
    pub(crate) fn repetition(&self, from: usize, places: &[usize], waits: bool) -> Repeats {
        let names = places.iter();
        let names = names.map(|&place| self.rows[from].processes[place].process.clone());
        let names: Vec<String> = names.collect();
        Repeats {
            from,
            waiting: names.first().filter(|_| waits).cloned(),
            about: if waits { Vec::new() } else { names },
            unable: Vec::new(),
        }
    }

    /// What a run that goes on for ever shows, in a sentence.
    pub fn moral(&self) -> Option<String> {
        let Repeats {
            from,
            waiting,
            about,
            unable,
        } = self.repeats.as_ref()?;
        let steps = self.rows.len() - 1 - from;
        let mut text = match steps {
            0 => "nobody can take a step any more".to_owned(),
            1 => "the last step repeats for ever".to_owned(),
            _ => format!("the last {steps} steps repeat for ever"),
        };
        match (waiting, about.is_empty()) {
            (Some(waiting), _) => text += &format!(": {waiting} waits in vain"),
            (None, true) => {}
            (None, false) => text += &format!(": it is not true of {}", about.join(", ")),
        }
        let mut names: Vec<&str> = unable.iter().map(|one| one.process.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        if steps > 0 && !names.is_empty() {
            let names = names.join(", ");
            text += &format!("; {names} cannot take a step at some time in between");
        }
        Some(text)
    }
}

/// One configuration, and how it came about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Row {
    /// The name of the step; none for the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<String>,
    /// The process that took the step, if one did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The other processes that the step named.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub with: Vec<String>,
    /// The globals.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub globals: Vec<Item>,
    /// The processes from left to right.
    pub processes: Vec<Cell>,
    /// The channels.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub channels: Vec<Contents>,
}

/// One process in one configuration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Cell {
    /// Its name: `P1` is the leftmost at the start.
    pub process: String,
    /// Its variables.
    pub values: Vec<Item>,
    /// The global variables that hold it.
    #[serde(rename = "heldBy", skip_serializing_if = "Vec::is_empty")]
    pub held_by: Vec<String>,
    /// Whether anything about it is new.
    pub changed: bool,
}

/// A variable and its value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Item {
    /// Its name.
    pub name: String,
    /// Its value as the source writes it.
    pub value: String,
    /// Whether the step changed it.
    pub changed: bool,
}

/// What is in a channel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Contents {
    /// Its name.
    pub name: String,
    /// The values from left to right.
    pub values: Vec<String>,
    /// Whether the step changed it.
    pub changed: bool,
}

impl Interpreter<'_> {
    /// Explains a run that was found as words with the names of the steps.
    ///
    /// Who took a step is found by looking for a step of that name that leads there.
    pub fn explain(&self, words: &[Word], steps: &[String]) -> Trace {
        if let Some(run) = self.replay(words, steps) {
            return self.table(&run.configurations, &run.taken);
        }
        // Not a run of the protocol: the words as they are.
        let configurations: Vec<Configuration> =
            words.iter().map(|word| self.configuration(word)).collect();
        let taken: Vec<Taken> = (configurations.windows(2).zip(steps))
            .map(|(pair, name)| Taken {
                step: name.clone(),
                people: Vec::new(),
                origins: (0..pair[1].processes.len())
                    .map(|place| (place < pair[0].processes.len()).then_some(place))
                    .collect(),
            })
            .collect();
        self.table(&configurations, &taken)
    }

    /// The table of a violation.
    pub fn tell(&self, violation: &Violation) -> Trace {
        let mut trace = self.table(&violation.configurations(), &violation.taken());
        trace.repeats =
            (violation.repeats.as_ref()).map(|end| trace.repetition(end.from, &end.who, end.waits));
        trace
    }

    /// The table of configurations and the steps between them.
    pub fn table(&self, configurations: &[Configuration], taken: &[Taken]) -> Trace {
        let size = configurations
            .first()
            .map_or(0, |first| first.processes.len());
        let mut everybody = size;
        let mut identities: Vec<usize> = (0..size).collect();
        let mut rows = Vec::new();
        for (number, configuration) in configurations.iter().enumerate() {
            let before = number
                .checked_sub(1)
                .map(|before| (&configurations[before], &taken[before]));
            let old = identities.clone();
            if let Some((_, taken)) = before {
                identities = (taken.origins.iter())
                    .map(|origin| match origin {
                        Some(place) => old[*place],
                        None => {
                            everybody += 1;
                            everybody - 1
                        }
                    })
                    .collect();
            }
            rows.push(self.row(configuration, before, &old, &identities));
        }
        Trace {
            rows,
            processes: (0..everybody).map(process_name).collect(),
            repeats: None,
        }
    }

    fn row(
        &self,
        configuration: &Configuration,
        before: Option<(&Configuration, &Taken)>,
        old: &[usize],
        identities: &[usize],
    ) -> Row {
        let people: Vec<String> = before.map_or(Vec::new(), |(_, taken)| {
            taken
                .people
                .iter()
                .map(|&place| process_name(old[place]))
                .collect()
        });
        let cell = |(place, values): (usize, &Vec<Value>)| {
            let earlier = before.map(|(earlier, taken)| {
                taken.origins[place].map(|origin| &earlier.processes[origin])
            });
            // At the start nothing is new; a process that was not there before is.
            let earlier = earlier.unwrap_or(Some(values));
            let mut cell = self.cell(process_name(identities[place]), values, earlier);
            let size = configuration.processes.len();
            cell.values.extend(self.carried(values, earlier, size));
            cell
        };
        let earlier_globals =
            before.map_or(&configuration.globals, |(earlier, _)| &earlier.globals);
        let channels = self
            .protocol()
            .channels
            .iter()
            .enumerate()
            .map(|(number, channel)| {
                let values = &configuration.channels[number];
                let earlier = before.map_or(values, |(earlier, _)| &earlier.channels[number]);
                Contents {
                    name: channel.name.clone(),
                    values: values
                        .iter()
                        .map(|&value| self.protocol().show(&channel.domain, value))
                        .collect(),
                    changed: values != earlier,
                }
            });
        Row {
            step: before.map(|(_, taken)| taken.step.clone()),
            by: people.first().cloned(),
            with: people.iter().skip(1).cloned().collect(),
            globals: self.items(
                &self.protocol().globals,
                &configuration.globals,
                Some(earlier_globals),
            ),
            processes: configuration
                .processes
                .iter()
                .enumerate()
                .map(cell)
                .collect(),
            channels: channels.collect(),
        }
    }

    /// What a process carries for others: whom it holds, and values for each.
    fn carried(&self, values: &[Value], earlier: Option<&Vec<Value>>, size: usize) -> Vec<Item> {
        let protocol = self.protocol();
        let from = protocol.fields.len();
        let mut items = Vec::new();
        for (number, pair) in protocol.pairs.iter().enumerate() {
            let range = from + number * size..from + (number + 1) * size;
            let own = values.get(range.clone()).unwrap_or_default();
            let before = earlier.map_or(own, |earlier| earlier.get(range).unwrap_or_default());
            if pair.mark.is_some() {
                let held = own.iter().position(|value| *value != 0);
                items.push(Item {
                    name: pair.name.clone(),
                    value: held.map_or_else(|| "none".to_owned(), process_name),
                    changed: own != before,
                });
                continue;
            }
            if pair.initial == Initial::Order {
                let behind = own.iter().filter(|value| **value != 0).count();
                items.push(Item {
                    name: pair.name.clone(),
                    value: (size - behind.min(size)).to_string(),
                    changed: false,
                });
                continue;
            }
            for (other, value) in own.iter().enumerate() {
                items.push(Item {
                    name: format!("{}[{}]", pair.name, process_name(other)),
                    value: protocol.show(&pair.domain, *value),
                    changed: before.get(other) != Some(value),
                });
            }
        }
        items
    }

    fn cell(&self, process: String, values: &[Value], earlier: Option<&Vec<Value>>) -> Cell {
        let fields = &self.protocol().fields;
        let marks = fields
            .iter()
            .zip(values)
            .filter(|(field, value)| field.mark.is_some() && **value != 0);
        let held_by = marks.map(|(field, _)| field.name.clone()).collect();
        let changed = earlier.is_none_or(|earlier| earlier != values);
        Cell {
            process,
            values: self.items(fields, values, earlier),
            held_by,
            changed,
        }
    }

    fn items(
        &self,
        variables: &[Variable],
        values: &[Value],
        earlier: Option<&Vec<Value>>,
    ) -> Vec<Item> {
        let own = variables
            .iter()
            .zip(values)
            .enumerate()
            .filter(|(_, (variable, _))| variable.mark.is_none());
        own.map(|(number, (variable, &value))| Item {
            name: variable.name.clone(),
            value: self.protocol().show(&variable.domain, value),
            changed: earlier.is_none_or(|earlier| earlier[number] != value),
        })
        .collect()
    }
}

fn process_name(number: usize) -> String {
    format!("P{}", number + 1)
}
