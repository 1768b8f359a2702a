//! A model beside the number of steps so far, for objectives with bounds on steps.
//!
//! Steps are counted up to a last number, after which they need not be told apart. A path with a
//! bound is then one without: what is reached counts only where the number of steps fits.

use std::collections::HashMap;

use quotient_bits::Bits;
use quotient_core::{Budget, Rejection};
use quotient_markov::{Markov, StateId};

use crate::product::Laying;

/// Not before so many steps, and not after so many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) from: u64,
    pub(crate) to: Option<u64>,
}

impl Window {
    /// From this number of steps on nothing changes any more.
    pub(crate) fn last(&self) -> u64 {
        self.to
            .map_or(self.from, |to| to.max(self.from).saturating_add(1))
    }

    fn contains(&self, step: u64) -> bool {
        self.from <= step && self.to.is_none_or(|to| step <= to)
    }
}

/// A model beside the number of steps so far, from its only initial state; states are in the order of
/// a breadth-first search.
pub(crate) struct Stepped {
    pub(crate) model: Markov,
    /// The state of the model that each state is, and the number of steps.
    places: Vec<(u32, u32)>,
    /// The choice of the model that each choice is, and the number of steps before it.
    origin: Vec<(u32, u32)>,
}

/// Sets a model beside its steps up to a last number, if that has no more states than these.
pub(crate) fn stepped(
    model: &Markov,
    last: u64,
    most: usize,
    budget: &Budget,
) -> Result<Stepped, Rejection> {
    let too_large =
        || Rejection::unreadable("the model beside the number of steps is too large to be built");
    let &[start] = &model.initial[..] else {
        let text = "several objectives are for models with one initial state";
        return Err(Rejection::unreadable(text));
    };
    let last = u32::try_from(last).map_err(|_| too_large())?;
    let start = (start.number(), 0u32);
    let mut number_of = HashMap::from([(start, 0u32)]);
    let mut places = vec![start];
    let mut laying = Laying::new(model);
    let mut origin = Vec::new();
    let mut at = 0;
    while at < places.len() {
        if places.len() > most {
            return Err(too_large());
        }
        let (state, step) = places[at];
        at += 1;
        let next = (step + 1).min(last);
        for choice in model.choices_of(StateId::new(state)) {
            budget.charge(1)?;
            let mut sorted: Vec<usize> = model.branches_of(choice).collect();
            sorted.sort_by_key(|&branch| model.targets[branch]);
            let mut branches = Vec::with_capacity(sorted.len());
            for branch in sorted {
                let place = (model.targets[branch].number(), next);
                let number = *number_of.entry(place).or_insert_with(|| {
                    places.push(place);
                    places.len() as u32 - 1
                });
                branches.push((number, branch));
            }
            laying.choice(branches.into_iter());
            origin.push((choice.number(), step));
        }
        laying.end_state();
    }
    let none = Bits::with_capacity(places.len());
    Ok(Stepped {
        model: laying.finish(none, vec![0]).model,
        places,
        origin,
    })
}

impl Stepped {
    /// The states that are in a set of the model, after numbers of steps that fit.
    pub(crate) fn set(&self, set: &Bits, window: Option<&Window>) -> Bits {
        let fits = |&at: &usize| {
            let (state, step) = self.places[at];
            let when = window.is_none_or(|window| window.contains(u64::from(step)));
            when && set.contains(state as usize)
        };
        let mut found = Bits::with_capacity(self.places.len());
        found.extend((0..self.places.len()).filter(fits));
        found
    }

    /// What each choice earns, by what those of the model do, and up to a number of steps.
    pub(crate) fn earned<N: Clone>(
        &self,
        of_model: &[N],
        until: Option<u64>,
        nothing: &N,
    ) -> Vec<N> {
        let earned = |&(choice, step): &(u32, u32)| match until {
            Some(until) if u64::from(step) >= until => nothing.clone(),
            _ => of_model[choice as usize].clone(),
        };
        self.origin.iter().map(earned).collect()
    }
}
