//! One transition system, made ready to be composed.

use std::sync::Arc;

use crate::{Action, Edge, Lts, State};

/// A transition system with, for every state, the set of actions that it does not block.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) lts: Arc<Lts>,
    /// The sets cover the blocks `low..low + width` of 64 actions: those that the alphabet
    /// touches. All other actions are never blocked.
    low: usize,
    width: usize,
    unblocked: Vec<u64>,
    silent: bool,
}

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
        let mut unblocked = Vec::with_capacity(lts.states() * width);
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
        }
        Arc::new(Part {
            lts,
            low,
            width,
            unblocked,
            silent,
        })
    }

    /// Takes the actions that a state blocks out of a set.
    #[inline]
    pub(crate) fn restrict(&self, state: State, enabled: &mut [u64]) {
        let row = state.index() * self.width;
        let own = &self.unblocked[row..row + self.width];
        for (slot, own) in enabled[self.low..].iter_mut().zip(own) {
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

    /// For each state the actions that it does not block.
    pub(crate) fn unblocked(&self) -> &[u64] {
        &self.unblocked
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
