//! Evidence about several objectives: ways to choose whose mixture attains what was found, and a sum
//! of the objectives that no way exceeds, both on the model beside what has happened on the paths.
//!
//! Each objective is a payment that is to be large: of a path the chance to take it, or to miss it; of
//! a reward what is earned, or its negative.

use std::collections::HashMap;

use quotient_bits::Bits;
use quotient_certify::{Paid, Pay, certify_ceiling, certify_way};
use quotient_core::{Budget, Rejection};
use quotient_markov::{Markov, Rational, Rewards, exactly, whole};
use quotient_probability::{Analysis, Built, Objective, Precision, Shown};
use serde::{Deserialize, Serialize};

use crate::product::Laying;
use crate::{evidence, lines};

/// What is wanted, as the engine was asked.
#[derive(Debug, Clone)]
pub(crate) struct Wanted {
    pub(crate) of: Of,
    /// Whether it is to be small.
    pub(crate) small: bool,
    /// What it has to attain, and whether more than that.
    pub(crate) bound: Option<(f64, bool)>,
}

/// What an objective is about.
#[derive(Debug, Clone)]
pub(crate) enum Of {
    /// Reaching the second states through the first ones.
    Path(Bits, Bits),
    /// What is earned in all by the structure with this number.
    Reward(usize),
}

/// The evidence, as written.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Written {
    states: usize,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    ways: Vec<Way>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ceiling: Option<Ceiling>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Way {
    share: f64,
    /// The choice of each state counted from its first, or -1 where the way does not come to.
    chosen: Vec<i64>,
    /// What is paid for each objective from each state.
    values: Vec<String>,
    steps: String,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Ceiling {
    weights: Vec<f64>,
    values: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    most: Vec<String>,
    steps: String,
}

/// A model beside what has happened on some paths, from its only initial state; states are in the
/// order of a breadth-first search.
pub(crate) struct Watched {
    pub(crate) model: Markov,
    /// The choice of the model that each choice is.
    pub(crate) origin: Vec<u32>,
    /// Where each path has been taken.
    pub(crate) taken: Vec<Bits>,
}

/// What is known of a path: nothing yet, that it was taken, or that it was missed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Known {
    Nothing,
    Taken,
    Missed,
}

/// Sets the model beside its paths, up to so many states.
pub(crate) fn watched(
    model: &Markov,
    paths: &[(&Bits, &Bits)],
    most: usize,
    budget: &Budget,
) -> Result<Watched, Rejection> {
    let &[start] = &model.initial[..] else {
        let text = "several objectives are for models with one initial state";
        return Err(Rejection::unreadable(text));
    };
    let after = |known: &[Known], state: u32| -> Vec<Known> {
        let state = state as usize;
        let next = paths
            .iter()
            .zip(known)
            .map(|((left, right), &known)| match known {
                Known::Nothing if right.contains(state) => Known::Taken,
                Known::Nothing if !left.contains(state) => Known::Missed,
                known => known,
            });
        next.collect()
    };
    let first = (start, after(&vec![Known::Nothing; paths.len()], start));
    let mut number_of = HashMap::from([(first.clone(), 0u32)]);
    let mut states = vec![first];
    let mut laying = Laying::new(model);
    let mut origin = Vec::new();
    let mut at = 0;
    while at < states.len() {
        if states.len() > most {
            let text = "the model beside what has happened is too large to be looked at again";
            return Err(Rejection::unreadable(text));
        }
        let (state, known) = states[at].clone();
        at += 1;
        for choice in model.choices_of(state as usize) {
            budget.charge(1)?;
            // The order of branches is nobody's: that of states counts.
            let mut sorted: Vec<usize> = model.branches_of(choice).collect();
            sorted.sort_by_key(|&branch| model.targets[branch]);
            let mut branches = Vec::new();
            for branch in sorted {
                let target = model.targets[branch];
                let next = (target, after(&known, target));
                let number = *number_of.entry(next.clone()).or_insert_with(|| {
                    states.push(next);
                    states.len() as u32 - 1
                });
                branches.push((number, branch));
            }
            laying.choice(branches.into_iter());
            origin.push(choice as u32);
        }
        laying.end_state();
    }
    let taken = |path: usize| {
        let is_taken = |at: &usize| states[*at].1[path] == Known::Taken;
        let mut set = Bits::with_capacity(states.len());
        set.extend((0..states.len()).filter(is_taken));
        set
    };
    let taken = (0..paths.len()).map(taken).collect();
    let none = Bits::with_capacity(states.len());
    Ok(Watched {
        model: laying.finish(none, vec![0]).model,
        origin,
        taken,
    })
}

