//! Models of JANI.

use crate::common::{Asked, answers, check, open, trouble};
use quotient_core::Verdict;
use quotient_language::Ask;

const DIE: &str = include_str!("../../gallery/die.jani");

#[test]
fn the_die_is_the_same_as_in_the_other_language() {
    check(DIE, &Asked::property("wanted")).has_value(1.0 / 6.0, 1e-7);
    check(DIE, &Asked::property("throws")).has_value(11.0 / 3.0, 1e-6);
    assert_eq!(check(DIE, &Asked::property("ends")).verdict, Verdict::Holds);
    // Properties in the language of PRISM speak about the same variables.
    check(DIE, &Asked::property("P=? [ F face<3 & face>0 ]")).has_value(1.0 / 3.0, 1e-7);
}

#[test]
fn evidence_about_the_die_is_accepted() {
    let mut model = open(DIE, &Asked::default()).expect("fine");
    for answer in answers(DIE, &Asked::default()).expect("fine") {
        let evidence = answer.evidence.expect("evidence");
        let property = model.property(&answer.property).expect("there");
        let budget = quotient_core::Budget::unlimited();
        let certified = model.certify(&evidence, &property, &budget);
        assert!(certified.is_ok(), "{certified:?}");
    }
}

/// A model with the parts that differ from the simplest one.
fn model(kind: &str, variables: &str, automata: &str, system: &str, values: &str) -> String {
    format!(
        r#"{{"jani-version": 1, "name": "m", "type": "{kind}", "variables": [{variables}],
            "automata": [{automata}], "system": {system},
            "properties": [{{"name": "p", "expression": {{"op": "filter", "fun": "values",
              "states": {{"op": "initial"}}, "values": {values}}}}}]}}"#
    )
}

const X: &str = r#"{"name": "x", "type": {"kind": "bounded", "base": "int", "lower-bound": 0,
    "upper-bound": 9}, "initial-value": 0}"#;

#[test]
fn assignments_with_an_index_follow_each_other() {
    let automata = r#"{"name": "a", "locations": [{"name": "l"}], "initial-locations": ["l"],
      "variables": [{"name": "y", "type": {"kind": "bounded", "base": "int", "lower-bound": 0,
        "upper-bound": 99}, "initial-value": 3}],
      "edges": [{"location": "l", "guard": {"exp": {"op": "<", "left": "x", "right": 1}},
        "destinations": [{"location": "l", "assignments": [
          {"ref": "x", "value": {"op": "+", "left": "y", "right": 1}, "index": 1},
          {"ref": "y", "value": {"op": "*", "left": "y", "right": 2}, "index": 0}]}]}]}"#;
    let goal = r#"{"op": "Pmax", "exp": {"op": "F", "exp": {"op": "∧",
        "left": {"op": "=", "left": "x", "right": 7},
        "right": {"op": "=", "left": "y", "right": 6}}}}"#;
    let system = r#"{"elements": [{"automaton": "a"}]}"#;
    let text = model("dtmc", X, automata, system, goal);
    check(&text, &Asked::property("p")).has_value(1.0, 0.0);
    check(&text, &Asked::property("P=? [ F y=6 & x=7 ]")).has_value(1.0, 0.0);
}

/// An automaton that counts a global variable up by one action.
fn counter(name: &str, variable: &str, action: &str, cost: &str) -> String {
    format!(
        r#"{{"name": "{name}", "locations": [{{"name": "l"}}], "initial-locations": ["l"],
          "edges": [{{"location": "l", "action": "{action}",
            "guard": {{"exp": {{"op": "<", "left": "{variable}", "right": 3}}}},
            "destinations": [{{"location": "l", "assignments": [{{"ref": "{variable}",
              "value": {{"op": "+", "left": "{variable}", "right": 1}}}},
              {{"ref": "{cost}", "value": 2}}]}}]}}]}}"#
    )
}

