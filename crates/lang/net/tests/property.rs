//! Formulas that are given with a question, not in a file; and those about fair runs.

use quotient_core::{Context, Source, Verdict};
use quotient_language::{Answer, Ask, Input, Model, NoFiles, Settings, Verb};
use quotient_net::LANGUAGE;

const NET: &str = "pl a (2)\ntr go a -> b\ntr back b -> a\n";

fn open(text: &str, fair: bool) -> Box<dyn Model> {
    let input = Input::text(&Source::new("t.net", text));
    let pairs: Vec<(String, String)> = match fair {
        true => vec![("weakly-fair".to_owned(), "true".to_owned())],
        false => Vec::new(),
    };
    let about = LANGUAGE.about();
    let settings = Settings::new("net", about.settings, Verb::Check, &pairs).unwrap();
    let opened = LANGUAGE.open(&input, &mut NoFiles, &settings, &Context::default());
    opened.unwrap_or_else(|trouble| panic!("{trouble}"))
}

/// The answers in the order of the questions.
fn asked(model: &mut dyn Model, names: &[&str]) -> Vec<Answer> {
    let ask = Ask {
        properties: names.iter().map(|&name| name.to_owned()).collect(),
        ..Ask::default()
    };
    let mut told = Vec::new();
    let outcome = model.check(&ask, &Context::default(), &mut |answer| told.push(answer));
    outcome.unwrap_or_else(|trouble| panic!("{trouble}"));
    told.sort_by_key(|one| names.iter().position(|name| *name == one.property));
    told
}

fn is_certified(model: &mut dyn Model, answer: &Answer, name: &str) -> bool {
    let property = model
        .property(name)
        .unwrap_or_else(|wrong| panic!("{wrong}"));
    let evidence = answer.evidence.clone().expect("there is evidence");
    let evidence = evidence.about(name);
    model
        .certify(&evidence, &property, &Context::default().budget)
        .is_ok()
}

#[test]
fn formulas_are_asked_by_themselves() {
    let mut model = open(NET, false);
    let names = ["AG (a + b = 2)", "bound a + 2*b", "no-deadlock", "F b > 5"];
    let told = asked(&mut *model, &[&names[..], &["1"]].concat());
    let held: Vec<bool> = told
        .iter()
        .map(|one| one.verdict == Verdict::Holds)
        .collect();
    assert_eq!(
        held,
        [true, true, true, false],
        "the last question is the third by its number"
    );
    let numbers: Vec<Option<usize>> = told.iter().map(|one| one.number).collect();
    assert_eq!(numbers, [None, None, Some(1), None]);
    assert_eq!(told[1].value.as_ref().unwrap().exact.as_deref(), Some("4"));
    for (answer, name) in told.iter().zip(names) {
        assert!(is_certified(&mut *model, answer, name), "{name}");
    }
    // Evidence about one formula is none about another.
    assert!(!is_certified(&mut *model, &told[0], "AG (a + b = 3)"));
    assert!(!is_certified(&mut *model, &told[1], "bound a + b"));
}

#[test]
fn what_is_no_name_and_no_formula_is_told() {
    let mut model = open(NET, false);
    let mut told = |name: &str| match model.property(name) {
        Err(wrong) => wrong.to_string(),
        Ok(_) => String::new(),
    };
    assert!(told("no-deadlok").contains("there is no property `no-deadlok`"));
    assert!(told("7").contains("there is no property `7`"));
    assert!(told("AG c > 0").contains("there is no place `c`"));
    assert!(told("AG a >").contains("expected"));
    assert!(told("bound a - b").contains("taken away"));
}

#[test]
fn of_fair_runs_what_can_always_happen_does() {
    let text = "pl a (1)\npl b (1)\ntr go a -> c\ntr spin b -> d\ntr turn d -> b\n";
    let name = "F c > 0";
    let mut any = open(text, false);
    let unfair = asked(&mut *any, &[name]);
    assert_eq!(unfair[0].verdict, Verdict::Violated);
    let mut fair = open(text, true);
    let told = asked(&mut *fair, &[name]);
    assert_eq!(told[0].verdict, Verdict::Holds);
    assert!(is_certified(&mut *fair, &told[0], name));
    // Neither is evidence about the other.
    assert!(!is_certified(&mut *any, &told[0], name));
    assert!(!is_certified(&mut *fair, &unfair[0], name));
    // Branching time is not asked of fair runs; markings are reached as before.
    let others = asked(&mut *fair, &["AF c > 0", "EF c > 0"]);
    assert!(matches!(others[0].verdict, Verdict::Unknown(_)));
    assert_eq!(others[1].verdict, Verdict::Holds);
}
