//! A model beside counters of what is earned, for evidence about bounds on rewards.
//!
//! Each bound gets a counter: above an upper one a run is lost, and a lower one is counted until it
//! is reached. What is left is the chance of reaching one state of a larger model, for which there
//! are bounds that can be checked.

use std::collections::{BTreeMap, BTreeSet};

use quotient_bits::Bits;
use quotient_core::{Budget, Rejection};
use quotient_markov::{ChoiceId, Markov, Rational, StateId, whole};

use crate::product::{Laying, Product};

/// A bound in whole units.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Counter {
    /// What each choice earns. What a state and a choice earn is earned when the state is left.
    pub(crate) earned: Vec<u64>,
    /// The most that may be earned, or what is enough.
    pub(crate) end: u64,
    pub(crate) upper: bool,
}

impl Counter {
    /// A bound on what is earned, exactly; nothing if units are too small to be counted, and
    /// nothing inside if no run can keep it.
    pub(crate) fn new(
        earned: &[Rational],
        amount: &Rational,
        strictly: bool,
        upper: bool,
    ) -> Option<Option<Counter>> {
        let unit = parts_of_one(earned);
        let units = |number: &Rational| (number * &unit).to_u64();
        let amount = amount * &unit;
        let end = match (upper, strictly) {
            (true, false) => amount.floor(),
            (true, true) => amount.ceil() - whole(1),
            (false, false) => amount.ceil(),
            (false, true) => amount.floor() + whole(1),
        };
        if end < whole(0) {
            // Nothing is below nothing; all is above it.
            let all = Counter {
                earned: vec![0; earned.len()],
                end: 0,
                upper,
            };
            return Some((!upper).then_some(all));
        }
        Some(Some(Counter {
            earned: earned.iter().map(units).collect::<Option<Vec<u64>>>()?,
            end: end.to_u64()?,
            upper,
        }))
    }
}

/// Into how many parts one is divided so that all that is earned are whole numbers of them.
pub(crate) fn parts_of_one<'a>(earned: impl IntoIterator<Item = &'a Rational>) -> Rational {
    let mut parts = whole(1);
    for one in earned {
        if !(one * &parts).is_integer() {
            parts *= (one * &parts).denominator();
        }
    }
    parts
}

/// What is lost, and what is won.
const LOST: Place = (0, Vec::new());
const WON: Place = (1, Vec::new());

/// The number of a state, from 2, and what was earned so far.
type Place = (u32, Vec<u64>);

struct Walk<'a> {
    model: &'a Markov,
    counters: &'a [Counter],
    allowed: &'a Bits,
    goal: &'a Bits,
}

impl Walk<'_> {
    fn place(&self, state: u32, counts: &[u64]) -> Place {
        let mut all = self.counters.iter().zip(counts);
        match all.all(|(counter, count)| counter.upper || *count >= counter.end) {
            true if self.goal.contains(state as usize) => WON,
            _ if !self.allowed.contains(state as usize) => LOST,
            _ => (state + 2, counts.to_vec()),
        }
    }

    /// Where a choice leads, branch by branch; nothing if it earns too much.
    fn after(&self, counts: &[u64], choice: usize) -> Option<Vec<u64>> {
        let mut after = Vec::with_capacity(counts.len());
        for (counter, count) in self.counters.iter().zip(counts) {
            let sum = count.saturating_add(counter.earned[choice]);
            match counter.upper {
                true if sum > counter.end => return None,
                true => after.push(sum),
                false => after.push(sum.min(counter.end)),
            }
        }
        Some(after)
    }

    fn choices(&self, (state, counts): &Place) -> Vec<Vec<(Place, usize)>> {
        let state = *state as usize - 2;
        let lead = |choice: ChoiceId| match self.after(counts, choice.index()) {
            None => Vec::new(),
            Some(after) => {
                let branches = self.model.branches_of(choice);
                let to = |branch: usize| {
                    (
                        self.place(self.model.targets[branch].number(), &after),
                        branch,
                    )
                };
                branches.map(to).collect()
            }
        };
        self.model
            .choices_of(StateId::from_index(state))
            .map(lead)
            .collect()
    }
}

/// Puts counters beside a model, up to so many states. The goal is one state, what is won; reaching
/// it is reaching the goal of the model within the bounds, from its initial states.
pub(crate) fn product(
    model: &Markov,
    counters: &[Counter],
    (allowed, goal): (&Bits, &Bits),
    most: usize,
    budget: &Budget,
) -> Result<Product, Rejection> {
    let walk = Walk {
        model,
        counters,
        allowed,
        goal,
    };
    let none = vec![0; counters.len()];
    let first: Vec<Place> = model
        .initial
        .iter()
        .map(|&state| walk.place(state.number(), &none))
        .collect();
    let mut found: BTreeSet<Place> = BTreeSet::from([LOST, WON]);
    let mut waiting = first.clone();
    while let Some(place) = waiting.pop() {
        if !found.insert(place.clone()) {
            continue;
        }
        budget.charge(1)?;
        if found.len() > most {
            return Err(Rejection::unreadable(
                "the model with its counters is too large to be looked at again",
            ));
        }
        let all = walk.choices(&place).into_iter().flatten();
        waiting.extend(all.map(|(to, _)| to).filter(|to| to.0 > 1));
    }
    let numbers: BTreeMap<&Place, u32> = found.iter().zip(0..).collect();
    let mut laying = Laying::new(model);
    for place in &found {
        budget.charge(1)?;
        let choices = match place.0 {
            0 | 1 => vec![Vec::new()],
            _ => walk.choices(place),
        };
        for branches in choices {
            match branches.is_empty() {
                // What is won stays so; else it is lost.
                true => laying.surely(u32::from(*place == WON)),
                false => laying.choice(branches.iter().map(|(to, branch)| (numbers[to], *branch))),
            }
        }
        laying.end_state();
    }
    let first: Vec<u32> = first.iter().map(|place| numbers[place]).collect();
    let mut goal = Bits::with_capacity(found.len());
    goal.insert(1);
    Ok(laying.finish(goal, first))
}
