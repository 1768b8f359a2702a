//! The language through its seam: answers, evidence, readers.

use quotient_core::{Budget, Context, Evidence, Rejection, Verdict};
use quotient_language::{Ask, Sureness, Viewed};
use quotient_program::LANGUAGE;
use quotient_testkit::language::{Tested, answers, assert_certified, attack_all, verdicts};

const PROGRAM: Tested = Tested::new(LANGUAGE, "x.spl");

#[test]
fn examples_have_their_verdicts_and_evidence_for_them() {
    use Verdict::{Holds, Violated};
    let expected = [
        ("peterson-program", vec![Holds, Holds, Holds, Violated]),
        ("flags", vec![Holds]),
        ("ticket", vec![Holds]),
        ("allocation", vec![Holds, Violated]),
    ];
    for (name, expected) in expected {
        let mut model = PROGRAM.example(name);
        let answers = answers(model.as_mut());
        assert_eq!(verdicts(&answers), expected, "{name}: {answers:#?}");
        for answer in &answers {
            assert_certified(model.as_mut(), answer);
        }
        let view = Viewed {
            part: None,
            picture: true,
        };
        let shown = model.show(&view, &Context::default()).unwrap();
        assert!(!shown.pictures.is_empty(), "{name}");
        assert!(model.doubts(&Context::default()).is_ok());
    }
}

#[test]
fn one_of_several_processes_is_named_in_any_of_the_ways() {
    let text = "shared int s = 1;
        process P[i: 1..2] { while (true) { await(s > 0) s := s - 1; in: skip; s := s + 1; } }
        check a: G !(P[1] at in & P[2] at in)
        check b: G !(P.1 at in & P[2]@in)
        check c: G !(P[1]@in)";
    let mut model = PROGRAM.open(text);
    let found = answers(model.as_mut());
    use Verdict::{Holds, Violated};
    assert_eq!(verdicts(&found), [Holds, Holds, Violated]);
}

#[test]
fn quotients_and_remainders_are_followed_without_bounds_on_numbers() {
    use Verdict::{Holds, Violated};
    let cases = [
        (
            "shared int x = 0; process P { while (true) { x := (x + 1) % 3; } }
             check low: G (x <= 2)
             check round: G F (x = 2)
             check three: G !(x = 3)
             check two: G !(x = 2)",
            vec![Holds, Holds, Holds, Violated],
        ),
        (
            "shared int y = 0; process P { while (true) { y := y + 2; } }
             process Q { while (true) { await(y % 2 = 1); odd: skip; } }
             check even: G (y % 2 = 0)
             check never: G !(Q at odd)
             check four: G (y % 4 = 0)",
            vec![Holds, Holds, Violated],
        ),
        (
            "shared int x = -7; process P { x := x / 2; done: skip; }
             check down: G (P at done -> x = -4)
             check rest: G (P at done -> x % 3 = 2)
             check up: G (P at done -> x = -3)",
            vec![Holds, Holds, Violated],
        ),
    ];
    for (text, expected) in cases {
        let mut model = PROGRAM.open(text);
        let found = answers(model.as_mut());
        assert_eq!(verdicts(&found), expected, "{text}: {found:#?}");
        for answer in &found {
            assert_certified(model.as_mut(), answer);
        }
    }
}

#[test]
fn division_by_anything_but_a_positive_number_is_refused_at_its_place() {
    for expression in ["x % y", "x / y", "x % 0", "x / 0", "x % -2", "7 / x"] {
        let text = format!(
            "shared int x = 1, y = 1;\nprocess P {{ x := {expression}; }}\ncheck a: G (x = 1)"
        );
        let mistakes = PROGRAM.try_open(&text, &[], &[]).err().unwrap();
        let shown = format!("{mistakes:?}");
        assert!(shown.contains("division is by a number"), "{shown}");
    }
}

#[test]
fn forged_evidence_is_never_believed() {
    let examples = LANGUAGE.about().examples.iter();
    let models = examples.map(|one| PROGRAM.example(one.name)).collect();
    attack_all(models, 100, 200_000);
}

#[test]
fn customers_exclude_each_other_with_and_without_parameters() {
    let text = quotient_program::allocation(3, 2);
    for flags in [&[][..], &[("no-parameters", "true")]] {
        let mut model = PROGRAM.try_open(&text, flags, &[]).unwrap();
        let mut all = Vec::new();
        let ask = Ask {
            properties: vec!["exclusive".into()],
            ..Ask::default()
        };
        model
            .check(&ask, &Context::default(), &mut |answer| all.push(answer))
            .unwrap();
        assert_eq!(all[0].verdict, Verdict::Holds, "{:?}", all[0].notes);
    }
}

#[test]
fn a_customer_at_the_door_is_decided_by_parameters_among_many_others() {
    let mut model = PROGRAM.open(&quotient_program::door(25));
    let answer = answers(model.as_mut()).swap_remove(0);
    assert_eq!(answer.verdict, Verdict::Violated, "{:?}", answer.notes);
    assert!(answer.because.starts_with("1 of 25 processes"));
    assert_certified(model.as_mut(), &answer);
}

