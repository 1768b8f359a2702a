//! Are components that were put together step by step like the small ones, or can the small ones at
//! least refuse as much, and is the last one never stuck?

use std::collections::BTreeSet;

use quotient_core::Budget;
use quotient_lts::evidence::{AggregatedData, NO_DEADLOCK};
use quotient_lts::{Action, ERROR, Lts, LtsBuilder, State};

use super::model::{Model, is_watcher, lts_of};
use super::reduce::weakly_bisimilar;
use super::whole::{Reachable, Whole};
use crate::Rejection;

/// Puts the parts of each step together and compares them with what they are said to be like.
pub(super) fn check(
    data: &AggregatedData,
    model: &Model,
    about: &str,
    budget: &Budget,
) -> Result<Vec<String>, Rejection> {
    if about != NO_DEADLOCK {
        return Err(Rejection::wrong(
            "components put together only show that there is no deadlock",
        ));
    }
    let mut parts = Parts::new(data, model)?;
    for (number, step) in (1..).zip(&data.steps) {
        let taken = step.parts.iter().map(|&part| parts.take(part));
        let taken = taken.collect::<Result<Vec<Lts>, _>>()?;
        // The events that all ended parts do together are one more than the model has.
        let small = lts_of(&step.small, model.events.len() + 1, 0)?;
        let mut whole = hidden(&together(&taken, budget)?, |event| !parts.know(event));
        for &(gone, kept) in &step.merged {
            whole = merge(&mut parts.all, whole, gone, kept)?;
        }
        let same = whole.alphabet() == small.alphabet()
            && !small.has_error()
            && (refuses_no_less(&whole, &small, budget)?
                || weakly_bisimilar(&whole, &small, budget)?);
        if !same {
            return Err(Rejection::wrong(format!(
                "step {number} does not come to what it says"
            )));
        }
        parts.all.push(Some(small));
    }
    let last = parts.last()?;
    let stuck = |state: &State| last.edges(*state).is_empty();
    let mut reachable = reachable_states(&last).into_iter();
    if !last.alphabet().is_empty() || reachable.any(|state| stuck(&state)) {
        return Err(Rejection::wrong("the last component can get stuck"));
    }
    Ok(vec![
        format!("each of {} steps comes to what it says", data.steps.len()),
        "at the end there is no deadlock".to_owned(),
    ])
}

/// The components, and what has been made of them.
struct Parts {
    all: Vec<Option<Lts>>,
}

impl Parts {
    fn new(data: &AggregatedData, model: &Model) -> Result<Parts, Rejection> {
        let ended = model
            .whole()
            .can_end()
            .then_some(Action::from_index(model.events.len()));
        let mut all = Vec::new();
        for (number, part) in model.parts.iter().enumerate() {
            let name = &model.names[number];
            if part.initial() == ERROR {
                return Err(Rejection::wrong(format!("`{name}` begins with an error")));
            }
            all.push(match data.watchers.contains(&number) {
                true if is_watcher(part) && part.end().is_none() => None,
                true => return Err(Rejection::wrong(format!("`{name}` does not only watch"))),
                false => Some(prepared(part, ended)),
            });
        }
        Ok(Parts { all })
    }

    /// Takes a part that was not taken before.
    fn take(&mut self, part: usize) -> Result<Lts, Rejection> {
        let part = self.all.get_mut(part).and_then(Option::take);
        part.ok_or_else(|| Rejection::wrong("a part is not there to be put together"))
    }

    /// Whether a part that is left knows an event.
    fn know(&self, event: Action) -> bool {
        self.all.iter().flatten().any(|part| part.knows(event))
    }

    /// The one that is left.
    fn last(self) -> Result<Lts, Rejection> {
        let mut left = self.all.into_iter().flatten();
        match (left.next(), left.next()) {
            (Some(last), None) => Ok(last),
            _ => Err(Rejection::wrong("not everything was put together")),
        }
    }
}

/// Takes an event for another, which must be the same to all parts that are left: they know
/// both or neither, and do the same with them in every state. So the steps of the whole stay
/// as they are, but for what they are called.
pub(super) fn merge(
    parts: &mut [Option<Lts>],
    whole: Lts,
    gone: u32,
    kept: u32,
) -> Result<Lts, Rejection> {
    let [gone, kept] = [gone, kept].map(|event| Action::from_index(event as usize));
    let alike = |part: &Lts| {
        let targets = |state: State, event: Action| {
            let edges = part.successors(state, event).iter();
            edges.map(|edge| edge.target).collect::<Vec<State>>()
        };
        let mut states = part.all_states();
        part.knows(gone) == part.knows(kept)
            && states.all(|state| targets(state, gone) == targets(state, kept))
    };
    let known = whole.knows(gone) && whole.knows(kept) && gone != kept;
    if !known || gone.is_tau() || kept.is_tau() || !parts.iter().flatten().all(alike) {
        return Err(Rejection::wrong(
            "two events are not the same to all others",
        ));
    }
    for part in parts.iter_mut().flatten() {
        let mut builder = LtsBuilder::shaped_like(part);
        let left = part.alphabet().iter().filter(|&&event| event != gone);
        builder.alphabet(left.copied());
        for (from, edge) in part.all_edges().filter(|(_, edge)| edge.action != gone) {
            builder.edge(from, edge.action, edge.target);
        }
        *part = builder.build();
    }
    let name = |event: Action| if event == gone { kept } else { event };
    let mut builder = LtsBuilder::shaped_like(&whole);
    builder.alphabet(whole.alphabet().iter().map(|&event| name(event)));
    for (from, edge) in whole.all_edges() {
        builder.edge(from, name(edge.action), edge.target);
    }
    Ok(builder.build())
}

