//! Processes with so many steps that evidence about them leaves those out.

use quotient_core::{Budget, Certified, Context, Evidence, Rejection, Source, Verdict};
use quotient_fsp::LANGUAGE;
use quotient_language::{Answer, Ask, Input, Model, NoFiles, Settings};
use serde_json::{Value, json};

/// Two counters in one process: 182 × 182 states with two steps each. Two watch it.
const COUNTERS: &str = "const N = 182
    COUNT = AT[0][0],
    AT[i:0..N-1][j:0..N-1] = (left -> AT[(i+1)%N][j] | right -> AT[i][(j+1)%N]
                              | when (i == 3 && j == 4) meet -> AT[0][0]).
    property NEVER = (left -> NEVER | right -> NEVER)+{meet}.
    property ONCE = (left -> ONCE | right -> ONCE | meet -> AFTER), AFTER = ({left, right} -> AFTER | meet -> AFTER).
    ||S = (COUNT || NEVER || ONCE).";

fn open(text: &str) -> Box<dyn Model> {
    let input = Input::text(&Source::new("model.lts", text));
    let (settings, cx) = (Settings::default(), Context::default());
    LANGUAGE
        .open(&input, &mut NoFiles, &settings, &cx)
        .unwrap_or_else(|trouble| panic!("{trouble}"))
}

fn answers(text: &str) -> Vec<Answer> {
    let mut answers: Vec<Answer> = Vec::new();
    let tell = &mut |answer: Answer| {
        answers.retain(|one| one.property != answer.property);
        answers.push(answer);
    };
    let checked = open(text).check(&Ask::default(), &Context::default(), tell);
    checked.unwrap_or_else(|trouble| panic!("{trouble}"));
    answers
}

fn certify(text: &str, evidence: &Evidence) -> Result<Certified, Rejection> {
    let mut model = open(text);
    let name = evidence.property.clone().unwrap_or_default();
    let property = model
        .property(&name)
        .unwrap_or_else(|trouble| panic!("{trouble}"));
    model.certify(evidence, &property, &Budget::unlimited())
}

fn counter(evidence: &mut Evidence) -> &mut Value {
    let components = evidence.body["system"]["components"]
        .as_array_mut()
        .unwrap();
    let mut found = components.iter_mut().filter(|one| one["name"] == "COUNT");
    found.next().unwrap()
}

#[test]
fn what_the_model_has_itself_is_not_repeated_in_evidence() {
    let answers = answers(COUNTERS);
    for (name, verdict) in [
        ("no deadlock", Verdict::Holds),
        ("NEVER", Verdict::Violated),
    ] {
        let answer = answers.iter().find(|one| one.property == name).unwrap();
        assert_eq!(answer.verdict, verdict, "{name}");
        let evidence = answer.evidence.clone().unwrap();
        assert!(evidence.body.to_string().len() < 5_000, "{name}");
        let certified = certify(COUNTERS, &evidence);
        assert!(certified.is_ok(), "{name}: {certified:?}");
        // It is the component of this model, and of no other.
        let other = COUNTERS.replace("i == 3", "i == 2");
        match verdict {
            Verdict::Holds => assert!(certify(&other, &evidence).is_ok(), "it holds there, too"),
            _ => assert!(certify(&other, &evidence).is_err(), "{name}"),
        }
        let fewer = COUNTERS.replace("N = 182", "N = 181");
        assert!(certify(&fewer, &evidence).is_err(), "{name}");
        if verdict == Verdict::Holds {
            continue;
        }
        for (field, value) in [
            ("left_out", json!(66_248)),
            ("left_out", json!(0)),
            ("left_out", Value::Null),
            ("states", json!(33_123)),
            ("initial", json!(1)),
            ("end", json!(1)),
            ("edges", json!([[0, 1, 0]])),
            ("alphabet", json!([1])),
            ("name", json!("NEVER")),
        ] {
            let mut forged = evidence.clone();
            counter(&mut forged)[field] = value.clone();
            assert!(
                certify(COUNTERS, &forged).is_err(),
                "{name}: {field} {value}"
            );
        }
    }
}
