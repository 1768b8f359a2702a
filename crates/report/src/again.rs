//! What a page sends back to be drawn again: graphs and parts of runs.

use quotient_language::{Cell, Edge, Graph, Group, Json, Layout, Node, Shape, Step, Trace};

use crate::{draw, trace_picture, waves};

/// The graph of a picture of a page, as `picture_view` wrote it under `graph`; nothing if it is
/// no such graph.
///
/// ```
/// use quotient_language::{Graph, Node};
/// use quotient_report::{Drawings, picture_view, read_graph};
/// let mut graph = Graph::new("lamp");
/// graph.node(Node::boxed("off").initial());
/// let view = picture_view(&graph.into(), Drawings::Small);
/// assert_eq!(read_graph(&view["graph"]).unwrap().nodes[0].label, "off");
/// ```
pub fn read_graph(json: &Json) -> Option<Graph> {
    let text = |json: &Json| json.as_str().unwrap_or_default().to_owned();
    let mut graph = Graph::new(text(&json["title"]));
    graph.undirected = json["undirected"].as_bool().unwrap_or(false);
    for node in json["nodes"].as_array()? {
        let bits = node[2].as_u64().unwrap_or(0);
        graph.node(Node {
            label: text(&node[0]),
            hint: text(&node[1]),
            shape: if bits & 1 == 1 {
                Shape::Box
            } else {
                Shape::Round
            },
            initial: bits & 2 != 0,
            accepting: bits & 4 != 0,
            marked: bits & 8 != 0,
            id: text(&node[3]),
        });
    }
    let place = |json: &Json| {
        let number = usize::try_from(json.as_u64()?).ok()?;
        (number < graph.nodes.len()).then_some(number)
    };
    let mut edges = Vec::new();
    for edge in json["edges"].as_array()? {
        edges.push(Edge {
            source: place(&edge[0])?,
            target: place(&edge[1])?,
            label: text(&edge[2]),
            hint: text(&edge[3]),
            faint: edge[4].as_bool().unwrap_or(false),
        });
    }
    let mut groups = Vec::new();
    for group in json["groups"].as_array()? {
        groups.push(Group {
            label: text(&group[0]),
            nodes: group[1]
                .as_array()?
                .iter()
                .map(place)
                .collect::<Option<_>>()?,
        });
    }
    (graph.edges, graph.groups) = (edges, groups);
    Some(graph)
}

/// A part of a long run over time, as [`trace_view`](crate::trace_view) wrote its steps, drawn as
/// lanes or as wave forms; `first` is the number of its first step. Nothing if there is nothing to
/// draw.
///
/// ```
/// use quotient_report::draw_run;
/// use serde_json::json;
/// let steps = json!([{ "cells": [["off", false]] }, { "action": "push", "cells": [["on", true]] }]);
/// let run = json!({ "layout": "grid", "columns": ["lamp"], "steps": steps });
/// assert!(draw_run(&run, 700, false).unwrap().contains("moment-701"));
/// ```
pub fn draw_run(json: &Json, first: usize, as_waves: bool) -> Option<String> {
    let trace = read_run(json)?;
    let text = match as_waves {
        true => waves(&trace)?,
        false => draw(&trace_picture(&trace)?),
    };
    // Moments have their numbers in the whole run, from the last one on: each is replaced once.
    let mut out = text;
    for moment in (0..trace.steps.len()).rev() {
        let own = format!("id=\"moment-{moment}\"");
        out = out.replacen(&own, &format!("id=\"moment-{}\"", first + moment), 1);
    }
    Some(out)
}

/// The most steps that are drawn at once.
const MOST_STEPS: usize = 1_000;

fn read_run(json: &Json) -> Option<Trace> {
    let text = |json: &Json| json.as_str().unwrap_or_default().to_owned();
    let layout = match json["layout"].as_str() {
        Some("events") => Layout::Events,
        Some("states") => Layout::States,
        _ => Layout::Grid,
    };
    let columns = json["columns"].as_array()?.iter().map(text);
    let mut trace = Trace::new(layout, columns);
    for step in json["steps"].as_array()?.iter().take(MOST_STEPS) {
        let cell = |cell: &Json| Cell {
            text: text(&cell[0]),
            changed: cell[1].as_bool().unwrap_or(false),
        };
        let by = step["by"].as_array().into_iter().flatten();
        trace.steps.push(Step {
            action: step["action"].as_str().map(str::to_owned),
            by: by.map(text).collect(),
            cells: step["cells"].as_array()?.iter().map(cell).collect(),
            remark: step["remark"].as_str().map(str::to_owned),
            ..Step::default()
        });
    }
    Some(trace)
}
