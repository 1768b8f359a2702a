//! Actions under other names, or under none.

use crate::{Action, Lts, LtsBuilder};

/// Makes actions silent and takes them out of the alphabet.
pub fn hide(lts: &Lts, hidden: impl Fn(Action) -> bool) -> Lts {
    lts.map_labels(|action| match hidden(action) {
        true => [Action::TAU],
        false => [action],
    })
}

/// Makes all but some actions silent; the alphabet becomes exactly those.
pub fn project(lts: &Lts, kept: &[Action]) -> Lts {
    let mut builder = LtsBuilder::shaped_like(lts);
    builder.alphabet(kept.iter().copied());
    for (from, edge) in lts.all_edges() {
        let action = match kept.contains(&edge.action) {
            true => edge.action,
            false => Action::TAU,
        };
        builder.edge(from, action, edge.target);
    }
    builder.build()
}
