//! Finite executions after which what is asked is broken whatever happens.
//!
//! An infinite execution with fair choices of a large system goes through all of the states that
//! it cannot leave: too many to be told. The way to where nothing can be put right any more tells
//! all that a person wants to know. It is found in what is left of the system when only the events
//! of the question are seen, and followed back to what all components do; then it is looked at
//! once more what is left of the system from there on.

mod after;

use quotient_core::{Context, Stop};
use quotient_logic::{Formula, Kind};

use crate::aggregate::{Aim, Reduction, reduce};
use crate::beginnings::FIRST;
use crate::lasso::Lasso;
use crate::progress::is_kept_somewhere;
use crate::reduced::{Conjunct, MOST_WORK, Steps, aim, asks_about, speaks_of_next};
use crate::temporal::{How, false_after, in_beginnings};
use crate::trace::endings;
use crate::{Action, Fluent, Network, Progress, State, check_progress};
use after::After;

/// An execution after which what is asked is broken whatever happens.
#[derive(Debug, Clone)]
pub(crate) struct Doomed {
    /// Which part of what is asked it breaks.
    pub(crate) part: usize,
    /// What happens; there is no cycle.
    pub(crate) way: Lasso,
    /// The order in which components were put together from there on; nothing where nothing of
    /// the formula is left.
    pub(crate) steps: Option<Steps>,
}

/// How many states a system may be in after the events of an execution before it is given up.
const MOST_ENDS: usize = 16;

/// An execution near the start after which a formula is false.
pub(crate) fn broken(
    network: &Network,
    formula: &Formula<usize>,
    fluents: &[Fluent],
    cx: &Context,
) -> Result<Option<Doomed>, Stop> {
    if network.components().iter().any(|one| one.lts.has_error()) {
        return Ok(None);
    }
    let Some(way) = false_after(network, formula, fluents, cx)? else {
        return Ok(None);
    };
    let is_false = |conjunct: &Conjunct| {
        let after = After::events(network, conjunct, &way.way);
        after.is_some_and(|after| after.formula.kind == Kind::Constant(false))
    };
    let parts = Conjunct::all(formula, fluents);
    let part = parts.iter().find(|conjunct| is_false(conjunct));
    Ok(part.map(|part| Doomed {
        part: part.number,
        way,
        steps: None,
    }))
}

/// An execution after which a part of a formula cannot be kept.
pub(crate) fn formula(
    network: &Network,
    conjunct: &Conjunct,
    fair: bool,
    cx: &Context,
) -> Result<Option<Doomed>, Stop> {
    if speaks_of_next(&conjunct.formula) || network.priority().is_some() {
        return Ok(None);
    }
    let aim = aim(network, |action| conjunct.sees(action), fair);
    let Some(left) = left(network, &aim, cx)? else {
        return Ok(None);
    };
    let asked = Asked::Formula { conjunct, fair };
    let small = network.with_one(left.whole.clone());
    let how = asked.how();
    let Some(lasso) = in_beginnings(&small, &conjunct.formula, &conjunct.fluents, how, cx)? else {
        return Ok(None);
    };
    let steps: Vec<Action> = lasso.way.iter().chain(&lasso.cycle).copied().collect();
    let is_doomed = |done: usize| asked.is_doomed(&small, &steps[..done], &lasso.states[done], cx);
    // The way to the cycle has all that matters, mostly; else there is no more than all of it.
    for done in [lasso.way.len(), steps.len()] {
        if !is_doomed(done)? {
            continue;
        }
        let place = lasso.states[done][0];
        let found = asked.concrete(network, &left, &aim, (&steps[..done], place), cx)?;
        if let Some((way, steps)) = found {
            let part = conjunct.number;
            return Ok(Some(Doomed { part, way, steps }));
        }
    }
    Ok(None)
}

