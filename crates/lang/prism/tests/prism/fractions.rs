//! Evidence for bounds that are met exactly.

use crate::common::{Asked, answers, open};
use proptest::prelude::*;
use quotient_core::{Budget, Claim, Evidence, Rejection};
use quotient_markov::{Rational, exactly};

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

/// Settles in one of three states; two of them are `good`.
const ENDS: &str = "dtmc
module ends
  x : [0..3] init 0;
  [] x=0 -> 1/3:(x'=1) + 1/3:(x'=2) + 1/3:(x'=3);
  [] x=1 -> (x'=1);
  [] x=2 -> (x'=2);
  [] x=3 -> (x'=3);
endmodule
rewards x=1 : 6; x=2 : 1/2; endrewards";

const MACHINE: &str = "ctmc
module machine
  x : [0..2] init 2;
  [] x=2 -> 3:(x'=0);
  [] x=0 -> 0.3:(x'=1);
  [] x=1 -> 0.7:(x'=0);
endmodule
rewards x=1 : 1/3; [] x=0 : 2; endrewards";

/// Waiting pays a third on average, moving on two thirds and then a half.
const WAITS: &str = "mdp
module waits
  x : [0..3] init 0;
  [wait] x=0 -> 2/3:(x'=0) + 1/3:(x'=1);
  [on] x=0 -> 1/2:(x'=2) + 1/2:(x'=0);
  [] x=1 -> 1/6:(x'=0) + 5/6:(x'=1);
  [] x=2 -> (x'=3);
  [] x=3 -> (x'=2);
endmodule
rewards x=0 : 1; x=2 : 1; endrewards";

const DELAYS: &str = "ma
module delays
  x : [0..3] init 0;
  <> x=0 -> 2 : (x'=1);
  [fast] x=1 -> 0.5 : (x'=2) + 0.5 : (x'=3);
  [safe] x=1 -> (x'=2);
  <> x=2 -> 4 : (x'=0);
  <> x=3 -> 1 : (x'=0);
endmodule
rewards x=3 : 3; endrewards";

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
    (ENDS, "S>=1 [ x>0 ]", true),
    (ENDS, "S<1 [ x>0 ]", false),
    (ENDS, "S>0 [ x=0 ]", false),
    (ENDS, "S<=2/3 [ x=1 | x=2 ]", true),
    (ENDS, "S>2/3 [ x=1 | x=2 ]", false),
    (ENDS, "R<=13/6 [ S ]", true),
    (MACHINE, "S>=0.7 [ x=0 ]", true),
    (MACHINE, "S<0.7 [ x=0 ]", false),
    (MACHINE, "R>0.52 [ S ]", false),
    (MACHINE, "S<=0 [ x=2 ]", true),
    (WAITS, "S<=1/2 [ x=3 ]", true),
    (WAITS, "S>1/3 [ x=0 | x=2 ]", false),
    (WAITS, "R<=1/2 [ S ]", true),
    (WAITS, "R<1/2 [ S ]", false),
    (DELAYS, "S<=2/3 [ x=0 ]", true),
    (DELAYS, "S>4/9 [ x=0 ]", false),
    (DELAYS, "R<=4/3 [ S ]", true),
    (DELAYS, "S>=0 [ x=1 ]", true),
    (COIN, "P>=0.5 [ F x=1 ] & P<=0.5 [ F x=1 ]", true),
    (COIN, "!P<0.5 [ F x=1 ] & S>=0.5 [ x=2 ]", true),
    (COIN, "P>0.5 [ F x=1 ] | R<1.5 [ F x>0 ]", false),
    (GAME, "P<0.5 [ F x=4 ] => P<0 [ F x=4 ]", true),
    (WAITS, "filter(forall, S<=1/2 [ x=3 ], x<4)", true),
];

#[test]
fn averages_are_told_as_fractions() {
    for (text, property, number) in [
        (ENDS, "S=? [ x=1 ]", "1/3"),
        (ENDS, "R=? [ S ]", "13/6"),
        (MACHINE, "S=? [ x=1 ]", "3/10"),
        (WAITS, "Smax=? [ x=0 ]", "1/3"),
        (WAITS, "Smin=? [ x=0 ]", "0"),
        (DELAYS, "R{1}max=? [ S ]", "4/3"),
        (DELAYS, "R{1}min=? [ S ]", "0"),
    ] {
        let asked = Asked::property(property).setting("exact", "true");
        let answer = answers(text, &asked).expect("an answer").remove(0);
        let value = answer.value.expect("a number");
        assert_eq!(value.exact.as_deref(), Some(number), "{property}");
    }
}

/// What averages of delays come to that are nothing is told at once, and as nothing.
#[test]
fn averages_of_nothing_are_nothing() {
    for property in ["Smin=? [ x=3 ]", "Smax=? [ x=1 ]", "Smax=? [ false ]"] {
        let answer = answers(DELAYS, &Asked::property(property))
            .expect("an answer")
            .remove(0);
        let value = answer.value.as_ref().expect("a number");
        assert_eq!((value.lower, value.upper), (0.0, 0.0), "{property}");
        let evidence = answer.evidence.expect("evidence");
        certify(DELAYS, property, &evidence).expect("accepted");
    }
}

/// A process of some states with one or two choices each, of small chances.
fn process() -> impl Strategy<Value = String> {
    let choice = (0..4usize, 0..4usize, 1..4u8);
    let state = (prop::collection::vec(choice, 1..3), 0..3u8, 1..4u8);
    (prop::collection::vec(state, 4), 0..3u8).prop_map(|(states, kind)| {
        let kind = ["mdp", "ma", "dtmc"][usize::from(kind)];
        let (mut commands, mut rewards) = (String::new(), String::new());
        for (at, (choices, worth, rate)) in states.iter().enumerate() {
            // Time passes in all states of even number, and in these nothing is chosen.
            let delayed = kind == "ma" && (at % 2 == 0 || choices.iter().any(|one| one.0 % 2 == 1 || one.1 % 2 == 1));
            let many = if kind == "mdp" || kind == "ma" && !delayed { choices.len() } else { 1 };
            for (name, (one, other, share)) in choices.iter().take(many).enumerate() {
                let (mark, times) = match delayed {
                    true => ("<>".to_owned(), i64::from(*rate)),
                    false => (format!("[c{name}]"), 1),
                };
                commands += &format!(
                    "  {mark} x={at} -> {times}*{share}/5:(x'={one}) + {times}*(5-{share})/5:(x'={other});\n"
                );
            }
            rewards += &format!("  x={at} : {worth}/3;\n");
        }
        format!("{kind}\nmodule m\n  x : [0..3] init 0;\n{commands}endmodule\nrewards\n{rewards}endrewards\n")
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn exact_averages_lie_between_the_bounds_and_are_met_exactly(text in process(), least: bool, share: bool) {
        let (word, path) = if share { ("S", "x>1") } else { ("R", "S") };
        let end = if least { "min" } else { "max" };
        let question = format!("{word}{end}=? [ {path} ]");
        let asked = Asked::property(&question).setting("exact", "true");
        let answer = answers(&text, &asked).expect("an answer").remove(0);
        let value = answer.value.as_ref().expect("a number");
        let exact = value.exact.clone().unwrap_or_else(|| panic!("{text} {question} {answer:?}"));
        let number: Rational = exact.parse().expect("a fraction");
        prop_assert!(exactly(value.lower).expect("finite") <= number, "{text} {question} {answer:?}");
        prop_assert!(exactly(value.upper).expect("finite") >= number, "{text} {question} {answer:?}");
        prop_assert!(value.upper - value.lower <= 1e-6 * value.upper.max(1e-6), "{text} {question}");
        // The worst choices decide.
        let (kept, broken) = if least { (">=", ">") } else { ("<=", "<") };
        for (relation, holds) in [(kept, true), (broken, false)] {
            let property = format!("{word}{relation}{exact} [ {path} ]");
            let evidence = evidence(&text, &property);
            prop_assert_eq!(evidence.claim == Claim::Holds, holds, "{} {}", text, property);
            let facts = certify(&text, &property, &evidence);
            prop_assert!(facts.is_ok(), "{text} {property}: {facts:?}");
        }
    }
}

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
fn forged_fractions_inside_of_formulas_are_rejected() {
    let mut looked = 0;
    for (text, property, _) in ASKED {
        let genuine = evidence(text, property);
        let Some(parts) = genuine.body["parts"].as_array() else {
            continue;
        };
        for part in 0..parts.len() {
            let Some(fractions) = genuine.body["parts"][part].get("fractions") else {
                continue;
            };
            looked += 1;
            for list in ["values", "worths"] {
                let many = fractions[list].as_array().map_or(0, Vec::len);
                for (state, value) in (0..many).flat_map(|state| [(state, "3/7"), (state, "-2")]) {
                    let mut forged = genuine.clone();
                    forged.body["parts"][part]["fractions"][list][state] = value.into();
                    let found = certify(text, property, &forged);
                    assert!(found.is_err(), "{property} {part} {list} {state}");
                }
            }
            let mut forged = genuine.clone();
            let all = forged.body["parts"].as_array_mut().expect("parts");
            let twice = all[part].clone();
            all.insert(part, twice);
            let found = certify(text, property, &forged);
            assert!(found.is_err(), "{property} {part} twice");
        }
    }
    assert!(looked >= 5, "{looked}");
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
