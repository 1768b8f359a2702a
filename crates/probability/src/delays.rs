//! Questions about time in Markov automata: decision processes in which some states are left
//! after a while, at a rate, and in the others a choice is made at once.
//!
//! A clock that ticks at a rate `q` not less than any other makes all that takes time a matter of
//! ticks: a state that is left at rate `e` is left at a tick with chance `e/q`. The number of
//! ticks up to a time does not depend on choices. So the greatest chance of arriving in time lies
//! between what choices attain that count ticks, and what they would attain if they knew how many
//! there will be (Butkova, Hatefi, Hermanns, Krčál 2015). The faster the clock ticks, the nearer
//! the two are; for the least chance it is the other way round.

mod paid;

use quotient_bits::Bits;
use quotient_core::{Budget, Stop};
use quotient_markov::{ChoiceId, Markov, StateId};

use crate::analysis::rounding;
use crate::series::Jumps;
use crate::{Analysis, Best, Values};

/// So many branches are followed before faster clocks are given up.
const MOST_WORK: f64 = 6e8;

/// How time and choices alternate among some states.
pub(crate) struct Ticking<'m> {
    model: &'m Markov,
    /// States in which time passes.
    slow: Vec<u32>,
    /// States in which a choice is made at once, each before those that lead to it.
    quick: Vec<u32>,
    /// Whether some state has several choices.
    several: bool,
    /// The greatest rate.
    fastest: f64,
    /// By how much a tick may be off, relative to the result.
    once: f64,
    best: Best,
    /// How far bounds may lie apart, relative to what they bound.
    width: f64,
}

