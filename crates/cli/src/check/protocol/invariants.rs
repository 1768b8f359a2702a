//! Invariants in the words of the source.

use quotient_language::text::wrap;
use quotient_protocol::{Compiled, InWords, Protocol};
use serde_json::json;

use super::found_invariant;
use crate::check::Checked;
use crate::session::Session;

/// Adds invariants that are small in the words of the source.
pub(super) fn tell(
    checked: &mut Checked,
    protocol: &Protocol,
    compiled: &Compiled,
    session: &Session,
) {
    // The verdict is there: this may take little time and none of its own.
    let budget = session.budget.child_with_work(TELLING_WORK);
    let mut told: Vec<(InWords, String)> = Vec::new();
    for answer in &mut checked.answers {
        let Some(invariant) = found_invariant(answer) else {
            continue;
        };
        // What proves progress, or reads one by one, is over more than the letters of the source.
        if compiled.is_approximation() || invariant.alphabet() != compiled.alphabet() {
            continue;
        }
        let Ok(Some(words)) = protocol.in_words(compiled, invariant, &budget) else {
            continue;
        };
        answer.details.push(("invariant", json!(words)));
        if let Some(expression) = &words.expression {
            let same = told.iter().find(|(known, _)| *known == words);
            answer.notes.push(match same {
                Some((_, earlier)) => format!("every run stays where it does for {earlier}"),
                None => expression_text(expression, &words.expression_legend()),
            });
        }
        told.push((words, answer.property.clone()));
    }
}

const TELLING_WORK: u64 = 200_000;

/// An expression with what its names mean, in lines of at most 78 characters.
fn expression_text(expression: &str, legend: &[(&str, &str)]) -> String {
    let line = format!("every run stays in  {expression}");
    let mut text = wrap(&line, 76).replace('\n', "\n  ");
    for (name, condition) in legend {
        let condition = wrap(condition, 70).replace('\n', "\n      ");
        text += &format!("\n  {name:<2}  {condition}");
    }
    text
}
