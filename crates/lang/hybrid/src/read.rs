//! Texts to questions.

use quotient_arithmetic::{Boolean, Condition, Integer, Linear};
use quotient_core::{Diagnostic, Source, Span};
use quotient_language::text::{Cursor, Parsed};

use crate::decide::Signature;
use crate::formula::{Formula, Sentence};
use crate::proof::Proof;
use crate::read_hylo;
use crate::read_proof::proof;
use crate::read_system::{arrow, asked_here, placed, world};
use crate::read_tptp;
use crate::system::System;
use crate::words::{STATEMENTS, Word, words};

use Word::{Key, Name, Number, Sign, Text};

pub(crate) type Walk<'a> = Cursor<'a, Word>;

/// A file: what there is to speak of, and what is asked.
#[derive(Debug, Clone, Default)]
pub(crate) struct Theory {
    pub(crate) nominals: Vec<String>,
    pub(crate) relations: Vec<String>,
    pub(crate) letters: Vec<String>,
    /// Constants and integers: both are numbers without an order that a formula could not ask for.
    pub(crate) integers: Vec<String>,
    pub(crate) questions: Vec<Question>,
    pub(crate) proofs: Vec<Proof>,
    /// The system that `check` asks about.
    pub(crate) system: Option<System>,
}

/// A question.
#[derive(Debug, Clone)]
pub(crate) struct Question {
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) span: Span,
    /// Whether validity is asked instead of satisfiability.
    pub(crate) valid: bool,
    /// Whether truth at the initial world of the system is asked instead of either.
    pub(crate) here: bool,
    pub(crate) formula: Formula,
}

/// Reads a file that a text names.
pub(crate) type Fetch<'a> = dyn FnMut(&str) -> Result<Source, String> + 'a;

impl Theory {
    /// How many variables the base logic has.
    pub(crate) fn signature(&self) -> Signature {
        Signature {
            integers: self.integers.len(),
            booleans: self.letters.len(),
        }
    }
}

/// Reads a file; all mistakes of it are told.
pub(crate) fn read(source: &Source, fetch: &mut Fetch<'_>) -> Result<Theory, Vec<Diagnostic>> {
    if read_tptp::is_tptp(source.text()) {
        return read_tptp::read(source);
    }
    if read_hylo::is_hylo(source) {
        return read_hylo::read(source);
    }
    let (tokens, mistakes) = words(source);
    let mut cursor = Walk::new(source, tokens);
    mistakes
        .into_iter()
        .for_each(|mistake| cursor.mistake(mistake));
    let mut theory = Theory::default();
    while !cursor.is_at_end() && !cursor.is_hopeless() {
        let start = cursor.position();
        if let Err(mistake) = statement(&mut cursor, &mut theory, fetch) {
            cursor.mistake(mistake);
            cursor.recover(
                start,
                |kind| matches!(kind, Key(word) if STATEMENTS.contains(&word)),
            );
        }
    }
    cursor.finish(theory)
}

/// Reads a question that no file has: `satisfiable f`, `valid f`, or a formula to be valid.
pub(crate) fn read_question(source: &Source, theory: &Theory) -> Result<Question, Vec<Diagnostic>> {
    let (tokens, mistakes) = words(source);
    let mut cursor = Walk::new(source, tokens);
    mistakes
        .into_iter()
        .for_each(|mistake| cursor.mistake(mistake));
    let satisfiable = cursor.takes(Key("satisfiable"));
    let valid = cursor.takes(Key("valid")) || (theory.system.is_none() && !satisfiable);
    let here = !satisfiable && !valid;
    cursor.takes(Key("check"));
    let text = source.text().trim().to_owned();
    let mut theory = theory.clone();
    let parsed = formula(&mut cursor, &mut theory).and_then(|formula| match cursor.is_at_end() {
        true if here => asked_here(formula, &mut theory, &cursor, Span::default()),
        true => Ok(formula),
        false => Err(cursor.unexpected("the end")),
    });
    match parsed {
        Ok(formula) => cursor.finish(Question {
            name: text.clone(),
            text,
            span: Span::default(),
            valid,
            here,
            formula,
        }),
        Err(mistake) => {
            cursor.mistake(mistake);
            Err(cursor.finish(()).err().unwrap_or_default())
        }
    }
}

