//! What there is to see of a program: its processes as graphs of statements.

use std::collections::HashMap;

use quotient_core::Trouble;
use quotient_language::text::count;
use quotient_language::{Graph, Group, Node, Shown, Table, Viewed};
use serde_json::json;

use crate::program::{Proctype, Program};
use crate::question::questions;

/// The most nodes that are drawn.
const MOST_NODES: usize = 150;

pub(crate) fn show(name: &str, program: &Program, view: &Viewed) -> Result<Shown, Trouble> {
    let all = || program.proctypes.iter().chain(&program.claims);
    if let Some(part) = &view.part
        && !all().any(|one| one.name == *part)
    {
        return Err(Trouble::usage(format!("there is no proctype `{part}`")));
    }
    let wanted = |one: &&Proctype| view.part.as_ref().is_none_or(|part| *part == one.name);
    let mut shown = Shown::titled(format!("{name}: a Promela program"));
    let mut parts = Vec::new();
    for one in all().filter(wanted) {
        let places = reachable(one);
        let steps: usize = places
            .iter()
            .map(|at| one.locations[*at as usize].edges.len())
            .sum();
        let begins = match one.active {
            0 => String::new(),
            1 => ", one from the start".to_owned(),
            more => format!(", {more} from the start"),
        };
        let text = format!(
            "{}: {}, {}, {}{begins}",
            one.name,
            count(places.len(), "location"),
            count(steps, "step"),
            count(one.slots.len(), "variable"),
        );
        shown = shown.fact("process", text);
        parts.push(one.name.clone());
    }
    let variables: Vec<&str> = program
        .globals
        .iter()
        .map(|slot| slot.name.as_str())
        .collect();
    if !variables.is_empty() {
        shown = shown.fact("variables", variables.join(", "));
    }
    for shape in &program.shapes {
        let text = format!(
            "{}: {}, {}",
            shape.name,
            match shape.capacity {
                0 => "handshakes".to_owned(),
                capacity => count(capacity as usize, "message"),
            },
            count(shape.fields.len(), "field"),
        );
        shown = shown.fact("channel", text);
    }
    let mut table = Table::new(["property", "what"]);
    for question in questions(program) {
        table.row([question.name, question.text]);
    }
    shown = shown.blank().table(table);
    let size: usize = all().filter(wanted).map(|one| reachable(one).len()).sum();
    if view.picture && size <= MOST_NODES {
        let chosen: Vec<&Proctype> = all().filter(wanted).collect();
        shown = shown.picture(flow(name, program, &chosen));
    }
    let result = json!({ "processes": parts, "variables": variables });
    Ok(shown.parts(parts).result(result))
}

/// The locations that a process can get to, whatever the values are.
pub(crate) fn reachable(one: &Proctype) -> Vec<u32> {
    let mut found = vec![one.start];
    let mut seen = vec![false; one.locations.len()];
    seen[one.start as usize] = true;
    let mut at = 0;
    while let Some(&location) = found.get(at) {
        at += 1;
        for edge in &one.locations[location as usize].edges {
            let more = edge.unless.iter().copied().chain([edge.to]);
            for to in more {
                if !seen[to as usize] {
                    seen[to as usize] = true;
                    found.push(to);
                }
            }
        }
    }
    found
}

fn flow(name: &str, program: &Program, chosen: &[&Proctype]) -> Graph {
    let mut graph = Graph::new(name);
    for one in chosen {
        let places = reachable(one);
        let mut nodes = HashMap::new();
        let mut group = Group {
            label: one.name.clone(),
            nodes: Vec::new(),
        };
        for at in &places {
            let location = &one.locations[*at as usize];
            let label = match (location.labels.first(), location.edges.first()) {
                (Some(label), _) => label.clone(),
                (None, Some(edge)) if edge.at.file == 0 => {
                    program.files[0].position(edge.at.span.start).0.to_string()
                }
                _ => "end".to_owned(),
            };
            let mut node = Node::round(label);
            if *at == one.start {
                node = node.initial();
            }
            if location.accept {
                node = node.accepting();
            }
            if location.progress {
                node = node.marked();
            }
            let number = graph.node(node);
            nodes.insert(*at, number);
            group.nodes.push(number);
        }
        for at in &places {
            for edge in &one.locations[*at as usize].edges {
                if let (Some(from), Some(to)) = (nodes.get(at), nodes.get(&edge.to)) {
                    graph.edge(*from, *to, program.action(edge));
                }
            }
        }
        graph.groups.push(group);
    }
    graph
}
