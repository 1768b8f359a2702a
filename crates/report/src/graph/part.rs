//! The part of a large graph that a page shows: folded, and opened where somebody wants to see
//! more.

use std::collections::{BTreeSet, VecDeque};

use quotient_language::{Edge, Graph, Group};

use super::fold::{FEWEST, components, fold};
use super::nearest::breadth_first;

/// What of a graph is drawn, and how.
///
/// ```
/// use quotient_language::{Graph, Node};
/// use quotient_report::{Drawing, svg_with};
/// let mut graph = Graph::new("a long way");
/// for number in 0..1_000 {
///     graph.node(Node::round(number.to_string()));
///     if number > 0 { graph.edge(number - 1, number, "on"); }
/// }
/// let near = svg_with(&graph, &Drawing::default());
/// assert!(!near.contains("data-at=\"500\""));
/// let far = svg_with(&graph, &Drawing { reveal: vec![500], ..Drawing::default() });
/// assert!(far.contains("data-at=\"500\""));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drawing {
    /// Whether layers are below each other instead of beside each other.
    pub down: bool,
    /// A graph of at most so many nodes is drawn as it is; others are folded and cut.
    pub most: usize,
    /// Nodes, by number, whose group is not folded.
    pub open: Vec<usize>,
    /// Nodes, by number, that are to be seen with what is next to them.
    pub reveal: Vec<usize>,
}

impl Default for Drawing {
    fn default() -> Drawing {
        Drawing {
            down: false,
            most: 150,
            open: Vec::new(),
            reveal: Vec::new(),
        }
    }
}

/// Of a graph that is cut, so many nodes are seen at first; what is revealed comes to them.
const FIRST: usize = 60;
/// What is next to one revealed node is shown up to this number.
const MOST_NEAR: usize = 30;

/// What is known about a drawn node.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Mark {
    /// Its number in the whole graph; of a group, that of its first member.
    pub(super) at: usize,
    /// How many nodes are folded into it; none if it is a node itself.
    pub(super) folded: usize,
    /// How many nodes next to it are not drawn.
    pub(super) more: usize,
}

/// The part that is drawn, with what is known about its nodes, and how many nodes are left out.
pub(super) fn part(graph: &Graph, drawing: &Drawing) -> (Graph, Vec<Mark>, usize) {
    let plain = |at: usize| Mark {
        at,
        ..Mark::default()
    };
    if graph.nodes.len() <= drawing.most {
        let marks = (0..graph.nodes.len()).map(plain).collect();
        return (graph.clone(), marks, 0);
    }
    let groups = match graph.groups.is_empty() {
        true => components(graph),
        false => graph.groups.clone(),
    };
    let is_open = |group: &Group| drawing.open.iter().any(|node| group.nodes.contains(node));
    let (open, closed): (Vec<Group>, Vec<Group>) = groups.into_iter().partition(is_open);
    let (small, place) = fold(graph, &closed);
    // A folding that leaves next to nothing says nothing, unless somebody looks into it.
    let worth = small.nodes.len() >= FEWEST || !open.is_empty();
    let (small, place) = match worth {
        true => (small, place),
        false => (graph.clone(), (0..graph.nodes.len()).collect()),
    };
    let mut marks = vec![plain(usize::MAX); small.nodes.len()];
    for (node, &drawn) in place.iter().enumerate() {
        let mark = &mut marks[drawn];
        mark.at = mark.at.min(node);
        mark.folded += 1;
    }
    for mark in &mut marks {
        mark.folded = if mark.folded > 1 { mark.folded } else { 0 };
    }
    if small.nodes.len() <= drawing.most {
        return (small, marks, 0);
    }
    let drawn = |nodes: &[usize]| -> Vec<usize> {
        let known = nodes.iter().filter_map(|&node| place.get(node));
        known.copied().collect()
    };
    let inside: Vec<usize> = open.iter().flat_map(|group| drawn(&group.nodes)).collect();
    let order = wanted(&small, &drawn(&drawing.reveal), &inside);
    cut(&small, &marks, &order, drawing.most)
}

/// The nodes to draw, most wanted first: those that are revealed with the way to them and what
/// is next to them, then those of opened groups, then those near the beginning.
fn wanted(graph: &Graph, reveal: &[usize], inside: &[usize]) -> Vec<usize> {
    let count = graph.nodes.len();
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); count];
    for edge in &graph.edges {
        next[edge.source].push(edge.target);
        before[edge.target].push(edge.source);
    }
    let order = breadth_first(graph);
    let mut first: Vec<usize> = Vec::new();
    if !reveal.is_empty() {
        let from = ways(&order, graph, &next);
        for &node in reveal {
            let mut way = vec![node];
            while let Some(parent) = from[way[way.len() - 1]] {
                way.push(parent);
            }
            first.push(node);
            first.extend(next[node].iter().take(MOST_NEAR));
            first.extend(before[node].iter().take(MOST_NEAR));
            // Of a long way the end is what matters.
            first.extend(way.iter().take(MOST_NEAR));
        }
    }
    let near = order.iter().copied().take(FIRST);
    let inside = inside.iter().copied().take(FIRST);
    let mut seen = BTreeSet::new();
    let all = first.into_iter().chain(inside).chain(near);
    all.filter(|&node| seen.insert(node)).collect()
}