fn statement(cursor: &mut Walk<'_>, theory: &mut Theory, fetch: &mut Fetch<'_>) -> Parsed<()> {
    let Key(word) = cursor.peek().kind else {
        return Err(cursor.unexpected("a declaration or a question"));
    };
    let start = cursor.advance().span.start;
    match word {
        "hybrid" => {}
        "nominal" | "relation" | "letter" | "constant" | "integer" => loop {
            let span = cursor.expect(Name)?;
            let name = cursor.text(span).to_owned();
            let all = [
                &theory.nominals,
                &theory.relations,
                &theory.letters,
                &theory.integers,
            ];
            if all.iter().any(|list| list.contains(&name)) {
                let message = format!("`{name}` is declared twice");
                return Err(Diagnostic::error("declared-twice", message).at(
                    cursor.source(),
                    span,
                    "",
                ));
            }
            match word {
                "nominal" => theory.nominals.push(name),
                "relation" => theory.relations.push(name),
                "letter" => theory.letters.push(name),
                _ => theory.integers.push(name),
            }
            if cursor.takes(Sign("=")) {
                placed(cursor, theory, word)?;
            }
            cursor.takes(Sign(","));
            if !cursor.is(Name) {
                break;
            }
        },
        "system" => {
            let span = cursor.expect(Text)?;
            let wrong = |message: String| {
                Diagnostic::error("no-file", message).at(cursor.source(), span, "")
            };
            if theory.system.is_some() || !theory.relations.is_empty() {
                let message = "a system comes once, and before worlds and relations".to_owned();
                return Err(wrong(message));
            }
            let name = cursor.text(span).trim_matches('"');
            let file = fetch(name).map_err(|why| {
                let help = "give it relative to this file";
                wrong(format!("cannot read `{name}`: {why}")).help(help)
            })?;
            let (system, relations) = System::aldebaran(&file)?;
            theory.system = Some(system);
            theory.relations = relations;
        }
        "world" => world(cursor, theory)?,
        "arrow" => arrow(cursor, theory)?,
        "satisfiable" | "valid" | "check" => {
            let span = cursor.expect(Name)?;
            let name = cursor.text(span).to_owned();
            cursor.expect(Sign(":"))?;
            let begins = cursor.peek().span.start;
            let formula = formula(cursor, theory)?;
            let text = format!("{word} {}", cursor.text(cursor.span_from(begins)));
            if theory.questions.iter().any(|other| other.name == name) {
                let message = format!("there are two questions `{name}`");
                return Err(Diagnostic::error("declared-twice", message).at(
                    cursor.source(),
                    span,
                    "",
                ));
            }
            let span = cursor.span_from(start);
            let formula = match word {
                "check" => asked_here(formula, theory, cursor, span)?,
                _ => formula,
            };
            theory.questions.push(Question {
                name,
                text,
                span,
                valid: word == "valid",
                here: word == "check",
                formula,
            });
        }
        "proof" => {
            let proof = proof(cursor, theory, start)?;
            theory.proofs.push(proof);
        }
        _ => return Err(cursor.unexpected("a declaration or a question")),
    }
    Ok(())
}

/// The most parts of a formula in which equivalences are written out.
const MOST_PARTS: usize = 20_000;

/// Equivalences are written out: each inside another doubles what is inside.
pub(crate) fn refuse_large(formula: &Formula, source: &Source, span: Span) -> Parsed<()> {
    let mut parts = 0usize;
    formula.visit(&mut |_| parts += 1);
    if parts <= MOST_PARTS {
        return Ok(());
    }
    let message =
        format!("with equivalences written out, the formula has more than {MOST_PARTS} parts");
    Err(Diagnostic::error("too-large", message).at(source, span, ""))
}

/// The longest row of operands.
const MOST_OPERANDS: usize = 400;

/// From weak to strong: `<=>`, `=>` (leaning right), `|`, `&`, prefixes.
pub(crate) fn formula(cursor: &mut Walk<'_>, theory: &mut Theory) -> Parsed<Formula> {
    cursor.nested(|cursor| {
        let start = cursor.peek().span.start;
        let left = disjunction(cursor, theory)?;
        let not = |formula: &Formula| Box::new(Formula::Not(Box::new(formula.clone())));
        if cursor.takes(Sign("=>")) || cursor.takes(Sign("->")) {
            let right = formula(cursor, theory)?;
            return Ok(Formula::Or(not(&left), Box::new(right)));
        }
        if cursor.takes(Sign("<=>")) || cursor.takes(Sign("<->")) {
            let right = formula(cursor, theory)?;
            let both = Formula::And(Box::new(left.clone()), Box::new(right.clone()));
            let neither = Formula::And(not(&left), not(&right));
            let whole = Formula::Or(Box::new(both), Box::new(neither));
            refuse_large(&whole, cursor.source(), cursor.span_from(start))?;
            return Ok(whole);
        }
        Ok(left)
    })
}

