//! Reaching a goal before too much is earned (or paid).
//!
//! Rewards are counted in a common unit. With `e` units to spare, a choice that earns `r` leaves
//! `e - r`: the probabilities for fewer units are known, and only choices that earn nothing make
//! equations among states. Level by level these are solved with sound bounds.

use std::collections::VecDeque;

use quotient_bits::Bits;
use quotient_core::{Budget, Stop};
use quotient_markov::{ChoiceId, Kind, Rewards, StateId};

use crate::analysis::rounding;
use crate::graph::end_components;
use crate::solve::{System, solve};
use crate::{Analysis, Best, Values};

/// What one over the unit may be.
const PARTS: [f64; 12] = [
    1.0, 2.0, 4.0, 5.0, 8.0, 10.0, 20.0, 100.0, 1e3, 1e4, 1e5, 1e6,
];

impl Analysis<'_> {
    /// The probability of reaching a goal through allowed states while what is earned on the way
    /// stays at or below a bound, or strictly below it. What a state and a choice earn is earned
    /// when the state is left.
    pub fn until_earning(
        &self,
        (allowed, goal): (&Bits, &Bits),
        rewards: &Rewards,
        (bound, strictly): (f64, bool),
        best: Best,
        budget: &Budget,
    ) -> Result<Values, Stop> {
        if self.timed.kind == Kind::Ctmc {
            return Err(Stop::inconclusive(
                "bounds on rewards are for discrete models",
            ));
        }
        let (earned, unit) = self.in_units(rewards)?;
        let spare = match strictly {
            false => (bound / unit + 1e-9).floor(),
            true => (bound / unit - 1e-9).ceil() - 1.0,
        };
        let mut values = Values::constant(self.model.states(), 0.0);
        if spare < 0.0 {
            return Ok(values);
        }
        if spare > 1e9 {
            return Err(Stop::inconclusive("the bound has too many units"));
        }
        let mut levels = Levels::new(self, allowed, goal, &earned, best, budget)?;
        for _ in 0..=spare as u64 {
            levels.next(self, goal, budget)?;
        }
        if let Some((lower, upper)) = levels.known.pop_back() {
            (values.lower, values.upper) = (lower, upper);
        }
        Ok(values)
    }

    /// What each choice earns as a number of units, and the unit.
    pub(crate) fn in_units(&self, rewards: &Rewards) -> Result<(Vec<u64>, f64), Stop> {
        let (earned, _) = self.per_choice(rewards);
        let fits = |parts: f64| {
            earned.iter().all(|value| {
                let scaled = value * parts;
                scaled < 1e12 && (scaled - scaled.round()).abs() <= 1e-9 * (1.0 + scaled)
            })
        };
        let Some(parts) = PARTS.into_iter().find(|&parts| fits(parts)) else {
            return Err(Stop::inconclusive(
                "the rewards are no multiples of a common unit that is not too small",
            ));
        };
        let mut whole: Vec<u64> = earned
            .iter()
            .map(|value| (value * parts).round() as u64)
            .collect();
        let common = whole
            .iter()
            .fold(0, |common, &one| divisor(common, one))
            .max(1);
        whole.iter_mut().for_each(|one| *one /= common);
        Ok((whole, common as f64 / parts))
    }
}

/// The greatest common divisor.
fn divisor(mut one: u64, mut other: u64) -> u64 {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}

/// The probabilities with fewer units to spare, and the equations for one more.
struct Levels {
    system: System,
    /// For each choice that earns something: which it is, and how much.
    earning: Vec<(usize, usize, u64)>,
    /// The unknown of each state, if it has one.
    unknown_of: Vec<u32>,
    least: bool,
    /// Bounds for the last levels, the present one last.
    known: VecDeque<(Vec<f64>, Vec<f64>)>,
    /// How many levels are looked back.
    back: u64,
}

