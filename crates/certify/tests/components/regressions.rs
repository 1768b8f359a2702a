//! False claims that were accepted once.

use quotient_certify::certify_components;
use quotient_compose::Way;
use quotient_core::{Budget, Claim, Evidence, Rejection};
use quotient_logic::{Formula, Unary};
use quotient_lts::evidence::{
    AGGREGATED, ASSUMPTION, EXPLORED, NO_DEADLOCK, STUBBORN, Sought, TRACE,
};
use quotient_lts::{Action, Fluent, Progress, Question, System};
use serde_json::{Value, json};

use crate::kit::*;

/// Everything that could be said to hold about a system as it is given.
fn claims(system: &Value, property: &[usize], about: &str) -> Vec<Evidence> {
    let sought = match about {
        NO_DEADLOCK => Sought::Deadlock,
        _ => Sought::Error,
    };
    let events = system["events"].as_array().unwrap().len();
    let sticky: Vec<usize> = (1..events).collect();
    let explored = json!({ "system": system, "sought": sought });
    let stubborn = json!({ "system": system, "sought": sought, "sticky": sticky });
    let assumption = |rule: &str, groups: Value| {
        json!({
            "system": system, "rule": rule, "property": property,
            "groups": groups, "assumptions": [],
        })
    };
    let aggregated = json!({ "system": system, "watchers": [], "steps": [] });
    let all = [
        (EXPLORED, explored),
        (STUBBORN, stubborn),
        (AGGREGATED, aggregated),
        (ASSUMPTION, assumption("asymmetric", json!([[]]))),
        (ASSUMPTION, assumption("circular", json!([[0]]))),
        (ASSUMPTION, assumption("symmetric", json!([]))),
    ];
    let evidence = |(kind, body): (&str, Value)| Evidence::of_holds(kind, &body).about(about);
    all.into_iter().map(evidence).collect()
}

fn refused(evidence: &[Evidence], system: &System, question: &Question) {
    for one in evidence {
        let result = certify(one, system, question);
        assert!(
            matches!(result, Err(Rejection::Wrong(_) | Rejection::Unreadable(_))),
            "{result:?}\n{one:?}"
        );
    }
}

#[test]
fn a_violated_property_does_not_hold_because_it_is_idle() {
    let system = two_properties("b");
    let mut body = body_of(&system);
    for at in [0, 1, 2] {
        let mut body = body.clone();
        let name = body["components"][at]["name"].as_str().unwrap().to_owned();
        body["components"][at] = idle(&name);
        refused(&claims(&body, &[2], "Q"), &system, &SAFETY);
        refused(&claims(&body, &[at], "Q"), &system, &SAFETY);
        refused(&claims(&body, &[at], "error"), &system, &SAFETY);
    }
    body["components"].as_array_mut().unwrap().remove(2);
    refused(&claims(&body, &[], "Q"), &system, &SAFETY);
    refused(&claims(&body_of(&system), &[], "Q"), &system, &SAFETY);
    refused(&claims(&body_of(&system), &[], ""), &system, &SAFETY);
    refused(&claims(&body_of(&system), &[1], "Q"), &system, &SAFETY);
    refused(&claims(&body_of(&system), &[0], "P"), &system, &SAFETY);
}

#[test]
fn a_process_that_never_stands_in_the_way_is_not_idle() {
    let system = system(&[("CLOCK", &[(0, "tick", 0)])]);
    let tick = system.actions.get("tick").unwrap();
    let question = Question::Formula {
        name: "NEVER".into(),
        formula: never(0),
        fluents: vec![just(tick)],
        fair: false,
    };
    let mut body = json!({ "system": body_of(&system), "sought": Sought::Formula { fair: false } });
    let honest = Evidence::of_holds(EXPLORED, &body).about("NEVER");
    body["system"]["components"][0] = idle("CLOCK");
    let idled = Evidence::of_holds(EXPLORED, &body).about("NEVER");
    refused(&[honest, idled], &system, &question);
    // A clock goes on for ever: no deadlock can be shown where it is idle.
    let trace = json!({ "system": body["system"], "initial": [0], "steps": [], "error": null });
    let trace = Evidence::of_violated(TRACE, &trace).about(NO_DEADLOCK);
    refused(&[trace], &system, &SAFETY);
}

fn never(fluent: usize) -> Formula<usize> {
    Formula::unary(Unary::Globally(None), !Formula::atom(fluent))
}

fn just(action: Action) -> Fluent {
    Fluent {
        name: "just".into(),
        begin: vec![action],
        end: None,
        initially: false,
    }
}

