//! What there is to see of a protocol.

use quotient_automata::facts::{Facts, letters};
use quotient_automata::formats::{Machine, Named};
use quotient_automata::pictures::{automaton_picture_in_words, machine_picture};
use quotient_automata::{Label, Nfa, Predicate};
use quotient_core::{Budget, Context, Diagnostic, Trouble};
use quotient_language::text::count;
use quotient_language::{Block, Json, Model, Shown, Viewed};
use quotient_regular::{Found, Options};
use serde_json::json;

use super::control;
use super::model::Opened;
use crate::{Compiled, InWords, Protocol, Topology};

/// The control flow, and which automata there are.
pub(super) fn whole(opened: &Opened, compiled: &Compiled, view: &Viewed, budget: &Budget) -> Shown {
    let protocol = &opened.protocol;
    let flows = protocol.control_flow(compiled);
    let machines = Opened::machines(compiled);
    let mut shown = Shown::titled(head(protocol)).fact("letters", letters(compiled.alphabet()));
    let names: Vec<&str> = protocol.property_names().collect();
    if !names.is_empty() {
        shown = shown.fact("properties", names.join(", "));
    }
    for flow in &flows {
        shown = shown.blank();
        for line in flow.text().lines() {
            let text = line.trim_start();
            shown = shown.line(line.len() - text.len(), text);
        }
    }
    shown = shown.blank();
    let width = machines.iter().map(|named| named.name.chars().count());
    let width = width.max().unwrap_or(0).min(40);
    for named in &machines {
        let (kind, states, edges) = sizes(&named.machine);
        let (states, edges) = (count(states, "state"), count(edges, "edge"));
        let line = format!("#{:<width$}  {kind}, {states}, {edges}", named.name);
        shown = shown.line(0, line);
    }
    if view.picture {
        let title = protocol.title().unwrap_or(protocol.source.name());
        shown = shown.picture(control::picture(title, &flows));
    }
    let facts: Vec<Facts<'_>> = machines
        .iter()
        .map(|named| Facts::of(named, budget))
        .collect();
    let mut result = result(protocol, compiled, &facts);
    result["control"] = json!(flows);
    let parts = machines.iter().map(|named| named.name.as_str());
    shown.parts(parts).result(result)
}

fn head(protocol: &Protocol) -> String {
    let mut text = format!("{}: protocol", protocol.source.name());
    if let Some(title) = protocol.title() {
        text += &format!(" \"{title}\"");
    }
    if protocol.has_processes() {
        let order = match protocol.topology() {
            Topology::Line => "in a line",
            Topology::Ring => "in a ring",
            Topology::Set => "in no order",
            Topology::Tree => "in a tree",
        };
        text += &format!(", processes {order}");
    }
    text
}

fn sizes(machine: &Machine) -> (&'static str, usize, usize) {
    match machine {
        Machine::Automaton(nfa) => ("automaton", nfa.len(), nfa.edges().len()),
        Machine::Transducer(step) => ("transducer", step.len(), step.edges().len()),
    }
}

