//! What there is to see of a system.

use quotient_core::Trouble;
use quotient_language::text::count;
use quotient_language::{Graph, Node, Shown, Table, Viewed};
use serde_json::json;

use crate::algebra::ActionLattice;
use crate::model::GradedModel;
use crate::system::System;

/// The most states and transitions that are drawn.
const MOST_NODES: usize = 60;
const MOST_EDGES: usize = 240;

pub(crate) fn show<A: ActionLattice>(
    model: &GradedModel<A>,
    view: &Viewed,
) -> Result<Shown, Trouble> {
    if let Some(part) = &view.part {
        let message = format!("a graded system has no parts by name, such as `{part}`");
        return Err(Trouble::usage(message));
    }
    let system = &model.system;
    let algebra = &system.algebra;
    let transitions: usize = system.programs.iter().map(|program| program.len()).sum();
    let mut shown = Shown::titled(format!("{}: a graded system", model.name))
        .fact(
            "grades",
            format!("{}: {}", algebra.name(), algebra.meaning()),
        )
        .fact("states", system.states.len().to_string())
        .fact("transitions", transitions.to_string());
    for program in &system.programs {
        shown = shown.fact(
            "program",
            format!("{}: {}", program.name, count(program.len(), "transition")),
        );
    }
    let names: Vec<&str> = system
        .propositions
        .iter()
        .map(|(name, _)| name.as_str())
        .collect();
    if !names.is_empty() {
        shown = shown.fact("propositions", names.join(", "));
    }
    if !model.questions.is_empty() {
        let mut table = Table::new(["property", "formula"]);
        for question in &model.questions {
            table.row([
                question.check.name.text.clone(),
                question.check.text.clone(),
            ]);
        }
        shown = shown.blank().table(table);
    }
    if view.picture && system.states.len() <= MOST_NODES && transitions <= MOST_EDGES {
        shown = shown.picture(picture(&model.name, system));
    }
    let programs: Vec<_> = system
        .programs
        .iter()
        .map(|one| json!({ "name": one.name, "transitions": one.len() }))
        .collect();
    Ok(shown.result(json!({
        "algebra": algebra.name(),
        "states": system.states.len(),
        "transitions": transitions,
        "programs": programs,
        "propositions": names,
    })))
}

/// States with the grades of their propositions, transitions with their weights.
fn picture<A: ActionLattice>(title: &str, system: &System<A>) -> Graph {
    let algebra = &system.algebra;
    let (zero, one) = (algebra.zero(), algebra.one());
    let mut graph = Graph::new(title);
    for (state, name) in system.states.iter().enumerate() {
        let mut label = name.clone();
        for (proposition, grades) in &system.propositions {
            match &grades[state] {
                grade if *grade == zero => {}
                grade if *grade == one => label.push_str(&format!("\n{proposition}")),
                grade => label.push_str(&format!("\n{proposition} {}", algebra.write(grade))),
            }
        }
        let node = Node::round(label);
        graph.node(match system.initial.contains(&state) {
            true => node.initial(),
            false => node,
        });
    }
    for program in &system.programs {
        for state in 0..system.states.len() {
            for (to, weight) in program.row(state) {
                let label = format!("{} {}", program.name, algebra.write(weight));
                graph.edge(state, *to as usize, label);
            }
        }
    }
    graph
}
