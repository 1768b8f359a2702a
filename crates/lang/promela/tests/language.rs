//! The language through its seam: answers, evidence, simulation, readers.

use quotient_core::{Budget, Context, Verdict};
use quotient_language::{Random, Sureness, Viewed};
use quotient_promela::LANGUAGE;
use quotient_testkit::language::{Tested, answers, assert_certified, attack_all, verdicts};

const PROMELA: Tested = Tested::new(LANGUAGE, "x.pml");

#[test]
fn examples_have_their_verdicts_and_evidence_for_them() {
    use Verdict::{Holds, Violated};
    let expected = [
        ("peterson-promela", vec![Holds, Holds, Holds]),
        ("alternating-bit", vec![Holds, Holds]),
        ("philosophers-promela", vec![Holds, Violated]),
    ];
    for (name, expected) in expected {
        let mut model = PROMELA.example(name);
        let answers = answers(model.as_mut());
        assert_eq!(verdicts(&answers), expected, "{name}");
        for answer in &answers {
            assert_certified(model.as_mut(), answer);
        }
        let view = Viewed {
            picture: true,
            ..Viewed::default()
        };
        let shown = model.show(&view, &Context::default()).unwrap();
        assert_eq!(shown.pictures.len(), 1);
    }
}

#[test]
fn a_broken_formula_is_shown_by_the_shortest_beginning_and_by_nothing_less() {
    let text = "byte x, y; active proctype P() { do :: x < 9 -> x++ :: x > 0 -> x-- od }
        active proctype Q() { do :: y < 5 -> y++ :: y > 0 -> y-- od }
        ltl low { [] (x < 3) } ltl reached { (x == 0) U (x == 2) }";
    let mut model = PROMELA.open(text);
    let found = answers(model.as_mut());
    let expected = [("low", 6), ("reached", 2)];
    for (name, steps) in expected {
        let answer = found.iter().find(|one| one.property == name).unwrap();
        assert_eq!(answer.verdict, Verdict::Violated, "{name}");
        assert_eq!(
            answer.because,
            format!("{steps} steps break it, whatever comes after")
        );
        assert_certified(model.as_mut(), answer);
        let genuine = answer.evidence.clone().unwrap();
        let property = model.property(name).unwrap();
        let mut refused = |change: &dyn Fn(&mut serde_json::Value)| {
            let mut forged = genuine.clone();
            change(&mut forged.body);
            let budget = Budget::unlimited();
            assert!(
                model.certify(&forged, &property, &budget).is_err(),
                "{name}"
            );
        };
        refused(&|body| drop(body["steps"].as_array_mut().unwrap().pop()));
        refused(&|body| body["back"] = 0.into());
        refused(&|body| body["decides"] = false.into());
    }
}

#[test]
fn forged_evidence_is_never_believed() {
    let examples = LANGUAGE.about().examples.iter();
    let models = examples.map(|one| PROMELA.example(one.name)).collect();
    attack_all(models, 60, 200_000);
}

#[test]
fn a_run_that_violates_says_who_did_what() {
    let text = "byte x;\nactive proctype P() {\n  x = 1;\n  atomic { x = 2; assert(x < 2) }\n}";
    let mut model = PROMELA.open(text);
    let answer = answers(model.as_mut()).swap_remove(0);
    assert_eq!(answer.verdict, Verdict::Violated);
    let trace = answer.trace.unwrap();
    let actions: Vec<&str> = trace
        .steps
        .iter()
        .filter_map(|step| step.action.as_deref())
        .collect();
    assert_eq!(actions, ["x = 1", "x = 2", "assert(x < 2)"]);
    assert_eq!(trace.steps[1].by, ["P(0)"]);
    assert_eq!(trace.ending, ["An assertion fails."]);
}

#[test]
fn simulations_go_forth_and_back() {
    let mut model = PROMELA.example("philosophers-promela");
    let cx = Context::default();
    let mut run = model.simulate(&cx).unwrap();
    let mut random = Random::new(3);
    let mut steps = 0;
    while steps < 200 && run.take_any(&mut random, &cx).unwrap() {
        steps += 1;
    }
    assert_eq!(run.trace().len(), steps);
    let status = run.status(&cx).unwrap();
    assert_eq!(status.deadlock, run.choices(&cx).unwrap().is_empty());
    assert!(run.undo());
    assert_eq!(run.trace().len(), steps - 1);
}

