//! The common premise of the symmetric rule: does a word outside all assumptions break the
//! property?
//!
//! A breadth-first search finds such a word where there is a short one, and one that heads for
//! the goal often finds a longer one. To see that there is none they would have to meet all
//! combinations of states, so that after a while the watchers are put together one by one
//! instead: states from which not all can come to be outside are cut off, actions that no other
//! watcher knows become silent, and what is left is made as small as can be.

use std::sync::Arc;

use quotient_core::{Budget, Stop};
use rustc_hash::FxHashMap;

use super::premise::shortest_to;
use super::towards::way_to;
use crate::operations::{complete, hide, minimise, towards_error};
use crate::product::{Part, Product};
use crate::{Action, ERROR, Equivalence, Lts, LtsBuilder, State};

/// How much of the plain search is worth a try.
const SEARCH_FIRST: u64 = 1_000_000;

/// A word outside all assumptions that breaks the property.
pub(crate) fn word_outside_all(
    breach: &Watcher,
    assumptions: &[Arc<Lts>],
    budget: &Budget,
) -> Result<Option<Vec<Action>>, Stop> {
    let mut watchers = vec![breach.clone()];
    watchers.extend(
        assumptions
            .iter()
            .map(|assumption| Watcher::new(&complete(assumption))),
    );
    let parts = watchers
        .iter()
        .map(|watcher| Part::new(watcher.lts.clone()));
    let product = Product::new(parts.collect())?;
    let goal: Vec<State> = watchers.iter().map(|watcher| watcher.outside).collect();
    let first = || budget.child_with_work(SEARCH_FIRST);
    for search in [shortest_to, way_to] {
        match search(&product, &goal, &first()) {
            Err(Stop::Work) => budget.poll()?,
            answer => return answer,
        }
    }
    match can_all_be_outside(&watchers, budget)? {
        true => way_to(&product, &goal, budget),
        false => Ok(None),
    }
}

/// A complete system with the state that it stays in once a word is outside.
#[derive(Clone)]
pub(crate) struct Watcher {
    lts: Arc<Lts>,
    outside: State,
}

impl Watcher {
    /// From a system in which all that is outside leads to the error state.
    pub(crate) fn new(lts: &Lts) -> Watcher {
        let outside = State::from_index(lts.states());
        let place = |state: State| if state == ERROR { outside } else { state };
        let mut builder = LtsBuilder::new();
        builder
            .alphabet(lts.alphabet().iter().copied())
            .initial(place(lts.initial()));
        for (from, edge) in lts.all_edges() {
            builder.edge(from, edge.action, place(edge.target));
        }
        for &action in lts.alphabet() {
            builder.edge(outside, action, outside);
        }
        builder.at_least(lts.states() + 1);
        Watcher {
            lts: Arc::new(builder.build()),
            outside,
        }
    }
}

/// Whether some word takes all watchers outside.
fn can_all_be_outside(watchers: &[Watcher], budget: &Budget) -> Result<bool, Stop> {
    // Nobody is always outside.
    let mut all = Watcher {
        lts: Arc::new(LtsBuilder::new().build()),
        outside: State::from_index(0),
    };
    let mut rest: Vec<&Watcher> = watchers.iter().collect();
    // Next comes the one after which the fewest actions are left that matter to others.
    while let Some(next) = (0..rest.len()).min_by_key(|&at| left_open(&all, &rest, at)) {
        let next = rest.remove(next);
        let both = both_outside(&all, next, budget)?;
        if !both.has_error() {
            return Ok(false);
        }
        let is_private = |action| !rest.iter().any(|other| other.lts.knows(action));
        let both = minimise(&hide(&both, is_private), Equivalence::Strong, budget)?;
        all = Watcher::new(&minimise(&both, Equivalence::Weak, budget)?);
    }
    Ok(true)
}

fn left_open(all: &Watcher, rest: &[&Watcher], next: usize) -> usize {
    let mut known: Vec<Action> = [&all.lts, &rest[next].lts]
        .iter()
        .flat_map(|lts| lts.alphabet().iter().copied())
        .collect();
    known.sort_unstable();
    known.dedup();
    let others = || rest.iter().enumerate().filter(|&(at, _)| at != next);
    let open = |action: &&Action| others().any(|(_, other)| other.lts.knows(**action));
    known.iter().filter(open).count()
}

