//! Evidence about trees made by hand, of something false: one for each thing that the check demands.

use quotient_core::{Budget, Claim, Context, Evidence, Source};
use quotient_language::{Input, Model, NoFiles, Settings};
use quotient_tree_systems::LANGUAGE;
use serde_json::{Value, json};

/// One more each time: `s(s(z))` comes, `e` does not.
const GROWS: &str = "Ops z:0 s:1 e:0
TRS grow
z -> s(z)
Automaton Init
States q
Final States q
Transitions
z -> q
Automaton Two
States q r t
Final States t
Transitions
z -> q
s(q) -> r
s(r) -> t
Automaton Other
States q
Final States q
Transitions
e -> q
";

/// Leaves change one after the other: `c` comes in two steps, `e` does not.
const CHANGES: &str = "Ops a:0 b:0 c:0 e:0 f:2
Transducer next
States same done
Final States done
Transitions
a -> same
b -> same
c -> same
f(same,same) -> same
a/b -> done
b/c -> done
f(done,same) -> done
f(same,done) -> done
Automaton Init
States q r
Final States q r
Transitions
a -> q
f(q,q) -> r
Automaton Bad
States q r
Final States q
Transitions
c -> q
f(q,q) -> q
Automaton Other
States q
Final States q
Transitions
e -> q
";

/// Two of the same become one; `f(a,b)` stays.
const ALIKE: &str = "Ops a:0 b:0 f:2
Vars x
TRS join
f(x,x) -> x
a -> b
Automaton Init
States p q
Final States q
Transitions
a -> p
f(p,p) -> q
Automaton Bad
States q
Final States q
Transitions
b -> q
";

fn is_accepted(
    text: &str,
    about: &str,
    claim: Claim,
    kind: &str,
    body: Value,
) -> Result<(), String> {
    let input = Input::text(&Source::new("system.trees", text));
    let opened = LANGUAGE.open(
        &input,
        &mut NoFiles,
        &Settings::default(),
        &Context::default(),
    );
    let mut model: Box<dyn Model> = opened.unwrap_or_else(|trouble| panic!("{trouble}"));
    let property = model.property(about).expect("a property");
    let mut evidence = match claim {
        Claim::Holds => Evidence::of_holds(kind, &()),
        Claim::Violated => Evidence::of_violated(kind, &()),
    };
    evidence.body = body;
    let evidence = evidence.about(&property.name);
    let checked = model.certify(&evidence, &property, &Budget::unlimited());
    checked.map(drop).map_err(|why| why.to_string())
}

fn set(backward: bool, accepting: &[u32], rules: &[(&str, &[u32], u32)]) -> Value {
    let states = rules.iter().map(|rule| rule.2 + 1).max().unwrap_or(1);
    json!({ "backward": backward, "set": { "states": states, "accepting": accepting, "rules": rules } })
}

#[track_caller]
fn refused(found: Result<(), String>, why: &str) {
    let found = found.expect_err("it is false");
    assert!(found.contains(why), "{found}");
}

#[test]
fn sets_that_are_left_by_rewriting() {
    let holds =
        |about: &str, body: Value| is_accepted(GROWS, about, Claim::Holds, "tree-invariant", body);
    let all = set(false, &[0], &[("z", &[], 0), ("s", &[0], 0)]);
    assert_eq!(holds("Other", all.clone()), Ok(()));
    refused(holds("Two", all), "tree that is bad");
    // The step leads out, under one symbol or at the top; nothing is there; other symbols are.
    refused(
        holds("Two", set(false, &[0, 1], &[("z", &[], 0), ("s", &[0], 1)])),
        "leads out",
    );
    refused(
        holds("Two", set(false, &[0], &[("z", &[], 0)])),
        "leads out",
    );
    refused(
        holds("Two", set(false, &[], &[("z", &[], 0)])),
        "initial tree",
    );
    refused(holds("Two", set(false, &[0], &[])), "initial tree");
    refused(
        holds("Two", set(false, &[0], &[("e", &[], 0)])),
        "initial tree",
    );
    // Backward: all that leads to what is bad.
    let before: &[(&str, &[u32], u32)] = &[("z", &[], 0), ("s", &[0], 1), ("s", &[1], 2)];
    refused(holds("Two", set(true, &[0, 1, 2], before)), "initial");
    refused(holds("Two", set(true, &[2], before)), "into the set");
    refused(holds("Two", set(true, &[1, 2], before)), "into the set");
    refused(holds("Two", set(true, &[1], before)), "bad tree");
    refused(holds("Two", set(true, &[0], &[])), "bad tree");
    assert_eq!(holds("Other", set(true, &[0], &[("e", &[], 0)])), Ok(()));
}

