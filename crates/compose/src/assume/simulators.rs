//! Which states of a larger system each state of a smaller one can stand in for.

use quotient_bits::Bits;
use quotient_core::{Budget, Stop};
use rustc_hash::FxHashMap;

use crate::graph::Sources;
use crate::{Action, ERROR, Lts, State};

/// Puts states together that the same states of `larger` simulate, of those that are met when
/// both do the same: for each state the number of its block. Actions that `larger` does not
/// know count as silent.
///
/// If `larger` simulates the whole, what the blocks can do it can do as well: a step from one
/// block to another is one of a member, and all states that simulate this one simulate all.
pub(super) fn by_simulating_states(
    lts: &Lts,
    larger: &Lts,
    budget: &Budget,
) -> Result<Vec<u32>, Stop> {
    let simulating = simulating(lts, larger, budget)?;
    let met = met_together(lts, larger, &simulating, budget)?;
    let mut numbers: FxHashMap<&Bits, u32> = FxHashMap::default();
    let number = |states| {
        let fresh = numbers.len() as u32;
        *numbers.entry(states).or_insert(fresh)
    };
    Ok(met.iter().map(number).collect())
}

/// The largest simulation: for each state those of `larger` that can follow it for ever.
fn simulating(lts: &Lts, larger: &Lts, budget: &Budget) -> Result<Vec<Bits>, Stop> {
    let mut all = Bits::with_capacity(larger.states());
    all.insert_range(..);
    let mut simulating = vec![all; lts.states()];
    let sources = Sources::new(lts);
    let mut waiting: Vec<State> = lts.all_states().collect();
    let mut waits = vec![true; lts.states()];
    while let Some(state) = waiting.pop() {
        waits[state.index()] = false;
        let mut left = simulating[state.index()].clone();
        let before = left.count_ones(..);
        for edge in lts.edges(state).iter().filter(|edge| edge.target != ERROR) {
            let after = &simulating[edge.target.index()];
            budget.charge(left.count_ones(..) as u64 + 1)?;
            match larger.knows(edge.action) {
                false => left.intersect_with(after),
                true => {
                    let cannot: Vec<usize> = left
                        .ones()
                        .filter(|&other| {
                            let targets = larger.successors(State::from_index(other), edge.action);
                            !targets.iter().any(|to| after.contains(to.target.index()))
                        })
                        .collect();
                    cannot.into_iter().for_each(|other| left.set(other, false));
                }
            }
        }
        if left.count_ones(..) < before {
            simulating[state.index()] = left;
            for &source in sources.of(state) {
                if !std::mem::replace(&mut waits[source.index()], true) {
                    waiting.push(source);
                }
            }
        }
    }
    Ok(simulating)
}

/// The pairs of a simulation that are met from the two initial states.
fn met_together(
    lts: &Lts,
    larger: &Lts,
    simulating: &[Bits],
    budget: &Budget,
) -> Result<Vec<Bits>, Stop> {
    let mut met = vec![Bits::with_capacity(larger.states()); lts.states()];
    let mut waiting = Vec::new();
    let mut meet = |pair: (State, State), waiting: &mut Vec<(State, State)>| {
        let (state, other) = (pair.0.index(), pair.1.index());
        if simulating[state].contains(other) && !met[state].put(other) {
            waiting.push(pair);
        }
    };
    if lts.initial() != ERROR {
        meet((lts.initial(), larger.initial()), &mut waiting);
    }
    while let Some((state, other)) = waiting.pop() {
        for edge in lts.edges(state).iter().filter(|edge| edge.target != ERROR) {
            let targets = steps(larger, other, edge.action);
            budget.charge(targets.len() as u64 + 1)?;
            for target in targets {
                meet((edge.target, target), &mut waiting);
            }
        }
    }
    Ok(met)
}

/// Where an action takes a state: nowhere else if it is not known.
fn steps(lts: &Lts, state: State, action: Action) -> Vec<State> {
    match lts.knows(action) {
        false => vec![state],
        true => {
            let edges = lts.successors(state, action).iter();
            edges.map(|edge| edge.target).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::{Actions, LtsBuilder};

    /// The system with its states in blocks.
    fn in_blocks(lts: &Lts, blocks: &[u32]) -> Lts {
        let mut builder = LtsBuilder::new();
        builder
            .alphabet(lts.alphabet().iter().copied())
            .initial(blocks[lts.initial().index()]);
        for (from, edge) in lts.all_edges() {
            let to = blocks[edge.target.index()];
            builder.edge(blocks[from.index()], edge.action, to);
        }
        builder.build()
    }

    fn words(lts: &Lts, length: usize) -> BTreeSet<Vec<Action>> {
        let mut words = BTreeSet::new();
        let mut waiting = vec![(lts.initial(), Vec::new())];
        while let Some((state, word)) = waiting.pop() {
            if word.len() < length {
                for edge in lts.edges(state) {
                    let mut word = word.clone();
                    word.push(edge.action);
                    waiting.push((edge.target, word));
                }
            }
            words.insert(word);
        }
        words
    }

    proptest! {
        /// Less is possible than the abstraction of a larger system allows, and nothing of the
        /// system itself is lost.
        #[test]
        fn blocks_can_do_what_the_former_abstraction_can(
            edges in proptest::collection::vec((0u32..5, 0usize..2, 0u32..5), 0..14),
            more in proptest::collection::vec((0u32..5, 0usize..2, 0u32..5), 0..4),
            former in proptest::collection::vec(0u32..3, 5),
        ) {
            let mut actions = Actions::new();
            let letters = ["a", "b"].map(|name| actions.intern(name));
            let build = |edges: &[(u32, usize, u32)]| {
                let mut builder = LtsBuilder::new();
                builder.alphabet(letters).at_least(5);
                for &(from, letter, to) in edges {
                    builder.edge(from, letters[letter], to);
                }
                builder.build()
            };
            let lts = build(&edges);
            let larger = in_blocks(&build(&[edges, more].concat()), &former);
            let blocks = by_simulating_states(&lts, &larger, &Budget::unlimited()).unwrap();
            let now = words(&in_blocks(&lts, &blocks), 4);
            prop_assert!(now.is_subset(&words(&larger, 4)));
            prop_assert!(words(&lts, 4).is_subset(&now));
        }
    }
}
