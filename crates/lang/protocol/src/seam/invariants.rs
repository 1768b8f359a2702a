//! Invariants in the words of the source.

use quotient_automata::Nfa;
use quotient_core::Budget;
use quotient_language::Answer;
use quotient_language::text::wrap;
use serde_json::json;

use crate::{Compiled, InWords, Protocol};

/// The verdict is there: to tell it may take little time, and none of its own.
const TELLING_WORK: u64 = 200_000;

/// Tells invariants that are small, each once.
#[derive(Default)]
pub(super) struct Invariants {
    told: Vec<(InWords, String)>,
}

impl Invariants {
    /// Adds the invariant that proves a property to its answer, if there are words for it.
    pub(super) fn tell(
        &mut self,
        answer: &mut Answer,
        invariant: &Nfa,
        protocol: &Protocol,
        compiled: &Compiled,
        budget: &Budget,
    ) {
        // What proves progress, or reads one by one, is over more than the letters of the source.
        if compiled.is_approximation() || invariant.alphabet() != compiled.alphabet() {
            return;
        }
        let budget = budget.child_with_work(TELLING_WORK);
        let Ok(Some(words)) = protocol.in_words(compiled, invariant, &budget) else {
            return;
        };
        let details = ("invariant".to_owned(), json!(words));
        answer.details.push(details);
        if let Some(expression) = &words.expression {
            let same = self.told.iter().find(|(known, _)| *known == words);
            answer.notes.push(match same {
                Some((_, earlier)) => format!("every run stays where it does for {earlier}"),
                None => in_lines(expression, &words.expression_legend()),
            });
        }
        self.told.push((words, answer.property.clone()));
    }
}

/// An expression with what its names mean, in lines of at most 78 characters.
fn in_lines(expression: &str, legend: &[(&str, &str)]) -> String {
    let line = format!("every run stays in  {expression}");
    let mut text = wrap(&line, 76).replace('\n', "\n  ");
    for (name, condition) in legend {
        let condition = wrap(condition, 70).replace('\n', "\n      ");
        text += &format!("\n  {name:<2}  {condition}");
    }
    text
}
