//! Deadlocks of systems that are too large to search whole.
//!
//! What only one component does is silent to the others. With it hidden, each component is
//! replaced by the smallest one that is the same up to silent steps, where a component that
//! can be silently busy for ever is not the same as one that cannot. Such replacements keep
//! whether the whole can get stuck (Milner's observation congruence with explicit divergence;
//! compositional minimisation as in Graf and Steffen, 1990).

use std::sync::Arc;

use quotient_core::{Context, Stop};
use quotient_lts::evidence::{LtsData, ReducedData};

use crate::evidence::system_data;
use crate::graph::components;
use crate::operations::{hide, minimise};
use crate::{
    Action, ERROR, Equivalence, Exploration, Goals, Lts, LtsBuilder, Network, State, explore,
};

/// A search of reduced components that found no deadlock.
pub(super) struct Reduced {
    pub(super) exploration: Exploration,
    pub(super) data: ReducedData,
}

/// Searches the reduced components; nothing if there may be a deadlock, or if a component
/// errs and does not only watch. Components that only watch stand in nobody's way.
pub(super) fn without_deadlock(
    network: &Network,
    threads: usize,
    cx: &Context,
) -> Result<Option<Reduced>, Stop> {
    let all = network.components();
    let watches = |at: usize| all[at].lts.has_error() && all[at].is_observer();
    let (watchers, processes): (Vec<usize>, Vec<usize>) =
        (0..all.len()).partition(|&at| watches(at));
    if processes.iter().any(|&at| all[at].lts.has_error()) || !ends_are_kept(network, &watchers)? {
        return Ok(None);
    }
    let knowing = |event: Action| {
        processes
            .iter()
            .filter(move |&&at| all[at].lts.knows(event))
    };
    let mut reduced: Vec<Arc<Lts>> = Vec::new();
    for &at in &processes {
        let own = hide(&all[at].lts, |event| knowing(event).count() == 1);
        let small = smallest(&own, cx)?;
        // An end that cannot be reached is forgotten, and still is not come to.
        if small.end().is_none() && own.end().is_some() {
            return Ok(None);
        }
        reduced.push(Arc::new(small));
    }
    let data = processes.iter().zip(&reduced);
    let data = ReducedData {
        system: system_data(network),
        watchers,
        reduced: data
            .map(|(&at, lts)| LtsData::new(&all[at].name, lts))
            .collect(),
    };
    let goals = Goals {
        deadlock: true,
        error: false,
    };
    let exploration = explore(&network.with_components(&reduced), goals, threads, cx)?;
    Ok(match exploration.finding {
        Some(_) => None,
        None => Some(Reduced { exploration, data }),
    })
}

/// Whether the reduced components end well where the whole does: the rule for that asks who
/// takes part in an action, which is forgotten for those that are hidden.
fn ends_are_kept(network: &Network, watchers: &[usize]) -> Result<bool, Stop> {
    let all = network.components();
    let ends = |at: &usize| all[*at].lts.end().is_some();
    if !(0..all.len()).any(|at| ends(&at)) {
        return Ok(true);
    }
    Ok(network.product()?.can_end() && !watchers.iter().any(ends))
}

/// The smallest component that is the same up to silent steps and busy for ever in the same
/// states.
fn smallest(lts: &Lts, cx: &Context) -> Result<Lts, Stop> {
    let silent = |state: State| {
        let edges = lts.edges(state).iter();
        let silent = edges.take_while(|edge| edge.action.is_tau());
        silent
            .map(|edge| edge.target)
            .filter(|&target| target != ERROR)
    };
    let component_of = components(lts.states(), silent);
    // An action that nobody has marks the states on silent cycles.
    let last = lts.alphabet().last().map_or(0, |action| action.index());
    let busy = Action::from_index(last + 1);
    let mut marked = LtsBuilder::shaped_like(lts);
    marked.alphabet(lts.alphabet().iter().copied());
    for (from, edge) in lts.all_edges() {
        marked.edge(from, edge.action, edge.target);
        let is_cycle = edge.target != ERROR
            && component_of[from as usize] == component_of[edge.target as usize];
        if edge.action.is_tau() && is_cycle {
            marked.edge(from, busy, from);
        }
    }
    let small = minimise(&marked.build(), Equivalence::Weak, &cx.budget)?;
    let mut unmarked = LtsBuilder::shaped_like(&small);
    unmarked.alphabet(lts.alphabet().iter().copied());
    for (from, edge) in small.all_edges() {
        match edge.action {
            action if action == busy => unmarked.edge(from, Action::TAU, edge.target),
            // Silence that led nowhere is no silence for ever.
            action if action.is_tau() && edge.target == from => &mut unmarked,
            action => unmarked.edge(from, action, edge.target),
        };
    }
    Ok(unmarked.build())
}
