//! Worlds and arrows, and questions about them.

use quotient_core::{Diagnostic, Span};
use quotient_language::text::Parsed;

use crate::formula::Formula;
use crate::read::{Theory, Walk, nominal};
use crate::system::MOST_WORLDS;
use crate::words::Word::{Name, Number, Sign, Text};

/// After `nominal i =` the world that it names, after `letter p =` those where it is true.
pub(crate) fn placed(cursor: &mut Walk<'_>, theory: &mut Theory, word: &str) -> Parsed<()> {
    let start = cursor.peek().span.start;
    let mut worlds = Vec::new();
    while cursor.is(Number) {
        let span = cursor.advance().span;
        worlds.push(cursor.text(span).parse::<usize>().unwrap_or(usize::MAX));
        if word == "nominal" {
            break;
        }
    }
    let wrong = |message: &str| {
        let span = cursor.span_from(start);
        Err(Diagnostic::error("system", message).at(cursor.source(), span, ""))
    };
    let Some(system) = &mut theory.system else {
        return wrong("there is no system whose worlds have numbers");
    };
    if worlds.is_empty() || worlds.iter().any(|world| *world >= system.worlds) {
        return wrong("the system has no such world");
    }
    match word {
        "nominal" => system.place(theory.nominals.len() - 1, worlds[0]),
        "letter" => {
            let letter = theory.letters.len() - 1;
            worlds
                .into_iter()
                .for_each(|world| system.mark(letter, world));
        }
        _ => return wrong("only nominals and letters are at worlds"),
    }
    Ok(())
}

/// `world idle: cold, dark`: a world, its name, and the letters that are true there.
pub(crate) fn world(cursor: &mut Walk<'_>, theory: &mut Theory) -> Parsed<()> {
    let span = cursor.expect(Name)?;
    let name = cursor.text(span).to_owned();
    let system = theory.system.get_or_insert_default();
    let is_known = [&theory.nominals, &theory.letters, &theory.relations]
        .iter()
        .any(|list| list.contains(&name));
    if is_known || system.worlds >= MOST_WORLDS {
        let message = format!("`{name}` is declared twice");
        return Err(Diagnostic::error("declared-twice", message).at(cursor.source(), span, ""));
    }
    theory.nominals.push(name);
    system.place(theory.nominals.len() - 1, system.worlds);
    system.worlds += 1;
    if !cursor.takes(Sign(":")) {
        return Ok(());
    }
    loop {
        let span = cursor.expect(Name)?;
        let letter = cursor.text(span);
        if theory.nominals.iter().any(|world| world == letter) {
            let message = format!("`{letter}` is a world, and here a letter");
            return Err(Diagnostic::error("declared-twice", message).at(cursor.source(), span, ""));
        }
        let found = theory.letters.iter().position(|other| other == letter);
        let letter = found.unwrap_or_else(|| {
            theory.letters.push(letter.to_owned());
            theory.letters.len() - 1
        });
        system.mark(letter, system.worlds - 1);
        if !cursor.takes(Sign(",")) {
            return Ok(());
        }
    }
}

/// `arrow request: idle -> busy, broken`.
pub(crate) fn arrow(cursor: &mut Walk<'_>, theory: &mut Theory) -> Parsed<()> {
    let span = match cursor.is(Text) {
        true => cursor.advance().span,
        false => cursor.expect(Name)?,
    };
    let name = cursor.text(span).trim_matches('"');
    let found = theory.relations.iter().position(|other| other == name);
    let relation = found.unwrap_or_else(|| {
        theory.relations.push(name.to_owned());
        theory.relations.len() - 1
    });
    cursor.expect(Sign(":"))?;
    let mut ends = Vec::new();
    loop {
        let span = cursor.peek().span;
        let at = nominal(cursor, theory)?;
        let system = theory.system.get_or_insert_default();
        let Some(world) = system.nominals.get(at).copied().flatten() else {
            let message = format!("`{}` is no world", cursor.text(span));
            return Err(Diagnostic::error("system", message).at(cursor.source(), span, ""));
        };
        ends.push(world);
        if ends.len() == 1 {
            cursor.expect(Sign("->"))?;
        } else if !cursor.takes(Sign(",")) {
            break;
        }
    }
    if let Some(system) = &mut theory.system {
        let from = ends[0];
        ends[1..]
            .iter()
            .for_each(|&to| system.arrow(relation, from, to));
    }
    Ok(())
}

/// A formula that is asked about the system; refused if the system does not say what it is about.
pub(crate) fn asked_here(
    formula: Formula,
    theory: &mut Theory,
    cursor: &Walk<'_>,
    span: Span,
) -> Parsed<Formula> {
    let wrong =
        |message: String| Err(Diagnostic::error("system", message).at(cursor.source(), span, ""));
    let letters = theory.letters.len();
    let Some(system) = theory.system.as_mut().filter(|system| system.worlds > 0) else {
        return wrong("there is no system: declare its worlds, or name its file".to_owned());
    };
    if system.letters.len() < letters {
        system.letters.resize(letters, Default::default());
    }
    match system.refuses(&formula, &theory.nominals) {
        Some(why) => wrong(why),
        None => Ok(formula),
    }
}
