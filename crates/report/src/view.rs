//! What a page shows: answers, runs and facts as JSON, with drawings made and places counted in
//! lines. The same for the page that is served and for the one that is written to a folder.

use quotient_core::{Diagnostic, Source, Span};
use quotient_language::{
    Answer, Block, Choice, Doubt, Edge, Exhibit, Graph, Group, Json, Node, Picture, Property,
    Shape, Shown, Status, Trace,
};
use serde_json::json;

use crate::{
    Drawing, answer_json, diagnostic_json, dot, draw, film, svg_with, tikz, trace_picture, waves,
};

/// Of larger graphs, files of other programs are made when they are asked for.
const MOST_NODES: usize = 150;
/// Larger graphs cannot be looked into further.
const MOST_OPENED: usize = 50_000;

/// Whether the drawings of large graphs are made at once, or by who wants to see them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Drawings {
    /// All of them, with the same for other programs: for a page that nobody serves.
    All,
    /// Large graphs have no drawing yet (`svg` is empty), since an answer is not to wait for
    /// pictures that nobody may look at: the page asks for them by their `graph`.
    Small,
}

/// Nodes and edges of a graph whose drawing takes no time that anybody notices.
const SMALL: usize = 60;

/// A place in a text: lines and columns from 1, in characters, as in diagnostics.
pub fn place_json(source: &Source, span: Span) -> Json {
    let (line, column) = source.position(span.start);
    let (end_line, end_column) = source.position(span.end.max(span.start));
    json!({ "line": line, "column": column, "endLine": end_line, "endColumn": end_column })
}

fn place(source: Option<&Source>, span: Option<Span>) -> Json {
    match (source, span) {
        (Some(source), Some(span)) => place_json(source, span),
        _ => Json::Null,
    }
}

/// An answer for a page: the fields of [`answer_json`] but the run, and under `view` what is
/// shown: the run as [`trace_view`] has it, with what belongs beside it.
pub fn answer_view(answer: &Answer, source: Option<&Source>, drawings: Drawings) -> Json {
    let mut view = answer_json(answer);
    if let Some(object) = view.as_object_mut() {
        object.remove("trace");
        object.remove("backTo");
    }
    let remark = |(span, text): &(Span, String)| json!({ "place": place(source, Some(*span)), "text": text });
    let film = film(&answer.exhibits);
    // What is in the film needs no drawing of its own.
    let filmed = |number: usize| {
        let frames = film.as_ref().and_then(|film| film["frames"].as_array());
        frames.is_some_and(|frames| frames.iter().any(|frame| frame["exhibit"] == number))
    };
    let exhibits: Vec<Json> = (answer.exhibits.iter().enumerate())
        .map(|(number, exhibit)| match filmed(number) {
            true => exhibit_files(exhibit),
            false => exhibit_view(exhibit, drawings),
        })
        .collect();
    let because = match crate::answer::signal(answer) {
        Some(signal) => format!("{signal}: {}", answer.because),
        None => answer.because.clone(),
    };
    view["view"] = json!({
        "because": because,
        "notes": answer.notes,
        "vacuous": answer.vacuous,
        "remarks": answer.remarks.iter().map(remark).collect::<Vec<_>>(),
        "run": answer.trace.as_ref().map(|trace| trace_view(trace, source)),
        "table": answer.table,
        "exhibits": exhibits,
        "film": film,
    });
    view
}

/// A run for a page: its columns and steps (cells as pairs of a text and whether it is new), and
/// a drawing of it over time where there is one.
pub fn trace_view(trace: &Trace, source: Option<&Source>) -> Json {
    let steps: Vec<Json> = trace
        .steps
        .iter()
        .map(|step| {
            let cells = step.cells.iter();
            let cells = cells.map(|cell| json!([cell.text, cell.changed]));
            json!({
                "action": step.action,
                "by": step.by,
                "cells": cells.collect::<Vec<_>>(),
                "place": place(source, step.place),
                "remark": step.remark,
            })
        })
        .collect();
    json!({
        "layout": trace.layout,
        "columns": trace.columns,
        "beside": trace.beside,
        "steps": steps,
        "backTo": trace.back_to,
        "ending": trace.ending,
        "drawing": trace_picture(trace).map(|picture| draw(&picture)),
        "waves": waves(trace),
    })
}

/// A picture for a page: what it shows, and the drawing.
pub fn picture_view(picture: &Picture, drawings: Drawings) -> Json {
    let (kind, nodes) = match picture {
        Picture::Graph(graph) => ("graph", graph.nodes.len()),
        Picture::Lines(_) => ("lines", 0),
        Picture::Lanes(_) => ("lanes", 0),
        Picture::Grid(_) => ("grid", 0),
    };
    let later = |graph: &Graph| {
        drawings == Drawings::Small
            && graph.nodes.len() + graph.edges.len() > SMALL
            && graph.nodes.len() <= MOST_OPENED
    };
    let svg = match picture {
        Picture::Graph(graph) if later(graph) => String::new(),
        Picture::Graph(graph) => svg_with(graph, &Drawing::default()),
        other => draw(other),
    };
    let mut view = json!({ "title": picture.title(), "kind": kind, "nodes": nodes, "svg": svg });
    if let Picture::Graph(graph) = picture {
        if nodes <= MOST_NODES && drawings == Drawings::All {
            view["dot"] = json!(dot(graph));
            view["tikz"] = json!(tikz(graph));
        }
        if nodes <= MOST_OPENED {
            view["graph"] = graph_view(graph);
        }
    }
    view
}