/// For each node the one before it on a shortest way from the beginning.
fn ways(order: &[usize], graph: &Graph, next: &[Vec<usize>]) -> Vec<Option<usize>> {
    let mut from = vec![None; graph.nodes.len()];
    let mut seen = vec![false; graph.nodes.len()];
    let initial = order.iter().copied().filter(|&at| graph.nodes[at].initial);
    let mut waiting: VecDeque<usize> = initial.collect();
    if waiting.is_empty() {
        waiting.extend(order.first());
    }
    waiting.iter().for_each(|&node| seen[node] = true);
    while let Some(node) = waiting.pop_front() {
        for &target in &next[node] {
            if !std::mem::replace(&mut seen[target], true) {
                from[target] = Some(node);
                waiting.push_back(target);
            }
        }
    }
    from
}

/// The first nodes of an order, with the edges between them.
fn cut(graph: &Graph, marks: &[Mark], order: &[usize], most: usize) -> (Graph, Vec<Mark>, usize) {
    let mut number = vec![usize::MAX; graph.nodes.len()];
    let mut part = Graph::new(graph.title.clone());
    part.undirected = graph.undirected;
    let mut kept = Vec::new();
    for &node in order.iter().take(most) {
        number[node] = part.node(graph.nodes[node].clone());
        kept.push(marks[node].clone());
    }
    let mut hidden: BTreeSet<(usize, usize)> = BTreeSet::new();
    for edge in &graph.edges {
        let (source, target) = (number[edge.source], number[edge.target]);
        match (source != usize::MAX, target != usize::MAX) {
            (true, true) => part.edges.push(Edge {
                source,
                target,
                ..edge.clone()
            }),
            (true, false) => {
                hidden.insert((source, edge.target));
            }
            (false, true) => {
                hidden.insert((target, edge.source));
            }
            (false, false) => {}
        }
    }
    hidden.iter().for_each(|&(drawn, _)| kept[drawn].more += 1);
    let left_out = graph.nodes.len() - kept.len();
    (part, kept, left_out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use quotient_language::Node;

    /// Circles of three nodes, each with an edge to the next circle.
    fn circles(count: usize) -> Graph {
        let mut graph = Graph::new("circles");
        for circle in 0..count {
            let node = |place: usize| Node::round(format!("{circle}.{place}"));
            let nodes = [0, 1, 2].map(|place| graph.node(node(place)));
            for place in 0..3 {
                graph.edge(nodes[place], nodes[(place + 1) % 3], "round");
            }
            if circle > 0 {
                graph.edge(nodes[0] - 3, nodes[0], "on");
            }
        }
        graph.nodes[0].initial = true;
        graph
    }

    fn drawing(open: &[usize], reveal: &[usize]) -> Drawing {
        Drawing {
            most: 20,
            open: open.to_vec(),
            reveal: reveal.to_vec(),
            ..Drawing::default()
        }
    }

    #[test]
    fn a_group_is_opened_by_one_of_its_nodes() {
        let graph = circles(10);
        let (folded, marks, left_out) = part(&graph, &drawing(&[], &[]));
        assert_eq!((folded.nodes.len(), left_out), (10, 0));
        assert!(marks.iter().all(|mark| mark.folded == 3));
        let (opened, marks, _) = part(&graph, &drawing(&[4], &[]));
        assert_eq!(opened.nodes.len(), 12);
        let own = marks.iter().filter(|mark| mark.folded == 0);
        assert_eq!(own.map(|mark| mark.at).collect::<Vec<_>>(), [3, 4, 5]);
    }

    #[test]
    fn what_is_cut_says_how_much_is_next_to_it_and_is_revealed() {
        let graph = circles(100);
        let (near, marks, left_out) = part(&graph, &drawing(&[], &[]));
        assert_eq!((near.nodes.len(), left_out), (20, 80));
        assert_eq!(marks.iter().map(|mark| mark.more).sum::<usize>(), 1);
        let edge = marks.iter().find(|mark| mark.more > 0).unwrap().at;
        let (more, marks, _) = part(&graph, &drawing(&[], &[edge]));
        assert!(more.nodes.len() <= 20);
        assert!(marks.iter().any(|mark| mark.at == edge + 3));
        let (_, marks, _) = part(&graph, &drawing(&[], &[3 * 90]));
        assert!(marks.iter().any(|mark| mark.at == 3 * 90));
        // Numbers that are no nodes mean nothing.
        assert_eq!(part(&graph, &drawing(&[9_999], &[9_999])).2, 80);
    }
}
