//! What depends on what: a picture of a model in words.

use quotient_language::{Graph, Node};
use quotient_netlist::words::{self, Operand};

use crate::model::{Target, WordModel};

/// The most things that are drawn.
const MOST_DRAWN: usize = 60;
/// The most nodes that are looked through for all edges together.
const MOST_WORK: usize = 4_000_000;

/// States, inputs (while there is room for them) and what is asked; an edge goes from what is
/// read to what is calculated from it. None if the model is too large for a picture.
pub(crate) fn picture(model: &WordModel) -> Option<Graph> {
    let words = &model.words;
    let (states, inputs) = (words.states(), words.inputs());
    let asked = model.questions.len() + words.constraints.len() + words.fairness.len();
    let targets = states.len() + asked;
    if targets > MOST_DRAWN || targets.saturating_mul(words.nodes().len()) > MOST_WORK {
        return None;
    }
    let with_inputs = targets + inputs.len() <= MOST_DRAWN;
    let mut graph = Graph::new(format!("{}: what depends on what", model.name));
    let of_state: Vec<usize> = (states.iter())
        .map(|state| graph.node(Node::boxed(state.name.clone()).hint("state")))
        .collect();
    let of_input: Vec<usize> = (inputs.iter())
        .filter(|_| with_inputs)
        .map(|(_, name)| graph.node(Node::round(name.clone()).hint("input")))
        .collect();
    let reads = |graph: &mut Graph, signals: &[Operand], target: usize| {
        let read = cone(words, signals);
        for (number, &node) in of_state.iter().enumerate() {
            if read[states[number].node.index()] {
                graph.edge(node, target, "");
            }
        }
        for (number, &node) in of_input.iter().enumerate() {
            if read[inputs[number].0.index()] {
                graph.edge(node, target, "");
            }
        }
    };
    for (state, &node) in states.iter().zip(&of_state) {
        reads(&mut graph, state.next.as_slice(), node);
    }
    for question in &model.questions {
        let signals = match question.target {
            Target::Never(signal, _) => vec![signal],
            Target::NotForever(number) => words.justice[number].0.clone(),
        };
        let node = Node::boxed(question.property.name.clone()).hint("asked");
        let node = graph.node(node.accepting());
        reads(&mut graph, &signals, node);
    }
    let promises = words.constraints.iter().map(|one| ("constraint", one));
    let promises = promises.chain(words.fairness.iter().map(|one| ("fairness", one)));
    for (kind, promise) in promises {
        let name = promise.name.clone().unwrap_or_else(|| kind.to_owned());
        let node = graph.node(Node::round(name).hint(kind));
        reads(&mut graph, &[promise.signal], node);
    }
    Some(graph)
}

/// By node: whether signals are calculated from it within a step.
fn cone(words: &words::Model, signals: &[Operand]) -> Vec<bool> {
    let mut seen = vec![false; words.nodes().len()];
    let mut open: Vec<usize> = signals.iter().map(|one| one.node.index()).collect();
    while let Some(node) = open.pop() {
        if !std::mem::replace(&mut seen[node], true)
            && let words::Node::Apply(_, operands) = &words.nodes()[node].0
        {
            open.extend(operands.iter().map(|one| one.node.index()));
        }
    }
    seen
}