#[test]
fn properties_of_one_name_are_told_apart_by_their_places() {
    let system = system(&[
        ("P", &[(0, "a", 1), (1, "b", 0)]),
        (
            "Q",
            &[(0, "a", 1), (1, "b", 0), (0, "b", BAD), (1, "a", BAD)],
        ),
        ("Q", &[(0, "b", BAD)]),
    ]);
    for way in [Way::Monolithic, Way::Automatic] {
        let evidence = found(&system, &SAFETY, way, u64::MAX);
        let second = |one: &&Evidence| one.property.as_deref() == Some("Q (2)");
        let second = evidence.iter().find(second).unwrap();
        assert_eq!(second.claim, Claim::Violated);
        assert!(certify(second, &system, &SAFETY).is_ok());
        refused(&[second.clone().about("Q")], &system, &SAFETY);
    }
    let mut body = body_of(&system);
    refused(&claims(&body, &[1], "Q (2)"), &system, &SAFETY);
    refused(&claims(&body, &[2], "Q"), &system, &SAFETY);
    body["components"][2] = idle("Q");
    refused(&claims(&body, &[1], "Q (2)"), &system, &SAFETY);
    refused(&claims(&body, &[1, 1], "Q, Q"), &system, &SAFETY);
}

#[test]
fn a_property_may_be_called_as_what_nobody_calls_a_property() {
    for name in ["error", NO_DEADLOCK, "", "P, Q"] {
        let system = system(&[("P", &[(0, "a", 0)]), (name, &[(0, "a", BAD)])]);
        let mut body = body_of(&system);
        refused(&claims(&body, &[1], name), &system, &SAFETY);
        body["components"][1] = idle(name);
        refused(&claims(&body, &[1], name), &system, &SAFETY);
        refused(&claims(&body, &[], "error"), &system, &SAFETY);
    }
}

#[test]
fn one_property_that_never_fails_does_not_hide_another() {
    // One of them stands in the way of others where nobody comes, so that they are one property.
    let system = system(&[
        ("P", &[(0, "a", 1), (1, "b", 0)]),
        ("GOOD", &[(0, "a", 0), (0, "b", 0), (1, "a", BAD)]),
        ("Q", &[(0, "a", 0), (0, "b", BAD)]),
    ]);
    let nothing = json!({
        "name": "A", "states": 1, "initial": 0, "alphabet": [1], "edges": [],
    });
    let body = json!({
        "system": body_of(&system), "rule": "symmetric", "property": [1, 2],
        "groups": [[0]], "assumptions": [nothing],
    });
    let evidence = Evidence::of_holds(ASSUMPTION, &body).about("GOOD, Q");
    refused(&[evidence], &system, &SAFETY);
}

#[test]
fn an_end_that_cannot_be_reached_is_not_added() {
    let mut system = System::new();
    let ended = ending(&mut system, &[(0, "a", 1)], 1);
    let other = lts(&mut system, &[(0, "a", 1)]);
    let nodes = [system.process("P", ended), system.process("R", other)];
    system.parallel(nodes);
    let body = body_of(&system);
    let trace = |body: &Value| {
        let step = json!({ "event": 1, "action": "a", "states": [1, 1] });
        let trace = json!({ "system": body, "initial": [0, 0], "steps": [step], "error": null });
        Evidence::of_violated(TRACE, &trace).about(NO_DEADLOCK)
    };
    // `P` has ended and `R` never can: that is a good end.
    refused(&[trace(&body)], &system, &SAFETY);
    let mut longer = body.clone();
    longer["components"][1]["states"] = json!(3);
    longer["components"][1]["end"] = json!(2);
    refused(&[trace(&longer)], &system, &SAFETY);
    // And the other way round: what cannot end is not said to.
    let mut shorter = body;
    shorter["components"][0]
        .as_object_mut()
        .unwrap()
        .remove("end");
    refused(&[trace(&shorter)], &system, &SAFETY);
}

#[test]
fn more_than_64_fluents_are_told_apart() {
    // The 65th fluent must not be taken for the first.
    let system = system(&[("P", &[(0, "a", 1), (1, "b", 0)])]);
    let [a, b, c] = ["a", "b", "c"].map(|name| system.actions.get(name).unwrap_or(Action::TAU));
    let mut fluents = vec![just(a); 65];
    fluents[64] = just(c);
    let asked = |fluent: usize| Question::Formula {
        name: "NEVER".into(),
        formula: never(fluent),
        fluents: fluents.clone(),
        fair: false,
    };
    assert!(!b.is_tau());
    let sought = Sought::Formula { fair: false };
    let holds = json!({ "system": body_of(&system), "sought": sought });
    let holds = Evidence::of_holds(EXPLORED, &holds).about("NEVER");
    let step =
        |event: u32, name: &str, to: u32| json!({ "event": event, "action": name, "states": [to] });
    let lasso = json!({
        "system": body_of(&system), "sought": sought, "initial": [0], "way": [],
        "cycle": [step(1, "a", 1), step(2, "b", 0)],
    });
    let violated = Evidence::of_violated("components-lasso", &lasso).about("NEVER");
    assert!(certify(&violated, &system, &asked(0)).is_ok());
    refused(std::slice::from_ref(&holds), &system, &asked(0));
    assert!(certify(&holds, &system, &asked(64)).is_ok());
    refused(&[violated], &system, &asked(64));
}

