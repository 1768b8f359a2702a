//! Executions that are said to break what is kept, lassos and orders that show nothing: made by hand,
//! one for each thing that the check demands.

use quotient_core::{Evidence, Rejection};
use quotient_logic::{Binary, Formula, Unary};
use quotient_lts::evidence::{DOOMED, LASSO, REDUCED, Sought};
use quotient_lts::{Fluent, Progress, Question, System};
use serde_json::{Value, json};

use crate::kit::*;

/// `a` and `b` in turns, with somebody who goes along, and `c` once.
fn turns() -> System {
    system(&[
        ("P", &[(0, "a", 1), (1, "b", 0)]),
        ("Q", &[(0, "b", 0)]),
        ("R", &[(0, "c", 1)]),
    ])
}

/// A formula about `a`, `b` and `c` having just happened: the atoms 0, 1 and 2.
fn asked(system: &System, formula: Formula<usize>, fair: bool) -> Question {
    let fluent = |name: &str| Fluent {
        name: name.into(),
        begin: vec![system.actions.get(name).unwrap()],
        end: None,
        initially: false,
    };
    Question::Formula {
        name: "F".into(),
        formula,
        fluents: ["a", "b", "c"].map(fluent).to_vec(),
        fair,
    }
}

fn always(formula: Formula<usize>) -> Formula<usize> {
    Formula::unary(Unary::Globally(None), formula)
}

fn ever(formula: Formula<usize>) -> Formula<usize> {
    Formula::unary(Unary::Finally(None), formula)
}

fn atom(fluent: usize) -> Formula<usize> {
    Formula::atom(fluent)
}

/// A step by name, with the states after it.
fn step(system: &Value, action: &str, states: &[u32]) -> Value {
    let events = system["events"].as_array().unwrap();
    let event = events.iter().position(|one| one == action).unwrap();
    json!({ "event": event, "action": action, "states": states })
}

#[track_caller]
fn refused(system: &System, question: &Question, kind: &str, about: &str, body: &Value, why: &str) {
    let evidence = match kind {
        REDUCED => Evidence::of_holds(kind, body),
        _ => Evidence::of_violated(kind, body),
    };
    match certify(&evidence.about(about), system, question) {
        Err(Rejection::Wrong(said) | Rejection::Unreadable(said)) => {
            assert!(said.contains(why), "{said}\n{body}");
        }
        other => panic!("{other:?}\n{body}"),
    }
}

/// An execution of `turns` that is said to break a part.
fn doomed_in(body: &Value) -> impl Fn(Sought, usize, Value, &Value) -> Value + '_ {
    move |sought, part, way, steps| {
        json!({
            "system": body, "sought": sought, "part": part, "initial": [0, 0, 0], "way": way,
            "steps": steps,
        })
    }
}

#[test]
fn executions_after_which_a_formula_may_be_kept() {
    let system = turns();
    let body = body_of(&system);
    let order = json!([[0, 1], [3, 2]]);
    let doomed = doomed_in(&body);
    let plain = Sought::Formula { fair: false };
    // It is kept by every execution that `b` happens; after `a` it is only a matter of time.
    let holds = asked(&system, ever(atom(1)), false);
    let way = json!([step(&body, "a", &[1, 0, 0])]);
    let at = |way: &Value, steps: &Value| doomed(plain, 0, way.clone(), steps);
    let no = |body: &Value, why: &str| refused(&system, &holds, DOOMED, "F", body, why);
    no(&at(&json!([]), &order), "an execution breaks");
    no(&at(&way, &order), "an execution breaks");
    // Nothing is looked at after the way, or not all, or some of it twice.
    for (steps, why) in [
        (json!([]), "may be kept"),
        (json!([[0, 1]]), "not everything"),
        (json!([[0], [1]]), "not everything"),
        (json!([[0, 1], [3, 3]]), "not there"),
        (json!([[0, 1], [0, 2]]), "not there"),
        (json!([[0, 1], [], [3, 2]]), "puts nothing together"),
        (json!([[0, 1], [9, 2]]), "not there"),
    ] {
        no(&at(&way, &steps), why);
    }
    // An execution that there is not: the wrong step, name, states or start.
    let wrong = json!([step(&body, "b", &[0, 0, 0])]);
    no(&at(&wrong, &json!([])), "does not lead");
    let mut renamed = way.clone();
    renamed[0]["action"] = json!("b");
    no(&at(&renamed, &json!([])), "not the name");
    let moved = json!([step(&body, "a", &[0, 0, 0])]);
    no(&at(&moved, &json!([])), "does not lead");
    let mut later = at(&json!([]), &order);
    later["initial"] = json!([1, 0, 0]);
    no(&later, "at the start");
}

