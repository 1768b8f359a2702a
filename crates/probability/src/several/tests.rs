//! Against all ways to choose, one by one.

use quotient_bits::Bits;
use quotient_core::Budget;
use quotient_markov::{Builder, ChoiceId, Kind, Markov, Rewards, StateId};
use quotient_trial::arbitrary::{Result as Made, Unstructured};

use super::{Attained, Objective};
use crate::{Analysis, Precision};

const STATES: usize = 5;

/// States in layers, so that a reward is earned at most a few times; the last two are ends.
fn model(u: &mut Unstructured<'_>) -> Made<(Markov, Rewards)> {
    let mut builder = Builder::new(Kind::Mdp);
    let mut earned = Vec::new();
    for state in 0..STATES {
        let ends = state >= STATES - 2;
        for _ in 0..if ends { 0 } else { u.int_in_range(1..=2)? } {
            builder.choice(0);
            earned.push(f64::from(u.int_in_range(0..=3u8)?));
            let first = u.int_in_range(state + 1..=STATES - 1)? as u32;
            let second = u.int_in_range(state + 1..=STATES - 1)? as u32;
            match first == second {
                true => builder.branch(first, 1.0),
                false => {
                    let part = f64::from(u.int_in_range(1..=3u8)?) / 4.0;
                    builder.branch(first, part);
                    builder.branch(second, 1.0 - part);
                }
            }
        }
        if ends {
            earned.push(0.0);
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

fn set(states: impl IntoIterator<Item = usize>) -> Bits {
    let mut set = Bits::with_capacity(STATES);
    set.extend(states);
    set
}

/// What every way to choose without memory pays: reaching 3, and the reward. In layers, what was
/// seen before does not matter for these two.
fn all_ways(model: &Markov, rewards: &Rewards) -> Vec<(f64, f64)> {
    let mut ways = vec![Vec::new()];
    for state in 0..STATES {
        ways = ways
            .iter()
            .flat_map(|way: &Vec<ChoiceId>| {
                model
                    .choices_of(StateId::from_index(state))
                    .map(move |choice| {
                        let mut longer = way.clone();
                        longer.push(choice);
                        longer
                    })
            })
            .collect();
    }
    let value = |way: &Vec<ChoiceId>| {
        let mut reach = [0.0; STATES];
        let mut reward = [0.0; STATES];
        reach[STATES - 2] = 1.0;
        for state in (0..STATES - 2).rev() {
            let choice = way[state];
            reward[state] = rewards.choices[choice.index()];
            for branch in model.branches_of(choice) {
                let target = model.targets[branch].index();
                reach[state] += model.weights[branch] * reach[target];
                reward[state] += model.weights[branch] * reward[target];
            }
        }
        (reach[0], reward[0])
    };
    ways.iter().map(value).collect()
}

/// The least reward of mixtures that reach 3 with so much probability, by pairs of ways.
fn least_reward(ways: &[(f64, f64)], reach: f64) -> Option<f64> {
    let mut best: Option<f64> = None;
    for &(p, a) in ways {
        for &(q, b) in ways {
            let share = match (p >= reach, q >= reach) {
                (true, _) => 1.0,
                (false, false) => continue,
                (false, true) => (q - reach) / (q - p),
            };
            let cost = share * a + (1.0 - share) * b;
            best = Some(best.map_or(cost, |known: f64| known.min(cost)));
        }
    }
    best
}

#[test]
fn mixtures_of_all_ways_to_choose_say_the_same() {
    quotient_trial::trial(|u| {
        let (model, rewards) = model(u)?;
        let analysis = Analysis::new(&model, Precision::default());
        let budget = Budget::unlimited();
        let ways = all_ways(&model, &rewards);
        let all = set(0..STATES);
        let goal = || Objective::path(all.clone(), set([STATES - 2]));
        let reward = || Objective::reward(&analysis, &rewards).small();
        let reach = f64::from(u.int_in_range(1..=19u8)?) / 20.0 + 0.003;
        // The least reward while the goal is reached often enough.
        let asked = [goal().to(reach, false), reward()];
        let found = analysis.several(0, &asked, &budget).unwrap();
        match (least_reward(&ways, reach), &found) {
            (None, Attained::Never) => {}
            (Some(cost), &Attained::Best(low, high)) => {
                assert!(
                    low <= cost + 1e-9 && cost <= high + 1e-9,
                    "{cost} {found:?}"
                );
                assert!(high - low < 1e-5, "{found:?}");
            }
            other => panic!("{other:?}"),
        }
        // The least reward while the goal is surely reached, or another end surely missed.
        let surely = ways
            .iter()
            .filter(|way| way.0 > 1.0 - 1e-12)
            .map(|way| way.1);
        let surely = surely.reduce(f64::min);
        let end = Objective::path(all.clone(), set([STATES - 1])).small();
        for bound in [goal().to(1.0, false), end.to(0.0, false)] {
            let found = analysis
                .several(0, &[bound.clone(), reward()], &budget)
                .unwrap();
            match (surely, &found) {
                (None, Attained::Never) => {}
                (Some(cost), &Attained::Best(low, high)) => {
                    assert!(
                        low <= cost + 1e-9 && cost <= high + 1e-9,
                        "{cost} {found:?}"
                    );
                    assert!(high - low < 1e-5, "{found:?}");
                }
                other => panic!("{other:?}"),
            }
            let found = analysis.several(0, &[bound], &budget).unwrap();
            assert_eq!(found, Attained::Together(Some(surely.is_some())));
        }
        // A bound on both.
        if let Some(cost) = least_reward(&ways, reach) {
            let off = [(cost + 0.01, true), ((cost - 0.01).max(-0.5), false)];
            for (bound, expected) in off {
                let asked = [goal().to(reach, false), reward().to(bound, false)];
                let found = analysis.several(0, &asked, &budget).unwrap();
                assert_eq!(found, Attained::Together(Some(expected)), "{cost}");
            }
        }
        // No way is better in both than what is told, and what is told is a mixture.
        let Attained::Tradeoff(pairs) = analysis.several(0, &[goal(), reward()], &budget).unwrap()
        else {
            panic!("no pairs");
        };
        for &(p, cost) in &pairs {
            let least = least_reward(&ways, p - 1e-9).unwrap();
            assert!((cost - least).abs() < 1e-4, "{pairs:?} {least}");
        }
        let most = ways.iter().map(|way| way.0).fold(0.0, f64::max);
        assert!((pairs[0].0 - most).abs() < 1e-6, "{pairs:?} {most}");
        Ok(())
    })
    .budget_ms(1500);
}

#[test]
fn a_path_to_be_missed_and_one_to_be_taken() {
    // 0 may go on to 1 or 2; from 1 the goal 3 comes with one half, else the end 4.
    let mut builder = Builder::new(Kind::Mdp);
    for targets in [vec![1], vec![2]] {
        builder.choice(0);
        targets.into_iter().for_each(|to| builder.branch(to, 1.0));
    }
    builder.end_state();
    builder.choice(0);
    builder.branch(3, 0.5);
    builder.branch(4, 0.5);
    (0..4).for_each(|_| builder.end_state());
    let model = builder.finish(vec![0]);
    let analysis = Analysis::new(&model, Precision::default());
    let all = set(0..STATES);
    let (goal, end) = (set([3]), set([4]));
    let asked = [
        Objective::path(all.clone(), goal),
        Objective::path(all, end).small().to(0.2, false),
    ];
    let found = analysis.several(0, &asked, &Budget::unlimited()).unwrap();
    let Attained::Best(low, high) = found else {
        panic!("{found:?}");
    };
    assert!(low <= 0.2 && 0.2 <= high && high - low < 1e-5, "{found:?}");
}

#[test]
fn rewards_without_an_end_are_told() {
    let mut builder = Builder::new(Kind::Mdp);
    builder.choice(0);
    builder.branch(0, 1.0);
    builder.end_state();
    let model = builder.finish(vec![0]);
    let analysis = Analysis::new(&model, Precision::default());
    let rewards = Rewards {
        states: vec![1.0],
        ..Rewards::default()
    };
    let asked = [Objective::reward(&analysis, &rewards).small()];
    assert!(analysis.several(0, &asked, &Budget::unlimited()).is_err());
}
