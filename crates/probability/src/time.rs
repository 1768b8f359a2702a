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
        let top = rates.iter().copied().fold(0.0, f64::max);
        if uniform.rate == 0.0 {
            let earned: Vec<f64> = rates.iter().map(|one| one * time).collect();
            let relative = 2.0 * rewards.error + 1e-15;
            return Ok(spread(&earned, &earned, relative, 0.0, f64::INFINITY));
        }
        let jumps = Jumps::new(uniform.rate * time, self.negligible());
        // ∫₀ᵗ E[r(X_s)] ds = 1/q · Σₖ P(N > k) · (Pᵏ r)
        let weight = |at: usize| jumps.beyond(at) / uniform.rate;
        let (value, done, drift) = self.summed(&uniform, &jumps, &rates, weight, budget)?;
        let relative = uniform.error(done) + 2.0 * rewards.error + jumps.error();
        // What is left out beyond the last jump, each of which takes 1/q of the time.
        let off = 4.0 * jumps.left_out * top * (time + 1.0 / uniform.rate) + drift;
        Ok(spread(&value, &value, relative, off, f64::INFINITY))
    }

    /// Poisson weights below this share of the greatest one are left out: fewer, if bounds that
    /// are asked for are narrower.
    fn negligible(&self) -> f64 {
        match self.precision.width {
            width if width >= 1e-8 => 1e-24,
            width if width >= 1e-11 => 1e-50,
            _ => 1e-120,
        }
    }

    /// The sum of weighted vectors `Pᵏ x`, how many steps were done, and what may be missing.
    ///
    /// No step changes a vector by more than the step before did (a row of a chain adds up to
    /// one). So when changes are tiny, all later vectors are near the present one.
    fn summed(
        &self,
        uniform: &Uniform,
        jumps: &Jumps,
        start: &[f64],
        weight: impl Fn(usize) -> f64,
        budget: &Budget,
    ) -> Result<(Vec<f64>, usize, f64), Stop> {
        let mut value = vec![0.0; start.len()];
        let mut now = start.to_vec();
        let mut next = now.clone();
        let top = start.iter().copied().fold(0.0, f64::max);
        let enough = self.precision.width * 0.01 * top;
        for at in 0..=jumps.last {
            let here = weight(at);
            if here > 0.0 {
                for (value, now) in value.iter_mut().zip(&now) {
                    *value += here * now;
                }
            }
            if at == jumps.last {
                break;
            }
            budget.charge(uniform.targets.len() as u64 / 64 + 1)?;
            let change = uniform.back(&now, &mut next);
            std::mem::swap(&mut now, &mut next);
            // Rounding may have hidden a change.
            let missing = (change + uniform.noise * top) * (jumps.last - at) as f64;
            if missing <= enough {
                let rest: f64 = (at + 1..=jumps.last).map(&weight).sum();
                for (value, now) in value.iter_mut().zip(&now) {
                    *value += rest * now;
                }
                return Ok((value, at + 1, 1.01 * rest * missing));
            }
        }
        Ok((value, jumps.last, 0.0))
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
        let jumps = Jumps::new(uniform.rate * time, self.negligible());
        let weight = |at: usize| jumps.weight(at);
        let (low, done, drift) = self.summed(&uniform, &jumps, lower, weight, budget)?;
        let (high, done, drift) = match lower == upper {
            true => (low.clone(), done, drift),
            false => {
                let (high, more, other) = self.summed(&uniform, &jumps, upper, weight, budget)?;
                (high, done.max(more), drift.max(other))
            }
        };
        let top = upper.iter().copied().fold(0.0, f64::max);
        // Weights add up to one by construction, each is off by a little for each step from the
        // greatest one.
        let relative = uniform.error(done) + jumps.error();
        let most = if top <= 1.0 { 1.0 } else { f64::INFINITY };
        let off = 2.0 * jumps.left_out * top + drift;
        Ok(spread(&low, &high, relative, off, most))
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
struct Uniform {
    rate: f64,
    /// The first term of each state, and the number of terms at the end.
    first: Vec<u32>,
    targets: Vec<u32>,
    /// The chances of jumps to other states.
    weights: Vec<f64>,
    /// The chance of each state to stay.
    stay: Vec<f64>,
    /// By how much one jump may be off, relative to the result.
    once: f64,
    /// The same relative to the greatest number.
    noise: f64,
}

impl Uniform {
    fn new(model: &Markov, free: &FixedBitSet) -> Uniform {
        let mut rate: f64 = 0.0;
        let mut longest = 0;
        for state in free.ones() {
            for choice in model.choices_of(state) {
                rate = rate.max(model.sum(choice));
                longest = longest.max(model.branches_of(choice).len());
            }
        }
        let rate = rate * 1.05;
        let mut uniform = Uniform {
            rate,
            first: vec![0],
            targets: Vec::new(),
            weights: Vec::new(),
            stay: Vec::with_capacity(model.states()),
            once: 0.0,
            noise: 0.0,
        };
        let mut least: f64 = 1.0;
        for state in 0..model.states() {
            let mut leaving = 0.0;
            if free.contains(state) {
                for branch in model.branches_from(state) {
                    let (target, weight) = (model.targets[branch], model.weights[branch]);
                    if target as usize != state {
                        leaving += weight;
                        uniform.targets.push(target);
                        uniform.weights.push(weight / rate);
                    }
                }
            }
            let stay = if leaving > 0.0 {
                (rate - leaving) / rate
            } else {
                1.0
            };
            least = least.min(stay);
            uniform.stay.push(stay);
            uniform.first.push(uniform.targets.len() as u32);
        }
        // Terms are positive: a sum is off by no more than its worst term, and by rounding. The
        // chance to stay is a difference, which makes the error of what is subtracted greater.
        let terms = longest as f64;
        let stays = (1.2e-16 * (terms + 3.0) + 1.01 * model.error) / least;
        uniform.noise = 1.2e-16 * (2.0 * terms + 8.0) + 2.02 * model.error;
        uniform.once = 1.2e-16 * (terms + 5.0) + 1.01 * model.error + stays;
        uniform
    }

    /// One jump backwards, and by how much it changed a number at most.
    fn back(&self, now: &[f64], next: &mut [f64]) -> f64 {
        let mut change: f64 = 0.0;
        for (state, next) in next.iter_mut().enumerate() {
            let range = self.first[state] as usize..self.first[state + 1] as usize;
            let here = now[state];
            if range.is_empty() {
                *next = here;
                continue;
            }
            let terms = self.targets[range.clone()].iter().zip(&self.weights[range]);
            let sum = terms.fold(self.stay[state] * here, |sum, (&target, weight)| {
                sum + weight * now[target as usize]
            });
            change = change.max((sum - here).abs());
            *next = sum;
        }
        change
    }

    /// By how much so many jumps may be off, relative to the result: all terms are positive.
    fn error(&self, jumps: usize) -> f64 {
        jumps as f64 * self.once
    }
}

/// Poisson probabilities around the most likely number, by recurrence (Fox, Glynn 1988).
struct Jumps {
    first: usize,
    last: usize,
    weights: Vec<f64>,
    /// Sums of all weights from each one on.
    tails: Vec<f64>,
    /// No more than this is left out.
    left_out: f64,
}

impl Jumps {
    /// For a mean; weights below a share of the greatest one are left out.
    fn new(mean: f64, negligible: f64) -> Jumps {
        let mode = mean.floor();
        let mut up = vec![1.0f64];
        let mut at = mode;
        // Terms far smaller than what may be left out are not needed; the tail beyond them is
        // smaller than a geometric series.
        while up.last().is_some_and(|&last| last > negligible) || at < mode + 10.0 {
            at += 1.0;
            let next = up.last().copied().unwrap_or(0.0) * mean / at;
            up.push(next);
        }
        let mut down = Vec::new();
        let (mut at, mut weight) = (mode, 1.0);
        while at > 0.0 && weight > negligible {
            weight *= at / mean;
            at -= 1.0;
            down.push(weight);
        }
        let first = at as usize;
        down.reverse();
        let mut weights = down;
        weights.extend(up);
        // Beyond both ends weights fall at least as fast as a geometric series.
        let (last, end) = (
            first + weights.len(),
            weights.last().copied().unwrap_or(0.0),
        );
        let above = end * mean / (last as f64 - mean).max(1.0);
        let begin = weights.first().copied().unwrap_or(0.0);
        let below = begin * first as f64 / (mean - first as f64).max(1.0);
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
            left_out: 1.01 * (above + below) / total + 1e-300,
        }
    }

    /// By how much a weight may be off, relative to it: a little for each step from the greatest
    /// one, and what was left out of their sum.
    fn error(&self) -> f64 {
        self.weights.len() as f64 * 6e-16 + self.left_out + 1e-14
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