#[test]
fn edges_happen_together_as_vectors_say() {
    let variables = [
        X,
        &X.replace("\"x\"", "\"y\""),
        r#"{"name": "cost", "type": "real", "transient": true, "initial-value": 0}"#,
        r#"{"name": "toll", "type": "real", "transient": true, "initial-value": 0}"#,
    ]
    .join(",");
    let automata = [
        counter("a", "x", "go", "cost"),
        counter("b", "y", "come", "toll"),
    ]
    .join(",");
    let goal = r#"{"op": "Emax", "exp": {"op": "+", "left": "cost", "right": "toll"},
        "accumulate": ["steps"], "reach": {"op": "=", "left": "y", "right": 3}}"#;
    let together = r#"{"elements": [{"automaton": "a"}, {"automaton": "b"}],
        "syncs": [{"synchronise": ["go", "come"], "result": null}]}"#;
    let text = model("mdp", &variables, &automata, together, goal);
    // Three steps; both edges of each give two.
    check(&text, &Asked::property("p")).has_value(12.0, 1e-6);
    let alone = r#"{"elements": [{"automaton": "a"}, {"automaton": "b"}],
        "syncs": [{"synchronise": [null, "come"], "result": "come"}]}"#;
    let text = model("mdp", &variables, &automata, alone, goal);
    check(&text, &Asked::property("p")).has_value(6.0, 1e-6);
    check(&text, &Asked::property("Pmax=? [ F x>0 ]")).has_value(0.0, 0.0);
}

#[test]
fn continuous_chains_have_rates_and_times() {
    let automata = r#"{"name": "a", "locations": [{"name": "up"}, {"name": "down"}],
      "initial-locations": ["up"], "edges": [
      {"location": "up", "rate": {"exp": 2}, "destinations": [{"location": "down"}]},
      {"location": "down", "rate": {"exp": 6}, "destinations": [{"location": "up",
        "assignments": [{"ref": "x", "value": {"op": "min", "left": 5, "right":
          {"op": "+", "left": "x", "right": 1}}}]}]}]}"#;
    let system = r#"{"elements": [{"automaton": "a"}]}"#;
    let time = r#"{"op": "Emin", "exp": 1, "accumulate": ["time"],
        "reach": {"op": "=", "left": "x", "right": 3}}"#;
    let text = model("ctmc", X, automata, system, time);
    check(&text, &Asked::property("p")).has_value(2.0, 1e-6);
    let soon = r#"{"op": "Pmax", "exp": {"op": "U", "left": true,
        "right": {"op": "=", "left": "x", "right": 1}, "time-bounds": {"upper": 1}}}"#;
    let text = model("ctmc", X, automata, system, soon);
    // A sum of two exponential times with rates 2 and 6 is at most 1.
    let expected = 1.0 - (6.0 * (-2.0f64).exp() - 2.0 * (-6.0f64).exp()) / 4.0;
    check(&text, &Asked::property("p")).has_value(expected, 1e-6);
}

#[test]
fn variables_without_a_value_begin_with_any() {
    let free = X.replace(", \"initial-value\": 0", "").replace('9', "3");
    let automata = r#"{"name": "a", "locations": [{"name": "l"}], "initial-locations": ["l"],
      "edges": []}"#;
    let system = r#"{"elements": [{"automaton": "a"}]}"#;
    let many = r#"{"op": "Pmax", "exp": {"op": "F", "exp": {"op": "=", "left": "x", "right": 2}}}"#;
    let text = model("dtmc", &free, automata, system, many);
    let text = text.replace("\"fun\": \"values\"", "\"fun\": \"avg\"");
    check(&text, &Asked::property("p")).has_value(0.25, 1e-9);
}

#[test]
fn what_cannot_be_checked_is_said_and_the_rest_is_checked() {
    let text = DIE.replace(
        "\"properties\": [",
        "\"properties\": [{\"name\": \"odd\", \"expression\": {\"op\": \"strange\"}},",
    );
    let mut model = open(&text, &Asked::default()).expect("fine");
    let mut verdicts = Vec::new();
    let cx = quotient_core::Context::default();
    let told = model.check(&Ask::default(), &cx, &mut |answer| {
        verdicts.push((answer.property, answer.verdict == Verdict::Holds));
    });
    assert!(told.is_ok());
    assert_eq!(verdicts[0], ("odd".to_owned(), false));
    assert_eq!(verdicts.len(), 4);
    assert!(verdicts[1..].iter().all(|(_, holds)| *holds));
}

#[test]
fn mistakes_have_a_place() {
    let missing = DIE.replace("\"location\": \"low\"", "\"location\": \"lowest\"");
    let said = trouble(&missing, &Asked::property("wanted"));
    assert!(said.contains("no such location"), "{said}");
    let timed = DIE.replace("\"dtmc\"", "\"sta\"");
    let said = trouble(&timed, &Asked::property("wanted"));
    assert!(said.contains("`sta` cannot be read"), "{said}");
    for cut in (1..DIE.len() - 2).step_by(37) {
        if let Some(text) = DIE.get(..cut) {
            assert!(open(text, &Asked::default()).is_err(), "{text}");
        }
    }
}