fn disjunction(cursor: &mut Walk<'_>, theory: &mut Theory) -> Parsed<Formula> {
    let mut left = conjunction(cursor, theory)?;
    for _ in 0..MOST_OPERANDS {
        if !cursor.takes(Sign("|")) {
            return Ok(left);
        }
        left = Formula::Or(Box::new(left), Box::new(conjunction(cursor, theory)?));
    }
    Err(cursor.unexpected("fewer operands"))
}

fn conjunction(cursor: &mut Walk<'_>, theory: &mut Theory) -> Parsed<Formula> {
    let mut left = prefixed(cursor, theory)?;
    for _ in 0..MOST_OPERANDS {
        if !cursor.takes(Sign("&")) {
            return Ok(left);
        }
        left = Formula::And(Box::new(left), Box::new(prefixed(cursor, theory)?));
    }
    Err(cursor.unexpected("fewer operands"))
}

fn prefixed(cursor: &mut Walk<'_>, theory: &mut Theory) -> Parsed<Formula> {
    cursor.nested(|cursor| {
        let inner =
            |cursor: &mut Walk<'_>, theory: &mut Theory| prefixed(cursor, theory).map(Box::new);
        match cursor.peek().kind {
            Sign("~") => {
                cursor.advance();
                Ok(Formula::Not(inner(cursor, theory)?))
            }
            Sign("@") => {
                cursor.advance();
                let nominal = nominal(cursor, theory)?;
                Ok(Formula::At(nominal, inner(cursor, theory)?))
            }
            Sign("<") | Sign("[") => {
                let some = cursor.advance().kind == Sign("<");
                let relation = relation(cursor, theory)?;
                cursor.expect(Sign(if some { ">" } else { "]" }))?;
                let inner = inner(cursor, theory)?;
                Ok(if some {
                    Formula::Some(relation, inner)
                } else {
                    Formula::Every(relation, inner)
                })
            }
            Key("A") | Key("E") => {
                let every = cursor.advance().kind == Key("A");
                let inner = inner(cursor, theory)?;
                Ok(if every {
                    Formula::Everywhere(inner)
                } else {
                    Formula::Anywhere(inner)
                })
            }
            Key("forall") | Key("down") => {
                let every = cursor.advance().kind == Key("forall");
                let span = cursor.expect(Name)?;
                let name = cursor.text(span).to_owned();
                cursor.takes(Sign("."));
                // The variable hides a nominal of the same name.
                let old = theory.nominals.iter().position(|other| *other == name);
                if let Some(at) = old {
                    theory.nominals[at].push('\'');
                }
                theory.nominals.push(name);
                let variable = theory.nominals.len() - 1;
                // It reaches as far to the right as it can.
                let inner = Box::new(formula(cursor, theory)?);
                theory.nominals[variable] = String::new();
                if let Some(at) = old {
                    theory.nominals[at].pop();
                }
                Ok(if every {
                    Formula::ForAll(variable, inner)
                } else {
                    Formula::Here(variable, inner)
                })
            }
            _ => primary(cursor, theory),
        }
    })
}

fn primary(cursor: &mut Walk<'_>, theory: &mut Theory) -> Parsed<Formula> {
    if let Key("true") | Key("false") = cursor.peek().kind {
        return Ok(Formula::Constant(cursor.advance().kind == Key("true")));
    }
    if cursor.takes(Sign("{")) {
        let inner = formula(cursor, theory)?;
        cursor.expect(Sign("}"))?;
        return Ok(Formula::Base(Sentence::Hybrid(Box::new(inner))));
    }
    if cursor.is(Name)
        && let Some(at) = theory
            .nominals
            .iter()
            .position(|name| *name == cursor.text(cursor.peek().span))
    {
        cursor.advance();
        return Ok(Formula::Nominal(at));
    }
    let start = cursor.position();
    let mistake = match either(cursor, theory) {
        Ok(condition) => return Ok(Formula::Base(Sentence::Condition(condition))),
        Err(mistake) => mistake,
    };
    cursor.rewind(start);
    if cursor.takes(Sign("(")) {
        let inner = formula(cursor, theory)?;
        cursor.expect(Sign(")"))?;
        return Ok(inner);
    }
    Err(mistake)
}

fn named(cursor: &mut Walk<'_>, list: &[String], what: &str) -> Parsed<usize> {
    let span = cursor.expect(Name)?;
    let name = cursor.text(span);
    list.iter().position(|other| other == name).ok_or_else(|| {
        Diagnostic::error("unknown-name", format!("there is no {what} `{name}`"))
            .at(cursor.source(), span, "")
            .did_you_mean(name, list.iter().map(String::as_str))
            .help(format!("declare it: `{what} {name}`"))
    })
}

