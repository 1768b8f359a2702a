//! Violations, word by word.

use quotient_automata::evidence::{PlainAutomaton, RUN_KIND, RunEvidence};
use quotient_automata::{Alphabet, Word};
use quotient_core::{Context, Evidence, Stop};

use crate::system::single;
use crate::{Direction, Set, System};

/// A run from an initial configuration to a bad one.
#[derive(Debug, Clone)]
pub struct Run {
    /// The configurations, first to last.
    pub words: Vec<Word>,
    /// The name of the transducer that made each step.
    pub steps: Vec<String>,
    /// For each configuration the set it was chosen from; every run of this length through
    /// these sets is a violation too.
    pub family: Vec<Set>,
}

impl Run {
    /// Chooses a run through a family of sets X_0, X_1, …, each of which can step to the next
    /// in the direction of the method: a shortest word that is also in `start`, then always a
    /// shortest successor in the next set.
    pub(crate) fn choose<'a>(
        system: &System,
        direction: Direction,
        family: impl Iterator<Item = &'a Set>,
        start: &Set,
        cx: &Context,
    ) -> Result<Run, Stop> {
        let budget = &cx.budget;
        let mut family: Vec<Set> = family.cloned().collect();
        let mut words: Vec<Word> = Vec::new();
        for set in &family {
            let from = match words.last() {
                None => start.intersection(set, budget)?,
                Some(word) => {
                    let here = single(system.alphabet(), word, budget)?;
                    let there = match direction {
                        Direction::Forward => system.step().post(&here, budget)?,
                        Direction::Backward => system.step().pre(&here, budget)?,
                    };
                    there.intersection(set, budget)?
                }
            };
            let lost =
                || Stop::inconclusive("internal error: a counterexample could not be replayed");
            words.push(from.shortest_word().ok_or_else(lost)?);
        }
        if direction == Direction::Backward {
            words.reverse();
            family.reverse();
        }
        Run::named(system, words, family)
    }

    /// A run along these words; fails if two of them are not related by any transducer.
    pub(crate) fn named(system: &System, words: Vec<Word>, family: Vec<Set>) -> Result<Run, Stop> {
        let steps = words
            .windows(2)
            .map(|pair| {
                let name = system.relation().step_names(&pair[0], &pair[1]).next();
                let lost =
                    || Stop::inconclusive("internal error: no transducer makes a step of the run");
                name.map(str::to_owned).ok_or_else(lost)
            })
            .collect::<Result<_, _>>()?;
        Ok(Run {
            words,
            steps,
            family,
        })
    }

    /// Whether the run begins in an initial configuration and ends in a bad one, and every step
    /// can be made by the transducer named.
    pub fn is_valid(&self, system: &System, property: usize) -> bool {
        let made = |(pair, name): (&[Word], &String)| {
            let mut names = system.relation().step_names(&pair[0], &pair[1]);
            names.any(|known| known == name)
        };
        let ends = self.words.first().zip(self.words.last());
        ends.is_some_and(|(first, last)| {
            system.initial().accepts(first) && system.bad(property).accepts(last)
        }) && self.steps.len() + 1 == self.words.len()
            && self.words.windows(2).zip(&self.steps).all(made)
    }

    /// The run as evidence, with the family of runs if it is wanted.
    pub fn evidence(&self, alphabet: &Alphabet, with_family: bool) -> Evidence {
        Evidence::of_violated(RUN_KIND, &self.in_names(alphabet, with_family))
    }

    /// The run with the names of its letters.
    pub(crate) fn in_names(&self, alphabet: &Alphabet, with_family: bool) -> RunEvidence {
        let names = |word: &Word| {
            let name = |&letter| alphabet.name(letter).to_owned();
            word.iter().map(name).collect()
        };
        let family = self.family.iter().filter(|_| with_family);
        RunEvidence {
            words: self.words.iter().map(names).collect(),
            steps: self.steps.clone(),
            family: family.map(|set| PlainAutomaton::from(&***set)).collect(),
        }
    }
}
