//! What there is to see of a pathway.

use quotient_core::{Context, Trouble};
use quotient_language::{Graph, Node, Shown, Table, Viewed};
use serde_json::json;

use crate::explore::{Explored, explore};
use crate::model::PathwayModel;
use crate::pathway::Pathway;
use crate::sums;

/// The most nodes that are drawn.
const MOST_NODES: usize = 90;
/// The most aggregates that are looked at for a picture.
const MOST_LOOKED_AT: usize = 5_000;

pub(crate) fn show(model: &PathwayModel, view: &Viewed, cx: &Context) -> Result<Shown, Trouble> {
    match view.part.as_deref() {
        None => pathway(model, view, cx),
        Some("aggregates") => aggregates(model, view, cx),
        Some(part) => {
            let message = format!("there is no part `{part}`; there is `aggregates`");
            Err(Trouble::usage(message))
        }
    }
}

fn pathway(model: &PathwayModel, view: &Viewed, cx: &Context) -> Result<Shown, Trouble> {
    let pathway = &model.pathway;
    let title = pathway.title.clone().unwrap_or_else(|| model.name.clone());
    let mut shown = Shown::titled(format!("{title}: a pathway"))
        .fact("species", pathway.species.len().to_string())
        .fact("reactions", pathway.reactions.len().to_string())
        .fact("start", start(pathway));
    let sums = sums::conserved(pathway, &cx.budget)?.unwrap_or_default();
    for weights in &sums {
        shown = shown.fact("conserved", sums::told(pathway, weights).0);
    }
    let mut table = Table::new(["reaction", "ways"]);
    for (number, reaction) in pathway.reactions.iter().enumerate() {
        let ways = pathway.rules.iter().filter(|rule| rule.reaction == number);
        table.row([reaction.name.clone(), ways.count().to_string()]);
    }
    shown = shown.blank().table(table);
    if view.picture && pathway.species.len() + pathway.rules.len() <= MOST_NODES {
        shown = shown.picture(drawn(&title, pathway));
    }
    let names: Vec<String> = pathway.species.iter().map(|one| one.name()).collect();
    let reactions: Vec<&str> = pathway
        .reactions
        .iter()
        .map(|one| one.name.as_str())
        .collect();
    let sums: Vec<String> = sums.iter().map(|one| sums::words(pathway, one)).collect();
    Ok(shown.result(json!({
        "species": names,
        "reactions": reactions,
        "conserved": sums,
    })))
}

/// The start in words.
fn start(pathway: &Pathway) -> String {
    let words = pathway.start.iter().map(|portion| {
        let name = pathway.species[portion.species].name();
        match portion.amount {
            None => format!("any {name}"),
            Some(1) => name,
            Some(number) => format!("{number} {name}"),
        }
    });
    words.collect::<Vec<_>>().join(" & ")
}

/// Species and reactions between them.
fn drawn(title: &str, pathway: &Pathway) -> Graph {
    let mut graph = Graph::new(title);
    let start = pathway.least_start();
    let unlimited = pathway.unlimited();
    for (at, species) in pathway.species.iter().enumerate() {
        let node = Node::round(species.name());
        graph.node(match start[at] > 0 || unlimited[at] {
            true => node.marked(),
            false => node,
        });
    }
    let weight = |number: u64| match number {
        1 => String::new(),
        _ => number.to_string(),
    };
    for rule in &pathway.rules {
        let name = pathway.reactions[rule.reaction].name.clone();
        let at = graph.node(Node::boxed(short(&name)).hint(name));
        for &(species, number) in &rule.take {
            // What comes out again is a catalyst.
            match rule.give.contains(&(species, number)) {
                true => graph.faint_edge(species, at, "with"),
                false => graph.edge(species, at, weight(number)),
            }
        }
        for &(species, number) in &rule.give {
            if !rule.take.contains(&(species, number)) {
                graph.edge(at, species, weight(number));
            }
        }
    }
    graph
}

fn short(name: &str) -> String {
    match name.char_indices().nth(24) {
        Some((at, _)) => format!("{}…", &name[..at]),
        None => name.to_owned(),
    }
}

fn aggregates(model: &PathwayModel, view: &Viewed, cx: &Context) -> Result<Shown, Trouble> {
    let pathway = &model.pathway;
    let start = pathway.only_start();
    let start = start.ok_or_else(|| Trouble::usage("the start is not one aggregate"))?;
    let explored = explore(pathway, &start, MOST_LOOKED_AT, &cx.budget)?;
    let number = match &explored.stopped {
        None => explored.aggregates.len().to_string(),
        Some(_) => format!("more than {}", explored.aggregates.len()),
    };
    let mut shown = Shown::titled(format!("{}: aggregates that can be derived", model.name))
        .fact("aggregates", number)
        .fact("steps", explored.steps.to_string());
    for &end in explored.ends.iter().take(20) {
        shown = shown.fact("end", pathway.words(&explored.aggregates[end]));
    }
    if view.picture && explored.aggregates.len() <= MOST_NODES && explored.is_complete() {
        shown = shown.picture(graph_of(pathway, &explored));
    }
    let ends = explored
        .ends
        .iter()
        .map(|&at| pathway.by_name(&explored.aggregates[at]));
    let ends: Vec<_> = ends.collect();
    Ok(shown.result(json!({
        "aggregates": explored.aggregates.len(),
        "steps": explored.steps,
        "complete": explored.is_complete(),
        "ends": ends,
    })))
}

fn graph_of(pathway: &Pathway, explored: &Explored) -> Graph {
    let mut graph = Graph::new("aggregates");
    for (at, aggregate) in explored.aggregates.iter().enumerate() {
        let mut node = Node::round(pathway.words(aggregate));
        if at == 0 {
            node = node.initial();
        }
        if explored.ends.contains(&at) {
            node = node.marked();
        }
        graph.node(node);
    }
    for (from, aggregate) in explored.aggregates.iter().enumerate() {
        for rule in &pathway.rules {
            let next = rule.fire(aggregate);
            let to = next.and_then(|next| explored.aggregates.iter().position(|one| *one == next));
            if let Some(to) = to {
                graph.edge(from, to, short(&pathway.reactions[rule.reaction].name));
            }
        }
    }
    graph
}
