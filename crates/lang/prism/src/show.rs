//! What there is to see of a model.

use quotient_core::Trouble;
use quotient_language::text::count;
use quotient_language::{Graph, Node, Shown, Table, Viewed};
use quotient_markov::StateId;
use quotient_probability::Built;

use crate::instance::Instance;

/// Models with more states are not drawn.
const MOST_DRAWN: usize = 60;

/// Facts of a model, and a picture if it is small.
pub(crate) fn show(instance: &Instance, built: &Built, view: &Viewed) -> Result<Shown, Trouble> {
    if let Some(part) = &view.part {
        return Err(Trouble::usage(format!(
            "`{part}` is no part of this model that can be shown; it is shown as a whole"
        )));
    }
    let model = &built.model;
    let mut shown = Shown::titled(format!(
        "{}: a {}",
        instance.source.name(),
        instance.kind_name()
    ))
    .fact("states", model.states().to_string())
    .fact("initial", model.initial.len().to_string())
    .fact("choices", model.choices().to_string())
    .fact("branches", model.branches().to_string());
    let stuck = model.deadlocks.count_ones(..);
    if stuck > 0 {
        shown = shown.fact("deadlocks", format!("{stuck}, each with a loop added"));
    }
    for (name, value) in &instance.names.constants {
        shown = shown.fact(format!("const {name}"), value.text());
    }
    let mut table = Table::new(["variable", "values", "begins", "module"]);
    for variable in &instance.variables {
        let values = match variable.truth {
            true => "bool".to_owned(),
            false => format!("{}..{}", variable.low, variable.high),
        };
        let begins = match instance.init {
            Some(_) => "by init".to_owned(),
            None => variable.text(variable.init),
        };
        let module = variable
            .module
            .map_or("global", |at| &instance.modules[at].0);
        table.row([variable.name.as_str(), &values, &begins, module]);
    }
    shown = shown.blank().table(table);
    let names: Vec<String> = instance
        .labels
        .iter()
        .map(|(name, ..)| format!("\"{name}\""))
        .collect();
    if !names.is_empty() {
        shown = shown.blank().fact("labels", names.join(", "));
    }
    let structures = instance.rewards.iter();
    let names: Vec<String> = structures
        .map(|one| match &one.name {
            Some(name) => format!("\"{name}\""),
            None => "(without a name)".to_owned(),
        })
        .collect();
    if !names.is_empty() {
        shown = shown.fact("rewards", names.join(", "));
    }
    shown = shown.result(serde_json::json!({
        "kind": model.kind.name(),
        "states": model.states(),
        "initial": model.initial.len(),
        "choices": model.choices(),
        "branches": model.branches(),
        "deadlocks": stuck,
        "variables": instance.variables.iter().map(|one| &one.name).collect::<Vec<_>>(),
        "modules": instance.modules.iter().map(|(name, _)| name).collect::<Vec<_>>(),
    }));
    if model.states() <= MOST_DRAWN {
        shown = shown.picture(drawn(instance, built));
    } else if view.picture {
        let text = format!("{} are too many to draw", count(model.states(), "state"));
        shown = shown.blank().line(0, text);
    }
    Ok(shown)
}

/// The states with the chances between them.
fn drawn(instance: &Instance, built: &Built) -> Graph {
    let model = &built.model;
    let mut graph = Graph::new(instance.source.name());
    for state in 0..model.states() {
        let values = built.states.values(state);
        let cells = instance.variables.iter().zip(&values);
        let label: Vec<String> = cells.map(|(one, &value)| one.text(value)).collect();
        let mut node = Node::round(label.join(",")).hint(instance.state_text(&values));
        if model.initial.contains(&StateId::from_index(state)) {
            node = node.initial();
        }
        if model.deadlocks.contains(state) {
            node = node.marked();
        }
        graph.node(node);
    }
    for state in 0..model.states() {
        for choice in model.choices_of(StateId::from_index(state)) {
            let action = model
                .action(choice)
                .map(|name| format!("{name}: "))
                .unwrap_or_default();
            for branch in model.branches_of(choice) {
                let weight = short(model.weights[branch]);
                graph.edge(
                    state,
                    model.targets[branch].index(),
                    format!("{action}{weight}"),
                );
            }
        }
    }
    graph
}

/// A number in a few digits.
pub(crate) fn short(number: f64) -> String {
    let text = format!("{number:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    match text.is_empty() || text == "0" {
        true => format!("{number:.2e}"),
        false => text.to_owned(),
    }
}
