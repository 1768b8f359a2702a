//! Runs as data: what happens, who does it, and where everybody is.

use quotient_compose::Wait;
use quotient_language::{Cell, Exhibit, Graph, Json, Layout, Node, Step as Shown, Trace};
use quotient_lts::{Action, State};
use serde_json::json;

use super::place::Places;
use crate::{Move, Replay, Step, Teller, Waiting};

/// A run in words of the text, with the states of all components.
pub(super) struct Told {
    pub(super) replay: Replay,
    /// The states of the components at the start and after each step, as the text names them, or
    /// else by the action that led there.
    cells: Vec<Vec<String>>,
    columns: Vec<String>,
}

impl Told {
    /// Tells a run; components that were left out of it have no column.
    pub(super) fn new(
        teller: &Teller,
        initial: &[State],
        steps: &[(Action, Vec<State>)],
        left_out: bool,
    ) -> Told {
        let is_told = |part: &usize| !left_out || teller.alphabet(*part).next().is_some();
        let parts: Vec<usize> = (0..teller.len()).filter(is_told).collect();
        let mut replay = teller.tell(initial, steps);
        let mut last = vec![None; teller.len()];
        let kept = |names: Vec<String>, last: &[Option<&Step>]| {
            let cell = |&part: &usize| match (names[part].as_str(), last[part]) {
                ("", Some(step)) => after(teller.name(part), step),
                (name, _) => name.to_owned(),
            };
            parts.iter().map(cell).collect()
        };
        let mut cells = vec![kept(teller.state_names(initial), &last)];
        for ((_, states), step) in steps.iter().zip(&replay.steps) {
            for (part, last) in last.iter_mut().enumerate() {
                let moves = |one: &Move| one.component == teller.name(part);
                if step.moves.iter().any(moves) {
                    *last = Some(step);
                }
            }
            cells.push(kept(teller.state_names(states), &last));
        }
        let mut part = 0;
        replay.end.retain(|_| {
            part += 1;
            parts.contains(&(part - 1))
        });
        Told {
            replay,
            cells,
            columns: parts
                .iter()
                .map(|&part| teller.name(part).to_owned())
                .collect(),
        }
    }

    /// The run as every front end takes it; `truths` are the fluents that are true at the start
    /// and after each step, where there are any.
    pub(super) fn trace(&self, truths: &[String], places: &mut Places<'_>) -> Trace {
        let mut trace = Trace::new(Layout::Events, &self.columns);
        if !truths.is_empty() {
            trace.beside = vec![trace.columns.len()];
            trace.columns.push("true".to_owned());
        }
        let row = |number: usize| {
            let mut row: Vec<Cell> = self.cells[number].iter().map(Cell::new).collect();
            row.extend(truths.get(number).map(Cell::new));
            row
        };
        trace.steps.push(Shown::start(row(0)));
        for (number, step) in self.replay.steps.iter().enumerate() {
            let mut shown = Shown::by(shown_label(step), movers(step), row(number + 1));
            shown.place = places.of(step);
            trace.steps.push(shown);
        }
        trace.mark_changes()
    }
}

/// A state that has no name, by what the component did last; its own label goes without saying.
fn after(component: &str, step: &Step) -> String {
    let label = component.split_once(':').map_or("", |(label, _)| label);
    let own = step.label.strip_prefix(label);
    match own.and_then(|rest| rest.strip_prefix('.')) {
        Some(own) if !step.hidden => format!("after {own}"),
        _ => format!("after {}", shown_label(step)),
    }
}

/// An action, in brackets where the system hides it.
pub(super) fn shown_label(step: &Step) -> String {
    match step.hidden {
        true => format!("({})", step.label),
        false => step.label.clone(),
    }
}

/// Who takes part in a step, and what they become.
pub(super) fn movers(step: &Step) -> Vec<String> {
    let moves = step.moves.iter().map(|one| match &one.state {
        Some(state) => format!("{} → {state}", one.component),
        None => one.component.clone(),
    });
    moves.collect()
}

/// Why nothing happens any more: who waits for what, and who is not ready for it.
pub(super) fn stuck(title: &str, end: &[Waiting]) -> Vec<String> {
    if end.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![format!("{title}: nothing can happen any more")];
    let acting = end.iter().filter(|end| !end.watches);
    lines.extend(acting.map(|end| format!("  {}", waiting_line(end))));
    lines
}

