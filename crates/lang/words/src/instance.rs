//! One length of words, searched completely.

use indexmap::IndexMap;
use quotient_automata::evidence::{RUN_KIND, RunEvidence};
use quotient_automata::facts::count;
use quotient_automata::{Letter, Problem, Word};
use quotient_core::{Budget, Evidence, Stop, Trouble, Verdict};
use quotient_language::{Answer, Inspected};
use quotient_regular::telling::trace;
use rustc_hash::FxBuildHasher;

use crate::images::{Bounds, images, words_of};

/// The search of all words that can be reached from the initial words of one length.
///
/// Where steps keep the length, that is a finite set, and the answers are those for this length.
/// Otherwise words grow up to a bound; if one would grow beyond it, what was not found to be
/// violated is unknown.
pub(crate) struct Instance<'a> {
    problem: &'a Problem,
    length: usize,
    longest: usize,
    /// The words reached, each with the word before it and the step, but for initial ones.
    reached: IndexMap<Word, Option<(usize, usize)>, FxBuildHasher>,
    steps: u64,
    /// Whether no word was left out.
    complete: bool,
    /// The bad word of each property that was reached first.
    violated: Vec<Option<usize>>,
}

impl<'a> Instance<'a> {
    pub(crate) fn new(problem: &'a Problem, length: usize) -> Instance<'a> {
        let mut parts = problem.relation().parts().iter();
        let longest = match parts.all(|(_, part)| part.is_length_preserving()) {
            true => length,
            false => 2 * length + 8,
        };
        Instance {
            problem,
            length,
            longest,
            reached: IndexMap::default(),
            steps: 0,
            complete: true,
            violated: vec![None; problem.properties().len()],
        }
    }

    /// Searches and answers.
    pub(crate) fn search(mut self, budget: &Budget) -> Result<Inspected, Trouble> {
        let stop = self.explore(budget).err();
        let answers = (0..self.violated.len()).map(|property| self.answer(property, &stop));
        let mut notes = Vec::new();
        if self.reached.is_empty() && stop.is_none() {
            notes.push(format!("no initial word has {}", self.letters()));
        }
        Ok(Inspected {
            what: format!("words of {}", self.letters()),
            sizes: vec![("words", self.reached.len() as u64), ("steps", self.steps)],
            answers: answers.collect(),
            notes,
        })
    }

    fn letters(&self) -> String {
        count(self.length, "letter")
    }

    /// Breadth first, so that runs are shortest.
    fn explore(&mut self, budget: &Budget) -> Result<(), Stop> {
        let bounds = Bounds {
            words: usize::MAX,
            length: self.longest,
        };
        let initial = words_of(self.problem.initial(), Some(self.length), bounds, budget)?;
        for word in initial.words {
            self.reach(word, None);
        }
        let mut at = 0;
        while let Some((word, _)) = self.reached.get_index(at) {
            let word = word.clone();
            for (part, (_, step)) in self.problem.relation().parts().iter().enumerate() {
                let images = images(step, &word, bounds, budget)?;
                self.complete &= images.complete;
                self.steps += images.words.len() as u64;
                for next in images.words {
                    self.reach(next, Some((at, part)));
                }
            }
            at += 1;
        }
        Ok(())
    }

    fn reach(&mut self, word: Word, from: Option<(usize, usize)>) {
        if self.reached.contains_key(&word) {
            return;
        }
        let number = self.reached.len();
        for (property, found) in self.problem.properties().iter().zip(&mut self.violated) {
            if found.is_none() && property.bad.accepts(&word) {
                *found = Some(number);
            }
        }
        self.reached.insert(word, from);
    }

    fn answer(&self, property: usize, stop: &Option<Stop>) -> Answer {
        let name = self.problem.properties()[property].name.as_str();
        if let Some(bad) = self.violated[property] {
            let run = self.run_to(bad);
            let because = format!("a run of {}", count(run.steps.len(), "step"));
            return Answer::new(name, Verdict::Violated)
                .because(because)
                .with_trace(trace(&run))
                .with_evidence(Evidence::of_violated(RUN_KIND, &run).about(name));
        }
        if let Some(stop) = stop {
            return Answer::unknown(name, stop.clone());
        }
        match self.complete {
            true => Answer::new(name, Verdict::Holds)
                .because(format!("{} looked at", count(self.reached.len(), "word"))),
            false => {
                let limit = self.longest as u64;
                Answer::unknown(name, Stop::bound("the length of words", limit))
            }
        }
    }

    fn run_to(&self, bad: usize) -> RunEvidence {
        let alphabet = self.problem.alphabet();
        let names = |word: &Word| {
            let name = |&letter: &Letter| alphabet.name(letter).to_owned();
            word.iter().map(name).collect()
        };
        let (mut words, mut steps) = (Vec::new(), Vec::new());
        let mut place = Some(bad);
        while let Some((word, from)) = place.and_then(|place| self.reached.get_index(place)) {
            words.push(names(word));
            place = from.map(|(before, part)| {
                steps.push(self.problem.relation().parts()[part].0.clone());
                before
            });
        }
        words.reverse();
        steps.reverse();
        RunEvidence {
            words,
            steps,
            family: Vec::new(),
        }
    }
}
