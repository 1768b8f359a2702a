//! Models with copies of their states: the quotient finds the copies, and bounds agree with those
//! of the model as it is.

use proptest::prelude::*;
use quotient_bits::Bits;
use quotient_core::Budget;
use quotient_markov::{Builder, ChoiceId, Kind, Markov, Rewards, StateId};
use quotient_probability::{Analysis, Best, Bisimulation, Precision, Values};

/// Choices of each state: what each earns, and where its four quarters go.
#[derive(Debug, Clone)]
struct Small {
    choices: Vec<Vec<(u8, Vec<usize>)>>,
    earns: Vec<u8>,
    goal: Vec<bool>,
    allowed: Vec<bool>,
    /// How many copies each state has.
    copies: Vec<usize>,
    /// Which copies are gone to, one after the other.
    turns: Vec<usize>,
}

fn models(most_choices: usize) -> impl Strategy<Value = Small> {
    (2usize..6).prop_flat_map(move |states| {
        let choice = (0u8..3, prop::collection::vec(0..states, 4));
        let choices = prop::collection::vec(choice, 1..=most_choices);
        (
            prop::collection::vec(choices, states),
            prop::collection::vec(0u8..3, states),
            prop::collection::vec(prop::bool::weighted(0.3), states),
            prop::collection::vec(prop::bool::weighted(0.8), states),
            prop::collection::vec(1usize..4, states),
            prop::collection::vec(0usize..3, 7),
        )
            .prop_map(|(choices, earns, goal, allowed, copies, turns)| Small {
                choices,
                earns,
                goal,
                allowed,
                copies,
                turns,
            })
    })
}

impl Small {
    /// The state that each state of the large model is a copy of.
    fn origins(&self) -> Vec<usize> {
        let copies = self.copies.iter().enumerate();
        copies
            .flat_map(|(state, &many)| std::iter::repeat_n(state, many))
            .collect()
    }

    /// The model with all copies: each quarter goes to some copy of its target.
    fn model(&self, kind: Kind) -> (Markov, Rewards) {
        let origins = self.origins();
        let first = |state: usize| self.copies[..state].iter().sum::<usize>();
        let mut builder = Builder::new(kind);
        let mut rewards = Rewards::default();
        let mut turn = 0;
        for &origin in &origins {
            rewards.states.push(f64::from(self.earns[origin]));
            for (earned, targets) in &self.choices[origin] {
                builder.choice(0);
                rewards.choices.push(f64::from(*earned));
                let mut weights = vec![0.0; origins.len()];
                for &target in targets {
                    turn += 1;
                    let copy = self.turns[turn % self.turns.len()] % self.copies[target];
                    weights[first(target) + copy] += 0.25;
                }
                for (target, &weight) in weights.iter().enumerate() {
                    if weight > 0.0 {
                        builder.branch(target as u32, weight);
                    }
                }
            }
            builder.end_state();
        }
        (builder.finish(vec![0]), rewards)
    }

    fn set(&self, truth: &[bool]) -> Bits {
        let origins = self.origins();
        let mut set = Bits::with_capacity(origins.len());
        for (state, &origin) in origins.iter().enumerate() {
            set.set(state, truth[origin]);
        }
        set
    }
}

fn agree(one: &Values, other: &Values) -> Result<(), TestCaseError> {
    for state in 0..one.lower.len() {
        let (low, high) = (one.lower[state], other.upper[state]);
        prop_assert!(low <= high, "state {state}: {low} {high}");
        let (low, high) = (other.lower[state], one.upper[state]);
        prop_assert!(low <= high, "state {state}: {low} {high}");
        let near = low == high || (high - low).abs() <= 1e-6 * high.max(1.0);
        prop_assert!(near, "state {state}: {low} {high}");
    }
    Ok(())
}