fn result(protocol: &Protocol, compiled: &Compiled, facts: &[Facts<'_>]) -> Json {
    json!({
        "file": protocol.source.name(),
        "format": "protocol",
        "alphabet": compiled.alphabet().names().collect::<Vec<_>>(),
        "machines": facts.iter().map(Facts::json).collect::<Vec<_>>(),
    })
}

/// One automaton or transducer, in letters and in words.
pub(super) fn part(
    opened: &Opened,
    compiled: &Compiled,
    part: &str,
    view: &Viewed,
    budget: &Budget,
) -> Result<Shown, Trouble> {
    let protocol = &opened.protocol;
    let machines = Opened::machines(compiled);
    let named = &opened.chosen(&machines, Some(part))?[0];
    let facts = Facts::of(named, budget);
    let mut shown = Shown::titled(format!("{}#{part}: protocol", protocol.source.name()))
        .fact("alphabet", letters(compiled.alphabet()))
        .blank();
    shown.blocks.extend(facts.blocks());
    let moves = moves(protocol, compiled, named);
    shown = shown.fact("moves", moves.join("\n"));
    if view.picture {
        let meaning = |set: &Predicate| protocol.condition(compiled, set);
        shown = shown.picture(machine_picture(named, Some(&meaning)));
    }
    let mut result = result(protocol, compiled, std::slice::from_ref(&facts));
    result["moves"] = json!(moves);
    Ok(shown.result(result))
}

/// The moves of a machine in the words of the source.
fn moves(protocol: &Protocol, compiled: &Compiled, named: &Named) -> Vec<String> {
    let said = |set: &Predicate| {
        let words = protocol.condition(compiled, set);
        words.unwrap_or_else(|| format!("one of {} letters", set.len()))
    };
    let side = |set: &Option<Predicate>| set.as_ref().map_or("nothing".to_owned(), said);
    match &named.machine {
        Machine::Automaton(nfa) => (nfa.edges().iter())
            .map(|edge| {
                let letters = side(nfa.label(edge));
                format!("{} to {}: {letters}", edge.source.0, edge.target.0)
            })
            .collect(),
        Machine::Transducer(step) => (step.edges().iter())
            .map(|edge| {
                let label = match step.label(edge) {
                    Label::Copy(letters) => said(letters),
                    Label::Pair(input, output) => format!("{} → {}", side(input), side(output)),
                };
                format!("{} to {}: {label}", edge.source.0, edge.target.0)
            })
            .collect(),
    }
}

/// Proves a property and shows what proves it.
pub(super) fn invariant(
    opened: &mut Opened,
    property: &str,
    view: &Viewed,
    cx: &Context,
) -> Result<Shown, Trouble> {
    opened.property(property)?;
    let steps = opened.steps(&cx.budget)?;
    let protocol = &opened.protocol;
    let found = prove(protocol, &steps, property, cx)?;
    let name = protocol.source.name();
    let mut shown = Shown::titled(format!("{name}: an invariant for {property}"))
        .fact("states", found.len().to_string());
    let told = protocol.in_words(&steps, &found, &cx.budget)?;
    match &told {
        Some(told) => in_words(&mut shown, told),
        None => shown = shown.fact("automaton", "too large to be told in words"),
    }
    if view.picture {
        let configurations = found.intersection(steps.configurations(), &cx.budget)?;
        let smallest = configurations.canonical(&cx.budget)?.to_nfa();
        let meaning = |set: &Predicate| protocol.condition(&steps, set);
        let title = format!("an invariant for {property}");
        shown = shown.picture(automaton_picture_in_words(title, &smallest, &meaning));
    }
    Ok(shown.result(json!({
        "file": name,
        "format": "protocol",
        "property": property,
        "invariant": told,
    })))
}

/// The invariant that proves a property.
fn prove(
    protocol: &Protocol,
    steps: &Compiled,
    property: &str,
    cx: &Context,
) -> Result<Nfa, Trouble> {
    let mut found = None;
    let names = [property.to_owned()];
    protocol.check_each(steps, &names, &Options::default(), cx, &mut |answered| {
        found = Some(answered.answer.found);
    })?;
    let message = match found {
        Some(Found::Nothing(stop)) => return Err(stop.into()),
        Some(Found::Proof(proof)) if proof.invariant.alphabet() == steps.alphabet() => {
            return Ok(proof.invariant.to_nfa());
        }
        Some(Found::Proof(_)) => {
            format!("what proves `{property}` is over more letters than those of the protocol")
        }
        _ => format!("`{property}` is violated, so no invariant proves it"),
    };
    let file = protocol.source.name();
    Err(Diagnostic::error("no-invariant", message)
        .in_source(&protocol.source)
        .help(format!(
            "`quotient check {file} --property {property}` shows what was found"
        ))
        .into())
}

fn in_words(shown: &mut Shown, told: &InWords) {
    let mut fact = |name: &str, text: String| {
        shown.blocks.push(Block::Fact(name.to_owned(), text));
    };
    if let Some(expression) = &told.expression {
        fact("expression", expression.clone());
    }
    fact("automaton", told.automaton_text().join("\n"));
    for (number, (name, condition)) in told.legend().iter().enumerate() {
        let head = if number == 0 { "where" } else { "" };
        fact(head, format!("{name}  {condition}"));
    }
}
