//! Questions with a bound on steps or time, answered once more.
//!
//! There is no shorter proof of such a number than the computation itself, so it is done again
//! here, in the simplest way: backwards, one step after the other, on a model with exact weights.
//! Each number is a pair of doubles, of which the lower one is rounded down and the upper one up.
//! A sum of `n` products that are not negative is off by no more than `n + 1` roundings of
//! itself, whatever the order (Higham 2002, section 3.1), and by what is too small for doubles:
//! it is moved outwards once, by more than that.
//!
//! Of a continuous chain the steps are those of one clock that is as fast as the fastest state
//! (uniformisation); how many of them fall into the time is a Poisson number, whose weights are
//! computed from its most likely value outwards, with all that is cut off and rounded counted in.

use quotient_bits::Bits;
use quotient_core::{Budget, Rejection};
use quotient_markov::{Markov, Rational, StateId, above, below, whole};

/// A number of steps, or a time, from below and above: twice the same where it is a double.
pub type Moment = (f64, f64);

/// A question with a bound.
#[derive(Debug, Clone)]
pub enum Limited<'a> {
    /// The probability of reaching a goal through allowed states, between two moments.
    Reaching {
        /// States that may be passed.
        allowed: &'a Bits,
        /// The goal.
        goal: &'a Bits,
        /// Not before this; a number of steps, or a time.
        from: Moment,
        /// Not after this.
        to: Moment,
    },
    /// What is earned up to a moment.
    Earning {
        /// What each choice earns: by a step, or of a continuous chain per unit of time.
        earned: &'a [Rational],
        /// The moment.
        until: Moment,
    },
    /// What a state is worth at a moment.
    Worth {
        /// The worth of each state.
        worth: &'a [Rational],
        /// The moment.
        at: Moment,
    },
}

/// More steps than this are not done again.
const MOST_STEPS: f64 = 2e7;

/// So few steps on average are none, nearly: how many they are need not be known.
const HARDLY: f64 = 1e-6;

/// Numbers for all states, from below and above.
#[derive(Debug, Clone, PartialEq)]
pub struct Enclosed {
    /// Not less than this.
    pub lower: Vec<f64>,
    /// Not more than this.
    pub upper: Vec<f64>,
}

/// Answers a question once more, for every state. The weights of the model are probabilities;
/// `rates` are how fast states are left, empty for steps instead of time. `least` says that the
/// least over all choices is meant, else the greatest.
pub fn recompute(
    model: &Markov,
    rates: &[Rational],
    question: &Limited<'_>,
    least: bool,
    budget: &Budget,
) -> Result<Enclosed, Rejection> {
    let engine = Stepper::new(model, rates, least, budget)?;
    match question {
        Limited::Reaching {
            allowed,
            goal,
            from,
            to,
        } => engine.reaching(allowed, goal, *from, *to),
        Limited::Earning { earned, until } => engine.earning(earned, *until),
        Limited::Worth { worth, at } => {
            let start = enclose(worth);
            engine.carried(start, *at, &|_| Role::Open)
        }
    }
}

/// What becomes of a state in a step.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// It goes on.
    Open,
    /// It is worth one.
    Won,
    /// It is worth nothing.
    Lost,
}

struct Stepper<'a> {
    model: &'a Markov,
    /// Weights from below and above, by the number of the exact weight.
    weights: Vec<(f64, f64)>,
    /// The share of steps of the clock in which a state moves, from below and above.
    moves: Vec<(f64, f64)>,
    /// How fast the clock is, from below and above; none if steps are counted.
    clock: Option<(f64, f64)>,
    least: bool,
    budget: &'a Budget,
}

pub(crate) fn enclose(numbers: &[Rational]) -> Enclosed {
    Enclosed {
        lower: numbers.iter().map(below).collect(),
        upper: numbers.iter().map(above).collect(),
    }
}

pub(crate) fn down(number: f64) -> f64 {
    if number == 0.0 {
        0.0
    } else {
        number.next_down()
    }
}

pub(crate) fn up(number: f64) -> f64 {
    if number == 0.0 { 0.0 } else { number.next_up() }
}

/// Half the distance between one and the next double, and more.
const ROUNDING: f64 = 1.2e-16;

