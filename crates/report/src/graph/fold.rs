//! Large graphs, folded: what belongs together becomes one node.

use std::borrow::Cow;
use std::collections::BTreeSet;

use quotient_language::{Graph, Group, Node, Shape};

/// A folding that leaves fewer nodes than this says nothing.
pub(super) const FEWEST: usize = 6;

/// The graph itself if it has at most so many nodes. Otherwise its groups are folded into a node
/// each, or, where it has none, the parts that can be reached from each other; if that leaves
/// next to nothing, or still too much, the graph is as it was.
///
/// ```
/// use quotient_language::{Graph, Node};
/// let mut graph = Graph::new("a way of ten circles");
/// for circle in 0..10 {
///     let [one, other] = [0, 1].map(|_| graph.node(Node::round("")));
///     graph.edge(one, other, "");
///     graph.edge(other, one, "");
///     if circle > 0 { graph.edge(one - 1, one, "on"); }
/// }
/// assert_eq!(quotient_report::folded(&graph, 12).nodes.len(), 10);
/// assert_eq!(quotient_report::folded(&graph, 20).nodes.len(), 20);
/// ```
pub fn folded(graph: &Graph, most: usize) -> Cow<'_, Graph> {
    if graph.nodes.len() <= most {
        return Cow::Borrowed(graph);
    }
    let groups = match graph.groups.is_empty() {
        true => components(graph),
        false => graph.groups.clone(),
    };
    let (small, _) = fold(graph, &groups);
    match (FEWEST..=most).contains(&small.nodes.len()) {
        true => Cow::Owned(small),
        false => Cow::Borrowed(graph),
    }
}

/// One node for each group; other nodes stay. Also says which node each one became.
pub(super) fn fold(graph: &Graph, groups: &[Group]) -> (Graph, Vec<usize>) {
    let mut small = Graph::new(graph.title.clone());
    small.undirected = graph.undirected;
    let mut place = vec![usize::MAX; graph.nodes.len()];
    for group in groups {
        let members: Vec<usize> = group
            .nodes
            .iter()
            .copied()
            .filter(|&node| node < place.len() && place[node] == usize::MAX)
            .collect();
        if members.len() < 2 {
            continue;
        }
        let any = |is: fn(&Node) -> bool| members.iter().any(|&node| is(&graph.nodes[node]));
        let number = small.node(Node {
            label: format!("{} ({})", group.label, members.len()),
            hint: names(graph, &members),
            shape: Shape::Box,
            initial: any(|node| node.initial),
            accepting: any(|node| node.accepting),
            marked: any(|node| node.marked),
            id: String::new(),
        });
        members.iter().for_each(|&node| place[node] = number);
    }
    for (node, described) in graph.nodes.iter().enumerate() {
        if place[node] == usize::MAX {
            place[node] = small.node(described.clone());
        }
    }
    let mut seen: BTreeSet<(usize, usize, &str)> = BTreeSet::new();
    for edge in &graph.edges {
        let (source, target) = (place[edge.source], place[edge.target]);
        if source != target && seen.insert((source, target, edge.label.as_str())) {
            small.edge(source, target, edge.label.clone());
        }
    }
    (small, place)
}

/// What is in a group, for those who point at it.
fn names(graph: &Graph, members: &[usize]) -> String {
    let labels = members.iter().take(30);
    let labels: Vec<String> = labels
        .map(|&node| graph.nodes[node].label.replace('\n', " "))
        .collect();
    let more = match members.len() > 30 {
        true => ", …",
        false => "",
    };
    format!("{}{more}", labels.join(", "))
}

/// The parts that can be reached from each other (Tarjan 1972, without recursion).
pub(super) fn components(graph: &Graph) -> Vec<Group> {
    let count = graph.nodes.len();
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); count];
    for edge in &graph.edges {
        next[edge.source].push(edge.target);
    }
    let mut index = vec![usize::MAX; count];
    let mut low = vec![0; count];
    let mut on_stack = vec![false; count];
    let (mut stack, mut found, mut counted) = (Vec::new(), Vec::new(), 0);
    for root in 0..count {
        if index[root] != usize::MAX {
            continue;
        }
        let mut path = vec![(root, 0)];
        while let Some(&mut (node, ref mut at)) = path.last_mut() {
            if *at == 0 {
                index[node] = counted;
                low[node] = counted;
                counted += 1;
                stack.push(node);
                on_stack[node] = true;
            }
            let Some(&target) = next[node].get(*at) else {
                path.pop();
                if let Some(&(parent, _)) = path.last() {
                    low[parent] = low[parent].min(low[node]);
                }
                if low[node] == index[node] {
                    let from = stack.iter().rposition(|&one| one == node).unwrap_or(0);
                    let mut nodes = stack.split_off(from);
                    nodes.iter().for_each(|&one| on_stack[one] = false);
                    nodes.sort_unstable();
                    if nodes.len() > 1 {
                        let label = graph.nodes[nodes[0]].label.lines().next();
                        let label = format!("{} …", label.unwrap_or_default());
                        found.push(Group { label, nodes });
                    }
                }
                continue;
            };
            *at += 1;
            if index[target] == usize::MAX {
                path.push((target, 0));
            } else if on_stack[target] {
                low[node] = low[node].min(index[target]);
            }
        }
    }
    found.sort_by_key(|group| group.nodes.first().copied());
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A way through circles of three nodes each.
    fn circles(count: usize) -> Graph {
        let mut graph = Graph::new("circles");
        for circle in 0..count {
            let nodes = [0, 1, 2].map(|place| graph.node(Node::round(format!("{circle}.{place}"))));
            for place in 0..3 {
                graph.edge(nodes[place], nodes[(place + 1) % 3], "round");
            }
            if circle > 0 {
                graph.edge(nodes[0] - 3, nodes[0], "on");
            }
        }
        graph
    }

    #[test]
    fn circles_become_nodes_and_lose_no_way() {
        let graph = circles(10);
        let small = folded(&graph, 12);
        assert_eq!((small.nodes.len(), small.edges.len()), (10, 9));
        assert!(small.nodes[0].hint.contains("0.2"));
    }

    #[test]
    fn what_would_say_nothing_is_not_folded() {
        assert_eq!(folded(&circles(2), 4).nodes.len(), 6);
        assert_eq!(folded(&circles(40), 12).nodes.len(), 120);
    }

    #[test]
    fn a_long_way_needs_no_deep_stack() {
        let mut graph = Graph::new("long");
        for number in 0..200_000 {
            let node = graph.node(Node::round(""));
            if number > 0 {
                graph.edge(node - 1, node, "");
            }
        }
        graph.edge(199_999, 0, "");
        assert_eq!(components(&graph).len(), 1);
    }
}
