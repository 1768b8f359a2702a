//! Sums of weighted vectors `Aᵏ x`, where neither `A` nor `x` is negative.
//!
//! That is what questions about time in continuous chains come down to (`time`). Such a sum may
//! have millions of terms, but often only the first ones matter: as soon as one more step
//! multiplies the vector by nearly the same factor everywhere, `α·w ≤ A·w ≤ β·w`, all later
//! vectors are known, too, since `A` is monotone: `αʲ·w ≤ Aʲ·w ≤ βʲ·w`. So the rest of the sum
//! lies between two multiples of the present vector. The factor need not be one: the chance of
//! reaching something rare falls by a constant factor from jump to jump.

use quotient_bits::Bits;
use quotient_core::{Budget, Stop};
use quotient_markov::{Markov, StateId};

/// Weights of vectors: one before the first of a list, those of the list, and none behind it.
pub(crate) struct Coefficients<'j> {
    before: f64,
    first: usize,
    list: &'j [f64],
    factor: f64,
}

impl<'j> Coefficients<'j> {
    /// The chances of so many jumps.
    pub(crate) fn weights(jumps: &'j Jumps) -> Coefficients<'j> {
        Coefficients {
            before: 0.0,
            first: jumps.first,
            list: &jumps.weights,
            factor: 1.0,
        }
    }

    /// The chances of more jumps than so many, times a factor.
    pub(crate) fn tails(jumps: &'j Jumps, factor: f64) -> Coefficients<'j> {
        Coefficients {
            before: factor,
            first: jumps.first,
            list: &jumps.tails[1..],
            factor,
        }
    }

    fn last(&self) -> usize {
        (self.first + self.list.len()).saturating_sub(1)
    }

    #[inline]
    fn at(&self, number: usize) -> f64 {
        match number.checked_sub(self.first) {
            None => self.before,
            Some(place) => self
                .list
                .get(place)
                .map_or(0.0, |one| one.min(1.0) * self.factor),
        }
    }

    /// The sum of all behind one, each times a power of two factors; rounded outwards.
    fn behind(&self, number: usize, (less, more): (f64, f64)) -> (f64, f64) {
        let (mut low, mut high) = (0.0, 0.0);
        let (mut small, mut great) = (1.0, 1.0);
        let mut steps = 0.0;
        for at in number + 1..=self.last() {
            small *= less;
            great *= more;
            steps += 1.0;
            if great < 1e-250 {
                // Factors below one: all that follows is less than this times what is left.
                high += great * (self.last() - at + 1) as f64 * self.factor;
                break;
            }
            let weight = self.at(at);
            low += weight * small;
            high += weight * great;
        }
        let off = (steps + 4.0) * 4e-16;
        (low * (1.0 - off), high * (1.0 + off))
    }
}

/// A sum between bounds, and how many vectors were computed for it.
pub(crate) struct Sum {
    pub(crate) lower: Vec<f64>,
    pub(crate) upper: Vec<f64>,
    pub(crate) steps: usize,
}

/// A chain that jumps at one rate everywhere, as long as it stays among some states.
pub(crate) struct Uniform {
    pub(crate) rate: f64,
    /// The first term of each state, and the number of terms at the end.
    first: Vec<u32>,
    targets: Vec<u32>,
    /// The chances of jumps to other states.
    weights: Vec<f64>,
    /// The chance of each state to stay.
    stay: Vec<f64>,
    /// By how much one jump may be off, relative to the result.
    once: f64,
}

impl Uniform {
    pub(crate) fn new(model: &Markov, free: &Bits) -> Uniform {
        let mut rate: f64 = 0.0;
        let mut longest = 0;
        for state in free.ones() {
            for choice in model.choices_of(StateId::from_index(state)) {
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
        };
        let mut least: f64 = 1.0;
        for state in 0..model.states() {
            let mut leaving = 0.0;
            if free.contains(state) {
                for branch in model.branches_from(StateId::from_index(state)) {
                    let (target, weight) = (model.targets[branch], model.weights[branch]);
                    if target.index() == state {
                        continue;
                    }
                    leaving += weight;
                    if free.contains(target.index()) {
                        uniform.targets.push(target.number());
                        uniform.weights.push(weight / rate);
                    }
                }
            }
            let stay = match free.contains(state) {
                true if leaving > 0.0 => (rate - leaving) / rate,
                true => 1.0,
                false => 0.0,
            };
            if free.contains(state) {
                least = least.min(stay);
            }
            uniform.stay.push(stay);
            uniform.first.push(uniform.targets.len() as u32);
        }
        // Terms are positive: a sum is off by no more than its worst term, and by rounding. The
        // chance to stay is a difference, which makes the error of what is subtracted greater.
        let terms = longest as f64;
        let stays = (1.2e-16 * (terms + 3.0) + 1.01 * model.error) / least;
        uniform.once = 1.2e-16 * (terms + 5.0) + 1.01 * model.error + stays;
        uniform
    }

    /// What one jump out of the free states is worth.
    pub(crate) fn leaving(&self, model: &Markov, free: &Bits, values: &[f64]) -> Vec<f64> {
        let mut worth = vec![0.0; values.len()];
        for state in free.ones() {
            for branch in model.branches_from(StateId::from_index(state)) {
                let target = model.targets[branch].index();
                if !free.contains(target) {
                    worth[state] += model.weights[branch] / self.rate * values[target];
                }
            }
        }
        worth
    }

    /// The sum of weighted vectors `Aᵏ x`. How near its bounds are is a question of `width`; what
    /// rounding of the vectors may have changed is for the caller to add.
    pub(crate) fn series(
        &self,
        start: &[f64],
        weights: &Coefficients<'_>,
        width: f64,
        budget: &Budget,
    ) -> Result<Sum, Stop> {
        let mut value = vec![0.0; start.len()];
        let mut now = start.to_vec();
        let mut next = now.clone();
        let last = weights.last();
        let mut look = 16;
        for at in 0..last {
            budget.charge(self.targets.len() as u64 / 64 + 1)?;
            self.back(&now, &mut next, &mut value, weights.at(at));
            if at >= look {
                look = at + (at / 8).max(8);
                // The present vector is in the sum already.
                if let Some((low, high)) = self.rest(&now, &next, &value, weights, at, width) {
                    let behind = |by: f64| {
                        let sums = value.iter().zip(&now);
                        sums.map(|(value, now)| value + now * by).collect()
                    };
                    return Ok(Sum {
                        lower: behind(low),
                        upper: behind(high),
                        steps: at,
                    });
                }
            }
            std::mem::swap(&mut now, &mut next);
        }
        let here = weights.at(last);
        for (value, now) in value.iter_mut().zip(&now) {
            *value += here * now;
        }
        Ok(Sum {
            lower: value.clone(),
            upper: value,
            steps: last,
        })
    }

    /// By which multiples of the present vector the rest of the sum is bounded, if they are near
    /// each other.
    fn rest(
        &self,
        now: &[f64],
        next: &[f64],
        value: &[f64],
        weights: &Coefficients<'_>,
        at: usize,
        width: f64,
    ) -> Option<(f64, f64)> {
        let (mut less, mut more): (f64, f64) = (f64::INFINITY, 0.0);
        let mut top: f64 = 0.0;
        for ((&now, &next), &value) in now.iter().zip(next).zip(value) {
            if now == 0.0 && next == 0.0 {
                continue;
            }
            // So small a number may have lost its digits.
            if now < 1e-200 || next < 1e-200 {
                return None;
            }
            let ratio = next / now;
            (less, more) = (less.min(ratio), more.max(ratio));
            top = top.max(value);
        }
        if more == 0.0 {
            return Some((0.0, 0.0));
        }
        let off = self.once + 4e-16;
        let factors = (less * (1.0 - off), more * (1.0 + off));
        let left = (weights.last() - at) as f64;
        let matter = match factors.1 < 1.0 {
            true => left.min(1.0 / (1.0 - factors.1)),
            false => left,
        };
        let enough = (0.02 * width).max(4.0 * off * matter);
        if (factors.1 - factors.0) * matter > 1e3 * enough {
            return None;
        }
        let (low, high) = weights.behind(at, factors);
        let near = now.iter().zip(value).all(|(&now, &value)| {
            let whole = (value + now * low).max(1e-9 * top);
            now * (high - low) <= enough * whole
        });
        (near && high.is_finite()).then_some((low, high))
    }

    /// One jump backwards, and the vector before it added to a sum.
    fn back(&self, now: &[f64], next: &mut [f64], sum: &mut [f64], weight: f64) {
        for (state, (next, sum)) in next.iter_mut().zip(sum).enumerate() {
            let range = self.first[state] as usize..self.first[state + 1] as usize;
            let here = now[state];
            *sum += weight * here;
            let terms = self.targets[range.clone()].iter().zip(&self.weights[range]);
            *next = terms.fold(self.stay[state] * here, |sum, (&target, weight)| {
                sum + weight * now[target as usize]
            });
        }
    }

    /// By how much so many jumps may be off, relative to the result: all terms are positive.
    pub(crate) fn error(&self, jumps: usize) -> f64 {
        (jumps + 1) as f64 * self.once
    }
}

/// Poisson probabilities around the most likely number, by recurrence (Fox, Glynn 1988).
pub(crate) struct Jumps {
    pub(crate) first: usize,
    pub(crate) weights: Vec<f64>,
    /// Sums of all weights from each one on.
    pub(crate) tails: Vec<f64>,
    /// No more than this is left out.
    pub(crate) left_out: f64,
}

impl Jumps {
    /// For a mean; weights below a share of the greatest one are left out.
    pub(crate) fn new(mean: f64, negligible: f64) -> Jumps {
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
            weights,
            tails,
            left_out: 1.01 * (above + below) / total + 1e-300,
        }
    }

    /// By how much a weight may be off, relative to it: a little for each step from the greatest
    /// one, and what was left out of their sum.
    pub(crate) fn error(&self) -> f64 {
        self.weights.len() as f64 * 6e-16 + self.left_out + 1e-14
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use quotient_markov::{Builder, Kind};

    /// The whole sum, term by term.
    fn whole(uniform: &Uniform, start: &[f64], weights: &Coefficients<'_>) -> Vec<f64> {
        let mut sum = vec![0.0; start.len()];
        let (mut now, mut next) = (start.to_vec(), start.to_vec());
        for at in 0..=weights.last() {
            uniform.back(&now, &mut next, &mut sum, weights.at(at));
            std::mem::swap(&mut now, &mut next);
        }
        sum
    }

    proptest! {
        #[test]
        fn sums_that_are_cut_short_contain_the_whole(
            rates in prop::collection::vec(prop::collection::vec(0u8..4, 6), 6),
            start in prop::collection::vec(0u8..4, 6),
            free in prop::collection::vec(prop::bool::weighted(0.8), 6),
            time in 1u32..300,
        ) {
            let mut builder = Builder::new(Kind::Ctmc);
            for row in &rates {
                builder.choice(0);
                builder.branch(0, 0.01);
                for (to, &rate) in row.iter().enumerate().filter(|(_, rate)| **rate > 0) {
                    builder.branch(to as u32, f64::from(rate));
                }
                builder.end_state();
            }
            let model = builder.finish(vec![0]);
            let mut set = Bits::with_capacity(6);
            free.iter().enumerate().for_each(|(state, &free)| set.set(state, free));
            let uniform = Uniform::new(&model, &set);
            prop_assume!(uniform.rate > 0.0);
            let start: Vec<f64> = (0..6)
                .map(|state| if free[state] { f64::from(start[state]) } else { 0.0 })
                .collect();
            let jumps = Jumps::new(uniform.rate * f64::from(time), 1e-24);
            for weights in [Coefficients::weights(&jumps), Coefficients::tails(&jumps, 1.0)] {
                let budget = Budget::unlimited();
                let sum = uniform.series(&start, &weights, 1e-7, &budget).expect("no limit");
                let whole = whole(&uniform, &start, &weights);
                let top = sum.upper.iter().copied().fold(0.0, f64::max);
                let off = 1e-12 + uniform.error(weights.last());
                // Numbers that small have few digits; callers add far more for what they leave out.
                let tiny = 1e-290;
                for ((low, high), whole) in sum.lower.iter().zip(&sum.upper).zip(whole) {
                    prop_assert!(*low <= whole * (1.0 + off) + tiny, "{low} {whole}");
                    prop_assert!(*high >= whole * (1.0 - off) - tiny, "{high} {whole}");
                    let wide = high - low;
                    prop_assert!(wide <= 1e-7 * high.max(1e-8 * top) + tiny, "{wide}");
                }
            }
        }
    }

    #[test]
    fn what_falls_by_a_constant_factor_takes_few_steps() {
        // To and fro, and rarely away.
        let mut builder = Builder::new(Kind::Ctmc);
        for other in [1, 0] {
            builder.choice(0);
            builder.branch(other, 1.0);
            builder.branch(2, 1e-6);
            builder.end_state();
        }
        builder.end_state();
        let model = builder.finish(vec![0]);
        let free: Bits = [0, 1].into_iter().collect();
        let uniform = Uniform::new(&model, &free);
        let jumps = Jumps::new(uniform.rate * 1e6, 1e-24);
        let start = uniform.leaving(&model, &free, &[0.0, 0.0, 1.0]);
        let tails = Coefficients::tails(&jumps, 1.0);
        let budget = Budget::unlimited();
        let sum = uniform
            .series(&start, &tails, 1e-7, &budget)
            .expect("no limit");
        assert!(sum.steps < 100, "{}", sum.steps);
        let exact = 1.0 - (-1.0f64).exp();
        assert!(sum.lower[0] <= exact * (1.0 + 1e-8) && exact * (1.0 - 1e-8) <= sum.upper[0]);
    }
}
