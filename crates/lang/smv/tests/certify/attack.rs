//! Forgeries by hand. Each of them would be a false claim.

use super::*;
use quotient_core::Claim;
use serde_json::{Value, json};

/// Two processes that ask in turn, after Peterson.
const MUTEX: &str = "MODULE main
    VAR a : {idle, wait, busy}; b : {idle, wait, busy}; turn : {first, second};
    IVAR who : {first, second};
    ASSIGN init(a) := idle; init(b) := idle; init(turn) := first;
      next(a) := case who != first : a; a = idle : {idle, wait};
        a = wait & (b = idle | turn = first) : busy; a = busy : idle; TRUE : a; esac;
      next(b) := case who != second : b; b = idle : {idle, wait};
        b = wait & (a = idle | turn = second) : busy; b = busy : idle; TRUE : b; esac;
      next(turn) := case
        who = first & a = idle & next(a) = wait : second;
        who = second & b = idle & next(b) = wait : first; TRUE : turn; esac;
    INVARSPEC !(a = busy & b = busy)
    SPEC AG !(a = busy & b = busy)
    LTLSPEC G !(a = busy & b = busy)
    INVARSPEC a != busy
    SPEC AG a != busy
    LTLSPEC G a != busy
    LTLSPEC G F a != busy";

/// The genuine evidence of every specification.
fn genuine() -> (Session, Vec<Evidence>) {
    let mut session = open(MUTEX).unwrap();
    let all = (0..6).map(|number| evidence(&mut session, number).unwrap());
    let all = all.collect();
    (session, all)
}

#[test]
fn genuine_evidence_is_accepted_in_any_order_and_layout() {
    let (session, all) = genuine();
    let program = session.file().program();
    for (number, evidence) in all.iter().enumerate() {
        assert!(certify(program, number, evidence).is_ok(), "{number}");
        let text = serde_json::to_string_pretty(evidence).unwrap();
        let mut other = evidence.clone();
        let Value::Object(fields) = serde_json::from_str::<Value>(&text).unwrap() else {
            panic!("evidence is an object");
        };
        let turned: serde_json::Map<String, Value> = fields.into_iter().rev().collect();
        assert_eq!(
            serde_json::from_value::<Evidence>(turned.into()).unwrap(),
            *evidence
        );
        let Value::Object(body) = &evidence.body else {
            panic!("a body is an object");
        };
        other.body = Value::Object(body.clone().into_iter().rev().collect());
        assert!(certify(program, number, &other).is_ok(), "{number}");
        // The columns of a run may stand in any order.
        if let Ok(mut run) = evidence.read::<RunEvidence>() {
            run.variables.reverse();
            run.states.iter_mut().for_each(|state| state.reverse());
            let turned = Evidence::of_violated(RUN_KIND, &run);
            assert!(certify(program, number, &turned).is_ok(), "{number}");
        }
    }
}

#[test]
fn states_must_be_whole() {
    let file = read(MUTEX);
    let program = file.program();
    // Without `turn` and `who` nothing forbids that both go ahead.
    let states = [
        "idle idle",
        "wait idle",
        "wait wait",
        "busy wait",
        "busy busy",
    ];
    let loops = [None, Some(4)];
    for back_to in loops {
        let partial = run("a b", &states, back_to);
        for number in 0..3 {
            let why = refused(program, number, &partial);
            assert!(why.contains("not whole"), "{why}");
        }
    }
    for left_out in ["a b turn", "b turn who", "a b who", ""] {
        let columns = left_out.split_whitespace().count();
        let row = vec!["idle"; columns].join(" ");
        assert!(refused(program, 0, &run(left_out, &[&row], None)).contains("not whole"));
    }
    // Too few values in one state only.
    let short = run(
        "a b turn who",
        &["idle idle first first", "wait idle second"],
        None,
    );
    assert!(refused(program, 0, &short).contains("state 2 has too few"));
}

#[test]
fn another_model_is_another_model() {
    // Each of these lets both in.
    let faults = [
        (
            "a = wait & (b = idle | turn = first) : busy",
            "a = wait : busy",
        ),
        ("who = first & a = idle & next(a) = wait : second;", ""),
        ("init(b) := idle;", ""),
        ("next(b) := case who != second : b;", "next(b) := case"),
    ];
    let file = read(MUTEX);
    let mut tried = 0;
    for (from, to) in faults {
        assert!(MUTEX.contains(from));
        let mut faulty = open(&MUTEX.replace(from, to)).unwrap();
        for number in 0..3 {
            let forged = evidence(&mut faulty, number).unwrap();
            if forged.claim == Claim::Violated {
                refused(file.program(), number, &forged);
                tried += 1;
            }
        }
        // The genuine set is none of the faulty model.
        let (_, all) = genuine();
        if evidence(&mut faulty, 0).unwrap().claim == Claim::Violated {
            refused(faulty.file().program(), 0, &all[0]);
        }
    }
    assert!(tried >= 6, "{tried}");
}

#[test]
fn empty_and_full_sets_prove_nothing() {
    let (session, all) = genuine();
    let program = session.file().program();
    for (number, genuine) in all.iter().enumerate().take(3) {
        for root in [0, 1, 2, 3, 7, u32::MAX, u32::MAX - 1] {
            let set = json!({ "variables": [], "nodes": [], "root": root });
            let mut forged = genuine.clone();
            forged.body = set;
            refused(program, number, &forged);
        }
        let mut forged = genuine.clone();
        forged.body["root"] = json!(genuine.body["root"].as_u64().unwrap() ^ 1);
        refused(program, number, &forged);
    }
}

