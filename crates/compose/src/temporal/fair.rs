//! Accepting cycles, of all executions or of those with fair choices.

use std::collections::BTreeSet;
use std::collections::VecDeque;

use quotient_bits::Bits;
use quotient_core::{Budget, Stop};
use rustc_hash::{FxHashMap, FxHashSet};

use super::graph::{Graph, GraphEdge};
use crate::graph::components;
use crate::lasso::{Lasso, Steps};
use crate::operations::Composed;
use crate::{Action, Lts, State};

/// An accepted execution.
///
/// Without fairness: a component that contributes all that is wanted. With fairness it must
/// also have, for each of its states of the system, all edges of that state; states that lack
/// one cannot be met again and again, are removed, and what is left is looked at again.
pub(super) fn accepted(
    graph: &Graph,
    composed: &Composed,
    fair: bool,
    budget: &Budget,
) -> Result<Option<Lasso>, Stop> {
    let lts = &composed.lts;
    let mut open: Vec<Vec<u32>> = vec![(0..graph.len() as u32).collect()];
    let mut found: Vec<FxHashSet<u32>> = Vec::new();
    while let Some(nodes) = open.pop() {
        budget.charge(nodes.len() as u64)?;
        for part in parts(graph, &nodes) {
            let inside: FxHashSet<u32> = part.iter().copied().collect();
            let inner = || {
                let edges = part.iter().flat_map(|&node| {
                    let edges = graph.edges[node as usize].iter();
                    edges.map(move |edge| (node, edge))
                });
                edges.filter(|(_, edge)| inside.contains(&edge.target))
            };
            let kept = inner().fold(0, |all, (_, edge)| all | edge.kept);
            if kept & graph.wanted != graph.wanted {
                continue;
            }
            if !fair {
                found.push(inside);
                continue;
            }
            let mut taken: FxHashMap<State, BTreeSet<u32>> = FxHashMap::default();
            for (node, edge) in inner() {
                let state = graph.system[node as usize];
                taken.entry(state).or_default().extend(edge.taken);
            }
            let lacks = |node: &u32| {
                let state = graph.system[*node as usize];
                taken.get(&state).map_or(0, BTreeSet::len) < lts.edges(state).len()
            };
            match part.iter().any(lacks) {
                false => found.push(inside),
                true => open.push(part.iter().copied().filter(|node| !lacks(node)).collect()),
            }
        }
    }
    nearest(graph, composed, &found, fair, budget)
}

/// Whether there is a component that contributes all that is wanted and, with fairness, has every
/// event that can still come when one is in it.
pub(super) fn may_be_accepted(
    graph: &Graph,
    lts: &Lts,
    fair: bool,
    budget: &Budget,
) -> Result<bool, Stop> {
    let nodes: Vec<u32> = (0..graph.len() as u32).collect();
    budget.charge(nodes.len() as u64)?;
    let coming = match fair {
        true => Coming::new(lts, budget)?,
        false => Coming::default(),
    };
    let component_of = components(nodes.len(), |at| {
        let edges = graph.edges[at.index()].iter();
        edges.map(|edge| State::from_index(edge.target as usize))
    });
    let count = component_of
        .iter()
        .max()
        .map_or(0, |&most| most as usize + 1);
    let mut facts: Vec<(u64, BTreeSet<Action>, u32)> = vec![Default::default(); count];
    for node in nodes {
        let own = component_of[node as usize];
        let (kept, events, at) = &mut facts[own as usize];
        *at = node;
        let edges = graph.edges[node as usize].iter();
        for edge in edges.filter(|edge| component_of[edge.target as usize] == own) {
            *kept |= edge.kept;
            let steps = lts.edges(graph.system[node as usize]);
            events.extend(edge.taken.map(|taken| steps[taken as usize].action));
        }
    }
    Ok(facts.iter().any(|(kept, events, at)| {
        kept & graph.wanted == graph.wanted
            && (!fair || coming.count(graph.system[*at as usize]) == events.len())
    }))
}

/// How many events can still come, for each state.
#[derive(Default)]
struct Coming {
    component_of: Vec<u32>,
    counts: Vec<usize>,
}

impl Coming {
    fn new(lts: &Lts, budget: &Budget) -> Result<Coming, Stop> {
        let component_of = components(lts.states(), |state| {
            lts.edges(state).iter().map(|edge| edge.target)
        });
        let mut members: Vec<State> = lts.all_states().collect();
        members.sort_by_key(|state| component_of[state.index()]);
        let last = lts.all_edges().map(|(_, edge)| edge.action.index()).max();
        let room = last.map_or(0, |last| last + 1);
        let mut events: Vec<Bits> = Vec::new();
        let mut counts = Vec::new();
        // What a component leads to comes before it.
        for own in
            members.chunk_by(|one, other| component_of[one.index()] == component_of[other.index()])
        {
            let mut all = Bits::with_capacity(room);
            for edge in own.iter().flat_map(|&state| lts.edges(state)) {
                budget.charge(1)?;
                all.insert(edge.action.index());
                let target = component_of[edge.target.index()] as usize;
                if let Some(later) = events.get(target) {
                    budget.charge(room as u64 / 64)?;
                    all.union_with(later);
                }
            }
            counts.push(all.ones().count());
            events.push(all);
        }
        Ok(Coming {
            component_of,
            counts,
        })
    }

    fn count(&self, state: State) -> usize {
        self.counts[self.component_of[state.index()] as usize]
    }
}

