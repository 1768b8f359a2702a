//! Exact numbers on request: fractions instead of bounds.
//!
//! The naive builder keeps all weights as fractions; states are eliminated one after the other
//! with them. For decision processes the choices that the engine found are looked at, and
//! improved until no other one is better: the number is exact because the choices attain it and
//! nothing exceeds it.

mod average;
mod elimination;
mod program;
mod quotient;
mod several;

use std::collections::BTreeMap;

use quotient_bits::Bits;
use quotient_core::{Budget, Rejection, Source, Stop};
use quotient_markov::{ChoiceId, Kind, Markov, Rational, StateId, whole};

use self::elimination::{Row, solved, weight};
pub(crate) use self::several::decided;
use crate::check::{Simple, simple_path};
use crate::evidence::{direction, fits, set};
use crate::instance::Instance;
use crate::limited_exact;
use crate::naive::{self, Naive};
use crate::syntax::{Ahead, Asks, Body, Chance, Join, Node, Tree};

/// Larger models are not solved exactly.
const MOST_STATES: usize = 30_000;

/// The exact numbers of all states, of the opposite of the path if that was turned round; none
/// where they are infinite.
#[derive(Debug)]
pub(crate) struct Exact {
    pub(crate) values: Vec<Option<Rational>>,
    /// The choices that attain them, counted from the first one of each state.
    pub(crate) chosen: Vec<u32>,
    /// Of averages: what states are worth beside each other, which shows them.
    pub(crate) worths: Vec<Rational>,
    opposite: bool,
    initial: Vec<StateId>,
}

impl Exact {
    /// The number of each initial state, in order.
    pub(crate) fn of_starts(&self) -> Vec<Option<Rational>> {
        let turned = |value: &Option<Rational>| match (value, self.opposite) {
            (Some(value), true) => Some(whole(1) - value),
            (value, _) => value.clone(),
        };
        let initial = self.initial.iter();
        initial
            .map(|&state| turned(&self.values[state.index()]))
            .collect()
    }
}

impl Exact {
    /// The states, in the order of their values, that keep the bound of a property.
    pub(crate) fn where_kept(
        &self,
        instance: &Instance,
        chance: &Chance,
        source: &Source,
    ) -> Option<Bits> {
        let mut found = Bits::with_capacity(self.values.len());
        for (state, value) in self.values.iter().enumerate() {
            let keeps = match (value, self.opposite) {
                (Some(value), opposite) => {
                    let turned = whole(1) - value;
                    let value = if opposite { &turned } else { value };
                    limited_exact::kept(instance, chance, source, std::slice::from_ref(value))?
                }
                // Infinity is more than any bound.
                (None, _) => {
                    let (join, _) = chance.relation.as_ref()?;
                    matches!(join, Join::Greater | Join::AtLeast)
                }
            };
            found.set(state, keeps);
        }
        Some(found)
    }
}

/// The exact numbers of a question for the chance of a path, for what is earned until a goal, or for
/// an average.
pub(crate) fn exact(
    instance: &Instance,
    tree: &Tree,
    source: &Source,
    chosen: &[u32],
    budget: &Budget,
) -> Result<Exact, Rejection> {
    if crate::average::fits(tree, instance) {
        return average::exact(instance, tree, source, budget);
    }
    let (Node::Chance(chance), true) = (&tree.node, fits(tree)) else {
        return Err(not_for());
    };
    let structure = match chance.asks {
        Asks::Reward => {
            let found = instance.structure(chance.structure.as_ref(), source, tree.span);
            Some(found.map_err(|trouble| Rejection::unreadable(trouble.to_string()))?)
        }
        _ => None,
    };
    let naive = naive::build(instance, structure, budget)?;
    if naive.states.len() > MOST_STATES {
        return Err(Stop::bound("states", MOST_STATES as u64).into());
    }
    let least = direction(chance, instance.kind)?;
    let Sets {
        allowed,
        goal,
        opposite,
    } = sets(instance, &naive, chance, source)?;
    let mut question = Question {
        naive: &naive,
        allowed,
        goal,
        earns: structure.is_some(),
        least: least != opposite,
        chosen: Vec::new(),
        budget,
    };
    question.begin(instance.kind, chosen)?;
    let values = question.improved()?;
    let chosen = question.chosen.iter().enumerate();
    let chosen = chosen.map(|(state, &choice)| choice as u32 - naive.model.rows[state]);
    Ok(Exact {
        values,
        chosen: chosen.collect(),
        worths: Vec::new(),
        opposite,
        initial: naive.model.initial.clone(),
    })
}

