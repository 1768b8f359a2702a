//! Questions about time in continuous chains, by uniformisation.
//!
//! A continuous chain with rates at most `q` is a discrete chain that jumps a Poisson number of
//! times. The sum over the number of jumps is cut where what is left out is tiny; what was left
//! out and what rounding may have changed is added to the bounds.

use fixedbitset::FixedBitSet;
use quotient_core::{Budget, Stop};
use quotient_markov::{Markov, Rewards};

use crate::steps::indicator;
use crate::{Analysis, Values};

/// What may be left out of a sum over jumps.
const LEFT_OUT: f64 = 1e-12;

impl Analysis<'_> {
    /// The probability of reaching a goal through allowed states at a time between two bounds; no
    /// upper bound if there is none.
    pub fn until_between(
        &self,
        allowed: &FixedBitSet,
        goal: &FixedBitSet,
        from: f64,
        to: Option<f64>,
        budget: &Budget,
    ) -> Result<Values, Stop> {
        let states = self.timed.states();
        // After `from`: an ordinary bounded or unbounded until, where the goal absorbs.
        let after = match to {
            None => {
                let best = crate::Best::Greatest;
                self.until(allowed, goal, best, budget)?
            }
            Some(to) => {
                let mut free = allowed.clone();
                free.grow(states);
                free.difference_with(goal);
                let start = indicator(goal, states);
                self.transient(&free, &start, &start, to - from, budget)?
            }
        };
        if from <= 0.0 {
            return Ok(after);
        }
        // Until `from` only allowed states may be passed.
        let outside = |mut values: Vec<f64>| {
            for (state, value) in values.iter_mut().enumerate() {
                if !allowed.contains(state) {
                    *value = 0.0;
                }
            }
            values
        };
        let (lower, upper) = (outside(after.lower), outside(after.upper));
        self.transient(allowed, &lower, &upper, from, budget)
    }

    /// What the state at a time earns.
    pub fn reward_at(&self, rewards: &Rewards, time: f64, budget: &Budget) -> Result<Values, Stop> {
        let all: FixedBitSet = (0..self.timed.states()).collect();
        let off = rewards.error;
        let lower: Vec<f64> = rewards.states.iter().map(|one| one * (1.0 - off)).collect();
        let upper: Vec<f64> = rewards.states.iter().map(|one| one * (1.0 + off)).collect();
        self.transient(&all, &lower, &upper, time, budget)
    }

    /// What is earned up to a time.
    pub fn reward_by(&self, rewards: &Rewards, time: f64, budget: &Budget) -> Result<Values, Stop> {
        let states = self.timed.states();
        let all: FixedBitSet = (0..states).collect();
        let rates: Vec<f64> = (0..states)
            .map(|state| {
                let of_choice = rewards.choices.get(state).copied().unwrap_or(0.0);
                rewards.states[state] + of_choice
            })
            .collect();
        let uniform = Uniform::new(self.timed, &all);
        if time <= 0.0 {
            return Ok(Values::constant(states, 0.0));
        }
        let jumps = Jumps::new(uniform.rate * time);
        // ∫₀ᵗ E[r(X_s)] ds = 1/q · Σₖ P(N > k) · (Pᵏ r)
        let mut value = vec![0.0; states];
        let mut now = rates;
        let top = now.iter().copied().fold(0.0, f64::max);
        let mut at = 0;
        loop {
            let beyond = jumps.beyond(at);
            for (value, now) in value.iter_mut().zip(&now) {
                *value += beyond * now / uniform.rate;
            }
            at += 1;
            if at > jumps.last {
                break;
            }
            now = uniform.back(&now, budget)?;
        }
        let relative = uniform.error(at) + 2.0 * rewards.error + at as f64 * 6e-16 + 1e-14;
        let off = 2.0 * LEFT_OUT * top * time.max(1.0 / uniform.rate);
        Ok(spread(&value, &value, relative, off, f64::INFINITY))
    }

    /// The expected value after a time, where states that are not free keep theirs.
    fn transient(
        &self,
        free: &FixedBitSet,
        lower: &[f64],
        upper: &[f64],
        time: f64,
        budget: &Budget,
    ) -> Result<Values, Stop> {
        let uniform = Uniform::new(self.timed, free);
        if time <= 0.0 || uniform.rate == 0.0 {
            return Ok(Values {
                lower: lower.to_vec(),
                upper: upper.to_vec(),
                chosen: Vec::new(),
            });
        }
        let jumps = Jumps::new(uniform.rate * time);
        let same = lower == upper;
        let low = uniform.sum(&jumps, lower, budget)?;
        let high = match same {
            true => low.clone(),
            false => uniform.sum(&jumps, upper, budget)?,
        };
        let top = upper.iter().copied().fold(0.0, f64::max);
        // Weights add up to one by construction, each is off by a little for each step from the
        // greatest one.
        let relative = uniform.error(jumps.last) + 1e-14 + jumps.last as f64 * 5e-16;
        let most = if top <= 1.0 { 1.0 } else { f64::INFINITY };
        Ok(spread(&low, &high, relative, 2.0 * LEFT_OUT * top, most))
    }
}

fn spread(low: &[f64], high: &[f64], relative: f64, off: f64, most: f64) -> Values {
    Values {
        lower: low
            .iter()
            .map(|value| (value * (1.0 - relative) - off).max(0.0))
            .collect(),
        upper: high
            .iter()
            .map(|value| (value * (1.0 + relative) + off).min(most))
            .collect(),
        chosen: Vec::new(),
    }
}