/// A shortest way to a moment after which the automaton accepts whatever it reads.
pub(super) fn settled(
    graph: &Graph,
    composed: &Composed,
    budget: &Budget,
) -> Result<Option<Lasso>, Stop> {
    if graph.settled.is_empty() {
        return Ok(None);
    }
    let mut search = Search::new(graph, budget);
    let is_goal = |node: u32| graph.settled.binary_search(&node).is_ok();
    let found = search.path(0, |_| true, is_goal)?;
    Ok(found.map(|(way, _)| Lasso::new(composed, &taken(graph, composed, way), &[])))
}

/// The components of the graph restricted to some nodes.
fn parts(graph: &Graph, nodes: &[u32]) -> Vec<Vec<u32>> {
    let place: FxHashMap<u32, State> = (nodes.iter().copied())
        .zip(State::first(nodes.len()))
        .collect();
    let component_of = components(nodes.len(), |at| {
        let edges = graph.edges[nodes[at.index()] as usize].iter();
        edges.filter_map(|edge| place.get(&edge.target).copied())
    });
    let count = component_of
        .iter()
        .max()
        .map_or(0, |&most| most as usize + 1);
    let mut parts = vec![Vec::new(); count];
    for (&node, &component) in nodes.iter().zip(&component_of) {
        parts[component as usize].push(node);
    }
    parts
}

/// A shortest way to one of some accepting sets and a cycle in it that contributes all that is
/// wanted, and takes every edge if choices are fair.
fn nearest(
    graph: &Graph,
    composed: &Composed,
    found: &[FxHashSet<u32>],
    fair: bool,
    budget: &Budget,
) -> Result<Option<Lasso>, Stop> {
    let mut search = Search::new(graph, budget);
    let is_goal = |node: u32| found.iter().any(|set| set.contains(&node));
    let Some((way, entry)) = search.path(0, |_| true, is_goal)? else {
        return Ok(None);
    };
    let Some(set) = found.iter().find(|set| set.contains(&entry)) else {
        return Ok(None);
    };
    let mut cycle = Vec::new();
    let mut at = entry;
    let mut missing = graph.wanted;
    let mut covered: FxHashSet<(State, u32)> = FxHashSet::default();
    // Always on to the nearest edge that brings something new: mostly it is next door.
    loop {
        let is_new = |node: u32, edge: &GraphEdge| {
            let place = edge.taken.map(|taken| (graph.system[node as usize], taken));
            set.contains(&edge.target)
                && (edge.kept & missing != 0
                    || fair && place.is_some_and(|place| !covered.contains(&place)))
        };
        let new_edge = |node: u32| {
            let edges = graph.edges[node as usize].iter();
            let new = edges.filter(|edge| is_new(node, edge)).copied();
            new.max_by_key(|edge| (edge.kept & missing).count_ones())
        };
        let inside = |target: u32| set.contains(&target);
        let Some((to, node)) = search.path(at, inside, |node| new_edge(node).is_some())? else {
            break;
        };
        let Some(edge) = new_edge(node) else { break };
        cycle.extend(to);
        cycle.push((node, edge));
        missing &= !edge.kept;
        covered.extend(edge.taken.map(|taken| (graph.system[node as usize], taken)));
        at = edge.target;
    }
    let back = search.path(at, |target| set.contains(&target), |goal| goal == entry)?;
    let Some((back, _)) = back else {
        return Ok(None);
    };
    cycle.extend(back);
    let [way, cycle] = [way, cycle].map(|steps| taken(graph, composed, steps));
    Ok(Some(Lasso::new(composed, &way, &cycle)))
}

/// The steps of the system on a way.
fn taken(graph: &Graph, composed: &Composed, steps: Way) -> Steps {
    let step = |(node, edge): (u32, GraphEdge)| {
        let edges = composed.lts.edges(graph.system[node as usize]);
        let step = |taken: u32| (edges[taken as usize].action, edges[taken as usize].target);
        edge.taken.map(step)
    };
    steps.into_iter().filter_map(step).collect()
}

/// Steps over edges of the graph, each with the node that it leaves.
type Way = Vec<(u32, GraphEdge)>;

/// Breadth-first searches in one graph, one after the other.
struct Search<'a> {
    graph: &'a Graph,
    budget: &'a Budget,
    /// The search that last met a node, and the step that led there.
    met: Vec<(u32, Option<(u32, GraphEdge)>)>,
    round: u32,
}

impl<'a> Search<'a> {
    fn new(graph: &'a Graph, budget: &'a Budget) -> Search<'a> {
        Search {
            graph,
            budget,
            met: vec![(0, None); graph.len()],
            round: 0,
        }
    }

    /// A shortest way from a node to a goal through some nodes.
    fn path(
        &mut self,
        from: u32,
        allowed: impl Fn(u32) -> bool,
        is_goal: impl Fn(u32) -> bool,
    ) -> Result<Option<(Way, u32)>, Stop> {
        self.round += 1;
        self.met[from as usize] = (self.round, None);
        let mut todo = VecDeque::from([from]);
        while let Some(node) = todo.pop_front() {
            let edges = &self.graph.edges[node as usize];
            self.budget.charge(edges.len() as u64 + 1)?;
            if is_goal(node) {
                let mut steps = Vec::new();
                let mut at = node;
                while let Some(step) = self.met[at as usize].1 {
                    steps.push(step);
                    at = step.0;
                }
                steps.reverse();
                return Ok(Some((steps, node)));
            }
            for edge in edges {
                let met = &mut self.met[edge.target as usize];
                if met.0 != self.round && allowed(edge.target) {
                    *met = (self.round, Some((node, *edge)));
                    todo.push_back(edge.target);
                }
            }
        }
        Ok(None)
    }
}