fn not_for() -> Rejection {
    Rejection::unreadable(
        "exact numbers are for `P` of one `F`, `G` or `U` without a bound, `R` of `F` and averages in the long run",
    )
}

/// What a question is about.
pub(crate) struct Sets {
    pub(crate) allowed: Bits,
    pub(crate) goal: Bits,
    /// Whether it is the opposite of reaching the goal.
    pub(crate) opposite: bool,
}

/// What may be passed and what is to be reached, by `P` of one path or by `R` of `F`.
pub(crate) fn sets(
    instance: &Instance,
    naive: &Naive,
    chance: &Chance,
    source: &Source,
) -> Result<Sets, Rejection> {
    let Body::Formula(path) = &chance.body else {
        return Err(not_for());
    };
    let set = |tree: &Tree| set(instance, naive, tree, source);
    let mut allowed = Bits::with_capacity(naive.states.len());
    allowed.insert_range(..);
    if let (Asks::Reward, Node::Ahead(Ahead::Finally, None, goal)) = (chance.asks, &path.node) {
        return Ok(Sets {
            allowed,
            goal: set(goal)?,
            opposite: false,
        });
    }
    let Some((Simple::Until, left, right, opposite)) = simple_path(path) else {
        return Err(not_for());
    };
    if let Some(left) = left {
        allowed = set(left)?;
    }
    let mut goal = set(right)?;
    if opposite {
        goal.toggle_range(..);
    }
    Ok(Sets {
        allowed,
        goal,
        opposite,
    })
}

struct Question<'a> {
    naive: &'a Naive,
    allowed: Bits,
    goal: Bits,
    earns: bool,
    least: bool,
    /// The choice of each state.
    chosen: Vec<usize>,
    budget: &'a Budget,
}

