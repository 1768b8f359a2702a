//! Evidence about several objectives: ways to choose whose mixture attains what was found, and a sum
//! of the objectives that no way exceeds, both on the model beside what has happened on the paths.
//!
//! Each objective is a payment that is to be large: of a path the chance to take it, or to miss it; of
//! a reward what is earned, or its negative.

use std::collections::HashMap;

use quotient_bits::Bits;
use quotient_certify::{Paid, Pay, certify_ceiling, certify_way};
use quotient_core::{Budget, Diagnostic, Rejection, Trouble};
use quotient_markov::{Markov, Rational, Rewards, exactly, whole};
use quotient_probability::{Analysis, Attained, Built, Objective, Precision, Shown};
use serde::{Deserialize, Serialize};

use crate::beside::{Beside, Of, Placed};
use crate::product::Laying;
use crate::stepped::{Stepped, Window, stepped};
use crate::{evidence, lines};

/// What is wanted, as the engine was asked.
#[derive(Debug, Clone)]
pub(crate) struct Wanted {
    pub(crate) of: Of<usize>,
    /// Whether it is to be small.
    pub(crate) small: bool,
    /// What it has to attain, and whether more than that.
    pub(crate) bound: Option<(f64, bool)>,
}

/// The model beside its steps, if some objective has a bound on them.
pub(crate) fn beside_steps(
    model: &Markov,
    lasts: impl Iterator<Item = Option<u64>>,
    most: usize,
    budget: &Budget,
) -> Result<Option<Stepped>, Rejection> {
    let last = lasts.flatten().max();
    last.map(|last| stepped(model, last, most, budget))
        .transpose()
}

/// A path in a model beside its steps, or in one without.
pub(crate) fn placed(
    (left, right, window): (&Bits, &Bits, Option<&Window>),
    stepped: Option<&Stepped>,
) -> (Bits, Bits) {
    match stepped {
        Some(stepped) => (stepped.set(left, None), stepped.set(right, window)),
        None => (left.clone(), right.clone()),
    }
}