/// Who waits for whom when nothing happens any more: a circle of them is a deadlock. Nothing
/// where there are too many to see one.
pub(super) fn waiting_picture(end: &[Waiting]) -> Option<Exhibit> {
    let acting: Vec<&Waiting> = end.iter().filter(|end| !end.watches).collect();
    if acting.is_empty() || acting.len() > MOST_WAITING {
        return None;
    }
    let mut graph = Graph::new("who waits for whom");
    for one in &acting {
        let node = Node::boxed(&one.component).hint(waiting_line(one));
        graph.node(match one.waits.is_empty() && !one.ended {
            true => node.marked(),
            false => node,
        });
    }
    let place = |name: &String| acting.iter().position(|one| one.component == *name);
    for (source, one) in acting.iter().enumerate() {
        for wait in &one.waits {
            let targets = wait.held_up_by.iter().filter_map(place);
            targets.for_each(|target| graph.edge(source, target, wait.action.as_str()));
        }
    }
    Some(Exhibit {
        name: "waiting".to_owned(),
        caption: "Who waits for whom".to_owned(),
        picture: Some(graph.into()),
        files: Vec::new(),
    })
}

/// More components than these are not drawn.
const MOST_WAITING: usize = 40;

/// What one component is ready for.
pub(super) fn waiting_line(end: &Waiting) -> String {
    let at = match &end.state {
        Some(state) if !end.component.ends_with(state.as_str()) => format!(", at {state},"),
        _ => String::new(),
    };
    if end.waits.is_empty() {
        let done = match (end.ended, end.state.as_deref()) {
            (true, _) => "has ended well (END)",
            (_, Some("STOP")) => "has stopped (STOP)",
            (_, Some("ERROR")) => "is in ERROR",
            _ => "does nothing more",
        };
        return format!("{} {done}", end.component);
    }
    format!("{}{at} waits for {}", end.component, waits(&end.waits))
}

/// So many actions, and so many groups of those who are not ready, are told of one component.
const MOST_TOLD: usize = 4;

/// Actions, with those who take part in them and are not ready; what the same ones hold up is
/// told together.
fn waits(all: &[Wait]) -> String {
    let mut sorted: Vec<&Wait> = all.iter().collect();
    sorted.sort_by_key(|wait| (&wait.action, &wait.held_up_by));
    sorted.dedup_by_key(|wait| (&wait.action, &wait.held_up_by));
    let mut groups: Vec<(&[String], Vec<&str>)> = Vec::new();
    for wait in sorted {
        match groups.iter_mut().find(|(held, _)| *held == wait.held_up_by) {
            Some((_, actions)) => actions.push(&wait.action),
            None => groups.push((&wait.held_up_by, vec![&wait.action])),
        }
    }
    let told = match groups.len() > MOST_TOLD {
        true => MOST_TOLD - 1,
        false => groups.len(),
    };
    let left: usize = groups[told..]
        .iter()
        .map(|(_, actions)| actions.len())
        .sum();
    let mut lines: Vec<String> = groups[..told].iter().map(group).collect();
    if left > 0 {
        lines.push(format!("or {left} other actions"));
    }
    lines.join(", ")
}

fn group((held, actions): &(&[String], Vec<&str>)) -> String {
    let named = match actions.len() > MOST_TOLD {
        true => format!(
            "{} or {} others",
            actions[..MOST_TOLD - 1].join(" or "),
            actions.len() + 1 - MOST_TOLD
        ),
        false => actions.join(" or "),
    };
    match held {
        [] => named,
        others => format!("{named} with {}", others.join(" and ")),
    }
}

/// Steps for programs, with the fluents that are true after each where there are any, and who
/// waits for whom at the end.
pub(super) fn table(steps: &[Step], truths: &[String], end: &[Waiting]) -> Json {
    let mut told: Vec<Json> = steps.iter().map(step_json).collect();
    for (step, truth) in told.iter_mut().zip(truths.iter().skip(1)) {
        step["fluents"] = truth.split_whitespace().collect();
    }
    let mut json = json!({ "steps": told });
    if !end.is_empty() {
        json["waiting"] = end.iter().map(waiting_json).collect();
    }
    json
}

fn step_json(step: &Step) -> Json {
    let moves = step.moves.iter();
    let moves: Vec<Json> = moves
        .map(|one| json!({ "component": one.component, "state": one.state }))
        .collect();
    json!({ "action": step.label, "hidden": step.hidden, "moves": moves })
}

/// What one component is ready for, for programs.
pub(super) fn waiting_json(end: &Waiting) -> Json {
    let waits = end.waits.iter();
    let waits: Vec<Json> = waits
        .map(|wait| json!({ "action": wait.action, "heldUpBy": wait.held_up_by }))
        .collect();
    json!({
        "component": end.component,
        "state": end.state,
        "ended": end.ended,
        "waits": waits,
    })
}
