//! The FSA writer.

use quotient_core::Trouble;
use std::fmt::Write;

use crate::formats::write::{Shape, Writer, labels_of};
use crate::formats::{Kind, Written};
use crate::{Alphabet, Label, Predicate};

pub(in crate::formats) fn write(writer: &mut Writer<'_>) -> Result<Written, Trouble> {
    let named = writer.only()?;
    let alphabet = writer.alphabet()?;
    let kind = named.machine.kind();
    let shape = Shape::of(&named.machine);
    let labels = labels_of(&named.machine);
    let spelt: Vec<String> = labels
        .iter()
        .map(|label| spell_label(label, kind, alphabet))
        .collect();
    let signature = match kind {
        Kind::Automaton => "r(fsa_preds)",
        Kind::Transducer => "t(fsa_preds,fsa_preds)",
    };
    let numbers = |states: &[crate::State]| -> String {
        let numbers: Vec<String> = states.iter().map(|state| state.0.to_string()).collect();
        numbers.join(",")
    };
    let (mut moves, mut jumps) = (Vec::new(), Vec::new());
    for edge in shape.edges {
        writer.line()?;
        let (source, target) = (edge.source.0, edge.target.0);
        match labels[edge.label as usize] == Label::SILENT {
            true => jumps.push(format!("jump({source},{target})")),
            false => {
                let label = &spelt[edge.label as usize];
                moves.push(format!("trans({source},{label},{target})"));
            }
        }
    }
    let mut text = String::new();
    let _ = write!(
        text,
        "fa(\n{signature},\n{}, % number of states\n[{}], % start states\n[{}], % final states\n[ % transitions\n{}\n],\n[ % jumps\n{}\n]).\n",
        named.machine.states(),
        numbers(shape.initial),
        numbers(&shape.accepting),
        moves.join(",\n"),
        jumps.join(",\n"),
    );
    let warnings = writer.lost_letters();
    Ok(Written {
        warnings,
        ..text.into()
    })
}

fn spell_label(label: &Label, kind: Kind, alphabet: &Alphabet) -> String {
    let side =
        |set: Option<&Predicate>| set.map_or("[]".to_owned(), |set| spell_set(set, alphabet));
    match (label, kind) {
        (Label::Copy(set), Kind::Automaton) => spell_set(set, alphabet),
        (Label::Copy(set), Kind::Transducer) => {
            let set = spell_set(set, alphabet);
            // The blank keeps `/` and `$@` apart for Prolog.
            format!("$@({set})/ $@({set})")
        }
        (Label::Pair(input, output), _) => {
            format!("{}/{}", side(input.as_ref()), side(output.as_ref()))
        }
    }
}

/// Never `not_in`: the file has no alphabet that it could speak of.
fn spell_set(set: &Predicate, alphabet: &Alphabet) -> String {
    let names: Vec<String> = set
        .letters()
        .map(|letter| spell(alphabet.name(letter)))
        .collect();
    match names.as_slice() {
        [only] => only.clone(),
        _ => format!("in([{}])", names.join(",")),
    }
}

/// An atom, in quotes unless Prolog reads it as one without.
fn spell(name: &str) -> String {
    let plain = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    match plain {
        true => name.to_owned(),
        false => crate::formats::cursor::quote(name, '\''),
    }
}
