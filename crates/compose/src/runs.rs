//! Infinite executions of large systems, looked for where only some of the steps are followed.
//!
//! In each state the events of a [stubborn set](crate::stubborn) are followed. What happens again
//! and again in the sets of states that cannot be left is the same as in the whole system, so that
//! progress is decided exactly. Of formulas that do not speak of the next moment it can be shown so
//! that they hold: every execution has one with the same events of the formula in the same order,
//! while the others show as silence, after which the formula may find that nothing of what it
//! speaks of has just happened.

//!
//! Where components are alike, one state is looked at of those that exchanges make of each other, as far
//! as the question does not notice the exchange: of a question about one of many clients, the others may
//! change places. Exchanges map sets that cannot be left to such sets, with what is done in them, and
//! executions to executions that look the same. But an execution among sorted states that makes fair
//! choices need not come from one that does: who has just moved may be somebody else each time. So an
//! execution with fair choices is looked for as one that does again and again all that can still come, up
//! to exchanges; there may be more of these, so that with alike components, too, it is only shown that a
//! formula holds.

use std::collections::BTreeMap;

use quotient_core::{Context, Stop};
use quotient_logic::Formula;

use crate::operations::{Beginning, compose_followed};
use crate::progress::{every_action, in_all};
use crate::reduced::{Conjunct, speaks_of_next};
use crate::stubborn::Stubborn;
use crate::symmetry::Symmetry;
use crate::temporal::is_kept_in;
use crate::{Action, Fluent, Network, Progress, Starvation};

/// Whether this says anything of a system: nothing errs, and no step gives way to another.
fn is_for(network: &Network) -> bool {
    let mut components = network.components().iter();
    network.priority().is_none() && !components.any(|component| component.lts.has_error())
}

/// The states that are met when in each enough is followed, with some events seen; of those that
/// exchanges make of each other, one.
fn followed(
    network: &Network,
    is_seen: impl Fn(Action) -> bool,
    alike: Option<&Symmetry>,
    cx: &Context,
) -> Result<Beginning, Stop> {
    let product = network.product()?;
    let seen = network.events().filter(|&event| is_seen(event));
    let stubborn = Stubborn::for_runs(&product, seen, &cx.budget)?;
    let stubborn = stubborn.alike_under(alike.into_iter().flat_map(Symmetry::all));
    compose_followed(&product, &stubborn, alike, &cx.budget)
}

/// For each event, by number, what a question makes of it: the same number for events that are in the same
/// of its sets of actions.
fn classes<'s>(network: &Network, sets: impl Iterator<Item = &'s [Action]> + Clone) -> Vec<u32> {
    let mut known: BTreeMap<Vec<bool>, u32> = BTreeMap::new();
    let all = std::iter::once(Action::TAU).chain(network.events());
    all.map(|event| {
        let shown = network.shown(event);
        let is_in = |set: &[Action]| !shown.is_tau() && set.contains(&shown);
        let next = known.len() as u32;
        *known
            .entry(sets.clone().map(is_in).collect())
            .or_insert(next)
    })
    .collect()
}

/// Whether a progress property is shown to hold (without any: that every action goes on), where exchanges
/// of alike components that it does not notice change nothing.
pub(crate) fn progress_holds_alike(
    network: &Network,
    property: Option<&Progress>,
    symmetry: &Symmetry,
    cx: &Context,
) -> Result<bool, Stop> {
    if !is_for(network) {
        return Ok(false);
    }
    let each = match property {
        Some(property) => vec![property.clone()],
        None => every_action(network),
    };
    for one in &each {
        let sets = [
            one.condition.as_deref().unwrap_or_default(),
            one.actions.as_slice(),
        ];
        let class = classes(network, sets.into_iter());
        let Some(alike) = symmetry.unnoticed(network, &class, &cx.budget)? else {
            return Ok(false);
        };
        let all = followed(network, |_| false, Some(&alike), cx)?;
        let found = in_all(network, std::slice::from_ref(one), &all, cx)?;
        if found.iter().any(|(_, found)| found.is_some()) {
            return Ok(false);
        }
    }
    Ok(true)
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
    let all = followed(network, |_| false, None, cx)?;
    in_all(network, properties, &all, cx).map(Some)
}

/// Whether a formula is shown to hold, part by part: that it is not says nothing. Alike components, if
/// any are given, change places as far as the part does not notice.
pub(crate) fn formula_holds(
    network: &Network,
    (formula, fluents, fair): (&Formula<usize>, &[Fluent], bool),
    symmetry: Option<&Symmetry>,
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
        let alike = match symmetry {
            Some(symmetry) => {
                let sets = conjunct.fluents.iter().flat_map(|fluent| {
                    let end = fluent.end.as_deref();
                    [fluent.begin.as_slice(), end.unwrap_or_default()]
                });
                let class = classes(network, sets);
                match symmetry.unnoticed(network, &class, &cx.budget)? {
                    None => return Ok(false),
                    alike => alike,
                }
            }
            None => None,
        };
        let all = followed(network, is_seen, alike.as_ref(), cx)?;
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
