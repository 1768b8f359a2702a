//! What was found, in words of the text.

use quotient_compose::{Action, Answer as Found, Finding, Lasso, Report, Violation};
use quotient_core::Verdict;
use quotient_fsp::{Teller, write_assumption};
use serde_json::json;

use crate::check::{Answer, Table};
use crate::outputs::count;

use super::told::{WIDTH, told_table, wrapped};

/// An answer of the engine for people and programs.
pub(super) fn answer(found: &Found, report: &Report, teller: Option<&Teller>) -> Answer {
    let network = &report.network;
    let mut table = None;
    let because = match (&found.finding, teller) {
        (Finding::Explored(explored), _) => {
            format!(
                "{} looked at",
                count(
                    usize::try_from(explored.states).unwrap_or(usize::MAX),
                    "state"
                )
            )
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
            let mut told = lasso_table(&starvation.lasso, teller);
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
            let line = format!("actions in the terminal set: {{{}}}", inside.join(", "));
            told.text.push_str(&wrapped(&line, WIDTH - 2, 2));
            told.text.push('\n');
            told.json["terminalSet"] = json!(inside);
            table = Some(told);
            let starved = starvation.starved.iter().map(|&action| name(action));
            let starved: Vec<&str> = starved.collect();
            told_starvation(&starved)
        }
        (Finding::Lasso(lasso), Some(teller)) => {
            table = Some(lasso_table(lasso, teller));
            "an infinite execution".to_owned()
        }
        _ => match &found.verdict {
            Verdict::Unknown(stop) => stop.to_string(),
            _ => "all executions looked at".to_owned(),
        },
    };
    Answer {
        property: found.about.clone(),
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

/// What does not happen in a terminal set.
fn told_starvation(starved: &[&str]) -> String {
    match starved {
        [] => "path to a terminal set of states".to_owned(),
        starved => format!(
            "path to a terminal set of states without {}",
            starved.join(", ")
        ),
    }
}

/// The way of an infinite execution, then what goes on for ever.
fn lasso_table(lasso: &Lasso, teller: &Teller) -> Table {
    let events = lasso.way.iter().chain(&lasso.cycle).copied();
    let steps: Vec<_> = events.zip(lasso.states[1..].iter().cloned()).collect();
    let whole = teller.tell(&lasso.states[0], &steps);
    let (way, cycle) = whole.steps.split_at(lasso.way.len());
    let end = match cycle.is_empty() {
        true => whole.end.as_slice(),
        false => &[],
    };
    let mut table = told_table(way, end);
    let cycle: Vec<&str> = cycle.iter().map(|step| step.label.as_str()).collect();
    if !cycle.is_empty() {
        let for_ever = format!("then for ever: {}", cycle.join(" "));
        table.text.push_str(&wrapped(&for_ever, WIDTH - 2, 2));
        table.text.push('\n');
    }
    table.json["cycle"] = json!(cycle);
    table
}