/// The chain of the choices of a strategy.
fn chain(model: &Markov, rewards: &Rewards, chosen: &[ChoiceId]) -> (Markov, Rewards) {
    let mut builder = Builder::new(Kind::Dtmc);
    let mut kept = Rewards {
        states: rewards.states.clone(),
        ..Rewards::default()
    };
    for (state, &choice) in chosen.iter().enumerate() {
        assert!(
            model
                .choices_of(StateId::from_index(state))
                .contains(choice)
        );
        builder.choice(0);
        kept.choices.push(rewards.choices[choice.index()]);
        for branch in model.branches_of(choice) {
            builder.branch(model.targets[branch], model.weights[branch]);
        }
        builder.end_state();
    }
    (builder.finish(vec![0]), kept)
}

fn two_ways(model: &Markov) -> [Analysis<'_>; 2] {
    [Bisimulation::Never, Bisimulation::Always]
        .map(|when| Analysis::new(model, Precision::default()).taking(when))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn decision_processes_and_their_quotients_agree(small in models(2), steps in 0u64..6) {
        let (model, rewards) = small.model(Kind::Mdp);
        let [plain, lumped] = two_ways(&model);
        let budget = Budget::unlimited();
        let (allowed, goal) = (small.set(&small.allowed), small.set(&small.goal));
        for best in [Best::Least, Best::Greatest] {
            let until = |one: &Analysis<'_>| one.until(&allowed, &goal, best, &budget).unwrap();
            let (one, other) = (until(&plain), until(&lumped));
            agree(&one, &other)?;
            if let Some(classes) = lumped.classes() {
                prop_assert!(classes <= small.choices.len() + 1, "{classes}");
            }
            let (chosen, _) = chain(&model, &rewards, &other.chosen);
            let followed = Analysis::new(&chosen, Precision::default());
            agree(&other, &followed.until(&allowed, &goal, best, &budget).unwrap())?;

            let earned = |one: &Analysis<'_>| {
                one.reward_until(&rewards, &goal, best, &budget).unwrap()
            };
            let (one, other) = (earned(&plain), earned(&lumped));
            agree(&one, &other)?;
            let (chosen, kept) = chain(&model, &rewards, &other.chosen);
            let followed = Analysis::new(&chosen, Precision::default());
            let mut followed = followed.reward_until(&kept, &goal, best, &budget).unwrap();
            // Where the goal may be missed, no choice is said to be the one that misses it.
            for state in 0..other.lower.len() {
                if other.lower[state].is_infinite() {
                    (followed.lower[state], followed.upper[state]) = (f64::INFINITY, f64::INFINITY);
                }
            }
            agree(&other, &followed)?;

            for window in [(0, Some(steps)), (1, Some(steps + 1)), (2, None)] {
                let within = |one: &Analysis<'_>| {
                    one.until_within(&allowed, &goal, window, best, &budget).unwrap()
                };
                agree(&within(&plain), &within(&lumped))?;
            }
            let within = |one: &Analysis<'_>| {
                one.reward_within(&rewards, steps, best, &budget).unwrap()
            };
            agree(&within(&plain), &within(&lumped))?;
        }
    }

    #[test]
    fn continuous_chains_and_their_quotients_agree(small in models(1), time in 0.0f64..9.0) {
        let (model, rewards) = small.model(Kind::Ctmc);
        let [plain, lumped] = two_ways(&model);
        let budget = Budget::unlimited();
        let (allowed, goal) = (small.set(&small.allowed), small.set(&small.goal));
        for (from, to) in [(0.0, Some(time)), (time, Some(time + 1.0)), (time, None)] {
            let until = |one: &Analysis<'_>| {
                one.until_between(&allowed, &goal, from, to, &budget).unwrap()
            };
            agree(&until(&plain), &until(&lumped))?;
        }
        let until = |one: &Analysis<'_>| {
            one.until(&allowed, &goal, Best::Greatest, &budget).unwrap()
        };
        agree(&until(&plain), &until(&lumped))?;
        let at = |one: &Analysis<'_>| one.reward_at(&rewards, time, &budget).unwrap();
        agree(&at(&plain), &at(&lumped))?;
        let by = |one: &Analysis<'_>| one.reward_by(&rewards, time, &budget).unwrap();
        agree(&by(&plain), &by(&lumped))?;
        let until = |one: &Analysis<'_>| {
            one.reward_until(&rewards, &goal, Best::Least, &budget).unwrap()
        };
        agree(&until(&plain), &until(&lumped))?;
    }
}