#[test]
fn executions_that_break_something_else() {
    let system = turns();
    let body = body_of(&system);
    let order = json!([[0, 1], [3, 2]]);
    let doomed = doomed_in(&body);
    let plain = Sought::Formula { fair: false };
    let holds = asked(&system, ever(atom(1)), false);
    let way = json!([step(&body, "a", &[1, 0, 0])]);
    let at = |way: &Value, steps: &Value| doomed(plain, 0, way.clone(), steps);
    let no = |body: &Value, why: &str| refused(&system, &holds, DOOMED, "F", body, why);
    // Another part, property, kind of question, or fairness.
    let part = doomed(plain, 1, way.clone(), &order);
    no(&part, "no such part");
    refused(&system, &holds, DOOMED, "G", &at(&way, &order), "not about");
    let starved = doomed(Sought::Starvation, 0, way.clone(), &order);
    no(&starved, "not about");
    let fair = doomed(Sought::Formula { fair: true }, 0, way.clone(), &order);
    no(&fair, "not about");
    // What is broken of one part is not broken of the other.
    let both = Formula::binary(Binary::And, always(!atom(2)), ever(atom(0)));
    let broken = asked(&system, both, false);
    let way = json!([step(&body, "c", &[0, 0, 1])]);
    let shown = Evidence::of_violated(DOOMED, &doomed(plain, 0, way.clone(), &json!([])));
    assert!(certify(&shown.about("F"), &system, &broken).is_ok());
    refused(
        &system,
        &broken,
        DOOMED,
        "F",
        &doomed(plain, 1, way, &json!([])),
        "may be kept",
    );
    // The next moment sees every event.
    let next = asked(&system, ever(Formula::unary(Unary::Next, atom(1))), false);
    refused(
        &system,
        &next,
        DOOMED,
        "F",
        &at(&json!([]), &order),
        "next moment",
    );
    // Events that others tell apart are not taken for each other.
    let mut merged = at(&json!([]), &order);
    merged["merged"] = json!([[[1, 2]], []]);
    let (a, c) = (
        step(&body, "a", &[])["event"].clone(),
        step(&body, "c", &[])["event"].clone(),
    );
    merged["merged"][0][0] = json!([a, c]);
    let quiet = asked(&system, ever(atom(1)), false);
    refused(&system, &quiet, DOOMED, "F", &merged, "not the same to all");
    merged["merged"][0][0] = json!([4_000_000_000_u32, 1]);
    refused(&system, &quiet, DOOMED, "F", &merged, "no event");
}

#[test]
fn progress_that_goes_on_after_all() {
    let system = turns();
    let body = body_of(&system);
    let number = |name: &str| system.actions.get(name).unwrap();
    let progress = |condition: Option<&str>, action: &str| {
        Question::Progress(vec![Progress {
            name: "G".into(),
            condition: condition.map(|name| vec![number(name)]),
            actions: vec![number(action)],
        }])
    };
    let order = json!([[0, 1], [3, 2]]);
    let data = |way: Value, steps: &Value| json!({ "system": body, "sought": Sought::Starvation, "part": 0, "initial": [0, 0, 0], "way": way, "steps": steps });
    let goes_on = progress(None, "a");
    refused(
        &system,
        &goes_on,
        DOOMED,
        "G",
        &data(json!([]), &order),
        "may go on",
    );
    // Of `c` nothing is asked where it does not happen again and again.
    let asked_of_none = progress(Some("c"), "c");
    refused(
        &system,
        &asked_of_none,
        DOOMED,
        "G",
        &data(json!([]), &order),
        "may go on",
    );
    let mut other = data(json!([]), &order);
    other["part"] = json!(1);
    refused(&system, &goes_on, DOOMED, "G", &other, "no such part");
    refused(
        &system,
        &goes_on,
        DOOMED,
        "H",
        &data(json!([]), &order),
        "no property",
    );
    refused(
        &system,
        &goes_on,
        DOOMED,
        "G",
        &data(json!([]), &json!([])),
        "not everything",
    );
    // What does go on no more is accepted; that it goes on is not.
    let gone = progress(None, "c");
    let shown = Evidence::of_violated(DOOMED, &data(json!([]), &order)).about("G");
    assert!(certify(&shown, &system, &gone).is_ok());
    let kept = json!({ "system": body, "sought": Sought::Starvation, "steps": order });
    refused(&system, &gone, REDUCED, "G", &kept, "without");
    let shown = Evidence::of_holds(REDUCED, &kept).about("G");
    assert!(certify(&shown, &system, &goes_on).is_ok());
}

