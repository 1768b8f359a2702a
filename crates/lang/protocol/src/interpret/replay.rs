//! Runs that were found as words, replayed step by step.

use quotient_automata::Word;

use super::{Configuration, Interpreter, Taken};

/// A run of an instance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replayed {
    /// The configurations, one more than steps.
    pub configurations: Vec<Configuration>,
    /// The steps between them.
    pub taken: Vec<Taken>,
}

impl Interpreter<'_> {
    /// Replays a run that was found as words with the names of the steps; what the compiler
    /// added is passed over. `None` if the protocol has no such run: where it was compiled to an
    /// approximation, that shows a false alarm.
    pub fn replay(&self, words: &[Word], steps: &[String]) -> Option<Replayed> {
        let mut configurations = vec![self.configuration(words.first()?)];
        let mut names = Vec::new();
        for (word, step) in words[1..].iter().zip(steps) {
            if !self
                .compiled
                .is_some_and(|compiled| compiled.is_auxiliary(step))
            {
                configurations.push(self.configuration(word));
                names.push(step.clone());
            }
        }
        self.follow(&configurations, &names)
    }

    /// Whether the protocol itself has a run that was found as words, and it violates a property.
    pub fn confirms(&self, property: &str, words: &[Word], steps: &[String]) -> bool {
        self.replay(words, steps).is_some_and(|run| {
            (run.configurations.last()).is_some_and(|last| self.violates(property, last))
        })
    }

    /// The run through configurations that look like these, by steps of these names.
    pub(crate) fn follow(&self, through: &[Configuration], steps: &[String]) -> Option<Replayed> {
        self.follow_where(through, steps, |_, _| Some(0))
    }

    /// The same, where several steps may lead to configurations that look alike because processes
    /// change places: by those that a test of the number of the step and who took it lets pass,
    /// and the least of them.
    pub(crate) fn follow_where(
        &self,
        through: &[Configuration],
        steps: &[String],
        test: impl Fn(usize, &Taken) -> Option<usize>,
    ) -> Option<Replayed> {
        // All ways to go: who took a step may matter later for who has seen whom.
        let mut start = through.first()?.clone();
        self.look_first(&mut start);
        let mut layers: Vec<Vec<(Configuration, usize, Option<Taken>)>> =
            vec![vec![(start, 0, None)]];
        for (at, (wanted, step)) in through[1..].iter().zip(steps).enumerate() {
            let mut fitting = Vec::new();
            for (number, (now, ..)) in layers.last()?.iter().enumerate() {
                for (taken, after) in self.all_successors(now).ok()? {
                    if taken.step == *step && after.looks_like(wanted) {
                        fitting.extend(test(at, &taken).map(|rank| (rank, after, number, taken)));
                    }
                }
            }
            fitting.sort_by_key(|(rank, ..)| *rank);
            let mut next: Vec<(Configuration, usize, Option<Taken>)> = Vec::new();
            for (_, after, number, taken) in fitting {
                if next.iter().all(|(known, ..)| *known != after) {
                    next.push((after, number, Some(taken)));
                }
            }
            if next.is_empty() {
                return None;
            }
            layers.push(next);
        }
        let (mut configurations, mut taken, mut at) = (Vec::new(), Vec::new(), 0);
        for layer in layers.iter().rev() {
            let (configuration, before, step) = layer[at].clone();
            configurations.push(configuration);
            taken.extend(step);
            at = before;
        }
        configurations.reverse();
        taken.reverse();
        Some(Replayed {
            configurations,
            taken,
        })
    }

    /// The run through configurations that look like these, by steps of these names that these
    /// processes take.
    pub(crate) fn follow_by(
        &self,
        through: &[Configuration],
        steps: &[(&str, &[usize])],
    ) -> Option<Replayed> {
        let mut start = through.first()?.clone();
        self.look_first(&mut start);
        let mut run = Replayed {
            configurations: vec![start],
            taken: Vec::new(),
        };
        for (wanted, (step, people)) in through[1..].iter().zip(steps) {
            let successors = self.all_successors(run.configurations.last()?).ok()?;
            let (taken, after) = successors.into_iter().find(|(taken, after)| {
                taken.step == *step && taken.people == *people && after.looks_like(wanted)
            })?;
            run.taken.push(taken);
            run.configurations.push(after);
        }
        Some(run)
    }
}

impl Configuration {
    /// Whether all values are the same, whoever has seen whom.
    pub(crate) fn looks_like(&self, other: &Configuration) -> bool {
        (&self.globals, &self.processes, &self.channels)
            == (&other.globals, &other.processes, &other.channels)
    }
}
