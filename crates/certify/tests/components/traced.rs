//! Components put together up to what they show on the way to an error: forged by hand.

use quotient_core::{Claim, Evidence};
use quotient_lts::System;
use quotient_lts::evidence::{AGGREGATED, LtsData, NO_DEADLOCK};
use serde_json::{Value, json};

use crate::kit::*;

/// A process that does `first` and `second` in turn, one that lets `second` happen only after
/// `first`, and a property that wants `a` before each `b`.
fn turns(first: &str, second: &str) -> System {
    let process: &[(u32, &str, u32)] = &[(0, first, 1), (1, second, 0)];
    let guard: &[(u32, &str, u32)] = &[(0, first, 1), (1, second, 0)];
    let property: &[(u32, &str, u32)] = &[(0, "a", 1), (1, "b", 0), (0, "b", BAD), (1, "a", BAD)];
    system(&[("P", process), ("R", guard), ("Q", property)])
}

/// A component as a step says it: initial state (none is the error), events, and edges.
fn small(states: u32, initial: Option<u32>, alphabet: &[u32], edges: Value) -> Value {
    json!({
        "name": "small", "states": states, "initial": initial, "alphabet": alphabet,
        "edges": edges,
    })
}

fn nothing() -> Value {
    small(1, Some(0), &[], json!([]))
}

fn claim(system: &System, steps: Value) -> Evidence {
    let body = json!({ "system": body_of(system), "watchers": [], "steps": steps });
    Evidence::of_holds(AGGREGATED, &body).about("Q")
}

fn accepts(evidence: &Evidence, system: &System) -> bool {
    certify(evidence, system, &SAFETY).is_ok()
}

#[test]
fn what_holds_is_shown_at_once_and_step_by_step() {
    let system = turns("a", "b");
    let at_once = json!([{ "parts": [0, 1, 2], "small": nothing() }]);
    assert!(accepts(&claim(&system, at_once), &system));
    let whole = |component: usize| body_of(&system)["components"][component].clone();
    let one_by_one = json!([
        { "parts": [2], "small": whole(2) },
        { "parts": [0, 1], "small": whole(0) },
        { "parts": [3, 4], "small": nothing() },
    ]);
    assert!(accepts(&claim(&system, one_by_one), &system));
    // The property alone may forget what leads to no error, since nobody else errs.
    let mut forgetful = whole(2);
    forgetful["edges"] = json!([[0, 1, 1], [1, 2, 0], [0, 2, null], [1, 1, null]]);
    let steps = json!([
        { "parts": [2], "small": forgetful },
        { "parts": [0, 1, 3], "small": nothing() },
    ]);
    assert!(accepts(&claim(&system, steps), &system));
}

