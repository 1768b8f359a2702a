//! Trees and automata as pictures.

use quotient_language::{Graph, Node as Drawn};

use rustc_hash::FxHashMap;

use crate::{Alphabet, Symbol, Tree, TreeAutomaton};

/// A tree, its root first.
pub fn picture_of_tree(tree: &Tree, alphabet: &Alphabet, title: &str) -> Graph {
    let mut graph = Graph::new(title).undirected();
    for (path, symbol, above) in walked(tree) {
        let here = graph.node(Drawn::round(alphabet.name(symbol)));
        if !path.is_empty() {
            graph.edge(above, here, "");
        }
    }
    graph
}

/// Trees of a run, one after the other, each under a heading; what is not as it was in the tree
/// before is marked.
pub fn picture_of_run(run: &[(String, &Tree)], alphabet: &Alphabet, title: &str) -> Graph {
    let mut graph = Graph::new(title).undirected();
    let mut before: Option<FxHashMap<Vec<u32>, Symbol>> = None;
    for (heading, tree) in run {
        let top = graph.node(Drawn::boxed(heading.clone()));
        let mut now = FxHashMap::default();
        for (path, symbol, above) in walked(tree) {
            let changed = (before.as_ref()).is_some_and(|old| old.get(&path) != Some(&symbol));
            let node = Drawn::round(alphabet.name(symbol));
            let here = graph.node(if changed { node.marked() } else { node });
            match path.is_empty() {
                true => graph.edge(top, here, ""),
                false => graph.edge(top + 1 + above, here, ""),
            }
            now.insert(path, symbol);
        }
        before = Some(now);
    }
    graph
}

/// The nodes of a tree, the root first: the way to each, its symbol, and the number of the node
/// above it.
fn walked(tree: &Tree) -> Vec<(Vec<u32>, Symbol, usize)> {
    let mut all: Vec<(Vec<u32>, Symbol, usize)> = Vec::new();
    // Nodes whose children are still to come, and how many came.
    let mut open: Vec<(usize, u32, u32)> = Vec::new();
    for node in tree.nodes() {
        let (mut path, mut above) = (Vec::new(), 0);
        if let Some((parent, came, arity)) = open.last_mut() {
            path.clone_from(&all[*parent].0);
            path.push(*came);
            above = *parent;
            *came += 1;
            if came == arity {
                open.pop();
            }
        }
        if node.arity > 0 {
            open.push((all.len(), 0, node.arity));
        }
        all.push((path, node.symbol, above));
    }
    all
}

/// An automaton: states are round, rules with children are boxes between the states of the
/// children and that of the whole; symbols without children stand at arrows from nowhere.
pub fn picture_of_automaton(automaton: &TreeAutomaton, title: &str) -> Graph {
    let mut graph = Graph::new(title);
    let alphabet = automaton.alphabet();
    for state in automaton.all_states() {
        let mut node = Drawn::round(automaton.name(state));
        let leaves: Vec<&str> = (automaton.rules().iter())
            .filter(|rule| rule.children.is_empty() && rule.target == state)
            .map(|rule| alphabet.name(rule.symbol))
            .collect();
        if !leaves.is_empty() {
            node = node.initial().hint(leaves.join(", "));
            node.label = format!("{} ∋ {}", node.label, leaves.join(" "));
        }
        if automaton.accepts_in(state) {
            node = node.accepting();
        }
        graph.node(node);
    }
    for rule in automaton
        .rules()
        .iter()
        .filter(|rule| !rule.children.is_empty())
    {
        let name = alphabet.name(rule.symbol);
        if let [child] = rule.children[..] {
            graph.edge(child.index(), rule.target.index(), name);
            continue;
        }
        let here = graph.node(Drawn::boxed(name));
        for (place, &child) in rule.children.iter().enumerate() {
            graph.edge(child.index(), here, (place + 1).to_string());
        }
        graph.edge(here, rule.target.index(), "");
    }
    graph
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_step_changed_is_marked() {
        let mut alphabet = Alphabet::default();
        let [a, b, f] =
            [("a", 0), ("b", 0), ("f", 2)].map(|(name, arity)| alphabet.add(name, arity));
        let leaf = |symbol| Tree::above(symbol, &[]);
        let one = Tree::above(f, &[leaf(a), leaf(b)]);
        let two = Tree::above(f, &[leaf(b), leaf(b)]);
        let three = leaf(b);
        let run = [("start", &one), ("1", &two), ("2", &three)];
        let run = run.map(|(heading, tree)| (heading.to_owned(), tree));
        let graph = picture_of_run(&run, &alphabet, "run");
        let marked = graph.nodes.iter().filter(|node| node.marked);
        assert_eq!(
            marked.map(|node| node.label.as_str()).collect::<Vec<_>>(),
            ["b", "b"]
        );
        let edges: Vec<(usize, usize)> = graph
            .edges
            .iter()
            .map(|edge| (edge.source, edge.target))
            .collect();
        assert_eq!(
            edges,
            [(0, 1), (1, 2), (1, 3), (4, 5), (5, 6), (5, 7), (8, 9)]
        );
    }
}