/// Whether a small component does all that the whole does and, wherever the whole is at rest, can be
/// at rest as well and then allows no more. It must be as a subset construction makes it: one step
/// for each event, and silent steps only to states at rest that allow a part of the same steps.
///
/// Then for each trace after which the whole refuses some events, the small one can refuse them
/// after the same trace. That stays so beside other components and when events are hidden (stable
/// failures refine; Roscoe 1997): if what is left of all is never stuck, the system never is.
fn refuses_no_less(whole: &Lts, small: &Lts, budget: &Budget) -> Result<bool, Rejection> {
    let seen = |state: State| {
        let edges = small.edges(state).iter();
        edges.filter(|edge| !edge.action.is_tau())
    };
    // Where a state of the small one can be at rest: in itself, or after a silent step.
    let rests = |state: State| -> Vec<State> {
        let silent = small.successors(state, Action::TAU);
        match silent.is_empty() {
            true => vec![state],
            false => silent
                .iter()
                .map(|edge| edge.target)
                .filter(|&target| target != state)
                .collect(),
        }
    };
    let is_plain = |state: State| {
        let events: Vec<Action> = seen(state).map(|edge| edge.action).collect();
        let is_rest = |rest: State| {
            rest == state
                || small.successors(rest, Action::TAU).is_empty()
                    && seen(rest).all(|edge| small.successors(state, edge.action).contains(edge))
        };
        events.windows(2).all(|pair| pair[0] != pair[1]) && rests(state).into_iter().all(is_rest)
    };
    if small.initial() == ERROR || !small.all_states().all(is_plain) {
        return Ok(false);
    }
    let mut met: BTreeSet<(State, State)> = BTreeSet::new();
    let mut todo = vec![(whole.initial(), small.initial())];
    while let Some((at, place)) = todo.pop() {
        if !met.insert((at, place)) {
            continue;
        }
        if at == ERROR {
            return Ok(false);
        }
        let mut is_at_rest = true;
        for edge in whole.edges(at) {
            budget.charge(1)?;
            if edge.action.is_tau() {
                is_at_rest = false;
                todo.push((edge.target, place));
                continue;
            }
            match small.successors(place, edge.action).first() {
                Some(next) => todo.push((edge.target, next.target)),
                None => return Ok(false),
            }
        }
        let allows_no_more =
            |rest: State| seen(rest).all(|edge| !whole.successors(at, edge.action).is_empty());
        if is_at_rest && !rests(place).into_iter().any(allows_no_more) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A component whose error is a state that is silently busy, and whose end is an event.
fn prepared(lts: &Lts, ended: Option<Action>) -> Lts {
    let erred = State::from_index(lts.states());
    let mut builder = LtsBuilder::new();
    builder
        .at_least(lts.states())
        .initial(lts.initial())
        .alphabet(lts.alphabet().iter().copied());
    for (from, edge) in lts.all_edges() {
        match edge.target {
            ERROR => builder
                .edge(from, edge.action, erred)
                .edge(erred, Action::TAU, erred),
            target => builder.edge(from, edge.action, target),
        };
    }
    if let (Some(end), Some(ended)) = (lts.end(), ended) {
        builder.edge(end, ended, end);
    }
    builder.build()
}

/// Parts side by side, multiplied out.
pub(super) fn together(parts: &[Lts], budget: &Budget) -> Result<Lts, Rejection> {
    let whole = Whole::new(parts);
    let reachable = Reachable::from(&whole, &whole.initial(), budget)?;
    let mut builder = LtsBuilder::new();
    for part in parts {
        builder.alphabet(part.alphabet().iter().copied());
    }
    builder.at_least(reachable.states.len());
    for (from, steps) in reachable.steps.iter().enumerate() {
        for &(event, target) in steps {
            builder.edge(
                State::from_index(from),
                event,
                target.map_or(ERROR, State::from),
            );
        }
    }
    Ok(builder.build())
}

pub(super) fn hidden(lts: &Lts, is_hidden: impl Fn(Action) -> bool) -> Lts {
    let name = |action: Action| match action.is_tau() || is_hidden(action) {
        true => Action::TAU,
        false => action,
    };
    let mut builder = LtsBuilder::shaped_like(lts);
    builder.alphabet(lts.alphabet().iter().map(|&action| name(action)));
    for (from, edge) in lts.all_edges() {
        builder.edge(from, name(edge.action), edge.target);
    }
    builder.build()
}

fn reachable_states(lts: &Lts) -> BTreeSet<State> {
    let mut reached = BTreeSet::from([lts.initial()]);
    let mut todo = vec![lts.initial()];
    while let Some(state) = todo.pop() {
        for edge in lts.edges(state) {
            if reached.insert(edge.target) {
                todo.push(edge.target);
            }
        }
    }
    reached
}
