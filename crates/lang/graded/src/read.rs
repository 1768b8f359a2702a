//! Files to trees.

use quotient_core::{Diagnostic, Source};
use quotient_language::text::{Cursor, Parsed};

use crate::read_formula::{expression, formula};
use crate::tree::{Action, Check, Definition, GradeText, Place, Proposition, Spot, Tree, Variable};
use crate::words::{STATEMENTS, Word, short, words};

use Word::{Key, Name, Number, Sign, Text};

/// The walker of this parser.
pub(crate) type Walk<'a> = Cursor<'a, Word>;

/// Reads a file; all mistakes of it are told.
pub(crate) fn read(source: &Source) -> Result<Tree, Vec<Diagnostic>> {
    let (tokens, mistakes) = words(source);
    let mut cursor = Walk::new(source, tokens);
    mistakes
        .into_iter()
        .for_each(|mistake| cursor.mistake(mistake));
    let mut tree = Tree::default();
    while !cursor.is_at_end() && !cursor.is_hopeless() {
        let start = cursor.position();
        if let Err(mistake) = statement(&mut cursor, &mut tree) {
            cursor.mistake(mistake);
            cursor.recover(
                start,
                |kind| matches!(kind, Key(word) if STATEMENTS.contains(&word)),
            );
        }
    }
    cursor.finish(tree)
}

/// Reads a formula with an optional bound and place, as a property that no file has.
pub(crate) fn read_check(source: &Source) -> Result<Check, Vec<Diagnostic>> {
    let (tokens, mistakes) = words(source);
    let mut cursor = Walk::new(source, tokens);
    mistakes
        .into_iter()
        .for_each(|mistake| cursor.mistake(mistake));
    let name = Spot {
        text: source.text().trim().to_owned(),
        span: Default::default(),
    };
    let check = question(&mut cursor, name, 0).and_then(|check| match cursor.is_at_end() {
        true => Ok(check),
        false => Err(cursor.unexpected("the end")),
    });
    match check {
        Ok(check) => cursor.finish(check),
        Err(mistake) => {
            cursor.mistake(mistake);
            Err(cursor.finish(()).err().unwrap_or_default())
        }
    }
}

fn statement(cursor: &mut Walk<'_>, tree: &mut Tree) -> Parsed<()> {
    let Key(word) = cursor.peek().kind else {
        return Err(cursor
            .unexpected("the beginning of a statement")
            .help(format!("statements begin with {}", STATEMENTS.join(", "))));
    };
    let start = cursor.advance().span.start;
    match word {
        "grades" => {
            let first = label(cursor)?;
            let mut whole = first;
            while cursor.is(Sign("-")) {
                cursor.advance();
                let next = label(cursor)?;
                whole.text = format!("{}-{}", whole.text, next.text);
                whole.span = whole.span.to(next.span);
            }
            tree.algebra = Some(whole);
        }
        "values" | "order" | "one" | "compose" | "implies" | "star" => {
            table(cursor, tree, word)?;
        }
        "states" => {
            let mut found = Vec::new();
            while is_label(cursor) {
                found.push(label(cursor)?);
            }
            match found.as_slice() {
                [] => return Err(cursor.unexpected("names of states, or their number")),
                [only] if only.text.parse::<usize>().is_ok() => {
                    let number = only.text.parse().unwrap_or_default();
                    tree.count = Some((number, only.span));
                }
                _ => tree.states.append(&mut found),
            }
        }
        "initial" => {
            tree.initial.push(label(cursor)?);
            while is_label(cursor) {
                tree.initial.push(label(cursor)?);
            }
        }
        "variable" => tree.variables.push(variable(cursor)?),
        "prop" => tree
            .propositions
            .push(proposition(cursor, !tree.variables.is_empty())?),
        "program" => tree
            .programs
            .push(program(cursor, !tree.variables.is_empty())?),
        "transitions" => {
            let file = file(cursor)?;
            let name = match cursor.takes(Key("as")) {
                true => Some(label(cursor)?),
                false => None,
            };
            tree.transitions.push((file, name));
        }
        "labels" => tree.labels.push(file(cursor)?),
        _ => {
            let name = label(cursor)?;
            cursor.expect(Sign(":"))?;
            tree.checks.push(question(cursor, name, start)?);
        }
    }
    Ok(())
}

