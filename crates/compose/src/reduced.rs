//! Infinite executions of large systems, looked for in what is left of them when only the events
//! that a question speaks of are seen.
//!
//! What is left has all executions of the system, and may have more: that nothing is found there
//! is an answer, and that something is found is none. A formula must not speak of the next
//! moment, since moments in between are lost; and where it speaks of actions that have just
//! happened, others may happen at any time in between ([`How::rests`](crate::temporal::How)).

use std::sync::Arc;

use quotient_core::{Context, Stop};
use quotient_logic::{Binary, Formula, Kind, Unary};

use crate::aggregate::{Aim, Followed, reduce};
use crate::beginnings::FIRST;
use crate::progress::every_action;
use crate::temporal::{How, in_beginnings};
use crate::{Action, Fluent, Lts, Network, Progress, check_progress};

/// Work that putting components together may take.
pub(crate) const MOST_WORK: u64 = 8_000_000;
/// Work that all actions together may take, where each is to go on.
pub(crate) const MOST_WORK_FOR_ALL: u64 = 64_000_000;

/// An order in which components were put together.
#[derive(Debug, Clone)]
pub(crate) struct Steps {
    /// What each step puts together: components by number, then the results of steps before.
    pub(crate) parts: Vec<Vec<usize>>,
    /// Events that are taken for others, for each step.
    pub(crate) merged: Vec<Vec<(u32, u32)>>,
}

impl Steps {
    pub(crate) fn of(order: &Followed) -> Steps {
        let number = |&(gone, kept): &(Action, Action)| (gone.index() as u32, kept.index() as u32);
        let merged = order.merged.iter();
        Steps {
            parts: order.steps.clone(),
            merged: match order.merged.iter().all(Vec::is_empty) {
                true => Vec::new(),
                false => merged.map(|one| one.iter().map(number).collect()).collect(),
            },
        }
    }
}

/// What reduction says about a formula.
pub(crate) struct Left {
    /// The order in which components were put together.
    pub(crate) steps: Steps,
    /// What is not shown so: the formula holds if these do.
    pub(crate) open: Vec<Conjunct>,
}

/// A part of a formula that must hold, with the fluents that it speaks of and no others.
#[derive(Debug, Clone)]
pub(crate) struct Conjunct {
    /// Which part it is, from left to right.
    pub(crate) number: usize,
    pub(crate) formula: Formula<usize>,
    pub(crate) fluents: Vec<Fluent>,
}

impl Conjunct {
    fn new(number: usize, formula: &Formula<usize>, fluents: &[Fluent]) -> Conjunct {
        let used = atoms(formula);
        Conjunct {
            number,
            formula: formula.map_atoms(|&atom| used.partition_point(|&one| one < atom)),
            fluents: used.iter().map(|&atom| fluents[atom].clone()).collect(),
        }
    }

    /// The parts of a formula, which holds exactly if all of them do.
    pub(crate) fn all(formula: &Formula<usize>, fluents: &[Fluent]) -> Vec<Conjunct> {
        let all = conjuncts(formula).into_iter().enumerate();
        all.map(|(number, one)| Conjunct::new(number, &one, fluents))
            .collect()
    }

    /// Whether it speaks of an action.
    pub(crate) fn sees(&self, action: Action) -> bool {
        self.fluents.iter().any(|fluent| {
            let end = fluent.end.as_ref();
            fluent.begin.contains(&action) || end.is_some_and(|end| end.contains(&action))
        })
    }
}

/// Shows parts of a formula that must all hold, each with no more events seen than it speaks of;
/// nothing where components cannot be put together. Each part may take some work; with less than the
/// most, the first part that takes more is the last one.
pub(crate) fn formula_left(
    network: &Network,
    (formula, fluents, fair): (&Formula<usize>, &[Fluent], bool),
    work: u64,
    cx: &Context,
) -> Result<Option<Left>, Stop> {
    let how = How {
        fair,
        rests: true,
        first: FIRST,
    };
    let mut reducer = Reducer::new(network, work);
    let mut open = Vec::new();
    for conjunct in Conjunct::all(formula, fluents) {
        let Conjunct {
            formula, fluents, ..
        } = &conjunct;
        let is_kept = |action: Action| conjunct.sees(action);
        let left = match speaks_of_next(formula) {
            true => None,
            false => match reducer.left(is_kept, fair, true, cx)? {
                // The other parts are mostly like it.
                None if work < MOST_WORK => return Ok(None),
                left => left,
            },
        };
        let holds = match left {
            None => false,
            Some(whole) => {
                let small = network.with_one(whole);
                in_beginnings(&small, formula, fluents, how, cx)?.is_none()
            }
        };
        if !holds {
            open.push(conjunct);
        }
    }
    Ok(reducer.steps().map(|steps| Left { steps, open }))
}

/// Puts the components of one network together for one question after the other.
pub(crate) struct Reducer<'a> {
    network: &'a Network,
    order: Option<Followed>,
    /// What each question may take.
    work: u64,
}

