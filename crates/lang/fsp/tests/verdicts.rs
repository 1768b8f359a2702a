//! What the safety check answers, and about what, in corners of the language where LTSA has made
//! up its mind.

mod common;

use common::{composed, sizes};
use quotient_compose::{Options as How, Way, check};
use quotient_core::{Context, Source, Trouble, Verdict};
use quotient_fsp::{Ask, Model, Options};

/// What is violated in the last system of a text.
fn violated(text: &str) -> Vec<String> {
    let model = Model::read(&Source::new("test.lts", text)).unwrap();
    let (options, cx) = (Options::default(), Context::default());
    let mut compiled = model.compile(&options, &cx.budget).unwrap();
    let question = model
        .question(&Ask::Safety, &options, &mut compiled, &cx.budget)
        .unwrap();
    let how = How {
        way: Way::Monolithic,
        ..How::default()
    };
    let report = check(&compiled.system, &question, &how, &cx).unwrap();
    let violated = report
        .answers
        .into_iter()
        .filter(|answer| answer.verdict == Verdict::Violated);
    violated.map(|answer| answer.about).collect()
}

#[test]
fn a_property_may_be_an_error_from_the_start() {
    let text = "property P = Q[1], Q[i:0..0] = (a -> P).";
    assert!(composed(text, "P").unwrap().has_error());
    assert_eq!(violated(text), ["P"]);
    // Hiding is another matter: such a property would not know what it sees.
    assert!(composed("property P = (a -> ERROR)\\{a}.", "P").is_err());
}

#[test]
fn a_property_composite_is_one_only_for_others() {
    let safe = "P = (a -> b -> P). property ||SAFE = P.";
    assert_eq!(violated(safe), [""; 0]);
    let used = format!("{safe} Q = (b -> a -> Q). ||SYSTEM = (Q || SAFE).");
    assert_eq!(violated(&used), ["SAFE"]);
}

#[test]
fn violations_are_told_of_composites_by_their_names() {
    let text = "P = (a -> b -> P).
        property ||SAFE = (P || P).
        deterministic ONCE = (b -> STOP).
        ||SYSTEM = (x:SAFE || x:ONCE).";
    assert_eq!(violated(text), ["x:SAFE"]);
}

#[test]
fn minimisation_takes_silent_business_for_a_deadlock() {
    let text = "P = (a -> Q), Q = (b -> Q). minimal ||M = P\\{b}.";
    assert_eq!(sizes(text, "M"), (2, 1));
    assert_eq!(
        violated(&format!("{text} ||SYSTEM = (M).")),
        ["no deadlock"]
    );
    // The outermost composite is checked as it was before.
    assert_eq!(violated(text), [""; 0]);
}

#[test]
fn what_is_deterministic_already_is_not_made_smaller() {
    let text = "P = (a -> b -> P | c -> b -> P). deterministic ||D = (P).";
    assert_eq!(sizes(text, "D"), (3, 4));
    let text = "P = (a -> b -> P | a -> b -> P). deterministic ||D = (P).";
    assert_eq!(sizes(text, "D"), (2, 2));
}

#[test]
fn an_end_before_any_action_is_a_stop() {
    let stuck = [
        "P = END.",
        "Q = END. P = Q; END. ||S = P.",
        "P = L, L = END. ||S = (x:P || P).",
        "P = END + {b}. Q = (a -> END). ||S = (P || Q).",
    ];
    for text in stuck {
        assert_eq!(violated(text), ["no deadlock"], "{text}");
    }
    let well = [
        // What cannot do anything keeps nobody from ending.
        "P = END. Q = (a -> END). ||S = (P || Q).",
        "P = END + {b}. Q = (a -> END) + {b}. ||S = (P || Q).",
        // And another process may begin where it ends.
        "Q = END. P = (a -> Q; END).  ||S = P.",
    ];
    for text in well {
        assert!(violated(text).is_empty(), "{text}");
    }
}

/// The codes of what is wrong with a text.
fn mistakes(text: &str) -> Vec<&'static str> {
    let model = Model::read(&Source::new("test.lts", text)).unwrap();
    match model.compile(&Options::default(), &Context::default().budget) {
        Ok(_) => Vec::new(),
        Err(Trouble::Invalid(errors)) => errors.iter().map(|one| one.code).collect(),
        Err(Trouble::Stopped(stop)) => panic!("{stop:?}"),
    }
}

#[test]
fn shifts_do_not_wrap_around() {
    let text = |value: &str| format!("const N = ({value}) P = (when (N == 0) a -> STOP | b -> P).");
    for value in [
        "2 << 31",
        "3 << 30",
        "1 << 31",
        "1 << 32",
        "0 - 3 << 30",
        "1 << 0 - 1",
    ] {
        assert_eq!(mistakes(&text(value)), ["overflow"], "{value}");
    }
    for value in ["1 << 30", "0 << 31", "0 - 1 << 31", "3 << 29", "5 << 0"] {
        assert_eq!(mistakes(&text(value)), [""; 0], "{value}");
    }
}

#[test]
fn a_name_in_formulas_and_compositions_means_one_thing() {
    let process = "P = (a -> P | b -> P). ";
    for (text, expected) in [
        ("fluent A = <a,b> assert A = []!a", vec!["duplicate"]),
        ("assert A = []!a fluent A = <a,b>", vec!["duplicate"]),
        ("constraint C = []!a C = (b -> C).", vec!["duplicate"]),
        ("C = (b -> C). constraint C = []!a", vec!["duplicate"]),
        ("||C = P. ltl_property C = []!a", vec!["duplicate"]),
        ("assert P = []!a fluent F = <a,b> ||C = P.", vec![]),
    ] {
        assert_eq!(mistakes(&format!("{process}{text}")), expected, "{text}");
    }
}
