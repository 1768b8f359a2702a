//! Certificates of every kind, forged by hand, for runs that stop and for runs that do not.

mod support;

use quotient_core::{Claim, Evidence, Verdict};
use quotient_language::Model;
use serde_json::{Value, json};
use support::{EMPTY, ask, certify, certify_with, check, open, open_with, proof};

/// A machine whose run stops after 107 steps.
const CHAMPION: &str = "1RB1LB_1LA0LC_1RZ1LD_1RD0RA";

/// A machine that keeps two numbers in step, one on each side, which no regular set can do.
const IN_STEP: &str = "1RB---_0RC1RC_1RD1RB_1LE1LD_0RA0LE";

/// True evidence about a machine that stops, turned into the claim that it never does.
fn claim_of_divergence() -> (Box<dyn Model>, Evidence) {
    let mut model = open(&format!("{CHAMPION}\ncheck diverges on blank\n"));
    let mut evidence = check(model.as_mut()).remove(0).evidence.unwrap();
    assert_eq!(evidence.claim, Claim::Violated);
    evidence.claim = Claim::Holds;
    (model, evidence)
}

fn with_proof(evidence: &Evidence, proof: Value) -> Evidence {
    let mut forged = evidence.clone();
    forged.body["cases"][0]["proof"] = proof;
    forged
}

#[test]
fn no_repeat_is_believed_of_a_run_that_stops() {
    let (mut model, evidence) = claim_of_divergence();
    for after in 0..=110 {
        for period in 0..=110 {
            let proof = json!({ "shows": "repeat", "after": after, "period": period });
            let forged = with_proof(&evidence, proof);
            assert!(
                certify(model.as_mut(), &forged).is_err(),
                "{after} {period}"
            );
        }
    }
}

#[test]
fn no_blank_run_is_believed_of_a_run_that_stops() {
    let (mut model, evidence) = claim_of_divergence();
    for after in 0..=110 {
        for side in ["left", "right"] {
            let proof = json!({ "shows": "blank-run", "after": after, "side": side });
            let forged = with_proof(&evidence, proof);
            assert!(certify(model.as_mut(), &forged).is_err(), "{after} {side}");
        }
    }
}

#[test]
fn no_translated_cycle_is_believed_of_a_run_that_stops() {
    let (mut model, evidence) = claim_of_divergence();
    for (after, period) in (0..108).flat_map(|after| (0..30).map(move |period| (after, period))) {
        for side in ["left", "right"] {
            for reach in [0, 1, 2, 5, 20] {
                let proof = json!({
                    "shows": "translated-cycle",
                    "after": after,
                    "period": period,
                    "side": side,
                    "reach": reach,
                });
                let forged = with_proof(&evidence, proof);
                let accepted = certify(model.as_mut(), &forged).is_ok();
                assert!(!accepted, "{after} {period} {side} {reach}");
            }
        }
    }
}

#[test]
fn certificates_of_other_machines_are_not_believed_of_a_run_that_stops() {
    let (mut model, evidence) = claim_of_divergence();
    let others = [
        ("1RB1LA_1LA1RB", "8"),
        ("1RB0LD_0RC---_1LC0LA_---1RB", "8"),
        ("1RB1LA_1LA0RC_1LD1RC_---0LA", "8"),
        (IN_STEP, "8"),
        ("1RB1LB_1LA0LC_1RB1LD_1RD0RA", "0"),
    ];
    for (machine, window) in others {
        let text = format!("{machine}\ncheck diverges on blank\n");
        let mut other = open_with(&text, &[("window", window)]).unwrap();
        let answer = check(other.as_mut()).remove(0);
        let Some(theirs) = answer.evidence.filter(|_| answer.verdict == Verdict::Holds) else {
            panic!("{machine} never stops");
        };
        let forged = with_proof(&evidence, theirs.body["cases"][0]["proof"].clone());
        assert!(certify(model.as_mut(), &forged).is_err(), "{machine}");
    }
}

