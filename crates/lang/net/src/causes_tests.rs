//! Proofs that nets are never stuck against all markings.

use quotient_core::{Budget, Context, Evidence, Verdict};
use quotient_trial::arbitrary::{Result as Made, Unstructured};

use crate::causes::solve;
use crate::certify::certify;
use crate::check::Task;
use crate::evidence::{CAUSES, Causes};
use crate::formula::{Formula, Question};
use crate::net::Net;
use crate::properties::Asked;
use crate::testing::{checker, read, some_markings};

/// Tokens that go round, with tests, numbers and an inhibitor now and then.
fn random_net(u: &mut Unstructured<'_>) -> Made<String> {
    let places = ["a", "b", "c", "d", "e"];
    let mut text = String::new();
    for place in places {
        text += &format!("pl {place} ({})\n", u.int_in_range(0..=2)?);
    }
    for number in 0..u.int_in_range(2..=7)? {
        text += &format!("tr t{number} ");
        for _ in 0..u.int_in_range(1..=2)? {
            let place = *u.choose(&places)?;
            text += &match u.int_in_range(0..=11)? {
                0 => format!("{place}?1 "),
                1 => format!("{place}?-2 "),
                2 | 3 => format!("{place}*2 "),
                _ => format!("{place} "),
            };
        }
        text += "->";
        for _ in 0..u.int_in_range(1..=3)? {
            text += &format!(" {}", u.choose(&places)?);
        }
        text += "\n";
    }
    Ok(text)
}

/// The reachable markings near the start, and whether these are all.
fn gets_stuck(net: &Net) -> bool {
    let (all, _) = some_markings(net, 400);
    all.iter().any(|marking| Formula::Dead.holds(net, marking))
}

fn never_stuck() -> Asked {
    Asked {
        name: "alive".to_owned(),
        text: "alive".to_owned(),
        kind: "deadlock",
        question: Question::Always(Formula::Not(Box::new(Formula::Dead))),
        span: None,
    }
}

fn judged(net: &Net, evidence: &Evidence) -> Result<(), String> {
    let (question, budget) = (never_stuck().question, Budget::unlimited());
    let judged = certify(net, "alive", &question, evidence, &budget);
    judged.map(|_| ()).map_err(|why| why.to_string())
}

/// The net with something else in it: a token less or more, a need more, a transition less.
fn changed(u: &mut Unstructured<'_>, net: &Net) -> Made<Net> {
    let mut net = net.clone();
    let place = u.choose_index(net.places.len())?;
    let one = u.choose_index(net.transitions.len())?;
    match u.int_in_range(0..=4)? {
        0 => {
            let tokens = net.places[place].least.saturating_sub(1);
            (net.places[place].least, net.places[place].most) = (tokens, Some(tokens));
        }
        1 => drop(net.transitions.remove(one)),
        2 => net.transitions[one].effect.retain(|effect| effect.1 < 0),
        3 => {
            for guard in &mut net.transitions[one].guard {
                guard.least += 1;
            }
        }
        _ => {
            for guard in &mut net.transitions[one].guard {
                guard.most = Some(guard.least);
            }
        }
    }
    Ok(net)
}

/// The evidence with something else in it.
fn tampered(u: &mut Unstructured<'_>, body: &Causes) -> Made<Causes> {
    let mut body = body.clone();
    let limits: Vec<_> = body.steps.iter().map(|step| step.limits.clone()).collect();
    let at = u.choose_index(body.steps.len())?;
    let step = &mut body.steps[at];
    match u.int_in_range(0..=4)? {
        0 => step.limits = limits[u.choose_index(limits.len())?].clone(),
        1 => step
            .because
            .iter_mut()
            .for_each(|one| *one = one.saturating_sub(1)),
        2 => step.because.truncate(1),
        3 => step.transition = format!("t{}", u.int_in_range(0..=6)?),
        _ => drop(body.steps.pop()),
    }
    Ok(body)
}

#[test]
fn what_causes_exclude_is_never_stuck_and_forged_ones_exclude_nothing() {
    let (mut proved, mut trapped, mut weighed, mut endless, mut forgeries) = (0, 0, 0, 0, 0);
    quotient_trial::trial(|u| {
        let text = random_net(u)?;
        let net = read(&text);
        let cx = Context::default();
        let checker = checker(&net, &cx);
        let start = net.start().unwrap();
        let mut tasks = Task::of(0, &never_stuck());
        solve(&checker, &start, &mut tasks).unwrap();
        let Some(answer) = tasks[0].answer.take() else {
            return Ok(());
        };
        assert_eq!(answer.verdict, Verdict::Holds);
        assert!(!gets_stuck(&net), "{text}");
        let evidence = answer.evidence.unwrap();
        judged(&net, &evidence).unwrap_or_else(|why| panic!("{why}\n{text}"));
        let body: Causes = evidence.read().unwrap();
        proved += 1;
        trapped += usize::from(!body.traps.is_empty());
        weighed += usize::from(!body.weights.is_empty());
        endless += usize::from(!some_markings(&net, 400).1);
        // It shows nothing false about other nets, whatever is done to it.
        for _ in 0..4 {
            let other = changed(u, &net)?;
            if !gets_stuck(&other) {
                continue;
            }
            forgeries += 1;
            assert!(judged(&other, &evidence).is_err(), "{text}{other:?}");
            let forged = Evidence::of_holds(CAUSES, &tampered(u, &body)?).about("alive");
            assert!(
                judged(&other, &forged).is_err(),
                "{text}{other:?}{forged:?}"
            );
        }
        Ok(())
    })
    .cases(1_000);
    assert!(
        proved > 50 && trapped > 20 && weighed > 5 && endless > 5 && forgeries > 50,
        "{proved} {trapped} {weighed} {endless} {forgeries}"
    );
}

