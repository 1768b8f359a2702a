//! Reasons to doubt a protocol, in the words of the source.

use quotient_automata::{Nfa, Predicate};
use quotient_core::{Budget, Span, Stop};
use quotient_language::{Doubt, Json};
use quotient_regular::telling;
use rustc_hash::FxHashSet;
use serde_json::json;

use crate::{Compiled, Interpreter, Protocol};

/// Says what the engine said about letters and transducers in terms of values and steps.
pub(super) fn translate(
    found: &[quotient_regular::Doubt],
    invariants: &[Nfa],
    protocol: &Protocol,
    compiled: &Compiled,
    budget: &Budget,
) -> Result<Vec<Doubt>, Stop> {
    // Where nothing is proved, nothing is known to be out of reach.
    let reached = reachable(invariants, compiled, budget)?;
    let reached = reached.unwrap_or_else(|| compiled.configurations().clone());
    let mut doubts: Vec<Doubt> = Vec::new();
    for said in found.iter().map(telling::doubt) {
        let details = &said.details;
        let text = match details["doubt"].as_str() {
            Some("never-fires" | "letters-never-reached") => continue,
            Some("no-bad" | "bad-lengths") => trivial(details, "no configuration violates it"),
            Some("bad-letters") => trivial(details, "it forbids only values that nobody ever has"),
            Some("bad-never-written") => trivial(
                details,
                "no step leads to a configuration that violates it, whatever was before",
            ),
            Some("no-initial") => "there is no first configuration, whatever the size".to_owned(),
            Some("no-first-step") => "no step can be taken at the start".to_owned(),
            _ => said.text.clone(),
        };
        let property = details["property"].as_str();
        let span = property.and_then(|name| property_span(protocol, name));
        doubts.push(Doubt { text, span, ..said });
    }
    let parts = compiled.relation().parts().iter();
    for (name, part) in parts.filter(|(name, _)| !compiled.is_auxiliary(name)) {
        let fires = part.domain().intersection(&reached, budget)?;
        if fires.is_empty_language() {
            let places = protocol.step_places.iter();
            let place = places.clone().find(|(known, _)| known == name);
            doubts.push(Doubt {
                text: format!("step `{name}` can never be taken"),
                details: json!({ "doubt": "never-fires", "transducer": name }),
                span: place.map(|(_, span)| *span),
            });
        }
    }
    for never in protocol.never_taken(compiled, &letters_of(&reached).not()) {
        let mut details = json!(never);
        details["doubt"] = json!("never-taken");
        doubts.push(Doubt {
            text: never.to_string(),
            details,
            span: None,
        });
    }
    Ok(doubts)
}

/// Steps that no small instance ever takes, where there are no words to tell it for every number.
///
/// An instance says nothing about a step that names more processes than it has, or where numbers
/// such as how many may fail are still zero.
pub(super) fn of_instances(protocol: &Protocol, budget: &Budget) -> Vec<Doubt> {
    const MOST_CONFIGURATIONS: u64 = 3_000;
    const LARGEST: usize = 5;
    if protocol.speaks_of_words() || protocol.imports_steps() {
        return Vec::new();
    }
    let budget = budget.child_with_work(MOST_CONFIGURATIONS);
    let interpreter = Interpreter::plain(protocol);
    let (mut taken, mut telling, mut searched) = (FxHashSet::default(), false, 0);
    for size in 1..=LARGEST {
        let (explored, stop) = interpreter.search(size, &|_| false, &budget);
        // What was taken before the search had to stop is taken all the same.
        taken.extend(explored.taken);
        telling |= explored.telling;
        if stop.is_some() {
            break;
        }
        searched = size;
    }
    if !telling {
        return Vec::new();
    }
    let doubt = |(name, span): &(String, Span)| {
        let alike = protocol.steps.iter().filter(|step| step.name == *name);
        let people = alike.map(|step| step.people.len()).max()?;
        (searched > people && !taken.contains(name)).then(|| Doubt {
            text: format!("step `{name}` is never taken with up to {searched} processes"),
            details: json!({ "doubt": "never-fires", "transducer": name, "processes": searched }),
            span: Some(*span),
        })
    };
    protocol.step_places.iter().filter_map(doubt).collect()
}

fn trivial(doubt: &Json, why: &str) -> String {
    let property = doubt["property"].as_str().unwrap_or_default();
    format!("`{property}` holds trivially: {why}")
}

fn property_span(protocol: &Protocol, name: &str) -> Option<Span> {
    let mut all = protocol.properties.iter();
    all.find(|known| known.name == name).map(|known| known.span)
}

/// What all invariants allow.
fn reachable(
    invariants: &[Nfa],
    compiled: &Compiled,
    budget: &Budget,
) -> Result<Option<Nfa>, Stop> {
    let mut within: Option<Nfa> = None;
    for invariant in invariants {
        if invariant.alphabet() != compiled.alphabet() {
            continue;
        }
        let before = within.as_ref().unwrap_or(compiled.configurations());
        let both = before.intersection(invariant, budget)?;
        within = Some(both.canonical(budget)?.to_nfa());
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
