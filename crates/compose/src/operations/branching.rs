//! Branching bisimulation: finer than weak bisimulation, and cheaper to find.
//!
//! Signatures as of Blom and van de Pol (2009): what a state can do after silent steps that
//! stay in its block. States that reach each other by silent steps become one first, so that
//! silent steps go downhill and signatures are gathered from the bottom up.

use quotient_core::{Budget, Stop};
use rustc_hash::FxHashMap;

use super::weak::Collapsed;
use crate::{ERROR, Lts};

/// The block of every state in the coarsest branching bisimulation; numbers of blocks are below
/// that of the states.
pub(crate) fn branching_blocks(lts: &Lts, budget: &Budget) -> Result<Vec<u32>, Stop> {
    let (collapsed, component_of) = Collapsed::of(lts);
    let mut block_of = vec![0; collapsed.edges.len()];
    let mut count = 0;
    loop {
        let signatures = signatures(&collapsed, &block_of, budget)?;
        let mut numbers: FxHashMap<(u32, &[(u32, u32)]), u32> = FxHashMap::default();
        let mut next = vec![0; block_of.len()];
        for (state, signature) in signatures.iter().enumerate() {
            let fresh = numbers.len() as u32;
            let key = (block_of[state], signature.as_slice());
            next[state] = *numbers.entry(key).or_insert(fresh);
        }
        let parted = numbers.len();
        block_of = next;
        if parted == count {
            break;
        }
        count = parted;
    }
    let blocks = component_of
        .iter()
        .map(|&component| block_of[component as usize]);
    Ok(blocks.collect())
}

/// For every state the actions, with the blocks that they lead to, after silent steps inside
/// its block.
fn signatures(
    collapsed: &Collapsed,
    block_of: &[u32],
    budget: &Budget,
) -> Result<Vec<Vec<(u32, u32)>>, Stop> {
    let mut signatures: Vec<Vec<(u32, u32)>> = Vec::with_capacity(block_of.len());
    for (state, edges) in collapsed.edges.iter().enumerate() {
        let mut own = Vec::with_capacity(edges.len());
        for &(action, target) in edges {
            let after = action.index() as u32;
            match target {
                ERROR => own.push((after, ERROR.into())),
                target if action.is_tau() && block_of[target.index()] == block_of[state] => {
                    own.extend_from_slice(&signatures[target.index()]);
                }
                target => own.push((after, block_of[target.index()])),
            }
        }
        own.sort_unstable();
        own.dedup();
        budget.charge(own.len() as u64 + 1)?;
        signatures.push(own);
    }
    Ok(signatures)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::State;
    use crate::support::*;

    const SHAPE: Shape = Shape {
        states: 6,
        letters: 2,
        silent: true,
        error: true,
        end: true,
    };

    /// Pairs of states that are branching bisimilar, by the definition: as many as possible.
    fn bisimilar(lts: &Lts) -> BTreeSet<(State, State)> {
        let states = || lts.all_states().chain([ERROR]);
        let is_end = |state: State| lts.end() == Some(state);
        let mut all: BTreeSet<(State, State)> = states()
            .flat_map(|left| states().map(move |right| (left, right)))
            .filter(|&(left, right)| (left == ERROR) == (right == ERROR))
            .collect();
        loop {
            let matched = |left: State, right: State| {
                let reached = silently(lts, &BTreeSet::from([right]));
                let ends = |between: &State| is_end(*between) && all.contains(&(left, *between));
                let can_end = !is_end(left) || reached.iter().any(ends);
                can_end
                    && lts.edges(left).iter().all(|edge| {
                        edge.action.is_tau() && all.contains(&(edge.target, right))
                            || reached.iter().any(|&between| {
                                let mut after = lts.successors(between, edge.action).iter();
                                all.contains(&(left, between))
                                    && after.any(|other| all.contains(&(edge.target, other.target)))
                            })
                    })
            };
            let kept: BTreeSet<(State, State)> = (all.iter().copied())
                .filter(|&(left, right)| matched(left, right) && matched(right, left))
                .collect();
            if kept.len() == all.len() {
                return all;
            }
            all = kept;
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        #[test]
        fn blocks_are_those_of_the_definition(plan in plans(SHAPE)) {
            let lts = plan.lts(&letters(2).1);
            let blocks = branching_blocks(&lts, &Budget::unlimited()).unwrap();
            let same = bisimilar(&lts);
            for left in 0..lts.states() {
                for right in 0..lts.states() {
                    let is_same = same.contains(&(State::from_index(left), State::from_index(right)));
                    prop_assert_eq!(blocks[left] == blocks[right], is_same);
                }
            }
        }
    }
}
