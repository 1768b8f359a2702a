//! The `.mata` writer: explicit automata, automata over bits, and transducers with levels.

use quotient_core::Trouble;
use std::fmt::Write;

use super::labels::without_rank;
use super::{ANY, EPSILON};
use crate::formats::cursor::quote;
use crate::formats::write::{Shape, Writer, labels_of, state_names};
use crate::formats::{Kind, Machine, Named, Written};
use crate::{Label, Letter, Predicate};

pub(in crate::formats) fn write(writer: &mut Writer<'_>) -> Result<Written, Trouble> {
    let alphabet = writer.alphabet()?;
    let letters: Vec<String> = alphabet.names().map(spell_letter).collect();
    let mut text = String::new();
    for named in writer.machines {
        if !text.is_empty() {
            text.push('\n');
        }
        if let (Some(vectors), Machine::Automaton(nfa)) = (alphabet.vectors(), &named.machine) {
            super::vectors::write(writer, named, nfa, vectors, &mut text)?;
            continue;
        }
        match named.machine.kind() {
            Kind::Automaton => text.push_str("@NFA-explicit\n"),
            Kind::Transducer => text.push_str("@NFT-explicit\n"),
        }
        let _ = writeln!(text, "%Name {}", spell(&named.name));
        // mata itself wants to collect the letters; unused ones are declared for us.
        text.push_str("%Alphabet-auto\n%Alphabet");
        letters.iter().for_each(|letter| text.extend([" ", letter]));
        text.push('\n');
        machine(writer, named, &letters, &mut text)?;
    }
    Ok(text.into())
}

fn machine(
    writer: &mut Writer<'_>,
    named: &Named,
    letters: &[String],
    text: &mut String,
) -> Result<(), Trouble> {
    let states = state_names(named, is_state);
    let shape = Shape::of(&named.machine);
    let labels = labels_of(&named.machine);
    ends(&shape, &states, text);
    let name = |letter: Option<Letter>| letter.map_or(EPSILON, |letter| &letters[letter.index()]);
    let mut lines = String::new();
    let mut middles = Vec::new();
    let prefix = fresh_prefix(&states);
    for edge in shape.edges {
        let (source, target) = (&states[edge.source.index()], &states[edge.target.index()]);
        let label = &labels[edge.label as usize];
        if named.machine.kind() == Kind::Automaton {
            writer.pairs(label, |input, _| {
                let _ = writeln!(lines, "{source} {} {target}", name(input));
            })?;
            continue;
        }
        // A pair of sets needs one middle state, a copied set one for each letter.
        let steps: Vec<[Vec<Option<Letter>>; 2]> = match label {
            Label::Copy(set) => set
                .letters()
                .map(|letter| [vec![Some(letter)], vec![Some(letter)]])
                .collect(),
            Label::Pair(input, output) => vec![[side(input.as_ref()), side(output.as_ref())]],
        };
        for [inputs, outputs] in steps {
            let middle = format!("{prefix}{}", middles.len());
            for input in inputs {
                writer.line()?;
                let _ = writeln!(lines, "{source} {} {middle}", name(input));
            }
            for output in outputs {
                writer.line()?;
                let _ = writeln!(lines, "{middle} {} {target}", name(output));
            }
            middles.push(middle);
        }
    }
    if named.machine.kind() == Kind::Transducer {
        text.push_str("%Levels");
        states
            .iter()
            .for_each(|state| text.extend([" ", state, ":0"]));
        middles
            .iter()
            .for_each(|state| text.extend([" ", state, ":1"]));
        text.push_str("\n%LevelsNum 2\n");
    }
    text.push_str(&lines);
    Ok(())
}

/// The lines of initial and final states.
pub(super) fn ends(shape: &Shape<'_>, states: &[String], text: &mut String) {
    for (key, ends) in [("%Initial", shape.initial), ("%Final", &shape.accepting)] {
        text.push_str(key);
        ends.iter()
            .for_each(|state| text.extend([" ", &states[state.index()]]));
        text.push('\n');
    }
}

/// Whether a name can be that of a state.
pub(super) fn is_state(name: &str) -> bool {
    is_plain(name) && !name.contains(':')
}

fn side(set: Option<&Predicate>) -> Vec<Option<Letter>> {
    set.map_or(vec![None], |set| set.letters().map(Some).collect())
}

/// What the names of the middle states begin with: no other state does.
fn fresh_prefix(states: &[String]) -> String {
    let beginnings: rustc_hash::FxHashSet<&str> = states
        .iter()
        .map(|name| name.trim_end_matches(|c: char| c.is_ascii_digit()))
        .collect();
    let mut prefix = "m".to_owned();
    while beginnings.contains(prefix.as_str()) {
        prefix.push('_');
    }
    prefix
}

pub(super) fn spell(name: &str) -> String {
    match is_plain(name) && name != EPSILON && name != ANY {
        true => name.to_owned(),
        false => quote(name, '"'),
    }
}

/// What looks like a rank is part of the name where it stands in quotes.
fn spell_letter(name: &str) -> String {
    match without_rank(name) {
        Some(_) => quote(name, '"'),
        None => spell(name),
    }
}

fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"_-+*<>=.,:;?".contains(&byte))
}
