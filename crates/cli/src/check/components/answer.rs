//! What was found, in words of the text.

use quotient_compose::{Action, Answer as Found, Finding, Lasso, Network, Report, Violation};
use quotient_core::Verdict;
use quotient_fsp::{Compiled, Replay, write_assumption};
use serde_json::json;

use crate::check::{Answer, Table};
use crate::outputs::count;

/// An answer of the engine for people and programs.
pub(super) fn answer(found: &Found, report: &Report, compiled: &Compiled) -> Answer {
    let network = &report.network;
    let mut table = None;
    let because = match &found.finding {
        Finding::Explored(explored) => {
            format!(
                "{} looked at",
                count(
                    usize::try_from(explored.states).unwrap_or(usize::MAX),
                    "state"
                )
            )
        }
        Finding::Proof(proof) => {
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
        Finding::Trace(trace) => {
            let told = compiled.tell(network, trace);
            table = Some(told_table(&told, found.about == "deadlock"));
            let steps = count(told.steps.len(), "step");
            match trace.violation {
                Violation::Deadlock => format!("trace to a deadlock, {steps}"),
                Violation::Error(part) => {
                    let name = &network.components()[part].name;
                    format!("trace to property violation in {name}, {steps}")
                }
            }
        }
        Finding::Starvation(starvation) => {
            let mut told = lasso_table(&starvation.lasso, network, compiled);
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
        Finding::Lasso(lasso) => {
            table = Some(lasso_table(lasso, network, compiled));
            "an infinite execution".to_owned()
        }
        Finding::Nothing => match &found.verdict {
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

/// One row a step: the action, and where it takes the components.
fn told_table(told: &Replay, waits: bool) -> Table {
    let mut cells = vec![vec![
        "step".to_owned(),
        "action".to_owned(),
        "by".to_owned(),
    ]];
    for (number, step) in told.steps.iter().enumerate() {
        let moves = step.moves.iter().map(|one| match &one.state {
            Some(state) => format!("{} → {state}", one.component),
            None => one.component.clone(),
        });
        let label = if step.hidden {
            format!("({})", step.label)
        } else {
            step.label.clone()
        };
        cells.push(vec![
            (number + 1).to_string(),
            label,
            moves.collect::<Vec<_>>().join(", "),
        ]);
    }
    let mut text = columns(&cells);
    let waiting = told.end.iter().map(|end| {
        let offers = if end.offers.is_empty() {
            "nothing".to_owned()
        } else {
            end.offers.join(", ")
        };
        format!("{} waits for {offers}", end.component)
    });
    let waiting: Vec<String> = waiting.filter(|_| waits).collect();
    waiting
        .iter()
        .for_each(|line| text.push_str(&format!("{}\n", wrapped(line, WIDTH, 2))));
    let steps = told.steps.iter().map(|step| {
        let moves: Vec<_> = step
            .moves
            .iter()
            .map(|one| json!({ "component": one.component, "state": one.state }))
            .collect();
        json!({ "action": step.label, "hidden": step.hidden, "moves": moves })
    });
    let json = json!({ "steps": steps.collect::<Vec<_>>(), "waiting": waiting });
    Table { text, cells, json }
}

fn lasso_table(lasso: &Lasso, network: &Network, compiled: &Compiled) -> Table {
    let name = |&action: &quotient_compose::Action| network.name(action).to_owned();
    let (way, cycle): (Vec<String>, Vec<String>) = (
        lasso.way.iter().map(name).collect(),
        lasso.cycle.iter().map(name).collect(),
    );
    let mut table = match compiled.replay(network, &lasso.way) {
        Ok(told) => told_table(&told, false),
        Err(_) => Table {
            text: format!("{}\n", way.join(" ")),
            cells: Vec::new(),
            json: json!({ "way": way }),
        },
    };
    let for_ever = match cycle.is_empty() {
        true => "then nothing happens any more".to_owned(),
        false => format!("then for ever: {}", cycle.join(" ")),
    };
    table.text.push_str(&wrapped(&for_ever, WIDTH - 2, 2));
    table.text.push('\n');
    table.json["cycle"] = json!(cycle);
    table
}

/// What is left of 80 columns for a table within an answer.
const WIDTH: usize = 78;

/// Columns as wide as their widest entry, the last one wrapped.
fn columns(cells: &[Vec<String>]) -> String {
    let width = |column: usize| {
        cells
            .iter()
            .map(|row| row[column].chars().count())
            .max()
            .unwrap_or(0)
    };
    let (first, second) = (width(0), width(1));
    let indent = first + second + 4;
    let line = |row: &Vec<String>| {
        let wrapped = wrapped(&row[2], WIDTH.saturating_sub(indent).max(20), indent);
        format!("{:<first$}  {:<second$}  {wrapped}\n", row[0], row[1])
    };
    cells.iter().map(line).collect()
}

/// A text of several lines, each within the width, what is left over indented.
fn wrapped(text: &str, width: usize, indent: usize) -> String {
    let lines = text
        .lines()
        .map(|line| quotient_report::wrap(line, width).replace('\n', &format!("\n{:indent$}", "")));
    lines.collect::<Vec<_>>().join("\n")
}