#[test]
fn what_a_question_looks_at_is_not_taken_together() {
    // Two coins, of which only one is looked at.
    let mut builder = Builder::new(Kind::Dtmc);
    for _ in 0..2 {
        builder.choice(0);
        builder.branch(2, 0.5);
        builder.branch(3, 0.5);
        builder.end_state();
    }
    builder.end_state();
    builder.end_state();
    let model = builder.finish(vec![0]);
    let analysis = Analysis::new(&model, Precision::default()).taking(Bisimulation::Always);
    let all: Bits = (0..4).collect();
    let goal: Bits = [2].into_iter().collect();
    let budget = Budget::unlimited();
    let values = analysis
        .until(&all, &goal, Best::Greatest, &budget)
        .expect("no limit");
    assert_eq!(analysis.classes(), Some(3));
    for (state, exact) in [0.5, 0.5, 1.0, 0.0].into_iter().enumerate() {
        assert!(values.lower[state] <= exact && exact <= values.upper[state]);
    }
}

/// Two walkers on a line, of which one moves at a time: by chance, or as is chosen. Nothing tells
/// them apart, and sweeps find out slowly how long it takes until both are at the end.
fn walkers(kind: Kind) -> (Markov, Rewards, Bits) {
    const LINE: usize = 70;
    let place = |one: usize, other: usize| (one * LINE + other) as u32;
    let moved = |at: usize| [at.saturating_sub(1), at + 1];
    let mut builder = Builder::new(kind);
    let mut rewards = Rewards::default();
    for (one, other) in (0..LINE).flat_map(|one| (0..LINE).map(move |other| (one, other))) {
        let first = moved(one).map(|to| (to, other));
        let second = moved(other).map(|to| (one, to));
        let choices: Vec<Vec<(usize, usize)>> = match kind {
            Kind::Mdp => vec![first.to_vec(), second.to_vec()],
            _ => vec![[first, second].concat()],
        };
        for targets in choices {
            builder.choice(0);
            let share = 1.0 / targets.len() as f64;
            let mut targets: Vec<u32> = targets
                .into_iter()
                .map(|(one, other)| place(one.min(LINE - 1), other.min(LINE - 1)))
                .collect();
            targets.sort_unstable();
            for same in targets.chunk_by(|one, other| one == other) {
                builder.branch(same[0], share * same.len() as f64);
            }
            rewards.choices.push(1.0);
        }
        builder.end_state();
        rewards.states.push(0.0);
    }
    let goal = [place(LINE - 1, LINE - 1) as usize].into_iter().collect();
    (builder.finish(vec![0]), rewards, goal)
}

#[test]
fn where_sweeps_are_slow_states_are_taken_together() {
    let budget = Budget::unlimited();
    for kind in [Kind::Dtmc, Kind::Mdp] {
        let (model, rewards, goal) = walkers(kind);
        let [plain, _] = two_ways(&model);
        let lumped = Analysis::new(&model, Precision::default());
        let steps = |one: &Analysis<'_>| {
            one.reward_until(&rewards, &goal, Best::Least, &budget)
                .expect("no limit")
        };
        let (expected, found) = (steps(&plain), steps(&lumped));
        assert_eq!(
            (plain.classes(), lumped.classes()),
            (None, Some(70 * 71 / 2))
        );
        agree(&expected, &found).expect("both are bounds");
        // The strategy of the quotient is one of the model.
        let (chain, earned) = chain(&model, &rewards, &found.chosen);
        let again = Analysis::new(&chain, Precision::default()).taking(Bisimulation::Never);
        let again = again
            .reward_until(&earned, &goal, Best::Least, &budget)
            .expect("no limit");
        agree(&expected, &again).expect("the strategy attains what is said");
    }
}