#[test]
fn a_repeat_needs_the_same_state_and_the_same_tape() {
    // The configuration is there again after two steps, for ever.
    let mut model = open("1RB1RB_1LA1LA\ncheck diverges on tape [1]1\n");
    let answer = check(model.as_mut()).remove(0);
    assert_eq!(proof(&answer)["shows"], "repeat", "{}", answer.because);
    let period = proof(&answer)["period"].as_u64().unwrap();
    let evidence = answer.evidence.unwrap();
    for claimed in 0..4 * period {
        let mut forged = evidence.clone();
        forged.body["cases"][0]["proof"]["period"] = claimed.into();
        let accepted = certify(model.as_mut(), &forged).is_ok();
        let right = claimed > 0 && claimed % period == 0;
        assert_eq!(accepted, right, "a period of {claimed}");
    }
    let mut forged = evidence.clone();
    forged.body["cases"][0]["proof"]["more"] = 1.into();
    assert!(certify(model.as_mut(), &forged).is_err());
}

#[test]
fn numbers_in_step_are_shown_by_weights() {
    for notation in [
        IN_STEP,
        "1RB---_0RC1LC_1RD1RC_1LE1LD_0RA0LE",
        "1RB1RA_1LC1LB_0RD0LC_1RE---_0RA1LE",
        "1RB1RE_1LC1LB_0RD0LC_1LE---_0RA1RA",
    ] {
        let answer = ask(notation, "diverges on blank");
        assert_eq!(answer.verdict, Verdict::Holds, "{}", answer.because);
        assert_eq!(answer.method.as_deref(), Some("weighted invariant"));
    }
}

/// Machines of the literature whose sets remember more symbols than are tried at first: 12 with
/// three states of each, and 15.
#[test]
fn long_memories_are_tried_where_short_ones_do_not_do() {
    for notation in [
        "1RB0LA_0RC---_1LC1RD_0RE1LA_1RA1RD",
        "1RB0LB_1LC0RE_1LD0RC_0LE---_1LA0LA",
    ] {
        let text = format!("{notation}\ncheck diverges on blank\n");
        let mut model = open_with(&text, &[("steps", "20000")]).unwrap();
        let answer = check(model.as_mut()).remove(0);
        assert_eq!(answer.verdict, Verdict::Holds, "{}", answer.because);
        assert_eq!(answer.method.as_deref(), Some("regular invariant"));
        let evidence = answer.evidence.unwrap();
        certify_with(model.as_mut(), &evidence, 20_000_000).unwrap();
        let meetings = proof_of(&evidence)["meetings"].as_array().unwrap().clone();
        for place in [0, meetings.len() / 2, meetings.len() - 1] {
            let (mut fewer, mut less) = (meetings.clone(), proof_of(&evidence));
            fewer.remove(place);
            less["meetings"] = fewer.into();
            let forged = with_proof(&evidence, less);
            assert!(certify_with(model.as_mut(), &forged, 20_000_000).is_err());
        }
    }
}

fn proof_of(evidence: &Evidence) -> Value {
    evidence.body["cases"][0]["proof"].clone()
}

/// All places of numbers in a value, as paths.
fn numbers(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::Number(_) => found.push(path.to_owned()),
        Value::Array(all) => {
            for (place, one) in all.iter().enumerate() {
                numbers(one, &format!("{path}/{place}"), found);
            }
        }
        Value::Object(all) => {
            for (name, one) in all {
                numbers(one, &format!("{path}/{name}"), found);
            }
        }
        _ => {}
    }
}

