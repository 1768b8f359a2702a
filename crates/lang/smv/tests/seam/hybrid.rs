//! Names for states: `HCTLSPEC`, from the text to the evidence. Certification works every formula
//! out state by state and by the definition, so it is the second way here.

use quotient_core::{Budget, Claim, Evidence, Rejection, Verdict};
use quotient_language::{Answer, Ask, Model};
use serde_json::json;

use super::random::{self, Random};
use super::{check, open, open_with, settings};
use quotient_language::Verb;

/// A counter that goes up to 3 and back to 1, or stays at 0 for ever.
const COUNTER: &str = "
    MODULE main
    VAR count : 0..3;
    ASSIGN
      init(count) := 0;
      next(count) := case count = 0 : {0, 1}; count = 3 : 1; TRUE : count + 1; esac;
    DEFINE busy := count > 0;
";

fn certify(model: &mut dyn Model, answer: &Answer) -> Result<(), Rejection> {
    let property = model.property(&answer.property).unwrap();
    let evidence = answer.evidence.clone().unwrap();
    let budget = Budget::unlimited();
    model.certify(&evidence, &property, &budget).map(|_| ())
}

fn verdict(model: &str, formula: &str) -> Verdict {
    let mut model = open(&format!("{model} HCTLSPEC {formula};"));
    let answers = check(&mut *model, &Ask::default()).unwrap_or_else(|mistake| {
        panic!("{formula}: {mistake}");
    });
    certify(&mut *model, &answers[0]).unwrap_or_else(|why| panic!("{formula}: {why}"));
    answers[0].verdict.clone()
}

#[test]
fn states_that_come_back_are_told_from_others() {
    let holds = [
        "EX !{x}: AG EF {x}",
        "!{x}: EX {x}",
        "!{x}: AX (busy -> AG !{x})",
        "EF (!{x}: count = 2 & AX AX AX {x})",
        "3{x}: @{x}: count = 3 & AX count = 1",
        "V{x}: (@{x}: busy) -> (@{x}: AF {x})",
        "V{x}: V{y}: (@{x}: !{y}) | ((@{x}: count = 1) <-> (@{y}: count = 1))",
        "!{x}: E [{x} U busy] & A [{x} W busy] & !A [{x} U busy]",
        "count in {0, 3} & (!{x}: {x})",
        "(count = 0 ? TRUE : FALSE) & (!{x}: !EX !({x} | count = 1))",
    ];
    for formula in holds {
        assert_eq!(verdict(COUNTER, formula), Verdict::Holds, "{formula}");
    }
    let violated = [
        "!{x}: AG EF {x}",
        "3{x}: @{x}: count = 3 & EX count = 2",
        "V{x}: EF {x} & (@{x}: EF count = 0)",
        "!{x}: AX {x}",
        "!{x}: EX (busy & EF {x})",
    ];
    for formula in violated {
        assert_eq!(verdict(COUNTER, formula), Verdict::Violated, "{formula}");
    }
}

#[test]
fn names_range_over_all_legal_states_and_over_no_others() {
    // Nothing leads to 2, and 3 is no value.
    let model = "MODULE main VAR a : 0..2; INVAR a != 1; INIT a = 0; TRANS next(a) = a";
    assert_eq!(verdict(model, "3{x}: @{x}: a = 2"), Verdict::Holds);
    assert_eq!(verdict(model, "3{x}: @{x}: a = 1"), Verdict::Violated);
    assert_eq!(
        verdict(model, "3{x}: !@{x}: (a = 0 | a = 2)"),
        Verdict::Violated
    );
    // Those that are reached from the first.
    let reached = "!{start}: V{x}: (@{start}: EF {x}) -> (@{x}: a = 0)";
    assert_eq!(verdict(model, reached), Verdict::Holds);
}

#[test]
fn paths_are_fair_and_infinite_as_in_ctl() {
    let model = "MODULE main VAR a : boolean; b : boolean; INIT !a & !b
        TRANS !b; FAIRNESS a;";
    assert_eq!(verdict(model, "!{x}: AF !{x}"), Verdict::Holds);
    assert_eq!(verdict(model, "3{x}: @{x}: b & !EX TRUE"), Verdict::Holds);
    assert_eq!(verdict(model, "3{x}: EF ({x} & b)"), Verdict::Violated);
}

