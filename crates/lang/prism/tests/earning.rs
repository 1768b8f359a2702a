//! Reaching something before too much is earned, in both languages.

use quotient_core::{Budget, Context};
use quotient_language::{Ask, Model};
use quotient_prism::{JANI, LANGUAGE};
use quotient_testkit::language::{Tested, answers};

const TRIES: &str = "mdp
module tries
  s : [0..1] init 0;
  [cheap] s=0 -> 0.2:(s'=1) + 0.8:(s'=0);
  [dear] s=0 -> 0.5:(s'=1) + 0.5:(s'=0);
endmodule
rewards \"cost\" [cheap] true : 1; [dear] true : 2; endrewards
";

fn value(model: &mut dyn Model, property: &str) -> f64 {
    let ask = Ask {
        properties: vec![property.to_owned()],
        ..Ask::default()
    };
    let mut found = Vec::new();
    model
        .check(&ask, &Context::default(), &mut |answer| found.push(answer))
        .unwrap_or_else(|trouble| panic!("{property}: {trouble}"));
    let answer = found.remove(0);
    // Unless no run can keep the bound, there is evidence.
    if let Some(evidence) = &answer.evidence {
        let asked = model.property(property).expect("a property");
        let certified = model.certify(evidence, &asked, &Budget::unlimited());
        assert!(certified.is_ok(), "{property}: {certified:?}");
    } else {
        assert!(property.contains("<0"), "{property}");
    }
    let number = answer.value.unwrap();
    assert!(number.upper - number.lower < 1e-6, "{number:?}");
    number.value
}

#[test]
fn what_may_be_paid_decides_what_is_tried() {
    let mut model = Tested::new(LANGUAGE, "tries.prism").open(TRIES);
    let near = |a: f64, b: f64| (a - b).abs() < 1e-6;
    let mut most = |bound: &str| {
        let property = format!("Pmax=? [ F{{\"cost\"}}{bound} s=1 ]");
        value(model.as_mut(), &property)
    };
    assert!(near(most("<=0"), 0.0));
    assert!(near(most("<=1"), 0.2));
    assert!(near(most("<2"), 0.2));
    // A dear try is better than two cheap ones (0.36); three units: one of each.
    assert!(near(most("<=2"), 0.5));
    assert!(near(most("<=3"), 0.6));
    assert!(near(most("<=(2*2)"), 0.75));
    // At worst a cheap try comes first, and a dear one is too much then.
    let least = value(model.as_mut(), "Pmin=? [ s=0 U{\"cost\"}<=2 s=1 ]");
    assert!(near(least, 0.2), "{least}");
}

#[test]
fn a_bound_on_rewards_stands_alone() {
    let mut model = Tested::new(LANGUAGE, "tries.prism").open(TRIES);
    let ask = Ask {
        properties: vec!["Pmax=? [ G F{\"cost\"}<=2 s=1 ]".into()],
        ..Ask::default()
    };
    let checked = model.check(&ask, &Context::default(), &mut |_| {});
    assert!(checked.unwrap_err().to_string().contains("stands alone"));
}

#[test]
fn bounds_of_jani_are_the_same() {
    let property = r#"{"op":"filter","fun":"max","states":{"op":"initial"},"values":
        {"op":"Pmax","exp":{"op":"F","exp":{"op":"=","left":"s","right":1},
         "reward-bounds":[{"exp":"cost","accumulate":["steps"],"bounds":{"upper":3}}]}}}"#;
    let edge = |cost: u8, chance: f64| {
        format!(
            r#"{{"location":"l","guard":{{"exp":{{"op":"=","left":"s","right":0}}}},
            "destinations":[
              {{"location":"l","probability":{{"exp":{chance}}},"assignments":[
                {{"ref":"s","value":1}},{{"ref":"cost","value":{cost}}}]}},
              {{"location":"l","probability":{{"exp":{}}},"assignments":[
                {{"ref":"cost","value":{cost}}}]}}]}}"#,
            1.0 - chance
        )
    };
    let text = format!(
        r#"{{"jani-version":1,"name":"tries","type":"mdp","actions":[],"variables":[
          {{"name":"s","type":{{"kind":"bounded","base":"int","lower-bound":0,"upper-bound":1}},"initial-value":0}},
          {{"name":"cost","type":"real","transient":true,"initial-value":0}}],
          "properties":[{{"name":"three","expression":{property}}}],
          "automata":[{{"name":"a","locations":[{{"name":"l"}}],"initial-locations":["l"],
            "edges":[{},{}]}}],
          "system":{{"elements":[{{"automaton":"a"}}]}}}}"#,
        edge(1, 0.2),
        edge(2, 0.5)
    );
    let mut model = Tested::new(JANI, "tries.jani").open(&text);
    let answer = answers(model.as_mut()).remove(0);
    let number = answer
        .value
        .unwrap_or_else(|| panic!("{:?}", answer.verdict));
    assert!((number.value - 0.6).abs() < 1e-6, "{number:?}");
}