/// What so many products come to at least, if this is their sum in doubles.
#[inline]
pub(crate) fn inwards(sum: f64, terms: usize) -> f64 {
    let least = sum * (1.0 - (terms as f64 + 3.0) * ROUNDING);
    // Products may have been rounded up to where doubles end.
    match least > terms as f64 * 1e-300 {
        true => least - terms as f64 * 1e-300,
        false => 0.0,
    }
}

/// What they come to at most; of no products that is nothing.
#[inline]
pub(crate) fn outwards(sum: f64, terms: usize) -> f64 {
    sum * (1.0 + (terms as f64 + 3.0) * ROUNDING) + terms as f64 * 1e-300
}

/// A product from above: one that is too small for doubles is not nothing.
pub(crate) fn product_up(one: f64, other: f64) -> f64 {
    match one == 0.0 || other == 0.0 {
        true => 0.0,
        false => (one * other).next_up(),
    }
}

/// A quotient from above, of the same kind.
fn quotient_up(one: f64, by: f64) -> f64 {
    match one == 0.0 {
        true => 0.0,
        false => (one / by).next_up(),
    }
}

impl<'a> Stepper<'a> {
    fn new(
        model: &'a Markov,
        rates: &[Rational],
        least: bool,
        budget: &'a Budget,
    ) -> Result<Stepper<'a>, Rejection> {
        let fastest = rates.iter().max().cloned();
        let fastest = fastest.filter(|rate| *rate > whole(0));
        let moves = match &fastest {
            Some(fastest) => {
                let share = |rate: &Rational| {
                    let share = rate / fastest;
                    (below(&share), above(&share))
                };
                rates.iter().map(share).collect()
            }
            None if rates.is_empty() => Vec::new(),
            None => vec![(0.0, 0.0); rates.len()],
        };
        if !rates.is_empty() && rates.len() != model.states() {
            return Err(Rejection::wrong("there is not one rate for each state"));
        }
        let clock = match (&fastest, rates.is_empty()) {
            (Some(fastest), _) => Some((below(fastest), above(fastest))),
            (None, true) => None,
            (None, false) => Some((0.0, 0.0)),
        };
        Ok(Stepper {
            model,
            weights: model
                .exact
                .iter()
                .map(|one| (below(one), above(one)))
                .collect(),
            moves,
            clock,
            least,
            budget,
        })
    }

    /// One step backwards: what a choice is worth on average, and what it earns.
    fn back(
        &self,
        values: &Enclosed,
        earned: Option<&Enclosed>,
        role: &dyn Fn(usize) -> Role,
    ) -> Result<Enclosed, Rejection> {
        let model = self.model;
        self.budget.charge(model.branches() as u64 / 16 + 1)?;
        let mut next = Enclosed {
            lower: Vec::with_capacity(model.states()),
            upper: Vec::with_capacity(model.states()),
        };
        for state in 0..model.states() {
            let (low, high) = match role(state) {
                Role::Won => (1.0, 1.0),
                Role::Lost => (0.0, 0.0),
                Role::Open => self.best(state, values, earned),
            };
            next.lower.push(low);
            next.upper.push(high);
        }
        Ok(next)
    }

    /// The weight of a branch, from below and above.
    #[inline]
    fn weight(&self, branch: usize) -> (f64, f64) {
        let number = self.model.numbers.get(branch);
        let weight = number.and_then(|&number| self.weights.get(number.index()));
        weight.copied().unwrap_or((0.0, f64::INFINITY))
    }

    fn best(&self, state: usize, values: &Enclosed, earned: Option<&Enclosed>) -> (f64, f64) {
        let model = self.model;
        let mut best: Option<(f64, f64)> = None;
        for choice in model.choices_of(StateId::from_index(state)) {
            let (mut low, mut high) = (0.0, 0.0);
            let mut terms = 0;
            // A step that surely leads to one state changes nothing.
            let mut sure = true;
            for branch in model.branches_of(choice) {
                let target = model.targets[branch].index();
                let (least, most) = self.weight(branch);
                sure &= least == 1.0 && most == 1.0;
                low += least * values.lower[target];
                // What is too small for doubles is counted in, and nothing is nothing.
                if values.upper[target] > 0.0 {
                    high += most * values.upper[target];
                    terms += 1;
                }
            }
            if !sure || model.branches_of(choice).len() > 1 {
                (low, high) = (inwards(low, terms), outwards(high, terms));
            }
            if let Some(&(least, most)) = self.moves.get(state) {
                // Only in this share of steps does the state move at all.
                let stays = (down(1.0 - most).max(0.0), up(1.0 - least).min(1.0));
                low = down(down(least * low) + down(stays.0 * values.lower[state]));
                high = up(product_up(most, high) + product_up(stays.1, values.upper[state]));
            }
            if let Some(earned) = earned {
                low = down(low + earned.lower[choice.index()]);
                high = up(high + earned.upper[choice.index()]);
            }
            best = Some(match best {
                None => (low, high),
                Some((a, b)) if self.least => (a.min(low), b.min(high)),
                Some((a, b)) => (a.max(low), b.max(high)),
            });
        }
        best.unwrap_or((0.0, f64::INFINITY))
    }

    fn reaching(
        &self,
        allowed: &Bits,
        goal: &Bits,
        from: Moment,
        to: Moment,
    ) -> Result<Enclosed, Rejection> {
        let states = self.model.states();
        let start: Vec<f64> = (0..states)
            .map(|state| f64::from(u8::from(goal.contains(state))))
            .collect();
        let start = Enclosed {
            lower: start.clone(),
            upper: start,
        };
        let first = |state: usize| match (goal.contains(state), allowed.contains(state)) {
            (true, _) => Role::Won,
            (false, true) => Role::Open,
            (false, false) => Role::Lost,
        };
        let span = match (self.clock.is_some(), from) {
            (true, (_, upper)) if upper > 0.0 => (down(to.0 - from.1).max(0.0), up(to.1 - from.0)),
            // Numbers of steps are subtracted without rounding.
            _ => (to.0 - from.0, to.1 - from.1),
        };
        let mut values = self.carried(start, span, &first)?;
        if from.1 > 0.0 {
            // Before that, only allowed states may be passed, the goal or not.
            let role = |state: usize| match allowed.contains(state) {
                true => Role::Open,
                false => Role::Lost,
            };
            if self.clock.is_some() {
                for state in (0..states).filter(|&state| !allowed.contains(state)) {
                    (values.lower[state], values.upper[state]) = (0.0, 0.0);
                }
            }
            values = self.carried(values, from, &role)?;
        }
        for number in values.lower.iter_mut().chain(&mut values.upper) {
            *number = number.clamp(0.0, 1.0);
        }
        Ok(values)
    }

    /// What numbers at a moment are worth now.
    fn carried(
        &self,
        start: Enclosed,
        amount: Moment,
        role: &dyn Fn(usize) -> Role,
    ) -> Result<Enclosed, Rejection> {
        let Some((slow, fast)) = self.clock else {
            let mut values = start;
            for _ in 0..steps(amount)? {
                values = self.back(&values, None, role)?;
            }
            return Ok(values);
        };
        let (few, many) = (down(slow * amount.0).max(0.0), up(fast * amount.1));
        if few < many * (1.0 - HARDLY) && many < HARDLY {
            return Ok(hardly_later(start, many));
        }
        let counts = Poisson::new(few, many)?;
        let mut sum = Enclosed {
            lower: vec![0.0; start.lower.len()],
            upper: vec![0.0; start.lower.len()],
        };
        let top = start.upper.iter().copied().fold(0.0, f64::max);
        let mut values = start;
        for count in 0..=counts.last {
            let (least, most) = counts.weight(count);
            add(&mut sum.lower, &values.lower, least);
            add(&mut sum.upper, &values.upper, most);
            if count < counts.last {
                values = self.back(&values, None, role)?;
            }
        }
        let terms = counts.last as usize + 1;
        for lower in &mut sum.lower {
            *lower = inwards(*lower, terms);
        }
        for upper in &mut sum.upper {
            *upper = up(outwards(*upper, terms) + product_up(counts.rest, top));
        }
        Ok(sum)
    }

    fn earning(&self, earned: &[Rational], until: Moment) -> Result<Enclosed, Rejection> {
        if earned.len() != self.model.choices() {
            return Err(Rejection::wrong("there is not one reward for each choice"));
        }
        let earned = enclose(earned);
        let states = self.model.states();
        let nothing = Enclosed {
            lower: vec![0.0; states],
            upper: vec![0.0; states],
        };
        let Some((slow, fast)) = self.clock else {
            let mut values = nothing;
            for _ in 0..steps(until)? {
                values = self.back(&values, Some(&earned), &|_| Role::Open)?;
            }
            return Ok(values);
        };
        if slow <= 0.0 {
            // Nothing ever moves: all is earned in one state.
            return Ok(Enclosed {
                lower: earned.lower.iter().map(|one| down(one * until.0)).collect(),
                upper: (earned.upper.iter())
                    .map(|one| product_up(*one, until.1))
                    .collect(),
            });
        }
        // Each step of the clock takes 1/clock of time; the one with number k happens, and its
        // time is spent, with the chance that more than k steps fall into the time.
        let counts = Poisson::new(down(slow * until.0).max(0.0), up(fast * until.1))?;
        let mut sum = nothing;
        let mut values = earned.clone();
        let mut more = counts.tails();
        let top = values.upper.iter().copied().fold(0.0, f64::max);
        for count in 0..=counts.last {
            let (least, most) = more[count as usize];
            add(&mut sum.lower, &values.lower, least);
            add(&mut sum.upper, &values.upper, most);
            if count < counts.last {
                values = self.back(&values, None, &|_| Role::Open)?;
            }
        }
        more.clear();
        // What is earned after the last step that was looked at.
        let rest = quotient_up(product_up(counts.rest_mean, top), slow);
        let terms = counts.last as usize + 1;
        for lower in &mut sum.lower {
            *lower = down(inwards(*lower, terms) / fast);
        }
        for upper in &mut sum.upper {
            *upper = up(quotient_up(outwards(*upper, terms), slow) + rest);
        }
        Ok(sum)
    }
}

