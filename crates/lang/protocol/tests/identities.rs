//! Identities: an order of the processes that has nothing to do with where they stand; and that some
//! step can always be taken, where processes have values for each other.

use quotient_core::{Budget, Context, Evidence, Source, Verdict};
use quotient_language::{Answer, Ask, Input, Model, NoFiles, Settings, Verb};
use quotient_protocol::LANGUAGE;

fn opened(text: &str, settings: &Settings) -> Box<dyn Model> {
    let input = Input::text(&Source::new("test.protocol", text));
    match LANGUAGE.open(&input, &mut NoFiles, settings, &Context::default()) {
        Ok(model) => model,
        Err(trouble) => panic!("{trouble}\n{text}"),
    }
}

fn answers(text: &str) -> Vec<Answer> {
    let mut model = opened(text, &Settings::default());
    let cx = Context {
        budget: Budget::unlimited().child_with_work(100_000_000),
        ..Context::default()
    };
    let mut answers: Vec<Answer> = Vec::new();
    let asked = Ask::default();
    model
        .check(&asked, &cx, &mut |answer| answers.push(answer))
        .unwrap();
    for (answer, property) in answers.iter().zip(model.properties()) {
        let evidence = answer.evidence.as_ref();
        let certified = evidence.map(|one| model.certify(one, &property, &Budget::unlimited()));
        assert!(
            certified.is_none_or(|certified| certified.is_ok()),
            "{text}"
        );
    }
    answers
}

fn verdicts(text: &str) -> Vec<Verdict> {
    let answers = answers(text).into_iter();
    answers.map(|answer| answer.verdict).collect()
}

fn instance(text: &str, size: usize) -> (u64, Vec<Answer>) {
    let pairs = [("processes".to_owned(), size.to_string())];
    let settings = LANGUAGE.about().settings;
    let settings = Settings::new("protocol", settings, Verb::Instance, &pairs).unwrap();
    let inspected = opened(text, &settings).instance(&Context::default());
    let inspected = inspected.unwrap();
    (inspected.sizes[0].1, inspected.answers)
}

fn mistake(text: &str) -> String {
    let input = Input::text(&Source::new("test.protocol", text));
    let opened = LANGUAGE.open(
        &input,
        &mut NoFiles,
        &Settings::default(),
        &Context::default(),
    );
    match opened {
        Ok(_) => String::new(),
        Err(trouble) => trouble
            .to_string()
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" "),
    }
}

#[test]
fn an_instance_begins_with_every_order() {
    let text = "topology set  process { id : identity  x : bool = false }";
    for (size, orders) in [(1, 1), (2, 2), (3, 6), (4, 24), (5, 120)] {
        assert_eq!(instance(text, size).0, orders, "{size}");
    }
}

/// The axioms of an order hold, for any number of processes; what is no axiom does not.
#[test]
fn identities_are_in_an_order() {
    let text = "
        topology ring
        process { id : identity  x : bool = false }
        step s: when not x then x := true
        property irreflexive: never exists p: p.id < p.id
        property total: always forall p, q: p.id < q.id or q.id < p.id
        property one_way: never exists p, q: p.id < q.id and q.id < p.id
        property transitive: never exists p, q, r: p.id < q.id and q.id < r.id and not p.id < r.id
        property same: never exists p, q: p.id = q.id
        property at_most: always forall p, q: p.id <= q.id or p.id > q.id
        property by_place: never exists p, q: p < q and q.id < p.id
    ";
    let mut expected = vec![Verdict::Holds; 6];
    expected.push(Verdict::Violated);
    assert_eq!(verdicts(text), expected);
}

#[test]
fn what_cannot_be_said_of_identities_is_told() {
    let head = "topology set  process { id : identity  x : bool }";
    for (text, expected) in [
        (
            format!("{head} step s with q: then id := q.id"),
            "never changes",
        ),
        (
            format!("{head} step s with q: then id[q] := true"),
            "never changes",
        ),
        (
            format!("{head} step s with q: when id[q] then x := true"),
            "does not have a value",
        ),
        (
            format!("{head} step s: when id = 3 then x := true"),
            "an identity",
        ),
        (format!("{head} property p: never id < id"), "whose `id`"),
        ("process { id : identity = 1 }".to_owned(), "never changes"),
        (
            "global id : identity  process { x : bool }".to_owned(),
            "only a process",
        ),
    ] {
        let told = mistake(&text);
        assert!(told.contains(expected), "{text}: {told}");
    }
}

/// Liars may say anything, but they are who they are.
#[test]
fn liars_keep_their_identity() {
    let text = "
        topology set
        process may lie { id : identity  claim[process] : bool = false }
        step s with q: when id < q.id then claim[q] := true
        property small: never exists p, q: p.claim[q] and q.id < p.id
        property honest: never exists p, q: not p.faulty and p.claim[q] and q.id < p.id
        property fixed: never exists p, q: p.id < q.id and q.id < p.id
    ";
    assert_eq!(
        verdicts(text),
        [Verdict::Violated, Verdict::Holds, Verdict::Holds]
    );
}

