//! Formulas about runs, through the seam.

use quotient_bsp::LANGUAGE;
use quotient_core::{Budget, Context, Source, Verdict};
use quotient_language::{Answer, Ask, Input, Model, NoFiles, Settings};
use quotient_testkit::language::{Tested, answers, assert_certified, attack_all};

const BSP: Tested = Tested::new(LANGUAGE, "p.bsp");

fn open(text: &str) -> Box<dyn Model> {
    BSP.open(text)
}

/// What is wrong with a text.
fn mistakes(text: &str) -> String {
    let input = Input::text(&Source::new("p.bsp", text));
    let (settings, cx) = (Settings::default(), Context::default());
    match LANGUAGE.open(&input, &mut NoFiles, &settings, &cx) {
        Ok(_) => String::new(),
        Err(wrong) => format!("{wrong:?}"),
    }
}

fn asked(model: &mut dyn Model, formula: &str) -> Answer {
    let ask = Ask {
        properties: vec![formula.to_owned()],
        ..Ask::default()
    };
    let mut all = Vec::new();
    model
        .check(&ask, &Context::default(), &mut |answer| all.push(answer))
        .unwrap();
    all.remove(0)
}

/// The verdict on a formula, with evidence that is accepted.
fn holds(text: &str, formula: &str) -> bool {
    let mut model = open(text);
    let answer = asked(&mut *model, formula);
    assert_certified(&mut *model, &answer);
    match answer.verdict {
        Verdict::Holds => true,
        Verdict::Violated => false,
        Verdict::Unknown(why) => panic!("{formula}: {why}"),
    }
}

#[test]
fn turns_are_taken_for_ever() {
    let mut model = BSP.example("turns");
    let all = answers(&mut *model);
    assert_eq!(all.len(), 4);
    for answer in &all {
        assert_eq!(answer.verdict, Verdict::Holds, "{}", answer.property);
        assert_certified(&mut *model, answer);
    }
    let answer = asked(&mut *model, "G (holds at 0 = 0)");
    assert_eq!(answer.verdict, Verdict::Violated);
    assert!(answer.trace.is_some());
    assert_certified(&mut *model, &answer);
    let answer = asked(&mut *model, "ltl F G holds at 1 = 0");
    assert_eq!(answer.verdict, Verdict::Violated);
    assert!(answer.trace.as_ref().unwrap().back_to.is_some());
    assert_certified(&mut *model, &answer);
}

#[test]
fn ends_are_seen_along_the_way() {
    let done = "processors 2\nrun\nlet x = ref 1 in x := 2; bsp_sync W; x";
    assert!(holds(done, "F done"));
    assert!(holds(done, "G (waits W at 0 -> x at 0 = 2)"));
    assert!(holds(done, "F G (ended at 0 & ended at 1)"));
    assert!(holds(done, "!done U x at 1 = 2"));
    // Who goes first is open.
    assert!(!holds(done, "x at 1 != 2 U x at 0 = 2"));
    assert!(!holds(done, "x at 0 != 2 U x at 1 = 2"));
    assert!(!holds(done, "F deadlock"));
    let stuck = "processors 2\nrun\nif pid = 0 then bsp_sync W else void";
    assert!(holds(stuck, "F G deadlock"));
    assert!(holds(stuck, "F waits at 0 & G !fault"));
    assert!(!holds(stuck, "F done"));
    let fails = "processors 2\nrun\nif pid = 0 then raise (E 1) else bsp_sync W";
    assert!(holds(fails, "F (fault & failed at 0) & G !deadlock"));
    // Nobody who can go on is passed over, whoever runs for ever.
    let endless = "processors 2\nrun\nlet x = ref 0 in if pid = 0 then loop x := 1 - x else x := 5";
    assert!(holds(endless, "F ended at 1"));
    assert!(holds(endless, "G F x at 0 = 1"));
    assert!(!holds(endless, "F G x at 0 = 1"));
    assert!(!holds(endless, "F done"));
}

