//! Strong bisimulation by signatures.
//!
//! Blom and Orzan's refinement: a state's signature is the set of its edges with blocks for
//! targets; states of a block with different signatures part. Only states with an edge into a
//! part that got a new number are looked at again, and the largest part keeps the old number.

use quotient_core::{Budget, Stop};
use rustc_hash::FxHashMap;

use crate::graph::Sources;
use crate::{ERROR, Lts, LtsBuilder, State};

pub(super) fn minimise(lts: &Lts, budget: &Budget) -> Result<Lts, Stop> {
    let blocks = strong_blocks(lts, budget)?;
    Ok(quotient(lts, &blocks))
}

/// The block of every state in the coarsest bisimulation.
pub(crate) fn strong_blocks(lts: &Lts, budget: &Budget) -> Result<Vec<u32>, Stop> {
    let states = lts.states();
    let mut block_of = vec![0u32; states];
    let mut members: Vec<Vec<State>> = vec![Vec::new()];
    for state in State::first(states) {
        if lts.end() == Some(state) {
            block_of[state.index()] = members.len() as u32;
            members.push(vec![state]);
        } else {
            members[0].push(state);
        }
    }
    let sources = Sources::new(lts);
    let mut dirty = vec![true; states];
    let mut dirty_blocks: Vec<u32> = (0..members.len() as u32).collect();
    let mut signature = Vec::new();
    while let Some(block) = dirty_blocks.pop() {
        let states = std::mem::take(&mut members[block as usize]);
        budget.charge(states.len() as u64)?;
        // States that are not dirty have the signature that the block had when it was made.
        let mut parts: FxHashMap<Vec<(u32, u32)>, Vec<State>> = FxHashMap::default();
        let mut clean = Vec::new();
        for state in states {
            if !dirty[state.index()] {
                clean.push(state);
                continue;
            }
            signature_of(lts, state, &block_of, &mut signature);
            match parts.get_mut(&signature) {
                Some(part) => part.push(state),
                None => {
                    parts.insert(signature.clone(), vec![state]);
                }
            }
        }
        if let Some(&state) = clean.first() {
            signature_of(lts, state, &block_of, &mut signature);
            parts
                .entry(signature.clone())
                .or_default()
                .append(&mut clean);
        }
        let mut parts: Vec<Vec<State>> = parts.into_values().collect();
        parts.sort_unstable_by_key(|part| {
            (std::cmp::Reverse(part.len()), part.iter().min().copied())
        });
        let fresh = members.len();
        for (index, part) in parts.into_iter().enumerate() {
            for &state in &part {
                dirty[state.index()] = false;
                if index > 0 {
                    block_of[state.index()] = members.len() as u32;
                }
            }
            match index {
                0 => members[block as usize] = part,
                _ => members.push(part),
            }
        }
        for &state in members[fresh..].iter().flatten() {
            for &source in sources.of(state) {
                if !std::mem::replace(&mut dirty[source.index()], true) {
                    dirty_blocks.push(block_of[source.index()]);
                }
            }
        }
    }
    Ok(block_of)
}

fn signature_of(lts: &Lts, state: State, block_of: &[u32], signature: &mut Vec<(u32, u32)>) {
    signature.clear();
    signature.extend(lts.edges(state).iter().map(|edge| {
        let block = match edge.target {
            ERROR => ERROR.into(),
            target => block_of[target.index()],
        };
        (edge.action.index() as u32, block)
    }));
    signature.sort_unstable();
    signature.dedup();
}

/// One state for each block, numbered breadth-first.
pub(super) fn quotient(lts: &Lts, block_of: &[u32]) -> Lts {
    let place = |state: State| match state {
        ERROR => ERROR,
        state => block_of[state.index()].into(),
    };
    let mut builder = LtsBuilder::new();
    builder
        .alphabet(lts.alphabet().iter().copied())
        .initial(place(lts.initial()));
    if let Some(end) = lts.end() {
        builder.end(place(end));
    }
    for (from, edge) in lts.all_edges() {
        builder.edge(place(from), edge.action, place(edge.target));
    }
    builder.build().reachable()
}
