//! Questions that the initial state settles: nothing is built for them.

use crate::common::{Asked, answers, open};
use quotient_core::{Budget, Claim, Evidence, Verdict};
use quotient_language::Ask;

/// Three counters of a hundred million values each: nobody builds these.
const HUGE: &str = "KIND
module a
  a : [0..100000000] init 7;
  [] a<100000000 -> RATE(a'=a+1);
  [] a>0 -> RATE(a'=a-1);
endmodule
module b = a [a=b] endmodule
module c = a [a=c] endmodule
label \"seven\" = a=7;
";

fn huge(kind: &str) -> String {
    let rate = if kind == "ctmc" { "2:" } else { "" };
    HUGE.replace("KIND", kind).replace("RATE", rate)
}

fn accepts(model: &str, property: &str, evidence: &Evidence) -> bool {
    let mut opened = open(model, &Asked::property(property)).expect("a model");
    let asked = opened.property(property).expect("a property");
    let accepted = opened.certify(evidence, &asked, &Budget::unlimited());
    accepted.is_ok()
}

/// Questions without `P`, and what they are worth.
const QUESTIONS: &[(&str, f64)] = &[
    ("[ F a=7 ]", 1.0),
    ("[ F<=10 \"seven\" ]", 1.0),
    ("[ G a!=7 ]", 0.0),
    ("[ G<=3 !\"seven\" ]", 0.0),
    ("[ a<7 U b=8 ]", 0.0),
    ("[ a<7 U<=4 b=8 ]", 0.0),
    ("[ a<7 U<4 b=7 ]", 1.0),
    ("[ F<=0 c=7 ]", 1.0),
];

#[test]
fn no_model_is_built_for_what_the_initial_state_settles() {
    for kind in ["dtmc", "ctmc", "mdp"] {
        let model = huge(kind);
        let asks = if kind == "mdp" { "Pmin=? " } else { "P=? " };
        for (path, expected) in QUESTIONS {
            let question = format!("{asks}{path}");
            let answer = answers(&model, &Asked::property(&question)).expect(&question);
            let value = answer[0].value.as_ref().expect(&question);
            let all = [value.lower, value.value, value.upper];
            assert_eq!(all, [*expected; 3], "{kind} {question}");
            let evidence = answer[0].evidence.as_ref().expect(&question);
            assert!(accepts(&model, &question, evidence), "{kind} {question}");
            for (bound, holds) in [(">=0.5", *expected == 1.0), ("<1", *expected == 0.0)] {
                let property = format!("P{bound} {path}");
                let answer = answers(&model, &Asked::property(&property)).expect(&property);
                let verdict = if holds {
                    Verdict::Holds
                } else {
                    Verdict::Violated
                };
                assert_eq!(answer[0].verdict, verdict, "{kind} {property}");
                let mut evidence = answer[0].evidence.clone().expect(&property);
                assert!(accepts(&model, &property, &evidence), "{kind} {property}");
                evidence.claim = if holds { Claim::Violated } else { Claim::Holds };
                assert!(!accepts(&model, &property, &evidence), "{kind} {property}");
            }
            // The number of another path, or moved.
            for (other, value) in QUESTIONS {
                // Without bounds both may be about reaching the same, of which `G` is the opposite.
                let bounded = path.contains('<') || other.contains("<=");
                if value != expected && bounded {
                    let other = format!("{asks}{other}");
                    assert!(!accepts(&model, &other, evidence), "{question} for {other}");
                }
            }
        }
    }
}

#[test]
fn what_the_initial_state_leaves_open_is_not_settled_by_it() {
    let small = "dtmc
module m
  x : [0..2] init 1;
  [] x=1 -> 0.5:(x'=0) + 0.5:(x'=2);
endmodule";
    let value = |question: &str| {
        let mut found = answers(small, &Asked::property(question)).expect("an answer");
        found.remove(0).value.expect("a number").value
    };
    // What begins later, is not over yet, or is about the next state.
    for (question, expected) in [
        ("P=? [ F[1,1] x=1 ]", 0.0),
        ("P=? [ F>=1 x=1 ]", 0.0),
        ("P=? [ X x=1 ]", 0.0),
        ("P=? [ F x=0 ]", 0.5),
        ("P=? [ x=1 U<=1 x=2 ]", 0.5),
        ("P=? [ G x>0 ]", 0.5),
    ] {
        assert!((value(question) - expected).abs() < 1e-9, "{question}");
    }
    // Every initial state counts.
    let starts = small.replace(" init 1", "") + "\ninit x<2 endinit";
    let found = answers(&starts, &Asked::property("P>=1 [ F<=3 x=0 ]")).expect("an answer");
    assert_eq!(found[0].verdict, Verdict::Violated);
}

#[test]
fn bounds_that_make_no_sense_are_told_all_the_same() {
    let model = "dtmc\nmodule m\n x : [0..1];\n [] true -> (x'=1-x);\nendmodule";
    for question in ["P=? [ F<=-1 x=0 ]", "P=? [ F<=0.5 x=0 ]", "P=? [ F<0 x=0 ]"] {
        let told = answers(model, &Asked::property(question));
        assert!(told.is_err(), "{question}: {told:?}");
    }
    let process = model.replace("dtmc", "mdp");
    assert!(answers(&process, &Asked::property("P=? [ F x=0 ]")).is_err());
}

#[test]
fn it_is_a_doubt_that_no_other_state_was_looked_at() {
    let mut model = open(&huge("dtmc"), &Asked::default()).expect("a model");
    let ask = Ask {
        properties: vec!["P=? [ F a=7 ]".to_owned()],
        doubt: true,
        ..Ask::default()
    };
    let context = quotient_core::Context::default();
    model.check(&ask, &context, &mut |_| {}).expect("an answer");
    let doubts = model.doubts(&context).expect("doubts");
    assert!(doubts[0].text.contains("no other state was looked at"));
}