impl<'a> Reducer<'a> {
    pub(crate) fn new(network: &'a Network, work: u64) -> Reducer<'a> {
        Reducer {
            network,
            order: None,
            work,
        }
    }

    pub(crate) fn network(&self) -> &'a Network {
        self.network
    }

    /// Whether components could be put together for a question.
    pub(crate) fn has_order(&self) -> bool {
        self.order.is_some()
    }

    /// The order of the last question.
    fn steps(&self) -> Option<Steps> {
        self.order.as_ref().map(Steps::of)
    }

    /// Shows that a progress property holds: the steps in which components were put together, or
    /// nothing where that is no answer.
    pub(crate) fn progress_holds(
        &mut self,
        property: &Progress,
        cx: &Context,
    ) -> Result<Option<Steps>, Stop> {
        let holds = self.goes_on(property, false, cx)?;
        Ok(self.steps().filter(|_| holds))
    }

    /// The same for every action at once.
    pub(crate) fn every_action_goes_on(&mut self, cx: &Context) -> Result<Option<Steps>, Stop> {
        let cx = &cx.with_work(MOST_WORK_FOR_ALL);
        for property in every_action(self.network) {
            if !self.goes_on(&property, true, cx)? {
                return Ok(None);
            }
        }
        Ok(self.steps())
    }

    fn goes_on(&mut self, property: &Progress, is_fixed: bool, cx: &Context) -> Result<bool, Stop> {
        let Some(whole) = self.left(|action| asks_about(property, action), true, is_fixed, cx)?
        else {
            return Ok(false);
        };
        let small = self.network.with_one(whole);
        let answers = check_progress(&small, std::slice::from_ref(property), cx);
        for (_, answer) in answers {
            if answer?.is_some() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What is left when only some events are seen: in the order of the question before, or, unless
    /// it is fixed, in one of its own where that takes too much work.
    fn left(
        &mut self,
        is_kept: impl Fn(Action) -> bool,
        fair: bool,
        is_fixed: bool,
        cx: &Context,
    ) -> Result<Option<Arc<Lts>>, Stop> {
        let network = self.network;
        if network.priority().is_some() {
            return Ok(None);
        }
        let aim = aim(network, is_kept, fair);
        if let Some(order) = &mut self.order {
            let limited = cx.budget.child_with_work(self.work);
            match order.follow(network, &aim, &limited) {
                Ok(Some(whole)) => return Ok(Some(whole)),
                Ok(None) => {}
                Err(Stop::Work) => cx.budget.poll()?,
                Err(stop) => return Err(stop),
            }
            if is_fixed {
                return Ok(None);
            }
        }
        match reduce(network, &aim, self.work, &cx.budget) {
            Err(Stop::Work) => cx.budget.poll().map(|()| None),
            Ok(Some(left)) => {
                self.order = Some(left.order);
                Ok(Some(left.whole))
            }
            Ok(None) => Ok(None),
            Err(stop) => Err(stop),
        }
    }
}

/// To see some actions of infinite executions.
pub(crate) fn aim(network: &Network, is_kept: impl Fn(Action) -> bool, fair: bool) -> Aim {
    let kept = network.events().map(|event| {
        let shown = network.shown(event);
        !shown.is_tau() && is_kept(shown)
    });
    let kept = std::iter::once(false).chain(kept).collect();
    Aim::Runs { kept, fair }
}

/// Whether a progress property speaks of an action.
pub(crate) fn asks_about(property: &Progress, action: Action) -> bool {
    let condition = property.condition.as_ref();
    property.actions.contains(&action)
        || condition.is_some_and(|condition| condition.contains(&action))
}

/// Formulas that all hold exactly if a formula does.
fn conjuncts(formula: &Formula<usize>) -> Vec<Formula<usize>> {
    let mut all = Vec::new();
    // Each with whether it is to hold always.
    let mut open = vec![(formula, false)];
    while let Some((formula, always)) = open.pop() {
        match &formula.kind {
            Kind::Binary(Binary::And, left, right) => {
                open.extend([(&**right, always), (&**left, always)]);
            }
            Kind::Unary(Unary::Globally(None), inner) => open.push((inner, true)),
            _ if always => all.push(Formula::unary(Unary::Globally(None), formula.clone())),
            _ => all.push(formula.clone()),
        }
    }
    all
}

/// The fluents that a formula speaks of.
fn atoms(formula: &Formula<usize>) -> Vec<usize> {
    let mut all = Vec::new();
    let mut open = vec![formula];
    while let Some(formula) = open.pop() {
        match &formula.kind {
            Kind::Atom(atom) => all.push(*atom),
            Kind::Constant(_) | Kind::Placeholder(_) => {}
            Kind::Unary(_, inner) => open.push(inner),
            Kind::Binary(_, left, right) => open.extend([&**left, &**right]),
        }
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// Whether a formula speaks of the next moment, or of anything that is not known here.
pub(crate) fn speaks_of_next(formula: &Formula<usize>) -> bool {
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

fn is_untimed(operator: &Binary) -> bool {
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
