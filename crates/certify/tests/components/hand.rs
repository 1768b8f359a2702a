//! Searches, traces, assumptions and aggregations of what is not so: made by hand, one for each rule.

use quotient_core::{Evidence, Rejection};
use quotient_lts::evidence::{
    AGGREGATED, ASSUMPTION, EXPLORED, NO_DEADLOCK, STUBBORN, Sought, TRACE,
};
use quotient_lts::{Question, System};
use serde_json::{Value, json};

use crate::kit::*;

/// Goes on for ever, and what `Q` forbids happens; what `N` forbids does not.
fn broken() -> System {
    system(&[
        ("P", &[(0, "a", 0), (1, "b", 1)]),
        ("Q", &[(0, "a", BAD)]),
        ("N", &[(0, "b", BAD)]),
    ])
}

/// One step, and then nothing.
fn stuck() -> System {
    system(&[("P", &[(0, "a", 1)])])
}

#[track_caller]
fn refused(system: &System, question: &Question, evidence: Evidence, why: &str) {
    match certify(&evidence, system, question) {
        Err(Rejection::Wrong(said) | Rejection::Unreadable(said)) => {
            assert!(said.contains(why), "{said}\n{evidence:?}");
        }
        other => panic!("{other:?}\n{evidence:?}"),
    }
}

fn holds(kind: &str, about: &str, body: &Value) -> Evidence {
    Evidence::of_holds(kind, body).about(about)
}

#[test]
fn a_deadlock_is_found_by_every_search() {
    let system = stuck();
    let body = body_of(&system);
    let search = json!({ "system": body, "sought": Sought::Deadlock });
    refused(
        &system,
        &SAFETY,
        holds(EXPLORED, NO_DEADLOCK, &search),
        "there is a deadlock",
    );
    let stubborn = json!({ "system": body, "sought": Sought::Deadlock, "sticky": [] });
    refused(
        &system,
        &SAFETY,
        holds(STUBBORN, NO_DEADLOCK, &stubborn),
        "there is a deadlock",
    );
    // A small system that is silently busy for ever is not like one that stops.
    let busy =
        json!({ "name": "S", "states": 1, "initial": 0, "alphabet": [], "edges": [[0, 0, 0]] });
    let step = |small: &Value| json!({ "parts": [0], "small": small });
    let data = |steps: Value| json!({ "system": body, "watchers": [], "steps": steps });
    let rest = json!({ "name": "S", "states": 1, "initial": 0, "alphabet": [], "edges": [] });
    for (steps, why) in [
        (json!([step(&busy)]), "does not come to"),
        (json!([step(&rest)]), "get stuck"),
        (json!([]), "get stuck"),
    ] {
        let evidence = holds(AGGREGATED, NO_DEADLOCK, &data(steps));
        refused(&system, &SAFETY, evidence, why);
    }
}

#[test]
fn what_was_searched_for_is_what_is_claimed() {
    let system = broken();
    let body = body_of(&system);
    let none = json!({ "system": body, "sought": Sought::Deadlock });
    assert!(certify(&holds(EXPLORED, NO_DEADLOCK, &none), &system, &SAFETY).is_ok());
    refused(
        &system,
        &SAFETY,
        holds(EXPLORED, "Q", &none),
        "not about `Q`",
    );
    // Names of events are those of the model, also where nothing depends on them.
    let mut renamed = none.clone();
    renamed["system"]["events"][1] = json!("other");
    refused(
        &system,
        &SAFETY,
        holds(EXPLORED, NO_DEADLOCK, &renamed),
        "the events are",
    );
    // Where no property is named, it is that every action goes on, and nothing else.
    let progress = json!({ "system": body_of(&stuck()), "sought": Sought::Starvation });
    let every = Question::Progress(Vec::new());
    refused(
        &stuck(),
        &every,
        holds(EXPLORED, "nothing", &progress),
        "no property `nothing`",
    );
}

#[test]
fn a_trace_ends_with_the_error_that_it_names() {
    let system = broken();
    let body = body_of(&system);
    let trace = |error: usize, steps: Value| {
        let data = json!({ "system": body, "initial": [0, 0, 0], "steps": steps, "error": error });
        Evidence::of_violated(TRACE, &data)
    };
    let a = json!({ "event": 1, "action": "a", "states": [0, null, 0] });
    let shown = trace(1, json!([a])).about("Q");
    assert!(certify(&shown, &system, &SAFETY).is_ok());
    refused(
        &system,
        &SAFETY,
        trace(2, json!([])).about("N"),
        "in its error state",
    );
    refused(
        &system,
        &SAFETY,
        trace(2, json!([a])).about("N"),
        "in its error state",
    );
    refused(
        &system,
        &SAFETY,
        trace(1, json!([a])).about("N"),
        "not about `N`",
    );
}

#[test]
fn assumptions_that_nobody_keeps() {
    let system = broken();
    let body = body_of(&system);
    let proof = |rule: &str, groups: Value, assumptions: Value| {
        let data = json!({
            "system": body, "rule": rule, "property": [1], "groups": groups, "assumptions": assumptions,
        });
        holds(ASSUMPTION, "Q", &data)
    };
    let lts = |edges: Value| json!({ "name": "A", "states": 1, "initial": 0, "alphabet": [1], "edges": edges });
    // That `a` never happens would be enough: but nobody is left to keep that.
    let never = lts(json!([]));
    let alone = |rule: &str| proof(rule, json!([[0]]), json!([never]));
    refused(
        &system,
        &SAFETY,
        alone("asymmetric"),
        "no component is left",
    );
    refused(&system, &SAFETY, alone("circular"), "no component is left");
    refused(
        &system,
        &SAFETY,
        proof("asymmetric", json!([[], [0]]), json!([never])),
        "does not keep",
    );
    // An assumption that everything keeps belongs to no group.
    let anything = lts(json!([[0, 1, 0]]));
    refused(
        &system,
        &SAFETY,
        proof("symmetric", json!([]), json!([anything])),
        "its assumption",
    );
    refused(
        &system,
        &SAFETY,
        proof("symmetric", json!([[0]]), json!([anything])),
        "does not keep",
    );
    refused(&system, &SAFETY, alone("symmetric"), "outside all");
    refused(&system, &SAFETY, alone("other"), "no rule");
}
