//! The smallest system that is the same up to an equivalence.

use quotient_core::{Budget, Stop};

use super::{branching_blocks, determinise, strong, weak};
use crate::{Equivalence, Lts};

/// Minimises the reachable part. The error state and `END` are never merged with others.
///
/// ```
/// use quotient_compose::{Actions, Equivalence, LtsBuilder, operations};
/// use quotient_core::Budget;
/// let mut actions = Actions::new();
/// let tick = actions.intern("tick");
/// let mut builder = LtsBuilder::new();
/// builder.edge(0, tick, 1).edge(1, tick, 0);
/// let clock = operations::minimise(&builder.build(), Equivalence::Strong, &Budget::unlimited());
/// assert_eq!(clock.unwrap().states(), 1);
/// ```
pub fn minimise(lts: &Lts, equivalence: Equivalence, budget: &Budget) -> Result<Lts, Stop> {
    let lts = lts.reachable();
    match equivalence {
        Equivalence::Strong => strong::minimise(&lts, budget),
        Equivalence::Weak => weak::minimise(&lts, budget),
        Equivalence::Trace => strong::minimise(&determinise(&lts, budget)?, budget),
    }
}

/// Minimises the reachable part up to branching bisimulation. Silence for ever is not told from
/// being stuck, as up to weak bisimulation.
pub fn minimise_branching(lts: &Lts, budget: &Budget) -> Result<Lts, Stop> {
    let lts = lts.reachable();
    let blocks = branching_blocks(&lts, budget)?;
    Ok(weak::without_silent_loops(&strong::quotient(&lts, &blocks)))
}