impl Question<'_> {
    fn model(&self) -> &Markov {
        &self.naive.model
    }

    /// Begins with the choices of the engine, counted from the first one of each state.
    fn begin(&mut self, kind: Kind, chosen: &[u32]) -> Result<(), Rejection> {
        let states = self.model().states();
        if kind == Kind::Mdp && chosen.len() != states {
            return Err(Rejection::wrong("there are no choices to begin with"));
        }
        for state in 0..states {
            let choices = self.model().choices_of(StateId::from_index(state)).places();
            let number = chosen.get(state).copied().unwrap_or(0) as usize;
            self.chosen
                .push(choices.start + number.min(choices.len() - 1));
        }
        Ok(())
    }

    /// The numbers of the best choices.
    fn improved(&mut self) -> Result<Vec<Option<Rational>>, Rejection> {
        for _ in 0..1000 {
            let values = self.solved()?;
            if self.improve(&values) {
                continue;
            }
            // Where some choices never reach the goal the least chance is zero; there choices
            // cannot always be improved one at a time.
            let sure = self.positive();
            let zero = Some(whole(0));
            let wrong = |state: usize| !sure.contains(state) && values[state] != zero;
            if self.least && !self.earns && (0..values.len()).any(wrong) {
                break;
            }
            return Ok(values);
        }
        Err(Stop::inconclusive("choices could be improved for ever").into())
    }

    /// The states from which all choices reach the goal with some chance.
    fn positive(&self) -> Bits {
        let model = self.model();
        let mut found = self.goal.clone();
        found.grow(model.states());
        loop {
            let before = found.count_ones(..);
            for state in self.allowed.ones() {
                let reaches = |choice: ChoiceId| {
                    let targets = &model.targets[model.branches_of(choice)];
                    targets.iter().any(|&to| found.contains(to.index()))
                };
                if !found.contains(state)
                    && model.choices_of(StateId::from_index(state)).all(reaches)
                {
                    found.insert(state);
                }
            }
            if found.count_ones(..) == before {
                return found;
            }
        }
    }

    /// Takes better choices; whether there were any.
    fn improve(&mut self, values: &[Option<Rational>]) -> bool {
        let model = &self.naive.model;
        let mut better = false;
        for (state, value) in values.iter().enumerate() {
            if self.goal.contains(state) || !self.earns && !self.allowed.contains(state) {
                continue;
            }
            for choice in model.choices_of(StateId::from_index(state)) {
                let other = self.worth(choice.index(), values);
                // Infinity is more than any number.
                let wins = match (&other, value) {
                    (Some(other), Some(now)) if self.least => other < now,
                    (Some(other), Some(now)) => other > now,
                    (Some(_), None) => self.least,
                    (None, Some(_)) => !self.least,
                    (None, None) => false,
                };
                if wins {
                    self.chosen[state] = choice.index();
                    better = true;
                    break;
                }
            }
        }
        better
    }

    fn worth(&self, choice: usize, values: &[Option<Rational>]) -> Option<Rational> {
        let model = self.model();
        let mut sum = match self.earns {
            true => self.naive.earned[choice].clone(),
            false => whole(0),
        };
        for branch in model.branches_of(ChoiceId::from_index(choice)) {
            let value = values[model.targets[branch].index()].as_ref()?;
            sum += model.exact_weight(branch)? * value;
        }
        Some(sum)
    }

    /// The numbers of the present choices.
    fn solved(&self) -> Result<Vec<Option<Rational>>, Rejection> {
        let model = self.model();
        let states = model.states();
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); states];
        for state in 0..states {
            for branch in model.branches_of(ChoiceId::from_index(self.chosen[state])) {
                before[model.targets[branch].index()].push(state as u32);
            }
        }
        let reach = |from: &Bits, through: &dyn Fn(usize) -> bool| {
            let mut found = from.clone();
            let mut waiting: Vec<usize> = from.ones().collect();
            while let Some(state) = waiting.pop() {
                for &one in &before[state] {
                    let one = one as usize;
                    if through(one) && !found.contains(one) {
                        found.insert(one);
                        waiting.push(one);
                    }
                }
            }
            found
        };
        let passes = |state: usize| self.earns || self.allowed.contains(state);
        let can = reach(&self.goal, &passes);
        let mut values: Vec<Option<Rational>> = vec![Some(whole(0)); states];
        let mut open = Bits::with_capacity(states);
        if self.earns {
            let mut cannot = can;
            cannot.toggle_range(..);
            let endless = reach(&cannot, &|state| !self.goal.contains(state));
            for (state, value) in values.iter_mut().enumerate() {
                match endless.contains(state) {
                    true => *value = None,
                    false => open.set(state, !self.goal.contains(state)),
                }
            }
        } else {
            for state in can.ones() {
                match self.goal.contains(state) {
                    true => values[state] = Some(whole(1)),
                    false => open.insert(state),
                }
            }
        }
        self.eliminate(&open, &mut values)?;
        Ok(values)
    }

    /// Solves for the open states.
    fn eliminate(&self, open: &Bits, values: &mut [Option<Rational>]) -> Result<(), Rejection> {
        let model = self.model();
        let mut equations = BTreeMap::new();
        for state in open.ones() {
            let choice = self.chosen[state];
            let mut constant = match self.earns {
                true => self.naive.earned[choice].clone(),
                false => whole(0),
            };
            let mut row = Row::new();
            for branch in model.branches_of(ChoiceId::from_index(choice)) {
                let target = model.targets[branch].index();
                let weight = weight(model, branch)?;
                match open.contains(target) {
                    true => *row.entry(target).or_insert_with(|| whole(0)) += weight,
                    false => {
                        if let Some(value) = &values[target] {
                            constant += weight * value;
                        }
                    }
                }
            }
            equations.insert(state, (row, vec![constant]));
        }
        for (state, mut found) in solved(equations, self.budget)? {
            values[state] = found.pop();
        }
        Ok(())
    }
}