/// An execution after which what a progress property asks for does not go on; the property is one
/// of several parts.
pub(crate) fn starved(
    network: &Network,
    (part, property): (usize, &Progress),
    cx: &Context,
) -> Result<Option<Doomed>, Stop> {
    if network.priority().is_some() {
        return Ok(None);
    }
    let aim = aim(network, |action| asks_about(property, action), true);
    let Some(left) = left(network, &aim, cx)? else {
        return Ok(None);
    };
    let small = network.with_one(left.whole.clone());
    let answers = check_progress(&small, std::slice::from_ref(property), cx);
    let Some((_, found)) = answers.into_iter().next() else {
        return Ok(None);
    };
    let Some(starvation) = found? else {
        return Ok(None);
    };
    let way = &starvation.lasso.way;
    let place = starvation.lasso.states[way.len()][0];
    let asked = Asked::Progress(property);
    let found = asked.concrete(network, &left, &aim, (way, place), cx)?;
    Ok(found.map(|(way, steps)| Doomed { part, way, steps }))
}

/// What is left of a network, unless that takes too much work.
fn left(network: &Network, aim: &Aim, cx: &Context) -> Result<Option<Reduction>, Stop> {
    match reduce(network, aim, MOST_WORK, &cx.budget) {
        Err(Stop::Work) => cx.budget.poll().map(|()| None),
        left => left,
    }
}

/// What is asked of all that happens.
enum Asked<'a> {
    Formula { conjunct: &'a Conjunct, fair: bool },
    Progress(&'a Progress),
}

impl Asked<'_> {
    fn how(&self) -> How {
        How {
            fair: match self {
                Asked::Formula { fair, .. } => *fair,
                Asked::Progress(_) => true,
            },
            rests: true,
            first: FIRST,
        }
    }

    /// Whether it is broken whatever happens after some events, which lead to these states of
    /// what is left of a network.
    fn is_doomed(
        &self,
        left: &Network,
        events: &[Action],
        states: &[State],
        cx: &Context,
    ) -> Result<bool, Stop> {
        let left = left.beginning_at(states);
        match self {
            Asked::Formula { conjunct, .. } => {
                let Some(after) = After::events(&left, conjunct, events) else {
                    return Ok(false);
                };
                if after.formula.kind == Kind::Constant(false) {
                    return Ok(true);
                }
                let kept = in_beginnings(&left, &!after.formula, &after.fluents, self.how(), cx)?;
                Ok(kept.is_none())
            }
            Asked::Progress(property) => Ok(!is_kept_somewhere(&left, property, cx)?),
        }
    }

    /// What all components do while what is left of them comes to a place, if it is broken from
    /// there on indeed.
    fn concrete(
        &self,
        network: &Network,
        left: &Reduction,
        aim: &Aim,
        (steps, place): (&[Action], State),
        cx: &Context,
    ) -> Result<Option<(Lasso, Option<Steps>)>, Stop> {
        let word: Vec<Action> = steps.iter().copied().filter(|one| !one.is_tau()).collect();
        let events = left.unfolded(&word, place, &cx.budget)?;
        for trace in endings(network, &events, MOST_ENDS, &cx.budget)? {
            let Some(end) = trace.last() else { continue };
            let from_there = network.beginning_at(end);
            let steps = match self {
                Asked::Formula { conjunct, .. } => After::events(network, conjunct, &events)
                    .is_none_or(|after| after.formula.kind != Kind::Constant(false)),
                Asked::Progress(_) => true,
            };
            if steps {
                let mut order = left.order.elsewhere();
                let Some(whole) = order.follow(&from_there, aim, &cx.budget)? else {
                    continue;
                };
                let small = network.with_one(whole.clone());
                if !self.is_doomed(&small, &events, &[whole.initial()], cx)? {
                    continue;
                }
            }
            let way = Lasso {
                way: events.clone(),
                cycle: Vec::new(),
                states: trace,
            };
            return Ok(Some((way, steps.then(|| Steps::of(&left.order)))));
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests;