/// What numbers are worth a moment before, in which there are no more steps than so few on average: with
/// no less than one minus that chance there is none, and else they are worth no more than the greatest.
fn hardly_later(mut values: Enclosed, steps: f64) -> Enclosed {
    let top = values.upper.iter().copied().fold(0.0, f64::max);
    for lower in &mut values.lower {
        *lower = down(*lower * down(1.0 - steps)).max(0.0);
    }
    for upper in &mut values.upper {
        *upper = up(*upper + product_up(steps, top));
    }
    values
}

/// Adds a multiple of numbers to sums, which are rounded by whoever has them.
pub(crate) fn add(sums: &mut [f64], numbers: &[f64], times: f64) {
    for (sum, number) in sums.iter_mut().zip(numbers) {
        *sum += times * number;
    }
}

fn steps((amount, above): Moment) -> Result<u64, Rejection> {
    match amount == above && amount >= 0.0 && amount.fract() == 0.0 && amount <= MOST_STEPS {
        true => Ok(amount as u64),
        false => Err(Rejection::wrong("the bound is no number of steps")),
    }
}

/// How many steps fall into a time: the weights of a Poisson number, up to a last one.
pub(crate) struct Poisson {
    /// Weights before they are divided by their sum, from 0 on.
    raw: Vec<f64>,
    /// No raw weight is off by more than this share of itself.
    error: f64,
    /// Bounds on the sum of all weights.
    total: (f64, f64),
    pub(crate) last: u64,
    /// The chance of more than the last number.
    pub(crate) rest: f64,
    /// The mean of what exceeds the last number.
    pub(crate) rest_mean: f64,
}

