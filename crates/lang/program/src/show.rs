//! What there is to see of a program.

use quotient_core::Trouble;
use quotient_language::text::count;
use quotient_language::{Graph, Group, Node, Shown, Table, Viewed};
use serde_json::json;

use crate::abstraction::{Abstraction, Spotlight, Value};
use crate::model::ProgramModel;
use crate::program::Program;

/// The most nodes that are drawn.
const MOST_NODES: usize = 120;

pub(crate) fn show(model: &ProgramModel, view: &Viewed) -> Result<Shown, Trouble> {
    let program = &model.program;
    if let Some(part) = &view.part
        && !program
            .processes
            .iter()
            .any(|process| process.name == *part)
    {
        return Err(Trouble::usage(format!("there is no process `{part}`")));
    }
    let wanted = |name: &str| view.part.as_ref().is_none_or(|part| part == name);
    let mut shown = Shown::titled(format!("{}: a concurrent program", model.name));
    for process in program
        .processes
        .iter()
        .filter(|process| wanted(&process.name))
    {
        let text = format!(
            "{}: {}, {}",
            process.name,
            count(process.locations, "location"),
            count(process.edges.len(), "edge")
        );
        shown = shown.fact("process", text);
    }
    let names: Vec<&str> = program
        .integers
        .iter()
        .chain(&program.booleans)
        .map(|one| one.name.as_str())
        .collect();
    shown = shown.fact("variables", names.join(", "));
    if !program.checks.is_empty() {
        let mut table = Table::new(["property", "formula"]);
        for check in &program.checks {
            table.row([check.name.clone(), check.text.clone()]);
        }
        shown = shown.blank().table(table);
    }
    let size: usize = program
        .processes
        .iter()
        .filter(|one| wanted(&one.name))
        .map(|one| one.locations)
        .sum();
    if view.picture && size <= MOST_NODES {
        shown = shown.picture(flow(&model.name, program, &wanted));
    }
    let processes: Vec<&str> = program
        .processes
        .iter()
        .map(|one| one.name.as_str())
        .collect();
    Ok(shown.result(json!({ "processes": processes, "variables": names })))
}

/// The control-flow graphs of some processes.
fn flow(title: &str, program: &Program, wanted: &dyn Fn(&str) -> bool) -> Graph {
    let mut graph = Graph::new(title);
    for process in program
        .processes
        .iter()
        .filter(|process| wanted(&process.name))
    {
        let first = graph.nodes.len();
        for location in 0..process.locations {
            let node = Node::round(process.location(location));
            graph.node(if location == 0 { node.initial() } else { node });
        }
        for edge in &process.edges {
            graph.edge(first + edge.from, first + edge.to, edge.text.clone());
        }
        let nodes = (first..graph.nodes.len()).collect();
        graph.groups.push(Group {
            label: process.name.clone(),
            nodes,
        });
    }
    graph
}

/// An abstraction: must-steps drawn through, may-steps dashed.
pub(crate) fn abstraction(
    program: &Program,
    spotlight: &Spotlight,
    of: &Abstraction,
) -> Option<Graph> {
    if of.places.len() > MOST_NODES / 2 {
        return None;
    }
    let mut graph = Graph::new("the abstraction");
    for (number, place) in of.places.iter().enumerate() {
        let locations = spotlight.processes.iter().zip(&place.locations);
        let locations = locations.map(|(process, at)| program.processes[*process].location(*at));
        let mut label = locations.collect::<Vec<_>>().join(" ");
        for (predicate, value) in spotlight.predicates.iter().zip(&place.values) {
            label.push_str(&format!("\n{}: {value}", program.words(predicate)));
        }
        let node = Node::boxed(label);
        graph.node(if number == 0 { node.initial() } else { node });
    }
    for (from, steps) in of.steps.iter().enumerate() {
        for step in steps {
            let label = step.by.map_or(String::new(), |(at, edge)| {
                program.processes[spotlight.processes[at]].edges[edge]
                    .text
                    .clone()
            });
            match step.value == Value::TRUE {
                true => graph.edge(from, step.to, label),
                false => graph.faint_edge(from, step.to, label),
            }
        }
    }
    Some(graph)
}