/// Evidence for what the engine found; nothing if it is not to be had.
pub(crate) fn written(
    wanted: &[Wanted],
    width: f64,
    built: &Built,
    budget: &Budget,
) -> Option<Written> {
    let (order, model) = evidence::jumps_in_order(built);
    let ordered = |set: &Bits| -> Bits {
        let mut placed = Bits::with_capacity(order.len());
        placed.extend((0..order.len()).filter(|&at| set.contains(order[at] as usize)));
        placed
    };
    let sets = wanted.iter().filter_map(|one| match &one.of {
        Of::Path(left, right) => Some((ordered(left), ordered(right))),
        Of::Reward(_) => None,
    });
    let sets: Vec<(Bits, Bits)> = sets.collect();
    let paths: Vec<_> = sets.iter().map(|(left, right)| (left, right)).collect();
    let watched = watched(&model, &paths, evidence::MOST_STATES, budget).ok()?;
    let analysis = Analysis::new(&watched.model, Precision { width });
    let mut all = Bits::with_capacity(watched.model.states());
    all.insert_range(..);
    let mut taken = watched.taken.iter();
    let mut objectives = Vec::new();
    for one in wanted {
        let mut objective = match &one.of {
            Of::Path(..) => Objective::path(all.clone(), taken.next()?.clone()),
            Of::Reward(structure) => {
                let rewards = earned(built, &order, *structure, &watched);
                Objective::reward(&analysis, &rewards)
            }
        };
        if one.small {
            objective = objective.small();
        }
        if let Some((bound, strictly)) = one.bound {
            objective = objective.to(bound, strictly);
        }
        objectives.push(objective);
    }
    let shown = analysis.shown(&objectives, budget).ok()??;
    Some(as_written(&shown, watched.model.states()))
}

/// What each choice of the model beside its paths earns.
fn earned(built: &Built, order: &[u32], structure: usize, watched: &Watched) -> Rewards {
    let rewards = &built.rewards[structure];
    let mut of_choice = Vec::new();
    for &state in order {
        for choice in built.model.choices_of(state as usize) {
            let more = rewards.choices.get(choice).copied().unwrap_or(0.0);
            of_choice.push(rewards.states[state as usize] + more);
        }
    }
    let choices = watched.origin.iter().map(|&one| of_choice[one as usize]);
    Rewards {
        states: vec![0.0; watched.model.states()],
        choices: choices.collect(),
        exact_states: Vec::new(),
        exact_choices: Vec::new(),
        // Sums are rounded.
        error: rewards.error + 1e-15,
    }
}

fn as_written(shown: &Shown, states: usize) -> Written {
    let line = |numbers: &Vec<f64>| lines::write(numbers.iter().copied());
    let way = |way: &quotient_probability::Way| Way {
        share: way.share,
        chosen: (way.chosen.iter())
            .map(|one| one.map_or(-1, i64::from))
            .collect(),
        values: way.values.iter().map(line).collect(),
        steps: line(&way.steps),
    };
    let ceiling = shown.ceiling.as_ref().map(|ceiling| Ceiling {
        weights: ceiling.weights.clone(),
        values: line(&ceiling.values),
        most: ceiling.most.iter().map(line).collect(),
        steps: line(&ceiling.steps),
    });
    Written {
        states,
        ways: shown.ways.iter().map(way).collect(),
        ceiling,
    }
}

/// A payment that is to be large, as the checker sees it.
pub(crate) struct Payment {
    pub(crate) pay: Pay,
    /// Whether it is the negative of a reward.
    pub(crate) negative: bool,
    /// What has to be paid, and whether more than that.
    pub(crate) bound: Option<(Rational, bool)>,
}

/// What the evidence shows.
pub(crate) enum Showing {
    /// Whether all bounds can be kept.
    Truth(bool),
    /// The most that can be paid for the one objective without a bound.
    Most(Rational, Rational),
}

impl Written {
    /// What the evidence shows about payments in a model beside its paths.
    pub(crate) fn shown(
        &self,
        model: &Markov,
        payments: &[Payment],
        budget: &Budget,
    ) -> Result<Showing, Rejection> {
        if self.states != model.states() {
            return Err(Rejection::wrong("the evidence is about another model"));
        }
        let open = payments.iter().position(|one| one.bound.is_none());
        match (open, &self.ceiling) {
            (None, Some(ceiling)) if self.ways.is_empty() => {
                let (weights, value) = ceiling.shown(model, payments, budget)?;
                let (owed, strictly) = owed(&weights, payments);
                match value < owed || strictly && value == owed {
                    true => Ok(Showing::Truth(false)),
                    false => Err(Rejection::wrong("the bounds may be kept")),
                }
            }
            (None, None) => {
                self.mixed(model, payments, budget)?;
                Ok(Showing::Truth(true))
            }
            (Some(open), Some(ceiling)) => {
                let others = payments.iter().filter(|one| one.bound.is_none());
                if others.count() > 1 {
                    return Err(Rejection::unreadable("more than one number is asked for"));
                }
                let paid = self.mixed(model, payments, budget)?;
                let (weights, value) = ceiling.shown(model, payments, budget)?;
                if weights[open] <= whole(0) {
                    return Err(Rejection::wrong("the sum says nothing about what is asked"));
                }
                let (owed, _) = owed(&weights, payments);
                let most = (value - owed) / &weights[open];
                Ok(Showing::Most(paid[open].clone(), most))
            }
            _ => Err(Rejection::wrong("the evidence does not fit the question")),
        }
    }

