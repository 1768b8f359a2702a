//! Systems as one transition system, by the definitions: for those who check evidence, and for
//! compilers that must not ask an engine what a text means.

use quotient_core::{Budget, Stop};
use quotient_lts::{Lts, System};

use super::fragment::Fragment;
use super::reduce;
use crate::Rejection;

/// The whole system as one transition system, its states in the order in which they are met from
/// the start. Nothing is made smaller but what the system says itself.
///
/// ```
/// use quotient_certify::multiplied_out;
/// use quotient_core::Budget;
/// use quotient_lts::{LtsBuilder, System};
/// let mut system = System::new();
/// let [a, b] = ["a", "b"].map(|name| system.actions.intern(name));
/// let parts = [a, b].map(|action| {
///     let mut part = LtsBuilder::new();
///     part.edge(0, action, 1);
///     system.process("PART", part.build())
/// });
/// system.parallel(parts);
/// let lts = multiplied_out(&system, &Budget::unlimited())?;
/// assert_eq!((lts.states(), lts.transitions()), (4, 4));
/// # Ok::<(), quotient_core::Rejection>(())
/// ```
pub fn multiplied_out(system: &System, budget: &Budget) -> Result<Lts, Rejection> {
    let fragment = match system.root() {
        Some(root) => Fragment::of(system, root, budget)?,
        None => Fragment::default(),
    };
    Ok(fragment.built(system, budget)?.1)
}

/// The smallest system that does the same step by step, without what cannot be reached.
///
/// ```
/// use quotient_certify::strongly_minimal;
/// use quotient_core::Budget;
/// use quotient_lts::{Actions, LtsBuilder};
/// let mut actions = Actions::new();
/// let tick = actions.intern("tick");
/// let mut clock = LtsBuilder::new();
/// clock.edge(0, tick, 1).edge(1, tick, 0);
/// assert_eq!(strongly_minimal(&clock.build(), &Budget::unlimited()).unwrap().states(), 1);
/// ```
pub fn strongly_minimal(lts: &Lts, budget: &Budget) -> Result<Lts, Stop> {
    reduce::strongly_minimal(&lts.reachable(), budget)
}