impl Levels {
    fn new(
        analysis: &Analysis<'_>,
        allowed: &Bits,
        goal: &Bits,
        earned: &[u64],
        best: Best,
        budget: &Budget,
    ) -> Result<Levels, Stop> {
        let model = &*analysis.model;
        let mut open = allowed.clone();
        open.grow(model.states());
        open.difference_with(goal);
        let free = |choice: usize| earned[choice] == 0;
        let (part_of, parts) = end_components(model, &open, free, budget)?;
        let least = best == Best::Least;
        // Where one may stay without earning, the least probability is none.
        if least {
            let stays: Vec<usize> = open.ones().filter(|&at| part_of[at] != u32::MAX).collect();
            stays.into_iter().for_each(|state| open.set(state, false));
        }
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); parts];
        let mut unknown_of = vec![u32::MAX; model.states()];
        for state in open.ones() {
            let unknown = match part_of[state] {
                u32::MAX => {
                    members.push(Vec::new());
                    members.len() - 1
                }
                part => part as usize,
            };
            unknown_of[state] = unknown as u32;
            members[unknown].push(state as u32);
        }
        let mut levels = Levels {
            system: System::new(model.error, 1.0),
            earning: Vec::new(),
            unknown_of,
            least,
            known: VecDeque::new(),
            back: earned.iter().copied().max().unwrap_or(0),
        };
        for (unknown, states) in members.iter().enumerate() {
            for &state in states {
                for choice in model.choices_of(StateId::new(state)) {
                    levels.add(
                        analysis,
                        unknown,
                        choice.index(),
                        earned[choice.index()],
                        goal,
                    );
                }
            }
            if unknown < parts {
                levels.close(0.0, 0.0);
            }
            levels.system.rows.push(levels.system.low.len() as u32);
        }
        Ok(levels)
    }

    fn add(
        &mut self,
        analysis: &Analysis<'_>,
        unknown: usize,
        choice: usize,
        earned: u64,
        goal: &Bits,
    ) {
        let model = &*analysis.model;
        let branches = model.branches_of(ChoiceId::from_index(choice));
        if earned > 0 {
            self.earning.push((self.system.low.len(), choice, earned));
            return self.close(0.0, 0.0);
        }
        let inner = |&to: &StateId| self.unknown_of[to.index()] == unknown as u32;
        if model.targets[branches.clone()].iter().all(inner) {
            return;
        }
        let mut sum = 0.0;
        for branch in branches.clone() {
            let target = model.targets[branch].index();
            if goal.contains(target) {
                sum += model.weights[branch];
            } else if self.unknown_of[target] != u32::MAX {
                self.system.targets.push(self.unknown_of[target]);
                self.system.weights.push(model.weights[branch]);
            }
        }
        let off = rounding(branches.len()) + model.error;
        self.close(sum * (1.0 - off), sum * (1.0 + off));
    }

    fn close(&mut self, low: f64, high: f64) {
        self.system.columns.push(self.system.targets.len() as u32);
        self.system.low.push(low);
        self.system.high.push(high);
    }

    /// One unit more to spare.
    fn next(&mut self, analysis: &Analysis<'_>, goal: &Bits, budget: &Budget) -> Result<(), Stop> {
        let model = &*analysis.model;
        budget.charge(1 + self.earning.len() as u64 / 16)?;
        for &(place, choice, earned) in &self.earning {
            let level = (self.known.len() as u64).checked_sub(earned);
            let (mut low, mut high) = (0.0, 0.0);
            if let Some((lower, upper)) = level.and_then(|level| self.known.get(level as usize)) {
                for branch in model.branches_of(ChoiceId::from_index(choice)) {
                    let target = model.targets[branch].index();
                    low += model.weights[branch] * lower[target];
                    high += model.weights[branch] * upper[target];
                }
            }
            let off = rounding(model.branches_of(ChoiceId::from_index(choice)).len()) + model.error;
            self.system.low[place] = low * (1.0 - off);
            self.system.high[place] = high * (1.0 + off);
        }
        let solution = solve(&self.system, self.least, analysis.precision, budget)?;
        let mut lower = vec![0.0; model.states()];
        let mut upper = vec![0.0; model.states()];
        for state in 0..model.states() {
            if goal.contains(state) {
                (lower[state], upper[state]) = (1.0, 1.0);
            } else if let Some(&low) = solution.lower.get(self.unknown_of[state] as usize) {
                lower[state] = low.min(1.0);
                upper[state] = solution.upper[self.unknown_of[state] as usize].min(1.0);
            }
        }
        self.known.push_back((lower, upper));
        if self.known.len() as u64 > self.back.max(1) {
            self.known.pop_front();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Precision;
    use quotient_markov::{Builder, Markov};
    use quotient_trial::arbitrary::{Result as Made, Unstructured};

    const STATES: usize = 5;

    fn model(u: &mut Unstructured<'_>, kind: Kind) -> Made<(Markov, Rewards)> {
        let mut builder = Builder::new(kind);
        let mut earned = Vec::new();
        for _ in 0..STATES {
            let choices = if kind == Kind::Mdp {
                u.int_in_range(1..=2)?
            } else {
                1
            };
            for _ in 0..choices {
                builder.choice(0);
                earned.push(f64::from(u.int_in_range(0..=2u8)?) * 0.5);
                let first = u.int_in_range(0..=STATES - 1)? as u32;
                let second = u.int_in_range(0..=STATES - 1)? as u32;
                match first == second {
                    true => builder.branch(first, 1.0),
                    false => {
                        let part = f64::from(u.int_in_range(1..=3u8)?) / 4.0;
                        builder.branch(first, part);
                        builder.branch(second, 1.0 - part);
                    }
                }
            }
            builder.end_state();
        }
        let rewards = Rewards {
            states: vec![0.0; STATES],
            choices: earned,
            ..Rewards::default()
        };
        Ok((builder.finish(vec![0]), rewards))
    }

    /// The same model with what was earned so far in its states; too much leads to a dead end.
    fn counted(model: &Markov, rewards: &Rewards, most: usize) -> Markov {
        let mut builder = Builder::new(model.kind);
        let lost = (STATES * (most + 1)) as u32;
        for level in 0..=most {
            for state in 0..STATES {
                for choice in model.choices_of(StateId::from_index(state)) {
                    builder.choice(0);
                    let after = level + (rewards.choices[choice.index()] * 2.0) as usize;
                    let mut sum = 0.0;
                    for branch in model.branches_of(choice) {
                        let target = model.targets[branch];
                        match after > most {
                            true => sum += model.weights[branch],
                            false => builder.branch(
                                (after * STATES) as u32 + target.number(),
                                model.weights[branch],
                            ),
                        }
                    }
                    if after > most {
                        builder.branch(lost, sum);
                    }
                }
                builder.end_state();
            }
        }
        builder.end_state();
        builder.finish(vec![0])
    }

    #[test]
    fn the_model_with_a_counter_says_the_same() {
        quotient_trial::trial(|u| {
            let kind = *u.choose(&[Kind::Dtmc, Kind::Mdp])?;
            let (model, rewards) = model(u, kind)?;
            let most = u.int_in_range(0..=6usize)?;
            let analysis = Analysis::new(&model, Precision::default());
            let allowed: Bits = (0..STATES - 1).collect();
            let mut goal = Bits::with_capacity(STATES);
            goal.insert(STATES - 2);
            let budget = Budget::unlimited();
            let counted = counted(&model, &rewards, most);
            let naive = Analysis::new(&counted, Precision::default());
            let places = |set: &Bits| {
                let mut all = Bits::with_capacity(counted.states());
                for level in 0..=most {
                    all.extend(set.ones().map(|state| level * STATES + state));
                }
                all
            };
            for best in [Best::Least, Best::Greatest] {
                let strictly = u.arbitrary()?;
                let bound = most as f64 / 2.0 + if strictly { 0.25 } else { 0.0 };
                let found = analysis
                    .until_earning(
                        (&allowed, &goal),
                        &rewards,
                        (bound, strictly),
                        best,
                        &budget,
                    )
                    .unwrap();
                let expected = naive
                    .until(&places(&allowed), &places(&goal), best, &budget)
                    .unwrap();
                for state in 0..STATES {
                    let (low, high) = (found.lower[state], found.upper[state]);
                    assert!(low <= expected.upper[state] + 1e-9, "{state} {best:?}");
                    assert!(expected.lower[state] <= high + 1e-9, "{state} {best:?}");
                    assert!(high - low < 1e-5, "{state} {best:?} {low} {high}");
                }
            }
            Ok(())
        })
        .budget_ms(1500);
    }
}
