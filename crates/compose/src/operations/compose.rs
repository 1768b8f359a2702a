//! Building a composition.

use std::ops::ControlFlow;

use quotient_core::{Budget, Stop};

use crate::product::{Product, Scratch, StateTable, Target, for_width};
use crate::stubborn::{Closure, Stubborn};
use crate::symmetry::{Sorter, Symmetry};
use crate::{Action, ERROR, Lts, LtsBuilder, State};

/// The reachable part of a composition, its states numbered breadth-first.
pub(crate) fn compose(product: &Product, budget: &Budget) -> Result<Lts, Stop> {
    for_width!(product.words(), merged(product, budget))
}

/// A composition that still knows the states of its parts. Ends are not merged.
pub(crate) struct Composed {
    pub(crate) lts: Lts,
    /// The states of the parts in a state of the whole.
    pub(crate) locals: Box<dyn Fn(State) -> Vec<State>>,
}

/// The same, for those who have to tell where its parts are.
pub(crate) fn compose_with_locals(product: &Product, budget: &Budget) -> Result<Composed, Stop> {
    for_width!(product.words(), with_locals(product, budget))
}

/// The part of a composition that is met first, and whether that is all.
pub(crate) struct Beginning {
    pub(crate) composed: Composed,
    /// States from this one on were met, but not looked at: their edges are missing.
    pub(crate) open: State,
}

impl Beginning {
    pub(crate) fn is_all(&self) -> bool {
        self.open.index() >= self.composed.lts.states()
    }
}

/// The first states of a composition, breadth-first.
pub(crate) fn compose_beginning(
    product: &Product,
    most: usize,
    budget: &Budget,
) -> Result<Beginning, Stop> {
    let limits = Limits {
        most,
        ..Limits::default()
    };
    for_width!(product.words(), beginning(product, limits, budget))
}

/// All states that are met when in each only the steps of a set that is enough are followed; with
/// components that are alike, one state of those that exchanges make of each other, and one event of
/// those that they make of each other.
pub(crate) fn compose_followed(
    product: &Product,
    followed: &Stubborn<'_>,
    alike: Option<&Symmetry>,
    budget: &Budget,
) -> Result<Beginning, Stop> {
    let limits = Limits {
        followed: Some(followed),
        alike,
        ..Limits::default()
    };
    for_width!(product.words(), beginning(product, limits, budget))
}

/// How many states are looked at, which of their steps (all, or those of a set that is enough), and
/// which are taken for each other.
#[derive(Clone, Copy)]
struct Limits<'a> {
    most: usize,
    followed: Option<&'a Stubborn<'a>>,
    alike: Option<&'a Symmetry>,
}

impl Default for Limits<'_> {
    fn default() -> Self {
        Limits {
            most: usize::MAX,
            followed: None,
            alike: None,
        }
    }
}

fn beginning<const W: usize>(
    product: &Product,
    limits: Limits<'_>,
    budget: &Budget,
) -> Result<Beginning, Stop> {
    let (lts, _, table) = build::<W>(product, limits, budget)?;
    let product = product.clone();
    let locals = move |state: State| product.locals(table.state(state.into()));
    Ok(Beginning {
        open: State::from_index(lts.states().min(limits.most)),
        composed: Composed {
            lts,
            locals: Box::new(locals),
        },
    })
}

/// What [`compose`] builds, still knowing the states of its parts.
pub(crate) fn compose_merged_with_locals(
    product: &Product,
    budget: &Budget,
) -> Result<Composed, Stop> {
    for_width!(product.words(), merged_with_locals(product, budget))
}

fn merged<const W: usize>(product: &Product, budget: &Budget) -> Result<Lts, Stop> {
    let (lts, ended, _) = build::<W>(product, Limits::default(), budget)?;
    Ok(with_one_end(lts, &ended))
}