pub(crate) fn nominal(cursor: &mut Walk<'_>, theory: &Theory) -> Parsed<usize> {
    named(cursor, &theory.nominals, "nominal")
}

fn relation(cursor: &mut Walk<'_>, theory: &Theory) -> Parsed<usize> {
    if cursor.is(Text) {
        let span = cursor.advance().span;
        let name = cursor.text(span).trim_matches('"');
        let found = theory.relations.iter().position(|other| other == name);
        return found.ok_or_else(|| {
            Diagnostic::error("unknown-name", format!("there is no relation `{name}`"))
                .at(cursor.source(), span, "")
                .did_you_mean(name, theory.relations.iter().map(String::as_str))
        });
    }
    named(cursor, &theory.relations, "relation")
}

/// Base sentences: `||`, `&&`, `!`, comparisons and letters.
fn either(cursor: &mut Walk<'_>, theory: &mut Theory) -> Parsed<Condition> {
    cursor.nested(|cursor| {
        let mut parts = vec![both(cursor, theory)?];
        while cursor.takes(Sign("||")) && parts.len() < MOST_OPERANDS {
            parts.push(both(cursor, theory)?);
        }
        Ok(if parts.len() == 1 {
            parts.swap_remove(0)
        } else {
            Condition::Or(parts)
        })
    })
}

fn both(cursor: &mut Walk<'_>, theory: &mut Theory) -> Parsed<Condition> {
    let mut parts = vec![single(cursor, theory)?];
    while cursor.takes(Sign("&&")) && parts.len() < MOST_OPERANDS {
        parts.push(single(cursor, theory)?);
    }
    Ok(if parts.len() == 1 {
        parts.swap_remove(0)
    } else {
        Condition::And(parts)
    })
}

fn single(cursor: &mut Walk<'_>, theory: &mut Theory) -> Parsed<Condition> {
    cursor.nested(|cursor| match cursor.peek().kind {
        Sign("!") => {
            cursor.advance();
            Ok(single(cursor, theory)?.negated())
        }
        Sign("(") => {
            cursor.advance();
            let inner = either(cursor, theory)?;
            cursor.expect(Sign(")"))?;
            Ok(inner)
        }
        Name if !theory
            .integers
            .iter()
            .any(|name| *name == cursor.text(cursor.peek().span)) =>
        {
            let letter = named(cursor, &theory.letters, "letter")?;
            Ok(Condition::Boolean(Boolean::from_index(letter)))
        }
        Name | Number | Sign("-") => comparison(cursor, theory),
        _ => Err(cursor.unexpected("a formula")),
    })
}

fn comparison(cursor: &mut Walk<'_>, theory: &Theory) -> Parsed<Condition> {
    let left = sum(cursor, theory)?;
    let signs = ["<=", ">=", "!=", "=", "<", ">"];
    let Some(sign) = signs.into_iter().find(|sign| cursor.takes(Sign(sign))) else {
        return Err(cursor.unexpected("a comparison"));
    };
    let difference = left.minus(&sum(cursor, theory)?);
    Ok(match sign {
        "<=" => Condition::AtMostZero(difference),
        "<" => Condition::AtMostZero(difference.plus_constant(1)),
        ">=" => Condition::AtMostZero(difference.times(-1)),
        ">" => Condition::AtMostZero(difference.times(-1).plus_constant(1)),
        "=" => Condition::Zero(difference),
        _ => Condition::Zero(difference).negated(),
    })
}

fn integer(cursor: &mut Walk<'_>, theory: &Theory) -> Parsed<Linear> {
    let at = named(cursor, &theory.integers, "integer")?;
    Ok(Linear::variable(Integer::from_index(at)))
}

fn sum(cursor: &mut Walk<'_>, theory: &Theory) -> Parsed<Linear> {
    let mut total = Linear::default();
    let mut sign = if cursor.takes(Sign("-")) { -1 } else { 1 };
    for _ in 0..MOST_OPERANDS {
        let mut factor = sign;
        let mut term = Linear::constant(1);
        if cursor.is(Number) {
            let span = cursor.advance().span;
            let number: i32 = cursor.text(span).parse().map_err(|_| {
                Diagnostic::error("number", "this number is too large").at(
                    cursor.source(),
                    span,
                    "",
                )
            })?;
            factor *= i64::from(number);
            if cursor.takes(Sign("*")) {
                term = integer(cursor, theory)?;
            }
        } else {
            term = integer(cursor, theory)?;
        }
        total = total.plus(&term.times(factor));
        sign = match cursor.peek().kind {
            Sign("+") => 1,
            Sign("-") => -1,
            _ => return Ok(total),
        };
        cursor.advance();
    }
    Err(cursor.unexpected("fewer operands"))
}
