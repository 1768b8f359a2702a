//! What is earned up to a time, or what states are worth at one, in Markov automata.
//!
//! A state that earns something per unit of time earns as much as if it were paid at each tick of the
//! clock: ticks come at the same rate whatever was chosen. So what is paid depends on the number of
//! ticks and on the states at them, and lies between what choices attain that count ticks and that
//! know how many there will be, as chances do.

use quotient_bits::Bits;
use quotient_core::{Budget, Stop};
use quotient_markov::{Rewards, StateId};

use super::{MOST_WORK, Ticking, ticks};
use crate::analysis::rounding;
use crate::series::Jumps;
use crate::{Analysis, Best, Values};

/// What is paid.
enum Pay {
    /// By each choice, while its state lasts and when it is left.
    Earned(Vec<f64>),
    /// By each state, after the last tick.
    Worth(Vec<f64>),
}

impl Pay {
    fn earned(&self, choice: usize) -> f64 {
        match self {
            Pay::Earned(earned) => earned[choice],
            Pay::Worth(_) => 0.0,
        }
    }

    fn worth(&self, state: usize) -> f64 {
        match self {
            Pay::Earned(_) => 0.0,
            Pay::Worth(worth) => worth[state],
        }
    }
}

impl Analysis<'_> {
    /// What is earned up to a time in a Markov automaton, at most or at least.
    pub fn earned_by(
        &self,
        rewards: &Rewards,
        time: f64,
        best: Best,
        budget: &Budget,
    ) -> Result<Values, Stop> {
        let (earned, error) = self.per_choice(rewards);
        self.paid_by(&Pay::Earned(earned), error, time, best, budget)
    }

    /// What the state at a time is worth in a Markov automaton, per unit of time.
    pub fn worth_at(
        &self,
        rewards: &Rewards,
        time: f64,
        best: Best,
        budget: &Budget,
    ) -> Result<Values, Stop> {
        // Rewards of states are for as long as these last.
        let worth = rewards.states.iter().zip(&self.timed.exits);
        let worth = worth.map(|(earned, exit)| earned * exit).collect();
        let error = 2.0 * rewards.error + 2.0 * self.timed.error + rounding(4);
        self.paid_by(&Pay::Worth(worth), error, time, best, budget)
    }

    fn paid_by(
        &self,
        pay: &Pay,
        error: f64,
        time: f64,
        best: Best,
        budget: &Budget,
    ) -> Result<Values, Stop> {
        let model = self.timed;
        let states = model.states();
        let mut all = Bits::with_capacity(states);
        all.insert_range(..);
        let how = (best, self.precision.width);
        let ticking = Ticking::new(model, &all, &|_| true, how)?;
        let mut found = Values {
            lower: vec![0.0; states],
            upper: vec![f64::INFINITY; states],
            chosen: Vec::new(),
        };
        let mut rate = if ticking.fastest > 0.0 {
            ticking.fastest * 1.05
        } else {
            1.0
        };
        loop {
            let mean = rate * time;
            let jumps = ticks(mean);
            let knowing = ticking.paid_knowing(pay, rate, &jumps, error, budget)?;
            let counting = match ticking.several {
                true => ticking.paid_counting(pay, rate, &jumps, error, budget)?,
                false => knowing.clone(),
            };
            let (below, above) = match best {
                Best::Greatest => (counting.0, knowing.1),
                Best::Least => (knowing.0, counting.1),
            };
            for state in 0..states {
                found.lower[state] = found.lower[state].max(below[state]);
                found.upper[state] = found.upper[state].min(above[state]);
            }
            let wide = |state: &StateId| {
                let state = state.index();
                let (low, high) = (found.lower[state], found.upper[state]);
                high - low > self.precision.width * high
            };
            let enough = !model.initial.iter().any(wide);
            let work = 2.0 * (2.0 * mean + 50.0) * model.branches() as f64;
            if enough || mean == 0.0 || !ticking.several || work > MOST_WORK {
                return Ok(found);
            }
            rate *= 2.0;
        }
    }
}

