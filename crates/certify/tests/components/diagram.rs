//! Diagrams of states that are left, or that have something bad in them: made by hand, one for each rule.

use quotient_core::{Evidence, Rejection};
use quotient_lts::evidence::{DIAGRAM, NO_DEADLOCK, Sought};
use quotient_lts::{Question, System};
use serde_json::{Value, json};

use crate::kit::*;

/// Two that do `go` together; the second can also rest in between. The property forbids a step that
/// nobody makes.
fn pair() -> System {
    system(&[
        ("P", &[(0, "go", 1), (1, "back", 0), (2, "bad", 2)]),
        ("Q", &[(0, "go", 1), (1, "rest", 2), (2, "back", 0)]),
        ("N", &[(0, "bad", BAD)]),
    ])
}

fn claim(system: &System, about: &str, sought: Sought, order: &[usize], nodes: Value) -> Evidence {
    let body =
        json!({ "system": body_of(system), "sought": sought, "order": order, "nodes": nodes });
    Evidence::of_holds(DIAGRAM, &body).about(about)
}

#[track_caller]
fn refused(system: &System, evidence: &Evidence, why: &str) {
    match certify(evidence, system, &SAFETY) {
        Err(Rejection::Wrong(said) | Rejection::Unreadable(said)) => {
            assert!(said.contains(why), "{said}");
        }
        other => panic!("{other:?}\n{evidence:?}"),
    }
}

/// All that can be reached: both at the start, or the first has gone and the second is at 1 or 2.
fn reached() -> Value {
    json!([[[0, 0]], [[0, 1]], [[1, 1], [2, 1]], [[0, 2], [1, 3]]])
}

#[test]
fn what_no_step_leaves_is_accepted_for_both_questions() {
    let system = pair();
    for (about, sought) in [(NO_DEADLOCK, Sought::Deadlock), ("N", Sought::Error)] {
        let evidence = claim(&system, about, sought, &[0, 1, 2], reached());
        assert!(certify(&evidence, &system, &SAFETY).is_ok());
        // About nothing else than what is asked.
        let other = Question::Progress(Vec::new());
        assert!(certify(&evidence, &system, &other).is_err());
    }
    // With states that are not reached, as long as nothing goes wrong from there.
    let more = json!([
        [[0, 0]],
        [[0, 1]],
        [[0, 1], [1, 1], [2, 1]],
        [[0, 3], [1, 3]]
    ]);
    let evidence = claim(&system, "N", Sought::Error, &[0, 1, 2], more.clone());
    assert!(certify(&evidence, &system, &SAFETY).is_ok());
    let evidence = claim(&system, NO_DEADLOCK, Sought::Deadlock, &[0, 1, 2], more);
    refused(&system, &evidence, "without steps");
}

#[test]
fn a_set_that_is_left_or_without_the_start() {
    let system = pair();
    for (nodes, why) in [
        // The second cannot rest.
        (
            json!([[[0, 0]], [[0, 1]], [[1, 1]], [[0, 2], [1, 3]]]),
            "leads out",
        ),
        // The first cannot go.
        (json!([[[0, 0]], [[0, 1]], [[0, 2]]]), "leads out"),
        // Nothing comes back.
        (
            json!([[[0, 0]], [[1, 1], [2, 1]], [[1, 2]]]),
            "without the start",
        ),
    ] {
        for (about, sought) in [(NO_DEADLOCK, Sought::Deadlock), ("N", Sought::Error)] {
            let evidence = claim(&system, about, sought, &[0, 1, 2], nodes.clone());
            refused(&system, &evidence, why);
        }
    }
}

