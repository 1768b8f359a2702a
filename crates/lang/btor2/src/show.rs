//! What there is to see of a model.

use quotient_core::Trouble;
use quotient_language::{Shown, Table, Viewed};
use quotient_netlist::words::{Node, Sort};
use serde_json::json;

use crate::dependence;
use crate::model::WordModel;
use crate::trace::shown as value_shown;

/// More rows than this are no help.
const MOST_ROWS: usize = 200;

pub(crate) fn show(model: &WordModel, view: &Viewed) -> Result<Shown, Trouble> {
    if let Some(part) = &view.part {
        let message = format!("a word-level model has no parts by name, such as `{part}`");
        return Err(Trouble::usage(message));
    }
    let words = &model.words;
    let mut shown = Shown::titled(format!("{}: a word-level model", model.name))
        .fact("inputs", words.inputs().len().to_string())
        .fact("states", words.states().len().to_string())
        .fact("nodes", words.nodes().len().to_string());
    for (name, count) in [
        ("bad", words.bad.len()),
        ("constraints", words.constraints.len()),
        ("justice", words.justice.len()),
        ("fairness", words.fairness.len()),
    ] {
        if count > 0 {
            shown = shown.fact(name, count.to_string());
        }
    }
    shown = match &model.bits {
        Ok(blasted) => shown.fact(
            "in bits",
            format!(
                "{}, {}, {}",
                number(blasted.circuit.latches().len(), "latch", "latches"),
                number(blasted.circuit.inputs().len(), "input", "inputs"),
                number(blasted.circuit.gate_count(), "gate", "gates"),
            ),
        ),
        Err(stop) => shown.fact("in bits", format!("not: {stop}")),
    };
    let mut table = Table::new(["name", "kind", "sort", "start"]);
    for (node, name) in words.inputs() {
        table.row([
            name.clone(),
            "input".to_owned(),
            sort(words.sort(*node)),
            String::new(),
        ]);
    }
    for state in words.states() {
        let start = match state.start.map(|one| &words.nodes()[one.node.index()].0) {
            Some(Node::Constant(word)) => {
                value_shown(&quotient_netlist::words::Value::Word(word.clone()))
            }
            Some(_) => "calculated".to_owned(),
            None => "any".to_owned(),
        };
        let own = sort(words.sort(state.node));
        table.row([state.name.clone(), "state".to_owned(), own, start]);
    }
    if !table.rows.is_empty() && table.rows.len() <= MOST_ROWS {
        shown = shown.blank().table(table);
    }
    let mut asked = Table::new(["property", "kind", "signal", "line"]);
    for question in model.questions.iter().take(MOST_ROWS) {
        let property = &question.property;
        let symbol = model.symbol(question).unwrap_or_default();
        asked.row([&*property.name, &*property.kind, symbol, &*property.text]);
    }
    if !asked.rows.is_empty() {
        shown = shown.blank().table(asked);
    }
    if let Some(graph) = dependence::picture(model) {
        shown = shown.picture(graph);
    }
    Ok(shown.result(json!({
        "inputs": words.inputs().len(),
        "states": words.states().len(),
        "nodes": words.nodes().len(),
    })))
}

fn number(many: usize, one: &str, more: &str) -> String {
    format!("{many} {}", if many == 1 { one } else { more })
}

fn sort(sort: Sort) -> String {
    match sort {
        Sort::Bits(1) => "bit".to_owned(),
        Sort::Bits(width) => format!("{width} bits"),
        Sort::Array(index, element) => format!("{element} bits by {index}"),
    }
}
