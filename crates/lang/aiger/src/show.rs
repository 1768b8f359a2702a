//! What there is to see of a circuit.

use quotient_circuit::matters;
use quotient_core::{Context, Trouble};
use quotient_language::{Graph, Node, Shown, Table, Viewed};
use quotient_netlist::{Circuit, Gate, Literal};
use serde_json::json;

use crate::dependence;
use crate::model::{CircuitModel, Target};

/// The most nodes that are drawn.
const MOST_NODES: usize = 80;

pub(crate) fn show(model: &CircuitModel, view: &Viewed, _: &Context) -> Result<Shown, Trouble> {
    if let Some(part) = &view.part {
        return Err(Trouble::usage(format!(
            "a circuit has no parts by name, such as `{part}`"
        )));
    }
    let circuit = &model.circuit;
    let counts = [
        ("inputs", circuit.inputs().len()),
        ("latches", circuit.latches().len()),
        ("gates", circuit.gate_count()),
        ("outputs", circuit.outputs.len()),
        ("bad", circuit.bad.len()),
        ("constraints", circuit.constraints.len()),
        ("justice", circuit.justice.len()),
        ("fairness", circuit.fairness.len()),
    ];
    let mut shown = Shown::titled(format!("{}: a circuit", model.name));
    for (name, count) in counts {
        if count > 0 || name == "latches" {
            shown = shown.fact(name, count.to_string());
        }
    }
    let any = circuit.latches().iter().filter(|one| one.start.is_none());
    let any = any.count();
    if any > 0 {
        shown = shown.fact("any start", format!("{any} latches start with any value"));
    }
    shown = shown.fact("depth", format!("{} gates", depth(circuit)));
    let mut table = Table::new(["property", "kind", "signal", "inputs", "latches"]);
    for question in &model.questions {
        let signals = match &question.target {
            Target::Never(signal) => vec![*signal],
            Target::NotForever(signals) => signals.clone(),
        };
        let (inputs, latches) = matters(circuit, &signals);
        let count = |marks: &[bool]| marks.iter().filter(|&&mark| mark).count().to_string();
        table.row([
            question.name.clone(),
            question.kind.to_owned(),
            question.text.clone(),
            count(&inputs),
            count(&latches),
        ]);
    }
    if !table.rows.is_empty() {
        shown = shown.blank().table(table);
    }
    let fields = counts
        .iter()
        .map(|&(name, count)| (name.to_owned(), json!(count)));
    shown = shown.result(serde_json::Value::Object(fields.collect()));
    if circuit.graph.len() <= MOST_NODES {
        shown = shown.picture(picture(model));
    } else if let Some(graph) = dependence::picture(model) {
        shown = shown.picture(graph);
    }
    Ok(shown)
}

/// The longest way from a latch or an input through gates.
fn depth(circuit: &Circuit) -> usize {
    let mut depths: Vec<usize> = Vec::with_capacity(circuit.graph.len());
    for (_, gate) in circuit.graph.nodes() {
        depths.push(match gate {
            Gate::And(a, b) => 1 + depths[a.node().index()].max(depths[b.node().index()]),
            _ => 0,
        });
    }
    depths.into_iter().max().unwrap_or(0)
}

/// Inputs, latches, gates, and what is asked; dashed edges are negations.
fn picture(model: &CircuitModel) -> Graph {
    let circuit = &model.circuit;
    let mut graph = Graph::new(model.name.clone());
    let mut places = Vec::new();
    for (node, gate) in circuit.graph.nodes() {
        places.push(graph.node(match gate {
            Gate::Constant => Node::boxed("0").hint("never on"),
            Gate::Input(number) => Node::boxed(circuit.input_name(number)).hint("input"),
            Gate::Latch(number) => {
                let start = match circuit.latches()[number].start {
                    Some(value) => format!("latch, starts with {}", u8::from(value)),
                    None => "latch, starts with any value".to_owned(),
                };
                Node::boxed(circuit.latch_name(number)).hint(start).marked()
            }
            Gate::And(..) => Node::round("&").hint(format!("gate {}", node.index())),
        }));
    }
    let mut connect = |from: Literal, to: usize, label: &str| {
        let source = places[from.node().index()];
        match from.is_negated() {
            true => graph.faint_edge(source, to, if label.is_empty() { "not" } else { label }),
            false => graph.edge(source, to, label),
        }
    };
    for (node, gate) in circuit.graph.nodes() {
        if let Gate::And(a, b) = gate {
            connect(a, places[node.index()], "");
            connect(b, places[node.index()], "");
        }
    }
    for latch in circuit.latches() {
        let label = if latch.next.is_negated() {
            "not next"
        } else {
            "next"
        };
        connect(latch.next, places[latch.node.index()], label);
    }
    for question in &model.questions {
        let signals = match &question.target {
            Target::Never(signal) => vec![*signal],
            Target::NotForever(signals) => signals.clone(),
        };
        let asked = graph.node(
            Node::boxed(question.text.clone())
                .hint(question.kind)
                .accepting(),
        );
        for signal in signals {
            let source = places[signal.node().index()];
            match signal.is_negated() {
                true => graph.faint_edge(source, asked, "not"),
                false => graph.edge(source, asked, ""),
            }
        }
    }
    graph
}