/// A chain that jumps at one rate everywhere.
struct Uniform<'m> {
    model: &'m Markov,
    free: &'m FixedBitSet,
    rate: f64,
    longest: usize,
    /// The chance of each state to stay.
    stay: Vec<f64>,
}

impl<'m> Uniform<'m> {
    fn new(model: &'m Markov, free: &'m FixedBitSet) -> Uniform<'m> {
        let mut rate: f64 = 0.0;
        let mut longest = 0;
        for state in free.ones() {
            for choice in model.choices_of(state) {
                rate = rate.max(model.sum(choice));
                longest = longest.max(model.branches_of(choice).len());
            }
        }
        let rate = rate * 1.02;
        let leaving = |state: usize| {
            let branches = model.branches_from(state);
            let others = branches.filter(|&branch| model.targets[branch] as usize != state);
            others.map(|branch| model.weights[branch]).sum::<f64>()
        };
        let stay = (0..model.states()).map(|state| match free.contains(state) {
            true => (rate - leaving(state)) / rate,
            false => 1.0,
        });
        Uniform {
            model,
            free,
            rate,
            longest,
            stay: stay.collect(),
        }
    }

    /// One jump backwards.
    fn back(&self, values: &[f64], budget: &Budget) -> Result<Vec<f64>, Stop> {
        let model = self.model;
        budget.charge(model.branches() as u64 / 64 + 1)?;
        let mut next = Vec::with_capacity(values.len());
        for (state, &here) in values.iter().enumerate() {
            if !self.free.contains(state) {
                next.push(here);
                continue;
            }
            let branches = model.branches_from(state);
            let terms = model.targets[branches.clone()]
                .iter()
                .zip(&model.weights[branches]);
            let sum = terms.fold(0.0, |sum, (&target, weight)| {
                match target as usize == state {
                    true => sum,
                    false => sum + weight * values[target as usize],
                }
            });
            next.push(sum / self.rate + self.stay[state] * here);
        }
        Ok(next)
    }

    /// By how much so many jumps may be off, relative to the result: all terms are positive.
    fn error(&self, jumps: usize) -> f64 {
        let once = 1.2e-16 * (self.longest as f64 + 6.0) + 60.0 * self.model.error;
        jumps as f64 * once
    }

    /// The sum over all numbers of jumps.
    fn sum(&self, jumps: &Jumps, start: &[f64], budget: &Budget) -> Result<Vec<f64>, Stop> {
        let mut value = vec![0.0; start.len()];
        let mut now = start.to_vec();
        for at in 0..=jumps.last {
            let weight = jumps.weight(at);
            if weight > 0.0 {
                for (value, now) in value.iter_mut().zip(&now) {
                    *value += weight * now;
                }
            }
            if at == jumps.last {
                break;
            }
            let next = self.back(&now, budget)?;
            if next == now {
                // Nothing changes any more: all later jumps give the same.
                let rest: f64 = (at + 1..=jumps.last).map(|later| jumps.weight(later)).sum();
                for (value, now) in value.iter_mut().zip(&now) {
                    *value += rest * now;
                }
                break;
            }
            now = next;
        }
        Ok(value)
    }
}

/// Poisson probabilities around the most likely number, by recurrence (Fox, Glynn 1988).
struct Jumps {
    first: usize,
    last: usize,
    weights: Vec<f64>,
    /// Sums of all weights from each one on.
    tails: Vec<f64>,
}

impl Jumps {
    fn new(mean: f64) -> Jumps {
        let mode = mean.floor();
        let mut up = vec![1.0f64];
        let mut at = mode;
        // Terms far smaller than what may be left out are not needed; the tail beyond them is
        // smaller than a geometric series.
        while up.last().is_some_and(|&last| last > 1e-22) || at < mode + 10.0 {
            at += 1.0;
            let next = up.last().copied().unwrap_or(0.0) * mean / at;
            up.push(next);
        }
        let mut down = Vec::new();
        let (mut at, mut weight) = (mode, 1.0);
        while at > 0.0 && weight > 1e-22 {
            weight *= at / mean;
            at -= 1.0;
            down.push(weight);
        }
        let first = at as usize;
        down.reverse();
        let mut weights = down;
        weights.extend(up);
        // The small ones first.
        let mut sorted = weights.clone();
        sorted.sort_by(f64::total_cmp);
        let total: f64 = sorted.iter().sum();
        for weight in &mut weights {
            *weight /= total;
        }
        let mut tails = weights.clone();
        for at in (0..tails.len() - 1).rev() {
            tails[at] += tails[at + 1];
        }
        Jumps {
            first,
            last: first + weights.len() - 1,
            weights,
            tails,
        }
    }

    /// The probability of more than so many jumps.
    fn beyond(&self, number: usize) -> f64 {
        match (number + 1).checked_sub(self.first) {
            None => 1.0,
            Some(at) => self.tails.get(at).copied().unwrap_or(0.0).min(1.0),
        }
    }

    fn weight(&self, number: usize) -> f64 {
        number
            .checked_sub(self.first)
            .and_then(|at| self.weights.get(at))
            .copied()
            .unwrap_or(0.0)
    }
}