#[test]
fn claimed_sizes_are_bounded_by_the_file() {
    let system = two_properties("c");
    let mut body = body_of(&system);
    body["components"][0]["states"] = json!(1u32 << 26);
    refused(&claims(&body, &[2], "Q"), &system, &SAFETY);
    let huge = json!({
        "name": "A", "states": 1u32 << 26, "initial": 0, "alphabet": [1], "edges": [],
    });
    let body = body_of(&system);
    let assumed = json!({
        "system": body, "rule": "asymmetric", "property": [2], "groups": [[0], [1]],
        "assumptions": [huge],
    });
    let step = json!({ "parts": [0], "small": huge });
    let aggregated = json!({ "system": body, "watchers": [1, 2], "steps": [step] });
    let silence = json!({ "system": body, "sought": "error", "sticky_silence": [u64::MAX] });
    let evidence = [
        Evidence::of_holds(ASSUMPTION, &assumed).about("Q"),
        Evidence::of_holds(AGGREGATED, &aggregated).about(NO_DEADLOCK),
        Evidence::of_holds(STUBBORN, &silence).about("Q"),
    ];
    refused(&evidence, &system, &SAFETY);
}

#[test]
fn deep_bodies_are_not_followed() {
    let system = two_properties("c");
    let mut body = json!([]);
    for _ in 0..1_000 {
        body = json!([body]);
    }
    let deep = Evidence::of_holds(EXPLORED, &body).about("Q");
    refused(&[deep], &system, &SAFETY);
}

#[test]
fn evidence_about_safety_does_not_answer_another_question() {
    let system = two_properties("b");
    let trace = found(&system, &SAFETY, Way::Monolithic, u64::MAX);
    assert!(certify(&trace[0], &system, &SAFETY).is_ok());
    let progress = Question::Progress(vec![]);
    refused(&trace, &system, &progress);
}

#[test]
fn an_execution_into_an_error_does_not_break_a_formula() {
    let system = system(&[("P", &[(0, "a", BAD)])]);
    let a = system.actions.get("a").unwrap();
    let question = Question::Formula {
        name: "NEVER".into(),
        formula: never(0),
        fluents: vec![just(a)],
        fair: false,
    };
    let step = json!({ "event": 1, "action": "a", "states": [null] });
    let lasso = json!({
        "system": body_of(&system), "sought": Sought::Formula { fair: false },
        "initial": [0], "way": [step], "cycle": [],
    });
    let evidence = Evidence::of_violated("components-lasso", &lasso).about("NEVER");
    refused(&[evidence], &system, &question);
}

#[test]
fn a_set_that_an_error_leaves_is_not_one_that_cannot_be_left() {
    let system = system(&[("P", &[(0, "a", 0), (0, "b", BAD)])]);
    let question = Question::Progress(vec![Progress {
        name: "B".into(),
        condition: Some(vec![system.actions.get("a").unwrap()]),
        actions: vec![Action::TAU],
    }]);
    let step = json!({ "event": 1, "action": "a", "states": [0] });
    let lasso = json!({
        "system": body_of(&system), "sought": Sought::Starvation,
        "initial": [0], "way": [], "cycle": [step],
    });
    let evidence = Evidence::of_violated("components-lasso", &lasso).about("B");
    refused(&[evidence], &system, &question);
}

#[test]
fn many_like_states_do_not_keep_the_checker_busy() {
    // Each component of the evidence has 30 targets that are all the same: together they are
    // more than anyone can count, in a file of a few kilobytes.
    const LIKE: u32 = 30;
    let loops: &[(u32, &str, u32)] = &[(0, "a", 0)];
    let system = system(&[("P", loops); 12]);
    let mut body = body_of(&system);
    let edges: Vec<(u32, u32, u32)> = (0..LIKE)
        .flat_map(|from| (0..LIKE).map(move |to| (from, 1, to)))
        .collect();
    for component in body["components"].as_array_mut().unwrap() {
        component["states"] = json!(LIKE);
        component["edges"] = json!(edges);
    }
    for evidence in claims(&body, &[], NO_DEADLOCK) {
        let budget = Budget::unlimited().child_with_work(1_000_000);
        assert!(certify_components(&evidence, &system, &SAFETY, &budget).is_err());
    }
    let trace = json!({ "system": body, "initial": [0], "steps": [], "error": null });
    let trace = Evidence::of_violated(TRACE, &trace).about(NO_DEADLOCK);
    let budget = Budget::unlimited().child_with_work(1_000_000);
    assert!(certify_components(&trace, &system, &SAFETY, &budget).is_err());
}
