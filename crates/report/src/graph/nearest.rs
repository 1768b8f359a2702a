//! The part of a large graph that is drawn.

use std::collections::VecDeque;

use quotient_language::{Edge, Graph};

/// The part of the graph within the `most` nodes nearest to the initial ones, and how many
/// nodes are not in it.
pub(super) fn nearest(graph: &Graph, most: usize) -> (Graph, usize) {
    if graph.nodes.len() <= most {
        return (graph.clone(), 0);
    }
    let order = breadth_first(graph);
    let mut number = vec![usize::MAX; graph.nodes.len()];
    let mut part = Graph::new(graph.title.clone());
    part.undirected = graph.undirected;
    for &node in order.iter().take(most) {
        number[node] = part.node(graph.nodes[node].clone());
    }
    for edge in &graph.edges {
        let (source, target) = (number[edge.source], number[edge.target]);
        if source != usize::MAX && target != usize::MAX {
            part.edges.push(Edge {
                source,
                target,
                ..edge.clone()
            });
        }
    }
    (part, graph.nodes.len() - most)
}

/// All nodes, from the initial ones outwards; unreachable ones last.
pub(super) fn breadth_first(graph: &Graph) -> Vec<usize> {
    let mut targets = vec![Vec::new(); graph.nodes.len()];
    for edge in &graph.edges {
        targets[edge.source].push(edge.target);
    }
    let mut order = Vec::with_capacity(graph.nodes.len());
    let mut seen = vec![false; graph.nodes.len()];
    let initial = (0..graph.nodes.len()).filter(|&node| graph.nodes[node].initial);
    for root in initial.chain(0..graph.nodes.len()) {
        let mut waiting = VecDeque::from([root]);
        while let Some(node) = waiting.pop_front() {
            if !std::mem::replace(&mut seen[node], true) {
                order.push(node);
                waiting.extend(targets[node].iter().filter(|&&target| !seen[target]));
            }
        }
    }
    order
}
