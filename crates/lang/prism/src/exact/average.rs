//! Averages in the long run as fractions.
//!
//! The chain that some choices leave settles in one of its last parts. In each, the average is what is
//! earned between two visits of one state, divided by how long that takes. Choices are improved by
//! Howard's rule for several parts (Puterman 1994, section 9.2): first those that lead to a better
//! average, then, among those that keep it, those that are worth more.

use std::collections::BTreeMap;

use quotient_bits::Bits;
use quotient_core::{Budget, Rejection, Source, Stop};
use quotient_markov::{ChoiceId, Markov, Rational, StateId, whole};

use super::Exact;
use super::elimination::{Equation, Row, solved, weight};
use crate::average::Asked;
use crate::instance::Instance;
use crate::syntax::Tree;

/// Larger models are not solved exactly.
const MOST_STATES: usize = 4_000;

/// So often choices are improved.
const MOST_TURNS: usize = 1_000;

/// The exact averages of all states, with worths and choices that show them.
pub(super) fn exact(
    instance: &Instance,
    tree: &Tree,
    source: &Source,
    budget: &Budget,
) -> Result<Exact, Rejection> {
    let asked = Asked::new(instance, tree, source, budget)?;
    let (times, earned) = asked.paid(instance);
    let model = &asked.naive.model;
    if model.states() > MOST_STATES {
        return Err(Stop::bound("states", MOST_STATES as u64).into());
    }
    let mut question = Question {
        model,
        times,
        earned,
        least: asked.least,
        chosen: model.rows[..model.states()]
            .iter()
            .map(|&first| first as usize)
            .collect(),
        budget,
    };
    for _ in 0..MOST_TURNS {
        let mut found = question.found()?;
        if question.improve(&found)? {
            continue;
        }
        question.spread(&mut found)?;
        let chosen = question.chosen.iter().zip(&model.rows);
        let chosen = chosen.map(|(&choice, &first)| choice as u32 - first);
        return Ok(Exact {
            chosen: chosen.collect(),
            values: found.averages.into_iter().map(Some).collect(),
            worths: found.worths,
            opposite: false,
            initial: model.initial.clone(),
        });
    }
    Err(Stop::inconclusive("choices could be improved for ever").into())
}

struct Question<'a> {
    model: &'a Markov,
    /// How long each choice takes, and what it earns.
    times: Vec<Rational>,
    earned: Vec<Rational>,
    least: bool,
    /// The choice of each state.
    chosen: Vec<usize>,
    budget: &'a Budget,
}

/// What choices attain, and what that makes states worth beside each other.
struct Found {
    averages: Vec<Rational>,
    worths: Vec<Rational>,
}

