//! Evidence for bounds that are met exactly.

use crate::common::{Asked, answers, open};
use quotient_core::{Budget, Claim, Evidence, Rejection};

/// To win is as likely as not, by the best choices; a loop may be gone round for ever.
const GAME: &str = "mdp
module game
  x : [0..4] init 1;
  [wait] x=1 -> (x'=1);
  [go] x=1 -> 1/3:(x'=2) + 1/3:(x'=0) + 1/3:(x'=1);
  [worse] x=1 -> 0.25:(x'=2) + 0.75:(x'=0);
  [try] x=2 -> 1/7:(x'=1) + 3/7:(x'=0) + 3/7:(x'=4);
  [sure] x=2 -> (x'=4);
  [] x=3 -> (x'=4);
endmodule
rewards [go] true : 1/3; [sure] true : 1; [try] true : 2/3; endrewards";

const COIN: &str = "dtmc
module coin
  x : [0..2] init 0;
  [] x=0 -> 1/3:(x'=1) + 1/3:(x'=2) + 1/3:(x'=0);
endmodule
rewards x=0 : 1; endrewards";

/// With whether it holds.
const ASKED: &[(&str, &str, bool)] = &[
    (COIN, "P<=0.5 [ F x=1 ]", true),
    (COIN, "P<0.5 [ F x=1 ]", false),
    (COIN, "P>=0.5 [ G x!=1 ]", true),
    (COIN, "P>0.5 [ x=0 U x=2 ]", false),
    (COIN, "R<=1.5 [ F x>0 ]", true),
    (COIN, "R>1.5 [ F x>0 ]", false),
    (GAME, "P<=0.5 [ F x=4 ]", true),
    (GAME, "P<0.5 [ F x=4 ]", false),
    (GAME, "P>=0.5 [ G x!=4 ]", true),
];

fn evidence(text: &str, property: &str) -> Evidence {
    let mut answer = answers(text, &Asked::property(property))
        .expect("an answer")
        .remove(0);
    let found = answer.evidence.take();
    found.unwrap_or_else(|| panic!("no evidence for {property}: {answer:?}"))
}

fn certify(text: &str, property: &str, evidence: &Evidence) -> Result<Vec<String>, Rejection> {
    let mut model = open(text, &Asked::property(property)).expect("a model");
    let asked = model.property(property).expect("a property");
    let certified = model.certify(evidence, &asked, &Budget::unlimited())?;
    Ok(certified.facts)
}

#[test]
fn bounds_that_are_met_exactly_have_evidence() {
    for (text, property, holds) in ASKED {
        let evidence = evidence(text, property);
        assert_eq!(evidence.claim == Claim::Holds, *holds, "{property}");
        let facts = certify(text, property, &evidence);
        assert!(facts.is_ok(), "{property}: {facts:?}");
    }
}

#[test]
fn forged_fractions_and_choices_are_rejected() {
    let mut looked = 0;
    for (text, property, _) in ASKED {
        let genuine = evidence(text, property);
        let mut forged = genuine.clone();
        forged.claim = match forged.claim {
            Claim::Holds => Claim::Violated,
            Claim::Violated => Claim::Holds,
        };
        assert!(certify(text, property, &forged).is_err(), "{property}");
        if genuine.kind != "chance-fractions" {
            continue;
        }
        looked += 1;
        let states = genuine.body["values"].as_array().expect("values").len();
        for state in 0..states {
            for value in ["1/7", "-1", "2", "0.5", "1/0", "infinity", ""] {
                let mut forged = genuine.clone();
                forged.body["values"][state] = value.into();
                assert!(
                    certify(text, property, &forged).is_err(),
                    "{property} {state} {value}"
                );
            }
            let mut forged = genuine.clone();
            forged.body["chosen"][state] = 7.into();
            let found = certify(text, property, &forged);
            // Where the number is known at once no choice is looked at.
            let open = state == usize::from(text.starts_with("mdp"));
            assert!(found.is_err() || !open, "{property} {state}");
        }
        for name in ["values", "chosen"] {
            let mut forged = genuine.clone();
            forged.body[name].as_array_mut().expect("a list").pop();
            assert!(
                certify(text, property, &forged).is_err(),
                "{property} {name}"
            );
        }
    }
    assert!(looked >= 6, "{looked}");
}

#[test]
fn waiting_for_ever_shows_nothing() {
    // That all states are won is kept by every step, if one waits for ever.
    let property = "P<0.5 [ F x=4 ]";
    let mut forged = evidence(GAME, property);
    assert_eq!(forged.kind, "chance-fractions");
    let states = forged.body["values"].as_array().expect("values").len();
    forged.body["values"] = vec!["1"; states].into();
    forged.body["values"][0] = "0".into();
    forged.body["chosen"] = vec![0; states].into();
    assert!(certify(GAME, property, &forged).is_err());
    // The least expected reward of never arriving is not what waiting earns.
    let text = GAME.replace("[worse] x=1 -> 0.25:(x'=2) + 0.75:(x'=0);", "");
    let property = "R<=0 [ F x=4 ]";
    let mut forged = forged.clone();
    forged.claim = Claim::Holds;
    forged.body["values"] = vec!["0"; states].into();
    assert!(certify(&text, property, &forged).is_err());
}

/// Bounds in doubles stay wide here, so that the number is found, and shown, by fractions.
#[test]
fn numbers_that_only_fractions_tell_are_shown_by_them() {
    let text = "ctmc
module m
  s : [0..3] init 0;
  [] s=0 -> 1000000:(s'=1) + 0.00001:(s'=2);
  [] s=1 -> 1000000:(s'=0);
  [] s=2 -> 0.001:(s'=3);
endmodule
rewards s=0 : 1; s=2 : 0.001; endrewards";
    let property = "R=? [ F s=3 ]";
    let genuine = evidence(text, property);
    assert_eq!(genuine.kind, "chance-fractions");
    let facts = certify(text, property, &genuine).expect("good evidence");
    assert!(
        facts.iter().any(|fact| fact == "the value is 100001"),
        "{facts:?}"
    );
    let mut violated = genuine.clone();
    violated.claim = Claim::Violated;
    certify(text, property, &violated).expect_err("a number is not violated");
    for state in 0..4 {
        let mut forged = genuine.clone();
        forged.body["values"][state] = "100002".into();
        certify(text, property, &forged).expect_err("another number");
    }
}
