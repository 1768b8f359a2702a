//! Graphviz, for pictures; only written.

use quotient_core::Trouble;
use std::fmt::Write;

use super::write::{Shape, Writer, labels_of};
use super::{Kind, Written};
use crate::{Alphabet, Label, Predicate};

/// More letters than this are counted, not listed.
const SHOWN: usize = 8;

pub(super) fn write(writer: &mut Writer<'_>) -> Result<Written, Trouble> {
    let alphabet = writer.alphabet()?;
    let mut text = String::from("digraph {\n  rankdir=LR;\n  node [shape=circle];\n");
    for (number, named) in writer.machines.iter().enumerate() {
        let shape = Shape::of(&named.machine);
        let _ = writeln!(
            text,
            "  subgraph cluster_{number} {{\n    label={};",
            quote(&named.name)
        );
        for state in 0..named.machine.states() {
            let name = named
                .states
                .get(state)
                .map_or_else(|| format!("q{state}"), String::clone);
            let _ = write!(text, "    m{number}_{state} [label={}", quote(&name));
            if shape
                .accepting
                .binary_search(&crate::State(state as u32))
                .is_ok()
            {
                text.push_str(", shape=doublecircle");
            }
            text.push_str("];\n");
        }
        for state in shape.initial {
            let state = state.0;
            let _ = writeln!(
                text,
                "    i{number}_{state} [shape=point];\n    i{number}_{state} -> m{number}_{state};"
            );
        }
        let labels: Vec<String> = labels_of(&named.machine)
            .iter()
            .map(|label| quote(&show_label(label, named.machine.kind(), alphabet)))
            .collect();
        for edge in shape.edges {
            writer.line()?;
            let (source, target) = (edge.source.0, edge.target.0);
            let label = &labels[edge.label as usize];
            let _ = writeln!(
                text,
                "    m{number}_{source} -> m{number}_{target} [label={label}];"
            );
        }
        text.push_str("  }\n");
    }
    text.push_str("}\n");
    Ok(text.into())
}

/// A label for people: `a`, `{a, b}`, `¬{a}`, `.` for any letter, `a/b`, `.=` for copies.
fn show_label(label: &Label, kind: Kind, alphabet: &Alphabet) -> String {
    let side = |set: Option<&Predicate>| set.map_or("ε".to_owned(), |set| show_set(set, alphabet));
    match (label, kind) {
        (Label::Copy(set), Kind::Automaton) => show_set(set, alphabet),
        (Label::Copy(set), Kind::Transducer) => format!("{} =", show_set(set, alphabet)),
        (Label::Pair(None, None), _) => "ε".to_owned(),
        (Label::Pair(input, output), _) => {
            format!("{}/{}", side(input.as_ref()), side(output.as_ref()))
        }
    }
}

fn show_set(set: &Predicate, alphabet: &Alphabet) -> String {
    if set.is_all() && alphabet.len() > 1 {
        return ".".to_owned();
    }
    let (mark, listed) = match 2 * set.len() > alphabet.len() && set.len() > 1 {
        true => ("¬", set.not()),
        false => ("", set.clone()),
    };
    let names: Vec<&str> = listed
        .letters()
        .take(SHOWN)
        .map(|letter| alphabet.name(letter))
        .collect();
    match (listed.len(), mark) {
        (1, "") => names[0].to_owned(),
        (count, _) if count > SHOWN => {
            format!("{mark}{{{}, … {} more}}", names.join(", "), count - SHOWN)
        }
        _ => format!("{mark}{{{}}}", names.join(", ")),
    }
}

fn quote(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => quoted.push(' '),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}
