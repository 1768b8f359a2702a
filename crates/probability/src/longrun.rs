//! Averages in the long run, for chains.
//!
//! A chain ends in one of its bottom components. In each, the average is found by the equation of
//! Poisson (`gain`); where that converges slowly, it is what is earned between two visits of one
//! state, divided by how long that takes: two questions of the kind that the solver answers with
//! sound bounds.

use quotient_bits::Bits;
use quotient_core::{Budget, Stop};
use quotient_markov::{ChoiceId, Kind, Rewards, StateId};

use crate::analysis::rounding;
use crate::gain::Part;
use crate::graph::{NOT_CHOSEN, bottoms, end_components};
use crate::{Analysis, Best, Values};

/// Averages, and why they hold.
#[derive(Debug, Clone, PartialEq)]
pub struct Averages {
    /// Between which numbers the average from each state lies.
    pub values: Values,
    /// What states are worth, to show that averages are not less; empty if that is not known.
    pub below: Vec<f64>,
    /// The same, to show that they are not more.
    pub above: Vec<f64>,
    /// The choices that attain them; empty for chains.
    pub chosen: Vec<ChoiceId>,
}

/// What a state of a chain earns per unit of time.
fn per_time(rewards: &Rewards, state: usize) -> f64 {
    let of_choice = rewards.choices.get(state).copied().unwrap_or(0.0);
    rewards.states[state] + of_choice
}

/// Every run ends in some component: so no average is less than the least of theirs, or more than the
/// greatest.
pub(crate) fn within_gains(
    gains: impl Iterator<Item = (f64, f64)> + Clone,
    (lower, upper): (&mut [f64], &mut [f64]),
) {
    let least = gains
        .clone()
        .map(|gain| gain.0)
        .fold(f64::INFINITY, f64::min);
    let most = gains.map(|gain| gain.1).fold(0.0, f64::max);
    if least.is_finite() {
        lower.iter_mut().for_each(|low| *low = low.max(least));
        upper.iter_mut().for_each(|high| *high = high.min(most));
    }
}