#[test]
fn errors_and_silent_steps_count() {
    let erring = system(&[
        ("P", &[(0, "a", 1), (1, "bad", 0)]),
        ("N", &[(0, "bad", BAD)]),
    ]);
    let all = json!([[[0, 0]], [[0, 1], [1, 1]]]);
    let evidence = claim(&erring, "N", Sought::Error, &[0, 1], all.clone());
    refused(&erring, &evidence, "into an error");
    // Asked for in the other order, too.
    let turned = json!([[[0, 0], [1, 0]], [[0, 1]]]);
    let evidence = claim(&erring, "N", Sought::Error, &[1, 0], turned);
    refused(&erring, &evidence, "into an error");
    // An execution ends with an error: that is no deadlock.
    let evidence = claim(&erring, NO_DEADLOCK, Sought::Deadlock, &[0, 1], all);
    assert!(certify(&evidence, &erring, &SAFETY).is_ok());
    // What was looked for is what is claimed.
    let sought_wrongly = claim(
        &erring,
        "N",
        Sought::Deadlock,
        &[0, 1],
        json!([[[0, 0]], [[0, 1], [1, 1]]]),
    );
    refused(&erring, &sought_wrongly, "not about `N`");
    let mut silent = System::new();
    let tau = quotient_lts::Action::TAU;
    let mut builder = quotient_lts::LtsBuilder::new();
    builder.edge(0, tau, 1);
    silent.process("P", builder.build());
    for (nodes, why) in [
        (json!([[[0, 0]]]), "leads out"),
        (json!([[[0, 0], [1, 0]]]), "without steps"),
    ] {
        let evidence = claim(&silent, NO_DEADLOCK, Sought::Deadlock, &[0], nodes);
        refused(&silent, &evidence, why);
    }
}

#[test]
fn an_end_is_good_only_if_all_have_ended_that_can() {
    let ends = |second: u32| {
        let mut system = System::new();
        let one = ending(&mut system, &[(0, "a", 1)], 1);
        let other = ending(&mut system, &[(0, "a", 1), (1, "b", 2)], second);
        let nodes = [system.process("P", one), system.process("Q", other)];
        system.parallel(nodes);
        system
    };
    let all = json!([[[0, 0]], [[1, 0], [2, 0]], [[0, 1], [1, 2]]]);
    let evidence =
        |system: &System| claim(system, NO_DEADLOCK, Sought::Deadlock, &[0, 1], all.clone());
    let well = ends(2);
    assert!(certify(&evidence(&well), &well, &SAFETY).is_ok());
    let badly = ends(3);
    refused(&badly, &evidence(&badly), "without steps");
}

#[test]
fn diagrams_that_are_none() {
    let system = pair();
    let nodes = reached();
    for order in [&[0, 1][..], &[0, 1, 1], &[0, 1, 2, 2], &[0, 1, 3]] {
        let evidence = claim(&system, "N", Sought::Error, order, nodes.clone());
        refused(&system, &evidence, "not every component");
    }
    for (nodes, why) in [
        (json!([]), "not one beginning"),
        (json!([[]]), "no place"),
        (json!([[[0, 7]]]), "no place"),
        (json!([[[0, 1]]]), "no place"),
        // The third level twice, and four levels.
        (
            json!([[[0, 0]], [[0, 1]], [[0, 1], [1, 2]]]),
            "several levels",
        ),
        (json!([[[0, 0]], [[0, 1]], [[0, 2]], [[0, 3]]]), "no place"),
        (
            json!([[[0, 0]], [[0, 1]], [[0, 2]], [[1, 2]]]),
            "not one beginning",
        ),
        (json!([[[0, 0]], [[0, 1]]]), "not one beginning"),
        (
            json!([[[0, 0]], [[1, 1], [0, 1]], [[0, 2]]]),
            "not in order",
        ),
        (
            json!([[[0, 0]], [[1, 1], [1, 1]], [[0, 2]]]),
            "not in order",
        ),
        (json!([[[0, 0]], [[0, 1]], [[9, 2]]]), "not so many states"),
    ] {
        let evidence = claim(&system, "N", Sought::Error, &[0, 1, 2], nodes);
        refused(&system, &evidence, why);
    }
}
