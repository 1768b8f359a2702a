//! What there is to see of a theory, and pictures of models and systems.

use std::collections::BTreeSet;

use quotient_core::Trouble;
use quotient_language::text::count;
use quotient_language::{Graph, Json, Node, Shown, Table, Viewed};
use serde_json::json;

use crate::formula::{Model, World};
use crate::model::HybridModel;
use crate::read::Theory;
use crate::system::System;

/// The most worlds of a system that are drawn, and the most arrows between them.
const MOST_WORLDS: usize = 60;
const MOST_ARROWS: usize = 240;

pub(crate) fn show(model: &HybridModel, view: &Viewed) -> Result<Shown, Trouble> {
    if let Some(part) = &view.part {
        return Err(Trouble::usage(format!(
            "a theory has no parts by name, such as `{part}`"
        )));
    }
    let theory = &model.theory;
    let visible = |list: &[String]| {
        let names = list.iter().filter(|name| !name.is_empty()).cloned();
        names.collect::<Vec<_>>().join(", ")
    };
    let mut shown = Shown::titled(format!("{}: questions of hybrid logic", model.name));
    let lists = [
        ("nominals", &theory.nominals),
        ("relations", &theory.relations),
        ("letters", &theory.letters),
        ("numbers", &theory.integers),
    ];
    for (what, list) in lists {
        if !visible(list).is_empty() {
            shown = shown.fact(what, visible(list));
        }
    }
    // Variables of binders are nominals without a name.
    let named = theory.nominals.iter().filter(|name| !name.is_empty());
    let mut result = json!({
        "nominals": named.collect::<Vec<_>>(),
        "relations": theory.relations,
        "questions": theory.questions.len(),
    });
    if let Some(system) = &theory.system {
        let size = format!(
            "{}, {}",
            count(system.worlds, "world"),
            count(system.size(), "arrow")
        );
        shown = shown.fact("system", size);
        result["system"] = described(theory, system);
    }
    if !theory.questions.is_empty() || !theory.proofs.is_empty() {
        shown = shown.blank().table(questions(theory));
    }
    if let Some(system) = theory.system.as_ref().filter(|_| view.picture) {
        let (graph, drawn) = picture_of_system(&model.name, theory, system, &[]);
        if drawn < system.worlds {
            let many = format!(
                "{drawn} of {}, nearest first",
                count(system.worlds, "world")
            );
            shown = shown.fact("drawn", many);
        }
        shown = shown.picture(graph);
    }
    Ok(shown.result(result))
}

fn questions(theory: &Theory) -> Table {
    let mut table = Table::new(["question", "formula"]);
    for question in &theory.questions {
        table.row([question.name.clone(), question.text.clone()]);
    }
    for proof in &theory.proofs {
        let lines = count(proof.lines.len(), "line");
        table.row([proof.name.clone(), format!("a proof of {lines}")]);
    }
    table
}

/// A system for programs: how many worlds, where it begins, and the arrows of each relation.
fn described(theory: &Theory, system: &System) -> Json {
    let relations = theory.relations.iter().zip(&system.arrows);
    let arrows: serde_json::Map<String, Json> = relations
        .map(|(name, arrows)| (name.clone(), json!(arrows.len())))
        .collect();
    json!({
        "worlds": system.worlds,
        "initial": name_in_system(theory, system, system.initial),
        "arrows": arrows,
    })
}

/// What a world is called: by its names, or by its number.
fn name_in_system(theory: &Theory, system: &System, world: usize) -> String {
    let named = theory.nominals.iter().zip(&system.nominals);
    let names: Vec<&str> = named
        .filter(|(name, at)| **at == Some(world) && !name.is_empty())
        .map(|(name, _)| name.as_str())
        .collect();
    match (names.is_empty(), system.numbered) {
        (true, _) => world.to_string(),
        (false, true) => format!("{world} ({})", names.join(", ")),
        (false, false) => names.join(", "),
    }
}