#[test]
fn a_hard_property_does_not_take_the_time_of_the_others() {
    let text = "shared bool taken[1..2] = false; shared int turn = 1;
        process P { local int mine = 0; while (true) { mine := turn, turn := mine + 1;
          await(!taken[1]) taken[1] := true; if (mine > 2) { taken[1] := false; } else { taken[1] := any; } } }
        process C[i: 1..2] { await(!taken[i]); }
        check hard: (turn = 1) U (turn = 2)
        check easy: G (P.mine >= 0)";
    let mut model = PROGRAM.open(text);
    let cx = Context {
        budget: Budget::unlimited().child_with_work(3_000),
        ..Context::default()
    };
    let mut told = Vec::new();
    let tell =
        &mut |answer: quotient_language::Answer| told.push((answer.property, answer.verdict));
    model.check(&Ask::default(), &cx, tell).unwrap();
    assert!(matches!(told[0].1, Verdict::Unknown(_)), "{told:?}");
    assert_eq!(told[1], ("easy".to_owned(), Verdict::Holds));
}

#[test]
fn the_program_of_the_guide_is_read() {
    let guide = include_str!("../../../../docs/program.md");
    let text = guide.split("## A program\n\n```text\n").nth(1).unwrap();
    let text = text.split("```").next().unwrap();
    let answer = answers(PROGRAM.open(text).as_mut()).swap_remove(0);
    assert_eq!(answer.verdict, Verdict::Holds);
}

#[test]
fn a_predicate_that_never_mattered_is_doubted() {
    let text = "shared bool a = false, b = false; shared int x = 0;
        process P { while (true) { x := x + 1; a := !a; } }
        check both: G (x >= 0 | a)
        check one: G (x >= 0)
        check implied: X X (x = 1 -> X (x <= 2))";
    let mut model = PROGRAM.open(text);
    let found = answers(model.as_mut());
    assert_eq!(verdicts(&found), vec![Verdict::Holds; 3]);
    let doubts = model.doubts(&Context::default()).unwrap();
    let idle: Vec<&str> = (doubts.iter())
        .filter(|doubt| doubt.details["doubt"] == "idle-predicate")
        .map(|doubt| doubt.text.as_str())
        .collect();
    assert_eq!(
        idle,
        // That `x <= 2` follows from other predicates does not mean that it does not matter.
        [
            "`a` never mattered to `both`: it holds for any value",
            "`1 = x` never mattered to `implied`: it holds for any value"
        ]
    );
}

#[test]
fn mistakes_are_told_all_at_once_and_in_place() {
    let text =
        "shared int x = 0, x = 1;\nprocess P { y := 1; }\ncheck a: G (x * x > 0)\ncheck b: Q at l";
    assert_eq!(
        PROGRAM.mistakes(text),
        [
            "x.spl:1:19: error: there are two variables `x`",
            "x.spl:2:13: error: there is no variable `y`",
            "x.spl:3:15: error: a product of two variables is not linear",
            "x.spl:4:10: error: there is no process `Q`",
            "x.spl: error: there is no process",
        ]
    );
    assert!(
        PROGRAM.mistakes("shared bool b; process P { b := 3; }")[0]
            .contains("a number is assigned to a Boolean")
    );
    let deep = format!("shared bool b; process P {{ b := {}b; }}", "!".repeat(5000));
    assert!(PROGRAM.mistakes(&deep)[0].contains("levels deep"));
}

#[test]
fn only_its_own_texts_are_recognised() {
    assert_eq!(
        PROGRAM.sure("x.spl", "shared int x; process P {}"),
        Sureness::Likely
    );
    assert_eq!(PROGRAM.sure("x.smv", "MODULE main"), Sureness::No);
    assert_eq!(
        PROGRAM.sure("x.protocol", "protocol p\nprocess {\n}\n"),
        Sureness::No
    );
}

#[test]
fn no_text_makes_the_reader_panic() {
    PROGRAM.disturb("<>[]{}();*+!&|:=-.0aé\n,", 600, |text| {
        quotient_program::read_any(text);
    });
}

#[test]
fn many_customers_exclude_each_other_and_the_first_may_starve() {
    let mut model = PROGRAM.open(&quotient_program::allocation(25, 13));
    let found = answers(model.as_mut());
    assert_eq!(verdicts(&found), [Verdict::Holds, Verdict::Violated]);
    for answer in &found {
        assert_certified(model.as_mut(), answer);
    }
    let methods: Vec<_> = found.iter().map(|one| one.method.as_deref()).collect();
    assert_eq!(methods, [Some("pairs"), Some("schedule")]);
}

/// Predicates that are told apart make twice as many places each: that is charged for.
#[test]
fn what_evidence_tells_apart_is_counted() {
    let names: Vec<String> = (0..40).map(|number| format!("b{number}")).collect();
    let shared: String = (names.iter())
        .map(|name| format!("shared bool {name};\n"))
        .collect();
    let text = format!("{shared} process P {{ while (true) {{ skip; }} }} check p: G (b0 | !b0)");
    let mut model = PROGRAM.open(&text);
    let property = model.properties().remove(0);
    let certify = |model: &mut dyn quotient_language::Model, split: usize| {
        let split: Vec<usize> = (0..split).collect();
        let body = serde_json::json!({
            "processes": ["P"], "predicates": names, "split": split,
        });
        let evidence = Evidence::of_holds("program-spotlight", &body).about(&property.name);
        let budget = Budget::unlimited().child_with_work(200_000);
        model.certify(&evidence, &property, &budget)
    };
    assert!(certify(model.as_mut(), 1).is_ok());
    let much = certify(model.as_mut(), 40);
    assert!(matches!(much, Err(Rejection::Stopped(_))), "{much:?}");
}
