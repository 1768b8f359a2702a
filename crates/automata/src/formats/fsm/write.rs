//! The FSM writer: names in the columns, and the symbol table beside it.

use std::fmt::Write;

use quotient_core::{Diagnostic, Trouble};

use super::EPSILONS;
use crate::formats::write::{Shape, Writer, labels_of};
use crate::formats::{Kind, Written};
use crate::{Edge, Letter, State};

pub(in crate::formats) fn write(writer: &mut Writer<'_>) -> Result<Written, Trouble> {
    let named = writer.only()?;
    let alphabet = writer.alphabet()?;
    writer.spell_letters(|name| {
        !name.is_empty() && !name.contains(char::is_whitespace) && !EPSILONS.contains(&name)
    })?;
    let letter = |letter: Option<Letter>| match letter {
        None => EPSILONS[0],
        Some(letter) => alphabet.name(letter),
    };
    let kind = named.machine.kind();
    let line = |from: u32, input: Option<Letter>, output: Option<Letter>, to: u32| match kind {
        Kind::Automaton => format!("{from}\t{to}\t{}\n", letter(input)),
        Kind::Transducer => format!("{from}\t{to}\t{}\t{}\n", letter(input), letter(output)),
    };
    let shape = Shape::of(&named.machine);
    let labels = labels_of(&named.machine);
    let mut text = String::new();
    let initial = match shape.initial {
        [only] => *only,
        several => {
            let fresh = State(named.machine.states() as u32);
            for state in several {
                text.push_str(&line(fresh.0, None, None, state.0));
            }
            fresh
        }
    };
    // The first state named is the initial one: its lines come first.
    let (first, others): (Vec<&Edge>, Vec<&Edge>) =
        shape.edges.iter().partition(|edge| edge.source == initial);
    let is_accepting = shape.accepting.contains(&initial);
    if text.is_empty() && first.is_empty() && !is_accepting {
        text.push_str(&line(initial.0, None, None, initial.0));
    }
    if text.is_empty() && first.is_empty() {
        let _ = writeln!(text, "{}", initial.0);
    }
    for edge in first.into_iter().chain(others) {
        let (from, to) = (edge.source.0, edge.target.0);
        let label = &labels[edge.label as usize];
        writer.pairs(label, |input, output| {
            text.push_str(&line(from, input, output, to))
        })?;
    }
    for state in &shape.accepting {
        let _ = writeln!(text, "{}", state.0);
    }
    let mut table = format!("{}\t0\n", EPSILONS[0]);
    for (index, name) in alphabet.names().enumerate() {
        let _ = writeln!(table, "{name}\t{}", index + 1);
    }
    let warnings = alphabet
        .names()
        .filter(|name| name.bytes().all(|byte| byte == b'0'))
        .map(|name| {
            let message =
                format!("without its symbol table, the letter `{name}` can be taken for ε");
            Diagnostic::warning("needs-symbols", message)
                .help("read the file with its symbol table")
        })
        .collect();
    Ok(Written {
        text,
        companions: vec![(".syms", table)],
        warnings,
    })
}