#[test]
fn statements_that_nobody_comes_to_are_doubted() {
    let text = "byte x; proctype Q() { skip }
        active proctype P() { if :: x == 0 -> skip :: x == 7 -> x = 8 fi }";
    let mut model = PROMELA.open(text);
    answers(model.as_mut());
    let doubts = model.doubts(&Context::default()).unwrap();
    let texts: Vec<&str> = doubts.iter().map(|doubt| doubt.text.as_str()).collect();
    assert_eq!(
        texts,
        [
            "no process of type `Q` ever runs",
            "`P` never comes to `x = 8`"
        ]
    );
}

#[test]
fn an_escape_that_is_taken_is_not_doubted() {
    let doubts = |raised: &str| {
        let text = format!(
            "byte s; bool raised;
            active proctype P() {{ byte i; {{ do :: i < 3 -> i++ :: else -> break od; s = 1 }} unless {{ raised -> s = 2 }} }}
            active proctype Q() {{ {raised} }}"
        );
        let mut model = PROMELA.open(&text);
        answers(model.as_mut());
        let doubts = model.doubts(&Context::default()).unwrap();
        let texts = doubts.into_iter().map(|doubt| doubt.text);
        texts.collect::<Vec<String>>()
    };
    assert_eq!(doubts("raised = true"), Vec::<String>::new());
    assert_eq!(
        doubts("raised = false"),
        ["`P` never comes to `raised`", "`P` never comes to `s = 2`"]
    );
}

#[test]
fn mistakes_are_told_in_place() {
    let text = "byte x;\ninit {\n  y = 1\n}\nactive proctype P() {\n  c_code { x }\n}\n";
    let found = PROMELA.mistakes(text);
    assert!(
        found[0].starts_with("x.pml:6:3: error: C code"),
        "{found:?}"
    );
    let found = PROMELA.mistakes("byte x;\ninit {\n  y = 1\n}\n");
    assert_eq!(found, ["x.pml:3:3: error: there is no variable `y`"]);
}

#[test]
fn only_its_own_texts_are_recognised() {
    let text = "/* a */\nactive [2] proctype P() { skip }";
    assert_eq!(PROMELA.sure("x", text), Sureness::Maybe);
    assert_eq!(PROMELA.sure("x.pml", text), Sureness::Likely);
    assert_eq!(PROMELA.sure("x.pml", "init { skip }"), Sureness::ByName);
    assert_eq!(PROMELA.sure("x.smv", "MODULE main"), Sureness::No);
}

#[test]
fn no_text_makes_the_reader_panic() {
    PROMELA.disturb("{}()[]:;?!<>-=#\n0aé,", 400, |text| {
        quotient_promela::read_any(text);
    });
}

/// A program that fails before its first step has no runs: nothing is said about them, though the
/// failure itself is told.
#[test]
fn a_program_that_does_not_begin_has_no_runs() {
    use quotient_core::{Evidence, Rejection};
    let text = "byte z; int x = 5; active proctype A() { int y = 4 / z; x = 7 }
        ltl stays { [] (x == 5) } ltl comes { <> (x == 7) }";
    let mut model = PROMELA.open(text);
    for answer in answers(model.as_mut()) {
        match answer.property.as_str() {
            "assertions" => assert_eq!(answer.verdict, Verdict::Violated),
            "stays" | "comes" => {
                let unknown = matches!(answer.verdict, Verdict::Unknown(_));
                assert!(unknown, "{answer:?}");
            }
            _ => {}
        }
    }
    for name in ["stays", "comes"] {
        let property = model.property(name).unwrap();
        for forged in [
            Evidence::of_violated("promela-run", &serde_json::json!({ "steps": [] })),
            Evidence::of_holds("promela-states", &serde_json::json!({ "states": 1 })),
        ] {
            let judged = model.certify(&forged.about(name), &property, &Budget::unlimited());
            assert!(matches!(judged, Err(Rejection::Stopped(_))), "{judged:?}");
        }
    }
}

#[test]
fn the_colon_of_a_choice_is_not_that_of_another_process() {
    let text = "byte a[2], x, y;
        active proctype P() { byte z = 3; a[1] = 4;
            x = (a[0] == 0 -> a[1] : z); y = (x > 9 -> a[1] : (x == 4 -> a[0] : z)) }
        ltl chosen { <> (x == 4) } ltl other { [] (y == 0) }
        ltl remote { [] (P[0]:z == 0 || P[0]:z == 3) }";
    let mut model = PROMELA.open(text);
    let found = answers(model.as_mut());
    let named = |name: &str| found.iter().find(|one| one.property == name).unwrap();
    for name in ["chosen", "other", "remote"] {
        assert_eq!(named(name).verdict, Verdict::Holds, "{name}");
    }
}
