//! Smaller and other forms of one transition system, by their definitions.

use std::collections::{BTreeMap, BTreeSet};

use quotient_core::{Budget, Stop};
use quotient_lts::{Action, ERROR, Lts, LtsBuilder, State};

use super::whole::components_of;
use crate::comparison::branching_steps;

/// Whether two systems are strongly bisimilar: what one can do the other can, for ever. The
/// error state and the end are like no other state.
pub(super) fn bisimilar(left: &Lts, right: &Lts, budget: &Budget) -> Result<bool, Stop> {
    let moved = |state: State| match state {
        ERROR => ERROR,
        state => State::from_index(left.states() + state.index()),
    };
    let edges = |lts: &Lts, state: State| -> Vec<(Action, State)> {
        let edges = lts.edges(state).iter();
        edges.map(|edge| (edge.action, edge.target)).collect()
    };
    let mut rows: Vec<Vec<(Action, State)>> =
        left.all_states().map(|state| edges(left, state)).collect();
    for state in right.all_states() {
        let own = edges(right, state).into_iter();
        rows.push(
            own.map(|(action, target)| (action, moved(target)))
                .collect(),
        );
    }
    let ends = [left.end(), right.end().map(moved)];
    let blocks = coarsest(&rows, |state| ends.contains(&Some(state)), budget)?;
    Ok(match (left.initial(), moved(right.initial())) {
        (ERROR, ERROR) => true,
        (ERROR, _) | (_, ERROR) => false,
        (left, right) => blocks[left.index()] == blocks[right.index()],
    })
}

/// The coarsest partition in which states of a block can do the same, into the same blocks.
fn coarsest(
    rows: &[Vec<(Action, State)>],
    is_end: impl Fn(State) -> bool,
    budget: &Budget,
) -> Result<Vec<u32>, Stop> {
    let mut blocks: Vec<u32> = (0..rows.len())
        .map(|state| u32::from(is_end(State::from_index(state))))
        .collect();
    let mut count = 0;
    loop {
        let mut numbers: BTreeMap<(u32, BTreeSet<(Action, u32)>), u32> = BTreeMap::new();
        let mut next = Vec::with_capacity(rows.len());
        for (state, row) in rows.iter().enumerate() {
            budget.charge(row.len() as u64 + 1)?;
            let place = |target: State| match target {
                ERROR => u32::MAX,
                target => blocks[target.index()],
            };
            let can = row.iter().map(|&(action, target)| (action, place(target)));
            let fresh = numbers.len() as u32;
            next.push(
                *numbers
                    .entry((blocks[state], can.collect()))
                    .or_insert(fresh),
            );
        }
        blocks = next;
        if numbers.len() == count {
            return Ok(blocks);
        }
        count = numbers.len();
    }
}

/// States that are the same up to silent steps become one: the blocks of bisimulation on the
/// steps with any silence before and after. Silent loops are no steps.
pub(super) fn weakly_minimal(lts: &Lts, budget: &Budget) -> Result<Lts, Stop> {
    let (silent, mut rows) = with_silence(lts, budget)?;
    if let Some(end) = lts.end() {
        // Having ended is something to be seen, with any silence before and after.
        let last = lts.alphabet().last().map_or(0, |action| action.index());
        let ended = Action::from_index(last + 1);
        for (state, row) in rows.iter_mut().enumerate() {
            if silent[state].contains(&end) {
                row.extend(silent[end.index()].iter().map(|&after| (ended, after)));
            }
        }
    }
    let blocks = coarsest(&rows, |_| false, budget)?;
    Ok(merged(lts, &blocks, |from, action, to| {
        !(action.is_tau() && from == to)
    }))
}

/// States that do the same step by step become one.
pub(super) fn strongly_minimal(lts: &Lts, budget: &Budget) -> Result<Lts, Stop> {
    let steps = |state: State| {
        let edges = lts.edges(state).iter();
        edges.map(|edge| (edge.action, edge.target)).collect()
    };
    let rows: Vec<Vec<(Action, State)>> = lts.all_states().map(steps).collect();
    let blocks = coarsest(&rows, |state| lts.end() == Some(state), budget)?;
    Ok(merged(lts, &blocks, |_, _, _| true))
}