#[test]
fn a_formula_of_the_command_line_may_name_states() {
    let mut model = open(COUNTER);
    let ask = Ask {
        properties: vec!["!{x}:  AG EF {x}".to_owned(), "AG TRUE".to_owned()],
        ..Ask::default()
    };
    let answers = check(&mut *model, &ask).unwrap();
    let by_name = |name: &str| {
        answers
            .iter()
            .find(|answer| answer.property == name)
            .unwrap()
    };
    let answer = by_name("!{x}: AG EF {x}");
    assert_eq!(answer.verdict, Verdict::Violated);
    assert!(answer.trace.is_some());
    let mut again = open(COUNTER);
    certify(&mut *again, answer).unwrap();
    assert_eq!(by_name("AG TRUE").verdict, Verdict::Holds);
}

#[test]
fn instances_and_names_of_specifications_work_as_everywhere() {
    let text = "MODULE cell VAR on : boolean; ASSIGN next(on) := !on;
        HCTLSPEC NAME back := !{x}: AX AX {x};
        MODULE main VAR one : cell; HCTLSPEC !{x}: EX (on & !{x}) | !on IN one;";
    let mut model = open(text);
    let answers = check(&mut *model, &Ask::default()).unwrap();
    let found: Vec<_> = answers.iter().map(|one| one.property.as_str()).collect();
    assert!(found.contains(&"one.back"), "{found:?}");
    assert_eq!(answers.len(), 2);
    for answer in &answers {
        certify(&mut *model, answer).unwrap();
    }
}

#[test]
fn mistakes_are_shown_at_their_place() {
    let mistake = |formula: &str| {
        let text = format!("{COUNTER} HCTLSPEC {formula};");
        match open_with(&text, &quotient_language::Settings::default()) {
            Err(quotient_core::Trouble::Invalid(found)) => found[0].code,
            _ => panic!("{formula} is read"),
        }
    };
    assert_eq!(mistake("EF {x}"), "smv-state-name");
    assert_eq!(mistake("@{x}: TRUE"), "smv-state-name");
    assert_eq!(mistake("!{x}: count"), "smv-type");
    assert_eq!(mistake("!{x}: E [{x} busy]"), "smv-syntax");
    assert_eq!(mistake("!{x}: next(count) = 1"), "smv-next-place");
    let deep = "!{x}: ".repeat(9) + "{x}";
    assert_eq!(mistake(&deep), "smv-nesting");
    let long = vec!["EX TRUE"; 600].join(" & ");
    assert_eq!(mistake(&long), "smv-nesting");
    assert_eq!(mistake(&("(".repeat(500) + "EX TRUE")), "smv-nesting");
}

#[test]
fn a_name_that_is_never_used_is_told() {
    let text = format!("{COUNTER} HCTLSPEC !{{x}}: EX TRUE; HCTLSPEC !{{x}}: EX {{x}};");
    let answers = check(&mut *open(&text), &Ask::default()).unwrap();
    let told = |at: usize| {
        answers[at]
            .notes
            .iter()
            .any(|note| note.contains("never used"))
    };
    assert!(told(0) && !told(1));
}

#[test]
fn what_holds_for_lack_of_a_start_is_unknown() {
    let text = "MODULE main VAR a : boolean; INIT a & !a HCTLSPEC !{x}: EX {x};";
    let answers = check(&mut *open(text), &Ask::default()).unwrap();
    assert!(matches!(answers[0].verdict, Verdict::Unknown(_)));
    let allowed = settings(Verb::Check, &[("allow-empty", "true")]);
    let mut model = open_with(text, &allowed).unwrap();
    let answers = check(&mut *model, &Ask::default()).unwrap();
    assert_eq!(answers[0].verdict, Verdict::Holds);
    assert!(answers[0].evidence.is_none());
}

#[test]
fn evidence_cannot_be_turned_round_or_moved() {
    let text = format!("{COUNTER} HCTLSPEC !{{x}}: AG EF {{x}}; HCTLSPEC !{{x}}: EX {{x}};");
    let mut model = open(&text);
    let answers = check(&mut *model, &Ask::default()).unwrap();
    let [against, for_it] = [0, 1].map(|at| answers[at].evidence.clone().unwrap());
    let properties = model.properties();
    let budget = Budget::unlimited();
    let mut refused = |evidence: &Evidence, at: usize| {
        let found = model.certify(evidence, &properties[at], &budget);
        assert!(
            matches!(found, Err(Rejection::Wrong(_) | Rejection::Unreadable(_))),
            "{evidence:?}: {found:?}"
        );
    };
    // About another property, with the other claim, with other states.
    refused(&against.clone(), 1);
    refused(&for_it.clone(), 0);
    for (evidence, at) in [(&against, 0), (&for_it, 1)] {
        let mut other = evidence.clone();
        other.claim = match evidence.claim {
            Claim::Holds => Claim::Violated,
            Claim::Violated => Claim::Holds,
        };
        refused(&other, at);
    }
    for body in [
        json!({}),
        json!({ "variables": ["count"], "values": ["1"] }),
        json!({ "variables": ["count"], "values": ["7"] }),
        json!({ "variables": ["count", "count"], "values": ["0", "0"] }),
        json!({ "variables": [], "values": [] }),
        json!({ "variables": ["count"], "values": ["0"], "more": 1 }),
    ] {
        let other = Evidence {
            body,
            ..against.clone()
        };
        refused(&other, 0);
    }
    let other = Evidence {
        kind: "smv-run".to_owned(),
        ..against
    };
    refused(&other, 0);
}

