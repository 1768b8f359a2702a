//! The writer of JSON problems.

use quotient_core::Trouble;
use std::fmt::Write;

use super::letters::is_pair;
use crate::formats::write::{Shape, Writer, labels_of, role_of};
use crate::formats::{Kind, Named, Role, Written};

pub(in crate::formats) fn write(writer: &mut Writer<'_>) -> Result<Written, Trouble> {
    let without_epsilon = writer.without_epsilon()?;
    let writer = &mut writer.about(&without_epsilon);
    let alphabet = writer.alphabet()?;
    if writer
        .machines
        .iter()
        .any(|named| named.machine.kind() == Kind::Transducer)
    {
        writer.spell_letters(|name| !name.contains(',') && name.trim() == name)?;
    }
    let letters: Vec<String> = alphabet.names().map(text).collect();
    let alphabet_member = format!("\"alphabet\": [{}]", letters.join(", "));
    if let [only] = writer.machines
        && only.role == Role::Unspecified
        && only.machine.kind() == Kind::Automaton
        // Alone, an automaton over pairs would be taken for a transducer.
        && (alphabet.is_empty() || !alphabet.names().all(is_pair))
    {
        return Ok(format!(
            "{{\n  {alphabet_member},\n{}}}\n",
            machine(writer, &[only], "  ")?
        )
        .into());
    }
    let mut members = vec![alphabet_member];
    for (key, role, kind) in [
        ("initial", Role::Initial, Kind::Automaton),
        ("transducer", Role::Transition, Kind::Transducer),
    ] {
        let group = group(writer, role, kind);
        if group.len() > 1 && kind == Kind::Automaton {
            return Err(
                writer.inexpressible("several initial sets", "write each into a file of its own")
            );
        }
        if !group.is_empty() {
            members.push(format!(
                "\"{key}\": {{\n{}  }}",
                machine(writer, &group, "    ")?
            ));
        }
    }
    let bad = group(writer, Role::Bad, Kind::Automaton);
    let mut properties = Vec::new();
    for named in &bad {
        let body = machine(writer, &[named], "      ")?;
        properties.push(format!("    {}: {{\n{body}    }}", text(&named.name)));
    }
    if !properties.is_empty() {
        members.push(format!(
            "\"properties\": {{\n{}\n  }}",
            properties.join(",\n")
        ));
    }
    let written = bad.len()
        + group(writer, Role::Initial, Kind::Automaton).len()
        + group(writer, Role::Transition, Kind::Transducer).len();
    let mut names: Vec<&str> = bad.iter().map(|named| named.name.as_str()).collect();
    names.sort_unstable();
    if written < writer.machines.len() || names.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(writer.inexpressible(
            "these parts",
            "a problem has an initial automaton, transducers and properties of different names",
        ));
    }
    Ok(format!("{{\n  {}\n}}\n", members.join(",\n  ")).into())
}

fn group<'a>(writer: &Writer<'a>, role: Role, kind: Kind) -> Vec<&'a Named> {
    writer
        .machines
        .iter()
        .filter(|named| role_of(named) == role && named.machine.kind() == kind)
        .collect()
}

/// The members of the object of a machine; several are united, state after state.
fn machine(writer: &mut Writer<'_>, members: &[&Named], indent: &str) -> Result<String, Trouble> {
    let alphabet = writer.alphabet()?;
    let (mut initial, mut accepting, mut lines) = (Vec::new(), Vec::new(), Vec::new());
    let mut offset = 0;
    for named in members {
        let shape = Shape::of(&named.machine);
        let labels = labels_of(&named.machine);
        initial.extend(
            shape
                .initial
                .iter()
                .map(|state| (state.index() + offset).to_string()),
        );
        accepting.extend(
            shape
                .accepting
                .iter()
                .map(|state| (state.index() + offset).to_string()),
        );
        for edge in shape.edges {
            let label = &labels[edge.label as usize];
            if label.input().is_none() || label.output().is_none() {
                return Err(writer.inexpressible(
                    "a transducer that inserts or deletes letters",
                    "only transducers that keep the length, without silent moves, can be written",
                ));
            }
            let (source, target) = (edge.source.index() + offset, edge.target.index() + offset);
            let kind = named.machine.kind();
            writer.pairs(label, |input, output| {
                let name = |letter: Option<crate::Letter>| {
                    letter.map_or("", |letter| alphabet.name(letter))
                };
                let letter = match kind {
                    Kind::Automaton => text(name(input)),
                    Kind::Transducer => text(&format!("[{},{}]", name(input), name(output))),
                };
                lines.push(format!(
                    "{{\"source\": {source}, \"letter\": {letter}, \"target\": [{target}]}}"
                ));
            })?;
        }
        offset += named.machine.states();
    }
    let states: Vec<String> = (0..offset).map(|state| state.to_string()).collect();
    let mut body = String::new();
    for (key, list) in [
        ("states", states),
        ("initialStates", initial),
        ("accepting", accepting),
    ] {
        let _ = writeln!(body, "{indent}\"{key}\": [{}],", list.join(", "));
    }
    let _ = writeln!(body, "{indent}\"transitions\": [");
    for (index, line) in lines.iter().enumerate() {
        let comma = if index + 1 < lines.len() { "," } else { "" };
        let _ = writeln!(body, "{indent}  {line}{comma}");
    }
    let _ = writeln!(body, "{indent}]");
    Ok(body)
}

/// A string with the escapes of JSON.
fn text(name: &str) -> String {
    serde_json::Value::from(name).to_string()
}
