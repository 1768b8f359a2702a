//! That something happens: properties `for each p: … leads to …` and formulas of linear time, under
//! weak fairness, as problems about words. No engine is used here: checking evidence rests on it.

mod followed;
mod possible;
mod ranks;
mod reduce;
mod rounds;
mod settled;
mod unasked;
mod watched;

use quotient_automata::{Problem, Word};
use quotient_core::{Budget, Trouble};

use crate::compile::Part;
use crate::model::Demand;
use crate::{Configuration, Interpreter, Protocol, Replayed, Taken};
pub(crate) use ranks::{Change, Ranks, Unsound, Weighable};
pub(crate) use reduce::Reduced;
use reduce::{FREEZE, IN_LOOP};
pub(crate) use rounds::{Rounds, Unproved};
use watched::{CANNOT, CANNOT_HAPPEN, CANNOT_TAKE, NOTHING, WAITS, Watched};

impl Protocol {
    /// The names of the properties that say what must happen.
    pub fn progress_names(&self) -> impl Iterator<Item = &str> {
        let properties = self.properties.iter();
        let progress = properties.filter(|property| property.demand.is_progress());
        progress.map(|property| property.name.as_str())
    }

    /// The names of the properties that say what must not be.
    pub fn safety_names(&self) -> impl Iterator<Item = &str> {
        let properties = self.properties.iter();
        let safety = properties.filter(|property| !property.demand.is_progress());
        safety.map(|property| property.name.as_str())
    }

    /// A property that says what must happen, as a problem about words: a bad word is a loop of
    /// a fair run in which a process waits in vain, or of which a formula is not true. Nothing if
    /// it cannot be stated so.
    pub fn progress_problem(
        &self,
        property: &str,
        budget: &Budget,
    ) -> Result<Option<Problem>, Trouble> {
        Ok(self
            .reduced(property, budget)?
            .map(|reduced| reduced.problem))
    }

    pub(crate) fn reduced(
        &self,
        property: &str,
        budget: &Budget,
    ) -> Result<Option<Reduced>, Trouble> {
        let own = self.with_assumptions_asked();
        let fits = |demand: &Demand| own.no_progress_because(demand).is_none();
        own.watched(property, fits, |protocol, watched| {
            Reduced::new(protocol, property, watched, budget)
        })
    }

    /// A property that says what must happen, as the question whether everybody can have their turn while
    /// it is not so; nothing if it cannot be stated so.
    pub(crate) fn rounds(
        &self,
        property: &str,
        budget: &Budget,
    ) -> Result<Option<Rounds>, Trouble> {
        let own = self.with_assumptions_asked();
        let fits = |demand: &Demand| own.no_rounds_because(demand).is_none();
        own.watched(property, fits, |protocol, watched| {
            Rounds::new(protocol, property, watched, budget)
        })
    }

