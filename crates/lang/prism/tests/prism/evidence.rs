//! Evidence convinces the checker, and forged evidence does not.

use crate::common::{Asked, answers, check, line_of, open, spelled_out};
use quotient_core::{Budget, Claim, Evidence, Rejection};

const DIE: &str = include_str!("../../gallery/die.prism");

/// A decision process with a loop to leave, and rewards.
const WALK: &str = "mdp
module walk
  x : [0..4] init 1;
  [stay] x>0 & x<4 -> (x'=x);
  [step] x>0 & x<4 -> 1/3:(x'=x-1) + 2/3:(x'=x+1);
  [jump] x=2 -> 0.1:(x'=0) + 0.9:(x'=4);
endmodule
rewards [step] true : 1; [jump] true : 5; endrewards";

fn evidence(text: &str, property: &str) -> Evidence {
    let mut answer = answers(text, &Asked::property(property))
        .expect("an answer")
        .remove(0);
    answer.evidence.take().expect("evidence")
}

fn certify(text: &str, property: &str, evidence: &Evidence) -> Result<Vec<String>, Rejection> {
    let mut model = open(text, &Asked::property(property)).expect("a model");
    let asked = model.property(property).expect("a property");
    let certified = model.certify(evidence, &asked, &Budget::unlimited())?;
    Ok(certified.facts)
}

const DIE_PROPERTIES: &[&str] = &[
    "P=? [ F d=1 ]",
    "P=? [ G d!=1 ]",
    "P<0.2 [ F d=6 ]",
    "P>=0.5 [ F d=6 ]",
    "P=? [ s<3 U s=4 ]",
    "R{\"throws\"}=? [ F \"done\" ]",
    "R{\"throws\"}=? [ F d=1 ]",
];

const WALK_PROPERTIES: &[&str] = &[
    "Pmax=? [ F x=4 ]",
    "Pmin=? [ F x=4 ]",
    "Pmax=? [ F x=0 ]",
    "Pmin=? [ G x>0 ]",
    "P>=0.5 [ F x=4 ]",
    "Rmin=? [ F x=0|x=4 ]",
    "Rmax=? [ F x=0|x=4 ]",
];

#[test]
fn evidence_of_all_kinds_is_accepted() {
    for (text, properties) in [(DIE, DIE_PROPERTIES), (WALK, WALK_PROPERTIES)] {
        for property in properties {
            let evidence = evidence(text, property);
            let facts = certify(text, property, &evidence);
            assert!(facts.is_ok(), "{property}: {facts:?}");
        }
    }
}

#[test]
fn what_may_have_a_fraction_is_no_counted_number_in_any_state() {
    // 10 to the power of 20 is beyond what whole numbers go to, but not beyond doubles.
    let text =
        "dtmc module m x : [0..1]; [] x=0 -> 1/2:(x'=1) + 1/2:true; [] x=1 -> true; endmodule
rewards x=0 : pow((x=0 ? 10 : 0.5), 20) / pow(10, 15); endrewards";
    let property = "R=? [ F x=1 ]";
    check(text, &Asked::property(property)).has_value(2e5, 0.1);
    certify(text, property, &evidence(text, property)).expect("good evidence");
}

#[test]
fn what_says_nothing_about_later_holds_at_once_or_never() {
    let module = |command: &str| format!("module m x : [0..1]; {command} x=0 -> (x'=1); endmodule");
    let texts = [
        format!("dtmc {}", module("[]")),
        format!("mdp {}", module("[]")),
        format!("ctmc {}", module("[]")),
        format!("ma {}", module("<>")),
        format!("ma {}", module("[]")),
        format!("pta {}", module("[]")),
    ];
    for text in &texts {
        let most = if text.starts_with("mdp") || text.starts_with("ma") || text.starts_with("pta") {
            "max"
        } else {
            ""
        };
        for (of, value) in [
            ("true", 1.0),
            ("x=0", 1.0),
            ("!(x=0)", 0.0),
            ("x=0 & x=1", 0.0),
        ] {
            let property = format!("P{most}=? [ {of} ]");
            check(text, &Asked::property(&property)).has_value(value, 1e-9);
            certify(text, &property, &evidence(text, &property)).expect(text);
        }
        let trivial = check(text, &Asked::property("P>=0 [ true ]"));
        assert_eq!(trivial.verdict, quotient_core::Verdict::Holds, "{text}");
        if !text.starts_with("pta") {
            let inside = format!("P{most}=? [ F P>=1 [ x=1 ] ]");
            check(text, &Asked::property(&inside)).has_value(1.0, 1e-9);
        }
    }
}

#[test]
fn a_moment_that_is_no_double_is_looked_at_again() {
    // Between 0.1 and 0.1 no time passes, which doubles do not tell.
    let text =
        "ctmc module m x : [0..2]; [] x=0 -> 1:(x'=1) + 3:(x'=2); [] x=1 -> 1e6:(x'=0); endmodule";
    for (property, value) in [
        ("P=? [ F[0.1,0.1] x=2 ]", 0.25918),
        ("P=? [ !(x=2) U[0.3,0.3] x=0 ]", 0.40657),
    ] {
        let found = evidence(text, property);
        let number = check(text, &Asked::property(property))
            .0
            .value
            .expect("a number");
        assert!((number.value - value).abs() < 1e-4, "{number:?}");
        certify(text, property, &found).expect(property);
        // Another moment is another number.
        let other = property
            .replace("0.1]", "0.1001]")
            .replace("0.3]", "0.3001]");
        assert!(certify(text, &other, &found).is_err());
    }
}

#[test]
fn bounds_that_are_moved_towards_each_other_are_rejected() {
    for (text, properties) in [(DIE, DIE_PROPERTIES), (WALK, WALK_PROPERTIES)] {
        for property in properties {
            let genuine = evidence(text, property);
            for (name, by) in [("lower", 1e-3), ("upper", -1e-3)] {
                let mut forged = genuine.clone();
                let line = forged.body[name].as_str().expect("a line").to_owned();
                let numbers = spelled_out(&line);
                let moved = numbers.iter().map(|value| (value * (1.0 + by)).max(0.0));
                let moved: Vec<f64> = moved.collect();
                if moved == numbers {
                    continue;
                }
                forged.body[name] = line_of(&moved).into();
                assert!(
                    certify(text, property, &forged).is_err(),
                    "{property} {name}"
                );
            }
        }
    }
}

#[test]
fn the_opposite_claim_is_rejected() {
    for (text, properties) in [(DIE, DIE_PROPERTIES), (WALK, WALK_PROPERTIES)] {
        for property in properties {
            let mut forged = evidence(text, property);
            forged.claim = match forged.claim {
                Claim::Holds => Claim::Violated,
                Claim::Violated => Claim::Holds,
            };
            assert!(certify(text, property, &forged).is_err(), "{property}");
        }
    }
}

#[test]
fn evidence_for_one_property_or_file_is_none_for_another() {
    let one = evidence(DIE, "P=? [ F d=1 ]");
    assert!(certify(DIE, "P=? [ F d=2 ]", &one).is_err());
    assert!(certify(WALK, "Pmax=? [ F x=4 ]", &one).is_err());
    let biased = DIE
        .replace("s=4 -> 0.5", "s=4 -> 0.25")
        .replace("0.5 : (s'=7) & (d'=3)", "0.75 : (s'=7) & (d'=3)");
    let two = evidence(DIE, "P=? [ F d=2 ]");
    assert!(certify(&biased, "P=? [ F d=2 ]", &two).is_err());
}

#[test]
fn shortened_and_reordered_bounds_are_rejected() {
    let genuine = evidence(DIE, "P=? [ F d=1 ]");
    for name in ["lower", "upper"] {
        let line = genuine.body[name].as_str().expect("a line").to_owned();
        let numbers: Vec<&str> = line.split(' ').collect();
        let mut turned = numbers.clone();
        turned.reverse();
        for changed in [
            numbers[1..].join(" "),
            turned.join(" "),
            format!("{line} 0"),
            "x".into(),
        ] {
            let mut forged = genuine.clone();
            forged.body[name] = changed.into();
            assert!(certify(DIE, "P=? [ F d=1 ]", &forged).is_err(), "{name}");
        }
    }
}

/// Evidence with the same bounds in every state.
fn flat(genuine: &Evidence, lower: &str, upper: &str) -> Evidence {
    let mut forged = genuine.clone();
    forged.claim = Claim::Holds;
    let states = forged.body["states"].as_u64().expect("a number") as usize;
    forged.body["lower"] = vec![lower; states].join(" ").into();
    forged.body["upper"] = vec![upper; states].join(" ").into();
    forged
}

#[test]
fn infinity_is_no_bound_of_a_probability() {
    // Never to show a five has a chance of 5/6; an infinite upper bound of its opposite, turned
    // round, is not above everything.
    let always = "P>=0.99 [ G d!=5 ]";
    let genuine = evidence(DIE, always);
    assert_eq!(genuine.claim, Claim::Violated);
    assert!(certify(DIE, always, &flat(&genuine, "0.0", "inf")).is_err());
    // To show a five has a chance of 1/6; the first state alone claims infinity.
    let shows = "P>=0.99 [ F d=5 ]";
    let genuine = evidence(DIE, shows);
    let mut forged = flat(&genuine, "0.0", "inf");
    let states = forged.body["states"].as_u64().expect("a number") as usize;
    for place in 0..states {
        let mut lower = vec!["0.0"; states];
        lower[place] = "inf";
        forged.body["lower"] = lower.join(" ").into();
        assert!(certify(DIE, shows, &forged).is_err(), "{place}");
    }
    for (lower, upper) in [
        ("1.5", "1.5"),
        ("0.0", "NaN"),
        ("NaN", "1.0"),
        ("-1.0", "1.0"),
    ] {
        assert!(certify(DIE, shows, &flat(&genuine, lower, upper)).is_err());
    }
}

#[test]
fn bounds_prove_nothing_about_negative_rewards() {
    let costs = "dtmc
module m
  x : [0..1] init 0;
  [] x=0 -> 1/2:(x'=0) + 1/2:(x'=1);
  [] x=1 -> true;
endmodule
rewards x=0 : COST; endrewards";
    let gains = costs.replace("COST", "1");
    let asked = "R>=0 [ F x=1 ]";
    let genuine = evidence(&gains, asked);
    assert!(certify(&gains, asked, &genuine).is_ok());
    // The value is -2.
    let losses = costs.replace("COST", "-1");
    for lower in ["0.0 0.0", "2.0 0.0"] {
        let mut forged = genuine.clone();
        forged.body["lower"] = lower.into();
        assert!(certify(&losses, asked, &forged).is_err());
    }
}

#[test]
fn a_choice_that_never_arrives_is_rejected() {
    let mut forged = evidence(WALK, "Pmax=? [ F x=4 ]");
    let chosen = forged.body["chosen"].as_array_mut().expect("choices");
    for choice in chosen.iter_mut() {
        *choice = 0.into();
    }
    // Everybody stays: nothing is reached.
    assert!(certify(WALK, "Pmax=? [ F x=4 ]", &forged).is_err());
}

/// A chain that ends in one of two parts, after some steps in which more is earned than later.
const PARTS: &str = "dtmc
module parts
  x : [0..6] init 0;
  [] x=0 -> 0.5:(x'=0) + 0.25:(x'=1) + 0.25:(x'=4);
  [] x=1 -> 0.5:(x'=2) + 0.5:(x'=3);
  [] x=2 -> 0.9:(x'=1) + 0.1:(x'=3);
  [] x=3 -> (x'=1);
  [] x=4 -> 1/3:(x'=4) + 2/3:(x'=5);
  [] x=5 -> 0.2:(x'=4) + 0.8:(x'=5);
endmodule
rewards true : x; [] x=0 : 7; endrewards";

/// A continuous chain with rates that differ by far, and a way in.
const QUEUE: &str = "ctmc
const double fast = 200;
module queue
  q : [0..4] init 0;
  up : [0..2] init 0;
  [] up=0 -> 3 : (up'=1);
  [] up>0 & q<4 -> 0.9 : (q'=q+1);
  [] up=1 & q>0 -> fast : (q'=q-1);
  [] up=1 -> 0.01 : (up'=2);
  [] up=2 -> 0.5 : (up'=1);
endmodule
rewards q>0 : q; [] up=2 : 5; endrewards";

const AVERAGES: &[(&str, &[&str])] = &[
    (
        PARTS,
        &[
            "S=? [ x=3 ]",
            "S=? [ x=0 ]",
            "S=? [ x>3 ]",
            "S=? [ true ]",
            "S>0.1 [ x=5 ]",
            "S<0.1 [ x=5 ]",
            "S<=1 [ x<3 ]",
            "S>1 [ x<3 ]",
            "R=? [ S ]",
        ],
    ),
    (
        QUEUE,
        &[
            "S=? [ q=4 ]",
            "S=? [ q=0 & up=1 ]",
            "S>=0.02 [ q=4 ]",
            "S<0.001 [ q=4 ]",
            "R=? [ S ]",
        ],
    ),
];

#[test]
fn evidence_for_averages_is_accepted() {
    for (text, properties) in AVERAGES {
        for property in *properties {
            let evidence = evidence(text, property);
            assert_eq!(evidence.kind, "chance-average");
            let facts = certify(text, property, &evidence);
            assert!(facts.is_ok(), "{property}: {facts:?}");
        }
    }
}

#[test]
fn forged_evidence_for_averages_is_rejected() {
    for (text, properties) in AVERAGES {
        for property in *properties {
            let genuine = evidence(text, property);
            let edits: [(&str, &dyn Fn(f64) -> f64); 4] = [
                ("lower", &|value| value * 1.001 + 1e-4),
                ("upper", &|value| value * 0.999 - 1e-4),
                ("below", &|value| value * value + 1.0),
                ("above", &|value| -value),
            ];
            for (name, edit) in edits {
                let mut forged = genuine.clone();
                let line = forged.body[name].as_str().expect("a line").to_owned();
                let moved: Vec<f64> = spelled_out(&line).into_iter().map(edit).collect();
                forged.body[name] = line_of(&moved).into();
                // Worths that do not differ are none; nothing is forged by moving all of them.
                let plain = !line.contains(' ') && matches!(name, "below" | "above");
                let found = certify(text, property, &forged);
                assert!(plain || found.is_err(), "{property} {name}: {found:?}");
            }
            let mut forged = genuine.clone();
            forged.body["states"] = 1.into();
            assert!(certify(text, property, &forged).is_err());
            // Evidence about one property is none about another.
            for other in properties.iter().filter(|other| *other != property) {
                let (one, two) = (evidence(text, other), &genuine);
                if one.body == two.body && one.claim == two.claim {
                    continue;
                }
                let swapped = certify(text, other, &genuine);
                let bounded = |text: &str| !text.contains("=?");
                assert!(
                    swapped.is_err() || bounded(other) || bounded(property),
                    "{property} for {other}: {swapped:?}"
                );
            }
        }
    }
}

#[test]
fn probabilities_that_nearly_add_up_to_one_are_divided_by_their_sum() {
    let text = "dtmc
        const double p;
        module d
          s:[0..3];
          [] s=0 -> p:(s'=1) + 0.33333333:(s'=2) + 0.33333333:(s'=0);
          [] s=3 -> s/9.000001:(s'=1) + s/9:(s'=2) + s/9:(s'=0);
          [] s=1|s=2 -> true;
        endmodule
        init s=0 | s=3 endinit";
    let budget = Budget::unlimited();
    for (property, value) in [
        ("filter(max, P=? [ F s>0 & s<3 ], s=0)", 1.0),
        ("filter(max, P=? [ F s=1 ], s=0)", 0.5),
        ("filter(max, P=? [ G s!=1 ], s=0)", 0.5),
    ] {
        let asked = Asked::property(property).constant("p=0.33333333");
        check(text, &asked).has_value(value, 1e-9);
    }
    for property in ["P>=1 [ F s=1 | s=2 ]", "P<=0.6 [ F s=1 ]"] {
        let asked = Asked::property(property).constant("p=0.33333333");
        let answer = check(text, &asked);
        let evidence = answer.evidence.clone().expect("evidence");
        let mut model = open(text, &asked).expect("fine");
        let property = model.property(property).expect("fine");
        let certified = model.certify(&evidence, &property, &budget);
        assert!(certified.is_ok(), "{certified:?}");
        let doubts = model.doubts(&quotient_core::Context::default());
        let doubts = doubts.expect("built");
        let scaled = doubts.iter().filter(|one| one.text.contains("divided by"));
        assert_eq!(scaled.count(), 2);
    }
    let asked = Asked::property("P<=0.6 [ F s=1 ]").constant("p=0.3333");
    assert!(crate::common::trouble(text, &asked).contains("add up"));
}