    /// What the mixture of the ways pays, all bounds kept.
    fn mixed(
        &self,
        model: &Markov,
        payments: &[Payment],
        budget: &Budget,
    ) -> Result<Vec<Rational>, Rejection> {
        let (mut sums, mut all) = (vec![whole(0); payments.len()], whole(0));
        for way in &self.ways {
            let share = exactly(way.share).filter(|share| *share > whole(0));
            let share = share.ok_or_else(|| Rejection::wrong("a share is not positive"))?;
            if way.values.len() != payments.len() {
                return Err(Rejection::wrong("a way is not paid for each objective"));
            }
            let steps = lines::read(&way.steps, self.states)?;
            let chosen = way.chosen.iter().map(|&one| u32::try_from(one).ok());
            let chosen: Vec<Option<u32>> = chosen.collect();
            for ((payment, values), sum) in payments.iter().zip(&way.values).zip(&mut sums) {
                let paid = Paid::new(&lines::read(values, self.states)?, &steps)?;
                certify_way(model, &chosen, &payment.pay, &paid, budget)?;
                *sum += &share * &paid.values[0];
            }
            all += share;
        }
        if all <= whole(0) {
            return Err(Rejection::wrong("the evidence names no way to choose"));
        }
        for (sum, payment) in sums.iter_mut().zip(payments) {
            *sum /= &all;
            let kept = payment
                .bound
                .as_ref()
                .is_none_or(|(bound, strictly)| *sum > *bound || !strictly && *sum == *bound);
            if !kept {
                return Err(Rejection::wrong(
                    "a bound is not kept by the ways to choose",
                ));
            }
        }
        Ok(sums)
    }
}

impl Ceiling {
    /// The weights, and what no way to choose exceeds of the sum.
    fn shown(
        &self,
        model: &Markov,
        payments: &[Payment],
        budget: &Budget,
    ) -> Result<(Vec<Rational>, Rational), Rejection> {
        let weights = self.weights.iter().map(|&one| exactly(one));
        let weights: Option<Vec<Rational>> = weights.collect();
        let fits = |weights: &Vec<Rational>| {
            weights.len() == payments.len() && weights.iter().all(|weight| *weight >= whole(0))
        };
        let weights = weights
            .filter(fits)
            .ok_or_else(|| Rejection::wrong("a weight is missing or negative"))?;
        let mut sum = Pay {
            earned: vec![whole(0); model.choices()],
            settled: vec![whole(0); model.states()],
        };
        for (weight, payment) in weights.iter().zip(payments) {
            let (earned, settled) = (&payment.pay.earned, &payment.pay.settled);
            sum.earned
                .iter_mut()
                .zip(earned)
                .for_each(|(all, one)| *all += weight * one);
            sum.settled
                .iter_mut()
                .zip(settled)
                .for_each(|(all, one)| *all += weight * one);
        }
        let states = model.states();
        let steps = lines::read(&self.steps, states)?;
        let mut paid = Paid::new(&lines::read(&self.values, states)?, &steps)?;
        let negative = weights.iter().zip(payments).filter(|(_, one)| one.negative);
        let negative: Vec<&Rational> = negative.map(|(weight, _)| weight).collect();
        if negative.len() != self.most.len() {
            return Err(Rejection::wrong("a reward is measured against nothing"));
        }
        for (weight, most) in negative.into_iter().zip(&self.most) {
            let most = Paid::new(&lines::read(most, states)?, &steps)?.values;
            let values = paid.values.iter_mut().zip(&most);
            values.for_each(|(value, most)| *value -= weight * most);
        }
        certify_ceiling(model, &sum, &paid, budget)?;
        Ok((weights, paid.values[0].clone()))
    }
}

/// The sum of all bounds by weight, and whether one of them must be exceeded.
fn owed(weights: &[Rational], payments: &[Payment]) -> (Rational, bool) {
    let (mut sum, mut strict) = (whole(0), false);
    for (weight, payment) in weights.iter().zip(payments) {
        if let Some((bound, strictly)) = &payment.bound {
            sum += weight * bound;
            strict |= *strictly && *weight > whole(0);
        }
    }
    (sum, strict)
}