/// A random formula with at most two names at a place.
fn formula(random: &mut Random, names: usize, depth: usize) -> String {
    let name = |random: &mut Random| ["x", "y"][random.below(names)];
    let choices = if depth == 0 { 3 } else { 16 };
    let inner = |random: &mut Random, names| formula(random, names, depth - 1);
    match random.below(choices) {
        0 => "d1".to_owned(),
        1 if names > 0 => format!("{{{}}}", name(random)),
        1 | 2 => ["d1", "!d1", "TRUE"][random.below(3)].to_owned(),
        3 => format!("!({})", inner(random, names)),
        4 | 5 => {
            let operator = ["&", "|", "->", "<->", "xor", "xnor"][random.below(6)];
            let (one, other) = (inner(random, names), inner(random, names));
            format!("({one}) {operator} ({other})")
        }
        6 | 7 => {
            let operator = ["EX", "AX", "EF", "AF", "EG", "AG"][random.below(6)];
            format!("{operator} ({})", inner(random, names))
        }
        8 => {
            let operator = ["EU", "AU", "EW", "AW"][random.below(4)];
            let (one, other) = (inner(random, names), inner(random, names));
            format!("(({one}) {operator} ({other}))")
        }
        9 => {
            let (quantifier, until) = (["E", "A"][random.below(2)], ["U", "W"][random.below(2)]);
            let (one, other) = (inner(random, names), inner(random, names));
            format!("{quantifier} [{one} {until} {other}]")
        }
        10 | 11 if names > 0 => format!("(@{{{}}}: {})", name(random), inner(random, names)),
        _ if names < 2 => {
            let binder = ["!", "3", "V"][random.below(3)];
            let name = ["x", "y"][names];
            format!("({binder}{{{name}}}: {})", inner(random, names + 1))
        }
        _ => format!("EF ({})", inner(random, names)),
    }
}

#[test]
fn every_verdict_is_the_one_found_state_by_state() {
    let mut decided = 0;
    for seed in 0..60u64 {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5eed);
        let text = random::model_with_condition(&mut random, 24);
        let formulas: Vec<String> = (0..3).map(|_| formula(&mut random, 0, 4)).collect();
        let specifications: String = (formulas.iter())
            .map(|one| format!("HCTLSPEC {one};\n"))
            .collect();
        let text = format!("{text}\n{specifications}");
        let mut model = open(&text);
        // A random model may have a mistake of its own.
        let Ok(answers) = check(&mut *model, &Ask::default()) else {
            continue;
        };
        for answer in &answers {
            if matches!(answer.verdict, Verdict::Unknown(_)) || answer.evidence.is_none() {
                continue;
            }
            decided += 1;
            certify(&mut *model, answer)
                .unwrap_or_else(|why| panic!("{text}\n{}: {why}", answer.property));
        }
    }
    assert!(decided > 20, "{decided}");
}

#[test]
fn without_names_it_is_ctl() {
    let plain = [
        "EF AG d1",
        "AG (d1 -> AF !d1)",
        "E [d1 U AX !d1]",
        "A [d1 U EG !d1]",
    ];
    let both = |formula: &&str| format!("HCTLSPEC {formula};\nCTLSPEC {formula};\n");
    let specifications: String = plain.iter().map(both).collect();
    for seed in 0..15u64 {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0xc71);
        let text = random::model_with_condition(&mut random, 24);
        let text = format!("{text}\n{specifications}");
        let Ok(answers) = check(&mut *open(&text), &Ask::default()) else {
            continue;
        };
        for pair in answers.chunks(2) {
            assert_eq!(pair[0].verdict, pair[1].verdict, "{text}");
        }
    }
}