/// The worlds of a system from its initial one on, with the letters that are true there and the arrows
/// between them; where a formula is true, the line is double. Also how many worlds these are.
pub(crate) fn picture_of_system(
    title: &str,
    theory: &Theory,
    system: &System,
    is_true: &[bool],
) -> (Graph, usize) {
    let mut graph = Graph::new(title);
    let drawn = nearest(system);
    let place = |world: u32| drawn.iter().position(|one| *one == world as usize);
    for &world in &drawn {
        let mut label = name_in_system(theory, system, world);
        for (letter, worlds) in theory.letters.iter().zip(&system.letters) {
            if worlds.contains(&world) {
                label.push_str(&format!("\n{letter}"));
            }
        }
        let mut node = Node::boxed(label);
        node.initial = world == system.initial;
        node.accepting = is_true.get(world) == Some(&true);
        graph.node(node);
    }
    let relations = theory.relations.iter().zip(&system.arrows).enumerate();
    for (_, (name, arrows)) in relations.filter(|(at, _)| Some(*at) != system.together) {
        let places = |&(from, to): &(u32, u32)| Some((place(from)?, place(to)?));
        let room = MOST_ARROWS.saturating_sub(graph.edges.len());
        for (from, to) in arrows.iter().filter_map(places).take(room) {
            graph.edge(from, to, name.clone());
        }
    }
    (graph, drawn.len())
}

/// The worlds that are drawn: those that arrows lead to first, by how many it takes.
fn nearest(system: &System) -> Vec<usize> {
    let mut found = vec![system.initial];
    let mut seen: BTreeSet<usize> = found.iter().copied().collect();
    if system.worlds > MOST_WORLDS {
        let mut at = 0;
        while at < found.len() && found.len() < MOST_WORLDS {
            let here = found[at];
            let arrows = system.arrows.iter().flatten();
            for &(_, to) in arrows.filter(|(from, _)| *from as usize == here) {
                if found.len() < MOST_WORLDS && seen.insert(to as usize) {
                    found.push(to as usize);
                }
            }
            at += 1;
        }
        return found;
    }
    found.extend((0..system.worlds).filter(|world| seen.insert(*world)));
    found
}

/// Names of a world: its number and its nominals.
fn world_name(theory: &Theory, model: &Model, world: usize) -> String {
    let named = theory.nominals.iter().zip(&model.nominals);
    let names: Vec<&str> = named
        .filter(|(name, at)| **at == world && !name.is_empty())
        .map(|(name, _)| name.as_str())
        .collect();
    match names.is_empty() {
        true => format!("w{world}"),
        false => format!("w{world} ({})", names.join(", ")),
    }
}

fn base(theory: &Theory, world: &World) -> String {
    let letters = theory.letters.iter().zip(&world.booleans);
    let letters = letters.map(|(name, value)| {
        if *value {
            name.clone()
        } else {
            format!("!{name}")
        }
    });
    let integers = theory.integers.iter().zip(&world.integers);
    let integers = integers.map(|(name, value)| format!("{name} = {value}"));
    let inner = world
        .inner
        .iter()
        .map(|inner| format!("a model with {}", count(inner.worlds.len(), "world")));
    letters
        .chain(integers)
        .chain(inner)
        .collect::<Vec<_>>()
        .join(", ")
}

fn relation(theory: &Theory, number: usize) -> String {
    theory.relations.get(number).cloned().unwrap_or_default()
}

/// A model as a table: worlds, their base models, and where arrows lead.
pub(crate) fn table_of_model(theory: &Theory, model: &Model) -> Table {
    let mut table = Table::new(["world", "base model", "arrows"]);
    for (number, world) in model.worlds.iter().enumerate() {
        let arrows = model.arrows.iter().filter(|(_, from, _)| *from == number);
        let arrows: Vec<String> = arrows
            .map(|(name, _, to)| format!("{} to w{to}", relation(theory, *name)))
            .collect();
        table.row([
            world_name(theory, model, number),
            base(theory, world),
            arrows.join(", "),
        ]);
    }
    table
}

/// A model as a picture: worlds with their base models.
pub(crate) fn picture_of_model(theory: &Theory, model: &Model) -> Graph {
    let mut graph = Graph::new("a model");
    for (number, world) in model.worlds.iter().enumerate() {
        let name = world_name(theory, model, number);
        let node = Node::boxed(format!("{name}\n{}", base(theory, world)));
        graph.node(if number == model.here {
            node.marked()
        } else {
            node
        });
    }
    for &(name, from, to) in &model.arrows {
        graph.edge(from, to, relation(theory, name));
    }
    graph
}
