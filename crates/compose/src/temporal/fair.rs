//! Accepting cycles, of all executions or of those with fair choices.

use std::collections::BTreeSet;
use std::collections::VecDeque;

use quotient_core::{Budget, Stop};
use rustc_hash::{FxHashMap, FxHashSet};

use super::graph::{Graph, GraphEdge};
use crate::State;
use crate::graph::components;
use crate::lasso::{Lasso, Steps};
use crate::operations::Composed;

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
    Ok(nearest(graph, composed, &found, fair))
}

/// The components of the graph restricted to some nodes.
fn parts(graph: &Graph, nodes: &[u32]) -> Vec<Vec<u32>> {
    let place: FxHashMap<u32, u32> = (0..).zip(nodes).map(|(at, &node)| (node, at)).collect();
    let component_of = components(nodes.len(), |at| {
        let edges = graph.edges[nodes[at as usize] as usize].iter();
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
) -> Option<Lasso> {
    let is_goal = |node: u32| found.iter().any(|set| set.contains(&node));
    let (way, entry) = path(graph, 0, |_, _| true, is_goal)?;
    let set = found.iter().find(|set| set.contains(&entry))?;
    let mut cycle = Vec::new();
    let mut at = entry;
    let inner = |node: u32| {
        let edges = graph.edges[node as usize].iter();
        edges.filter(|edge| set.contains(&edge.target))
    };
    let inside = |_: u32, edge: &GraphEdge| set.contains(&edge.target);
    let mut missing = graph.wanted;
    if fair {
        // Visit every edge of the system, one after the other.
        let mut covered: BTreeSet<(State, u32)> = BTreeSet::new();
        let mut nodes: Vec<u32> = set.iter().copied().collect();
        nodes.sort_unstable();
        for node in nodes {
            for &edge in inner(node) {
                let place = edge.taken.map(|taken| (graph.system[node as usize], taken));
                let is_new = place.is_some_and(|place| covered.insert(place));
                if edge.kept & missing == 0 && !is_new {
                    continue;
                }
                missing &= !edge.kept;
                let (to, _) = path(graph, at, inside, |goal| goal == node)?;
                cycle.extend(to);
                cycle.push((node, edge));
                at = edge.target;
            }
        }
    }
    // Visit the nearest edge for something that is still wanted, again and again.
    while missing != 0 {
        let helps = |edge: &&GraphEdge| edge.kept & missing != 0;
        let (to, node) = path(graph, at, inside, |goal| {
            inner(goal).any(|edge| helps(&edge))
        })?;
        let most = |edge: &&GraphEdge| (edge.kept & missing).count_ones();
        let edge = *inner(node).max_by_key(most)?;
        missing &= !edge.kept;
        cycle.extend(to);
        cycle.push((node, edge));
        at = edge.target;
    }
    let (back, _) = path(graph, at, inside, |goal| goal == entry)?;
    cycle.extend(back);
    let taken = |steps: Vec<(u32, GraphEdge)>| -> Steps {
        let step = |(node, edge): (u32, GraphEdge)| {
            let edges = composed.lts.edges(graph.system[node as usize]);
            let step = |taken: u32| (edges[taken as usize].action, edges[taken as usize].target);
            edge.taken.map(step)
        };
        steps.into_iter().filter_map(step).collect()
    };
    Some(Lasso::new(composed, &taken(way), &taken(cycle)))
}

/// A shortest way from a node to a goal over some edges.
fn path(
    graph: &Graph,
    from: u32,
    allowed: impl Fn(u32, &GraphEdge) -> bool,
    is_goal: impl Fn(u32) -> bool,
) -> Option<(Vec<(u32, GraphEdge)>, u32)> {
    let mut origin: FxHashMap<u32, Option<(u32, GraphEdge)>> = FxHashMap::default();
    origin.insert(from, None);
    let mut todo = VecDeque::from([from]);
    while let Some(node) = todo.pop_front() {
        if is_goal(node) {
            let mut steps = Vec::new();
            let mut at = node;
            while let Some(step) = origin[&at] {
                steps.push(step);
                at = step.0;
            }
            steps.reverse();
            return Some((steps, node));
        }
        for edge in &graph.edges[node as usize] {
            if allowed(node, edge) && !origin.contains_key(&edge.target) {
                origin.insert(edge.target, Some((node, *edge)));
                todo.push_back(edge.target);
            }
        }
    }
    None
}