fn is_label(cursor: &Walk<'_>) -> bool {
    matches!(cursor.peek().kind, Name | Number)
}

/// A name or a number.
pub(crate) fn label(cursor: &mut Walk<'_>) -> Parsed<Spot> {
    match is_label(cursor) {
        true => {
            let span = cursor.advance().span;
            Ok(Spot {
                text: cursor.text(span).to_owned(),
                span,
            })
        }
        false => Err(cursor.unexpected("a name")),
    }
}

/// A grade: a number, a name, or one of the few words and signs that are grades.
pub(crate) fn grade(cursor: &mut Walk<'_>) -> Parsed<Spot> {
    match cursor.peek().kind {
        Name | Number | Key("true" | "one") | Sign("?" | "∞") => {
            let span = cursor.advance().span;
            Ok(Spot {
                text: cursor.text(span).to_owned(),
                span,
            })
        }
        _ => Err(cursor.unexpected("a grade")),
    }
}

fn file(cursor: &mut Walk<'_>) -> Parsed<Spot> {
    let span = cursor.expect(Text)?;
    let text = cursor.text(span).trim_matches('"').to_owned();
    Ok(Spot { text, span })
}

/// The statements of a table of grades.
fn table(cursor: &mut Walk<'_>, tree: &mut Tree, word: &str) -> Parsed<()> {
    let table = &mut tree.table;
    if word == "values" {
        while matches!(cursor.peek().kind, Name | Number | Key("true")) {
            table.values.push(grade(cursor)?.text);
        }
        return Ok(());
    }
    let value = |cursor: &mut Walk<'_>| {
        let spot = grade(cursor)?;
        let found = table.values.iter().position(|value| *value == spot.text);
        found.ok_or_else(|| {
            let message = format!("there is no grade `{}`", short(&spot.text));
            Diagnostic::error("unknown-grade", message)
                .at(cursor.source(), spot.span, "")
                .help("list it after `values`, before its first use")
        })
    };
    match word {
        "order" => loop {
            let mut low = value(cursor)?;
            while cursor.takes(Sign("<")) {
                let high = value(cursor)?;
                table.below.push((low, high));
                low = high;
            }
            if !cursor.takes(Sign(",")) {
                return Ok(());
            }
        },
        "one" => table.one = Some(value(cursor)?),
        "star" => {
            let of = value(cursor)?;
            cursor.expect(Sign("="))?;
            table.star.push([of, value(cursor)?]);
        }
        _ => {
            let (left, right) = (value(cursor)?, value(cursor)?);
            cursor.expect(Sign("="))?;
            let row = [left, right, value(cursor)?];
            match word {
                "compose" => table.compose.push(row),
                _ => table.implies.push(row),
            }
        }
    }
    Ok(())
}

fn whole(cursor: &mut Walk<'_>) -> Parsed<i64> {
    let negative = cursor.takes(Sign("-"));
    let span = cursor.expect(Number)?;
    let text = cursor.text(span);
    match text.parse::<i64>() {
        Ok(number) if number < i64::from(i32::MAX) => Ok(if negative { -number } else { number }),
        _ => Err(
            Diagnostic::error("number", "a small whole number was expected").at(
                cursor.source(),
                span,
                "",
            ),
        ),
    }
}

fn variable(cursor: &mut Walk<'_>) -> Parsed<Variable> {
    let name = label(cursor)?;
    cursor.expect(Sign(":"))?;
    let least = whole(cursor)?;
    cursor.expect(Sign(".."))?;
    let most = whole(cursor)?;
    let start = match cursor.takes(Sign("=")) {
        true => Some(whole(cursor)?),
        false => None,
    };
    if most < least || start.is_some_and(|start| start < least || start > most) {
        let message = format!("`{}` has no value in {least}..{most}", name.text);
        return Err(Diagnostic::error("empty-range", message).at(cursor.source(), name.span, ""));
    }
    Ok(Variable {
        name,
        least,
        most,
        start,
    })
}

