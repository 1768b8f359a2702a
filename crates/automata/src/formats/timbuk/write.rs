//! The Timbuk writer: the symbolic dialect, one rule for each edge.

use quotient_core::Trouble;
use std::fmt::Write;

use super::KEYWORDS;
use crate::formats::cursor::quote;
use crate::formats::write::{Shape, Writer, fresh_name, labels_of, state_names};
use crate::formats::{Kind, Written};
use crate::{Alphabet, Label, Predicate};

pub(in crate::formats) fn write(writer: &mut Writer<'_>) -> Result<Written, Trouble> {
    let alphabet = writer.alphabet()?;
    let letters: Vec<String> = alphabet.names().map(spell).collect();
    // The start symbol may be spelt like a letter, but not to the eye of a reader.
    let start = fresh_name(&letters, "x");
    let mut text = format!("Ops {start}:0");
    for letter in &letters {
        let _ = write!(text, " {letter}:1");
    }
    text.push('\n');
    for named in writer.machines {
        let states = state_names(named, is_plain_state);
        let shape = Shape::of(&named.machine);
        let marker = match named.machine.kind() {
            Kind::Automaton => "@INFA",
            Kind::Transducer => "@INT",
        };
        let _ = write!(
            text,
            "\nAutomaton {} {marker}\nStates",
            plain_name(&named.name)
        );
        states.iter().for_each(|state| text.extend([" ", state]));
        text.push_str("\nFinal States");
        for state in &shape.accepting {
            text.extend([" ", &states[state.index()]]);
        }
        text.push_str("\nTransitions\n");
        for state in shape.initial {
            let _ = writeln!(text, "{start}() -> {}", states[state.index()]);
        }
        let spelt: Vec<String> = labels_of(&named.machine)
            .iter()
            .map(|label| spell_label(label, named.machine.kind(), alphabet, &letters))
            .collect();
        for edge in shape.edges {
            writer.line()?;
            let (source, target) = (&states[edge.source.index()], &states[edge.target.index()]);
            let _ = writeln!(text, "{}({source}) -> {target}", spelt[edge.label as usize]);
        }
    }
    Ok(text.into())
}

fn spell_label(label: &Label, kind: Kind, alphabet: &Alphabet, letters: &[String]) -> String {
    let side = |predicate: Option<&Predicate>| {
        predicate.map_or(String::new(), |set| spell_set(set, alphabet, letters))
    };
    match (label, kind) {
        (Label::Copy(set), Kind::Automaton) => spell_set(set, alphabet, letters),
        (Label::Copy(set), Kind::Transducer) => {
            let set = spell_set(set, alphabet, letters);
            format!("@{set}/@{set}")
        }
        (Label::Pair(None, None), Kind::Automaton) => "\"\"".to_owned(),
        (Label::Pair(input, output), _) => {
            format!("{}/{}", side(input.as_ref()), side(output.as_ref()))
        }
    }
}

/// The shorter of `in{…}` and `not_in{…}`; always with braces, so that any letter can stand
/// there.
fn spell_set(set: &Predicate, alphabet: &Alphabet, letters: &[String]) -> String {
    let (word, listed) = match 2 * set.len() > alphabet.len() {
        true => ("not_in", set.not()),
        false => ("in", set.clone()),
    };
    let names: Vec<&str> = listed
        .letters()
        .map(|letter| letters[letter.index()].as_str())
        .collect();
    format!("{word}{{{}}}", names.join(","))
}

/// A letter as it stands, or in quotes if a reader could misunderstand it.
fn spell(name: &str) -> String {
    let plain = !name.is_empty()
        && !name
            .contains(|c: char| c.is_whitespace() || c.is_control() || ",{}():\"\\".contains(c))
        && !KEYWORDS.contains(&name);
    match plain {
        true => name.to_owned(),
        false => quote(name, '"'),
    }
}

fn is_plain_state(name: &str) -> bool {
    !name.is_empty()
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && !KEYWORDS.contains(&name)
}

/// The name of an automaton on its one line, without what begins the next section.
fn plain_name(name: &str) -> String {
    let words: Vec<&str> = name
        .split_whitespace()
        .filter(|word| !KEYWORDS.contains(word) && !word.starts_with('@') && !word.contains('"'))
        // After `Automaton`, these would make it the letter of a rule.
        .skip_while(|word| word.starts_with(['(', ':']) || word.starts_with("->"))
        .collect();
    match words.is_empty() {
        true => "A".to_owned(),
        false => words.join(" "),
    }
}