#[test]
fn weights_that_lack_anything_are_refused() {
    let mut model = open(&format!("{IN_STEP}\ncheck diverges on blank\n"));
    let evidence = check(model.as_mut()).remove(0).evidence.unwrap();
    let proof = evidence.body["cases"][0]["proof"].clone();
    assert_eq!(proof["shows"], "weighted-invariant");
    for part in ["/meetings", "/left/edges", "/right/edges"] {
        let all = proof.pointer(part).unwrap().as_array().unwrap().clone();
        for (place, one) in all.iter().enumerate() {
            let mut less = proof.clone();
            let list = less.pointer_mut(part).unwrap().as_array_mut().unwrap();
            list.remove(place);
            let forged = with_proof(&evidence, less);
            let why = certify(model.as_mut(), &forged);
            assert!(why.is_err(), "{part} without {one}");
        }
    }
    // Bounds that are narrower are left; without lower ones something that stops is in the set.
    let meetings = proof["meetings"].as_array().unwrap();
    for place in 0..meetings.len() {
        for (bound, change) in [("least", 1), ("most", -1)] {
            let mut narrow = proof.clone();
            let number = &mut narrow["meetings"][place][bound];
            let Some(old) = number.as_i64() else {
                continue;
            };
            *number = (old + change).into();
            let forged = with_proof(&evidence, narrow);
            assert!(certify(model.as_mut(), &forged).is_err(), "{place} {bound}");
        }
    }
    let mut wide = proof.clone();
    for meeting in wide["meetings"].as_array_mut().unwrap() {
        meeting.as_object_mut().unwrap().remove("least");
    }
    let forged = with_proof(&evidence, wide);
    assert!(certify(model.as_mut(), &forged).is_err());
}

#[test]
fn weights_of_one_machine_show_nothing_about_those_that_stop() {
    let mut model = open(&format!("{IN_STEP}\ncheck diverges on blank\n"));
    let evidence = check(model.as_mut()).remove(0).evidence.unwrap();
    let proof = evidence.body["cases"][0]["proof"].clone();
    let mut paths = Vec::new();
    numbers(&proof, "", &mut paths);
    let mut forgeries = vec![proof.clone()];
    for path in &paths {
        for change in [-1, 1] {
            let mut forged = proof.clone();
            let number = forged.pointer_mut(path).unwrap();
            let Some(old) = number.as_i64().filter(|&old| old + change >= 0 || old < 0) else {
                continue;
            };
            *number = (old + change).into();
            forgeries.push(forged);
        }
    }
    // Every machine that has one other action and stops: nothing shows that it does not.
    let cells: Vec<&str> = IN_STEP
        .split('_')
        .flat_map(|row| [&row[..3], &row[3..]])
        .collect();
    let mut stopping = 0;
    for place in 2..cells.len() {
        for other in ["1RZ", "0RA", "1LB", "0LC"] {
            let mut changed = cells.clone();
            changed[place] = other;
            let rows: Vec<String> = changed.chunks(2).map(|row| row.concat()).collect();
            let text = format!("{}\ncheck diverges on blank\n", rows.join("_"));
            let settings = [("steps", "300"), ("window", "0")];
            let mut model = open_with(&text, &settings).unwrap();
            let answer = check(model.as_mut()).remove(0);
            if answer.verdict != Verdict::Violated {
                continue;
            }
            stopping += 1;
            let mut claim = answer.evidence.unwrap();
            claim.claim = Claim::Holds;
            for proof in &forgeries {
                let forged = with_proof(&claim, proof.clone());
                let accepted = certify_with(model.as_mut(), &forged, 100_000).is_ok();
                assert!(!accepted, "{text}: {proof}");
            }
        }
    }
    assert!(stopping > 3, "{stopping} machines stop");
}

#[test]
fn weights_without_bounds_and_without_end_are_no_matter() {
    let mut model = open(&format!("{EMPTY}check diverges on 0\n"));
    let evidence = check(model.as_mut()).remove(0).evidence.unwrap();
    // A chain of edges that is followed round by round, and weights as large as there are.
    let edges: Vec<Value> = std::iter::once(json!([0, "B", 0, 0]))
        .chain(
            (0..20_000)
                .rev()
                .map(|at| json!([at, "1", i64::MIN, at + 1])),
        )
        .chain([json!([20_000, "1", i64::MAX, 0])])
        .collect();
    let half = json!({ "begin": [0], "edges": edges });
    let meeting = json!({ "left": 0, "state": "1", "symbol": "1", "right": 0 });
    let proof = json!({
        "shows": "weighted-invariant",
        "left": half,
        "right": half,
        "meetings": [meeting],
    });
    let forged = with_proof(&evidence, proof);
    assert!(certify(model.as_mut(), &forged).is_err());
}
