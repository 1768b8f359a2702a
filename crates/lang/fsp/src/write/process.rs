//! A transition system as an FSP process.

use std::fmt::Write;

use quotient_lts::{Action, Actions, ERROR, Lts, State};

use super::label::Labels;

/// Writes a transition system, an assumption for instance, as an FSP process that people can
/// read and LTSA can run.
///
/// Labels with numbers are gathered into ranges where they lead to the same state. A system in
/// which everything that is not allowed leads to the error state is written as a `property`.
/// The states that cannot be reached are left out; all states in which nothing is possible are
/// STOP. Labels that FSP cannot spell get another name, with a comment that says so.
///
/// ```
/// use quotient_compose::{Actions, LtsBuilder};
/// use quotient_fsp::write_process;
/// let mut actions = Actions::new();
/// let (send, ack) = (actions.intern("send.1"), actions.intern("ack"));
/// let mut builder = LtsBuilder::new();
/// builder.edge(0, send, 1).edge(1, ack, 0);
/// assert_eq!(
///     write_process("CHANNEL", &builder.build(), &actions),
///     "CHANNEL = (send[1] -> Q1),\nQ1 = (ack -> CHANNEL).\n"
/// );
/// ```
pub fn write_process(name: &str, lts: &Lts, actions: &Actions) -> String {
    let mut labels = Labels::new(actions);
    let mut text = String::new();
    if lts.initial() == ERROR {
        let _ = write!(text, "{name} = ERROR");
        finish(&mut text, lts, &mut labels, false);
        return labels.explained(text);
    }
    let property = is_property(lts);
    let order = reachable(lts);
    let mut number = vec![0; lts.states()];
    for (position, &state) in order.iter().enumerate() {
        number[state.index()] = position;
    }
    let letter = if name.starts_with('Q') { 'S' } else { 'Q' };
    let state_name = |state: State| -> String {
        match state {
            ERROR => "ERROR".to_string(),
            state if state == lts.initial() => name.to_string(),
            state if lts.end() == Some(state) => "END".to_string(),
            state if lts.edges(state).is_empty() => "STOP".to_string(),
            state => format!("{letter}{}", number[state.index()]),
        }
    };
    let mut first = true;
    for &state in &order {
        let own_name = state_name(state);
        let edges = lts.edges(state);
        if !first && matches!(own_name.as_str(), "END" | "STOP") {
            continue;
        }
        if !first {
            text.push_str(",\n");
        }
        first = false;
        let _ = write!(text, "{own_name} = ");
        if edges.is_empty() {
            text.push_str(if lts.end() == Some(state) {
                "END"
            } else {
                "STOP"
            });
            continue;
        }
        let mut targets: Vec<State> = Vec::new();
        for edge in edges {
            let forbidden = property && edge.target == ERROR;
            if !forbidden && !targets.contains(&edge.target) {
                targets.push(edge.target);
            }
        }
        if targets.is_empty() {
            text.push_str("STOP");
            continue;
        }
        let indent = " ".repeat(own_name.chars().count() + 3);
        for (position, &target) in targets.iter().enumerate() {
            text.push_str(&match position {
                0 => "(".to_string(),
                _ => format!("\n{indent}|"),
            });
            let to_target: Vec<Action> = edges
                .iter()
                .filter(|edge| edge.target == target)
                .map(|edge| edge.action)
                .collect();
            let _ = write!(
                text,
                "{} -> {}",
                labels.choice(&to_target),
                state_name(target)
            );
        }
        text.push(')');
    }
    finish(&mut text, lts, &mut labels, property);
    if property {
        text.insert_str(0, "property ");
    }
    labels.explained(text)
}

/// The actions without an edge, what is hidden, and the dot.
fn finish(text: &mut String, lts: &Lts, labels: &mut Labels<'_>, property: bool) {
    let mut used = vec![false; lts.alphabet().len()];
    for state in reachable(lts) {
        for edge in lts.edges(state) {
            if property && edge.target == ERROR {
                continue;
            }
            if let Ok(position) = lts.alphabet().binary_search(&edge.action) {
                used[position] = true;
            }
        }
    }
    let unused: Vec<Action> = lts
        .alphabet()
        .iter()
        .zip(&used)
        .filter(|&(_, used)| !used)
        .map(|(&action, _)| action)
        .collect();
    if !unused.is_empty() {
        let _ = write!(text, "\n + {}", labels.set(&unused));
    }
    if let Some(hidden) = labels.silent() {
        let _ = write!(text, "\n \\ {{{hidden}}}");
    }
    text.push_str(".\n");
}

/// Whether it is deterministic, always allows or forbids each action, and forbids some.
fn is_property(lts: &Lts) -> bool {
    lts.has_error()
        && lts.end().is_none()
        && lts.is_deterministic()
        && lts.transitions() == lts.states() * lts.alphabet().len()
}

/// The states that can be reached, breadth-first; the error state is not among them.
pub(super) fn reachable(lts: &Lts) -> Vec<State> {
    let mut order = Vec::new();
    let mut seen = vec![false; lts.states()];
    if lts.initial() != ERROR {
        seen[lts.initial().index()] = true;
        order.push(lts.initial());
    }
    let mut next = 0;
    while let Some(&state) = order.get(next) {
        for edge in lts.edges(state) {
            if edge.target != ERROR && !seen[edge.target.index()] {
                seen[edge.target.index()] = true;
                order.push(edge.target);
            }
        }
        next += 1;
    }
    order
}
