//! Proofs as they are written: `proof NAME:`, then a line each, `1 FORMULA ; RULE(1, 2)`.

use quotient_core::Diagnostic;
use quotient_language::text::Parsed;

use crate::proof::{Line, Proof};
use crate::read::{Theory, Walk, formula};
use crate::words::Word::{Name, Number, Sign};

/// The most lines of a proof.
const MOST_LINES: usize = 10_000;

/// Reads a proof after its first word.
pub(crate) fn proof(cursor: &mut Walk<'_>, theory: &mut Theory, start: usize) -> Parsed<Proof> {
    let span = cursor.expect(Name)?;
    let name = cursor.text(span).to_owned();
    let taken = theory.questions.iter().any(|other| other.name == name)
        || theory.proofs.iter().any(|other| other.name == name);
    if taken {
        let message = format!("there are two questions `{name}`");
        let error = Diagnostic::error("declared-twice", message);
        return Err(error.at(cursor.source(), span, ""));
    }
    cursor.expect(Sign(":"))?;
    let mut lines = Vec::new();
    while cursor.is(Number) && lines.len() < MOST_LINES {
        lines.push(line(cursor, theory)?);
    }
    if lines.is_empty() {
        return Err(cursor.unexpected("a line: a number, a formula, `;` and a rule"));
    }
    let span = cursor.span_from(start);
    let words: Vec<&str> = cursor.text(span).split_whitespace().collect();
    Ok(Proof {
        name,
        text: words.join(" "),
        span,
        lines,
    })
}

fn number(cursor: &mut Walk<'_>) -> Parsed<u64> {
    let span = cursor.expect(Number)?;
    let number = cursor.text(span).parse();
    number.map_err(|_| {
        Diagnostic::error("number", "this number is too large").at(cursor.source(), span, "")
    })
}

fn line(cursor: &mut Walk<'_>, theory: &mut Theory) -> Parsed<Line> {
    let start = cursor.peek().span.start;
    let own = number(cursor)?;
    let formula = formula(cursor, theory)?;
    cursor.expect(Sign(";"))?;
    let span = cursor.expect(Name)?;
    let rule = cursor.text(span).to_owned();
    let mut from = Vec::new();
    if cursor.takes(Sign("(")) {
        while cursor.is(Number) {
            from.push(number(cursor)?);
            if !cursor.takes(Sign(",")) {
                break;
            }
        }
        cursor.expect(Sign(")"))?;
    }
    Ok(Line {
        number: own,
        formula,
        rule,
        from,
        span: cursor.span_from(start),
    })
}