/// Coins thrown one after the other into an array of arrays, as long as `N` says.
const COINS: &str = r#"{"jani-version": 1, "name": "coins", "type": "dtmc",
  "features": ["arrays", "functions", "derived-operators"],
  "constants": [{"name": "N", "type": "int"}],
  "functions": [{"name": "total", "type": "int",
    "parameters": [{"name": "of", "type": {"kind": "array", "base": "int"}}],
    "body": {"op": "+", "left": {"op": "aa", "exp": "of", "index": 0},
      "right": {"op": "+", "left": {"op": "aa", "exp": "of", "index": 1},
        "right": {"op": "aa", "exp": "of", "index": 2}}}}],
  "variables": [
    {"name": "i", "type": {"kind": "bounded", "base": "int", "lower-bound": 0, "upper-bound": "N"},
     "initial-value": 0},
    {"name": "a", "type": {"kind": "array", "base": {"kind": "array",
       "base": {"kind": "bounded", "base": "int", "lower-bound": 0, "upper-bound": 9}}},
     "initial-value": {"op": "ac", "var": "k", "length": 2,
       "exp": {"op": "ac", "var": "j", "length": "N", "exp": {"op": "*", "left": "k", "right": "j"}}}}],
  "automata": [{"name": "m", "locations": [{"name": "l"}], "initial-locations": ["l"],
    "edges": [{"location": "l", "guard": {"exp": {"op": "<", "left": "i", "right": "N"}},
      "destinations": [
        {"location": "l", "probability": {"exp": 0.5}, "assignments": [
          {"ref": {"op": "aa", "exp": {"op": "aa", "exp": "a", "index": 0}, "index": "i"}, "value": 1},
          {"ref": {"op": "aa", "exp": {"op": "aa", "exp": "a", "index": 1},
                   "index": {"op": "-", "left": {"op": "-", "left": "N", "right": 1}, "right": "i"}},
           "value": {"op": "aa", "exp": {"op": "aa", "exp": "a", "index": 1}, "index": "i"}},
          {"ref": "i", "value": {"op": "+", "left": "i", "right": 1}, "index": 1}]},
        {"location": "l", "probability": {"exp": 0.5}, "assignments": [
          {"ref": "i", "value": {"op": "+", "left": "i", "right": 1}}]}]}]}],
  "system": {"elements": [{"automaton": "m"}]},
  "properties": [
    {"name": "two", "expression": {"op": "filter", "fun": "max", "states": {"op": "initial"},
      "values": {"op": "Pmax", "exp": {"op": "F", "exp": {"op": "∧",
        "left": {"op": "=", "left": "i", "right": "N"},
        "right": {"op": "=", "left": 2, "right": {"op": "call", "function": "total",
          "args": [{"op": "aa", "exp": "a", "index": 0}]}}}}}}},
    {"name": "turned", "expression": {"op": "filter", "fun": "max", "states": {"op": "initial"},
      "values": {"op": "Pmax", "exp": {"op": "F", "exp": {"op": "=", "left": 2,
        "right": {"op": "aa", "exp": {"op": "aa", "exp": "a", "index": 1}, "index":
          {"op": "ite", "if": {"op": "<", "left": "i", "right": "N"}, "then": 2, "else": 0}}}}}}}]}"#;

#[test]
fn arrays_are_read_and_assigned_element_by_element() {
    let asked = |name: &str, n: usize| Asked::property(name).constant(&format!("N={n}"));
    check(COINS, &asked("two", 3)).has_value(3.0 / 8.0, 1e-9);
    check(COINS, &asked("turned", 3)).has_value(1.0, 0.0);
    check(COINS, &asked("two", 4)).has_value(3.0 / 8.0, 1e-9);
    // Four coins, and two among the first three: the last one does not matter.
    let message = trouble(COINS, &asked("two", 2));
    assert!(message.contains("no element 2"), "{message}");
    let message = trouble(COINS, &Asked::property("two"));
    assert!(message.contains("length of an array"), "{message}");
}

