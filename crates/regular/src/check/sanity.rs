//! Answers that need no search.

use std::sync::Arc;

use quotient_automata::{Canonical, Nfa, Predicate};
use quotient_core::{Context, Stop};

use super::Found;
use crate::{Proof, Run, System};

/// Empty sets, and initial configurations that are bad.
pub(super) fn answer(
    system: &System,
    property: usize,
    cx: &Context,
) -> Result<Option<Found>, Stop> {
    let proof = |invariant: Canonical| {
        Found::Proof(Proof {
            invariant: Arc::new(invariant),
            steps: 0,
        })
    };
    if system.initial().is_empty_language() {
        cx.story.note("there is no initial configuration");
        return Ok(Some(proof(Canonical::empty(system.alphabet()))));
    }
    if system.bad(property).is_empty_language() {
        cx.story.note(format!(
            "`{}` has no bad configuration",
            system.property_name(property)
        ));
        let everything = Nfa::builder(system.alphabet())
            .initial(0)
            .edge(0, &Predicate::all(system.alphabet()), 0)
            .accepting(0)
            .build();
        return Ok(Some(proof(everything.canonical(&cx.budget)?)));
    }
    let both = system
        .initial()
        .intersection(system.bad(property), &cx.budget)?;
    match both.shortest_word() {
        None => Ok(None),
        Some(word) => {
            let family = vec![Arc::new(both.minimize(&cx.budget)?)];
            Ok(Some(Found::Run(Run::named(system, vec![word], family)?)))
        }
    }
}
