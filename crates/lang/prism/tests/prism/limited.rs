//! Evidence for questions with a bound on steps or time.

use crate::common::{Asked, answers, check, open};
use quotient_core::{Budget, Claim, Evidence, Rejection, Verdict};

const DIE: &str = include_str!("../../gallery/die.prism");

const WALK: &str = "mdp
module walk
  x : [0..4] init 1;
  [stay] x>0 & x<4 -> (x'=x);
  [step] x>0 & x<4 -> 1/3:(x'=x-1) + 2/3:(x'=x+1);
endmodule
rewards [step] true : 1; x=2 : 0.5; endrewards";

const QUEUE: &str = "ctmc
module queue
  n : [0..5] init 0;
  [] n<5 -> 2 : (n'=n+1);
  [serve] n>0 -> 3.5 : (n'=n-1);
endmodule
rewards \"length\" true : n; endrewards
rewards \"served\" [serve] true : 1; endrewards";

const QUESTIONS: &[(&str, &str)] = &[
    (DIE, "P=? [ F<=5 d=1 ]"),
    (DIE, "P=? [ F[2,4] s=4 ]"),
    (DIE, "P=? [ G<=6 s<7 ]"),
    (DIE, "P=? [ X s=1 ]"),
    (DIE, "P=? [ s<3 U<4 s=4 ]"),
    (DIE, "P<=0.9 [ F<=3 \"done\" ]"),
    (DIE, "P>0.9 [ F<=3 \"done\" ]"),
    (DIE, "R{\"throws\"}=? [ C<=7 ]"),
    (WALK, "Pmax=? [ F<=4 x=4 ]"),
    (WALK, "Pmin=? [ F<=4 x=4 ]"),
    (WALK, "Pmin=? [ G<=4 x>0 ]"),
    (WALK, "Rmax=? [ C<=5 ]"),
    (WALK, "Rmin=? [ I=3 ]"),
    (WALK, "Rmax=? [ I=3 ]"),
    (QUEUE, "P=? [ F<=1.5 n=5 ]"),
    (QUEUE, "P=? [ n<4 U[0.5,2] n=3 ]"),
    (QUEUE, "P=? [ G<=2 n<5 ]"),
    (QUEUE, "P=? [ X n=1 ]"),
    (QUEUE, "R{\"length\"}=? [ C<=3 ]"),
    (QUEUE, "R{\"served\"}=? [ C<=3 ]"),
    (QUEUE, "R{\"length\"}=? [ I=0.7 ]"),
];

/// A chain that is left quickly, and that comes to its two ends equally often.
const LEFT: &str = "ctmc
module left
  s : [0..2] init 0;
  [] s=0 -> 6 : (s'=1) + 6 : (s'=2);
endmodule
label \"b\" = s=1;";

/// What is known from the start needs no numbers, and is shown like the rest.
#[test]
fn chances_that_are_known_from_the_start() {
    for (text, property, value) in [
        (DIE, "P=? [ F<=5 s=0 ]", 1.0),
        (DIE, "P=? [ s>0 U<=5 s=3 ]", 0.0),
        (WALK, "Pmin=? [ F<=4 x<2 ]", 1.0),
        (WALK, "Pmax=? [ G<=4 x>1 ]", 0.0),
        (QUEUE, "P=? [ F<=1.5 n=0 ]", 1.0),
        (QUEUE, "P=? [ n>0 U<=1.5 n=3 ]", 0.0),
    ] {
        let mut answer = answers(text, &Asked::property(property)).expect("an answer");
        let answer = answer.remove(0);
        let number = answer.value.as_ref().expect("a number");
        assert_eq!((number.lower, number.upper), (value, value), "{property}");
        let mut model = open(text, &Asked::property(property)).expect("a model");
        let asked = model.property(property).expect("a property");
        let evidence = answer.evidence.expect("evidence");
        let certified = model.certify(&evidence, &asked, &Budget::unlimited());
        assert!(certified.is_ok(), "{property}: {certified:?}");
    }
    // Inside of others all states count.
    let inner = "P=? [ F (P>0.5 [ F<=2 n=0 ] & n=1) ]";
    check(QUEUE, &Asked::property(inner)).has_value(1.0, 1e-6);
}

#[test]
fn chances_that_are_none_or_all_are_known_without_rounding() {
    for (property, value) in [
        ("P=? [ F (P>0 [ F<=0 \"b\" ]) ]", Some(0.5)),
        ("P=? [ F (P>=1 [ F<=1 \"b\" ]) ]", Some(0.5)),
        ("P=? [ F (P<=0 [ F<=1 \"b\" ]) ]", Some(0.5)),
        ("P=? [ G<=1 s=1 ]", Some(0.0)),
        ("P=? [ G<=1 s=0 ]", None),
        ("filter(count, P>0 [ F<=1 \"b\" ], true)", Some(2.0)),
        ("filter(state, P<=0 [ F<=1 \"b\" ], s=2)", None),
        ("P<=0 [ G<=1 s=1 ]", None),
    ] {
        let mut answer = answers(LEFT, &Asked::property(property))
            .expect("an answer")
            .remove(0);
        assert_eq!(answer.verdict, Verdict::Holds, "{property}");
        if let Some(value) = value {
            let found = answer.value.as_ref().expect("a number");
            assert!(
                (found.lower - 1e-7..=found.upper + 1e-7).contains(&value),
                "{property}"
            );
        }
        let evidence = answer.evidence.take().expect(property);
        let facts = certify(LEFT, property, &evidence);
        assert!(facts.is_ok(), "{property}: {facts:?}");
    }
}

fn evidence(text: &str, property: &str) -> Evidence {
    let mut answer = answers(text, &Asked::property(property))
        .expect("an answer")
        .remove(0);
    answer.evidence.take().expect(property)
}

fn certify(text: &str, property: &str, evidence: &Evidence) -> Result<Vec<String>, Rejection> {
    let mut model = open(text, &Asked::property(property)).expect("a model");
    let asked = model.property(property).expect("a property");
    let certified = model.certify(evidence, &asked, &Budget::unlimited())?;
    Ok(certified.facts)
}

#[test]
fn numbers_that_were_found_are_found_again() {
    for (text, property) in QUESTIONS {
        let facts = certify(text, property, &evidence(text, property));
        assert!(facts.is_ok(), "{property}: {facts:?}");
    }
}

#[test]
fn other_numbers_are_rejected() {
    for (text, property) in QUESTIONS {
        let genuine = evidence(text, property);
        let number = |name: &str| -> f64 {
            let text = genuine.body[name].as_str().expect("a text");
            text.parse().expect("a number")
        };
        if number("upper").is_infinite() {
            continue;
        }
        for (name, moved) in [
            ("lower", number("upper") + 1e-6),
            ("upper", number("lower") - 1e-6),
        ] {
            let mut forged = genuine.clone();
            forged.body[name] = format!("{moved:?}").into();
            let facts = certify(text, property, &forged);
            assert!(facts.is_err(), "{property} {name}: {facts:?}");
        }
        let mut forged = genuine.clone();
        forged.body["upper"] = "NaN".into();
        assert!(certify(text, property, &forged).is_err(), "{property}");
    }
}

#[test]
fn the_opposite_claim_is_rejected() {
    for (text, property) in QUESTIONS {
        let mut forged = evidence(text, property);
        forged.claim = match forged.claim {
            Claim::Holds => Claim::Violated,
            Claim::Violated => Claim::Holds,
        };
        assert!(certify(text, property, &forged).is_err(), "{property}");
    }
}

#[test]
fn evidence_about_another_model_is_rejected() {
    let property = "R{\"served\"}=? [ C<=3 ]";
    let other = QUEUE.replace("3.5", "3.4");
    let facts = certify(&other, property, &evidence(QUEUE, property));
    assert!(facts.is_err(), "{facts:?}");
}

#[test]
fn a_chance_too_small_for_doubles_is_more_than_nothing() {
    let text = "dtmc module m s : [0..3] init 0;
        [] s=0 -> 1e-200 : (s'=1) + 1-1e-200 : (s'=3);
        [] s=1 -> 1e-200 : (s'=2) + 1-1e-200 : (s'=3);
        [] s>=2 -> true; endmodule";
    for path in ["F<=2 s=2", "F s=2", "F<=7 s=2"] {
        for (property, wrong) in [
            (format!("P<=0 [ {path} ]"), Claim::Holds),
            (format!("P>0 [ {path} ]"), Claim::Violated),
        ] {
            let mut answer = answers(text, &Asked::property(&property))
                .expect("an answer")
                .remove(0);
            if let Some(evidence) = answer.evidence.take() {
                assert_ne!(evidence.claim, wrong, "{property}");
            }
            let zero = serde_json::json!({ "lower": "0.0", "upper": "0.0" });
            let mut forged = Evidence::of_holds("chance-limited", &zero).about(&property);
            forged.claim = wrong;
            certify(text, &property, &forged).expect_err(&property);
        }
    }
}

#[test]
fn a_bound_that_is_met_exactly_is_decided_with_fractions() {
    let text = "dtmc
        module c
          s : [0..3];
          [] s=0 -> 0.5:(s'=1) + 0.5:(s'=2);
          [] s=1 -> 0.1:(s'=3) + 0.9:(s'=0);
          [] s>1 -> true;
        endmodule
        rewards s=0 : 0.1; s=1 : 0.2; endrewards";
    let budget = Budget::unlimited();
    let mut model = open(text, &Asked::default()).expect("fine");
    for (property, verdict) in [
        ("P>=0.5 [ X s=1 ]", Verdict::Holds),
        ("P>0.5 [ X s=1 ]", Verdict::Violated),
        ("P>=0.05 [ F<=2 s=3 ]", Verdict::Holds),
        ("P<=0.05 [ F<=2 s=3 ]", Verdict::Holds),
        ("P<0.05 [ F<=2 s=3 ]", Verdict::Violated),
        ("P>=0.95 [ G<=2 s!=3 ]", Verdict::Holds),
        ("P>0.45 [ s<2 U[2,2] s=0 ]", Verdict::Violated),
        ("R<=0.2 [ C<=2 ]", Verdict::Holds),
        ("R<0.2 [ C<=2 ]", Verdict::Violated),
        ("R>=0.1 [ I=1 ]", Verdict::Holds),
    ] {
        let answer = check(text, &Asked::property(property));
        assert_eq!(answer.verdict, verdict, "{property}");
        let evidence = answer.evidence.clone().expect("evidence");
        let asked = model.property(property).expect("fine");
        let certified = model.certify(&evidence, &asked, &budget);
        assert!(certified.is_ok(), "{property} {certified:?}");
        let mut forged = evidence;
        forged.claim = match forged.claim {
            Claim::Holds => Claim::Violated,
            Claim::Violated => Claim::Holds,
        };
        assert!(
            model.certify(&forged, &asked, &budget).is_err(),
            "{property}"
        );
    }
    check(
        text,
        &Asked::property("quantile(min B, P>=0.05 [ F<=B s=3 ])"),
    )
    .has_value(2.0, 0.0);
    check(
        text,
        &Asked::property("quantile(min B, P>0.05 [ F<=B s=3 ])"),
    )
    .has_value(4.0, 0.0);
    check(
        text,
        &Asked::property("quantile(max B, P<=0.5 [ F<=B s=2 ])"),
    )
    .has_value(2.0, 0.0);
}

#[test]
fn what_has_too_many_jumps_has_no_evidence_and_says_so() {
    let fast = QUEUE.replace("2 :", "20000 :").replace("3.5 :", "35000 :");
    for (time, written) in [("1", true), ("1000", false)] {
        let question = format!("R{{\"length\"}}=? [ I={time} ]");
        let answer = check(&fast, &Asked::property(&question));
        let said = answer
            .notes
            .iter()
            .any(|note| note.starts_with("no evidence: "));
        assert_eq!((answer.evidence.is_some(), said), (written, !written));
    }
    for (jumps, looked_at) in [(1_000, true), (21_000_000, false)] {
        let slow = "ctmc module m x:[0..1]; [] x=0 -> 1:(x'=1); endmodule";
        let question = format!("P=? [ F<={jumps} x=1 ]");
        let answer = check(slow, &Asked::property(&question));
        assert_eq!(answer.evidence.is_some(), looked_at, "{question}");
    }
}