#[test]
fn arrays_mean_the_same_as_variables_one_by_one() {
    let plain = "dtmc const int N = 3; module m i : [0..N]; a : [0..1]; b : [0..1]; c : [0..1];
      [] i=0 -> 0.5:(a'=1)&(i'=1) + 0.5:(i'=1);
      [] i=1 -> 0.5:(b'=1)&(i'=2) + 0.5:(i'=2);
      [] i=2 -> 0.5:(c'=1)&(i'=3) + 0.5:(i'=3); endmodule";
    for ones in 0..=3 {
        let property = format!("P=? [ F i=N & a+b+c={ones} ]");
        let expected = check(plain, &Asked::property(&property)).value.clone();
        let text = COINS.replace(
            r#"{"op": "=", "left": 2, "right": {"op": "call""#,
            &format!(r#"{{"op": "=", "left": {ones}, "right": {{"op": "call""#),
        );
        let found = check(&text, &Asked::property("two").constant("N=3"))
            .value
            .clone();
        let (expected, found) = (expected.expect("a number"), found.expect("a number"));
        assert!((expected.lower - found.lower).abs() < 1e-9);
    }
}

#[test]
fn members_of_datatypes_are_variables() {
    let text = r#"{"jani-version": 1, "name": "points", "type": "mdp", "features": ["datatypes", "arrays"],
      "datatypes": [{"name": "point", "members": [{"name": "y", "type": "int"},
        {"name": "x", "type": {"kind": "bounded", "base": "int", "lower-bound": 0, "upper-bound": 2}}]}],
      "variables": [{"name": "p", "type": {"kind": "array", "base": {"kind": "datatype", "ref": "point"}},
        "initial-value": {"op": "ac", "var": "i", "length": 2, "exp": {"op": "dv", "type": "point",
          "values": [{"member": "x", "value": "i"}, {"member": "y", "value": 7}]}}}],
      "functions": [{"name": "sum", "type": "int", "parameters": [{"name": "of",
         "type": {"kind": "datatype", "ref": "point"}}],
         "body": {"op": "+", "left": {"op": "da", "exp": "of", "member": "x"},
           "right": {"op": "da", "exp": "of", "member": "y"}}}],
      "automata": [{"name": "a", "locations": [{"name": "l"}], "initial-locations": ["l"],
        "edges": [{"location": "l", "guard": {"exp": {"op": "<",
            "left": {"op": "da", "exp": {"op": "aa", "exp": "p", "index": 0}, "member": "x"}, "right": 2}},
          "destinations": [
            {"location": "l", "probability": {"exp": 0.5}, "assignments": [
              {"ref": {"op": "da", "exp": {"op": "aa", "exp": "p", "index": 0}, "member": "x"}, "value": 2}]},
            {"location": "l", "probability": {"exp": 0.5}, "assignments": [
              {"ref": {"op": "aa", "exp": "p", "index": 0}, "value": {"op": "dv", "type": "point",
                "values": [{"member": "y", "value": 9}, {"member": "x", "value": 2}]}}]}]}]}],
      "system": {"elements": [{"automaton": "a"}]},
      "properties": [{"name": "q", "expression": {"op": "filter", "fun": "max",
        "states": {"op": "initial"}, "values": {"op": "Pmax", "exp": {"op": "F", "exp": {"op": "=",
          "left": {"op": "call", "function": "sum", "args": [{"op": "aa", "exp": "p", "index": 0}]},
          "right": 11}}}}}]}"#;
    check(text, &Asked::property("q")).has_value(0.5, 1e-9);
    let wrong = text.replace(
        "{\"member\": \"y\", \"value\": 7}",
        "{\"member\": \"z\", \"value\": 7}",
    );
    assert!(trouble(&wrong, &Asked::property("q")).contains("members"));
    let wrong = text.replace(
        "\"member\": \"x\"}, \"right\": 2",
        "\"member\": \"w\"}, \"right\": 2",
    );
    assert!(trouble(&wrong, &Asked::property("q")).contains("no member `w`"));
}

#[test]
fn several_bounds_on_rewards_hold_at_once() {
    let automata = r#"{"name": "a", "locations": [{"name": "l"}], "initial-locations": ["l"],
      "edges": [
        {"location": "l", "guard": {"exp": {"op": "<", "left": "x", "right": 2}},
         "destinations": [{"location": "l", "probability": {"exp": 0.5}, "assignments": [
             {"ref": "x", "value": {"op": "+", "left": "x", "right": 1}}, {"ref": "c", "value": 1},
             {"ref": "d", "value": 2}]},
           {"location": "l", "probability": {"exp": 0.5}, "assignments": [{"ref": "c", "value": 1},
             {"ref": "d", "value": 2}]}]},
        {"location": "l", "guard": {"exp": {"op": "<", "left": "x", "right": 2}},
         "destinations": [{"location": "l", "assignments": [
             {"ref": "x", "value": {"op": "+", "left": "x", "right": 1}}, {"ref": "c", "value": 3},
             {"ref": "d", "value": 0}]}]}]}"#;
    let transient = |name: &str| {
        format!(r#"{{"name": "{name}", "type": "real", "transient": true, "initial-value": 0}}"#)
    };
    let variables = format!("{X}, {}, {}", transient("c"), transient("d"));
    let asked = |bounds: &str| {
        let values = format!(
            r#"{{"op": "Pmax", "exp": {{"op": "F", "exp": {{"op": "=", "left": "x", "right": 2}},
                "reward-bounds": [{bounds}]}}}}"#
        );
        let system = r#"{"elements": [{"automaton": "a"}]}"#;
        let text = model("mdp", &variables, automata, system, &values);
        check(&text, &Asked::property("p"))
    };
    let bound = |name: &str, bounds: &str| {
        format!(r#"{{"exp": "{name}", "accumulate": ["steps"], "bounds": {{{bounds}}}}}"#)
    };
    // Two coins and then the sure way would cost 5 and 4; one coin and the sure way 4 and 2.
    let both = |c: &str, d: &str| asked(&format!("{}, {}", bound("c", c), bound("d", d)));
    both(r#""upper": 4"#, r#""upper": 2"#).has_value(0.5, 1e-6);
    both(r#""upper": 6"#, r#""upper": 0"#).has_value(1.0, 1e-6);
    both(r#""upper": 5"#, r#""upper": 4"#).has_value(0.75, 1e-6);
    both(r#""upper": 6"#, r#""upper": 8, "lower": 4"#).has_value(0.875, 1e-6);
    asked(&bound("d", r#""lower": 4, "lower-exclusive": true"#)).has_value(0.75, 1e-6);
}

#[test]
fn rewards_keep_their_numbers_when_a_model_is_written_and_read_again() {
    let model = "dtmc module m s : [0..1]; [] s=0 -> (s'=1); [] s=1 -> true; endmodule
        rewards \"z\" s=0 : 1; endrewards rewards \"b\" s=0 : 5; endrewards rewards \"m\" s=0 : 7; endrewards";
    let mut opened = open(model, &Asked::default()).expect("fine");
    let written = opened.convert("jani", None, &quotient_core::Context::default());
    let written = written.expect("fine").text;
    for (asked, value) in [
        ("R", 1.0),
        ("R{1}", 1.0),
        ("R{2}", 5.0),
        ("R{3}", 7.0),
        ("R{\"b\"}", 5.0),
    ] {
        let asked = Asked::property(&format!("{asked}=? [ F s=1 ]"));
        check(model, &asked).has_value(value, 1e-9);
        check(&written, &asked).has_value(value, 1e-9);
    }
}

/// Asks a file for its own properties.
fn file(text: &str, constant: Option<&str>, expected: &[(&str, f64)]) {
    for (name, value) in expected {
        let mut asked = Asked::property(name);
        if let Some(constant) = constant {
            asked = asked.constant(constant);
        }
        check(text, &asked).has_value(*value, 1e-6);
    }
}

/// Computed by hand; Storm says the same but for `exit`, which it refuses, and `steps`, where it counts time.
#[test]
fn markov_automata_earn_by_time_by_steps_and_on_leaving() {
    let text = include_str!("jani/delays.jani");
    let expected = [
        ("tmin", 0.5),
        ("tmax", 7.0 / 12.0),
        ("pt", 0.887_270_072_673_9),
        ("energy", 1.25),
        ("exit", 4.0),
        ("steps", 8.0 / 3.0),
        ("lra", 1.0),
    ];
    file(text, None, &expected);
}

/// Functions, several starts, restrictions, comments, keys that are not known, constants that depend on
/// others, and bounds on steps.
#[test]
fn parts_that_are_seldom_used_are_read() {
    let text = include_str!("jani/parts.jani");
    let expected = [
        ("pmax", 80.0 / 81.0),
        ("pmin", 0.0),
        ("emax", f64::INFINITY),
        ("steps", f64::INFINITY),
        ("bounded", 1.0),
        ("bounded2", 1.0),
        ("inst", 4.0 / 9.0),
    ];
    file(text, Some("N=3"), &expected);
    for name in ["cmp", "ex"] {
        let asked = Asked::property(name).constant("N=3");
        assert_eq!(
            check(text, &asked).verdict,
            quotient_core::Verdict::Holds,
            "{name}"
        );
    }
    let text = include_str!("jani/arrays.jani");
    let expected = [
        ("all", 0.375),
        ("xx", 0.5),
        ("g", 0.5),
        ("w", 0.5),
        ("dead", 1.0),
        ("tot", 1.0),
        ("val", 0.5),
    ];
    file(text, None, &expected);
}

/// A walk up with 2 and down with 1, until 3 is reached: 5.5 steps, of which 1.75 leave 0, 2.25 leave 1 and 1.5
/// leave 2.
fn walk(expression: &str, accumulate: &str) -> String {
    let variables =
        format!(r#"{X}, {{"name": "r", "type": "real", "transient": true, "initial-value": 0}}"#);
    let automata = r#"{"name": "a", "locations": [{"name": "l"}], "initial-locations": ["l"], "edges": [
        {"location": "l", "rate": {"exp": 2}, "guard": {"exp": {"op": "<", "left": "x", "right": 3}},
          "destinations": [{"location": "l", "assignments": [
            {"ref": "x", "value": {"op": "+", "left": "x", "right": 1}},
            {"ref": "r", "value": {"op": "+", "left": "x", "right": 1}}]}]},
        {"location": "l", "rate": {"exp": 1}, "guard": {"exp": {"op": ">", "left": "x", "right": 0}},
          "destinations": [{"location": "l", "assignments": [
            {"ref": "x", "value": {"op": "-", "left": "x", "right": 1}}]}]}]}"#;
    let system = r#"{"elements": [{"automaton": "a"}]}"#;
    let values = format!(
        r#"{{"op": "Emax", "exp": {expression}, "accumulate": ["{accumulate}"],
        "reach": {{"op": "=", "left": "x", "right": 3}}}}"#
    );
    model("ctmc", &variables, automata, system, &values)
}

/// What is summed up by steps is worth what it is after the assignments of the step, as tools of the field have it;
/// on leaving a state and by time it is what it is there. `1` by steps counts steps, also in continuous time.
#[test]
fn steps_earn_what_an_expression_is_worth_after_them() {
    let more = r#"{"op": "+", "left": "x", "right": 1}"#;
    for (expression, accumulate, expected) in [
        ("1", "steps", 5.5),
        (more, "steps", 13.75),
        (more, "exit", 10.75),
        (more, "time", 3.875),
        (r#""r""#, "steps", 7.75),
        (
            r#"{"op": "+", "left": "r", "right": "x"}"#,
            "steps",
            7.75 + 8.25,
        ),
    ] {
        let text = walk(expression, accumulate);
        let found = check(&text, &Asked::property("p"));
        found.has_value(expected, 1e-6);
    }
}

/// The product of what two automata give in one step is not the sum of two parts.
#[test]
fn what_automata_give_together_is_a_sum() {
    let variables = [
        X,
        &X.replace("\"x\"", "\"y\""),
        r#"{"name": "cost", "type": "real", "transient": true, "initial-value": 0}"#,
        r#"{"name": "toll", "type": "real", "transient": true, "initial-value": 0}"#,
    ]
    .join(",");
    let automata = [
        counter("a", "x", "go", "cost"),
        counter("b", "y", "come", "toll"),
    ]
    .join(",");
    let together = r#"{"elements": [{"automaton": "a"}, {"automaton": "b"}],
        "syncs": [{"synchronise": ["go", "come"], "result": null}]}"#;
    for expression in [
        r#"{"op": "*", "left": "cost", "right": "toll"}"#,
        r#"{"op": "+", "left": "x", "right": "cost"}"#,
    ] {
        let goal = format!(
            r#"{{"op": "Emax", "exp": {expression}, "accumulate": ["steps"],
            "reach": {{"op": "=", "left": "y", "right": 3}}}}"#
        );
        let text = model("mdp", &variables, &automata, together, &goal);
        let told = match crate::common::answers(&text, &Asked::property("p")) {
            Ok(answers) => format!("{:?}", answers[0].verdict),
            Err(trouble) => trouble.to_string(),
        };
        assert!(told.contains("act together"), "{told}");
    }
}