const LOCK: &str = "
    topology set
    global owner : process or none = none
    process { location idle, critical  asked[process] : bool = false }
    step ask with q: when at = idle and not asked[q] then asked[q] := true
    step enter: when at = idle and owner = none then owner := self, at := critical
    step leave: when owner = self and at = critical then owner := none, at := idle
    property goes_on: no deadlock
";

#[test]
fn that_some_step_can_always_be_taken_is_shown_with_arrays() {
    assert_eq!(verdicts(LOCK), [Verdict::Holds]);
    // Whoever has not asked before it enters cannot leave any more.
    let kept = LOCK.replace(
        "at = critical then",
        "at = critical and exists other q: asked[q] then",
    );
    assert_eq!(verdicts(&kept), [Verdict::Violated]);
    for size in 1..=3 {
        let violated = |text: &str| {
            let (_, answers) = instance(text, size);
            answers.iter().any(|one| one.verdict == Verdict::Violated)
        };
        assert!(!violated(LOCK), "{size}");
        assert!(violated(&kept), "{size}");
    }
}

/// What an assumption about all states forbids is no way to go on.
#[test]
fn a_step_that_is_forbidden_is_none() {
    let text = "
        topology set
        parameter t
        assume n > t
        process may crash at most t { x[process] : bool = false }
        property goes_on: no deadlock
    ";
    assert_eq!(verdicts(text), [Verdict::Violated]);
}

#[test]
fn evidence_about_deadlocks_is_about_this_protocol() {
    let answer = answers(LOCK).remove(0);
    let evidence: Evidence = answer.evidence.unwrap();
    // Without a way to leave, with another owner to begin with, and with a stricter way in.
    for (from, to) in [
        (
            "step leave: when owner = self",
            "step leave: when owner = none",
        ),
        ("process or none = none", "process or none = any"),
        (
            "at = idle and owner = none",
            "at = idle and owner = none and exists other q: q.asked[self]",
        ),
    ] {
        let other = LOCK.replace(from, to);
        assert_ne!(other, LOCK);
        let mut model = opened(&other, &Settings::default());
        let property = model.properties().remove(0);
        let certified = model.certify(&evidence, &property, &Budget::unlimited());
        assert!(certified.is_err(), "{other}");
    }
}

/// What is told of identities is compared with what they are: of all tables of two and three processes
/// only orders are accepted, and only against what they violate.
#[test]
fn a_table_that_is_no_order_begins_nothing() {
    let text = "
        topology ring
        process { id : identity  x : bool = false }
        step s: when not x then x := true
        property irreflexive: never exists p: p.id < p.id
        property total: always forall p, q: p.id < q.id or q.id < p.id
        property one_way: never exists p, q: p.id < q.id and q.id < p.id
        property transitive: never exists p, q, r: p.id < q.id and q.id < r.id and not p.id < r.id
        property by_place: never exists p, q: p < q and q.id < p.id
    ";
    let genuine = answers(text).into_iter().find_map(|one| {
        let evidence = one.evidence.filter(|one| one.kind == "protocol-run")?;
        (one.property == "by_place").then_some(evidence)
    });
    let genuine = genuine.expect("a run");
    let mut model = opened(text, &Settings::default());
    let properties = model.properties();
    let mut accepted = 0;
    for size in [2_usize, 3] {
        for bits in 0..1_u32 << (size * size) {
            let smaller = |one: usize, other: usize| bits >> (one * size + other) & 1 == 1;
            let row = |one: usize| {
                let told = (0..size).map(|other| smaller(one, other).to_string());
                std::iter::once("false".to_owned()).chain(told).collect()
            };
            let rows: Vec<Vec<String>> = (0..size).map(row).collect();
            let body = serde_json::json!({
                "configurations": [{ "globals": [], "processes": rows }], "steps": [],
            });
            let all = || (0..size).flat_map(|one| (0..size).map(move |other| (one, other)));
            let is_order = all().all(|(one, other)| match one == other {
                true => !smaller(one, other),
                false => {
                    smaller(one, other) != smaller(other, one)
                        && (0..size).all(|third| {
                            !(smaller(one, other) && smaller(other, third)) || smaller(one, third)
                        })
                }
            });
            let by_place = all().any(|(one, other)| one < other && smaller(other, one));
            for property in &properties {
                let mut evidence = genuine.clone().about(&property.name);
                evidence.body = body.clone();
                let certified = model.certify(&evidence, property, &Budget::unlimited());
                let is_true = is_order && by_place && property.name == "by_place";
                assert_eq!(certified.is_ok(), is_true, "{} {body}", property.name);
                accepted += usize::from(is_true);
            }
        }
    }
    assert_eq!(accepted, 1 + 5);
}
