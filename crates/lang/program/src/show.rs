//! What there is to see of a program.

use std::collections::BTreeSet;

use quotient_core::Trouble;
use quotient_language::text::count;
use quotient_language::{Graph, Group, Node, Shown, Table, Viewed};
use serde_json::json;

use crate::abstraction::{Abstraction, Spotlight, Step, Value};
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
        // Where nothing leads to or from is no place.
        let ends = process.edges.iter().flat_map(|edge| [edge.from, edge.to]);
        let places: BTreeSet<usize> = ends.chain([0]).collect();
        for &location in &places {
            let node = Node::round(process.location(location));
            graph.node(if location == 0 { node.initial() } else { node });
        }
        let node = |location: usize| first + places.range(..location).count();
        for edge in &process.edges {
            graph.edge(node(edge.from), node(edge.to), edge.text.clone());
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
        let is_loop = |step: &&Step| step.to == from;
        let certain = |step: &Step| step.value == Value::TRUE;
        // Loops of a place are one line: whatever is unknown there is said in words if it is not dashed.
        let mixed = steps.iter().filter(is_loop).any(certain);
        for step in steps {
            let mut label = match step.by {
                Some((at, edge)) => program.processes[spotlight.processes[at]].edges[edge]
                    .text
                    .clone(),
                None => "nothing changes".to_owned(),
            };
            match certain(step) {
                true => graph.edge(from, step.to, label),
                false => {
                    if mixed && step.to == from {
                        label.push_str(" (unknown)");
                    }
                    graph.faint_edge(from, step.to, label);
                }
            }
        }
    }
    Some(graph)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abstraction::Place;

    #[test]
    fn what_is_unknown_is_dashed_also_where_it_leads_back() {
        let text = "shared bool b; process P { while (b) { } } check x: G !b";
        let program = crate::read::read(&quotient_core::Source::new("x.spl", text)).unwrap();
        let spotlight = Spotlight {
            processes: vec![0],
            ..Spotlight::default()
        };
        let place = |at| Place {
            locations: vec![at],
            values: Vec::new(),
        };
        let step = |to, value, by| Step { to, value, by };
        let unknown = Value::UNKNOWN;
        let of = Abstraction {
            places: vec![place(0), place(1)],
            steps: vec![
                vec![
                    step(0, unknown, Some((0, 0))),
                    step(1, unknown, Some((0, 1))),
                    step(0, unknown, None),
                ],
                vec![step(1, unknown, Some((0, 0))), step(1, Value::TRUE, None)],
            ],
            ..Abstraction::default()
        };
        let graph = abstraction(&program, &spotlight, &of).unwrap();
        let drawn = graph
            .edges
            .iter()
            .map(|one| (one.faint, one.label.as_str()));
        let expected = [
            (true, "while (b)"),
            (true, "leave while (b)"),
            (true, "nothing changes"),
            (true, "while (b) (unknown)"),
            (false, "nothing changes"),
        ];
        assert_eq!(drawn.collect::<Vec<_>>(), expected);
    }
}
