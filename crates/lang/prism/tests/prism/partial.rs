//! Models of which only a part is looked at.

use proptest::prelude::*;
use quotient_core::{Budget, Claim, Evidence, Rejection, Verdict};

use crate::common::{Asked, check, line_of, open, spelled_out, trouble};

/// Attempts that fail with chance 1/2 each, on a plane that nobody can build.
const PLANE: &str = "mdp
module plane
  x : [0..100000] init 0;
  y : [0..100000] init 0;
  lost : bool init false;
  [right] x<100000 & !lost -> 0.5:(x'=x+1) + 0.5:(lost'=true);
  [up] y<100000 & !lost -> 0.25:(y'=y+1) + 0.75:(lost'=true);
endmodule";

fn partial(property: &str) -> Asked {
    Asked::property(property)
        .setting("partial", "true")
        .setting("precision", "1e-3")
}

#[test]
fn what_is_far_away_need_not_be_looked_at() {
    let best = check(PLANE, &partial("Pmax=? [ F x=2 & y=1 ]"));
    best.has_value(0.0625, 1e-3);
    assert_eq!(best.verdict, Verdict::Holds);
    let holds = |property: &str| check(PLANE, &partial(property)).0.verdict;
    assert_eq!(holds("P<=0.07 [ F x=2 & y=1 ]"), Verdict::Holds);
    assert_eq!(holds("P<=0.06 [ F x=2 & y=1 ]"), Verdict::Violated);
    assert_eq!(holds("P>=0.9 [ G x+y<12 ]"), Verdict::Holds);
    check(PLANE, &partial("Pmin=? [ G !lost ]")).has_value(0.0, 1e-3);
}

#[test]
fn only_one_path_without_bounds_can_be_asked_for() {
    for property in [
        "Pmax=? [ F<=3 lost ]",
        "Pmax=? [ G F lost ]",
        "P=? [ F lost ]",
        "Pmax=? [ F \"deadlock\" ]",
        "E [ F lost ]",
    ] {
        trouble(PLANE, &partial(property));
    }
    let wrong = PLANE.replace("0.25:", "0.5:");
    assert!(trouble(&wrong, &partial("Pmax=? [ F y=1 ]")).contains("add up"));
}

fn certify(text: &str, property: &str, evidence: &Evidence) -> Result<Vec<String>, Rejection> {
    let mut model = open(text, &Asked::property(property)).expect("a model");
    let asked = model.property(property).expect("a property");
    let certified = model.certify(evidence, &asked, &Budget::unlimited())?;
    Ok(certified.facts)
}

/// Where the start decides nothing is looked at; that was once written without a line for each variable, and refused.
#[test]
fn what_the_start_decides_is_accepted() {
    for property in [
        "P>=0.9 [ F x=0 ]",
        "P<=0.1 [ x=1 U y=1 ]",
        "Pmax=? [ F x=0 ]",
    ] {
        let evidence = check(PLANE, &partial(property)).0.evidence;
        let evidence = evidence.expect("evidence").about(property);
        assert_eq!(evidence.body["states"], 0, "{property}");
        certify(PLANE, property, &evidence).unwrap_or_else(|why| panic!("{property}: {why}"));
        let mut opposite = evidence;
        opposite.claim = match opposite.claim {
            Claim::Holds => Claim::Violated,
            Claim::Violated => Claim::Holds,
        };
        assert!(certify(PLANE, property, &opposite).is_err(), "{property}");
    }
}

#[test]
fn what_a_part_shows_is_accepted_and_no_more() {
    for (property, wrong) in [
        ("Pmax=? [ F x=2 & y=1 ]", "P<=0.06 [ F x=2 & y=1 ]"),
        ("P<=0.07 [ F x=2 & y=1 ]", "P<=0.06 [ F x=2 & y=1 ]"),
        ("P<=0.06 [ F x=2 & y=1 ]", "P<=0.07 [ F x=2 & y=1 ]"),
        ("P>=0.9 [ G x+y<12 ]", "P>=0.9999999 [ G x+y<12 ]"),
    ] {
        let answer = check(PLANE, &partial(property));
        let genuine = answer.evidence.clone().expect("evidence");
        let facts = certify(PLANE, property, &genuine).expect(property);
        assert!(facts[0].contains("looked at a second time"), "{facts:?}");
        let mut other = genuine.clone().about(wrong);
        assert!(certify(PLANE, wrong, &other).is_err(), "{property}");
        // The first state is the initial one.
        for (side, by) in [("lower", 0.01), ("upper", -0.01)] {
            other = genuine.clone();
            let line = genuine.body[side].as_str().expect("a line");
            let mut numbers = spelled_out(line);
            numbers[0] += by;
            other.body[side] = line_of(&numbers).into();
            assert!(
                certify(PLANE, property, &other).is_err(),
                "{property} {side}"
            );
        }
        // Without its first state nothing is known.
        other = genuine.clone();
        let cut = |line: &serde_json::Value| -> serde_json::Value {
            line_of(&spelled_out(line.as_str().expect("a line"))[1..]).into()
        };
        for side in ["lower", "upper"] {
            other.body[side] = cut(&genuine.body[side]);
        }
        for variable in 0..3 {
            other.body["values"][variable] = cut(&genuine.body["values"][variable]);
        }
        let many = genuine.body["states"].as_u64().expect("a number") - 1;
        other.body["states"] = many.into();
        let chosen = other.body["chosen"].as_array_mut().expect("choices");
        chosen.remove(0);
        assert!(
            certify(PLANE, property, &other).is_err() || !property.contains("<="),
            "{property}"
        );
        // A state that the model does not have, and one twice.
        for value in [-1.0, 0.5] {
            other = genuine.clone();
            let mut numbers = spelled_out(genuine.body["values"][1].as_str().expect("a line"));
            numbers[0] = value;
            other.body["values"][1] = line_of(&numbers).into();
            assert!(certify(PLANE, property, &other).is_err(), "{property}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn a_part_and_the_whole_agree(
        steps in prop::collection::vec((0u8..6, 0u8..6, 0u8..6, 1u8..9), 3..14),
        least in any::<bool>(),
        opposite in any::<bool>(),
    ) {
        let mut text = "mdp module m s:[0..5] init 0;\n".to_owned();
        for (from, to, other, share) in &steps {
            text += &format!("[] s={from} -> {share}/10:(s'={to}) + {}/10:(s'={other});\n", 10 - share);
        }
        text += "endmodule";
        let best = if least { "min" } else { "max" };
        let path = if opposite { "G s!=5" } else { "s!=4 U s=5" };
        let property = format!("P{best}=? [ {path} ]");
        let whole = check(&text, &Asked::property(&property)).0.value.expect("a number");
        let part = check(&text, &partial(&property)).0.value.expect("a number");
        prop_assert!(part.lower <= whole.upper && whole.lower <= part.upper, "{part:?} {whole:?}");
        prop_assert!(part.upper - part.lower <= 2e-3, "{part:?}");
        let evidence = check(&text, &partial(&property)).0.evidence.expect("evidence");
        let facts = certify(&text, &property, &evidence);
        prop_assert!(facts.is_ok(), "{facts:?} {text}");
    }
}
