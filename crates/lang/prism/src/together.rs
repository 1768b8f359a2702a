//! Evidence about several objectives: ways to choose whose mixture attains what was found, and a sum
//! of the objectives that no way exceeds, both on the model beside what has happened on the paths.
//!
//! Each objective is a payment that is to be large: of a path the chance to take it, or to miss it; of
//! a reward what is earned, or its negative.

mod written;

use std::collections::HashMap;

use quotient_bits::Bits;
use quotient_core::{Budget, Diagnostic, Rejection, Trouble};
use quotient_markov::{Markov, Rewards, StateId};
use quotient_probability::{Analysis, Attained, Built, Objective, Precision};

use crate::beside::{Beside, Of, Placed};
use crate::evidence;
use crate::product::Laying;
use crate::stepped::{Stepped, Window, stepped};
use written::as_written;
pub(crate) use written::{ExactCeiling, ExactWay, Payment, Showing, Written};

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
        for choice in built.model.choices_of(StateId::new(state)) {
            let more = rewards.choices.get(choice.index()).copied().unwrap_or(0.0);
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
    let first = (
        start.number(),
        after(&vec![Known::Nothing; paths.len()], start.number()),
    );
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
        for choice in model.choices_of(StateId::new(state)) {
            budget.charge(1)?;
            // The order of branches is nobody's: that of states counts.
            let mut sorted: Vec<usize> = model.branches_of(choice).collect();
            sorted.sort_by_key(|&branch| model.targets[branch]);
            let mut branches = Vec::new();
            for branch in sorted {
                let target = model.targets[branch].number();
                let next = (target, after(&known, target));
                let number = *number_of.entry(next.clone()).or_insert_with(|| {
                    states.push(next);
                    states.len() as u32 - 1
                });
                branches.push((number, branch));
            }
            laying.choice(branches.into_iter());
            origin.push(choice.number());
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
