//! Questions about time in continuous chains, by uniformisation.
//!
//! A continuous chain with rates at most `q` is a discrete chain that jumps a Poisson number of
//! times. Every question becomes a sum of weighted vectors `Aᵏ x`, where `A` and `x` are not
//! negative (`series`); what is left out of the sum and what rounding may have changed is added
//! to the bounds.

use quotient_bits::Bits;
use quotient_core::{Budget, Stop};
use quotient_markov::{ChoiceId, Rewards};

use crate::bisimulation::Looks;
use crate::graph::can_reach;
use crate::series::{Coefficients, Jumps, Uniform};
use crate::steps::indicator;
use crate::{Analysis, Values};

impl Analysis<'_> {
    /// The probability of reaching a goal through allowed states at a time between two bounds; no
    /// upper bound if there is none.
    pub fn until_between(
        &self,
        allowed: &Bits,
        goal: &Bits,
        from: f64,
        to: Option<f64>,
        budget: &Budget,
    ) -> Result<Values, Stop> {
        let states = self.timed.states();
        let mut ends = allowed.clone();
        ends.grow(states);
        ends.toggle_range(..);
        if from <= 0.0 {
            ends.union_with(goal);
        }
        let looks = Looks {
            sets: &[allowed, goal],
            rewards: None,
            ends: Some(&ends),
        };
        let branches = self.jumps_within(to.unwrap_or(from));
        let small = self.smaller(looks, branches, budget, |inner, small| {
            let (allowed, goal) = (small.set(allowed), small.set(goal));
            inner.until_between(&allowed, &goal, from, to, budget)
        })?;
        if let Some(small) = small {
            return Ok(small);
        }
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
            return Ok(self.without_rounding(after, allowed, goal, to));
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

    /// Chances by a time, with no doubt where a run is in the goal from the beginning, and where there
    /// is no way to it: in no time none, else none in the graph.
    fn without_rounding(
        &self,
        mut found: Values,
        allowed: &Bits,
        goal: &Bits,
        to: Option<f64>,
    ) -> Values {
        let leads = match to {
            Some(to) if to <= 0.0 => goal.clone(),
            _ => can_reach(self.reverse(), allowed, goal),
        };
        for state in 0..self.timed.states() {
            let sure = match (goal.contains(state), leads.contains(state)) {
                (true, _) => 1.0,
                (false, false) => 0.0,
                _ => continue,
            };
            (found.lower[state], found.upper[state]) = (sure, sure);
        }
        found
    }

    /// What the state at a time earns.
    pub fn reward_at(&self, rewards: &Rewards, time: f64, budget: &Budget) -> Result<Values, Stop> {
        // Only where one is matters, not what leads there.
        let kept = Rewards {
            choices: Vec::new(),
            ..rewards.clone()
        };
        let looks = Looks {
            rewards: Some(&kept),
            ..Looks::default()
        };
        let branches = self.jumps_within(time);
        let small = self.smaller(looks, branches, budget, |inner, small| {
            inner.reward_at(&small.rewards, time, budget)
        })?;
        if let Some(small) = small {
            return Ok(small);
        }
        let all: Bits = (0..self.timed.states()).collect();
        let off = rewards.error;
        let lower: Vec<f64> = rewards.states.iter().map(|one| one * (1.0 - off)).collect();
        let upper: Vec<f64> = rewards.states.iter().map(|one| one * (1.0 + off)).collect();
        self.transient(&all, &lower, &upper, time, budget)
    }

    /// What is earned up to a time.
    pub fn reward_by(&self, rewards: &Rewards, time: f64, budget: &Budget) -> Result<Values, Stop> {
        let looks = Looks {
            rewards: Some(rewards),
            ..Looks::default()
        };
        let branches = self.jumps_within(time);
        let small = self.smaller(looks, branches, budget, |inner, small| {
            inner.reward_by(&small.rewards, time, budget)
        })?;
        if let Some(small) = small {
            return Ok(small);
        }
        let states = self.timed.states();
        let all: Bits = (0..states).collect();
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
        let weights = Coefficients::tails(&jumps, 1.0 / uniform.rate);
        let sum = uniform.series(&rates, &weights, self.precision.width, budget)?;
        let relative = uniform.error(sum.steps) + 2.0 * rewards.error + jumps.error();
        // What is left out beyond the last jump, each of which takes 1/q of the time.
        let off = 4.0 * jumps.left_out * top * (time + 1.0 / uniform.rate);
        Ok(spread(&sum.lower, &sum.upper, relative, off, f64::INFINITY))
    }

    /// How many branches all jumps within a time look at, roughly.
    fn jumps_within(&self, time: f64) -> f64 {
        let sums =
            (0..self.timed.choices()).map(|choice| self.timed.sum(ChoiceId::from_index(choice)));
        sums.fold(0.0, f64::max) * time * self.timed.branches() as f64
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

    /// The expected value after a time, where states that are not free keep theirs.
    fn transient(
        &self,
        free: &Bits,
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
        let low = self.after(&uniform, free, lower, time, budget)?;
        if lower == upper {
            return Ok(low);
        }
        // Bounds that are nearly the same need not be followed twice: sums are linear, and rows
        // add up to no more than one.
        let (mut share, mut rest): (f64, f64) = (0.0, 0.0);
        for (&from, &to) in lower.iter().zip(upper) {
            match from > 1e-9 * to {
                true => share = share.max((to - from) / from),
                false => rest = rest.max(to),
            }
        }
        let top = upper.iter().copied().fold(0.0, f64::max);
        if share <= self.precision.width * 0.01 && rest <= 1e-30 * top {
            let most = if top <= 1.0 { 1.0 } else { f64::INFINITY };
            let upper = spread(&low.upper, &low.upper, 1.01 * share, 1.01 * rest, most).upper;
            return Ok(Values { upper, ..low });
        }
        let high = self.after(&uniform, free, upper, time, budget)?;
        Ok(Values {
            upper: high.upper,
            ..low
        })
    }

    /// The same for values that are known. Each run is either still among the free states, or
    /// left them for good after so many jumps: two sums.
    fn after(
        &self,
        uniform: &Uniform,
        free: &Bits,
        values: &[f64],
        time: f64,
        budget: &Budget,
    ) -> Result<Values, Stop> {
        let jumps = Jumps::new(uniform.rate * time, self.negligible());
        let width = self.precision.width;
        let mut found = Values {
            lower: values.to_vec(),
            upper: values.to_vec(),
            chosen: Vec::new(),
        };
        let mut inside = values.to_vec();
        for (state, value) in inside.iter_mut().enumerate() {
            if !free.contains(state) {
                *value = 0.0;
            }
        }
        for state in free.ones() {
            (found.lower[state], found.upper[state]) = (0.0, 0.0);
        }
        let parts = [
            (inside, Coefficients::weights(&jumps)),
            (
                uniform.leaving(self.timed, free, values),
                Coefficients::tails(&jumps, 1.0),
            ),
        ];
        let mut steps = 0;
        for (start, weights) in parts {
            if start.iter().all(|&one| one == 0.0) {
                continue;
            }
            let sum = uniform.series(&start, &weights, width, budget)?;
            steps = steps.max(sum.steps);
            for state in free.ones() {
                found.lower[state] += sum.lower[state];
                found.upper[state] += sum.upper[state];
            }
        }
        let top = values.iter().copied().fold(0.0, f64::max);
        // Weights add up to one by construction, each is off by a little for each step from the
        // greatest one.
        let relative = uniform.error(steps + 1) + jumps.error();
        let most = if top <= 1.0 { 1.0 } else { f64::INFINITY };
        let off = 2.0 * jumps.left_out * top;
        let mut spread = spread(&found.lower, &found.upper, relative, off, most);
        for (state, &value) in values.iter().enumerate() {
            if !free.contains(state) {
                (spread.lower[state], spread.upper[state]) = (value, value);
            }
        }
        Ok(spread)
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
