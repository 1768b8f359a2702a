//! Models with clocks.

use proptest::prelude::*;
use quotient_core::{Budget, Verdict};

use crate::common::{Asked, answers, check, open, trouble};

/// Sends until it arrives: each attempt takes one or two units of time.
const SEND: &str = "pta
module sender
  s : [0..1];
  x : clock;
  invariant (s=0 => x<=2) endinvariant
  [send] s=0 & x>=1 -> 0.9:(s'=1)&(x'=0) + 0.1:(s'=0)&(x'=0);
endmodule
rewards \"time\" true : 1; endrewards
rewards \"sent\" [send] true : 1; endrewards
rewards \"both\" s=0 : 2; [send] true : 1; endrewards
label \"late\" = s=0 & x>=2;";

#[test]
fn time_passes_as_long_as_invariants_hold() {
    let value = |property: &str, value: f64| {
        check(SEND, &Asked::property(property)).has_value(value, 1e-6);
    };
    value("Pmin=? [ F s=1 ]", 1.0);
    value("Pmax=? [ F<=2 s=1 ]", 0.99);
    value("Pmin=? [ F<=2 s=1 ]", 0.9);
    value("Pmin=? [ F<=1 s=1 ]", 0.0);
    value("Pmax=? [ F<=0 s=1 ]", 0.0);
    value("Pmax=? [ s=0 U<=1 s=1 ]", 0.9);
    value("Pmin=? [ G<=2 s=0 ]", 0.01);
    value("Pmax=? [ F \"late\" ]", 1.0);
    value("Pmin=? [ F \"late\" ]", 0.0);
    value("R{\"time\"}min=? [ F s=1 ]", 1.0 / 0.9);
    value("R{\"time\"}max=? [ F s=1 ]", 2.0 / 0.9);
    value("R{\"sent\"}max=? [ F s=1 ]", 1.0 / 0.9);
    value("R{\"both\"}min=? [ F s=1 ]", 3.0 / 0.9);
    let verdict = |property: &str| check(SEND, &Asked::property(property)).0.verdict;
    assert_eq!(verdict("P>=0.89 [ F<=2 s=1 ]"), Verdict::Holds);
    assert_eq!(verdict("P>=0.95 [ F<=2 s=1 ]"), Verdict::Violated);
}