    /// What becomes of a property that says what must happen, where it fits, and of the protocol that it is
    /// stated about.
    fn watched<T>(
        &self,
        property: &str,
        fits: impl Fn(&Demand) -> bool,
        state: impl FnOnce(&Protocol, &Watched<'_>) -> Result<T, Trouble>,
    ) -> Result<Option<T>, Trouble> {
        let Some(demand) = self.progress_demand(property).filter(|one| fits(one)) else {
            return Ok(None);
        };
        let aid = self
            .reads_one_by_one()
            .then(|| self.approximated_for_progress());
        let protocol = aid.as_ref().map_or(self, |aid| &aid.protocol);
        let Some(watched) = Watched::new(protocol, demand, aid.as_ref()) else {
            return Ok(None);
        };
        state(protocol, &watched).map(Some)
    }

    /// What a property demands that says what must happen.
    pub(crate) fn progress_demand(&self, property: &str) -> Option<&Demand> {
        let mut known = self.properties.iter();
        let found = known.find(|known| known.name == property)?;
        Some(&found.demand).filter(|demand| demand.is_progress())
    }
}

/// A run of the protocol that comes back to where it was.
pub(crate) struct Lasso {
    pub(crate) run: Replayed,
    /// The number of the configuration that the last one is again.
    pub(crate) from: usize,
    /// The places there of the processes that are watched.
    pub(crate) who: Vec<usize>,
    /// Who was seen unable to take a step: the configuration and the place.
    pub(crate) unable: Vec<(usize, usize)>,
}

impl Reduced {
    /// The run of the protocol itself that a run of the reduced problem stands for, if it is one.
    pub(crate) fn lasso(
        &self,
        interpreter: &Interpreter<'_>,
        words: &[Word],
        steps: &[String],
    ) -> Option<Lasso> {
        let protocol = interpreter.protocol();
        let configuration = |number: usize| -> Option<Configuration> {
            let (word, frozen) = self.current(words.get(number)?)?;
            let compiled = if frozen { &self.in_loop } else { &self.before };
            Some(Interpreter::new(protocol, compiled).configuration(&word))
        };
        let mut rows = vec![configuration(0)?];
        let (mut names, mut frozen, mut unable) = (Vec::new(), None, Vec::new());
        let mut marks = Vec::new();
        for (number, step) in steps.iter().enumerate() {
            match step.strip_suffix(IN_LOOP).unwrap_or(step) {
                WAITS | CANNOT_TAKE | CANNOT_HAPPEN | NOTHING => {}
                FREEZE => {
                    let mut who = Vec::new();
                    for mark in (protocol.fields.len()..).take(self.marks) {
                        let watched = |values: &[i32], _: &[i32]| values.get(mark) == Some(&1);
                        who.push(self.place_where(words, number + 1, watched)?);
                    }
                    frozen = Some((rows.len() - 1, who));
                }
                CANNOT => {
                    let done = |values: &[i32], before: &[i32]| values.last() != before.last();
                    unable.push((rows.len() - 1, self.place_where(words, number + 1, done)?));
                }
                name => {
                    names.push(name.to_owned());
                    rows.push(configuration(number + 1)?);
                    marks.push((
                        self.processes(words, number)?,
                        self.processes(words, number + 1)?,
                    ));
                }
            }
        }
        let (from, who) = frozen?;
        // Who is watched stays watched wherever it moves, until nobody is; what is remembered of
        // those who take no part in a step rarely changes.
        let (fields, own) = (protocol.fields.len(), self.marks);
        let strangeness = |step: usize, taken: &Taken| {
            let (before, after) = &marks[step];
            let marked = |all: &[Vec<i32>], mark: usize| {
                let has_it = |values: &Vec<i32>| values.get(mark) == Some(&1);
                all.iter().position(has_it)
            };
            let watched = (fields..fields + own).all(|mark| {
                let (then, now) = (marked(before, mark), marked(after, mark));
                let came_from = now.and_then(|now| *taken.origins.get(now)?);
                then.is_none() || now.is_none() || came_from == then
            });
            let others = taken.origins.iter().zip(after).filter(|(then, now)| {
                let then = then.filter(|then| taken.people.first() != Some(then));
                let then = then.and_then(|then| before.get(then));
                then.is_some_and(|then| then.get(fields..) != now.get(fields..))
            });
            watched.then(|| others.count())
        };
        Some(Lasso {
            run: interpreter.follow_where(&rows, &names, strangeness)?,
            from,
            who,
            unable,
        })
    }

    /// The place of the first process in the loop that satisfies a test on its values, and on
    /// those before the step.
    fn place_where(
        &self,
        words: &[Word],
        number: usize,
        test: impl Fn(&[i32], &[i32]) -> bool,
    ) -> Option<usize> {
        let (now, then) = (
            self.processes(words, number)?,
            self.processes(words, number - 1)?,
        );
        now.iter()
            .zip(&then)
            .position(|(now, then)| test(now, then))
    }

    /// The values of the processes in a word, those that the reduction added last.
    fn processes(&self, words: &[Word], number: usize) -> Option<Vec<Vec<i32>>> {
        let (word, frozen) = self.current(words.get(number)?)?;
        let compiled = if frozen { &self.in_loop } else { &self.before };
        let process = |part: &Part| match part {
            Part::Process(values) => Some(values.clone()),
            _ => None,
        };
        let letters = word.iter();
        let parts = letters.map(|&letter| compiled.letters.part(letter));
        Some(parts.filter_map(process).collect())
    }
}