#[test]
fn orders_that_leave_something_out() {
    let system = turns();
    let body = body_of(&system);
    let reduced = |steps: Value| json!({ "system": body, "sought": Sought::Formula { fair: false }, "steps": steps });
    // `c` may happen: who does it must not be left out.
    let never = asked(&system, always(!atom(2)), false);
    refused(
        &system,
        &never,
        REDUCED,
        "F",
        &reduced(json!([[0, 1], [3, 2]])),
        "an execution breaks",
    );
    refused(
        &system,
        &never,
        REDUCED,
        "F",
        &reduced(json!([[0, 1]])),
        "not everything",
    );
    refused(
        &system,
        &never,
        REDUCED,
        "F",
        &reduced(json!([])),
        "not everything",
    );
    refused(
        &system,
        &never,
        REDUCED,
        "F",
        &reduced(json!([[0, 1], [3, 3]])),
        "not there",
    );
    let next = asked(
        &system,
        always(!Formula::unary(Unary::Next, atom(2))),
        false,
    );
    refused(
        &system,
        &next,
        REDUCED,
        "F",
        &reduced(json!([[0, 1], [3, 2]])),
        "next moment",
    );
    // Nothing is said where somebody errs.
    let erring = self::system(&[
        ("P", &[(0, "a", 1), (1, "b", 0), (0, "c", 0)]),
        ("Q", &[(0, "c", BAD)]),
    ]);
    let body = json!({ "system": body_of(&erring), "sought": Sought::Formula { fair: false }, "steps": [[0, 1]] });
    let question = asked(&erring, always(!atom(2)), false);
    refused(&erring, &question, REDUCED, "F", &body, "can err");
    let mut doomed = body.clone();
    doomed["part"] = json!(0);
    doomed["initial"] = json!([0, 0]);
    doomed["way"] = json!([]);
    let question = asked(&erring, ever(atom(1)), false);
    refused(&erring, &question, DOOMED, "F", &doomed, "can err");
}

#[test]
fn lassos_that_do_not_go_round_or_not_fairly() {
    let system = turns();
    let body = body_of(&system);
    let lasso = |sought: Sought, way: Value, cycle: Value| json!({ "system": body, "sought": sought, "initial": [0, 0, 0], "way": way, "cycle": cycle });
    let (a, b, c) = (
        step(&body, "a", &[1, 0, 0]),
        step(&body, "b", &[0, 0, 0]),
        step(&body, "c", &[0, 0, 1]),
    );
    let plain = Sought::Formula { fair: false };
    // Without `c` for ever, which is not fair to who could do it.
    let once = asked(&system, ever(atom(2)), false);
    let round = lasso(plain, json!([]), json!([a, b]));
    let shown = Evidence::of_violated(LASSO, &round).about("F");
    assert!(certify(&shown, &system, &once).is_ok());
    let fairly = asked(&system, ever(atom(2)), true);
    refused(&system, &fairly, LASSO, "F", &round, "not about");
    let round = lasso(Sought::Formula { fair: true }, json!([]), json!([a, b]));
    refused(&system, &fairly, LASSO, "F", &round, "never taken");
    // It does not come back, does not go on, or keeps the formula.
    let keeps = asked(&system, ever(atom(1)), false);
    refused(
        &system,
        &keeps,
        LASSO,
        "F",
        &lasso(plain, json!([]), json!([a])),
        "lead back",
    );
    refused(
        &system,
        &keeps,
        LASSO,
        "F",
        &lasso(plain, json!([a]), json!([])),
        "does not go on",
    );
    refused(
        &system,
        &keeps,
        LASSO,
        "F",
        &lasso(plain, json!([]), json!([a, b])),
        "does not break",
    );
    refused(
        &system,
        &keeps,
        LASSO,
        "F",
        &lasso(plain, json!([c]), json!([])),
        "does not go on",
    );
    // A set of states that can be left keeps nothing from going on.
    let number = |name: &str| system.actions.get(name).unwrap();
    let progress = |name: &str| {
        Question::Progress(vec![Progress {
            name: "G".into(),
            condition: None,
            actions: vec![number(name)],
        }])
    };
    let starved = lasso(Sought::Starvation, json!([]), json!([a, b]));
    refused(
        &system,
        &progress("c"),
        LASSO,
        "G",
        &starved,
        "left for good",
    );
    let (after, again) = (step(&body, "a", &[1, 0, 1]), step(&body, "b", &[0, 0, 1]));
    let starved = lasso(Sought::Starvation, json!([c]), json!([after, again]));
    refused(&system, &progress("a"), LASSO, "G", &starved, "goes on");
    let shown = Evidence::of_violated(LASSO, &starved).about("G");
    assert!(certify(&shown, &system, &progress("c")).is_ok());
}