fn proposition(cursor: &mut Walk<'_>, imperative: bool) -> Parsed<Proposition> {
    let name = label(cursor)?;
    cursor.expect(Sign(":"))?;
    let mut at = Vec::new();
    if imperative {
        let condition = expression(cursor)?;
        let grade = match cursor.takes(Key("grade")) {
            true => Some(grade(cursor)?),
            false => None,
        };
        return Ok(Proposition {
            name,
            at,
            when: Some((condition, grade)),
        });
    }
    while is_label(cursor) {
        let state = label(cursor)?;
        let given = matches!(
            cursor.peek().kind,
            Name | Number | Key("true") | Sign("?" | "∞")
        );
        let degree = if given { Some(grade(cursor)?) } else { None };
        at.push((state, degree));
        if !cursor.takes(Sign(",")) {
            break;
        }
    }
    Ok(Proposition {
        name,
        at,
        when: None,
    })
}

fn program(cursor: &mut Walk<'_>, imperative: bool) -> Parsed<Definition> {
    let name = label(cursor)?;
    cursor.expect(Sign(":"))?;
    let (mut edges, mut actions) = (Vec::new(), Vec::new());
    if imperative {
        actions.push(action(cursor)?);
        while cursor.takes(Sign("|")) {
            actions.push(action(cursor)?);
        }
        return Ok(Definition {
            name,
            edges,
            actions,
        });
    }
    while is_label(cursor) {
        let from = label(cursor)?;
        cursor.expect(Sign("->"))?;
        let mut to = vec![label(cursor)?];
        while cursor.takes(Sign(",")) {
            to.push(label(cursor)?);
        }
        let weight = match cursor.takes(Sign(":")) {
            true => Some(grade(cursor)?),
            false => None,
        };
        let edge = |to: Spot| (from.clone(), to, weight.clone());
        edges.extend(to.into_iter().map(edge));
    }
    Ok(Definition {
        name,
        edges,
        actions,
    })
}

fn action(cursor: &mut Walk<'_>) -> Parsed<Action> {
    let when = match cursor.takes(Key("when")) {
        true => {
            let condition = expression(cursor)?;
            cursor.expect(Sign(":"))?;
            Some(condition)
        }
        false => None,
    };
    let mut assign = Vec::new();
    loop {
        let target = label(cursor)?;
        cursor.expect(Sign(":="))?;
        assign.push((target, expression(cursor)?));
        if !cursor.takes(Sign(",")) {
            break;
        }
    }
    let grade = match cursor.takes(Key("grade")) {
        false => None,
        true if cursor.is(Sign("(")) => Some(GradeText::Computed(expression(cursor)?)),
        true => Some(GradeText::Written(grade(cursor)?)),
    };
    Ok(Action {
        when,
        assign,
        grade,
    })
}

/// `FORMULA [>= GRADE] [at STATES | everywhere | somewhere]`
fn question(cursor: &mut Walk<'_>, name: Spot, start: usize) -> Parsed<Check> {
    let begins = cursor.peek().span.start;
    let formula = formula(cursor)?;
    let mut bound = None;
    for sign in ["<=", ">=", "<", ">", "="] {
        if cursor.takes(Sign(sign)) {
            bound = Some((sign, grade(cursor)?));
            break;
        }
    }
    let place = match cursor.peek().kind {
        Key("everywhere") => {
            cursor.advance();
            Place::Everywhere
        }
        Key("somewhere") => {
            cursor.advance();
            Place::Somewhere
        }
        Key("at") => {
            cursor.advance();
            let mut states = vec![label(cursor)?];
            while is_label(cursor) {
                states.push(label(cursor)?);
            }
            Place::At(states)
        }
        _ => Place::Start,
    };
    let text = cursor.text(cursor.span_from(begins)).to_owned();
    let span = cursor.span_from(start);
    Ok(Check {
        name,
        text,
        span,
        formula,
        bound,
        place,
    })
}