/// A graph in few words, so that a page can ask for another drawing of it
/// ([`read_graph`](crate::read_graph)).
fn graph_view(graph: &Graph) -> Json {
    let node = |node: &Node| {
        let bits = [
            node.shape == Shape::Box,
            node.initial,
            node.accepting,
            node.marked,
        ];
        json!([node.label, node.hint, as_number(bits), node.id])
    };
    let edge = |edge: &Edge| match edge.hint.is_empty() && !edge.faint {
        true => json!([edge.source, edge.target, edge.label]),
        false => json!([edge.source, edge.target, edge.label, edge.hint, edge.faint]),
    };
    let group = |group: &Group| json!([group.label, group.nodes]);
    json!({
        "title": graph.title,
        "undirected": graph.undirected,
        "nodes": graph.nodes.iter().map(node).collect::<Vec<_>>(),
        "edges": graph.edges.iter().map(edge).collect::<Vec<_>>(),
        "groups": graph.groups.iter().map(group).collect::<Vec<_>>(),
    })
}

fn as_number(bits: [bool; 4]) -> u8 {
    (0..4).map(|bit| u8::from(bits[bit]) << bit).sum()
}

/// Something to look at: its picture, and the files that hold it.
pub fn exhibit_view(exhibit: &Exhibit, drawings: Drawings) -> Json {
    let mut view = exhibit_files(exhibit);
    let picture = exhibit.picture.as_ref();
    view["picture"] = json!(picture.map(|picture| picture_view(picture, drawings)));
    view
}

/// The same without its picture.
fn exhibit_files(exhibit: &Exhibit) -> Json {
    json!({
        "name": exhibit.name,
        "caption": exhibit.caption,
        "picture": null,
        "files": exhibit.files,
    })
}

/// What there is to see of a model: blocks from top to bottom, and pictures.
pub fn shown_view(shown: &Shown, drawings: Drawings) -> Json {
    let block = |block: &Block| match block {
        Block::Head(text) => json!({ "block": "head", "text": text }),
        Block::Fact(name, text) => json!({ "block": "fact", "name": name, "text": text }),
        Block::Line(indent, text) => json!({ "block": "line", "indent": indent, "text": text }),
        Block::Verbatim(text) => json!({ "block": "verbatim", "text": text }),
        Block::Table(table) => json!({ "block": "table", "table": table }),
        Block::Blank => json!({ "block": "blank" }),
    };
    let pictures = shown.pictures.iter();
    let pictures = pictures.map(|picture| picture_view(picture, drawings));
    json!({
        "blocks": shown.blocks.iter().map(block).collect::<Vec<_>>(),
        "pictures": pictures.collect::<Vec<_>>(),
        "parts": shown.parts,
        "result": shown.result,
        "diagnostics": shown.warnings.iter().map(diagnostic_json).collect::<Vec<_>>(),
    })
}

/// A property with its place.
pub fn property_view(property: &Property, source: Option<&Source>) -> Json {
    json!({
        "name": property.name,
        "number": property.number,
        "kind": property.kind,
        "text": property.text,
        "place": place(source, property.span),
    })
}

/// A reason to doubt with its place.
pub fn doubt_view(doubt: &Doubt, source: Option<&Source>) -> Json {
    json!({ "text": doubt.text, "details": doubt.details, "place": place(source, doubt.span) })
}

/// A simulation as it stands.
pub fn simulation_view(
    trace: &Trace,
    choices: &[Choice],
    status: &Status,
    source: Option<&Source>,
) -> Json {
    let choice = |choice: &Choice| {
        json!({
            "action": choice.action,
            "leadsTo": choice.leads_to,
            "automatic": choice.automatic,
            "place": place(source, choice.place),
        })
    };
    json!({
        "run": trace_view(trace, source),
        "choices": choices.iter().map(choice).collect::<Vec<_>>(),
        "deadlock": status.deadlock,
        "notes": status.notes,
        "whereabouts": status.whereabouts,
        "more": status.more,
    })
}

/// Messages for a page.
pub fn diagnostics_view(diagnostics: &[Diagnostic]) -> Json {
    diagnostics.iter().map(diagnostic_json).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use quotient_core::Verdict;
    use quotient_language::{Cell, Layout, Step};

    #[test]
    fn the_drawing_of_a_large_graph_waits_until_it_is_wanted() {
        let mut graph = Graph::new("a way");
        for number in 0..SMALL {
            graph.node(Node::round(number.to_string()));
            if number > 0 {
                graph.edge(number - 1, number, "on");
            }
        }
        let picture = Picture::from(graph);
        let later = picture_view(&picture, Drawings::Small);
        assert_eq!(later["svg"], "");
        assert_eq!(later["graph"]["nodes"].as_array().unwrap().len(), SMALL);
        let now = picture_view(&picture, Drawings::All);
        assert!(now["svg"].as_str().unwrap().starts_with("<svg"));
        let again = crate::read_graph(&later["graph"]).unwrap();
        assert_eq!(now["svg"], svg_with(&again, &Drawing::default()));
    }

    #[test]
    fn a_run_is_there_once_and_has_lines() {
        let source = Source::new("f", "a\nstep b\n");
        let mut trace = Trace::new(Layout::Grid, ["P1"]);
        trace.steps.push(Step::start([Cell::new("idle")]));
        let step = Step::by("enter", ["P1"], [Cell::changed("busy")]);
        trace.steps.push(step.at(Span::new(2, 8)));
        let answer = Answer::new("p", Verdict::Violated).with_trace(trace);
        let view = answer_view(&answer, Some(&source), Drawings::Small);
        assert!(view.get("trace").is_none());
        assert_eq!(view["view"]["run"]["steps"][1]["place"]["line"], 2);
        assert_eq!(
            view["view"]["run"]["steps"][1]["cells"][0],
            json!(["busy", true])
        );
        assert!(
            view["view"]["run"]["drawing"]
                .as_str()
                .is_some_and(|text| text.starts_with("<svg"))
        );
    }
}
