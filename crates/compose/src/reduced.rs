//! Infinite executions of large systems, looked for in what is left of them when only the events
//! that a question speaks of are seen.
//!
//! What is left has all executions of the system, and may have more: that nothing is found there
//! is an answer, and that something is found is none. A formula must not speak of the next
//! moment, since moments in between are lost; and where it speaks of actions that have just
//! happened, others may happen at any time in between ([`How::rests`](crate::temporal::How)).

use std::sync::Arc;

use quotient_core::{Context, Stop};
use quotient_logic::{Formula, Kind, Unary};

use crate::aggregate::{Aim, Reduction, reduce};
use crate::beginnings::FIRST;
use crate::temporal::{How, in_beginnings};
use crate::{Action, Fluent, Network, Progress, check_progress};

/// Work that putting components together may take.
const MOST_WORK: u64 = 8_000_000;

/// Shows that a formula holds: the steps in which components were put together, or nothing where
/// that is no answer.
pub(crate) fn formula_holds(
    network: &Network,
    formula: &Formula<usize>,
    fluents: &[Fluent],
    fair: bool,
    cx: &Context,
) -> Result<Option<Vec<Vec<usize>>>, Stop> {
    if speaks_of_next(formula) {
        return Ok(None);
    }
    let is_kept = |action: Action| {
        fluents.iter().any(|fluent| {
            let end = fluent.end.as_ref();
            fluent.begin.contains(&action) || end.is_some_and(|end| end.contains(&action))
        })
    };
    let Some(left) = reduced(network, is_kept, fair, cx)? else {
        return Ok(None);
    };
    let how = How {
        fair,
        rests: true,
        first: FIRST,
    };
    let small = network.with_one(left.whole);
    let found = in_beginnings(&small, formula, fluents, how, cx)?;
    Ok(found.is_none().then_some(left.steps))
}

/// The same for a progress property.
pub(crate) fn progress_holds(
    network: &Network,
    property: &Progress,
    cx: &Context,
) -> Result<Option<Vec<Vec<usize>>>, Stop> {
    let is_kept = |action: Action| {
        let condition = property.condition.as_ref();
        property.actions.contains(&action)
            || condition.is_some_and(|condition| condition.contains(&action))
    };
    let Some(left) = reduced(network, is_kept, true, cx)? else {
        return Ok(None);
    };
    let small = network.with_one(left.whole);
    let answers = check_progress(&small, std::slice::from_ref(property), cx);
    for (_, answer) in answers {
        if answer?.is_some() {
            return Ok(None);
        }
    }
    Ok(Some(left.steps))
}

fn reduced(
    network: &Network,
    is_kept: impl Fn(Action) -> bool,
    fair: bool,
    cx: &Context,
) -> Result<Option<Reduction>, Stop> {
    if network.priority().is_some() {
        return Ok(None);
    }
    let kept = network.events().map(|event| {
        let shown = network.shown(event);
        !shown.is_tau() && is_kept(shown)
    });
    let kept: Arc<[bool]> = std::iter::once(false).chain(kept).collect();
    match reduce(network, &Aim::Runs { kept, fair }, MOST_WORK, &cx.budget) {
        Err(Stop::Work) => cx.budget.poll().map(|()| None),
        left => left,
    }
}

/// Whether a formula speaks of the next moment, or of anything that is not known here.
fn speaks_of_next(formula: &Formula<usize>) -> bool {
    let mut open = vec![formula];
    while let Some(formula) = open.pop() {
        match &formula.kind {
            Kind::Constant(_) | Kind::Atom(_) => {}
            Kind::Unary(Unary::Not | Unary::Globally(None) | Unary::Finally(None), inner) => {
                open.push(inner)
            }
            Kind::Binary(operator, left, right) => {
                if !is_untimed(operator) {
                    return true;
                }
                open.extend([&**left, &**right]);
            }
            _ => return true,
        }
    }
    false
}

fn is_untimed(operator: &quotient_logic::Binary) -> bool {
    use quotient_logic::Binary;
    matches!(
        operator,
        Binary::And
            | Binary::Or
            | Binary::Xor
            | Binary::Implies
            | Binary::Iff
            | Binary::Until(None)
            | Binary::Release
            | Binary::WeakUntil
    )
}

#[cfg(test)]
mod tests;
