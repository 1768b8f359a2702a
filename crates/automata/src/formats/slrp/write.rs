//! The SLRP writer.

use quotient_core::Trouble;
use std::fmt::Write;

use super::BLOCKS;
use crate::formats::write::{Shape, Writer, labels_of, role_of};
use crate::formats::{Kind, Named, Role, Written};

pub(in crate::formats) fn write(writer: &mut Writer<'_>) -> Result<Written, Trouble> {
    writer.alphabet()?;
    writer.spell_letters(|name| {
        !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_')
    })?;
    let is_game = writer.machines.iter().any(|named| {
        matches!(
            named.role,
            Role::Goal | Role::FirstPlayer | Role::SecondPlayer
        )
    });
    let blocks = match is_game {
        true => &BLOCKS[3..],
        false => &BLOCKS[..3],
    };
    if let Some(named) = writer.machines.iter().find(|named| {
        !blocks
            .iter()
            .any(|&(_, role, kind)| role == role_of(named) && kind == named.machine.kind())
    }) {
        return Err(writer.inexpressible(
            format_args!("`{}` in the part it plays", named.name),
            "sets of configurations are automata, steps are transducers; a file is a safety problem or a game",
        ));
    }
    let mut text = String::new();
    for &(name, role, kind) in blocks {
        let members: Vec<&Named> = writer
            .machines
            .iter()
            .filter(|named| role_of(named) == role)
            .collect();
        if members.len() > 1 && kind == Kind::Automaton {
            return Err(writer.inexpressible(
                format_args!("{} sets as `{name}`", members.len()),
                "write JSON, which holds several properties, or one file for each",
            ));
        }
        if !members.is_empty() {
            let _ = writeln!(text, "{name} {{");
            block(writer, &members, &mut text)?;
            text.push_str("}\n");
        }
    }
    let warnings = writer.lost_letters();
    Ok(Written {
        warnings,
        ..text.into()
    })
}

/// The union of the machines: their states one after the other, and one initial state.
fn block(writer: &mut Writer<'_>, members: &[&Named], text: &mut String) -> Result<(), Trouble> {
    let alphabet = writer.alphabet()?;
    let mut initial = Vec::new();
    let mut accepting = Vec::new();
    let mut lines = String::new();
    let mut offset = 0;
    for named in members {
        let shape = Shape::of(&named.machine);
        let labels = labels_of(&named.machine);
        initial.extend(shape.initial.iter().map(|state| state.index() + offset));
        accepting.extend(
            shape
                .accepting
                .iter()
                .map(|state| format!("s{}", state.index() + offset)),
        );
        for edge in shape.edges {
            let label = &labels[edge.label as usize];
            if label.input().is_some() != label.output().is_some() {
                return Err(writer.inexpressible(
                    format_args!("`{}`: it inserts or deletes letters", named.name),
                    "only transducers that keep the length can be written",
                ));
            }
            let (source, target) = (edge.source.index() + offset, edge.target.index() + offset);
            writer.pairs(label, |input, output| {
                let _ = match (input, output, named.machine.kind()) {
                    (Some(input), _, Kind::Automaton) => {
                        writeln!(lines, "  s{source} -> s{target} {};", alphabet.name(input))
                    }
                    (Some(input), Some(output), _) => {
                        let (input, output) = (alphabet.name(input), alphabet.name(output));
                        writeln!(lines, "  s{source} -> s{target} {input}/{output};")
                    }
                    _ => writeln!(lines, "  s{source} -> s{target};"),
                };
            })?;
        }
        offset += named.machine.states();
    }
    match initial.as_slice() {
        [only] => {
            let _ = writeln!(text, "  init: s{only};");
        }
        several => {
            let _ = writeln!(text, "  init: start;");
            for state in several {
                let _ = writeln!(text, "  start -> s{state};");
            }
        }
    }
    text.push_str(&lines);
    if !accepting.is_empty() {
        let _ = writeln!(text, "  accepting: {};", accepting.join(", "));
    }
    Ok(())
}
