//! How the assumptions of a proof make it one, as a picture.

use quotient_compose::{Network, Proof, Rule};
use quotient_language::text::count;
use quotient_language::{Exhibit, Graph, Node};

/// With more groups a picture says nothing.
const MOST_GROUPS: usize = 24;

/// The premises of a proof: which components keep what, and what they assume for it. An arrow
/// with a full line says `keeps`, a dashed one that something is assumed. Each premise was checked.
pub(super) fn premises(proof: &Proof, network: &Network) -> Option<Exhibit> {
    if proof.assumptions.is_empty() || proof.groups.len() > MOST_GROUPS {
        return None;
    }
    let mut graph = Graph::new("how the assumptions make a proof");
    let names = |group: &[usize]| {
        let all = group
            .iter()
            .filter_map(|&part| network.components().get(part));
        let all: Vec<&str> = all.map(|part| &*part.name).collect();
        all.join("\n")
    };
    let property = graph.node(Node::boxed("the property").accepting());
    let assumptions: Vec<usize> = (1..)
        .zip(&proof.assumptions)
        .map(|(number, assumption)| {
            let states = count(assumption.states(), "state");
            graph.node(Node::round(format!("assumption {number}")).hint(states))
        })
        .collect();
    let mut groups: Vec<usize> = Vec::new();
    for group in &proof.groups {
        groups.push(graph.node(Node::boxed(names(group))));
    }
    // Around the circle the first group is there once more at the end.
    if proof.rule == Rule::Circular
        && let Some(first) = proof.groups.first()
    {
        groups.push(graph.node(Node::boxed(format!("{}\n(again)", names(first)))));
    }
    let symmetric = proof.rule == Rule::Symmetric;
    for (number, &group) in groups.iter().enumerate() {
        let kept = match (symmetric, number) {
            (true, _) | (_, 0) => property,
            (false, _) => match assumptions.get(number - 1) {
                Some(&assumption) => assumption,
                None => continue,
            },
        };
        graph.edge(group, kept, "keeps");
        if let Some(&assumption) = assumptions.get(number) {
            graph.faint_edge(assumption, group, "assumed by");
        }
    }
    if symmetric {
        let outside = graph.node(Node::boxed("what is outside\nall assumptions"));
        graph.edge(outside, property, "keeps");
    }
    Some(Exhibit {
        name: "premises".to_owned(),
        caption: "The premises of the proof, all checked".to_owned(),
        picture: Some(graph.into()),
        files: Vec::new(),
    })
}
