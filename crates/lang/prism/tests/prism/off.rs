//! Weights that miss one by a little, conditions without a value, shapes that do not fit, and names
//! that are made up.

use crate::common::{Asked, answers, check, open};
use quotient_core::{Budget, Claim, Evidence, Rejection, Verdict};

/// Stays nearly always; what is missing to one is as much as what leads on.
const RARE: &str = "dtmc
module rare
  s : [0..2] init 0;
  [] s=0 -> 0.99999999:(s'=0) + 0.000000005:(s'=1);
  [] s>0 -> true;
endmodule";

fn certify(text: &str, property: &str, evidence: &Evidence) -> Result<Vec<String>, Rejection> {
    let mut model = open(text, &Asked::property(property)).expect("a model");
    let asked = model.property(property).expect("a property");
    let certified = model.certify(evidence, &asked, &Budget::unlimited())?;
    Ok(certified.facts)
}

#[test]
fn weights_that_miss_one_are_shares_of_what_they_are() {
    let surely = "P>=1 [ F s=1 ]";
    let answer = check(RARE, &Asked::property(surely));
    assert_eq!(answer.verdict, Verdict::Holds);
    let evidence = answer.evidence.clone().expect("evidence");
    certify(RARE, surely, &evidence).expect("genuine evidence");
    // As written, the weights would give one half.
    let rarely = "P<=0.6 [ F s=1 ]";
    let mut forged = check(RARE, &Asked::property(rarely)).evidence.clone();
    let forged = forged.as_mut().expect("evidence");
    assert_eq!(forged.claim, Claim::Violated);
    certify(RARE, rarely, forged).expect("genuine evidence");
    forged.claim = Claim::Holds;
    forged.body["lower"] = "0.4999 1.0".into();
    forged.body["upper"] = "0.5001 1.0".into();
    assert!(certify(RARE, rarely, forged).is_err());
    let average = "S>=0.5 [ s=1 ]";
    let evidence = check(RARE, &Asked::property(average)).evidence.clone();
    certify(RARE, average, &evidence.expect("evidence")).expect("genuine evidence");
}

#[test]
fn evidence_of_random_weights_that_miss_one_is_accepted() {
    quotient_trial::trial(|u| {
        // Four states and an end; weights with eight digits, the last ones wrong.
        let mut text = "dtmc\nmodule m\n  s : [0..4] init 0;\n".to_owned();
        for state in 0..4 {
            let mut left = 100_000_000_i64;
            let mut branches = Vec::new();
            for target in 0..4 {
                let part = u.int_in_range(0..=left / 2)?;
                left -= part;
                branches.push(format!("0.{part:08}2:(s'={target})"));
            }
            // The four last digits add up to nearly one more than the eight digits say.
            let last = (left - u.int_in_range(0..=1)?).max(0);
            if last == 100_000_000 || last < 10 {
                return Ok(());
            }
            branches.push(format!("0.{last:08}:(s'=4)"));
            text += &format!("  [] s={state} -> {};\n", branches.join(" + "));
        }
        text += "  [] s=4 -> true;\nendmodule\nrewards s=1 : 3; endrewards\n";
        for property in [
            "P=? [ F s=4 ]",
            "P=? [ s<3 U s=4 ]",
            "R=? [ F s=4 ]",
            "P=? [ F<=7 s=4 ]",
            "S=? [ s=4 ]",
        ] {
            let answer = match answers(&text, &Asked::property(property)) {
                Ok(mut answers) => answers.remove(0),
                Err(trouble) => panic!("{text}{property}: {trouble}"),
            };
            let evidence = answer.evidence.expect("evidence");
            if let Err(why) = certify(&text, property, &evidence) {
                panic!("{text}{property}: {why}");
            }
        }
        Ok(())
    })
    .budget_ms(1_500);
}

#[test]
fn a_name_that_is_made_up_is_nobody_elses() {
    let written =
        "\"a\": P>=0.5 [ F s=1 ];\n\"a #2\": P>=0.4 [ F s=1 ];\n\"a\": P<=0.5 [ F s=1 ];\n";
    let mut asked = Asked::default().setting("properties", "all.props");
    asked
        .files
        .push(("all.props".to_owned(), written.to_owned()));
    let mut model = open(RARE, &asked).expect("a model");
    let names: Vec<String> = model.properties().into_iter().map(|one| one.name).collect();
    assert_eq!(names, ["a", "a #2", "a #2'"]);
    let last = model.property("a #2'").expect("a property");
    assert_eq!(last.text, "P<=0.5 [ F s=1 ]");
}

#[test]
fn an_interval_that_is_turned_round_still_has_the_number_in_it() {
    // The chance is 10^-20; one less that is no double.
    let text = "dtmc
module m
  s : [0..2] init 0;
  [] s=0 -> 0.00000000000000000001:(s'=1) + 0.99999999999999999999:(s'=2);
  [] s>0 -> true;
endmodule";
    let never = "P=? [ G s!=1 ]";
    let evidence = check(text, &Asked::property(never)).evidence.clone();
    let facts = certify(text, never, &evidence.expect("evidence")).expect("genuine evidence");
    assert!(
        !facts.iter().any(|fact| fact.contains("between 1 and 1")),
        "{facts:?}"
    );
}

#[test]
fn nothing_is_shown_where_a_condition_has_no_value() {
    // Neither the condition nor its opposite has a value at the start.
    let text = "dtmc
module m
  s : [0..2] init 0;
  x : [0..5] init 0;
  [] s=0 & mod(5,x)=0 -> (s'=1);
  [] s=0 & !(mod(5,x)=0) -> (s'=2);
  [] s>0 -> true;
endmodule
label \"even\" = mod(4,x)=0;";
    let mut forged = Evidence::of_holds("chance-bounds", &());
    forged.body = serde_json::json!({ "states": 1, "lower": "0.0", "upper": "0.0" });
    for stuck in [
        "P<=0.5 [ F s=2 ]",
        "P<=0.5 [ F s=1 ]",
        "P<=0.5 [ F \"even\" ]",
    ] {
        assert!(
            certify(text, stuck, &forged.clone().about(stuck)).is_err(),
            "{stuck}"
        );
    }
    // Where something else decides first, there is a value.
    let fine = text.replace("init 0;\n  [] s=0", "init 2;\n  [] s=0");
    let asked = "P>=1 [ F s=2 ]";
    let evidence = check(&fine, &Asked::property(asked)).evidence.clone();
    certify(&fine, asked, &evidence.expect("evidence")).expect("genuine evidence");
}

#[test]
fn evidence_about_fewer_or_more_states_is_refused() {
    for (property, lines) in [
        ("P>=0.9 [ F s=1 ]", &["lower", "upper"][..]),
        ("S>=0.5 [ s=1 ]", &["lower", "upper", "below", "above"]),
    ] {
        let genuine = check(RARE, &Asked::property(property)).evidence.clone();
        let genuine = genuine.expect("evidence");
        certify(RARE, property, &genuine).expect("genuine evidence");
        for line in lines {
            for other in ["", "0.0 0.0 0.0"] {
                let mut forged = genuine.clone();
                forged.body[*line] = other.into();
                assert!(certify(RARE, property, &forged).is_err(), "{line}: {other}");
            }
        }
        for (states, numbers) in [(1, "1.0"), (3, "1.0 1.0 1.0"), (0, "")] {
            let mut forged = genuine.clone();
            forged.body["states"] = states.into();
            for line in lines {
                forged.body[*line] = numbers.into();
            }
            assert!(certify(RARE, property, &forged).is_err(), "{states}");
        }
    }
}
