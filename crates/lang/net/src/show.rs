//! What there is to see of a net.

use quotient_core::{Context, Trouble};
use quotient_language::{Graph, Node, Shown, Table, Viewed};
use serde_json::json;

use crate::model::NetModel;
use crate::net::Net;

/// The most nodes that are drawn.
const MOST_NODES: usize = 90;

pub(crate) fn show(model: &NetModel, view: &Viewed, _: &Context) -> Result<Shown, Trouble> {
    if let Some(part) = &view.part {
        let message = format!("a net has no parts by name, such as `{part}`");
        return Err(Trouble::usage(message));
    }
    let net = &model.net;
    let wholes = net.wholes();
    let arcs = |one: &crate::net::Transition| one.guard.len() + one.effect.len() + one.assign.len();
    let transfers = net.transitions.iter().filter(|one| !one.assign.is_empty());
    let transfers = transfers.count();
    let mut shown = Shown::titled(format!("{}: a Petri net", model.name))
        .fact("places", net.places.len().to_string())
        .fact("transitions", wholes.len().to_string());
    if transfers > 0 {
        shown = shown.fact("transfers", transfers.to_string());
    }
    shown = match net.start() {
        Some(start) => shown.fact("start", shortened(net.words(&start))),
        None => shown.fact("start", "many markings"),
    };
    if !model.asked.is_empty() {
        let mut table = Table::new(["property", "kind"]);
        for asked in &model.asked {
            table.row([asked.name.clone(), asked.kind.to_owned()]);
        }
        shown = shown.blank().table(table);
    }
    if view.picture && net.places.len() + net.transitions.len() <= MOST_NODES {
        shown = shown.picture(picture(&model.name, net));
    }
    let ids = |names: Vec<&str>| json!(names);
    Ok(shown.result(json!({
        "places": ids(net.places.iter().map(|one| one.id.as_str()).collect()),
        "transitions": ids(wholes.iter().map(|one| one.0).collect()),
        "arcs": net.transitions.iter().map(arcs).sum::<usize>(),
        "transfers": transfers,
    })))
}

/// A text of a line.
fn shortened(text: String) -> String {
    match text.char_indices().nth(200) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}

fn picture(title: &str, net: &Net) -> Graph {
    let mut graph = Graph::new(title);
    for place in &net.places {
        let label = match (place.least, place.most) {
            (0, Some(0)) => place.label.clone(),
            (least, Some(most)) if least == most => format!("{} ({least})", place.label),
            (least, _) => format!("{} ({least}…)", place.label),
        };
        let node = Node::round(label);
        graph.node(match place.least {
            0 => node,
            _ => node.marked(),
        });
    }
    for transition in &net.transitions {
        let at = graph.node(Node::boxed(transition.label.clone()));
        let weight = |number: u64| match number {
            1 => String::new(),
            _ => number.to_string(),
        };
        for guard in &transition.guard {
            let change = transition.effect.iter().find(|one| one.0 == guard.place);
            let change = change.map_or(0, |one| one.1);
            let least = match guard.least {
                0 => String::new(),
                least => weight(least),
            };
            let limit = guard.most.map_or(String::new(), |most| format!("≤ {most}"));
            graph.edge(guard.place, at, [least, limit].join(" ").trim());
            let back = guard.least.saturating_add_signed(change);
            if back > 0 {
                graph.edge(at, guard.place, weight(back));
            }
        }
        for &(place, change) in &transition.effect {
            if change > 0 && !transition.guard.iter().any(|guard| guard.place == place) {
                graph.edge(at, place, weight(change.unsigned_abs()));
            }
        }
        for assign in &transition.assign {
            for &from in assign.sum.iter().filter(|from| **from != assign.place) {
                graph.faint_edge(from, at, "all");
            }
            graph.faint_edge(at, assign.place, "all");
        }
    }
    graph
}
