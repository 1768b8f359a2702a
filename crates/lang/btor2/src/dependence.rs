//! What depends on what: a picture of a model in words.

use std::collections::BTreeSet;

use quotient_circuit::{Groups, groups};
use quotient_language::{Graph, Node};
use quotient_netlist::words::{self, Operand};

use crate::model::{Target, WordModel};

/// The most things that are drawn.
const MOST_DRAWN: usize = 60;
/// The most nodes that are looked through for all edges together.
const MOST_WORK: usize = 40_000_000;
/// The most questions and constraints that are drawn.
const MOST_ASKED: usize = 60;

/// States, alone or in groups, inputs (while there is room for them) and what is asked; an edge goes
/// from what is read to what is calculated from it. None if the model is too large for a picture.
pub(crate) fn picture(model: &WordModel) -> Option<Graph> {
    let words = &model.words;
    let (states, inputs) = (words.states(), words.inputs());
    let asked = model.questions.len() + words.constraints.len() + words.fairness.len();
    let Groups { labels, of } = in_groups(model);
    let targets = labels.len() + asked;
    if asked > MOST_ASKED || targets.saturating_mul(words.nodes().len()) > MOST_WORK {
        return None;
    }
    let alone = labels.len() == states.len();
    let with_inputs = alone && targets + inputs.len() <= MOST_DRAWN;
    let mut graph = Graph::new(format!("{}: what depends on what", model.name));
    let hint = if alone { "state" } else { "states" };
    let groups: Vec<usize> = (labels.iter())
        .map(|label| graph.node(Node::boxed(label.clone()).hint(hint)))
        .collect();
    let of_input: Vec<usize> = (inputs.iter())
        .filter(|_| with_inputs)
        .map(|(_, name)| graph.node(Node::round(name.clone()).hint("input")))
        .collect();
    let reads = |graph: &mut Graph, signals: &[Operand], target: usize| {
        let read = cone(words, signals);
        let states = states.iter().zip(&of);
        let states = states.filter(|(state, _)| read[state.node.index()]);
        let sources: BTreeSet<usize> = states.filter_map(|(_, group)| *group).collect();
        for source in sources {
            graph.edge(groups[source], target, "");
        }
        for (number, &node) in of_input.iter().enumerate() {
            if read[inputs[number].0.index()] {
                graph.edge(node, target, "");
            }
        }
    };
    for (group, &node) in groups.iter().enumerate() {
        let members = states.iter().zip(&of);
        let members = members.filter(|(_, own)| **own == Some(group));
        let nexts: Vec<Operand> = members.filter_map(|(state, _)| state.next).collect();
        reads(&mut graph, &nexts, node);
    }
    for question in &model.questions {
        let signals = signals(words, &question.target);
        let name = model.symbol(question).unwrap_or(&question.property.name);
        let node = Node::boxed(name.to_owned()).hint("asked");
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

fn signals(words: &words::Model, target: &Target) -> Vec<Operand> {
    match *target {
        Target::Never(signal, _) => vec![signal],
        Target::NotForever(number) => words.justice[number].0.clone(),
    }
}

/// The states in groups, with how many steps they are away from what is asked.
fn in_groups(model: &WordModel) -> Groups {
    let words = &model.words;
    let states = words.states();
    let mut away: Vec<Option<usize>> = vec![None; states.len()];
    let questions = model.questions.iter();
    let mut open: Vec<Operand> = questions
        .flat_map(|one| signals(words, &one.target))
        .collect();
    open.extend(words.constraints.iter().map(|one| one.signal));
    for steps in 0..=MOST_DRAWN {
        let read = cone(words, &open);
        open.clear();
        for (state, away) in states.iter().zip(&mut away) {
            if away.is_none() && read[state.node.index()] {
                *away = Some(steps);
                open.extend(state.next);
            }
        }
        if open.is_empty() {
            break;
        }
    }
    let names: Vec<String> = states.iter().map(|state| state.name.clone()).collect();
    groups(&names, &away, MOST_DRAWN, "states")
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
