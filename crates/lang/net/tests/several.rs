//! Evidence for questions of several parts, forged by hand.

use quotient_core::{Budget, Claim, Evidence, Verdict};
use quotient_language::Model;
use quotient_net::LANGUAGE;
use quotient_testkit::language::{Tested, answers, assert_certified};
use serde_json::{Value, json};

/// A token goes round, and at a side it may leave two in one place.
const NET: &str = "pl a (1)\npl d (1)\ntr t a -> b\ntr u b -> a\ntr v d -> c c\n";

fn open(net: &str, examination: &str) -> Box<dyn Model> {
    Tested::new(LANGUAGE, "n.net")
        .try_open(net, &[("examination", examination)], &[])
        .unwrap_or_else(|trouble| panic!("{trouble}"))
}

fn genuine(net: &str, examination: &str, verdict: Verdict) -> Evidence {
    let mut model = open(net, examination);
    let answer = answers(&mut *model).remove(0);
    assert_eq!(answer.verdict, verdict, "{examination}");
    assert_certified(&mut *model, &answer);
    answer.evidence.expect("evidence")
}

fn is_accepted(net: &str, examination: &str, evidence: &Evidence) -> bool {
    let mut model = open(net, examination);
    let asked = model.property(examination).expect("a property");
    model
        .certify(evidence, &asked, &Budget::unlimited())
        .is_ok()
}

fn pieces(evidence: &mut Evidence) -> &mut Vec<Value> {
    evidence.body["pieces"].as_array_mut().expect("pieces")
}

#[test]
fn every_part_of_a_conjunction_is_shown() {
    // Without the side it is safe.
    let safe = NET.replace("-> c c", "-> c");
    let genuine = genuine(&safe, "OneSafe", Verdict::Holds);
    // Each piece left out, each part left out, a part that is not there, one for another.
    let count = genuine.body["pieces"].as_array().expect("pieces").len();
    for piece in 0..count {
        let mut forged = genuine.clone();
        pieces(&mut forged).remove(piece);
        assert!(!is_accepted(&safe, "OneSafe", &forged));
        let parts = genuine.body["pieces"][piece]["parts"]
            .as_array()
            .expect("parts");
        for part in 0..parts.len() {
            let mut forged = genuine.clone();
            let parts = pieces(&mut forged)[piece]["parts"].as_array_mut();
            let parts = parts.expect("parts");
            parts.remove(part);
            assert!(!is_accepted(&safe, "OneSafe", &forged));
            let mut forged = genuine.clone();
            let parts = pieces(&mut forged)[piece]["parts"].as_array_mut();
            let parts = parts.expect("parts");
            parts[part] = json!(4);
            assert!(!is_accepted(&safe, "OneSafe", &forged));
            // Twice the same part is one part.
            let mut forged = genuine.clone();
            let parts = pieces(&mut forged)[piece]["parts"].as_array_mut();
            let parts = parts.expect("parts");
            let other = (part + 1) % parts.len();
            parts[part] = parts[other].clone();
            assert!(parts.len() == 1 || !is_accepted(&safe, "OneSafe", &forged));
        }
    }
    // Of the net with the side it is false, whatever is said about it.
    assert!(!is_accepted(NET, "OneSafe", &genuine));
    let mut forged = genuine.clone();
    pieces(&mut forged).clear();
    assert!(!is_accepted(&safe, "OneSafe", &forged));
    // Inside of itself it shows nothing.
    let mut forged = genuine.clone();
    forged.body = json!({ "pieces": [{
        "parts": [0, 1, 2, 3], "kind": "net-several", "body": genuine.body
    }] });
    assert!(!is_accepted(&safe, "OneSafe", &forged));
}

#[test]
fn the_part_that_decides_decides() {
    let genuine = genuine(NET, "OneSafe", Verdict::Violated);
    let mut turned = genuine.clone();
    turned.claim = Claim::Holds;
    assert!(!is_accepted(NET, "OneSafe", &turned));
    // The run shows it of one place only.
    let own = genuine.body["pieces"][0]["parts"][0].clone();
    for part in 0..5 {
        let mut forged = genuine.clone();
        pieces(&mut forged)[0]["parts"] = json!([part]);
        let right = json!(part) == own;
        assert_eq!(is_accepted(NET, "OneSafe", &forged), right, "{part}");
    }
    let mut forged = genuine.clone();
    pieces(&mut forged)[0]["parts"] = json!([]);
    assert!(!is_accepted(NET, "OneSafe", &forged));
    let mut forged = genuine;
    pieces(&mut forged).clear();
    assert!(!is_accepted(NET, "OneSafe", &forged));
}

#[test]
fn one_part_of_a_disjunction_is_enough_and_none_is_not() {
    // Nobody takes the token from `e`: its number never changes.
    let stable = format!("{NET}pl e (1)\n");
    let genuine = genuine(&stable, "StableMarking", Verdict::Holds);
    let mut forged = genuine.clone();
    pieces(&mut forged).clear();
    assert!(!is_accepted(&stable, "StableMarking", &forged));
    let own = genuine.body["pieces"][0]["parts"][0].clone();
    for part in 0..6 {
        let mut forged = genuine.clone();
        pieces(&mut forged)[0]["parts"] = json!([part]);
        let right = json!(part) == own;
        assert_eq!(
            is_accepted(&stable, "StableMarking", &forged),
            right,
            "{part}"
        );
    }
    let mut turned = genuine;
    turned.claim = Claim::Violated;
    assert!(!is_accepted(&stable, "StableMarking", &turned));
}