#[test]
fn sets_that_are_left_by_a_transducer() {
    let holds = |about: &str, body: Value| {
        is_accepted(CHANGES, about, Claim::Holds, "tree-invariant", body)
    };
    let over = |letters: &[&str], backward: bool| {
        let mut rules: Vec<(&str, &[u32], u32)> =
            letters.iter().map(|&one| (one, &[][..], 0)).collect();
        rules.push(("f", &[0, 0], 0));
        set(backward, &[0], &rules)
    };
    assert_eq!(holds("Other", over(&["a", "b", "c"], false)), Ok(()));
    refused(
        holds("Bad", over(&["a", "b", "c"], false)),
        "tree that is bad",
    );
    refused(holds("Bad", over(&["a", "b"], false)), "leads out");
    refused(holds("Bad", over(&["a"], false)), "leads out");
    refused(holds("Bad", over(&["b"], false)), "initial tree");
    // Leaves alone, and what is above them only.
    refused(
        holds("Bad", set(false, &[0], &[("a", &[], 0), ("b", &[], 0)])),
        "initial tree",
    );
    refused(holds("Bad", over(&["c"], true)), "into the set");
    refused(holds("Bad", over(&["b", "c"], true)), "into the set");
    refused(holds("Bad", over(&["a", "b", "c"], true)), "initial");
    // Symbols that are none, with other numbers of children, and states beyond all.
    for rules in [
        json!([["x", [], 0]]),
        json!([["a", [0], 0]]),
        json!([["f", [0], 0]]),
        json!([["a", [], 7]]),
        json!([["f", [0, 4_294_967_295_u32], 0]]),
    ] {
        let body =
            json!({ "backward": false, "set": { "states": 1, "accepting": [0], "rules": rules } });
        assert!(holds("Other", body).is_err(), "{rules}");
    }
    for (states, accepting) in [(0, 0), (1, 1), (4_294_967_295_u32, 0)] {
        let rules = json!([["a", [], 0], ["b", [], 0], ["f", [0, 0], 0]]);
        let body = json!({ "backward": false, "set": { "states": states, "accepting": [accepting], "rules": rules } });
        assert!(holds("Bad", body).is_err(), "{states}");
    }
}

#[test]
fn what_is_there_twice_is_the_same_both_times() {
    let holds = |body: Value| is_accepted(ALIKE, "Bad", Claim::Holds, "tree-invariant", body);
    // Of `f(b,b)` a `b` is left.
    refused(
        holds(set(
            false,
            &[1],
            &[("a", &[], 0), ("b", &[], 0), ("f", &[0, 0], 1)],
        )),
        "leads out",
    );
    let apart: [(&str, &[u32], u32); 5] = [
        ("a", &[], 0),
        ("b", &[], 2),
        ("f", &[0, 0], 1),
        ("f", &[2, 0], 1),
        ("f", &[0, 2], 1),
    ];
    refused(holds(set(false, &[0, 1], &apart)), "leads out");
    let mut all = apart.to_vec();
    all.push(("f", &[2, 2], 1));
    refused(holds(set(false, &[0, 1], &all)), "leads out");
    refused(holds(set(false, &[0, 1, 2], &all)), "tree that is bad");
}

#[test]
fn runs_that_are_none() {
    let violated = |text: &str, about: &str, first: &str, steps: &[(&str, &str)]| {
        let body = json!({ "first": first, "steps": steps });
        is_accepted(text, about, Claim::Violated, "tree-run", body)
    };
    let twice = [("grow", "s(z)"), ("grow", "s(s(z))")];
    assert_eq!(violated(GROWS, "Two", "z", &twice), Ok(()));
    refused(violated(GROWS, "Other", "z", &twice), "not bad");
    refused(violated(GROWS, "Other", "z", &[("grow", "e")]), "none of");
    refused(violated(GROWS, "Other", "e", &[]), "not initial");
    refused(violated(GROWS, "Other", "z", &[]), "not bad");
    refused(violated(GROWS, "Other", "z", &[("other", "e")]), "no step");
    refused(violated(GROWS, "Other", "z", &[("", "e")]), "no step");
    refused(
        violated(GROWS, "Two", "z", &[("grow", "s(s(z))")]),
        "none of",
    );
    refused(violated(GROWS, "Two", "s(s(z))", &[]), "not initial");
    let changed = [("next", "b"), ("next", "c")];
    assert_eq!(violated(CHANGES, "Bad", "a", &changed), Ok(()));
    refused(violated(CHANGES, "Bad", "a", &[("next", "c")]), "none of");
    refused(
        violated(CHANGES, "Bad", "f(a,a)", &[("next", "f(b,b)")]),
        "none of",
    );
    refused(
        violated(CHANGES, "Other", "a", &[("next", "b"), ("next", "e")]),
        "none of",
    );
    refused(
        violated(CHANGES, "Other", "a", &[("next", "a"), ("next", "e")]),
        "none of",
    );
    for text in ["", "f(a", "f(a)", "x", "a a", "a(a)", "f(a,a))"] {
        assert!(violated(CHANGES, "Bad", text, &changed).is_err(), "{text}");
        assert!(
            violated(CHANGES, "Bad", "a", &[("next", text)]).is_err(),
            "{text}"
        );
    }
    // Each kind shows its own claim.
    let run = json!({ "first": "z", "steps": twice });
    assert!(is_accepted(GROWS, "Other", Claim::Holds, "tree-run", run).is_err());
    let all = set(false, &[0], &[("z", &[], 0), ("s", &[0], 0)]);
    assert!(is_accepted(GROWS, "Two", Claim::Violated, "tree-invariant", all).is_err());
}

/// What stands on the right must stand on the left: otherwise it could be anything.
#[test]
fn a_variable_out_of_nowhere_is_refused() {
    let text = ALIKE.replace("f(x,x) -> x", "a -> f(x,x)");
    let input = Input::text(&Source::new("system.trees", &text));
    let opened = LANGUAGE.open(
        &input,
        &mut NoFiles,
        &Settings::default(),
        &Context::default(),
    );
    assert!(opened.is_err());
}