#[test]
fn claims_cannot_be_turned_round_or_passed_on() {
    let (session, all) = genuine();
    let program = session.file().program();
    for (number, evidence) in all.iter().enumerate() {
        let mut flipped = evidence.clone();
        flipped.claim = match flipped.claim {
            Claim::Holds => Claim::Violated,
            Claim::Violated => Claim::Holds,
        };
        refused(program, number, &flipped);
        let mut renamed = flipped.clone();
        renamed.kind = match renamed.claim {
            Claim::Holds => quotient_states::StateSet::KIND.to_owned(),
            Claim::Violated => RUN_KIND.to_owned(),
        };
        refused(program, number, &renamed);
        // What holds is not violated by the runs of what is, and the other way round.
        let other = (number + 3) % 6;
        refused(program, other, evidence);
        // Evidence that says which text it is about is about no other.
        let asked = &program.specifications()[number].text;
        let mut stamped = evidence.clone();
        stamped.text.clone_from(asked);
        assert!(certify(program, number, &stamped).is_ok());
        for foreign in (0..7).filter(|&one| program.specifications()[one].text != *asked) {
            let why = refused(program, foreign, &stamped);
            assert!(why.contains("the evidence is about"), "{why}");
        }
        for kind in ["", "words-run", "SMV-RUN", "components-assumption"] {
            let mut foreign = evidence.clone();
            foreign.kind = kind.to_owned();
            refused(program, number, &foreign);
        }
    }
}

#[test]
fn runs_with_one_thing_wrong_are_refused() {
    let text = "MODULE main VAR x : 0..3; f : boolean;
        ASSIGN init(x) := 0; next(x) := x < 3 ? x + 1 : 3; init(f) := FALSE; next(f) := x = 3;
        INVARSPEC x < 3 SPEC AG x < 3 LTLSPEC F G !f LTLSPEC G x < 3";
    let file = read(text);
    let program = file.program();
    let states = ["0 FALSE", "1 FALSE", "2 FALSE", "3 FALSE", "3 TRUE"];
    let genuine = run("x f", &states, Some(4));
    for number in 0..4 {
        assert!(certify(program, number, &genuine).is_ok(), "{number}");
    }
    let wrong = |variables: &str, states: &[&str], back_to: Option<usize>| {
        let forged = run(variables, states, back_to);
        for number in 0..4 {
            refused(program, number, &forged);
        }
    };
    // The loop starts one too early, one too late, or nowhere.
    for back_to in [3, 5, usize::MAX] {
        wrong("x f", &states, Some(back_to));
    }
    // Two states swapped, one left out, one twice, the first left out.
    for (a, b) in [(0, 1), (1, 2), (2, 3), (3, 4)] {
        let mut swapped = states;
        swapped.swap(a, b);
        wrong("x f", &swapped, Some(4));
    }
    for at in 0..4 {
        let mut fewer = states.to_vec();
        fewer.remove(at);
        wrong("x f", &fewer, Some(3));
        let mut more = states.to_vec();
        more.insert(at, states[at]);
        wrong("x f", &more, Some(5));
    }
    // Values that are none, and values written otherwise.
    let values = [
        "9",
        "4",
        "-1",
        "03",
        "+3",
        "3.0",
        "1e0",
        "TRUE",
        "x",
        "99999999999999999999999",
        "0ud2_3",
    ];
    for value in values {
        let last = format!("{value} TRUE");
        wrong(
            "x f",
            &["0 FALSE", "1 FALSE", "2 FALSE", "3 FALSE", &last],
            Some(4),
        );
    }
    // Variables twice, unknown, or aliased.
    for variables in ["x x", "f f", "x F", "x g", "x f f", "X f", "x main.f"] {
        wrong(variables, &states, Some(4));
    }
    let twice = [
        "0 FALSE 0",
        "1 FALSE 1",
        "2 FALSE 2",
        "3 FALSE 3",
        "3 TRUE 3",
    ];
    wrong("x f x", &twice, Some(4));
    wrong("x f", &[], None);
    wrong("x f", &[], Some(0));
    wrong("", &[""], None);
}

#[test]
fn bodies_that_are_no_evidence_are_refused_at_once() {
    let (session, all) = genuine();
    let program = session.file().program();
    let huge = json!(18_446_744_073_709_551_615_u64);
    let bodies = [
        json!(null),
        json!([]),
        json!({}),
        json!({ "variables": ["a"], "nodes": [[0, 0, 4_294_967_295_u32, 0]], "root": 2 }),
        json!({ "variables": ["a"], "nodes": [[4_294_967_295_u32, 0, 0, 1]], "root": 2 }),
        json!({ "variables": ["a"], "nodes": [[0, 4_294_967_295_u32, 0, 1]], "root": 2 }),
        json!({ "variables": ["a"], "nodes": [[0, 0, 2, 0]], "root": 2 }),
        json!({ "variables": ["a"], "nodes": [[0, -1, 2, 0]], "root": 2 }),
        json!({ "variables": ["a", "a"], "nodes": [[0, 0, 0, 1], [1, 0, 2, 1]], "root": 2 }),
        json!({ "variables": ["who"], "nodes": [[0, 0, 0, 1]], "root": 2 }),
        json!({ "variables": [], "nodes": [], "root": huge }),
        json!({ "variables": [], "nodes": [], "root": 0, "states": 67_108_864 }),
        json!({ "variables": [], "states": [], "back_to": huge }),
        json!({ "variables": [], "states": [[]], "back_to": -1 }),
        json!({ "variables": {}, "states": 67_108_864 }),
    ];
    for body in bodies {
        for number in [0, 3] {
            let mut forged = all[number].clone();
            forged.body = body.clone();
            refused(program, number, &forged);
        }
    }
}
