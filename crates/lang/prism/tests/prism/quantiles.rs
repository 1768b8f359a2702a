//! Quantiles: what they come to, by trying all bounds, and evidence for them.

use crate::common::{Asked, answers, open};
use quotient_core::{Budget, Evidence, Rejection, Verdict};

const COSTS: &str = "mdp
module m
  x : [0..4] init 0;
  [cheap] x<3 -> 0.4:(x'=x) + 0.5:(x'=x+1) + 0.1:(x'=4);
  [dear] x<3 -> 0.9:(x'=x+1) + 0.1:(x'=x);
  [free] x=1 -> (x'=0);
  [] x>2 -> true;
endmodule
rewards \"cost\" [cheap] true : 1; [dear] true : 3; endrewards";

/// What is quantified over, with `B` for the bound.
const PROPERTIES: &[&str] = &[
    "Pmax>=0.9 [ F{\"cost\"}<=B x=3 ]",
    "Pmax>0.6 [ F{\"cost\"}<=B x=3 ]",
    "Pmin>=0.1 [ F{\"cost\"}<=B x=3 ]",
    "Pmax<=0.5 [ F{\"cost\"}<=B x=3 ]",
    "Pmax<0.8 [ x<4 U{\"cost\"}<=B x=3 ]",
    "Pmax>=0.95 [ F<=B x=3 ]",
    "Pmax>=0.729 [ F<=B x=3 ]",
    "Pmin<=0.1 [ F<=B x>2 ]",
    "Pmax<=0.2 [ F<=B x=4 ]",
    "Pmax<=1 [ F<=B x=3 ]",
    "Pmax>=0 [ F<=B x=3 ]",
    "Pmax<0 [ F<=B x=3 ]",
    // Before step 0 nothing is reached.
    "Pmax>=0.729 [ F<B x=3 ]",
    "Pmax<=0.2 [ x<3 U<B x=4 ]",
    "Pmin>=0 [ F<B x=0 ]",
    "Pmin>0 [ F<B x=0 ]",
];

fn asked(property: &str) -> (Option<f64>, Option<Evidence>) {
    let mut answer = answers(COSTS, &Asked::property(property)).expect("an answer");
    let mut answer = answer.remove(0);
    let value = answer.value.as_ref().map(|value| value.value);
    (value, answer.evidence.take())
}

fn certify(property: &str, evidence: &Evidence) -> Result<Vec<String>, Rejection> {
    let mut model = open(COSTS, &Asked::property(property)).expect("a model");
    let asked = model.property(property).expect("a property");
    let certified = model.certify(evidence, &asked, &Budget::unlimited())?;
    Ok(certified.facts)
}

fn holds_at(property: &str, bound: usize) -> bool {
    let mut written = property.to_owned();
    if bound == 0 {
        // Such bounds are refused elsewhere.
        for path in ["F", "U"] {
            written = written.replace(&format!("{path}<B"), &format!("{path}<=0 false &"));
        }
    }
    let written = written.replace('B', &bound.to_string());
    let answer = answers(COSTS, &Asked::property(&written)).expect("an answer");
    match answer[0].verdict {
        Verdict::Holds => true,
        Verdict::Violated => false,
        Verdict::Unknown(_) => panic!("{written} is open"),
    }
}

#[test]
fn quantiles_are_where_properties_turn_and_evidence_shows_it() {
    const FAR: usize = 40;
    for property in PROPERTIES {
        let held: Vec<bool> = (0..FAR).map(|bound| holds_at(property, bound)).collect();
        let first = held.iter().position(|holds| *holds);
        let last = held.iter().rposition(|holds| *holds);
        let rises = property.contains('>') && !property.contains("x>2")
            || property.contains(">=") && property.contains("x>2");
        for (word, found) in [("min", first), ("max", last)] {
            let quantile = format!("quantile({word} B, {property})");
            let (value, evidence) = asked(&quantile);
            match (word, found, value) {
                ("min", Some(bound), Some(value)) => assert_eq!(value, bound as f64, "{quantile}"),
                // What never holds has a quantile only if it is looked for without end.
                ("min", None, Some(value)) => {
                    assert!(rises && value.is_infinite(), "{quantile} {value}");
                }
                ("max", Some(bound), Some(value)) if bound == FAR - 1 => {
                    assert!(value.is_infinite(), "{quantile} {value}");
                }
                ("max", Some(bound), Some(value)) => assert_eq!(value, bound as f64, "{quantile}"),
                (_, None, None) => continue,
                odd => panic!("{quantile}: {odd:?}"),
            }
            let evidence = evidence.unwrap_or_else(|| panic!("no evidence for {quantile}"));
            assert_eq!(evidence.kind, "chance-parts");
            let facts = certify(&quantile, &evidence);
            assert!(facts.is_ok(), "{quantile}: {facts:?}");
            forge(&quantile, &evidence, rises);
        }
    }
}

/// No other number is accepted, except for a later bound of what holds for ever.
fn forge(quantile: &str, genuine: &Evidence, rises: bool) {
    let turn = genuine.body["parts"][0]["turn"].clone();
    let wide = [1 << 63, u64::MAX];
    let numbers = [0, 1, 2, 3, 5, 8, 100].into_iter().chain(wide);
    let numbers = numbers.map(serde_json::Value::from);
    for other in numbers.chain([serde_json::Value::Null]) {
        if other == turn {
            continue;
        }
        let mut forged = genuine.clone();
        forged.body["parts"][0]["turn"] = other.clone();
        let later = other.as_u64() > turn.as_u64() && rises && quantile.contains("max B");
        let found = certify(quantile, &forged);
        assert!(found.is_err() || later, "{quantile} {other}: {found:?}");
    }
    let mut short = genuine.clone();
    let parts = short.body["parts"].as_array_mut().expect("parts");
    parts.remove(0);
    assert!(certify(quantile, &short).is_err());
}

#[test]
fn bounds_on_rewards_are_counted_by_the_parts_that_rewards_have() {
    let model =
        "dtmc module m s : [0..1]; [] s=0 -> 0.5:(s'=1) + 0.5:true; [] s=1 -> true; endmodule
        rewards \"c\" s=0 : 0.1; endrewards
        rewards \"d\" s=0 : 0.75; endrewards";
    for (property, expected) in [
        ("quantile(min B, P>=0.8 [ F{\"c\"}<=B s=1 ])", 0.3),
        ("quantile(max B, P<0.8 [ F{\"c\"}<=B s=1 ])", 0.2),
        ("quantile(min B, P>=0.8 [ F{\"d\"}<=B s=1 ])", 2.25),
        ("quantile(min B, P>=0.8 [ F<=B s=1 ])", 3.0),
    ] {
        let asked = Asked::property(property);
        let mut answer = answers(model, &asked).expect("an answer").remove(0);
        let value = answer.value.as_ref().map(|value| value.value);
        assert_eq!(value, Some(expected), "{property}");
        let genuine = answer.evidence.take().expect("evidence");
        let certify = |evidence: &Evidence| {
            let mut model = open(model, &asked).expect("a model");
            let property = model.property(property).expect("a property");
            model.certify(evidence, &property, &Budget::unlimited())
        };
        assert!(certify(&genuine).is_ok(), "{property}");
        // The same bound in other parts, which is another number.
        let turn = genuine.body["parts"][0]["turn"].as_u64();
        for other in [1, 2, 3, 4, 9, 30] {
            let mut forged = genuine.clone();
            forged.body["parts"][0]["turn"] = other.into();
            let found = certify(&forged);
            assert_eq!(found.is_ok(), turn == Some(other), "{property} {other}");
        }
    }
}
