//! The part of a system that matters to its errors.

use crate::graph::Sources;
use crate::{ERROR, Lts, LtsBuilder, State};

/// Only the states that can still reach the error state, and the initial one. What is left
/// has the same ways into the error state, alone and beside any other system; a step that
/// leads to where no error can follow is blocked.
pub(crate) fn towards_error(lts: &Lts) -> Lts {
    if lts.initial() == ERROR {
        return lts.clone();
    }
    let sources = Sources::new(lts);
    let mut reaching = vec![false; lts.states()];
    let into = lts.all_edges().filter(|(_, edge)| edge.target == ERROR);
    let mut todo: Vec<State> = into.map(|(from, _)| from).collect();
    while let Some(state) = todo.pop() {
        if !std::mem::replace(&mut reaching[state.index()], true) {
            todo.extend(sources.of(state));
        }
    }
    let mut builder = LtsBuilder::shaped_like(lts);
    builder.alphabet(lts.alphabet().iter().copied());
    for (from, edge) in lts.all_edges() {
        if edge.target == ERROR || reaching[edge.target.index()] {
            builder.edge(from, edge.action, edge.target);
        }
    }
    builder.build().reachable()
}
