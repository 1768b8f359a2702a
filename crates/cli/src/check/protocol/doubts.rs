//! Reasons to doubt a protocol, in the words of the source.

use quotient_automata::{Nfa, Predicate};
use quotient_core::{Budget, Stop};
use quotient_protocol::{Compiled, Protocol};
use serde_json::{Value, json};

use super::found_invariant;
use crate::check::{Answer, Checked};

/// Says what the engine said about letters and transducers in terms of values and steps.
pub(super) fn translate(
    checked: &mut Checked,
    protocol: &Protocol,
    compiled: &Compiled,
    budget: &Budget,
) {
    let reached = match reachable(&checked.answers, compiled, budget) {
        Ok(Some(reached)) => reached,
        // Where nothing is proved, nothing is known to be out of reach.
        Ok(None) | Err(_) => compiled.configurations().clone(),
    };
    let mut doubts: Vec<(String, Value)> = Vec::new();
    for (said, doubt) in std::mem::take(&mut checked.doubts) {
        let text = match doubt["doubt"].as_str() {
            Some("never-fires" | "letters-never-reached") => continue,
            Some("no-bad" | "bad-lengths") => trivial(&doubt, "no configuration violates it"),
            Some("bad-letters") => trivial(&doubt, "it forbids only values that nobody ever has"),
            Some("bad-never-written") => trivial(
                &doubt,
                "no step leads to a configuration that violates it, whatever was before",
            ),
            Some("no-initial") => "there is no first configuration, whatever the size".to_owned(),
            Some("no-first-step") => "no step can be taken at the start".to_owned(),
            _ => said,
        };
        doubts.push((text, doubt));
    }
    let parts = compiled.relation().parts().iter();
    for (name, part) in parts.filter(|(name, _)| !compiled.is_auxiliary(name)) {
        let fires = part.domain().intersection(&reached, budget);
        if fires.is_ok_and(|fires| fires.is_empty_language()) {
            let text = format!("step `{name}` can never be taken");
            doubts.push((text, json!({ "doubt": "never-fires", "transducer": name })));
        }
    }
    for never in protocol.never_taken(compiled, &letters_of(&reached).not()) {
        let mut doubt = json!(never);
        doubt["doubt"] = json!("never-taken");
        doubts.push((never.to_string(), doubt));
    }
    checked.doubts = doubts;
}

fn trivial(doubt: &Value, why: &str) -> String {
    let property = doubt["property"].as_str().unwrap_or_default();
    format!("`{property}` holds trivially: {why}")
}

/// What all invariants allow.
fn reachable(
    answers: &[Answer],
    compiled: &Compiled,
    budget: &Budget,
) -> Result<Option<Nfa>, Stop> {
    let mut within: Option<Nfa> = None;
    let own = |invariant: &&Nfa| invariant.alphabet() == compiled.alphabet();
    for invariant in answers.iter().filter_map(found_invariant).filter(own) {
        let before = within.as_ref().unwrap_or(compiled.configurations());
        within = Some(
            before
                .intersection(invariant, budget)?
                .canonical(budget)?
                .to_nfa(),
        );
    }
    Ok(within)
}

/// The letters of all words; a canonical automaton has no useless state.
fn letters_of(nfa: &Nfa) -> Predicate {
    let mut letters = Predicate::none(nfa.alphabet());
    for label in nfa
        .edges()
        .iter()
        .filter_map(|edge| nfa.label(edge).as_ref())
    {
        letters.or_assign(label);
    }
    letters
}