/// Why pieces do not show that a net is never stuck.
fn refused(text: &str, body: serde_json::Value) -> String {
    let net = read(text);
    let evidence = Evidence::of_holds(CAUSES, &body).about("alive");
    judged(&net, &evidence).map_or_else(|why| why, |()| "accepted".to_owned())
}

#[test]
fn pieces_that_leave_causes() {
    let json = |traps: serde_json::Value, weights: serde_json::Value, steps: serde_json::Value| serde_json::json!({ "traps": traps, "weights": weights, "steps": steps });
    let step = |limits: serde_json::Value, transition: &str, because: &[usize]| serde_json::json!({ "limits": limits, "transition": transition, "because": because });
    let empty = || serde_json::json!({});
    let round = "pl a (1)\ntr t a -> b\ntr u b -> a\n";
    let trap = || serde_json::json!([["a", "b"]]);
    let no_b = || step(serde_json::json!({ "b": 0 }), "t", &[0]);
    let none = || serde_json::json!([]);
    let steps = serde_json::json!([no_b(), step(empty(), "u", &[1])]);
    assert_eq!(refused(round, json(trap(), none(), steps)), "accepted");
    let said = |steps| refused(round, json(trap(), none(), steps));
    assert!(said(serde_json::json!([no_b()])).contains("are left"));
    assert!(said(none()).contains("are left"));
    let early = serde_json::json!([step(empty(), "u", &[1]), no_b()]);
    assert!(said(early).contains("too late"));
    let itself = serde_json::json!([step(empty(), "u", &[0])]);
    assert!(said(itself).contains("not excluded"));
    // One token in `b` is allowed, and the trap says only that not both are empty.
    let loose = serde_json::json!([step(serde_json::json!({ "b": 1 }), "t", &[0])]);
    assert!(said(loose).contains("not excluded"));
    let silent = serde_json::json!([no_b(), step(empty(), "u", &[])]);
    assert!(said(silent).contains("each cause needs a reason"));
    let unknown = serde_json::json!([step(empty(), "w", &[])]);
    assert!(said(unknown).contains("no transition"));
    let nowhere = serde_json::json!([step(serde_json::json!({ "c": 0 }), "t", &[0])]);
    assert!(said(nowhere).contains("no place"));
    let steps = || serde_json::json!([no_b(), step(empty(), "u", &[1])]);
    let ends = "pl a (1)\ntr t a -> b\ntr u b -> c\n";
    assert!(refused(ends, json(trap(), none(), steps())).contains("may empty a trap"));
    let held = "pl a (1)\ntr t a b?-1 -> b\ntr u b -> a\n";
    assert!(refused(held, json(trap(), none(), steps())).contains("other causes"));
    // Two tokens are needed, and there is one: it is not enough that a place is not empty.
    let two = "pl a (1)\ntr t a*2 -> b*2\ntr u b -> a\n";
    assert!(refused(two, json(trap(), none(), steps())).contains("not excluded"));
    // The same by weights: the sum stays one, so that not both are empty.
    let few = |limit: u64, factor: u64| {
        let proof = serde_json::json!({ "weights": { "a": -1, "b": -1 }, "factors": [factor, 1] });
        serde_json::json!([{ "limits": { "a": limit, "b": 0 }, "proof": proof }])
    };
    assert_eq!(refused(round, json(none(), few(0, 1), steps())), "accepted");
    assert!(refused(round, json(none(), few(1, 1), steps())).contains("suffice"));
    assert_ne!(refused(round, json(none(), few(0, 0), steps())), "accepted");
    assert!(
        refused(ends, json(none(), few(0, 1), steps())).contains("makes the weighted sum larger")
    );
    let huge = few(u64::MAX, 1);
    assert!(refused(round, json(none(), huge, steps())).contains("too large"));
}

#[test]
fn only_questions_about_being_stuck_are_decided_by_causes() {
    let net = read("pl a (1)\ntr t a -> a\n");
    let body = serde_json::json!({
        "traps": [["a"]],
        "weights": [],
        "steps": [{ "limits": {}, "transition": "t", "because": [0] }],
    });
    let can = Formula::Fireable(0);
    let both = |one: Formula| Formula::All(vec![one, Formula::Dead]);
    let either = |one: Formula| Formula::Any(vec![one, Formula::Dead]);
    for (goal, accepted) in [
        (Formula::Dead, true),
        (both(can.clone()), true),
        (either(can.clone()), false),
        (can.clone(), false),
        (Formula::Not(Box::new(Formula::Dead)), false),
        (either(Formula::Truth(false)), true),
        (Formula::Truth(true), false),
    ] {
        let evidence = Evidence::of_violated(CAUSES, &body).about("p");
        let question = Question::Possible(goal.clone());
        let judged = certify(&net, "p", &question, &evidence, &Budget::unlimited());
        assert_eq!(judged.is_ok(), accepted, "{goal:?}");
    }
}
