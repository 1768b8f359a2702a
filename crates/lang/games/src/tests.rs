//! Texts, verdicts of the gallery, and evidence that was tampered with.

use quotient_core::{Budget, Context, Evidence, Source, Trouble, Verdict};
use quotient_language::{Answer, Ask, Input, Model, NoFiles, Settings, Sureness};
use serde_json::{Value, json};

use crate::LANGUAGE;

fn open(text: &str) -> Result<Box<dyn Model>, Trouble> {
    let input = Input::text(&Source::new("x.game", text));
    LANGUAGE.open(
        &input,
        &mut NoFiles,
        &Settings::default(),
        &Context::default(),
    )
}

fn check(model: &mut dyn Model) -> Answer {
    let mut answers = Vec::new();
    let tell = &mut |answer| answers.push(answer);
    model
        .check(&Ask::default(), &Context::default(), tell)
        .unwrap();
    answers.remove(0)
}

fn accepts(model: &mut dyn Model, evidence: &Evidence) -> bool {
    let property = model.properties().remove(0);
    let checked = model.certify(evidence, &property, &Budget::unlimited());
    checked.is_ok()
}

fn example(name: &str) -> &'static str {
    let mut examples = LANGUAGE.about().examples.iter();
    examples.find(|one| one.name == name).unwrap().files[0].1
}

fn codes(text: &str) -> Vec<&'static str> {
    match open(text) {
        Err(Trouble::Invalid(mistakes)) => mistakes.iter().map(|mistake| mistake.code).collect(),
        _ => Vec::new(),
    }
}

#[test]
fn the_gallery_is_decided_and_its_evidence_accepted() {
    for one in LANGUAGE.about().examples {
        let mut model = open(one.files[0].1).unwrap();
        assert!(model.warnings().is_empty(), "{}", one.name);
        let answer = check(model.as_mut());
        let expected = match one.name.contains("unfair") {
            true => Verdict::Violated,
            false => Verdict::Holds,
        };
        assert_eq!(answer.verdict, expected, "{}", one.name);
        assert!(
            accepts(model.as_mut(), &answer.evidence.unwrap()),
            "{}",
            one.name
        );
    }
}

#[test]
fn games_are_recognised_by_their_first_block() {
    let of = |text: &str| LANGUAGE.recognises(&Input::text(&Source::new("x.txt", text)));
    assert_eq!(
        of("// a ring\nI0 { init: s; accepting: s; }"),
        Sureness::Certain
    );
    assert_eq!(of("/* x */ Enabled {"), Sureness::Certain);
    assert_eq!(of("Initial { init: s; }"), Sureness::No);
    assert_eq!(of("F = (a -> F)."), Sureness::No);
}

#[test]
fn all_mistakes_are_told_at_once() {
    let text = "I0 { init: s; s -> t a/b; accepting: s; }\nG { init: s; }\nP2 { s -> s a/a; }";
    assert_eq!(
        codes(text),
        [
            "syntax",
            "unknown-block",
            "no-initial-state",
            "no-accepting-states",
            "no-block",
            "no-block"
        ]
    );
    let both = format!(
        "{}\nEnabled {{ init: s; accepting: s; }}",
        example("tokens")
    );
    assert_eq!(codes(&both), ["said-twice"]);
    assert_eq!(codes("I0 { init: s; /* accepting"), ["syntax"]);
}

#[test]
fn options_that_nobody_knows_are_warned_about() {
    let text = format!(
        "{}\ntransducerStateGuessing: 1 .. 4;\nclosedUnder;",
        example("tokens")
    );
    let warnings = open(&text).unwrap().warnings();
    assert_eq!(warnings.len(), 1);
    assert_eq!(warnings[0].code, "unknown-option");
}

#[test]
fn no_text_makes_the_reader_panic() {
    quotient_trial::trial(|u| {
        const WORDS: [&str; 16] = [
            "I0",
            "F",
            "P1",
            "P2",
            "Enabled",
            "{",
            "}",
            "init",
            ":",
            ";",
            "s",
            "->",
            "/",
            ",",
            "accepting",
            "é\u{0}",
        ];
        let mut text = String::new();
        while !u.is_empty() {
            text.push_str(u.choose(&WORDS)?);
            text.push_str(if u.arbitrary()? { " " } else { "" });
        }
        crate::read_any(&text);
        Ok(())
    })
    .budget_ms(1_000);
}

/// Evidence with a part of its body changed.
fn forged(evidence: &Evidence, change: impl FnOnce(&mut Value)) -> Evidence {
    let mut evidence = evidence.clone();
    change(&mut evidence.body);
    evidence
}

/// Changes that leave less than is needed, each at every place of a list.
fn without_one(evidence: &Evidence, list: &str) -> Vec<Evidence> {
    let size = evidence
        .body
        .pointer(list)
        .unwrap()
        .as_array()
        .unwrap()
        .len();
    let drop = |at: usize| {
        forged(evidence, |body| {
            let list = body.pointer_mut(list).unwrap().as_array_mut().unwrap();
            list.remove(at);
        })
    };
    (0..size).map(drop).collect()
}

#[test]
fn a_set_or_an_order_that_lacks_a_move_is_refused() {
    for name in ["tokens", "herman-fair"] {
        let mut model = open(example(name)).unwrap();
        let evidence = check(model.as_mut()).evidence.unwrap();
        for list in [
            "/invariant/edges",
            "/invariant/accepting",
            "/order/accepting",
        ] {
            for forged in without_one(&evidence, list) {
                assert!(!accepts(model.as_mut(), &forged), "{name} {list}");
            }
        }
    }
}

