//! The smallest system that is the same up to an equivalence.

use quotient_core::{Budget, Stop};

use super::{determinise, strong, weak};
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