impl Poisson {
    /// For a mean between two doubles.
    pub(crate) fn new(low: f64, high: f64) -> Result<Poisson, Rejection> {
        if !(high.is_finite() && high <= MOST_STEPS) {
            return Err(Rejection::wrong(
                "the time is too long to be looked at again",
            ));
        }
        let mean = low + (high - low) / 2.0;
        let mode = mean.floor() as u64;
        let last = (mean + 12.0 * mean.sqrt() + 40.0).ceil() as u64;
        let mut raw = vec![0.0; last as usize + 1];
        raw[mode as usize] = 1.0;
        for count in (0..mode).rev() {
            raw[count as usize] = raw[count as usize + 1] * ((count + 1) as f64 / mean);
        }
        for count in mode + 1..=last {
            raw[count as usize] = raw[count as usize - 1] * (mean / count as f64);
        }
        let sum: f64 = raw.iter().sum();
        // Each weight is a product of quotients, and the mean itself is between bounds: each
        // factor is off by no more than this.
        let spread = if mean > 0.0 { (high - low) / mean } else { 0.0 };
        let error = (last as f64 + 2.0) * (spread + 1e-15) * 1.5;
        if error > 1e-4 {
            return Err(Rejection::wrong(
                "the time is too long to be looked at again",
            ));
        }
        // Beyond the last one weights fall at least by this factor.
        let ratio = up(high / (last + 1) as f64);
        let beyond = up(raw[last as usize] * (1.0 + error) * ratio / (1.0 - ratio));
        let total = (
            sum * (1.0 - error) * (1.0 - 1e-12),
            sum * (1.0 + error) * (1.0 + 1e-12) + beyond,
        );
        // What is too small for doubles is not nothing.
        let rest = up(beyond / total.0 + 1e-290);
        Ok(Poisson {
            raw,
            error,
            total,
            last,
            rest,
            rest_mean: up(rest * 2.0 / (1.0 - ratio)),
        })
    }

