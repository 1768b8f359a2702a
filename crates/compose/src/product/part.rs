//! One transition system, made ready to be composed.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHasher};

use crate::{Action, Edge, Lts, State};

/// A transition system with, for every state, the set of actions that it does not block.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) lts: Arc<Lts>,
    /// The sets cover the blocks `low..low + width` of 64 actions: those that the alphabet
    /// touches. All other actions are never blocked.
    low: usize,
    width: usize,
    /// Which of the sets is that of each state; none where every state has its own.
    sets: Vec<u32>,
    unblocked: Vec<u64>,
    silent: bool,
}

/// From so many states on, those that block the same actions share a set: few sets stay near the processor.
const SHARED: usize = 1 << 12;

impl Part {
    pub(crate) fn new(lts: impl Into<Arc<Lts>>) -> Arc<Part> {
        let lts = lts.into();
        let block = |action: Option<&Action>| action.map_or(0, |action| action.index() / 64);
        let low = block(lts.alphabet().first());
        let width = match lts.alphabet().is_empty() {
            true => 0,
            false => block(lts.alphabet().last()) + 1 - low,
        };
        let mut foreign = vec![!0u64; width];
        for action in lts.alphabet() {
            foreign[action.index() / 64 - low] &= !(1 << (action.index() % 64));
        }
        let is_shared = lts.states() >= SHARED && width > 0;
        let own = if is_shared { 0 } else { lts.states() * width };
        let mut unblocked = Vec::with_capacity(own);
        let mut sets = Vec::with_capacity(if is_shared { lts.states() } else { 0 });
        // The last set for each hash: where two sets have one, one of them may be there twice.
        let mut known: FxHashMap<u64, u32> = FxHashMap::default();
        let mut silent = false;
        for state in lts.all_states() {
            let from = unblocked.len();
            unblocked.extend_from_slice(&foreign);
            for edge in lts.edges(state) {
                match edge.action.is_tau() {
                    true => silent = true,
                    false => {
                        let index = edge.action.index();
                        unblocked[from + index / 64 - low] |= 1 << (index % 64);
                    }
                }
            }
            if is_shared {
                let (before, new) = unblocked.split_at(from);
                let mut hasher = FxHasher::default();
                new.hash(&mut hasher);
                let fresh = (from / width) as u32;
                let set = known.entry(hasher.finish()).or_insert(fresh);
                let at = *set as usize * width;
                if *set != fresh && before[at..at + width] == *new {
                    unblocked.truncate(from);
                } else {
                    *set = fresh;
                }
                sets.push(*set);
            }
        }
        Arc::new(Part {
            lts,
            low,
            width,
            sets,
            unblocked,
            silent,
        })
    }

    /// The actions that a state does not block, of the blocks that the alphabet touches.
    #[inline]
    fn set(&self, state: State) -> &[u64] {
        let number = match self.sets.is_empty() {
            true => state.index(),
            false => self.sets[state.index()] as usize,
        };
        &self.unblocked[number * self.width..(number + 1) * self.width]
    }

    /// Takes the actions that a state blocks out of a set.
    #[inline]
    pub(crate) fn restrict(&self, state: State, enabled: &mut [u64]) {
        for (slot, own) in enabled[self.low..].iter_mut().zip(self.set(state)) {
            *slot &= own;
        }
    }

    /// The first block that the sets of [`unblocked`](Part::unblocked) actions cover.
    pub(crate) fn low(&self) -> usize {
        self.low
    }

    /// How many blocks they cover.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// For each state, one after the other, the actions that it does not block.
    pub(crate) fn unblocked(&self) -> Vec<u64> {
        let states = self.lts.all_states();
        states.flat_map(|state| self.set(state)).copied().collect()
    }

    /// Whether it has silent edges.
    #[inline]
    pub(crate) fn is_silent(&self) -> bool {
        self.silent
    }

    /// The edges with an action that the state has at least one edge for.
    #[inline]
    pub(crate) fn targets(&self, state: State, action: Action) -> &[Edge] {
        let edges = self.lts.edges(state);
        if edges.len() > 16 {
            return self.lts.successors(state, action);
        }
        let from = edges.iter().take_while(|edge| edge.action < action).count();
        let count = edges[from..]
            .iter()
            .take_while(|edge| edge.action == action)
            .count();
        &edges[from..from + count]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LtsBuilder;

    /// Many states that block the same share what is stored of it; what they block is as the edges say.
    #[test]
    fn states_that_block_the_same_share_a_set() {
        let states = 2 * SHARED as u32;
        let actions = [1usize, 70, 71, 200];
        let mut builder = LtsBuilder::new();
        builder.alphabet(actions.map(Action::from_index));
        for state in 0..states {
            for (at, &action) in actions.iter().enumerate() {
                if state.wrapping_mul(2_654_435_761) >> (28 + at) & 1 == 1 {
                    builder.edge(state, Action::from_index(action), (state + 1) % states);
                }
            }
        }
        let part = Part::new(builder.build());
        assert!(part.unblocked.len() <= 16 * part.width);
        let rows = part.unblocked();
        for state in part.lts.all_states() {
            let mut enabled = vec![!0; 5];
            part.restrict(state, &mut enabled);
            for action in 0..5 * 64 {
                let allowed = enabled[action / 64] >> (action % 64) & 1 == 1;
                let known = actions.contains(&action);
                let has = !part
                    .lts
                    .successors(state, Action::from_index(action))
                    .is_empty();
                assert_eq!(allowed, !known || has, "{state:?} {action}");
            }
            let row = &rows[state.index() * part.width..][..part.width];
            assert_eq!(row, &enabled[part.low..][..part.width]);
        }
    }
}