#[test]
fn no_steps_show_that_a_violated_property_holds() {
    let system = turns("b", "a");
    let own = |component: usize| body_of(&system)["components"][component].clone();
    let events = body_of(&system)["events"].as_array().unwrap().len() as u32;
    let all: Vec<u32> = (1..events).collect();
    let deaf = |component: usize| {
        let mut deaf = own(component);
        deaf["edges"] = json!([]);
        deaf
    };
    let kept = |component: usize| {
        let mut kept = own(component);
        let edges = kept["edges"].as_array().unwrap().clone();
        let good = edges.into_iter().filter(|edge| !edge[2].is_null());
        kept["edges"] = json!(good.collect::<Vec<_>>());
        kept
    };
    let step = |parts: &[usize], small: Value| json!({ "parts": parts, "small": small });
    let tricks = [
        json!([]),
        json!([step(&[0, 1, 2], nothing())]),
        // The last one begins with the error, or has it somewhere.
        json!([step(&[0, 1, 2], small(1, None, &[], json!([])))]),
        json!([step(
            &[0, 1, 2],
            small(1, Some(0), &[], json!([[0, 0, null]]))
        )]),
        // Somebody is left out, used twice, or was never there.
        json!([step(&[2], nothing())]),
        json!([step(&[0, 1], nothing())]),
        json!([step(&[1, 2], own(2)), step(&[3], nothing())]),
        json!([step(&[0, 0, 1, 2], nothing())]),
        json!([step(&[0, 1, 2], nothing()), step(&[0], nothing())]),
        json!([step(&[0, 1, 2, 3], nothing())]),
        json!([step(&[], nothing()), step(&[0, 1, 2, 3], nothing())]),
        // One that shows less than its parts, while the property can still err.
        json!([step(&[0], deaf(0)), step(&[1, 2, 3], nothing())]),
        json!([
            step(&[0], small(1, Some(0), &[], json!([]))),
            step(&[1, 2, 3], nothing())
        ]),
        // The property without its error, without its steps, or without its events.
        json!([step(&[2], kept(2)), step(&[0, 1, 3], nothing())]),
        json!([step(&[2], deaf(2)), step(&[0, 1, 3], nothing())]),
        json!([step(&[2], nothing()), step(&[0, 1, 3], nothing())]),
        json!([
            step(&[2], small(1, Some(0), &all, json!([]))),
            step(&[0, 1, 3], nothing())
        ]),
        // Choices and silence.
        json!([
            step(
                &[2],
                small(2, Some(0), &all, json!([[0, 1, 1], [0, 1, 0], [0, 2, 0]]))
            ),
            step(&[0, 1, 3], nothing())
        ]),
        json!([
            step(
                &[2],
                small(2, Some(0), &all, json!([[0, 0, 1], [1, 2, 1], [1, 1, 1]]))
            ),
            step(&[0, 1, 3], nothing())
        ]),
    ];
    for steps in tricks {
        let evidence = claim(&system, steps);
        assert!(!accepts(&evidence, &system), "{evidence:?}");
        for (name, value) in [
            ("watchers", json!([2])),
            ("watchers", json!([0, 1, 2])),
            ("watchers", json!([7])),
        ] {
            let mut more = evidence.clone();
            more.body[name] = value;
            assert!(!accepts(&more, &system), "{more:?}");
        }
        for about in ["P", "R", "error", "", "Q (2)", NO_DEADLOCK] {
            let mut other = evidence.clone().about(about);
            // There is no deadlock; but these steps do not show it.
            assert!(!accepts(&other, &system), "{other:?}");
            other.claim = Claim::Violated;
            assert!(!accepts(&other, &system), "{other:?}");
        }
        let mut idle_property = evidence.clone();
        idle_property.body["system"]["components"][2] = idle("Q");
        assert!(!accepts(&idle_property, &system), "{idle_property:?}");
    }
}

#[test]
fn events_taken_for_others_show_nothing_about_errors() {
    let system = turns("a", "b");
    let step = json!({ "parts": [0, 1, 2], "small": nothing(), "merged": [[1, 2]] });
    assert!(!accepts(&claim(&system, json!([step])), &system));
}

#[test]
fn a_second_property_is_idle_or_counts() {
    // `GOOD` is kept and `Q` is not; idle is only who is not asked about.
    let system = two_properties("b");
    let body = |idle_one: Option<(usize, &str)>| {
        let mut given = body_of(&system);
        if let Some((at, name)) = idle_one {
            given["components"][at] = idle(name);
        }
        let nothing: Value = json!(LtsData::new(
            "small",
            &quotient_lts::LtsBuilder::new().build()
        ));
        let parts: Vec<usize> = match idle_one {
            Some((at, _)) => (0..3).filter(|&one| one != at).collect(),
            None => vec![0, 1, 2],
        };
        json!({ "system": given, "watchers": [], "steps": [{ "parts": parts, "small": nothing }] })
    };
    for idle_one in [None, Some((0, "P")), Some((1, "GOOD")), Some((2, "Q"))] {
        let evidence = Evidence::of_holds(AGGREGATED, &body(idle_one)).about("Q");
        assert!(!accepts(&evidence, &system), "{idle_one:?}");
    }
}