    pub(crate) fn weight(&self, count: u64) -> (f64, f64) {
        let raw = self.raw[count as usize];
        let low = raw * (1.0 - self.error) / self.total.1;
        let high = raw * (1.0 + self.error) / self.total.0;
        // Weights far from the most likely one are too small for doubles.
        (down(down(low) - 1e-290).max(0.0), up(up(high) + 1e-290))
    }

    /// For each number the chance of more than that.
    pub(crate) fn tails(&self) -> Vec<(f64, f64)> {
        let mut all = vec![(0.0, 0.0); self.last as usize + 1];
        let (mut low, mut high) = (0.0f64, self.rest);
        for count in (0..=self.last).rev() {
            all[count as usize] = (low.max(0.0), high.min(1.0));
            let (least, most) = self.weight(count);
            low = down(low + least);
            high = up(high + most);
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quotient_markov::{Builder, Kind};

    #[test]
    fn a_short_time_between_moments_that_are_no_doubles_is_not_rounded() {
        // One jump at rate one, between 0.1 and 0.1 and a ten-billionth: as doubles these differ
        // by a ten-millionth more or less.
        let mut builder = Builder::keeping_exact(Kind::Dtmc);
        for target in [1, 1] {
            builder.choice(0);
            builder.branch(target, 1.0);
            builder.exactly(quotient_markov::WeightId::ONE);
            builder.end_state();
        }
        let model = builder.finish(vec![0]);
        let tenth = Rational::new(1, 10);
        let later = &tenth + Rational::new(1, 10_000_000_000);
        let moment = |exact: &Rational| (below(exact), above(exact));
        let start: Bits = [0].into_iter().collect();
        let goal: Bits = [1].into_iter().collect();
        let question = Limited::Reaching {
            allowed: &start,
            goal: &goal,
            from: moment(&tenth),
            to: moment(&later),
        };
        let rates = [whole(1), whole(0)];
        let budget = Budget::unlimited();
        let found = recompute(&model, &rates, &question, false, &budget).unwrap();
        let exact = (-0.1f64).exp() * -(-1e-10f64).exp_m1();
        assert!(found.lower[0] <= exact && exact <= found.upper[0]);
        // Neither end of what the rounded moments allow is left out.
        let spread = (1e-10 - 1.3e-17) * (-0.1f64).exp();
        assert!(found.lower[0] <= spread, "{found:?}");
        assert!(found.upper[0] >= exact + 1e-18, "{found:?}");
    }

    #[test]
    fn a_product_too_small_for_doubles_is_more_than_nothing() {
        assert!(product_up(1e-200, 1e-200) > 0.0);
        assert!(quotient_up(1e-200, 1e200) > 0.0);
        assert_eq!(product_up(0.0, 1e-200), 0.0);
    }

    #[test]
    fn steps_that_hardly_ever_happen_are_not_excluded() {
        // More than forty steps in next to no time: too small for doubles, and yet possible.
        let counts = Poisson::new(1e-9, 1e-9).unwrap();
        assert!(counts.rest > 0.0 && counts.rest_mean > 0.0);
    }
}
