//! Infinite executions, looked for in larger and larger beginnings of a system.
//!
//! What goes wrong near the start is found without building the rest: a cycle, or a set of
//! states that cannot be left, is one of the whole system if all edges of its states are known.

use quotient_core::{Budget, Stop};

use crate::Network;
use crate::operations::{Beginning, compose_beginning};

/// States that are built first. Of systems with no more, all is looked at before one of several
/// violations is chosen.
pub(crate) const FIRST: usize = 20_000;
/// How much larger each beginning is than the one before: what is built again is little.
const GROWTH: usize = 8;

/// Looks at beginnings of a system, until something is found or the last is all of it.
pub(crate) fn look<T>(
    network: &Network,
    first: usize,
    budget: &Budget,
    mut find: impl FnMut(&Beginning) -> Result<Option<T>, Stop>,
) -> Result<Option<T>, Stop> {
    let product = network.product()?;
    let mut most = first.max(1);
    loop {
        let beginning = compose_beginning(&product, most, budget)?;
        if beginning.composed.lts.has_error() {
            return Err(Stop::inconclusive(
                "the error state can be reached: check safety first",
            ));
        }
        let found = find(&beginning)?;
        if found.is_some() || beginning.is_all() {
            return Ok(found);
        }
        most = most.saturating_mul(GROWTH);
    }
}

#[cfg(test)]
mod tests;