fn merged_with_locals<const W: usize>(
    product: &Product,
    budget: &Budget,
) -> Result<Composed, Stop> {
    let (lts, ended, table) = build::<W>(product, Limits::default(), budget)?;
    // Of the merged ends the first one stands for all.
    let others = ended.get(1..).unwrap_or_default();
    let kept: Vec<State> = lts
        .all_states()
        .filter(|state| others.binary_search(state).is_err())
        .collect();
    let product = product.clone();
    let locals = move |state: State| product.locals(table.state(kept[state.index()].into()));
    Ok(Composed {
        lts: with_one_end(lts, &ended),
        locals: Box::new(locals),
    })
}

fn with_locals<const W: usize>(product: &Product, budget: &Budget) -> Result<Composed, Stop> {
    let (lts, _, table) = build::<W>(product, Limits::default(), budget)?;
    let product = product.clone();
    let locals = move |state: State| product.locals(table.state(state.into()));
    Ok(Composed {
        lts,
        locals: Box::new(locals),
    })
}

/// The composition, the states in which its parts have ended, and all states. At most so many
/// states are looked at; the edges of others that were met are missing.
fn build<const W: usize>(
    product: &Product,
    limits: Limits<'_>,
    budget: &Budget,
) -> Result<(Lts, Vec<State>, StateTable<W>), Stop> {
    let mut builder = LtsBuilder::new();
    builder.alphabet(product.alphabet());
    let mut sorter = limits.alike.map(|alike| Sorter::new(product, alike));
    let stand_ins = limits.alike.map_or_else(Vec::new, Symmetry::stand_ins);
    let mut table = StateTable::<W>::new();
    match product.initial() {
        Target::Error(_) => {
            builder.initial(ERROR);
            return Ok((builder.build(), Vec::new(), table));
        }
        Target::State(state) => table.insert(state)?,
    };
    let mut scratch = Scratch::default();
    let mut closure = Closure::default();
    let mut number = 0;
    let mut ended = Vec::new();
    while (number as usize) < table.len().min(limits.most) {
        let state = *table.state(number);
        let mut steps = 1;
        let visit = |action: Action, target| {
            steps += 1;
            let target = match target {
                Target::Error(_) => ERROR,
                Target::State(next) => {
                    let next = match &mut sorter {
                        Some(sorter) => sorter.sorted(&next, |_| {}),
                        None => next,
                    };
                    match table.insert(next) {
                        Ok((target, _)) => State::from(target),
                        Err(stop) => return ControlFlow::Break(stop),
                    }
                }
            };
            let action = stand_ins.get(action.index()).copied().unwrap_or(action);
            builder.edge(number, action, target);
            ControlFlow::Continue(())
        };
        let expanded = match limits.followed {
            None => product.expand(&state, &mut scratch, visit),
            Some(followed) => followed.expand(&state, &mut scratch, &mut closure, visit),
        };
        if let ControlFlow::Break(stop) = expanded {
            return Err(stop);
        }
        budget.charge(steps + closure.take_work())?;
        if steps == 1 && product.has_ended(&state) {
            ended.push(State::from(number));
        }
        number += 1;
    }
    Ok((builder.build(), ended, table))
}

/// All states in which the parts have ended, as one: a process that comes after goes on from
/// there, wherever the parts without an end are.
fn with_one_end(lts: Lts, ended: &[State]) -> Lts {
    let Some(&end) = ended.first() else {
        return lts;
    };
    let mut number = vec![end; lts.states()];
    let mut next = 0;
    for (state, number) in lts.all_states().zip(&mut number) {
        if state == end || ended.binary_search(&state).is_err() {
            *number = State::from_index(next);
            next += 1;
        }
    }
    for &state in ended {
        number[state.index()] = number[end.index()];
    }
    let moved = |state: State| match state {
        ERROR => ERROR,
        state => number[state.index()],
    };
    let mut builder = LtsBuilder::new();
    builder
        .at_least(next)
        .initial(moved(lts.initial()))
        .end(moved(end))
        .alphabet(lts.alphabet().iter().copied());
    for (from, edge) in lts.all_edges() {
        builder.edge(moved(from), edge.action, moved(edge.target));
    }
    builder.build()
}
