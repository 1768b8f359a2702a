//! Infinite executions of large systems, looked for where only some of the steps are followed.
//!
//! In each state the events of a [stubborn set](crate::stubborn) are followed. What happens again
//! and again in the sets of states that cannot be left is the same as in the whole system, so that
//! progress is decided exactly. Of formulas that do not speak of the next moment it can be shown so
//! that they hold: every execution has one with the same events of the formula in the same order,
//! while the others show as silence, after which the formula may find that nothing of what it
//! speaks of has just happened.

use quotient_core::{Context, Stop};
use quotient_logic::Formula;

use crate::operations::{Beginning, compose_followed};
use crate::progress::in_all;
use crate::reduced::{Conjunct, speaks_of_next};
use crate::stubborn::Stubborn;
use crate::temporal::is_kept_in;
use crate::{Action, Fluent, Network, Progress, Starvation};

/// Whether this says anything of a system: nothing errs, and no step gives way to another.
fn is_for(network: &Network) -> bool {
    let mut components = network.components().iter();
    network.priority().is_none() && !components.any(|component| component.lts.has_error())
}

/// The states that are met when in each enough is followed, with some events seen.
fn followed(
    network: &Network,
    is_seen: impl Fn(Action) -> bool,
    cx: &Context,
) -> Result<Beginning, Stop> {
    let product = network.product()?;
    let seen = network.events().filter(|&event| is_seen(event));
    let stubborn = Stubborn::for_runs(&product, seen, &cx.budget)?;
    compose_followed(&product, &stubborn, &cx.budget)
}

/// Where progress properties are violated, each by itself; without any, where some action does not
/// go on. Nothing where this is no way to find out.
pub(crate) fn progress(
    network: &Network,
    properties: &[Progress],
    cx: &Context,
) -> Result<Option<Vec<(String, Option<Starvation>)>>, Stop> {
    if !is_for(network) {
        return Ok(None);
    }
    let all = followed(network, |_| false, cx)?;
    in_all(network, properties, &all, cx).map(Some)
}

/// Whether a formula is shown to hold, part by part: that it is not says nothing.
pub(crate) fn formula_holds(
    network: &Network,
    formula: &Formula<usize>,
    fluents: &[Fluent],
    fair: bool,
    cx: &Context,
) -> Result<bool, Stop> {
    if !is_for(network) || speaks_of_next(formula) {
        return Ok(false);
    }
    for conjunct in Conjunct::all(formula, fluents) {
        let is_seen = |event: Action| {
            let shown = network.shown(event);
            !shown.is_tau() && conjunct.sees(shown)
        };
        let all = followed(network, is_seen, cx)?;
        let unseen: Vec<bool> = std::iter::once(true)
            .chain(network.events().map(|event| !is_seen(event)))
            .collect();
        let asked = (&conjunct.formula, &conjunct.fluents[..], fair);
        if !is_kept_in(network, asked, (&all, &unseen), cx)? {
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests;
