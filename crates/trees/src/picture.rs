//! Trees and automata as pictures.

use quotient_language::{Graph, Node as Drawn};

use crate::{Alphabet, Tree, TreeAutomaton};

/// A tree, its root first.
pub fn picture_of_tree(tree: &Tree, alphabet: &Alphabet, title: &str) -> Graph {
    let mut graph = Graph::new(title).undirected();
    let mut open: Vec<(usize, u32)> = Vec::new();
    for node in tree.nodes() {
        let here = graph.node(Drawn::round(alphabet.name(node.symbol)));
        if let Some((above, left)) = open.last_mut() {
            graph.edge(*above, here, "");
            *left -= 1;
            if *left == 0 {
                open.pop();
            }
        }
        if node.arity > 0 {
            open.push((here, node.arity));
        }
    }
    graph
}

/// An automaton: states are round, rules with children are boxes between the states of the
/// children and that of the whole; symbols without children stand at arrows from nowhere.
pub fn picture_of_automaton(automaton: &TreeAutomaton, title: &str) -> Graph {
    let mut graph = Graph::new(title);
    let alphabet = automaton.alphabet();
    for state in 0..automaton.states() as u32 {
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
            graph.edge(child as usize, rule.target as usize, name);
            continue;
        }
        let here = graph.node(Drawn::boxed(name));
        for (place, &child) in rule.children.iter().enumerate() {
            graph.edge(child as usize, here, (place + 1).to_string());
        }
        graph.edge(here, rule.target as usize, "");
    }
    graph
}