/// What can be attained, for the engine: in the model beside what objectives need.
pub(crate) fn attained(
    wanted: &[Wanted],
    (analysis, begin): (&Analysis<'_>, u32),
    (built, width): (&Built, f64),
    budget: &Budget,
) -> Result<Attained, Trouble> {
    let all = wanted.iter().map(|one| &one.of);
    let beside = Beside::new(&built.model, all, MOST_BESIDE, budget).map_err(unbuilt)?;
    if beside.is_nothing() {
        let placed = wanted.iter().enumerate();
        let objectives = placed.map(|(number, one)| match beside.placed(number, &one.of) {
            Placed::Path(left, right) => one.towards(Objective::path(left, right)),
            Placed::Reward(earned) => {
                let rewards = &built.rewards[earned.by];
                one.towards(Objective::reward(analysis, rewards))
            }
        });
        let objectives: Vec<Objective> = objectives.collect();
        return Ok(analysis.several(begin, &objectives, budget)?);
    }
    let model = beside.model(&built.model);
    let inner = Analysis::new(model, Precision { width });
    let placed = wanted.iter().enumerate();
    let objectives = placed.map(|(number, one)| match beside.placed(number, &one.of) {
        Placed::Path(left, right) => one.towards(Objective::path(left, right)),
        Placed::Reward(earned) => {
            let rewards = &built.rewards[earned.by];
            let by_choice = by_choice(built, 0..built.model.states() as u32, rewards);
            let by_choice = beside.earned(number, earned, &by_choice, &0.0);
            let rewards = by_choices(by_choice, model, rewards);
            one.towards(Objective::reward(&inner, &rewards))
        }
    });
    let objectives: Vec<Objective> = objectives.collect();
    Ok(inner.several(0, &objectives, budget)?)
}

/// Why a model beside something was not built.
pub(crate) fn unbuilt(wrong: Rejection) -> Trouble {
    match wrong {
        Rejection::Stopped(stop) => stop.into(),
        other => Diagnostic::error("too-large", other.to_string()).into(),
    }
}

/// Models beside what objectives need with more states are not built.
const MOST_BESIDE: usize = 5_000_000;

impl Wanted {
    /// An objective with its direction and its bound.
    fn towards(&self, mut objective: Objective) -> Objective {
        if self.small {
            objective = objective.small();
        }
        match self.bound {
            Some((bound, strictly)) => objective.to(bound, strictly),
            None => objective,
        }
    }
}

/// What each choice earns, of states in some order.
fn by_choice(built: &Built, order: impl Iterator<Item = u32>, rewards: &Rewards) -> Vec<f64> {
    let mut of_choice = Vec::new();
    for state in order {
        for choice in built.model.choices_of(state as usize) {
            let more = rewards.choices.get(choice).copied().unwrap_or(0.0);
            of_choice.push(rewards.states[state as usize] + more);
        }
    }
    of_choice
}

/// Rewards by choice alone, which are sums of others.
fn by_choices(choices: Vec<f64>, model: &Markov, of: &Rewards) -> Rewards {
    Rewards {
        states: vec![0.0; model.states()],
        choices,
        exact_states: Vec::new(),
        exact_choices: Vec::new(),
        // Sums are rounded.
        error: of.error + 1e-15,
    }
}

/// The evidence, as written.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Written {
    states: usize,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    ways: Vec<Way>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    ceilings: Vec<Ceiling>,
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
    /// The state of the model that each state is.
    pub(crate) places: Vec<u32>,
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
        places: states.iter().map(|state| state.0).collect(),
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
    let of: Vec<Of<usize>> = wanted.iter().map(|one| one.of.in_order(&order)).collect();
    let most = evidence::MOST_STATES;
    let beside = Beside::new(&model, of.iter(), most, budget).ok()?;
    let sets = beside.paths(of.iter());
    let paths: Vec<_> = sets.iter().map(|(left, right)| (left, right)).collect();
    let watched = watched(beside.model(&model), &paths, most, budget).ok()?;
    let analysis = Analysis::new(&watched.model, Precision { width });
    let mut all = Bits::with_capacity(watched.model.states());
    all.insert_range(..);
    let mut taken = watched.taken.iter();
    let mut objectives = Vec::new();
    for (number, (one, of)) in wanted.iter().zip(&of).enumerate() {
        let objective = match of {
            Of::Path(..) | Of::Linear(..) => Objective::path(all.clone(), taken.next()?.clone()),
            Of::Reward(earning) => {
                let rewards = &built.rewards[earning.by];
                let earned = by_choice(built, order.iter().copied(), rewards);
                let earned = beside.earned(number, earning, &earned, &0.0);
                let earned = watched.origin.iter().map(|&one| earned[one as usize]);
                let rewards = by_choices(earned.collect(), &watched.model, rewards);
                Objective::reward(&analysis, &rewards)
            }
        };
        objectives.push(one.towards(objective));
    }
    let shown = analysis.shown(&objectives, budget).ok()??;
    Some(as_written(&shown, watched.model.states()))
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
    let ceiling = |ceiling: &quotient_probability::Ceiling| Ceiling {
        weights: ceiling.weights.clone(),
        values: line(&ceiling.values),
        most: ceiling.most.iter().map(line).collect(),
        steps: line(&ceiling.steps),
    };
    Written {
        states,
        ways: shown.ways.iter().map(way).collect(),
        ceilings: shown.ceilings.iter().map(ceiling).collect(),
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
    /// Pairs that can be paid for two objectives without bounds, and by how much more than what
    /// mixtures of them pay can be paid of both at once, at most.
    Tradeoff(Vec<[Rational; 2]>, Rational),
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
        let open = payments.iter().enumerate();
        let open = open.filter(|(_, one)| one.bound.is_none());
        let open: Vec<usize> = open.map(|(number, _)| number).collect();
        match (&open[..], &self.ceilings[..]) {
            ([], [ceiling]) if self.ways.is_empty() => {
                let (weights, value) = ceiling.shown(model, payments, budget)?;
                let (owed, strictly) = owed(&weights, payments);
                match value < owed || strictly && value == owed {
                    true => Ok(Showing::Truth(false)),
                    false => Err(Rejection::wrong("the bounds may be kept")),
                }
            }
            ([], []) => {
                self.mixed(model, payments, budget)?;
                Ok(Showing::Truth(true))
            }
            (&[open], [ceiling]) => {
                let paid = self.mixed(model, payments, budget)?;
                let (weights, value) = ceiling.shown(model, payments, budget)?;
                if weights[open] <= whole(0) {
                    return Err(Rejection::wrong("the sum says nothing about what is asked"));
                }
                let (owed, _) = owed(&weights, payments);
                let most = (value - owed) / &weights[open];
                Ok(Showing::Most(paid[open].clone(), most))
            }
            ([_, _], ceilings) if payments.len() == 2 => {
                self.traded_off(ceilings, model, payments, budget)
            }
            _ => Err(Rejection::wrong("the evidence does not fit the question")),
        }
    }

    /// Pairs of which each is paid by one way, in order, and sums that no way exceeds: first the most
    /// of the first objective, then for each two pairs beside each other one sum, last the most of the
    /// second.
    ///
    /// The gap is what these sums exceed the pairs beside them by, at most, with weights that sum up to
    /// one. Let `(x, y)` be paid by some way. With the gap taken from both, its sum by the weights
    /// between two pairs is not more than that of either, and `x` not more than in the first pair. So
    /// where `x` lies between those of two pairs `y` is not more than on the line through them, and
    /// where `x` is less than in the last pair `y` is not more than there.
    fn traded_off(
        &self,
        ceilings: &[Ceiling],
        model: &Markov,
        payments: &[Payment],
        budget: &Budget,
    ) -> Result<Showing, Rejection> {
        if self.ways.is_empty() || ceilings.len() != self.ways.len() + 1 {
            return Err(Rejection::wrong("pairs and sums do not fit each other"));
        }
        let mut pairs = Vec::with_capacity(self.ways.len());
        for way in &self.ways {
            let paid = self.mixed_of(std::slice::from_ref(way), model, payments, budget)?;
            pairs.push([paid[0].clone(), paid[1].clone()]);
        }
        if pairs.windows(2).any(|two| two[0][0] <= two[1][0]) {
            return Err(Rejection::wrong("the pairs are not in order"));
        }
        let mut gap = whole(0);
        for (number, ceiling) in ceilings.iter().enumerate() {
            let (weights, value) = ceiling.shown(model, payments, budget)?;
            let fits = match number {
                0 => weights == [whole(1), whole(0)],
                last if last == pairs.len() => weights == [whole(0), whole(1)],
                _ => weights[1] > whole(0),
            };
            if !fits {
                return Err(Rejection::wrong("a sum does not fit the pairs beside it"));
            }
            let all = &weights[0] + &weights[1];
            let beside = &pairs[number.saturating_sub(1)..pairs.len().min(number + 1)];
            for pair in beside {
                let worth = &weights[0] * &pair[0] + &weights[1] * &pair[1];
                gap = gap.max((&value - worth) / &all);
            }
        }
        Ok(Showing::Tradeoff(pairs, gap))
    }

    /// What the mixture of all ways pays, all bounds kept.
    fn mixed(
        &self,
        model: &Markov,
        payments: &[Payment],
        budget: &Budget,
    ) -> Result<Vec<Rational>, Rejection> {
        self.mixed_of(&self.ways, model, payments, budget)
    }

    /// What the mixture of some ways pays, all bounds kept.
    fn mixed_of(
        &self,
        ways: &[Way],
        model: &Markov,
        payments: &[Payment],
        budget: &Budget,
    ) -> Result<Vec<Rational>, Rejection> {
        let (mut sums, mut all) = (vec![whole(0); payments.len()], whole(0));
        for way in ways {
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