/// States of a system without error and end that are branching bisimilar become one. With
/// `counts_silence`, a state on a silent cycle is like none that is on none, and its block keeps a
/// silent loop; otherwise silence inside a block is gone.
pub(super) fn branching_minimal(
    lts: &Lts,
    counts_silence: bool,
    budget: &Budget,
) -> Result<Lts, Stop> {
    /// What a state on a silent cycle does, besides.
    const BUSY: u32 = u32::MAX;
    let silent = |state: usize| -> Vec<u32> {
        let edges = lts.successors(State::from_index(state), Action::TAU).iter();
        edges.map(|edge| edge.target.into()).collect()
    };
    let cycle = components_of(lts.states(), silent);
    let is_busy = |state: usize| {
        let mut targets = silent(state).into_iter();
        counts_silence && targets.any(|target| cycle[target as usize] == cycle[state])
    };
    let mut rows: Vec<Vec<(u32, u32)>> = Vec::new();
    for state in 0..lts.states() {
        let edges = lts.edges(State::from_index(state)).iter();
        let mut row: Vec<(u32, u32)> = edges
            .map(|edge| (edge.action.index() as u32, edge.target.into()))
            .collect();
        if is_busy(state) {
            row.push((BUSY, state as u32));
        }
        rows.push(row);
    }
    let mut blocks = vec![0u32; rows.len()];
    let mut count = 1;
    loop {
        let mut numbers: BTreeMap<(u32, BTreeSet<(u32, u32)>), u32> = BTreeMap::new();
        let mut next = Vec::with_capacity(rows.len());
        for state in 0..rows.len() as u32 {
            let can = branching_steps(&rows, &blocks, state, budget)?;
            let fresh = numbers.len() as u32;
            next.push(
                *numbers
                    .entry((blocks[state as usize], can))
                    .or_insert(fresh),
            );
        }
        blocks = next;
        if numbers.len() == count {
            break;
        }
        count = numbers.len();
    }
    let mut busy = vec![false; count];
    for state in (0..rows.len()).filter(|&state| is_busy(state)) {
        busy[blocks[state] as usize] = true;
    }
    Ok(merged(lts, &blocks, |from, action, to| {
        !action.is_tau() || from != to || busy[from.index()]
    }))
}

/// One state for each block, with the steps between them that are to be kept.
fn merged(lts: &Lts, blocks: &[u32], keeps: impl Fn(State, Action, State) -> bool) -> Lts {
    let place = |state: State| match state {
        ERROR => ERROR,
        state => blocks[state.index()].into(),
    };
    let mut edges: BTreeSet<(State, Action, State)> = BTreeSet::new();
    for (from, edge) in lts.all_edges() {
        edges.insert((place(from), edge.action, place(edge.target)));
    }
    let mut builder = LtsBuilder::new();
    builder
        .initial(place(lts.initial()))
        .alphabet(lts.alphabet().iter().copied());
    for &(from, action, to) in &edges {
        if keeps(from, action, to) {
            builder.edge(from, action, to);
        }
    }
    if let Some(end) = lts.end() {
        builder.end(place(end));
    }
    builder.build()
}

/// For each state those that silent steps lead to, and its steps with any silence before and
/// after.
fn with_silence(lts: &Lts, budget: &Budget) -> Result<(Vec<Vec<State>>, Rows), Stop> {
    let states = lts.all_states();
    let mut silent: Vec<Vec<State>> = Vec::new();
    for state in states.clone() {
        silent.push(silently(lts, [state], budget)?.into_iter().collect());
    }
    let quiet = |state: State| match state {
        ERROR => vec![ERROR],
        state => silent[state.index()].clone(),
    };
    let mut rows = Vec::new();
    for state in states {
        let mut row = BTreeSet::new();
        for before in quiet(state) {
            row.insert((Action::TAU, before));
            for edge in lts
                .edges(before)
                .iter()
                .filter(|edge| !edge.action.is_tau())
            {
                row.extend(
                    quiet(edge.target)
                        .into_iter()
                        .map(|after| (edge.action, after)),
                );
            }
        }
        budget.charge(row.len() as u64)?;
        rows.push(row.into_iter().collect());
    }
    Ok((silent, rows))
}

