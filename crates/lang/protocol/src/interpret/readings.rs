//! Reading one by one: whom each process has seen.
//!
//! A process that reads looks at the others one at a time. To look at somebody as soon as the
//! condition is true of them never leads to less, so that what can happen is what can happen when
//! everybody looks at everybody at every moment; where there is an order, at those whose turn it
//! is.

use super::conditions::Scene;
use super::{Configuration, Interpreter, Taken};
use crate::model::{Order, Reading, Step};

/// What follows the name of a step, where looking at somebody for it is a step of its own.
const LOOKS: &str = "reads";

/// For each reading and each process the places of those that it has seen, sorted.
pub(crate) type Seen = Vec<Vec<Vec<usize>>>;

impl Interpreter<'_> {
    /// Whether a process has seen whom the step asks it to see.
    pub(super) fn has_read(&self, step: &Step, configuration: &Configuration, who: usize) -> bool {
        let first: usize = (self.protocol.steps.iter())
            .take_while(|known| known.name != step.name)
            .map(|step| step.readings.len())
            .sum();
        let size = configuration.processes.len();
        step.readings.iter().zip(first..).all(|(reading, number)| {
            let seen = &configuration.seen[number][who];
            let mut range = self.range(&reading.bound, size, &[who]).into_iter();
            match reading.exists {
                true => range.any(|other| seen.contains(&other)),
                false => range.all(|other| seen.contains(&other)),
            }
        })
    }

    /// Everybody looks at everybody for the first time.
    pub(super) fn look_first(&self, configuration: &mut Configuration) {
        let nobody = vec![Vec::new(); configuration.processes.len()];
        configuration.seen = self.protocol.readings().map(|_| nobody.clone()).collect();
        if !self.lazy {
            self.look(configuration);
        }
    }

    /// Each step in which somebody who reads looks at somebody, with where it leads.
    pub(super) fn looks(&self, configuration: &Configuration) -> Vec<(Taken, Configuration)> {
        let mut all = Vec::new();
        let steps = self.protocol.steps.iter();
        let readings = steps.flat_map(|step| step.readings.iter().map(move |one| (step, one)));
        for (number, (step, reading)) in readings.enumerate() {
            for (who, seen) in configuration.seen[number].iter().enumerate() {
                if !self.reads(reading, configuration, who) {
                    continue;
                }
                let mut passed = seen.clone();
                match (reading.exists, reading.order) {
                    (false, Order::FromLeft | Order::FromRight) => {
                        self.look_in_order(reading, configuration, who, &mut passed);
                        let new = |other: &usize| !seen.contains(other);
                        let next = passed.iter().copied().filter(new);
                        let next = match reading.order {
                            Order::FromRight => next.max(),
                            _ => next.min(),
                        };
                        passed = next.into_iter().collect();
                    }
                    _ => passed = self.in_sight(reading, configuration, who),
                }
                for other in passed.into_iter().filter(|other| !seen.contains(other)) {
                    let mut after = configuration.clone();
                    after.seen[number][who].push(other);
                    after.seen[number][who].sort_unstable();
                    let taken = Taken {
                        step: format!("{} {LOOKS}", step.name),
                        people: vec![who, other],
                        origins: (0..configuration.processes.len()).map(Some).collect(),
                    };
                    all.push((taken, after));
                }
            }
        }
        all
    }

    /// What is seen after a step: whoever took it forgets, the others remember and look again.
    pub(super) fn look_again(
        &self,
        before: &Configuration,
        taken: &Taken,
        after: &mut Configuration,
    ) {
        let place =
            |old: &usize| (taken.origins.iter()).position(|origin| origin.as_ref() == Some(old));
        let remembered = |seen: &Vec<Vec<usize>>, origin: &Option<usize>| match origin {
            Some(origin) if taken.people.first() != Some(origin) => {
                seen[*origin].iter().filter_map(place).collect()
            }
            _ => Vec::new(),
        };
        let all = before.seen.iter().map(|seen| {
            let each = taken.origins.iter().map(|origin| remembered(seen, origin));
            each.collect()
        });
        after.seen = all.collect();
        match self.lazy {
            false => self.look(after),
            true => self.forget(after),
        }
    }

    /// Whoever does not read has seen nobody.
    fn forget(&self, configuration: &mut Configuration) {
        let mut all = std::mem::take(&mut configuration.seen);
        for (reading, seen) in self.protocol.readings().zip(&mut all) {
            for (who, seen) in seen.iter_mut().enumerate() {
                if !self.reads(reading, configuration, who) {
                    seen.clear();
                }
            }
        }
        configuration.seen = all;
    }

    fn look(&self, configuration: &mut Configuration) {
        let mut all = std::mem::take(&mut configuration.seen);
        for (reading, seen) in self.protocol.readings().zip(&mut all) {
            for (who, seen) in seen.iter_mut().enumerate() {
                if self.budget.poll().is_err() {
                    break;
                }
                match (reading.exists, reading.order) {
                    (false, Order::FromLeft | Order::FromRight) => {
                        self.look_in_order(reading, configuration, who, seen);
                    }
                    // Whoever looks for somebody can pass all who are not it at any moment.
                    _ => seen.extend(self.in_sight(reading, configuration, who)),
                }
                seen.sort_unstable();
                seen.dedup();
                if !self.reads(reading, configuration, who) {
                    seen.clear();
                }
            }
        }
        configuration.seen = all;
    }

    /// Goes on to the first of whom the condition is not true now.
    fn look_in_order(
        &self,
        reading: &Reading,
        now: &Configuration,
        who: usize,
        seen: &mut Vec<usize>,
    ) {
        let in_sight = self.in_sight(reading, now, who);
        let mut range = self.range(&reading.bound, now.processes.len(), &[who]);
        if reading.order == Order::FromRight {
            range.reverse();
        }
        let passed = |other: &usize| seen.contains(other) || in_sight.contains(other);
        let passed: Vec<usize> = range.into_iter().take_while(passed).collect();
        seen.extend(passed);
    }

    fn reads(&self, reading: &Reading, configuration: &Configuration, who: usize) -> bool {
        let scene = Scene {
            configuration,
            choices: &[],
        };
        self.holds(&reading.own, scene, &mut vec![who])
    }

    /// Those of whom the condition is true now.
    fn in_sight(&self, reading: &Reading, now: &Configuration, who: usize) -> Vec<usize> {
        let scene = Scene {
            configuration: now,
            choices: &[],
        };
        let mut range = self.range(&reading.bound, now.processes.len(), &[who]);
        range.retain(|&other| self.holds(&reading.body, scene, &mut vec![who, other]));
        range
    }
}