#[test]
fn truth_values_are_compared() {
    let text = "processors 1\nrun\nlet b = ref false in b := true; b";
    assert!(holds(text, "F b at 0"));
    assert!(holds(text, "F (b at 0 = false) & F (b at 0 = true)"));
    // Before it is bound it has no value, and is neither.
    assert!(!holds(text, "G (b at 0 = true | b at 0 = false)"));
    assert!(!holds(text, "b at 0 != true"));
    assert!(!holds(text, "F b at 0 = 1"));
}

#[test]
fn a_beginning_that_breaks_it_needs_no_end() {
    let text = "processors 1\nrun\nlet x = ref 0 in loop x := x + 1";
    assert!(!holds(text, "G x at 0 < 10"));
    // What goes on for ever without coming back is not decided.
    let mut model = open(text);
    let cx = Context {
        budget: Budget::unlimited().child_with_work(100_000),
        ..Context::default()
    };
    let ask = Ask {
        properties: vec!["F x at 0 < 0".to_owned()],
        ..Ask::default()
    };
    let tell = &mut |answer: Answer| assert!(matches!(answer.verdict, Verdict::Unknown(_)));
    model.check(&ask, &cx, tell).unwrap();
}

#[test]
fn formulas_about_every_number_are_refuted_by_one() {
    let text = "processors any\nltl quick: G !(waits at 0)\nltl ends: F ended at 0\nrun\n\
                if nprocs = 3 then bsp_sync W else void";
    let mut model = open(text);
    let all = answers(&mut *model);
    assert_eq!(all[0].verdict, Verdict::Violated);
    assert!(all[0].because.starts_with("with 3 processors"));
    assert_certified(&mut *model, &all[0]);
    assert!(matches!(all[1].verdict, Verdict::Unknown(_)));
    assert!(mistakes("processors any\nltl F ended at 1\nrun\nbsp_sync W").contains("not always"));
}

#[test]
fn forged_evidence_is_never_believed() {
    let texts = [
        "processors 2\nltl a: F done\nltl b: G x at 0 < 2\nrun\n\
         let x = ref 1 in x := 2; bsp_sync W; x",
        "processors 2\nltl a: G F x at 0 = 1\nltl b: F G x at 0 = 1\nrun\n\
         let x = ref 0 in if pid = 0 then loop x := 1 - x else x := 5",
    ];
    attack_all(texts.map(open).into(), 400, 200_000);
}

#[test]
fn mistakes_in_formulas_are_told_with_their_places() {
    let run = "run\nlet x = ref 0 in let f = fun z -> z in bsp_sync W; x";
    let told = |formula: &str| mistakes(&format!("processors 2\nltl {formula}\n{run}"));
    assert_eq!(told("q: F x at 1 = 0"), "");
    assert_eq!(told("F x at 1 = 0 # a comment"), "");
    for (formula, code) in [
        ("X done", "not-ltl"),
        ("EF done", "not-ltl"),
        ("F y at 0 = 1", "unbound"),
        ("F z at 0 = 1", "captured"),
        ("F x at 2 = 1", "bad-number"),
        ("F x at 99 = 1", "bad-number"),
        ("F x at 0 = many", "bad-number"),
        ("F x at 0 < true", "bad-number"),
        ("F x = 1", "syntax"),
        ("F waits C at 0", "no-group"),
        ("F ended", "syntax"),
        ("F (done", "syntax"),
        ("", "syntax"),
    ] {
        let wrong = told(formula);
        assert!(wrong.contains(code), "{formula}: {wrong}");
    }
    let twice = mistakes(&format!("ltl q: F done\nltl q: G !done\n{run}"));
    assert!(twice.contains("same-name"), "{twice}");
    // In the program itself it is a name like others.
    assert_eq!(mistakes("run\nlet\nltl = 3 in bsp_sync W;\nltl"), "");
}