impl Question<'_> {
    /// The averages and worths of the present choices.
    fn found(&self) -> Result<Found, Rejection> {
        let states = self.model.states();
        let mut found = Found {
            averages: vec![whole(0); states],
            worths: vec![whole(0); states],
        };
        let mut passed = Bits::with_capacity(states);
        passed.insert_range(..);
        for last in self.last_parts()? {
            self.settle(&last, &mut found)?;
            passed.difference_with(&last);
        }
        // Before the end: the average of where one settles, then what is earned on the way.
        let averages = self.before(&passed, &found.averages, |_| whole(0))?;
        for (state, mut average) in averages {
            found.averages[state] = average.pop().unwrap_or_else(|| whole(0));
        }
        let worths = self.before(&passed, &found.worths, |state| {
            let choice = self.chosen[state];
            &self.earned[choice] - &found.averages[state] * &self.times[choice]
        })?;
        for (state, mut worth) in worths {
            found.worths[state] = worth.pop().unwrap_or_else(|| whole(0));
        }
        Ok(found)
    }

    /// The sets of states that, once entered, are never left, and in which all are visited again.
    fn last_parts(&self) -> Result<Vec<Bits>, Rejection> {
        let states = self.model.states();
        let mut reached: Vec<Bits> = Vec::with_capacity(states);
        for start in 0..states {
            let mut found = Bits::with_capacity(states);
            found.insert(start);
            let mut waiting = vec![start];
            while let Some(state) = waiting.pop() {
                for branch in self
                    .model
                    .branches_of(ChoiceId::from_index(self.chosen[state]))
                {
                    let target = self.model.targets[branch].index();
                    if !found.put(target) {
                        waiting.push(target);
                    }
                }
            }
            self.budget.charge(found.count_ones(..) as u64)?;
            reached.push(found);
        }
        let first = |start: &usize| {
            let all = &reached[*start];
            all.ones().next() == Some(*start) && all.ones().all(|one| reached[one] == *all)
        };
        let first: Vec<usize> = (0..states).filter(first).collect();
        Ok(first
            .into_iter()
            .map(|start| reached[start].clone())
            .collect())
    }

    /// The average inside of a part that is never left, and the worths of its states.
    fn settle(&self, part: &Bits, found: &mut Found) -> Result<(), Rejection> {
        let Some(home) = part.ones().next() else {
            return Ok(());
        };
        let mut open = part.clone();
        open.remove(home);
        let pair = |state: usize| {
            let choice = self.chosen[state];
            vec![self.earned[choice].clone(), self.times[choice].clone()]
        };
        let mut equations = BTreeMap::new();
        for state in open.ones() {
            equations.insert(state, (self.row(state, &open)?, pair(state)));
        }
        let until_home = solved(equations, self.budget)?;
        let mut round = pair(home);
        for (state, share) in self.row(home, &open)? {
            for (sum, value) in round.iter_mut().zip(&until_home[&state]) {
                *sum += &share * value;
            }
        }
        if round[1] == whole(0) {
            return Err(Rejection::wrong(
                "choices without delay go round in a circle",
            ));
        }
        let average = &round[0] / &round[1];
        for (state, value) in until_home {
            found.worths[state] = &value[0] - &average * &value[1];
        }
        for state in part.ones() {
            found.averages[state] = average.clone();
        }
        Ok(())
    }

    /// What the chosen branches of a state give to some states.
    fn row(&self, state: usize, open: &Bits) -> Result<Row, Rejection> {
        let mut row = Row::new();
        for branch in self
            .model
            .branches_of(ChoiceId::from_index(self.chosen[state]))
        {
            let target = self.model.targets[branch].index();
            if open.contains(target) {
                *row.entry(target).or_insert_with(|| whole(0)) += weight(self.model, branch)?;
            }
        }
        Ok(row)
    }

    /// What some states come to if the others are worth this much and each adds something.
    fn before(
        &self,
        open: &Bits,
        known: &[Rational],
        adds: impl Fn(usize) -> Rational,
    ) -> Result<BTreeMap<usize, Vec<Rational>>, Rejection> {
        let mut equations: BTreeMap<usize, Equation> = BTreeMap::new();
        for state in open.ones() {
            let mut constant = adds(state);
            for branch in self
                .model
                .branches_of(ChoiceId::from_index(self.chosen[state]))
            {
                let target = self.model.targets[branch].index();
                if !open.contains(target) {
                    constant += weight(self.model, branch)? * &known[target];
                }
            }
            equations.insert(state, (self.row(state, open)?, vec![constant]));
        }
        solved(equations, self.budget)
    }

    /// What a choice leads to on average.
    fn ahead(&self, choice: usize, numbers: &[Rational]) -> Result<Rational, Rejection> {
        let mut sum = whole(0);
        for branch in self.model.branches_of(ChoiceId::from_index(choice)) {
            sum += weight(self.model, branch)? * &numbers[self.model.targets[branch].index()];
        }
        Ok(sum)
    }

    fn wins(&self, one: &Rational, other: &Rational) -> bool {
        match self.least {
            true => one < other,
            false => one > other,
        }
    }

    /// By how much a choice changes the average, and, that being what is owed, the worth.
    fn changes(
        &self,
        state: usize,
        choice: usize,
        found: &Found,
    ) -> Result<(Rational, Rational), Rejection> {
        let average = self.ahead(choice, &found.averages)? - &found.averages[state];
        let owed = &found.averages[state] * &self.times[choice] + &found.worths[state];
        let worth = &self.earned[choice] + self.ahead(choice, &found.worths)? - owed;
        Ok((average, worth))
    }

    /// Takes better choices; whether there were any.
    fn improve(&mut self, found: &Found) -> Result<bool, Rejection> {
        let zero = whole(0);
        let mut better = false;
        for state in 0..self.model.states() {
            self.budget.charge(1)?;
            let mut best = (zero.clone(), zero.clone());
            for choice in self.model.choices_of(StateId::from_index(state)) {
                let (average, worth) = self.changes(state, choice.index(), found)?;
                let more =
                    self.wins(&average, &best.0) || average == best.0 && self.wins(&worth, &best.1);
                if more {
                    best = (average, worth);
                    self.chosen[state] = choice.index();
                    better = true;
                }
            }
        }
        Ok(better)
    }

    /// Choices that lead to a worse average may seem worth more on the way: what states are worth gets
    /// so much of their average on top that none does.
    fn spread(&self, found: &mut Found) -> Result<(), Rejection> {
        let zero = whole(0);
        let mut times = zero.clone();
        for state in 0..self.model.states() {
            for choice in self.model.choices_of(StateId::from_index(state)) {
                let (average, worth) = self.changes(state, choice.index(), found)?;
                if self.wins(&worth, &zero) {
                    let needed = -worth / average;
                    if needed > times {
                        times = needed;
                    }
                }
            }
        }
        for (worth, average) in found.worths.iter_mut().zip(&found.averages) {
            *worth += &times * average;
        }
        Ok(())
    }
}