impl Ticking<'_> {
    /// What a state earns by a tick, on average.
    fn by_tick(&self, pay: &Pay, state: usize, rate: f64) -> f64 {
        pay.earned(self.model.rows[state] as usize) * self.model.exits[state] / rate
    }

    /// The most that a tick and all choices after it earn, and what a state is worth at most.
    fn tops(&self, pay: &Pay) -> (f64, f64) {
        let greatest = |all: &[f64]| all.iter().copied().fold(0.0, f64::max);
        match pay {
            Pay::Earned(earned) => (greatest(earned) * (self.quick.len() + 1) as f64, 0.0),
            Pay::Worth(worth) => (0.0, greatest(worth)),
        }
    }

    /// Bounds around sums that may be off by rounding, and by what was left out.
    fn around(
        &self,
        sums: &[f64],
        (pay, jumps): (&Pay, &Jumps),
        error: f64,
    ) -> (Vec<f64>, Vec<f64>) {
        let last = (jumps.first + jumps.weights.len()) as f64;
        let off = self.once * (last + 2.0) + jumps.error() + 2e-15 * (last + 4.0) + 2.0 * error;
        let (earned, worth) = self.tops(pay);
        let top = sums.iter().copied().fold(worth, f64::max);
        let missing = 4.0 * jumps.left_out * (top + earned * (last + 2.0));
        let lower = sums
            .iter()
            .map(|sum| (sum * (1.0 - off) - missing).max(0.0));
        let upper = sums.iter().map(|sum| sum * (1.0 + off) + missing);
        (lower.collect(), upper.collect())
    }

    /// Bounds of what choices are paid that know how many ticks there will be.
    fn paid_knowing(
        &self,
        pay: &Pay,
        rate: f64,
        jumps: &Jumps,
        error: f64,
        budget: &Budget,
    ) -> Result<(Vec<f64>, Vec<f64>), Stop> {
        let mut values = vec![0.0; self.model.states()];
        for &state in &self.slow {
            values[state as usize] = pay.worth(state as usize);
        }
        self.choose(&mut values, &|choice| Some(pay.earned(choice)));
        let mut sum = vec![0.0; values.len()];
        let mut next = Vec::new();
        let last = jumps.first + jumps.weights.len() - 1;
        for tick in 0..=last {
            budget.charge(self.model.branches() as u64 / 32 + 1)?;
            if let Some(place) = tick.checked_sub(jumps.first) {
                let weight = jumps.weights[place];
                for (sum, value) in sum.iter_mut().zip(&values) {
                    *sum += weight * value;
                }
            }
            if tick < last {
                self.tick(rate, &mut values, &mut next);
                for &state in &self.slow {
                    values[state as usize] += self.by_tick(pay, state as usize, rate);
                }
                self.choose(&mut values, &|choice| Some(pay.earned(choice)));
            }
        }
        Ok(self.around(&sum, (pay, jumps), error))
    }

    /// Bounds of what choices are paid that count ticks.
    fn paid_counting(
        &self,
        pay: &Pay,
        rate: f64,
        jumps: &Jumps,
        error: f64,
        budget: &Budget,
    ) -> Result<(Vec<f64>, Vec<f64>), Stop> {
        let last = jumps.first + jumps.weights.len() - 1;
        let tail = |tick: usize| match tick.checked_sub(jumps.first) {
            None => 1.0,
            Some(place) => jumps.tails.get(place).copied().unwrap_or(0.0).min(1.0),
        };
        let weight = |tick: usize| {
            let place = tick.checked_sub(jumps.first);
            place
                .and_then(|place| jumps.weights.get(place))
                .copied()
                .unwrap_or(0.0)
        };
        let mut values = vec![0.0; self.model.states()];
        let mut next = Vec::new();
        for tick in (0..=last).rev() {
            budget.charge(self.model.branches() as u64 / 32 + 1)?;
            if tick < last {
                self.tick(rate, &mut values, &mut next);
            }
            for &state in &self.slow {
                let state = state as usize;
                let by_tick = self.by_tick(pay, state, rate) * tail(tick + 1);
                values[state] += by_tick + weight(tick) * pay.worth(state);
            }
            self.choose(&mut values, &|choice| Some(tail(tick) * pay.earned(choice)));
        }
        Ok(self.around(&values, (pay, jumps), error))
    }
}
