//! From a specification to an observer.

use crate::{ERROR, Lts, LtsBuilder};

/// Adds an edge to the error state for every state and action of the alphabet that have none.
///
/// For a deterministic system this is the observer that errs exactly on the traces that the
/// system does not have.
pub fn complete(lts: &Lts) -> Lts {
    let mut builder = LtsBuilder::shaped_like(lts);
    builder.alphabet(lts.alphabet().iter().copied());
    for state in lts.all_states() {
        for edge in lts.edges(state) {
            builder.edge(state, edge.action, edge.target);
        }
        for &action in lts.alphabet() {
            if lts.successors(state, action).is_empty() {
                builder.edge(state, action, ERROR);
            }
        }
    }
    builder.build()
}