/// Two watchers side by side. The error state is where both are outside; states from which
/// that cannot be are left out.
fn both_outside(left: &Watcher, right: &Watcher, budget: &Budget) -> Result<Lts, Stop> {
    let mut numbers: FxHashMap<(State, State), State> = FxHashMap::default();
    let mut pairs: Vec<(State, State)> = Vec::new();
    let mut builder = LtsBuilder::new();
    let mut number = |pair: (State, State), pairs: &mut Vec<(State, State)>| {
        if pair == (left.outside, right.outside) {
            return ERROR;
        }
        *numbers.entry(pair).or_insert_with(|| {
            pairs.push(pair);
            State::from_index(pairs.len() - 1)
        })
    };
    let initial = number((left.lts.initial(), right.lts.initial()), &mut pairs);
    builder.initial(initial);
    let mut from = 0;
    while let Some(&(l, r)) = pairs.get(from) {
        let mut steps = 1;
        for edge in left.lts.edges(l) {
            let shared = !edge.action.is_tau() && right.lts.knows(edge.action);
            let rights: &[_] = match shared {
                true => right.lts.successors(r, edge.action),
                false => &[],
            };
            if !shared {
                let to = number((edge.target, r), &mut pairs);
                builder.edge(State::from_index(from), edge.action, to);
            }
            for other in rights {
                let to = number((edge.target, other.target), &mut pairs);
                builder.edge(State::from_index(from), edge.action, to);
            }
            steps += 1 + rights.len() as u64;
        }
        for edge in right.lts.edges(r) {
            if edge.action.is_tau() || !left.lts.knows(edge.action) {
                let to = number((l, edge.target), &mut pairs);
                builder.edge(State::from_index(from), edge.action, to);
            }
            steps += 1;
        }
        budget.charge(steps)?;
        from += 1;
    }
    builder
        .alphabet(left.lts.alphabet().iter().copied())
        .alphabet(right.lts.alphabet().iter().copied())
        .at_least(pairs.len());
    Ok(towards_error(&builder.build()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use quotient_core::Budget;

    use super::*;
    use crate::Actions;

    /// Watchers over some of four actions: for each, the targets of its states by action,
    /// the last number for the error state.
    fn watchers() -> impl Strategy<Value = Vec<Lts>> {
        let watcher = (1u32..4, 0usize..16).prop_flat_map(|(states, letters)| {
            let edges = proptest::collection::vec(0..=states, states as usize * 4);
            edges.prop_map(move |targets| {
                let mut actions = Actions::new();
                let all = ["a", "b", "c", "d"].map(|name| actions.intern(name));
                let mut builder = LtsBuilder::new();
                builder.at_least(states as usize);
                for (at, target) in targets.into_iter().enumerate() {
                    let (from, letter) = (at as u32 / 4, at % 4);
                    if letters >> letter & 1 == 1 {
                        let target = match target == states {
                            true => ERROR,
                            false => target.into(),
                        };
                        builder.edge(from, all[letter], target);
                    }
                }
                builder.build()
            })
        });
        proptest::collection::vec(watcher, 1..6)
    }

    proptest! {
        #[test]
        fn step_by_step_is_as_all_at_once(all in watchers()) {
            let watchers: Vec<Watcher> = all.iter().map(Watcher::new).collect();
            let parts = watchers.iter().map(|watcher| Part::new(watcher.lts.clone()));
            let product = Product::new(parts.collect()).unwrap();
            let goal: Vec<State> = watchers.iter().map(|watcher| watcher.outside).collect();
            let word = shortest_to(&product, &goal, &Budget::unlimited()).unwrap();
            let can = can_all_be_outside(&watchers, &Budget::unlimited()).unwrap();
            prop_assert_eq!(can, word.is_some());
            let way = way_to(&product, &goal, &Budget::unlimited()).unwrap();
            prop_assert_eq!(can, way.is_some());
            for watcher in way.iter().flat_map(|way| watchers.iter().map(move |w| (way, w))) {
                let (way, Watcher { lts, outside }) = watcher;
                let own = way.iter().filter(|&&action| lts.knows(action));
                let end = own.fold(lts.initial(), |at, &action| lts.successors(at, action)[0].target);
                prop_assert_eq!(end, *outside);
            }
        }
    }
}
