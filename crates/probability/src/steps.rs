//! Questions with a bound on the number of steps: backwards, step by step, rounded outwards.

use quotient_bits::Bits;
use quotient_core::{Budget, Stop};
use quotient_markov::{ChoiceId, Kind, Markov, Rewards, StateId};

use crate::analysis::{TINY, rounding};
use crate::bisimulation::Looks;
use crate::{Analysis, Best, Values};

impl Analysis<'_> {
    /// The probability that the next state is a goal.
    pub fn next(&self, goal: &Bits, best: Best, budget: &Budget) -> Result<Values, Stop> {
        let truth = indicator(goal, self.model.states());
        let values = Values {
            lower: truth.clone(),
            upper: truth,
            chosen: Vec::new(),
        };
        let mut before = Values::constant(0, 0.0);
        self.back(&values, &mut before, best, budget, |_| None)?;
        Ok(before)
    }

    /// The probability of reaching a goal through allowed states not before `from` steps, and
    /// within `to` steps if there is such a bound.
    pub fn until_within(
        &self,
        allowed: &Bits,
        goal: &Bits,
        (from, to): (u64, Option<u64>),
        best: Best,
        budget: &Budget,
    ) -> Result<Values, Stop> {
        let mut ends = allowed.clone();
        ends.grow(self.model.states());
        ends.toggle_range(..);
        if from == 0 {
            ends.union_with(goal);
        }
        let looks = Looks {
            sets: &[allowed, goal],
            rewards: None,
            ends: Some(&ends),
        };
        let branches = self.branches_of_steps(to.unwrap_or(from));
        let small = self.smaller(looks, branches, budget, |inner, small| {
            let (allowed, goal) = (small.set(allowed), small.set(goal));
            inner.until_within(&allowed, &goal, (from, to), best, budget)
        })?;
        if let Some(small) = small {
            return Ok(small);
        }
        let truth = indicator(goal, self.model.states());
        let mut values = match to {
            Some(_) => Values {
                lower: truth.clone(),
                upper: truth,
                chosen: Vec::new(),
            },
            None => self.until(allowed, goal, best, budget)?,
        };
        let mut next = Values::constant(0, 0.0);
        for _ in from..to.unwrap_or(from) {
            let known = |state: usize| match (goal.contains(state), allowed.contains(state)) {
                (true, _) => Some(1.0),
                (_, false) => Some(0.0),
                _ => None,
            };
            self.back(&values, &mut next, best, budget, known)?;
            std::mem::swap(&mut values, &mut next);
            if next.lower == values.lower && next.upper == values.upper {
                break;
            }
        }
        for _ in 0..from {
            let known = |state: usize| (!allowed.contains(state)).then_some(0.0);
            self.back(&values, &mut next, best, budget, known)?;
            std::mem::swap(&mut values, &mut next);
        }
        Ok(values)
    }

    /// What is earned within so many steps.
    pub fn reward_within(
        &self,
        rewards: &Rewards,
        steps: u64,
        best: Best,
        budget: &Budget,
    ) -> Result<Values, Stop> {
        let looks = Looks {
            rewards: Some(rewards),
            ..Looks::default()
        };
        let branches = self.branches_of_steps(steps);
        let small = self.smaller(looks, branches, budget, |inner, small| {
            inner.reward_within(&small.rewards, steps, best, budget)
        })?;
        if let Some(small) = small {
            return Ok(small);
        }
        // No list of what each choice earns is kept: beside millions of states it takes much room.
        let earned = |state: usize, choice: ChoiceId| self.earned_once(rewards, state, choice);
        let earned = Some((&earned, self.earned_error(rewards)));
        let mut values = Values::constant(self.model.states(), 0.0);
        let mut next = Values::constant(0, 0.0);
        for _ in 0..steps {
            self.back_earning((&values, &mut next), earned, best, budget, |_| None)?;
            std::mem::swap(&mut values, &mut next);
        }
        Ok(values)
    }

    /// What the state after so many steps earns.
    pub fn reward_after(
        &self,
        rewards: &Rewards,
        steps: u64,
        best: Best,
        budget: &Budget,
    ) -> Result<Values, Stop> {
        let off = |value: f64, by: f64| value * (1.0 + by);
        let error = rewards.error;
        let mut values = Values {
            lower: rewards.states.iter().map(|&one| off(one, -error)).collect(),
            upper: rewards.states.iter().map(|&one| off(one, error)).collect(),
            chosen: Vec::new(),
        };
        let mut next = Values::constant(0, 0.0);
        for _ in 0..steps {
            self.back(&values, &mut next, best, budget, |_| None)?;
            std::mem::swap(&mut values, &mut next);
        }
        Ok(values)
    }

    /// How many branches so many steps look at.
    fn branches_of_steps(&self, steps: u64) -> f64 {
        steps as f64 * self.model.branches() as f64
    }

    fn back(
        &self,
        values: &Values,
        next: &mut Values,
        best: Best,
        budget: &Budget,
        known: impl Fn(usize) -> Option<f64>,
    ) -> Result<(), Stop> {
        let nothing: Option<(&fn(usize, ChoiceId) -> f64, f64)> = None;
        self.back_earning((values, next), nothing, best, budget, known)
    }

    /// One step backwards, into values whose room is used again: of a model with millions of
    /// states each list takes a tenth of what the model does.
    fn back_earning<E: Fn(usize, ChoiceId) -> f64>(
        &self,
        (values, next): (&Values, &mut Values),
        earned: Option<(&E, f64)>,
        best: Best,
        budget: &Budget,
        known: impl Fn(usize) -> Option<f64>,
    ) -> Result<(), Stop> {
        let model = &*self.model;
        budget.charge(model.branches() as u64 / 64 + 1)?;
        next.lower.clear();
        next.upper.clear();
        next.chosen.clear();
        next.lower.reserve_exact(model.states());
        next.upper.reserve_exact(model.states());
        let chooses = model.kind == Kind::Mdp;
        if chooses {
            next.chosen.reserve_exact(model.states());
        }
        for state in 0..model.states() {
            if let Some(value) = known(state) {
                next.lower.push(value);
                next.upper.push(value);
                if chooses {
                    next.chosen.push(ChoiceId::new(model.rows[state]));
                }
                continue;
            }
            let mut found: Option<(f64, f64, ChoiceId)> = None;
            for choice in model.choices_of(StateId::from_index(state)) {
                let earns = earned.map(|(earned, error)| (earned(state, choice), error));
                let (low, high) = one_choice(model, choice, values, earns);
                found = Some(match found {
                    None => (low, high, choice),
                    Some((a, b, at)) => match best {
                        Best::Least if high < b => (a.min(low), high, choice),
                        Best::Least => (a.min(low), b.min(high), at),
                        Best::Greatest if low > a => (low, b.max(high), choice),
                        Best::Greatest => (a.max(low), b.max(high), at),
                    },
                });
            }
            let (low, high, choice) = found.unwrap_or((0.0, 0.0, ChoiceId::new(0)));
            next.lower.push(low);
            next.upper.push(high);
            if chooses {
                next.chosen.push(choice);
            }
        }
        Ok(())
    }
}

