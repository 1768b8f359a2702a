//! Random small models against exact fractions: the bounds always contain the exact value.

use proptest::prelude::*;
use quotient_bits::Bits;
use quotient_core::Budget;
use quotient_markov::{Builder, Kind, Markov, Rational, Rewards, exactly, nearest, whole};
use quotient_probability::{Analysis, Best, Precision, Values};

/// Choices of each state, each with shares of targets; what they earn.
#[derive(Debug, Clone)]
struct Small {
    choices: Vec<Vec<Vec<(usize, i64)>>>,
    earned: Vec<Vec<i64>>,
    goal: Vec<bool>,
    allowed: Vec<bool>,
}

fn models(most_choices: usize) -> impl Strategy<Value = Small> {
    (2usize..6).prop_flat_map(move |states| {
        let branch = (0..states, 1i64..5);
        let choice = prop::collection::vec(branch, 1..4);
        let choices = prop::collection::vec(choice, 1..=most_choices);
        (
            prop::collection::vec(choices, states),
            prop::collection::vec(prop::collection::vec(0i64..3, most_choices), states),
            prop::collection::vec(prop::bool::weighted(0.3), states),
            prop::collection::vec(prop::bool::weighted(0.8), states),
        )
            .prop_map(|(choices, earned, goal, allowed)| Small {
                choices,
                earned,
                goal,
                allowed,
            })
    })
}

impl Small {
    fn states(&self) -> usize {
        self.choices.len()
    }

    /// The exact probabilities of a choice.
    fn weights(&self, state: usize, choice: usize) -> Vec<Rational> {
        let mut weights = vec![whole(0); self.states()];
        let branches = &self.choices[state][choice];
        let sum: i64 = branches.iter().map(|(_, share)| share).sum();
        for &(target, share) in branches {
            weights[target] += Rational::new(share, sum);
        }
        weights
    }

    fn model(&self, kind: Kind) -> Markov {
        let mut builder = Builder::new(kind);
        for state in 0..self.states() {
            for choice in 0..self.choices[state].len() {
                builder.choice(0);
                builder.note_error(1.2e-16);
                for (target, weight) in self.weights(state, choice).iter().enumerate() {
                    if *weight != whole(0) {
                        builder.branch(target as u32, nearest(weight));
                    }
                }
            }
            builder.end_state();
        }
        builder.finish(vec![0])
    }

    fn rewards(&self) -> Rewards {
        let choices = self.choices.iter().zip(&self.earned);
        Rewards {
            states: vec![0.0; self.states()],
            choices: choices
                .flat_map(|(choices, earned)| earned[..choices.len()].iter().map(|&one| one as f64))
                .collect(),
            ..Rewards::default()
        }
    }

    fn set(&self, truth: &[bool]) -> Bits {
        let mut set = Bits::with_capacity(self.states());
        for (state, &holds) in truth.iter().enumerate() {
            set.set(state, holds);
        }
        set
    }

    /// All ways to choose once and for all.
    fn policies(&self) -> Vec<Vec<usize>> {
        let mut all = vec![Vec::new()];
        for choices in &self.choices {
            let longer = all.iter().flat_map(|policy: &Vec<usize>| {
                (0..choices.len()).map(move |choice| {
                    let mut policy = policy.clone();
                    policy.push(choice);
                    policy
                })
            });
            all = longer.collect();
        }
        all
    }

    /// Which states reach a set with some probability, through allowed ones.
    fn reaching(&self, policy: &[usize], allowed: &[bool], goal: &[bool]) -> Vec<bool> {
        let mut found = goal.to_vec();
        for _ in 0..self.states() {
            for state in 0..self.states() {
                let leads = self.choices[state][policy[state]]
                    .iter()
                    .any(|(to, _)| found[*to]);
                found[state] |= allowed[state] && leads;
            }
        }
        found
    }

    /// The exact probability of `allowed U goal` for fixed choices.
    fn probability(&self, policy: &[usize]) -> Vec<Rational> {
        let reaching = self.reaching(policy, &self.allowed, &self.goal);
        let open: Vec<usize> = (0..self.states())
            .filter(|&state| reaching[state] && !self.goal[state])
            .collect();
        let constant = |state: usize| -> Rational {
            let weights = self.weights(state, policy[state]);
            (0..self.states())
                .filter(|&to| self.goal[to])
                .map(|to| weights[to].clone())
                .sum()
        };
        let solved = self.solve(policy, &open, constant);
        let mut values: Vec<Rational> = self
            .goal
            .iter()
            .map(|&goal| whole(i64::from(goal)))
            .collect();
        for (state, value) in open.into_iter().zip(solved) {
            values[state] = value;
        }
        values
    }

    /// The exact expected reward until the goal for fixed choices; none is infinity.
    fn reward(&self, policy: &[usize]) -> Vec<Option<Rational>> {
        let all = vec![true; self.states()];
        let reaching = self.reaching(policy, &all, &self.goal);
        let never: Vec<bool> = reaching.iter().map(|one| !one).collect();
        let open: Vec<bool> = self.goal.iter().map(|one| !one).collect();
        let unsure = self.reaching(policy, &open, &never);
        let open: Vec<usize> = (0..self.states())
            .filter(|&state| !unsure[state] && !self.goal[state])
            .collect();
        let constant = |state: usize| whole(self.earned[state][policy[state]]);
        let solved = self.solve(policy, &open, constant);
        let mut values: Vec<Option<Rational>> = unsure
            .iter()
            .map(|&unsure| (!unsure).then(|| whole(0)))
            .collect();
        for (state, value) in open.into_iter().zip(solved) {
            values[state] = Some(value);
        }
        values
    }