impl<'m> Ticking<'m> {
    /// Puts the states in order; choices count if `keep` says so.
    pub(crate) fn new(
        model: &'m Markov,
        open: &Bits,
        keep: &dyn Fn(usize) -> bool,
        (best, width): (Best, f64),
    ) -> Result<Ticking<'m>, Stop> {
        let slow: Vec<u32> = open
            .ones()
            .filter(|&state| model.exits[state] > 0.0)
            .map(|state| state as u32)
            .collect();
        let mut depth = vec![0u32; model.states()];
        let mut quick = Vec::new();
        // 1 while its successors are looked at, 2 when that is done.
        let mut seen = vec![0u8; model.states()];
        let is_quick = |state: usize| open.contains(state) && model.exits[state] <= 0.0;
        for root in open.ones().filter(|&state| is_quick(state)) {
            let mut waiting = vec![root];
            while let Some(&state) = waiting.last() {
                let from = model
                    .choices_of(StateId::from_index(state))
                    .filter(|&choice| keep(choice.index()));
                let next = || {
                    from.clone()
                        .flat_map(|choice| model.branches_of(choice))
                        .map(|branch| model.targets[branch].index())
                        .filter(|&to| is_quick(to))
                };
                if seen[state] == 0 {
                    seen[state] = 1;
                    for to in next() {
                        match seen[to] {
                            0 => waiting.push(to),
                            1 => return Err(around()),
                            _ => {}
                        }
                    }
                    continue;
                }
                waiting.pop();
                if seen[state] == 1 {
                    depth[state] = next().map(|to| depth[to] + 1).max().unwrap_or(0);
                    seen[state] = 2;
                    quick.push(state as u32);
                }
            }
        }
        let several = quick.iter().any(|&state| {
            model
                .choices_of(StateId::new(state))
                .filter(|&one| keep(one.index()))
                .count()
                > 1
        });
        let longest = (0..model.choices())
            .map(|choice| model.branches_of(ChoiceId::from_index(choice)).len())
            .max()
            .unwrap_or(0);
        let deepest = depth.iter().copied().max().unwrap_or(0);
        let fastest = slow
            .iter()
            .map(|&state| model.exits[state as usize])
            .fold(0.0, f64::max);
        // The chance to stay is a difference of at least a twentieth.
        let step = rounding(longest + 2) + model.error;
        let once = step * (f64::from(deepest) + 1.0) + 22.0 * (model.error + 1e-15);
        Ok(Ticking {
            model,
            slow,
            quick,
            several,
            fastest,
            once,
            best,
            width,
        })
    }

    fn ahead(&self, choice: usize, values: &[f64]) -> f64 {
        let branches = self.model.branches_of(ChoiceId::from_index(choice));
        let weights = &self.model.weights[branches.clone()];
        let targets = &self.model.targets[branches];
        let terms = weights.iter().zip(targets);
        terms.map(|(weight, &to)| weight * values[to.index()]).sum()
    }

    /// Gives states in which a choice is made at once the best of their values.
    fn choose(&self, values: &mut [f64], earned: &dyn Fn(usize) -> Option<f64>) {
        for &state in &self.quick {
            let all = self.model.choices_of(StateId::new(state));
            let worths = all.filter_map(|choice| {
                Some(earned(choice.index())? + self.ahead(choice.index(), values))
            });
            values[state as usize] = match self.best {
                Best::Least => worths.fold(f64::INFINITY, f64::min),
                Best::Greatest => worths.fold(f64::NEG_INFINITY, f64::max),
            };
        }
    }

    /// One tick of a clock of this rate, for states in which time passes.
    fn tick(&self, rate: f64, values: &mut [f64], next: &mut Vec<f64>) {
        next.clear();
        for &state in &self.slow {
            let state = state as usize;
            let share = self.model.exits[state] / rate;
            let ahead = self.ahead(self.model.rows[state] as usize, values);
            next.push((1.0 - share) * values[state] + share * ahead);
        }
        for (&state, &value) in self.slow.iter().zip(&*next) {
            values[state as usize] = value;
        }
    }

    /// The most that anything earns per unit of time.
    fn highest(&self, earned: &dyn Fn(usize) -> Option<f64>) -> f64 {
        let all = self.slow.iter().chain(&self.quick).flat_map(|&state| {
            let rate = match self.model.exits[state as usize] {
                exit if exit > 0.0 => exit,
                _ => self.fastest,
            };
            let choices = self.model.choices_of(StateId::new(state));
            choices.filter_map(move |choice| Some(earned(choice.index())? * rate))
        });
        all.fold(0.0, f64::max)
    }

    /// Bounds of the best average, for a part of a model whose choices can stay in it: for any
    /// guess of what states are worth, it lies between the least and the greatest of what they
    /// then seem to earn. With that guess, by state.
    pub(crate) fn average(
        &self,
        earned: &dyn Fn(usize) -> Option<f64>,
        error: f64,
        budget: &Budget,
    ) -> Result<((f64, f64), Vec<f64>), Stop> {
        let Some(&home) = self.slow.first() else {
            return Err(around());
        };
        let rate = 1.1 * self.fastest;
        let mut values = vec![0.0; self.model.states()];
        let (mut before, mut next) = (Vec::new(), Vec::new());
        let mut bounds = (0.0, f64::INFINITY);
        let mut guess: Vec<f64> = Vec::new();
        // What is nothing, up to this, need not be told from less.
        let floor = 1e-13 * self.highest(earned);
        for step in 0u64.. {
            budget.charge((self.slow.len() + self.quick.len()) as u64 / 16 + 1)?;
            self.choose(&mut values, earned);
            let top = self.quick.iter().chain(&self.slow);
            let top = top.fold(0.0f64, |top, &at| top.max(values[at as usize].abs()));
            before.clear();
            before.extend(self.slow.iter().map(|&state| values[state as usize]));
            let chosen: Vec<f64> = self.quick.iter().map(|&at| values[at as usize]).collect();
            self.tick(rate, &mut values, &mut next);
            let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
            for (place, &state) in self.slow.iter().enumerate() {
                let state = state as usize;
                let own = earned(self.model.rows[state] as usize).unwrap_or(0.0);
                let own = own * self.model.exits[state] / rate;
                values[state] += own;
                let change = values[state] - before[place];
                (low, high) = (low.min(change), high.max(change));
            }
            let slack = 4.0 * self.once * (top + high.abs());
            let low = (low - slack) * rate * (1.0 - error) - 1e-300;
            let high = (high + slack) * rate * (1.0 + error) + 1e-300;
            if high - low < bounds.1 - bounds.0 || step == 0 {
                bounds = (low.max(0.0), high);
                guess.clear();
                guess.extend(before.iter().chain(&chosen));
            }
            let enough = (self.width * 0.1 * bounds.1.abs()).max(floor);
            let hopeless = step > 2_000_000 || step > 64 && high - low <= 8.0 * slack * rate;
            if bounds.1 - bounds.0 <= enough || hopeless {
                break;
            }
            let base = values[home as usize];
            self.slow.iter().for_each(|&at| values[at as usize] -= base);
        }
        for (&state, worth) in self.slow.iter().chain(&self.quick).zip(guess) {
            values[state as usize] = worth;
        }
        Ok((bounds, values))
    }
}

/// How many ticks there are up to a time, by their mean; in no time there are none.
fn ticks(mean: f64) -> Jumps {
    match mean > 0.0 {
        true => Jumps::new(mean, 1e-24),
        false => Jumps {
            first: 0,
            weights: vec![1.0, 0.0],
            tails: vec![1.0, 0.0],
            left_out: 0.0,
        },
    }
}

fn around() -> Stop {
    Stop::inconclusive(
        "choices without delay can go round in a circle: questions about time cannot be answered",
    )
}

impl Analysis<'_> {
    /// The probability of reaching a goal through allowed states within a time, in a Markov
    /// automaton.
    pub fn until_by(
        &self,
        (allowed, goal): (&Bits, &Bits),
        time: f64,
        best: Best,
        budget: &Budget,
    ) -> Result<Values, Stop> {
        let model = self.timed;
        let states = model.states();
        let ever = self.until(allowed, goal, best, budget)?;
        let mut open = allowed.clone();
        open.grow(states);
        open.difference_with(goal);
        let how = (best, self.precision.width);
        let mut ticking = Ticking::new(model, &open, &|_| true, how)?;
        if time <= 0.0 {
            // Nothing that takes time happens.
            ticking.slow.clear();
        }
        let mut found = Values {
            lower: vec![0.0; states],
            upper: ever.upper.clone(),
            chosen: Vec::new(),
        };
        let size: f64 = model.branches() as f64;
        let mut rate = ticking.fastest * 1.05;
        loop {
            let mean = rate * time.max(0.0);
            let jumps = ticks(mean);
            let exact = ticking.knowing(goal, rate, &jumps, &ever.upper, budget)?;
            let other = match ticking.several {
                true => ticking.counting(goal, rate, &jumps, &ever.upper, budget)?,
                false => exact.clone(),
            };
            let (below, above) = match best {
                Best::Greatest => (other.0, exact.1),
                Best::Least => (exact.0, other.1),
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
            let work = 2.0 * (2.0 * mean + 50.0) * size;
            if enough || mean == 0.0 || !ticking.several || work > MOST_WORK {
                return Ok(found);
            }
            rate *= 2.0;
        }
    }
}