/// The steps of each state.
type Rows = Vec<Vec<(Action, State)>>;

/// Whether two systems are the same up to silent steps, where being silent for ever is
/// something that a state can do.
pub(super) fn weakly_bisimilar(left: &Lts, right: &Lts, budget: &Budget) -> Result<bool, Stop> {
    let last = |lts: &Lts| lts.alphabet().last().map_or(0, |action| action.index());
    let busy = Action::from_index(last(left).max(last(right)) + 1);
    let (mut left, mut right) = (left.clone(), right.clone());
    for lts in [&mut left, &mut right] {
        let (silent, rows) = with_silence(lts, budget)?;
        let is_busy = |state: State| {
            let edges = lts.successors(state, Action::TAU).iter();
            let mut targets = edges.map(|edge| edge.target).filter(|&next| next != ERROR);
            targets.any(|next| silent[next.index()].contains(&state))
        };
        let mut builder = LtsBuilder::shaped_like(lts);
        builder.alphabet(lts.alphabet().iter().copied());
        for (state, row) in lts.all_states().zip(&rows) {
            for &(action, target) in row {
                builder.edge(state, action, target);
            }
            for &before in silent[state.index()].iter().filter(|&&one| one != ERROR) {
                if is_busy(before) {
                    for &after in &silent[before.index()] {
                        builder.edge(state, busy, after);
                    }
                }
            }
        }
        *lts = builder.build();
    }
    bisimilar(&left, &right, budget)
}

/// All states that silent steps lead to; the error state among them.
fn silently(
    lts: &Lts,
    from: impl IntoIterator<Item = State>,
    budget: &Budget,
) -> Result<BTreeSet<State>, Stop> {
    let mut reached: BTreeSet<State> = from.into_iter().collect();
    let mut waiting: Vec<State> = reached.iter().copied().collect();
    while let Some(state) = waiting.pop() {
        budget.charge(1)?;
        for edge in lts.successors(state, Action::TAU) {
            if reached.insert(edge.target) {
                waiting.push(edge.target);
            }
        }
    }
    Ok(reached)
}

/// The subset construction; a set with the error state in it is the error state.
pub(super) fn deterministic(lts: &Lts, budget: &Budget) -> Result<Lts, Stop> {
    let mut builder = LtsBuilder::new();
    builder.alphabet(lts.alphabet().iter().copied());
    let mut numbers: BTreeMap<BTreeSet<State>, State> = BTreeMap::new();
    let mut waiting = Vec::new();
    let mut number = |set: BTreeSet<State>, waiting: &mut Vec<(State, BTreeSet<State>)>| {
        if set.contains(&ERROR) {
            return ERROR;
        }
        let fresh = State::from_index(numbers.len());
        *numbers.entry(set).or_insert_with_key(|set| {
            waiting.push((fresh, set.clone()));
            fresh
        })
    };
    let initial = silently(lts, [lts.initial()], budget)?;
    let initial = number(initial, &mut waiting);
    builder.initial(initial);
    while let Some((from, set)) = waiting.pop() {
        budget.charge(lts.alphabet().len() as u64 + 1)?;
        if set.len() == 1 && set.first().copied() == lts.end() {
            builder.end(from);
        }
        for &action in lts.alphabet() {
            let edges = set.iter().flat_map(|&state| lts.successors(state, action));
            let targets: Vec<State> = edges.map(|edge| edge.target).collect();
            if !targets.is_empty() {
                let targets = silently(lts, targets, budget)?;
                builder.edge(from, action, number(targets, &mut waiting));
            }
        }
    }
    Ok(builder.build())
}

/// What a state does not allow leads to the error state.
pub(super) fn completed(lts: &Lts, budget: &Budget) -> Result<Lts, Stop> {
    let mut builder = LtsBuilder::shaped_like(lts);
    builder.alphabet(lts.alphabet().iter().copied());
    for state in lts.all_states() {
        budget.charge(lts.alphabet().len() as u64 + 1)?;
        for edge in lts.edges(state) {
            builder.edge(state, edge.action, edge.target);
        }
        for &action in lts.alphabet() {
            if lts.successors(state, action).is_empty() {
                builder.edge(state, action, ERROR);
            }
        }
    }
    Ok(builder.build())
}
