//! What depends on what: a picture of a circuit whose gates are too many to be drawn.

use quotient_language::{Graph, Node};
use quotient_netlist::{Gate, Literal};

use crate::model::{CircuitModel, Target};

/// The most things that are drawn.
const MOST_DRAWN: usize = 60;
/// The most gates that are looked through for all edges together.
const MOST_WORK: usize = 4_000_000;

/// Latches, inputs (while there is room for them) and what is asked; an edge goes from what is
/// read to what is calculated from it. None if the circuit is too large even for that.
pub(crate) fn picture(model: &CircuitModel) -> Option<Graph> {
    let circuit = &model.circuit;
    let latches = circuit.latches();
    let targets = latches.len() + model.questions.len();
    if targets > MOST_DRAWN || targets.saturating_mul(circuit.graph.len()) > MOST_WORK {
        return None;
    }
    let with_inputs = targets + circuit.inputs().len() <= MOST_DRAWN;
    let mut graph = Graph::new(format!("{}: what depends on what", model.name));
    // By node of the circuit: the node that is drawn for it.
    let mut drawn: Vec<Option<usize>> = vec![None; circuit.graph.len()];
    for (node, gate) in circuit.graph.nodes() {
        drawn[node.index()] = match gate {
            Gate::Latch(number) => {
                let node = Node::boxed(circuit.latch_name(number)).hint("latch");
                Some(graph.node(node))
            }
            Gate::Input(number) if with_inputs => {
                Some(graph.node(Node::round(circuit.input_name(number)).hint("input")))
            }
            _ => None,
        };
    }
    let reads = |graph: &mut Graph, signals: &[Literal], target: usize| {
        let mut seen = vec![false; drawn.len()];
        let mut open: Vec<_> = signals.iter().map(|one| one.node()).collect();
        while let Some(node) = open.pop() {
            if std::mem::replace(&mut seen[node.index()], true) {
                continue;
            }
            if let Some(source) = drawn[node.index()] {
                graph.edge(source, target, "");
            }
            if let Gate::And(a, b) = circuit.graph.gate(node) {
                open.extend([a.node(), b.node()]);
            }
        }
    };
    for latch in latches {
        if let Some(target) = drawn[latch.node.index()] {
            reads(&mut graph, &[latch.next], target);
        }
    }
    for question in &model.questions {
        let signals = match &question.target {
            Target::Never(signal) => vec![*signal],
            Target::NotForever(signals) => signals.clone(),
        };
        let node = Node::boxed(question.name.clone()).hint(question.kind);
        let node = graph.node(node.accepting());
        reads(&mut graph, &signals, node);
    }
    Some(graph)
}
