//! Priorities among actions.

use crate::{Action, Lts, LtsBuilder, State};

/// Drops edges that give way to others of the same state, then states that are not reachable
/// any more.
///
/// With `high`, a state that allows one of the actions drops all its other edges, silent ones
/// too; otherwise a state drops the edges with these actions where it has any other edge.
pub fn prioritise(lts: &Lts, actions: &[Action], high: bool) -> Lts {
    let listed = |action: Action| !action.is_tau() && actions.contains(&action);
    let mut builder = LtsBuilder::shaped_like(lts);
    builder.alphabet(lts.alphabet().iter().copied());
    for state in 0..lts.states() as State {
        let edges = lts.edges(state);
        // Either way the listed edges, or else the others, stand alone if there are any.
        let keep_listed = high;
        let winners = edges.iter().any(|edge| listed(edge.action) == keep_listed);
        for edge in edges {
            if !winners || listed(edge.action) == keep_listed {
                builder.edge(state, edge.action, edge.target);
            }
        }
    }
    builder.build().reachable()
}