#[test]
fn an_order_that_is_none_is_refused() {
    let mut model = open(example("tokens")).unwrap();
    let evidence = check(model.as_mut()).evidence.unwrap();
    let letters = ["no", "token"];
    let pairs = |only: fn(&str, &str) -> bool| {
        let all = letters.iter().flat_map(|a| letters.map(|b| (*a, b)));
        let pairs = all.filter(|(a, b)| only(a, b));
        json!(pairs.collect::<Vec<_>>())
    };
    let order = |states: u32, accepting: u32, edges: Value| {
        forged(&evidence, |body| {
            body["order"] = json!({
                "states": states, "initial": [0], "accepting": [accepting], "edges": edges
            });
        })
    };
    // Everything is smaller than everything.
    let all = json!([{ "from": 0, "pairs": pairs(|_, _| true), "to": 0 }]);
    assert!(!accepts(model.as_mut(), &order(1, 0, all)));
    // Whatever differs is smaller: irreflexive, but not transitive.
    let differs = json!([
        { "from": 0, "pairs": pairs(|a, b| a == b), "to": 0 },
        { "from": 0, "pairs": pairs(|a, b| a != b), "to": 1 },
        { "from": 1, "pairs": pairs(|_, _| true), "to": 1 },
    ]);
    assert!(!accepts(model.as_mut(), &order(2, 1, differs)));
    // The other way round.
    let upwards = forged(&evidence, |body| {
        for edge in body["order"]["edges"].as_array_mut().unwrap() {
            for pair in edge["pairs"].as_array_mut().unwrap() {
                pair.as_array_mut().unwrap().reverse();
            }
        }
    });
    assert!(!accepts(model.as_mut(), &upwards));
    let unknown = order(1, 7, json!([]));
    assert!(!accepts(model.as_mut(), &unknown));
}

#[test]
fn traps_that_let_the_play_out_are_refused() {
    let mut model = open(example("herman-unfair")).unwrap();
    let evidence = check(model.as_mut()).evidence.unwrap();
    for forged in without_one(&evidence, "/trap") {
        assert!(!accepts(model.as_mut(), &forged));
    }
    let elsewhere = forged(&evidence, |body| body["play"] = json!([["N", "N", "N"]]));
    assert!(!accepts(model.as_mut(), &elsewhere));
    let nowhere = forged(&evidence, |body| body["play"] = json!([]));
    assert!(!accepts(model.as_mut(), &nowhere));
    let with_goal = forged(&evidence, |body| {
        let trap = body["trap"].as_array_mut().unwrap();
        trap.push(json!(["N", "T", "N"]));
    });
    assert!(!accepts(model.as_mut(), &with_goal));
}

#[test]
fn evidence_for_one_game_is_none_for_another() {
    let mut tokens = open(example("tokens")).unwrap();
    let evidence = check(tokens.as_mut()).evidence.unwrap();
    // Tokens may also jump back to the first place.
    let other = example("tokens")
        .replace(
            "P2 {",
            "P2 {\n    before -> odd no/token;\n    odd -> odd no/no;\n    odd -> after picked/no;",
        )
        .replace("before -> after picked/token;", "")
        .replace("before -> passed picked/no;", "");
    let mut other = open(&other).unwrap();
    assert!(!accepts(other.as_mut(), &evidence));
    let mut claim = evidence;
    claim.claim = quotient_core::Claim::Violated;
    assert!(!accepts(tokens.as_mut(), &claim));
}

#[test]
fn a_trap_against_a_scheduler_that_must_be_fair_must_be_fair() {
    // The trap of the unfair ring is none for a fair one: some process is never chosen.
    let mut model = open(example("herman-fair")).unwrap();
    let word = json!(["N", "delim", "T", "delim", "T", "delim"]);
    let evidence = Evidence::of_violated("game-trap", &json!({ "play": [word], "trap": [word] }));
    assert!(!accepts(model.as_mut(), &evidence));
}

#[test]
fn a_play_goes_on_by_turns_until_the_goal() {
    let cx = Context::default();
    let mut model = open(example("tokens")).unwrap();
    let mut play = model.simulate(&cx).unwrap();
    let begin = play.choices(&cx).unwrap();
    let two = begin
        .iter()
        .position(|choice| choice.leads_to == "token token");
    play.take(two.unwrap(), &cx).unwrap();
    let picked = play.choices(&cx).unwrap();
    assert_eq!(picked.len(), 1);
    assert_eq!(
        (picked[0].action.as_str(), picked[0].leads_to.as_str()),
        ("player 1", "picked token")
    );
    play.take(0, &cx).unwrap();
    let answers = play.choices(&cx).unwrap();
    let merged = answers
        .iter()
        .position(|choice| choice.leads_to == "no token");
    play.take(merged.unwrap(), &cx).unwrap();
    let status = play.status(&cx).unwrap();
    assert!(!status.deadlock && play.choices(&cx).unwrap().is_empty());
    assert_eq!(status.notes, ["the goal is reached"]);
    assert_eq!(play.trace().len(), 2);
    assert!(play.take(0, &cx).is_err());
    assert!(play.undo() && !play.choices(&cx).unwrap().is_empty());
}

#[test]
fn a_proof_is_drawn_when_it_is_asked_for() {
    let mut model = open(example("tokens")).unwrap();
    let mut answers = Vec::new();
    let ask = Ask {
        exhibits: true,
        ..Ask::default()
    };
    let tell = &mut |answer: Answer| answers.push(answer);
    model.check(&ask, &Context::default(), tell).unwrap();
    let drawn = &answers[0].exhibits;
    let names: Vec<&str> = drawn.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["invariant", "order"]);
    assert!(drawn.iter().all(|one| one.picture.is_some()));
    assert!(check(model.as_mut()).exhibits.is_empty());
}
