//! The control flow of a protocol as a picture.

use quotient_language::{Graph, Node};

use crate::{ControlFlow, Location};

/// Values as nodes, steps as edges; dashed where another process takes the step.
pub(super) fn picture(title: &str, flows: &[ControlFlow]) -> Graph {
    let mut picture = Graph::new(title);
    let several = flows.len() > 1;
    for flow in flows {
        let node = |value: &Location| {
            let label = match several {
                true => format!("{} = {}", flow.variable, value.name),
                false => value.name.clone(),
            };
            let node = Node::round(label).id(format!("{}={}", flow.variable, value.name));
            if value.initial { node.initial() } else { node }
        };
        let nodes: Vec<usize> = flow
            .values
            .iter()
            .map(|value| picture.node(node(value)))
            .collect();
        for edge in &flow.edges {
            let (from, to) = (nodes[edge.from], nodes[edge.to]);
            if edge.by_another {
                picture.faint_edge(from, to, format!("{} of another", edge.step));
                continue;
            }
            let detail = |text: &String| format!("\n {}", cut(text));
            let when: String = edge.when.iter().map(detail).collect();
            let then: String = edge
                .then
                .iter()
                .map(|text| detail(&format!("→ {text}")))
                .collect();
            let hint = edge.to_string();
            picture.edge_with_hint(from, to, format!("{}{when}{then}", edge.step), hint);
        }
    }
    picture
}

/// The start of a condition or action.
fn cut(text: &str) -> String {
    const MOST: usize = 34;
    match text.chars().count() <= MOST {
        true => text.to_owned(),
        false => text.chars().take(MOST - 1).chain(['…']).collect(),
    }
}
