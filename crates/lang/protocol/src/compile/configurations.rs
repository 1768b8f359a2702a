//! Well-formed and initial configurations.

use quotient_automata::Canonical;
use quotient_core::Diagnostic;

use super::conditions::{Compiled, Conditions};
use super::letters::Part;
use crate::model::{Bound, Expr, Initial, Value};

impl Conditions<'_> {
    /// All well-formed words: globals, processes, channels, and each mark on at most one process
    /// (exactly one, if somebody must carry it).
    pub(super) fn configurations(&mut self) -> Compiled {
        let protocol = self.protocol;
        let channels = protocol.channels.len();
        let marks: Vec<usize> = (0..protocol.fields.len())
            .filter(|&field| protocol.fields[field].mark.is_some())
            .collect();
        let bearer = |values: &[Value]| {
            marks.iter().enumerate().fold(0u64, |seen, (i, &mark)| {
                seen | u64::from(values[mark] != 0) << i
            })
        };
        let needed = marks.iter().enumerate().fold(0u64, |needed, (i, &mark)| {
            needed
                | u64::from(
                    protocol.fields[mark]
                        .mark
                        .is_some_and(|mark| !mark.optional),
                ) << i
        });
        // The zone of the word we are in: 0 before the globals, 1 among processes, then channels.
        let first_zone = usize::from(protocol.globals.is_empty());
        Ok(self.tracks.machine(
            0,
            (first_zone, 0u64),
            |part, _| match part {
                Part::Globals(_) => (0, 0),
                Part::Process(values) => (1, bearer(values)),
                Part::Separator(channel) => (2, *channel as u64),
                Part::Content(channel, _) => (3, *channel as u64),
            },
            |&(zone, seen), &(kind, detail)| match kind {
                0 => (zone == 0).then_some((1, seen)),
                1 => (zone == 1 && seen & detail == 0).then_some((1, seen | detail)),
                2 => (zone as u64 == detail + 1).then_some((zone + 1, seen)),
                _ => (zone as u64 == detail + 2).then_some((zone, seen)),
            },
            |&(zone, seen)| zone == channels + 1 && seen & needed == needed,
        )?)
    }

    /// The configurations that the protocol begins with.
    pub(super) fn initial(&mut self, configurations: &Canonical) -> Compiled {
        let budget = self.tracks.budget;
        let mut all = self.initial_values(configurations)?;
        for condition in self.protocol.initial_conditions() {
            all = all
                .intersection(&*self.condition(condition)?, budget)?
                .minimize(budget)?;
        }
        if self.protocol.has_processes {
            all = all
                .intersection(&*self.sizes()?, budget)?
                .minimize(budget)?;
        }
        Ok(all)
    }

    /// The configurations with the values that variables and channels begin with.
    pub(super) fn initial_values(&mut self, configurations: &Canonical) -> Compiled {
        let protocol = self.protocol;
        let budget = self.tracks.budget;
        let begins = |initial: &Initial, value: Value| match initial {
            Initial::Values(values) => values.contains(&value),
            Initial::Nobody => value == 0,
            _ => true,
        };
        let fine = |variables: &[crate::model::Variable], values: &[Value]| {
            variables
                .iter()
                .zip(values)
                .all(|(variable, &value)| begins(&variable.initial, value))
        };
        // The channel we are in, from 1, and how many of its values were read.
        let is_read = |&(channel, read): &(usize, usize)| {
            channel == 0 || read == protocol.channels[channel - 1].initial.len()
        };
        let start = self.tracks.machine(
            0,
            (0usize, 0usize),
            |part, _| match part {
                Part::Globals(values) => Begins::Values(fine(&protocol.globals, values)),
                Part::Process(values) => Begins::Values(fine(&protocol.fields, values)),
                Part::Separator(channel) => Begins::Channel(*channel),
                Part::Content(channel, value) => Begins::With(*channel, *value),
            },
            |&(channel, read), &letter| match letter {
                Begins::Values(possible) => possible.then_some((channel, read)),
                Begins::Channel(next) => is_read(&(channel, read)).then_some((next + 1, 0)),
                Begins::With(own, value) => {
                    let expected = protocol.channels[own].initial.get(read);
                    (own + 1 == channel && expected == Some(&value)).then_some((channel, read + 1))
                }
            },
            is_read,
        )?;
        let mut all = start
            .intersection(configurations, budget)?
            .minimize(budget)?;
        for (field, variable) in protocol.fields.iter().enumerate() {
            let place = match variable.initial {
                Initial::FirstProcess => Expr::First(0),
                Initial::LastProcess => Expr::Last(0),
                Initial::AnyProcess => Expr::TRUE,
                _ => continue,
            };
            let body = Box::new(Expr::And(vec![Expr::Field(0, field), place]));
            let held = Expr::Quantified {
                exists: true,
                bound: Bound::default(),
                body,
            };
            all = all
                .intersection(&*self.expression(&held, 0, &[])?, budget)?
                .minimize(budget)?;
        }
        Ok(all)
    }

    /// The words with an allowed number of processes.
    pub(super) fn sizes(&mut self) -> Compiled {
        let Some(sizes) = self.protocol.allowed_sizes() else {
            let message = "the assumptions on `n` use numbers that are too large";
            return Err(Diagnostic::error("huge-assumption", message)
                .in_source(&self.protocol.source)
                .into());
        };
        Ok(self.tracks.machine(
            0,
            0usize,
            |part, _| matches!(part, Part::Process(_)),
            |&count, &one_more| {
                let next = count + usize::from(one_more);
                Some(if next == sizes.allowed.len() {
                    sizes.back_to
                } else {
                    next
                })
            },
            |&count| sizes.allowed[count],
        )?)
    }
}

/// What a letter means at the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Begins {
    /// Values that a process or the globals may begin with, or not.
    Values(bool),
    /// A channel begins.
    Channel(usize),
    /// A value is in a channel.
    With(usize, Value),
}
