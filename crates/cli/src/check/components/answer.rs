//! What was found, in words of the text.

use quotient_compose::{
    Action, Answer as Found, Component, Finding, Fluent, Lasso, Network, Question, Report,
    Violation,
};
use quotient_core::Verdict;
use quotient_fsp::{Teller, short_names, write_assumption, write_labels};
use quotient_lts::evidence::NO_DEADLOCK;
use serde_json::json;

use crate::check::{Answer, Table};
use crate::outputs::count;

use super::told::{WIDTH, infinite_table, told_table, wrapped};

/// An answer of the engine for people and programs.
pub(super) fn answer(
    found: &Found,
    report: &Report,
    asked: &Question,
    teller: Option<&Teller>,
) -> Answer {
    let network = &report.network;
    let mut table = None;
    let because = match (&found.finding, teller) {
        (Finding::Explored(explored), _) => {
            let states = usize::try_from(explored.states).unwrap_or(usize::MAX);
            let states = count(states, "state");
            // Properties may have gone into components that were built.
            let can_err = |component: &Component| component.lts.has_error();
            match found.about == NO_DEADLOCK && !network.components().iter().any(can_err) {
                true => format!("{states} looked at, no ERROR among them"),
                false => format!("{states} looked at"),
            }
        }
        (Finding::Proof(proof), _) => {
            let sizes: Vec<String> = proof
                .assumptions
                .iter()
                .map(|assumption| count(assumption.states(), "state"))
                .collect();
            let texts = proof
                .assumptions
                .iter()
                .enumerate()
                .map(|(number, assumption)| {
                    write_assumption(&format!("ASSUMPTION_{}", number + 1), assumption, network)
                });
            let texts: Vec<String> = texts.filter(|text| text.lines().count() <= 40).collect();
            table = Some(Table {
                text: wrapped(&texts.join("\n"), WIDTH - 8, 8),
                cells: Vec::new(),
                json: json!({ "assumptions": texts }),
            });
            match sizes.is_empty() {
                true => "every component keeps it by itself".to_owned(),
                false => format!("assumptions of {}", sizes.join(", ")),
            }
        }
        (Finding::Trace(trace), Some(teller)) => {
            let told = teller.tell(&trace.initial, &trace.steps);
            let end = match trace.violation {
                Violation::Deadlock => told.end.as_slice(),
                Violation::Error(_) => &[],
            };
            table = Some(told_table(&told.steps, end));
            let steps = count(told.steps.len(), "step");
            match trace.violation {
                Violation::Deadlock => format!("trace to a deadlock, {steps}"),
                Violation::Error(part) => {
                    let name = teller.short(&network.components()[part].name);
                    format!("trace to property violation in {name}, {steps}")
                }
            }
        }
        (Finding::Starvation(starvation), Some(teller)) => {
            let mut told = lasso_table(&starvation.lasso, teller, &[]);
            let actions = network.actions();
            let name = |action: Action| actions.name(action);
            let mut inside: Vec<&str> = network
                .events()
                .map(|event| network.shown(event))
                .filter(|action| !action.is_tau() && !starvation.starved.contains(action))
                .map(name)
                .collect();
            inside.sort_unstable();
            inside.dedup();
            let set = write_labels(inside.iter().copied());
            let line = format!("actions in the terminal set: {set}");
            told.text.push_str(&wrapped(&line, WIDTH - 2, 2));
            told.text.push('\n');
            told.json["terminalSet"] = json!(inside);
            table = Some(told);
            let missing = match asked {
                Question::Progress(properties) if !properties.is_empty() => {
                    "in which none of its actions happens".to_owned()
                }
                _ => {
                    let starved = starvation.starved.iter().map(|&action| name(action));
                    format!("without {}", write_labels(starved))
                }
            };
            format!("trace to a terminal set of states {missing}")
        }
        (Finding::Lasso(lasso), Some(teller)) => {
            let fluents = match asked {
                Question::Formula { fluents, .. } => truths(fluents, lasso, network),
                _ => Vec::new(),
            };
            table = Some(lasso_table(lasso, teller, &fluents));
            match lasso.cycle.is_empty() {
                true => "an execution that comes to its end".to_owned(),
                false => "an infinite execution".to_owned(),
            }
        }
        _ => match &found.verdict {
            Verdict::Unknown(stop) => stop.to_string(),
            _ => "all executions looked at".to_owned(),
        },
    };
    Answer {
        property: shown(&found.about, network),
        verdict: found.verdict.clone(),
        method: Some(found.method.clone()),
        refinements: found
            .statistics
            .map_or(0, |statistics| statistics.conjectures.saturating_sub(1)),
        because,
        trace: Vec::new(),
        table,
        evidence: found.evidence.clone(),
        exhibits: Vec::new(),
        number: None,
        notes: Vec::new(),
        details: Vec::new(),
        vacuous: false,
    }
}

/// What an answer is about, in short if it is a component.
fn shown(about: &str, network: &Network) -> String {
    let components = network.components().iter();
    let full: Vec<&str> = components.map(|component| &*component.name).collect();
    let at = full.iter().position(|name| *name == about);
    at.map_or_else(|| about.to_owned(), |at| short_names(&full).swap_remove(at))
}

/// The fluents that are true after each step; nothing if there are none but actions.
fn truths(fluents: &[Fluent], lasso: &Lasso, network: &Network) -> Vec<String> {
    let fluents: Vec<&Fluent> = fluents
        .iter()
        .filter(|fluent| fluent.end.is_some())
        .collect();
    if fluents.is_empty() {
        return Vec::new();
    }
    let mut values: Vec<bool> = fluents.iter().map(|fluent| fluent.initially).collect();
    let mut all = Vec::new();
    for &event in lasso.way.iter().chain(&lasso.cycle) {
        let shown = network.shown(event);
        for (value, fluent) in values.iter_mut().zip(&fluents) {
            let ends = fluent
                .end
                .as_deref()
                .is_some_and(|end| end.contains(&shown));
            *value = fluent.begin.contains(&shown) || *value && !ends;
        }
        let names = fluents.iter().zip(&values).filter(|(_, value)| **value);
        let names: Vec<&str> = names.map(|(fluent, _)| fluent.name.as_str()).collect();
        all.push(names.join(" "));
    }
    all
}

/// The way of an infinite execution, then what goes on for ever.
fn lasso_table(lasso: &Lasso, teller: &Teller, truths: &[String]) -> Table {
    let events = lasso.way.iter().chain(&lasso.cycle).copied();
    let steps: Vec<_> = events.zip(lasso.states[1..].iter().cloned()).collect();
    let whole = teller.tell(&lasso.states[0], &steps);
    let end = match lasso.cycle.is_empty() {
        true => whole.end.as_slice(),
        false => &[],
    };
    let (way, cycle) = whole.steps.split_at(lasso.way.len());
    let cycle: Vec<&str> = cycle.iter().map(|step| step.label.as_str()).collect();
    let mut table = infinite_table(&whole.steps, way.len(), truths, end);
    table.json["cycle"] = json!(cycle);
    table
}