impl Analysis<'_> {
    /// The share of time in which a condition holds in the long run.
    pub fn share(&self, condition: &Bits, best: Best, budget: &Budget) -> Result<Values, Stop> {
        let states = self.model.states();
        let mut earned: Vec<f64> = crate::steps::indicator(condition, states);
        // A share of time: what is earned as long as a state lasts.
        for (value, &exit) in earned.iter_mut().zip(&self.model.exits) {
            *value = if exit > 0.0 { *value / exit } else { 0.0 };
        }
        let mut values = self.average(
            &Rewards {
                states: earned,
                ..Rewards::default()
            },
            best,
            budget,
        )?;
        for upper in &mut values.upper {
            *upper = upper.min(1.0);
        }
        Ok(values)
    }

    /// What is earned per step, or per unit of time, in the long run.
    pub fn average(&self, rewards: &Rewards, best: Best, budget: &Budget) -> Result<Values, Stop> {
        match self.model.kind {
            Kind::Mdp => self.best_average(rewards, best, budget),
            _ => Ok(self.chain_average(rewards, budget)?.values),
        }
    }

    /// The same with what states are worth to show it.
    pub fn average_shown(
        &self,
        rewards: &Rewards,
        best: Best,
        budget: &Budget,
    ) -> Result<Averages, Stop> {
        match self.model.kind {
            Kind::Mdp => self.best_average_shown(rewards, best, budget),
            _ => self.chain_average_shown(rewards, budget),
        }
    }

    fn chain_average_shown(&self, rewards: &Rewards, budget: &Budget) -> Result<Averages, Stop> {
        let mut found = self.chain_average(rewards, budget)?;
        if found.below.is_empty() {
            return Ok(found);
        }
        let model = &*self.model;
        let states = model.states();
        let mut bottom = Bits::with_capacity(states);
        for part in bottoms(model) {
            bottom.extend(part.into_iter().map(|state| state as usize));
        }
        found.above.clone_from(&found.below);
        if bottom.count_ones(..) == states {
            return Ok(found);
        }
        // Before the end, worth falls or rises as fast as anything could be earned: then whatever
        // is earned there does not matter.
        let clock = Rewards {
            states: vec![1.0; states],
            ..Rewards::default()
        };
        let time = self.reward_until(&clock, &bottom, Best::Greatest, budget)?;
        let worths = bottom.ones().map(|state| found.below[state]);
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        for worth in worths {
            (least, most) = (least.min(worth), most.max(worth));
        }
        let top = found.values.upper.iter().copied().fold(0.0, f64::max);
        let rates = (0..states).map(|state| per_time(rewards, state));
        let fastest = rates.fold(0.0, f64::max);
        for (state, &time) in time.upper.iter().enumerate() {
            if bottom.contains(state) {
                continue;
            }
            if !time.is_finite() {
                (found.below, found.above) = (Vec::new(), Vec::new());
                return Ok(found);
            }
            found.below[state] = least - 1.01 * top * time;
            found.above[state] = most + 1.01 * fastest * time;
        }
        Ok(found)
    }

    /// Averages of a chain, and what the states of its last components are worth; nothing if
    /// that was found in another way.
    fn chain_average(&self, rewards: &Rewards, budget: &Budget) -> Result<Averages, Stop> {
        let model = &*self.model;
        let states = model.states();
        let mut gain_of = vec![u32::MAX; states];
        let mut gains = Vec::new();
        let mut below = vec![0.0; states];
        for bottom in bottoms(model) {
            for &state in &bottom {
                gain_of[state as usize] = gains.len() as u32;
            }
            let (gain, worth) = self.gain(&bottom, rewards, budget)?;
            gains.push(gain);
            match worth {
                Some(worth) if !below.is_empty() => {
                    for (&state, worth) in bottom.iter().zip(worth) {
                        below[state as usize] = worth;
                    }
                }
                _ => below.clear(),
            }
        }
        let mut open = Bits::with_capacity(states);
        for (state, &gain) in gain_of.iter().enumerate() {
            open.set(state, gain == u32::MAX);
        }
        let groups = self.groups(&open, false, |_| true, budget)?;
        let constant = |choice: usize| {
            let (mut low, mut high) = (0.0, 0.0);
            for branch in model.branches_of(ChoiceId::from_index(choice)) {
                let target = model.targets[branch].index();
                if let Some(&(from, to)) = gains.get(gain_of[target] as usize) {
                    low += model.weights[branch] * from;
                    high += model.weights[branch] * to;
                }
            }
            let off = rounding(model.branches_of(ChoiceId::from_index(choice)).len()) + model.error;
            (low * (1.0 - off), high * (1.0 + off))
        };
        let most = gains.iter().map(|gain| gain.1).fold(0.0, f64::max);
        let mut chosen = vec![NOT_CHOSEN; states];
        let best = Best::Greatest;
        let all = |_: usize| true;
        let (mut lower, mut upper) =
            self.solved(&groups, (constant, all), most, best, &mut chosen, budget)?;
        for state in 0..states {
            if let Some(&(low, high)) = gains.get(gain_of[state] as usize) {
                (lower[state], upper[state]) = (low, high);
            }
        }
        within_gains(gains.iter().copied(), (&mut lower, &mut upper));
        let values = Values {
            lower,
            upper,
            chosen: Vec::new(),
        };
        Ok(Averages {
            values,
            below,
            above: Vec::new(),
            chosen: Vec::new(),
        })
    }

    /// The average in a bottom component, and what its states are worth if that shows it.
    fn gain(
        &self,
        bottom: &[u32],
        rewards: &Rewards,
        budget: &Budget,
    ) -> Result<((f64, f64), Option<Vec<f64>>), Stop> {
        let states = self.model.states();
        let earned: Vec<f64> = (0..states).map(|state| per_time(rewards, state)).collect();
        // Where all earn the same, that is the average, and none is worth more than the others.
        let one = bottom.first().map_or(0.0, |&state| earned[state as usize]);
        let exact = one == 0.0 || rewards.error == 0.0 && rewards.choices.is_empty();
        if exact && bottom.iter().all(|&state| earned[state as usize] == one) {
            return Ok(((one, one), Some(vec![0.0; bottom.len()])));
        }
        let error = rewards.error + rounding(2);
        let width = self.precision.width;
        let part = Part::new(self.timed, bottom, &earned, error);
        let near = |(low, high): (f64, f64)| {
            low <= high && high.is_finite() && high - low <= 0.2 * width * high
        };
        let (found, worth) = part.average(vec![0.0; bottom.len()], width, budget)?;
        if near(found) || found.1 == 0.0 {
            return Ok((found, Some(worth)));
        }
        // Slow chains: what is earned from one visit of a state to the next.
        let home = self.home(bottom, budget)?;
        let clock = Rewards {
            // Time is what passes in a state: as if each earned one per unit of it.
            states: vec![1.0; states],
            ..Rewards::default()
        };
        let ((low, high), earns) = self.cycle(bottom, home, rewards, budget)?;
        let ((short, long), lasts) = self.cycle(bottom, home, &clock, budget)?;
        let (low, high) = (low / long * (1.0 - 4e-16), high / short * (1.0 + 4e-16));
        // What a state earns until then, but for what the time is worth, is its worth, nearly.
        let average = 0.5 * low + 0.5 * high;
        let both = earns.iter().zip(&lasts);
        let guess = both.map(|(earns, lasts)| earns - average * lasts);
        let guess: Vec<f64> = guess.collect();
        if guess.iter().all(|one| one.is_finite()) {
            let (shown, worth) = part.average(guess, width, budget)?;
            if near(shown) {
                return Ok((shown, Some(worth)));
            }
        }
        Ok(((found.0.max(low), found.1.min(high)), None))
    }

    /// A state of a component that is visited often: cycles from it are short. Only a guess, by
    /// some steps of the chain from everywhere.
    fn home(&self, bottom: &[u32], budget: &Budget) -> Result<usize, Stop> {
        let model = &*self.model;
        let mut share = vec![0.0; model.states()];
        let mut next = vec![0.0; model.states()];
        for &state in bottom {
            share[state as usize] = 1.0;
        }
        for _ in 0..200 {
            budget.charge(bottom.len() as u64 / 16 + 1)?;
            for &state in bottom {
                let half = share[state as usize] / 2.0;
                next[state as usize] += half;
                for branch in model.branches_from(StateId::new(state)) {
                    next[model.targets[branch].index()] += half * model.weights[branch];
                }
            }
            for &state in bottom {
                share[state as usize] = std::mem::take(&mut next[state as usize]);
            }
        }
        let by_share = |a: &&u32, b: &&u32| {
            let (left, right) = (share[**a as usize], share[**b as usize]);
            left.total_cmp(&right).then(b.cmp(a))
        };
        Ok(bottom.iter().max_by(by_share).copied().unwrap_or(0) as usize)
    }

    /// What is earned from one visit of a state to the next, and about what from each state until
    /// the next visit.
    fn cycle(
        &self,
        bottom: &[u32],
        home: usize,
        rewards: &Rewards,
        budget: &Budget,
    ) -> Result<((f64, f64), Vec<f64>), Stop> {
        let model = &*self.model;
        let states = model.states();
        let mut open = Bits::with_capacity(states);
        for &state in bottom {
            open.set(state as usize, state as usize != home);
        }
        let (earned, error) = self.per_choice(rewards);
        let groups = self.groups(&open, false, |_| true, budget)?;
        let constant = |choice: usize| {
            let value = earned[choice];
            (value * (1.0 - error), value * (1.0 + error))
        };
        let mut chosen = vec![NOT_CHOSEN; states];
        let best = Best::Greatest;
        let all = |_: usize| true;
        let infinity = f64::INFINITY;
        let (lower, upper) = self.solved(
            &groups,
            (constant, all),
            infinity,
            best,
            &mut chosen,
            budget,
        )?;
        let choice = model.rows[home] as usize;
        let (mut low, mut high) = constant(choice);
        for branch in model.branches_of(ChoiceId::from_index(choice)) {
            let target = model.targets[branch].index();
            if target != home {
                low += model.weights[branch] * lower[target];
                high += model.weights[branch] * upper[target];
            }
        }
        let off = rounding(model.branches_of(ChoiceId::from_index(choice)).len()) + model.error;
        let about = |&state: &u32| match state as usize {
            state if state == home => 0.0,
            state => 0.5 * lower[state] + 0.5 * upper[state],
        };
        let until = bottom.iter().map(about).collect();
        Ok(((low * (1.0 - off), high * (1.0 + off)), until))
    }
}