impl Ticking<'_> {
    /// Where nothing is known yet: goals are reached.
    fn begin(&self, goal: &Bits, reached: f64) -> Vec<f64> {
        let mut values = vec![0.0; self.model.states()];
        for state in goal.ones() {
            values[state] = reached;
        }
        values
    }

    /// Bounds of what choices attain that know how many ticks there will be.
    fn knowing(
        &self,
        goal: &Bits,
        rate: f64,
        jumps: &Jumps,
        ever: &[f64],
        budget: &Budget,
    ) -> Result<(Vec<f64>, Vec<f64>), Stop> {
        let none = |_: usize| Some(0.0);
        let mut values = self.begin(goal, 1.0);
        self.choose(&mut values, &none);
        let mut sum = vec![0.0; values.len()];
        let mut next = Vec::new();
        let last = jumps.first + jumps.weights.len() - 1;
        let mut steps = 0;
        let mut rest = 0.0;
        for tick in 0..=last {
            budget.charge(self.model.branches() as u64 / 32 + 1)?;
            if let Some(place) = tick.checked_sub(jumps.first) {
                let weight = jumps.weights[place];
                for (sum, value) in sum.iter_mut().zip(&values) {
                    *sum += weight * value;
                }
                rest = jumps.tails.get(place + 1).copied().unwrap_or(0.0);
            } else {
                rest = 1.0;
            }
            // More ticks change nothing any more: all that follow are known.
            let open = self.slow.iter().chain(&self.quick);
            let near = |&at: &u32| {
                let (now, ever) = (values[at as usize], ever[at as usize]);
                (ever - now) * rest <= 0.1 * self.width * now
            };
            if tick % 16 == 0 && open.clone().all(near) {
                break;
            }
            if tick < last {
                self.tick(rate, &mut values, &mut next);
                self.choose(&mut values, &none);
                steps += 1;
            }
        }
        let off = self.once * (steps as f64 + 2.0) + jumps.error() + 1e-15 * (last as f64 + 4.0);
        let mut lower = Vec::with_capacity(values.len());
        let mut upper = Vec::with_capacity(values.len());
        for (state, &sum) in sum.iter().enumerate() {
            let low = (sum + rest * values[state]) * (1.0 - off) - 2.0 * jumps.left_out;
            let most = (rest * ever[state] + sum) * (1.0 + off) + 2.0 * jumps.left_out;
            lower.push(low.max(0.0));
            upper.push(most.min(1.0));
        }
        for state in goal.ones() {
            (lower[state], upper[state]) = (1.0, 1.0);
        }
        Ok((lower, upper))
    }

    /// Bounds of what choices attain that count ticks.
    fn counting(
        &self,
        goal: &Bits,
        rate: f64,
        jumps: &Jumps,
        ever: &[f64],
        budget: &Budget,
    ) -> Result<(Vec<f64>, Vec<f64>), Stop> {
        let none = |_: usize| Some(0.0);
        let last = jumps.first + jumps.weights.len() - 1;
        // The chance that there are at least so many ticks.
        let tail = |tick: usize| match tick.checked_sub(jumps.first) {
            None => 1.0,
            Some(place) => jumps.tails.get(place).copied().unwrap_or(0.0).min(1.0),
        };
        let mut values = self.begin(goal, tail(last));
        self.choose(&mut values, &none);
        let mut next = Vec::new();
        for tick in (0..last).rev() {
            budget.charge(self.model.branches() as u64 / 32 + 1)?;
            self.tick(rate, &mut values, &mut next);
            let reached = tail(tick);
            for state in goal.ones() {
                values[state] = reached;
            }
            self.choose(&mut values, &none);
        }
        let steps = last as f64 + 2.0;
        let off = self.once * steps + jumps.error() + 1e-15 * steps;
        let left = 4.0 * jumps.left_out + tail(last);
        let lower = values.iter().map(|value| value * (1.0 - off) - left);
        let upper = values.iter().zip(ever);
        let upper = upper.map(|(value, ever)| (value * (1.0 + off) + left).min(*ever));
        let mut found = (
            lower.map(|low| low.max(0.0)).collect::<Vec<f64>>(),
            upper.collect::<Vec<f64>>(),
        );
        for state in goal.ones() {
            (found.0[state], found.1[state]) = (1.0, 1.0);
        }
        Ok(found)
    }
}
