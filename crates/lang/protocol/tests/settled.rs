//! Evidence from counting (`protocol-settled`) that says something false is refused; the first two of these were
//! accepted once.

use quotient_core::{Budget, Context, Evidence, Source, Verdict};
use quotient_language::{Input, Model, NoFiles, Settings, Verb};
use quotient_protocol::LANGUAGE;
use serde_json::json;

fn opened(text: &str, settings: &Settings) -> Box<dyn Model> {
    let input = Input::text(&Source::new("test.protocol", text));
    match LANGUAGE.open(&input, &mut NoFiles, settings, &Context::default()) {
        Ok(model) => model,
        Err(trouble) => panic!("{trouble}"),
    }
}

/// Whether these weights are accepted as evidence about the first property of a text.
fn accepted(text: &str, ranks: serde_json::Value) -> bool {
    let mut model = opened(text, &Settings::default());
    let property = model.properties().remove(0);
    let told = json!({ "ranks": ranks });
    let evidence = Evidence::of_holds("protocol-settled", &told).about(&property.name);
    let certified = model.certify(&evidence, &property, &Budget::unlimited());
    certified.is_ok()
}

/// Whether the first property is violated in an instance, by looking at all of its configurations.
fn is_violated(text: &str, processes: usize) -> bool {
    let pairs = [("processes".to_owned(), processes.to_string())];
    let settings = LANGUAGE.about().settings;
    let settings = Settings::new("protocol", settings, Verb::Instance, &pairs).unwrap();
    let inspected = opened(text, &settings).instance(&Context::default());
    let answers = inspected.expect("an instance").answers;
    answers.iter().any(|one| one.verdict == Verdict::Violated)
}

#[test]
fn global_steps_may_be_impossible_at_different_moments() {
    let text = "topology set
global go : bool = false
process { x : bool = false }
step up: when not x then x := true
step down: when x then x := false
step odd: when not go and (exists p: p.x) then go := true
step even: when not go and not (exists p: p.x) then go := true
property comes: eventually go
";
    assert!(is_violated(text, 1));
    assert!(!accepted(text, json!([{ "globals go = false": 1 }])));
}

#[test]
fn a_neighbour_may_be_the_witness() {
    let text = "topology ring
process { x : bool = false  y : bool = false }
step both with q: when not q.x and not q.y and not right.x and not right.y then q.x := true, right.y := true
property apart: for each p: true leads to not (p.x and p.y)
";
    assert!(is_violated(text, 2));
    assert!(!accepted(text, json!([])));
}

#[test]
fn what_a_count_says_of_a_witness_is_not_said_of_who_is_counted() {
    let text = "topology set
process { location open, voted, decided, happy }
step vote: when at = open then at := voted
step decide with q: when at = open and 2 * count(r: q.at = voted) > n then at := decided
step cheer: when at = decided and 2 * count(r: r.at = voted) > n then at := happy
property many: for each p: p.at = decided leads to p.at = happy
";
    let ranks = json!([{ "process at = open": 3, "process at = decided": 1 }]);
    assert!(is_violated(text, 3));
    assert!(!accepted(text, ranks));
}
