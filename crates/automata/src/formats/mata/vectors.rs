//! Automata whose letters are classes of vectors of bits, written as formulas over these bits:
//! read together with others, they tell apart again what all of them tell apart.

use std::fmt::Write;

use quotient_core::Trouble;

use super::write::{ends, is_state, spell};
use crate::formats::Named;
use crate::formats::write::{Shape, Writer, state_names};
use crate::vectors::{Cube, Vectors};
use crate::{Nfa, Predicate};

/// Writes a section with a formula for each edge, or with a line for each pattern if bits have
/// no names. Such sections have no ε-moves.
pub(super) fn write(
    writer: &mut Writer<'_>,
    named: &Named,
    nfa: &Nfa,
    vectors: &Vectors,
    text: &mut String,
) -> Result<(), Trouble> {
    if nfa.has_epsilon() {
        let without = nfa.without_epsilon(writer.budget)?;
        let again = Named::new(named.name.clone(), named.role, without.clone());
        return write(writer, &again, &without, vectors, text);
    }
    match vectors.positions {
        Some(_) => text.push_str("@NFA-BDD\n"),
        None => text.push_str("@NFA-bits\n"),
    }
    let _ = writeln!(text, "%Name {}", spell(&named.name));
    match vectors.positions {
        Some(count) => drop(writeln!(text, "%Symbol-Vars {count}")),
        None => text.push_str("%Alphabet-auto\n"),
    }
    let states = state_names(named, is_state);
    ends(&Shape::of(&named.machine), &states, text);
    let labels = nfa
        .labels()
        .iter()
        .map(|label| spellings(writer, label.as_ref(), vectors))
        .collect::<Result<Vec<_>, _>>()?;
    for edge in nfa.edges() {
        let (source, target) = (&states[edge.source.index()], &states[edge.target.index()]);
        for label in &labels[edge.label as usize] {
            writer.line()?;
            let _ = writeln!(text, "{source} {label} {target}");
        }
    }
    Ok(())
}

/// A label as one formula, or as patterns.
fn spellings(
    writer: &mut Writer<'_>,
    letters: Option<&Predicate>,
    vectors: &Vectors,
) -> Result<Vec<String>, Trouble> {
    let Some(letters) = letters else {
        return Ok(Vec::new());
    };
    writer.budget.charge(1 + vectors.nodes.len() as u64 / 16)?;
    let mut cubes = Vec::new();
    vectors.cubes(letters, |cube| {
        writer.line()?;
        cubes.push(match vectors.positions {
            Some(count) => pattern(cube, vectors, count),
            None => conjunction(cube, vectors),
        });
        Ok::<(), Trouble>(())
    })?;
    Ok(match vectors.positions {
        None if cubes.len() > 1 => vec![format!("({})", cubes.join(" | "))],
        _ => cubes,
    })
}

fn conjunction(cube: &Cube, vectors: &Vectors) -> String {
    if cube.is_empty() {
        return "\\true".to_owned();
    }
    let literals: Vec<String> = cube
        .iter()
        .map(|&(bit, value)| {
            let name = match vectors.bits[bit as usize].as_str() {
                constant @ ("true" | "false") => format!("\"{constant}\""),
                name => spell(name),
            };
            format!("{}{name}", if value { "" } else { "!" })
        })
        .collect();
    literals.join(" & ")
}

fn pattern(cube: &Cube, vectors: &Vectors, count: usize) -> String {
    let mut pattern = vec!['x'; count];
    for &(bit, value) in cube {
        // Bits without names are named by their positions.
        if let Ok(position) = vectors.bits[bit as usize].parse::<usize>()
            && let Some(place) = pattern.get_mut(position)
        {
            *place = if value { '1' } else { '0' };
        }
    }
    pattern.into_iter().collect()
}
