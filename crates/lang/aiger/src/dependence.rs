//! What depends on what: a picture of a circuit whose gates are too many to be drawn.

use std::collections::BTreeSet;

use quotient_circuit::{Groups, groups};
use quotient_language::{Graph, Node};
use quotient_netlist::{Circuit, Gate, Literal};

use crate::model::{CircuitModel, Target};

/// The most things that are drawn, what is asked not among them.
const MOST_DRAWN: usize = 60;
/// The most questions that are drawn one by one.
const MOST_ASKED: usize = 20;
/// The most gates that are looked through for all edges together.
const MOST_WORK: usize = 40_000_000;

/// Latches, alone or in groups, inputs (while there is room for them) and what is asked; an edge goes
/// from what is read to what is calculated from it. None if the circuit is too large even for that.
pub(crate) fn picture(model: &CircuitModel) -> Option<Graph> {
    let circuit = &model.circuit;
    let Groups { labels, of } = in_groups(model);
    if labels.len().saturating_mul(circuit.graph.len()) > MOST_WORK {
        return None;
    }
    let alone = labels.len() == circuit.latches().len();
    let with_inputs = alone && labels.len() + circuit.inputs().len() <= MOST_DRAWN;
    let mut graph = Graph::new(format!("{}: what depends on what", model.name));
    let hint = if alone { "latch" } else { "latches" };
    let groups: Vec<usize> = (labels.iter())
        .map(|label| graph.node(Node::boxed(label.clone()).hint(hint)))
        .collect();
    // By node of the circuit: the node that is drawn for it.
    let mut drawn: Vec<Option<usize>> = vec![None; circuit.graph.len()];
    for (node, gate) in circuit.graph.nodes() {
        drawn[node.index()] = match gate {
            Gate::Latch(number) => of[number].map(|group| groups[group]),
            Gate::Input(number) if with_inputs => {
                Some(graph.node(Node::round(circuit.input_name(number)).hint("input")))
            }
            _ => None,
        };
    }
    let reads = |graph: &mut Graph, signals: Vec<Literal>, target: usize| {
        let mut seen = vec![false; drawn.len()];
        let mut sources = BTreeSet::new();
        look_through(circuit, signals, &mut seen, |node, _| {
            sources.extend(drawn[node])
        });
        for source in sources {
            graph.edge(source, target, "");
        }
    };
    for (group, &target) in groups.iter().enumerate() {
        let members = circuit.latches().iter().zip(&of);
        let members = members.filter(|(_, own)| **own == Some(group));
        let nexts = members.map(|(latch, _)| latch.next).collect();
        reads(&mut graph, nexts, target);
    }
    match model.questions.len() <= MOST_ASKED {
        true => {
            for question in &model.questions {
                let node = Node::boxed(question.text.clone()).hint(question.kind);
                let node = graph.node(node.accepting());
                reads(&mut graph, signals(&question.target), node);
            }
        }
        false => {
            let label = format!("{} questions", model.questions.len());
            let node = graph.node(Node::boxed(label).accepting());
            reads(&mut graph, all_signals(model), node);
        }
    }
    Some(graph)
}

fn signals(target: &Target) -> Vec<Literal> {
    match target {
        Target::Never(signal) => vec![*signal],
        Target::NotForever(signals) => signals.clone(),
    }
}

fn all_signals(model: &CircuitModel) -> Vec<Literal> {
    let questions = model.questions.iter();
    questions.flat_map(|one| signals(&one.target)).collect()
}

/// The latches in groups, with how many steps they are away from what is asked.
fn in_groups(model: &CircuitModel) -> Groups {
    let circuit = &model.circuit;
    let latches = circuit.latches();
    let mut away: Vec<Option<usize>> = vec![None; latches.len()];
    let mut seen = vec![false; circuit.graph.len()];
    let mut open = all_signals(model);
    open.extend(&circuit.constraints);
    for steps in 0.. {
        let mut nexts = Vec::new();
        look_through(circuit, open, &mut seen, |_, gate| {
            if let Gate::Latch(number) = gate {
                away[number] = Some(steps);
                nexts.push(latches[number].next);
            }
        });
        if nexts.is_empty() {
            break;
        }
        open = nexts;
    }
    let names: Vec<String> = (0..latches.len())
        .map(|number| circuit.latch_name(number))
        .collect();
    groups(&names, &away, MOST_DRAWN, "latches")
}

/// Visits all that some signals are calculated from within a step and that was not seen yet.
fn look_through(
    circuit: &Circuit,
    signals: Vec<Literal>,
    seen: &mut [bool],
    mut visit: impl FnMut(usize, Gate),
) {
    let mut open: Vec<_> = signals.iter().map(|one| one.node()).collect();
    while let Some(node) = open.pop() {
        if std::mem::replace(&mut seen[node.index()], true) {
            continue;
        }
        let gate = circuit.graph.gate(node);
        visit(node.index(), gate);
        if let Gate::And(a, b) = gate {
            open.extend([a.node(), b.node()]);
        }
    }
}
