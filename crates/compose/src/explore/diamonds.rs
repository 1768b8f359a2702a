//! Steps that need not be taken, since another way leads to the same state.
//!
//! Let `s` be a state of a level, `b` lead from it to the new state `t` of the next level, and
//! `a` be another event in which other parts take part. Then `a` is possible in `s` if it is
//! in `t`, and both orders lead to the same state `u`. If `u` is new as well, the state after
//! `a` in `s` is of the level of `t`, so `u` is also met from there by `b`. It is enough to
//! take the later of both events: the last event by which `u` is met from the level before is
//! never left out. So all states are met, on their levels, and the steps that are left out
//! need only be counted. These are the sleep sets of Godefroid (1990), with one event
//! remembered for each new state instead of a set for every state.
//!
//! Events that can lead to an error, or to several states, are never left out.

use crate::product::Product;
use crate::{Action, ERROR};

/// The most words that the table may take.
const MOST_WORDS: usize = 1 << 20;

#[derive(Debug)]
pub(super) struct Diamonds {
    /// Words for each event; none if the table would be too large.
    width: usize,
    /// For each event the events that need not be taken after it.
    table: Vec<u64>,
}

impl Diamonds {
    pub(super) fn new(product: &Product) -> Diamonds {
        let (actions, width) = (product.actions(), product.known().len());
        if actions.saturating_mul(width) > MOST_WORDS {
            return Diamonds {
                width: 0,
                table: vec![0; width],
            };
        }
        let simple = simple(product);
        let parts = product.parts().iter();
        let alphabets: Vec<Vec<u64>> = parts
            .map(|part| set_of(part.lts.alphabet().iter().copied(), width))
            .collect();
        let mut table = vec![0; actions * width];
        for action in 1..actions {
            let row = &mut table[action * width..][..width];
            let block = action / 64;
            row[..block].copy_from_slice(&simple[..block]);
            row[block] = simple[block] & ((1 << (action % 64)) - 1);
            for &taker in product.takers(Action::from_index(action)) {
                for (slot, own) in row.iter_mut().zip(&alphabets[taker as usize]) {
                    *slot &= !own;
                }
            }
        }
        Diamonds { width, table }
    }

    /// The events that need not be taken in a state that was first met by this one, as blocks
    /// of 64; none after silent steps.
    #[inline]
    pub(super) fn spared(&self, by: Action) -> &[u64] {
        &self.table[by.index() * self.width..]
    }
}

/// The events with at most one step in every state, which is no error.
fn simple(product: &Product) -> Vec<u64> {
    let mut simple = product.known().to_vec();
    for part in product.parts() {
        for state in part.lts.all_states() {
            let edges = part.lts.edges(state);
            let mut before = Action::TAU;
            for edge in edges {
                if edge.target == ERROR || edge.action == before {
                    simple[edge.action.index() / 64] &= !(1 << (edge.action.index() % 64));
                }
                before = edge.action;
            }
        }
    }
    simple
}

fn set_of(actions: impl Iterator<Item = Action>, width: usize) -> Vec<u64> {
    let mut set = vec![0; width];
    for action in actions {
        set[action.index() / 64] |= 1 << (action.index() % 64);
    }
    set
}
