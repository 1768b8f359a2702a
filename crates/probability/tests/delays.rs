//! Markov automata against slower ways: small steps of time, and every choice tried.

use quotient_bits::Bits;
use quotient_core::Budget;
use quotient_markov::{Builder, Kind, Markov, Rewards};
use quotient_probability::{Analysis, Best, Precision};
use quotient_trial::arbitrary::{Result as Made, Unstructured};

/// Slow states, then quick ones whose choices lead to slow ones.
const SLOW: usize = 4;
const QUICK: usize = 2;

#[derive(Debug)]
struct Drawn {
    rates: Vec<f64>,
    /// Where each choice of each state leads, in fourths.
    choices: Vec<Vec<Vec<(usize, f64)>>>,
}

impl Drawn {
    fn draw(u: &mut Unstructured<'_>) -> Made<Drawn> {
        let (mut rates, mut choices) = (Vec::new(), Vec::new());
        for state in 0..SLOW + QUICK {
            let (targets, many) = match state < SLOW {
                true => (SLOW + QUICK, 1),
                false => (SLOW, u.int_in_range(1..=2usize)?),
            };
            if state < SLOW {
                rates.push(f64::from(u.int_in_range(1..=4u8)?));
            }
            let mut all = Vec::new();
            for _ in 0..many {
                let first = u.int_in_range(0..=targets - 1)?;
                let second = (first + u.int_in_range(1..=targets - 1)?) % targets;
                let share = f64::from(u.int_in_range(1..=3u8)?) / 4.0;
                all.push(vec![(first, share), (second, 1.0 - share)]);
            }
            choices.push(all);
        }
        Ok(Drawn { rates, choices })
    }

    fn model(&self) -> Markov {
        let mut builder = Builder::new(Kind::Mdp);
        for (state, choices) in self.choices.iter().enumerate() {
            for branches in choices {
                builder.choice(0);
                for &(target, weight) in branches {
                    builder.branch(target as u32, weight);
                }
            }
            builder.leaves(self.rates.get(state).copied().unwrap_or(0.0));
            builder.end_state();
        }
        builder.finish(vec![0])
    }

    /// The chain of slow states that is left when quick ones have made their choices.
    fn chain(&self, chosen: &[usize]) -> Markov {
        let mut builder = Builder::new(Kind::Ctmc);
        for (state, rate) in self.rates.iter().enumerate() {
            let mut sums = [0.0; SLOW];
            for &(target, weight) in &self.choices[state][0] {
                match target.checked_sub(SLOW) {
                    None => sums[target] += rate * weight,
                    Some(quick) => {
                        for &(to, share) in &self.choices[target][chosen[quick]] {
                            sums[to] += rate * weight * share;
                        }
                    }
                }
            }
            builder.choice(0);
            for (target, &sum) in sums.iter().enumerate().filter(|(_, sum)| **sum > 0.0) {
                builder.branch(target as u32, sum);
            }
            builder.end_state();
        }
        builder.finish(vec![0])
    }

    /// The chance of reaching the last slow state, by many small steps of time.
    fn by_small_steps(&self, time: f64, best: Best) -> f64 {
        let goal = SLOW - 1;
        let steps = 4000;
        let share = time / f64::from(steps);
        let mut values = [0.0; SLOW + QUICK];
        values[goal] = 1.0;
        let ahead = |branches: &[(usize, f64)], values: &[f64]| -> f64 {
            branches
                .iter()
                .map(|&(to, weight)| weight * values[to])
                .sum()
        };
        for step in 0..=steps {
            if step > 0 {
                let before = values;
                for state in (0..SLOW).filter(|&state| state != goal) {
                    let leaves = 1.0 - (-self.rates[state] * share).exp();
                    let after = ahead(&self.choices[state][0], &before);
                    values[state] = (1.0 - leaves) * before[state] + leaves * after;
                }
            }
            for state in SLOW..SLOW + QUICK {
                let all = self.choices[state].iter().map(|one| ahead(one, &values));
                values[state] = match best {
                    Best::Least => all.fold(f64::INFINITY, f64::min),
                    Best::Greatest => all.fold(0.0, f64::max),
                };
            }
        }
        values[0]
    }
}

#[test]
fn small_steps_of_time_come_to_the_same_chance() {
    quotient_trial::trial(|u| {
        let drawn = Drawn::draw(u)?;
        let time = f64::from(u.int_in_range(0..=4u8)?) / 4.0;
        let model = drawn.model();
        let analysis = Analysis::new(&model, Precision { width: 1e-4 });
        let all: Bits = (0..SLOW + QUICK).collect();
        let mut goal = Bits::with_capacity(SLOW + QUICK);
        goal.insert(SLOW - 1);
        for best in [Best::Least, Best::Greatest] {
            let found = analysis
                .until_by((&all, &goal), time, best, &Budget::unlimited())
                .expect("no choices go round");
            let (low, high) = (found.lower[0], found.upper[0]);
            let slow = drawn.by_small_steps(time, best);
            assert!(
                low <= slow + 3e-3 && slow <= high + 3e-3,
                "{low} {slow} {high} {best:?}"
            );
            assert!(high - low < 1e-3, "{low} {high} {best:?}");
        }
        Ok(())
    })
    .budget_ms(1500);
}

#[test]
fn the_best_average_is_that_of_the_best_choices() {
    quotient_trial::trial(|u| {
        let mut drawn = Drawn::draw(u)?;
        // Around in a circle, so that there is one average.
        for state in 0..SLOW {
            drawn.choices[state][0] = vec![
                ((state + 1) % SLOW, 0.5),
                (SLOW + u.int_in_range(0..=QUICK - 1)?, 0.5),
            ];
        }
        let earned: Vec<f64> = (0..SLOW)
            .map(|_| Ok(f64::from(u.int_in_range(0..=5u8)?)))
            .collect::<Made<_>>()?;
        let model = drawn.model();
        let mut states = vec![0.0; SLOW + QUICK];
        for state in 0..SLOW {
            states[state] = earned[state] / drawn.rates[state];
        }
        let rewards = Rewards {
            states,
            ..Rewards::default()
        };
        let analysis = Analysis::new(&model, Precision::default());
        let budget = Budget::unlimited();
        for best in [Best::Least, Best::Greatest] {
            let found = analysis.average(&rewards, best, &budget).expect("no limit");
            let mut values = Vec::new();
            for one in 0..drawn.choices[SLOW].len() {
                for other in 0..drawn.choices[SLOW + 1].len() {
                    let chain = drawn.chain(&[one, other]);
                    let of_chain = Rewards {
                        states: earned.clone(),
                        ..Rewards::default()
                    };
                    let analysis = Analysis::new(&chain, Precision::default());
                    let average = analysis.average(&of_chain, best, &budget);
                    values.push(average.expect("no limit").lower[0]);
                }
            }
            let expected = match best {
                Best::Least => values.iter().copied().fold(f64::INFINITY, f64::min),
                Best::Greatest => values.iter().copied().fold(0.0, f64::max),
            };
            let (low, high) = (found.lower[0], found.upper[0]);
            assert!(
                low <= expected + 1e-6 && expected <= high + 1e-6,
                "{low} {expected} {high}"
            );
            assert!(high - low <= 1e-5 * high.max(1.0), "{low} {high}");
        }
        Ok(())
    })
    .budget_ms(1500);
}