fn one_choice(
    model: &Markov,
    choice: ChoiceId,
    values: &Values,
    earned: Option<(f64, f64)>,
) -> (f64, f64) {
    let branches = model.branches_of(choice);
    // One branch with all the weight changes nothing, not even by rounding.
    if earned.is_none() && branches.len() == 1 && model.weights[branches.start] == 1.0 {
        let target = model.targets[branches.start].index();
        return (values.lower[target], values.upper[target]);
    }
    let off = rounding(branches.len()) + 1.01 * model.error;
    let (mut low, mut high) = (0.0, 0.0);
    for branch in branches {
        let (target, weight) = (model.targets[branch].index(), model.weights[branch]);
        low += weight * values.lower[target];
        high += weight * values.upper[target];
    }
    (low, high) = (low * (1.0 - off), high * (1.0 + off));
    if high < TINY {
        let mut targets = model.targets[model.branches_of(choice)].iter();
        let possible = targets.any(|&target| values.upper[target.index()] > 0.0);
        (low, high) = (0.0, if possible { TINY } else { 0.0 });
    }
    if let Some((value, error)) = earned {
        let error = error + rounding(2);
        low = (low + value * (1.0 - error)) * (1.0 - 2e-16);
        high = (high + value * (1.0 + error)) * (1.0 + 2.3e-16);
    }
    (low, high)
}

pub(crate) fn indicator(set: &Bits, states: usize) -> Vec<f64> {
    (0..states)
        .map(|state| f64::from(u8::from(set.contains(state))))
        .collect()
}