    /// Solves `x = constant + P x` over some states by elimination.
    fn solve(
        &self,
        policy: &[usize],
        open: &[usize],
        constant: impl Fn(usize) -> Rational,
    ) -> Vec<Rational> {
        let size = open.len();
        let mut rows: Vec<Vec<Rational>> = open
            .iter()
            .enumerate()
            .map(|(number, &state)| {
                let weights = self.weights(state, policy[state]);
                let mut row: Vec<Rational> = open.iter().map(|&to| -weights[to].clone()).collect();
                row[number] += whole(1);
                row.push(constant(state));
                row
            })
            .collect();
        for step in 0..size {
            let pivot = (step..size)
                .find(|&row| rows[row][step] != whole(0))
                .unwrap();
            rows.swap(step, pivot);
            let head = rows[step].clone();
            for (number, row) in rows.iter_mut().enumerate() {
                if number == step {
                    continue;
                }
                let factor = &row[step] / &head[step];
                for (cell, above) in row.iter_mut().zip(&head) {
                    *cell -= &factor * above;
                }
            }
        }
        (0..size)
            .map(|row| &rows[row][size] / &rows[row][row])
            .collect()
    }
}

fn contains(values: &Values, state: usize, exact: Option<&Rational>) -> Result<(), TestCaseError> {
    let (low, high) = (values.lower[state], values.upper[state]);
    match exact {
        Some(exact) => {
            let below = exactly(low).is_some_and(|low| low <= *exact);
            let above = exactly(high).is_none_or(|high| *exact <= high);
            prop_assert!(
                below && above,
                "state {state}: {exact} not in [{low}, {high}]"
            );
            let near = high - low <= 1e-6 * high.max(1.0);
            prop_assert!(near, "state {state}: [{low}, {high}] is wide");
        }
        None => prop_assert!(
            low.is_infinite() && high.is_infinite(),
            "state {state}: {low} {high}"
        ),
    }
    Ok(())
}

/// The best of several; none is infinity.
fn best(all: &[Vec<Option<Rational>>], state: usize, least: bool) -> Option<Rational> {
    let mut best = all[0][state].clone();
    for values in all {
        let less = match (&values[state], &best) {
            (Some(one), Some(other)) => one < other,
            (Some(_), None) => true,
            _ => false,
        };
        let more = match (&values[state], &best) {
            (Some(one), Some(other)) => one > other,
            (None, Some(_)) => true,
            _ => false,
        };
        if if least { less } else { more } {
            best.clone_from(&values[state]);
        }
    }
    best
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn bounds_of_chains_contain_the_exact_value(small in models(1)) {
        let model = small.model(Kind::Dtmc);
        let analysis = Analysis::new(&model, Precision::default());
        let budget = Budget::unlimited();
        let (allowed, goal) = (small.set(&small.allowed), small.set(&small.goal));
        let policy = vec![0; small.states()];
        let exact = small.probability(&policy);
        for best in [Best::Least, Best::Greatest] {
            let values = analysis.until(&allowed, &goal, best, &budget).unwrap();
            for (state, exact) in exact.iter().enumerate() {
                contains(&values, state, Some(exact))?;
            }
        }
        let exact = small.reward(&policy);
        let values = analysis.reward_until(&small.rewards(), &goal, Best::Least, &budget).unwrap();
        for (state, exact) in exact.iter().enumerate() {
            contains(&values, state, exact.as_ref())?;
        }
    }

    #[test]
    fn bounds_of_decision_processes_contain_the_best_of_all_policies(small in models(2)) {
        let model = small.model(Kind::Mdp);
        let analysis = Analysis::new(&model, Precision::default());
        let budget = Budget::unlimited();
        let (allowed, goal) = (small.set(&small.allowed), small.set(&small.goal));
        let policies = small.policies();
        let chances: Vec<Vec<Option<Rational>>> = policies
            .iter()
            .map(|policy| small.probability(policy).into_iter().map(Some).collect())
            .collect();
        let rewards: Vec<Vec<Option<Rational>>> =
            policies.iter().map(|policy| small.reward(policy)).collect();
        for (which, least) in [(Best::Least, true), (Best::Greatest, false)] {
            let values = analysis.until(&allowed, &goal, which, &budget).unwrap();
            let earned = analysis.reward_until(&small.rewards(), &goal, which, &budget).unwrap();
            for state in 0..small.states() {
                contains(&values, state, best(&chances, state, least).as_ref())?;
                contains(&earned, state, best(&rewards, state, least).as_ref())?;
            }
        }
    }

    #[test]
    fn steps_converge_to_the_unbounded_value_from_below(small in models(2)) {
        let model = small.model(Kind::Mdp);
        let analysis = Analysis::new(&model, Precision::default());
        let budget = Budget::unlimited();
        let (allowed, goal) = (small.set(&small.allowed), small.set(&small.goal));
        let ever = analysis.until(&allowed, &goal, Best::Greatest, &budget).unwrap();
        let mut before = vec![0.0; small.states()];
        for steps in [0, 1, 3, 9] {
            let window = (0, Some(steps));
            let within = analysis
                .until_within(&allowed, &goal, window, Best::Greatest, &budget)
                .unwrap();
            for (state, before) in before.iter().enumerate() {
                prop_assert!(within.lower[state] <= ever.upper[state]);
                prop_assert!(*before <= within.upper[state]);
            }
            before = within.lower;
        }
    }
}