impl Analysis<'_> {
    /// All that is ever earned: infinite where earning may never end.
    pub fn reward_total(
        &self,
        rewards: &Rewards,
        best: Best,
        budget: &Budget,
    ) -> Result<Values, Stop> {
        let model = &*self.model;
        let states = model.states();
        if model.kind == Kind::Mdp {
            return self.total_by_choice(rewards, best, budget);
        }
        let (earned, _) = self.per_choice(rewards);
        let earns = |state: usize| {
            model
                .choices_of(StateId::from_index(state))
                .any(|choice| earned[choice.index()] > 0.0)
        };
        let mut over = Bits::with_capacity(states);
        for bottom in bottoms(model) {
            let forever = bottom.iter().any(|&state| earns(state as usize));
            if !forever {
                over.extend(bottom.iter().map(|&state| state as usize));
            }
        }
        // Reaching a component that earns nothing is the end; where that is not sure, another
        // one is reached with some probability, and what it earns has no end.
        self.reward_until(rewards, &over, Best::Greatest, budget)
    }

    /// The greatest set of states in which choices that earn nothing can stay for ever.
    fn for_nothing(&self, earned: &[f64], budget: &Budget) -> Result<Bits, Stop> {
        let model = &*self.model;
        let mut left = Bits::with_capacity(model.states());
        left.insert_range(..);
        loop {
            budget.charge(model.states() as u64 / 16 + 1)?;
            let stays = |state: &usize| {
                let mut choices = model.choices_of(StateId::from_index(*state));
                choices.any(|choice| {
                    let targets = &model.targets[model.branches_of(choice)];
                    let inside = targets.iter().all(|&to| left.contains(to.index()));
                    earned[choice.index()] == 0.0 && inside
                })
            };
            let mut next = Bits::with_capacity(model.states());
            next.extend(left.ones().filter(stays));
            if next == left {
                return Ok(left);
            }
            left = next;
        }
    }

    pub(crate) fn total_by_choice(
        &self,
        rewards: &Rewards,
        best: Best,
        budget: &Budget,
    ) -> Result<Values, Stop> {
        let model = &*self.model;
        let states = model.states();
        let (earned, error) = self.per_choice(rewards);
        let mut all = Bits::with_capacity(states);
        all.insert_range(..);
        if best == Best::Least {
            let rests = self.for_nothing(&earned, budget)?;
            return self.reward_until(rewards, &rests, best, budget);
        }
        // Earning never ends where choices can stay and earn.
        let (part_of, _) = end_components(model, &all, |_| true, budget)?;
        let mut endless = Bits::with_capacity(states);
        let mut earning = Bits::with_capacity(states);
        for state in 0..states {
            for choice in model.choices_of(StateId::from_index(state)) {
                if earned[choice.index()] == 0.0 {
                    continue;
                }
                earning.insert(state);
                let targets = &model.targets[model.branches_of(choice)];
                let stays = targets
                    .iter()
                    .all(|&to| part_of[state] != u32::MAX && part_of[to.index()] == part_of[state]);
                if stays {
                    endless.insert(state);
                }
            }
        }
        let infinite = self.some_path_until(&all, &endless);
        let mut open = self.some_path_until(&all, &earning);
        open.difference_with(&infinite);
        let groups = self.groups(&open, true, |_| true, budget)?;
        let constant = |choice: usize| {
            let value = earned[choice];
            (value * (1.0 - error), value * (1.0 + error))
        };
        let mut chosen = vec![NOT_CHOSEN; states];
        let every = |_: usize| true;
        let most = f64::INFINITY;
        let (mut lower, mut upper) =
            self.solved(&groups, (constant, every), most, best, &mut chosen, budget)?;
        for state in infinite.ones() {
            (lower[state], upper[state]) = (f64::INFINITY, f64::INFINITY);
        }
        Ok(Values {
            lower,
            upper,
            chosen: Vec::new(),
        })
    }
}
