//! Evidence with parts convinces the checker, and forged evidence does not.

use crate::common::{Asked, answers, check, line_of, open, spelled_out};
use quotient_core::{Budget, Claim, Evidence, Rejection};

const DIE: &str = include_str!("../../gallery/die.prism");

const WALK: &str = "mdp
module walk
  x : [0..4] init 1;
  [stay] x>0 & x<4 -> (x'=x);
  [step] x>0 & x<4 -> 1/3:(x'=x-1) + 2/3:(x'=x+1);
  [jump] x=2 -> 0.1:(x'=0) + 0.9:(x'=4);
endmodule
rewards [step] true : 1; [jump] true : 5; endrewards";

const QUEUE: &str = "ctmc
module queue
  q : [0..4] init 0;
  [] q<4 -> 0.9 : (q'=q+1);
  [] q>0 -> 2 : (q'=q-1);
endmodule
rewards q>0 : q; endrewards";

/// Tries that come to an end, however one chooses.
const TRIES: &str = "mdp
module m
  x : [0..3];
  [a] x=0 -> 0.5:(x'=1) + 0.5:(x'=0);
  [b] x=0 -> 0.9:(x'=1) + 0.1:(x'=2);
  [c] x=1 -> 0.3:(x'=0) + 0.7:(x'=3);
  [] x=2 -> (x'=3);
  [] x=3 -> true;
endmodule
rewards [a] true : 1; [b] true : 2; x=2 : 4; endrewards";

const COSTS: &str = "mdp
module m
  x : [0..4] init 0;
  [cheap] x<3 -> 0.4:(x'=x) + 0.5:(x'=x+1) + 0.1:(x'=4);
  [dear] x<3 -> 0.9:(x'=x+1) + 0.1:(x'=x);
  [free] x=1 -> (x'=0);
  [] x>2 -> true;
endmodule
rewards \"cost\" [cheap] true : 0.2; [dear] true : 0.7; endrewards
rewards \"steps\" x<3 : 1; endrewards";

const CLOCKS: &str = "pta
module m
  s : [0..2] init 0;
  x : clock;
  invariant (s=0 => x<=2) endinvariant
  [] s=0 & x>=1 -> 0.5:(s'=1) + 0.5:(x'=0);
  [] s=1 -> (s'=2);
endmodule";

/// What is asked, and how many parts show it.
const ASKED: &[(&str, &[(&str, usize)])] = &[
    (
        DIE,
        &[
            ("filter(max, P=? [ F d=1 ], s<3)", 1),
            ("filter(avg, R{\"throws\"}=? [ F \"done\" ])", 1),
            ("filter(sum, P=? [ F d=1 ], s>0 & s<7)", 1),
            ("filter(count, P>0.3 [ F d=1 ])", 1),
            ("filter(forall, P>=1 [ F \"done\" ])", 1),
            ("filter(exists, P>=1 [ F d=6 ])", 1),
            ("filter(print, P=? [ F d=1 ])", 1),
            ("filter(argmax, P=? [ F d=1 ], s<7)", 1),
            ("filter(first, P=? [ F d=2 ], s>1)", 1),
            ("P=? [ s<3 W d=1 ]", 1),
            ("P=? [ d=1 R s<7 ]", 1),
            ("P=? [ !(F d=1) ]", 1),
            ("P=? [ F P>=0.4 [ F d=6 ] ]", 2),
            ("P=? [ F<=4 P>=1 [ F d=6 ] ]", 1),
            ("P=? [ X P>0.3 [ F d=6 ] ]", 1),
            ("P=? [ F d=1 ] + 2*P=? [ F d=2 ]", 2),
            ("P=? [ F d=1 ] / P=? [ F d<3 & s=7 ]", 2),
            ("P>0.1 [ F d=1 ] & P<0.2 [ F d=2 ]", 2),
            ("P>0.1 [ F d=1 ] => P>0.2 [ F d=2 ]", 2),
            ("P=? [ F d=1 ] < P=? [ F d<3 & s=7 ]", 2),
            ("P=? [ F>=3 d=1 ]", 1),
            ("P=? [ s<7 U>=2 s=7 ]", 1),
            ("E [ F d=1 ]", 0),
            ("A [ F d=1 ]", 0),
            ("A [ F s>2 ]", 0),
            ("E [ G s<7 ]", 0),
            ("R{\"throws\"}=? [ C ]", 1),
            ("S=? [ P>=1 [ F d=6 ] ]", 2),
            ("S>0.1 [ d=6 ] & R{\"throws\"}<5 [ F \"done\" ]", 2),
            ("P=? [ G F d=1 ]", 1),
            ("P<0.2 [ F G d=1 ]", 1),
            ("P=? [ (F s=1) & (F d=6) ]", 1),
            ("P=? [ F (s=1 & (X s=3)) ]", 1),
            ("P=? [ !((F<=3 s=3) & (F d=1)) ]", 1),
            ("P=? [ (X s=1) <=> (F d=6) ]", 1),
            ("P=? [ (X F P>=0.4 [ F d=6 ]) & (X s=2) ]", 2),
            ("filter(max, P=? [ X F d=1 ], s<7)", 1),
            ("P=? [ F d=6 || X s=2 ]", 1),
            ("P=? [ X s=2 || F d=6 ]", 2),
        ],
    ),
    (
        WALK,
        &[
            ("filter(min, Pmax=? [ F x=4 ], x>0)", 1),
            ("Pmin=? [ x<3 W x=4 ]", 1),
            ("Pmax=? [ x=4 R x<3 ]", 1),
            ("Pmax=? [ G>=2 x>0 ]", 1),
            ("Pmin=? [ F P>=0.95 [ F x=4 ] ]", 2),
            ("filter(max, Rmin=? [ F x=0|x=4 ])", 1),
            ("Pmax=? [ F x=4 ] - Pmin=? [ F x=4 ]", 2),
            (
                "min(Pmax=? [ F x=4 ], 0.5) + max(0, Pmin=? [ F x=4 ], 0.25)",
                2,
            ),
            ("floor(100*Pmax=? [ F x=0 ])", 1),
            ("round(100*Pmax=? [ F x=0 ])", 1),
            ("pow(Pmax=? [ F x=0 ], 2)", 1),
            ("ceil(10*Pmin=? [ F x=4 ])", 1),
            ("filter(max, Smax=? [ x=2 ])", 1),
            ("Rmax=? [ S ] + Smin=? [ x>0 & x<4 ]", 2),
            ("Rmin=? [ C ]", 1),
            ("Pmax=? [ F x=4 || F x=2 ]", 1),
            ("Pmin=? [ F x=4 || F x=2 ]", 1),
            ("Pmax=? [ F x=0 || F x=3 ]", 1),
            ("Pmax>=0.1 [ F x=0 || F x=3 ]", 1),
            ("Pmax=? [ G F x=2 ]", 1),
            ("Pmin=? [ G F x=2 ]", 1),
            ("Pmax=? [ (F x=3) & (F x=1) & (F G x=4) ]", 1),
            ("Pmin=? [ (F x=3) | (X x=0) ]", 1),
            ("Pmax>=0.9 [ G (x=1 => (X x=2)) ]", 1),
        ],
    ),
    (
        TRIES,
        &[
            ("Rmax=? [ C ]", 1),
            ("Rmin=? [ C ]", 1),
            ("Rmax=? [ C ] - Rmax=? [ F x=3 ]", 2),
            ("Pmax=? [ F x=2 || F x=1 ]", 1),
            ("Pmin=? [ F x=1 || F x=3 ]", 1),
        ],
    ),
    (
        COSTS,
        &[
            ("Pmax=? [ F{\"cost\"}<=1.5 x=3 ]", 1),
            ("Pmin=? [ F{\"cost\"}<1.4 x=3 ]", 1),
            ("Pmax=? [ F{\"cost\"}<=2,{\"steps\"}>=4 x=3 ]", 1),
            ("Pmin=? [ x<4 U{\"steps\"}<=5 x=3 ]", 1),
            ("Pmax>=0.9 [ F{\"cost\"}<=3 x=3 ]", 1),
        ],
    ),
    (
        CLOCKS,
        &[
            ("Pmax=? [ F<=3 s=2 ]", 1),
            ("Pmin=? [ F<=4 s=2 ]", 1),
            ("Pmin>=0.5 [ F<=2 s=2 ]", 1),
        ],
    ),
    (
        QUEUE,
        &[
            ("P=? [ q<4 U>=1.5 q=4 ]", 1),
            ("P=? [ F<=2 P>=0.1 [ F<=1 q=4 ] ]", 0),
            ("filter(max, S=? [ q=4 ])", 1),
            ("S=? [ q=4 ] + R=? [ S ]", 2),
            ("filter(max, R=? [ C<=2 ])", 0),
            ("P=? [ F (q=2 & (X q=1)) ]", 1),
            ("P=? [ G F q=4 ]", 1),
            ("P=? [ (!(q=0) U q=3) || X q=1 ]", 1),
        ],
    ),
];

fn evidence(text: &str, property: &str) -> Evidence {
    let mut answer = answers(text, &Asked::property(property))
        .expect("an answer")
        .remove(0);
    let found = answer.evidence.take();
    found.unwrap_or_else(|| panic!("no evidence for {property}"))
}

fn certify(text: &str, property: &str, evidence: &Evidence) -> Result<Vec<String>, Rejection> {
    let mut model = open(text, &Asked::property(property)).expect("a model");
    let asked = model.property(property).expect("a property");
    let certified = model.certify(evidence, &asked, &Budget::unlimited())?;
    Ok(certified.facts)
}

fn each(mut test: impl FnMut(&str, &str, usize)) {
    for (text, properties) in ASKED {
        for (property, parts) in *properties {
            test(text, property, *parts);
        }
    }
}

fn parts(evidence: &mut Evidence) -> &mut Vec<serde_json::Value> {
    evidence.body["parts"].as_array_mut().expect("parts")
}

#[test]
fn evidence_with_parts_is_accepted_and_tells_the_number_of_the_answer() {
    each(|text, property, many| {
        let mut answer = answers(text, &Asked::property(property)).expect("an answer");
        let mut answer = answer.remove(0);
        let mut evidence = answer.evidence.take().expect(property);
        assert_eq!(evidence.kind, "chance-parts", "{property}");
        assert_eq!(parts(&mut evidence).len(), many, "{property}");
        let facts = certify(text, property, &evidence);
        let facts = facts.unwrap_or_else(|why| panic!("{property}: {why:?}"));
        let Some(number) = &answer.value else { return };
        let told = facts.last().expect("a fact");
        let told = told
            .strip_prefix("the value lies between ")
            .expect("a number");
        let (low, high) = told.split_once(" and ").expect("two ends");
        let (low, high): (f64, f64) = (low.parse().unwrap(), high.parse().unwrap());
        assert!(
            low <= number.upper && number.lower <= high,
            "{property} {told} {number:?}"
        );
        assert!(
            high - low <= 1e-5 * high.abs().max(1e-3) || property.contains("print"),
            "{property} {told}"
        );
    });
}

#[test]
fn bounds_of_a_part_that_are_moved_are_rejected() {
    each(|text, property, many| {
        let genuine = evidence(text, property);
        for at in 0..many {
            for (name, by) in [("lower", 1e-3), ("upper", -1e-3)] {
                let mut forged = genuine.clone();
                let part = &mut parts(&mut forged)[at];
                let kinds = ["bounds", "average", "linear", "counted", "given"];
                let kind = kinds.into_iter().find(|kind| !part[kind].is_null());
                let kind = kind.expect("a kind");
                let line = part[kind][name].as_str().expect("a line").to_owned();
                let numbers = spelled_out(&line);
                let moved: Vec<f64> = numbers.iter().map(|one| one * (1.0 + by)).collect();
                if moved == numbers {
                    continue;
                }
                part[kind][name] = line_of(&moved).into();
                assert!(
                    certify(text, property, &forged).is_err(),
                    "{property} {at} {name}"
                );
            }
        }
    });
}

#[test]
fn parts_that_are_missing_too_many_or_in_another_order_are_rejected() {
    each(|text, property, many| {
        let genuine = evidence(text, property);
        let mut forged = genuine.clone();
        let extra = serde_json::json!({"bounds": {"states": 1, "lower": "0.0", "upper": "1.0"}});
        parts(&mut forged).push(extra);
        assert!(certify(text, property, &forged).is_err(), "{property}");
        if many > 0 {
            let mut forged = genuine.clone();
            parts(&mut forged).pop();
            assert!(certify(text, property, &forged).is_err(), "{property}");
        }
        if many > 1 {
            let mut forged = genuine.clone();
            parts(&mut forged).reverse();
            // Two parts may say the same.
            if forged.body == genuine.body {
                return;
            }
            assert!(certify(text, property, &forged).is_err(), "{property}");
        }
    });
}

#[test]
fn the_opposite_claim_and_other_properties_are_rejected() {
    each(|text, property, _| {
        let mut forged = evidence(text, property);
        forged.claim = match forged.claim {
            Claim::Holds => Claim::Violated,
            Claim::Violated => Claim::Holds,
        };
        assert!(certify(text, property, &forged).is_err(), "{property}");
    });
    let genuine = evidence(DIE, "filter(max, P=? [ F d=1 ], s<3)");
    for other in [
        "filter(max, P=? [ F d=2 ], s<3)",
        "P=? [ F P>=0.4 [ F d=1 ] ]",
        "filter(max, R{\"throws\"}=? [ F d=1 ], s<3)",
        "P=? [ X F d=1 ]",
    ] {
        assert!(certify(DIE, other, &genuine).is_err(), "{other}");
    }
    // The same automaton, with other conditions.
    let genuine = evidence(DIE, "P=? [ F (s=1 & (X s=3)) ]");
    for other in ["P=? [ F (s=1 & (X s=4)) ]", "P=? [ F (s=2 & (X s=3)) ]"] {
        assert!(certify(DIE, other, &genuine).is_err(), "{other}");
    }
}

#[test]
fn a_condition_that_a_part_leaves_open_is_not_taken_for_false() {
    // One third of all throws from the second state show a one: the bounds are near, and wider
    // ones settle nothing.
    let property = "filter(count, P>0.3 [ F d=1 ])";
    let mut forged = evidence(DIE, property);
    let part = &mut parts(&mut forged)[0]["bounds"];
    let states = spelled_out(part["lower"].as_str().expect("a line")).len();
    part["lower"] = line_of(&vec![0.0; states]).into();
    part["upper"] = line_of(&vec![1.0; states]).into();
    let facts = certify(DIE, property, &forged).expect("true, and says nothing");
    let wide = format!("the value lies between 0 and {states}");
    assert_eq!(facts.last(), Some(&wide));
    let property = "P=? [ F P>=0.4 [ F d=6 ] ]";
    let mut forged = evidence(DIE, property);
    let part = &mut parts(&mut forged)[0]["bounds"];
    part["lower"] = line_of(&vec![0.0; states]).into();
    part["upper"] = line_of(&vec![1.0; states]).into();
    assert!(certify(DIE, property, &forged).is_err());
}

#[test]
fn properties_that_use_others_by_name_have_evidence_too() {
    let text = "dtmc
module m
  x : [0..3] init 0;
  [] x=0 -> 0.25:(x'=1) + 0.75:(x'=2);
  [] x=2 -> 0.5:(x'=1) + 0.5:(x'=3);
endmodule";
    let asked = Asked {
        property: vec!["both".into()],
        settings: vec![("properties".into(), "m.props".into())],
        files: vec![(
            "m.props".into(),
            "\"likely\": P>=0.4 [ F x=1 ];\n\"both\": P=? [ F \"likely\" & x=2 ];".into(),
        )],
    };
    let mut answer = answers(text, &asked).expect("an answer").remove(0);
    let evidence = answer.evidence.take().expect("evidence");
    let mut model = open(text, &asked).expect("a model");
    let property = model.property("both").expect("a property");
    let certified = model.certify(&evidence, &property, &Budget::unlimited());
    assert!(certified.is_ok(), "{certified:?}");
}

/// Bounds inside that are met exactly: fractions tell, and what is counted in steps has evidence.
#[test]
fn bounds_inside_that_are_met_exactly_are_decided() {
    let coin = "dtmc\nmodule m\n  x : [0..3];\n  [] x=0 -> 0.5:(x'=1) + 0.5:(x'=2);\n  \
                [] x=1 -> 1/3:(x'=0) + 2/3:(x'=3);\n  [] x>1 -> true;\nendmodule\n";
    for (property, expected) in [
        ("P=? [ F P>=0.5 [ X x=1 ] ]", 1.0),
        ("P=? [ F P>0.5 [ X x=1 ] ]", 0.0),
        ("P=? [ F P<=1/3 [ F<=2 x=3 ] ]", 1.0),
    ] {
        let answer = check(coin, &Asked::property(property));
        answer.has_value(expected, 1e-9);
        let evidence = answer.evidence.clone().expect(property);
        let mut model = open(coin, &Asked::default()).expect("a model");
        let asked = model.property(property).expect("a property");
        let found = model.certify(&evidence, &asked, &Budget::unlimited());
        assert!(found.is_ok(), "{property} {found:?}");
    }
    // The chance of 3 is 2/5 from 0, and 4/5 from 1.
    check(coin, &Asked::property("P=? [ X P>=0.8 [ F x=3 ] ]")).has_value(0.5, 1e-9);
    check(coin, &Asked::property("P=? [ X P>0.8 [ F x=3 ] ]")).has_value(0.0, 1e-9);
}