#[test]
fn clocks_of_several_modules_go_together() {
    let text = "pta
        module one
          a : [0..1]; x : clock;
          invariant (a=0 => x<=5) endinvariant
          [meet] a=0 & x>=3 -> (a'=1);
        endmodule
        module two = one [ a=b, x=y ] endmodule
        module referee
          [meet] true -> true;
        endmodule
        rewards true : 1; endrewards";
    check(text, &Asked::property("Rmin=? [ F a=1&b=1 ]")).has_value(3.0, 1e-6);
    check(text, &Asked::property("Rmax=? [ F a=1&b=1 ]")).has_value(5.0, 1e-6);
}

#[test]
fn what_digital_clocks_cannot_tell_is_refused() {
    let wrong = |from: &str, to: &str, property: &str| {
        let text = SEND.replace(from, to);
        assert!(text != SEND || from == to);
        trouble(&text, &Asked::property(property))
    };
    let any = "Pmin=? [ F s=1 ]";
    assert!(wrong("x>=1", "x>1", any).contains("closed"));
    assert!(wrong("x<=2", "x<2", any).contains("closed"));
    let strict = answers(&SEND.replace("x<=2", "x<2"), &Asked::property(any));
    assert!(format!("{strict:?}").contains("neither `x<=3` nor"));
    assert!(wrong("x<=2", "!(x>=2)", any).contains("closed"));
    assert!(wrong("x>=1", "x+1>=2", any).contains("number"));
    assert!(wrong("(x'=0) +", "(x'=x+1) +", any).contains("whole number"));
    assert!(wrong("s=0 : 2", "s=0 : x", any).contains("compared"));
    assert!(wrong("pta", "mdp", any).contains("only a `pta` has clocks"));
    assert!(wrong("x>=1", "x>=0.5", any).contains("whole number"));
    for property in [
        "Pmin=? [ F x>=1 & x<2 ]",
        "Pmax=? [ F x>=100 ]",
        "Pmax=? [ X s=1 ]",
        "Pmax=? [ G F s=1 ]",
        "Pmax=? [ F<2 s=1 ]",
        "Pmax=? [ F[1,2] s=1 ]",
        "R{\"time\"}max=? [ C<=2 ]",
        "Pmax=? [ G \"late\" ]",
    ] {
        trouble(SEND, &Asked::property(property));
    }
}

#[test]
fn a_step_into_a_broken_invariant_is_refused() {
    let text = "pta module m s:[0..1]; x:clock;
        invariant (s=1 => x<=1) endinvariant
        [] s=0 & x>=2 -> (s'=1); endmodule";
    assert!(trouble(text, &Asked::property("Pmax=? [ F s=1 ]")).contains("invariant"));
}

#[test]
fn evidence_about_clocks_is_accepted_and_forged_one_is_not() {
    for property in ["Pmin=? [ F s=1 ]", "R{\"time\"}max=? [ F s=1 ]"] {
        let mut answers = answers(SEND, &Asked::property(property)).expect("an answer");
        let evidence = answers.remove(0).evidence.expect("evidence");
        let mut model = open(SEND, &Asked::default()).expect("a model");
        let asked = model.property(property).expect("a property");
        let budget = Budget::unlimited();
        assert!(model.certify(&evidence, &asked, &budget).is_ok());
        let other = SEND.replace("x<=2", "x<=3").replace("0.9:", "0.8:");
        let other = other.replace("0.1:", "0.2:");
        let mut model = open(&other, &Asked::default()).expect("a model");
        assert!(model.certify(&evidence, &asked, &budget).is_err());
    }
}

#[test]
fn timed_automata_of_jani_are_the_same() {
    let text = r#"{"jani-version": 1, "name": "send", "type": "pta",
      "variables": [{"name": "x", "type": "clock"}],
      "actions": [{"name": "send"}],
      "automata": [{"name": "sender",
        "locations": [
          {"name": "busy", "time-progress": {"exp": {"op": "≤", "left": "x", "right": 2}}},
          {"name": "done"}],
        "initial-locations": ["busy"],
        "edges": [{"location": "busy", "action": "send",
          "guard": {"exp": {"op": "≥", "left": "x", "right": 1}},
          "destinations": [
            {"location": "done", "probability": {"exp": 0.9}},
            {"location": "busy", "probability": {"exp": 0.1},
             "assignments": [{"ref": "x", "value": 0}]}]}]}],
      "system": {"elements": [{"automaton": "sender"}],
        "syncs": [{"synchronise": ["send"], "result": "send"}]},
      "properties": [
        {"name": "soon", "expression": {"op": "filter", "fun": "values",
          "states": {"op": "initial"}, "values": {"op": "Pmax", "exp": {"op": "F",
            "exp": {"op": "=", "left": "sender_location", "right": 1},
            "time-bounds": {"upper": 2}}}}},
        {"name": "time", "expression": {"op": "filter", "fun": "values",
          "states": {"op": "initial"}, "values": {"op": "Emax", "exp": 1,
            "accumulate": ["time"],
            "reach": {"op": "=", "left": "sender_location", "right": 1}}}},
        {"name": "steps", "expression": {"op": "filter", "fun": "values",
          "states": {"op": "initial"}, "values": {"op": "Emax", "exp": 1,
            "accumulate": ["steps"],
            "reach": {"op": "=", "left": "sender_location", "right": 1}}}}]}"#;
    check(text, &Asked::property("soon")).has_value(0.99, 1e-6);
    check(text, &Asked::property("time")).has_value(2.0 / 0.9, 1e-6);
    check(text, &Asked::property("steps")).has_value(1.0 / 0.9, 1e-6);
}

/// A timed model with numbers that count units of this length.
fn random(edges: &[(u8, u8, u8, u8, bool)], most: [u8; 3], unit: u8) -> String {
    let mut text = "pta module m s:[0..3]; x:clock; y:clock;\n invariant ".to_owned();
    let parts = most.iter().enumerate();
    let parts = parts.map(|(at, &most)| format!("(s={at} => x<={})", (most + 3) * unit));
    text += &parts.collect::<Vec<_>>().join(" & ");
    text += " endinvariant\n";
    for (from, to, other, since, resets) in edges {
        let since = since * unit;
        let reset = if *resets { "&(y'=0)" } else { "" };
        text += &format!(
            "[] s={from} & x<=3 & y>={since} -> 1/3:(s'={to})&(x'=0){reset} + 2/3:(s'={other})&(x'=0);\n",
        );
    }
    text += "endmodule rewards true : 1; endrewards";
    text
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn half_units_of_time_change_nothing(
        edges in prop::collection::vec((0u8..3, 0u8..4, 0u8..4, 0u8..4, any::<bool>()), 1..6),
        most in any::<[bool; 3]>(),
    ) {
        let most = most.map(u8::from);
        let (whole, half) = (random(&edges, most, 1), random(&edges, most, 2));
        let half = half.replace("x<=3 &", "x<=6 &");
        for (one, other, factor) in [
            ("Pmax=? [ F<=5 s=3 ]", "Pmax=? [ F<=10 s=3 ]", 1.0),
            ("Pmin=? [ F<=5 s=3 ]", "Pmin=? [ F<=10 s=3 ]", 1.0),
            ("Pmax=? [ F s=3 ]", "Pmax=? [ F s=3 ]", 1.0),
            ("Rmin=? [ F s=3 ]", "Rmin=? [ F s=3 ]", 2.0),
        ] {
            let number = |text: &str, property: &str| {
                check(text, &Asked::property(property)).0.value.expect("a number")
            };
            let (one, other) = (number(&whole, one), number(&half, other));
            prop_assert!(one.lower * factor <= other.upper * (1.0 + 1e-12), "{one:?} {other:?}");
            prop_assert!(other.lower <= one.upper * factor * (1.0 + 1e-12), "{one:?} {other:?}");
        }
    }
}
