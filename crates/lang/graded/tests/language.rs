//! The language through its seam: answers, evidence, readers.

use quotient_core::{Context, Verdict};
use quotient_graded::LANGUAGE;
use quotient_language::{Answer, Ask, Model, Query, Sureness, Viewed};
use quotient_testkit::language::{Tested, assert_certified, attack_all, verdicts};

const GRADED: Tested = Tested::new(LANGUAGE, "x.gdl");

fn answers(model: &mut dyn Model) -> Vec<Answer> {
    let mut all = Vec::new();
    let ask = Ask {
        vacuity: true,
        ..Ask::default()
    };
    model
        .check(&ask, &Context::default(), &mut |answer| all.push(answer))
        .unwrap();
    all
}

#[test]
fn examples_have_their_verdicts_and_evidence_for_them() {
    use Verdict::{Holds, Violated};
    let expected = [
        ("delivery", vec![Holds, Violated, Holds, Violated]),
        ("diagnosis", vec![Holds, Holds, Violated]),
        ("battery", vec![Holds, Holds, Holds]),
        ("trust", vec![Holds, Holds, Holds]),
        ("channel", vec![Holds, Holds, Holds]),
    ];
    for (name, expected) in expected {
        let mut model = GRADED.example(name);
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
fn forged_evidence_is_never_believed() {
    let examples = LANGUAGE.about().examples.iter();
    let models = examples.map(|one| GRADED.example(one.name)).collect();
    attack_all(models, 100, 200_000);
}

#[test]
fn a_best_way_is_shown_step_by_step() {
    let mut model = GRADED.example("delivery");
    let answer = answers(model.as_mut()).swap_remove(0);
    let trace = answer.trace.unwrap();
    let actions: Vec<String> = trace
        .steps
        .iter()
        .filter_map(|step| step.action.clone())
        .collect();
    assert_eq!(actions, ["move (2)", "move (3)", "lift (1)"]);
    assert_eq!(trace.steps[3].cells[1].text, "6");
    assert_eq!(
        answer.because,
        "grade 6 at home (asked: <= 6; 1 state looked at)"
    );
}

#[test]
fn formulas_of_a_user_are_answered() {
    let mut model = GRADED.example("delivery");
    let ask = Ask {
        properties: vec!["<move*> goal <= 11".into()],
        ..Ask::default()
    };
    let mut told = Vec::new();
    model
        .check(&ask, &Context::default(), &mut |answer| told.push(answer))
        .unwrap();
    assert_eq!(told[0].verdict, Verdict::Holds);
    let query = |text: &str| Query {
        text: text.into(),
        limit: 9,
    };
    let shown = model
        .ask(&query("<lift> goal"), &Context::default())
        .unwrap();
    assert_eq!(shown.result["grades"][2][1], "1");
    let shown = model
        .ask(&query("program move; lift"), &Context::default())
        .unwrap();
    assert_eq!(
        shown.result["rows"][1],
        serde_json::json!(["yard", "infinite", "infinite", "infinite", "4"])
    );
    let shown = model.ask(&query("laws"), &Context::default()).unwrap();
    assert!(shown.result["broken"].is_null());
}

#[test]
fn what_does_not_matter_is_told() {
    let text = "grades boolean\nstates a\nprop p: a\nprop q:\ncheck x: p | q\ncheck y: p";
    let all = answers(GRADED.open(text).as_mut());
    assert!(
        all[0].vacuous && all[0].notes[0].starts_with("`q` does not matter"),
        "{:?}",
        all[0].notes
    );
    assert!(!all[1].vacuous);
}

#[test]
fn a_grade_that_is_none_is_told_in_a_line() {
    let text = format!(
        "grades viterbi\nstates a b\nprogram p: a -> b: 0.{}\ncheck c: <p> true >= 0",
        "1".repeat(5000)
    );
    let told = GRADED.mistakes(&text);
    assert!(
        !told.is_empty() && told[0].contains("is no grade"),
        "{told:?}"
    );
    assert!(told.iter().all(|one| one.len() < 200), "{told:?}");
}

#[test]
fn mistakes_are_told_all_at_once_and_in_place() {
    let text = "grades min-plus\nstates a b\nprop p: c\nprogram go: a -> d: x\ncheck z: <og*> p";
    assert_eq!(
        GRADED.mistakes(text)[..2],
        [
            "x.gdl:3:9: error: there is no state `c`",
            "x.gdl:4:18: error: there is no state `d`",
        ]
    );
    assert_eq!(
        GRADED.mistakes("grades sums\nstates a"),
        ["x.gdl:1:8: error: there are no grades called `sums`"]
    );
    let both = "grades boolean\nstates\nprop\nprogram go: a >\n";
    assert_eq!(GRADED.mistakes(both).len(), 3);
    let wrong = "grades table\nvalues F u T\norder F < u < T\nimplies u F = u\nstates a";
    assert_eq!(
        GRADED.mistakes(wrong),
        [
            "x.gdl:1:8: error: these grades are no action lattice: law 13, a;x <= b exactly if x <= a->b, fails for a = u, b = F, x = u",
        ]
    );
    assert!(GRADED.mistakes("grades table\nvalues a b\nstates s")[0].contains("no least grade"));
    assert!(
        GRADED.mistakes("grades boolean\nvariable x: 0..9\nprogram a: x := x < 3")[0]
            .contains("a number was expected")
    );
    let deep = format!("grades boolean\nstates a\ncheck x: {}", "!".repeat(5000));
    assert!(GRADED.mistakes(&deep)[0].contains("levels deep"));
}

#[test]
fn other_formats_are_read() {
    let text = "grades min-plus\ntransitions \"x.aut\"\ncheck x: <load*; go> true = 7 at 0";
    let file = "des (0, 3, 3)\n(0, \"load;3\", 1)\n(1, load;4, 2)\n(2, go, 0)\n";
    let mut model = GRADED.try_open(text, &[], &[("x.aut", file)]).unwrap();
    assert_eq!(answers(model.as_mut())[0].verdict, Verdict::Holds);
    let text = "grades goedel\ntransitions \"x.csv\"\nprop end: c\ncheck x: <step*> end = 0.3 at a";
    let file = "from,to,weight\na,b,0.3\nb,c,0.9\n";
    let mut model = GRADED.try_open(text, &[], &[("x.csv", file)]).unwrap();
    assert_eq!(answers(model.as_mut())[0].verdict, Verdict::Holds);
    // States that have names come first: numbers in files are names all the same, also of labels.
    let text = "grades boolean\nstates home 1\ntransitions \"x.tra\"\nlabels \"x.lab\"\n\
                check goal: end at 2\ncheck other: end at 1\ncheck way: <step; step> end at 0";
    let files = [
        ("x.tra", "3 2\n0 1 true\n1 2 true\n"),
        ("x.lab", "0=\"end\"\n2: 0\n"),
    ];
    let mut model = GRADED.try_open(text, &[], &files).unwrap();
    use Verdict::{Holds, Violated};
    assert_eq!(verdicts(&answers(model.as_mut())), [Holds, Violated, Holds]);
    // `01` is another state than `1`, and what is no state is none.
    let text = "grades min-plus\nstates 2\ntransitions \"x.csv\"\nprop end: 01\ncheck x: <step*> end = 5 at 0";
    let rows = "from,to,weight\n0,1,2\n1,01,3\n0,+1,1\n";
    let mut model = GRADED.try_open(text, &[], &[("x.csv", rows)]).unwrap();
    assert_eq!(answers(model.as_mut())[0].verdict, Holds);
    let text = "grades boolean\nvariable x: 0..2\ntransitions \"x.aut\"";
    let file = [("x.aut", "des (0, 1, 2)\n(0, a, 1)\n")];
    assert!(GRADED.try_open(text, &[], &file).is_err());
    let text = "grades boolean\ntransitions \"x.aut\"";
    for broken in [
        "",
        "des (0,1,99999999999)",
        "des (0, 1, 1)\n(0, a, 1)",
        "des (0, 1, 1)\n(0 a 0)",
    ] {
        assert!(
            GRADED.try_open(text, &[], &[("x.aut", broken)]).is_err(),
            "{broken}"
        );
    }
}

#[test]
fn assignments_in_formulas_are_programs() {
    let text = "grades boolean\nvariable x: 0..7 = 0\ncheck x: <(?{x < 5}; x := x + 2)*> {x = 6}\n\
                check y: <(x := x + 2)*> {x = 7}\ncheck z: [x := 7; x := x + 1] false";
    let verdicts: Vec<Verdict> = answers(GRADED.open(text).as_mut())
        .into_iter()
        .map(|one| one.verdict)
        .collect();
    assert_eq!(
        verdicts,
        [Verdict::Holds, Verdict::Violated, Verdict::Holds]
    );
}

#[test]
fn only_its_own_texts_are_recognised() {
    assert_eq!(
        GRADED.sure("x.txt", "# c\ngrades boolean\n"),
        Sureness::Certain
    );
    assert_eq!(GRADED.sure("x.gdl", "nothing"), Sureness::ByName);
    assert_eq!(GRADED.sure("x.txt", "MODULE main"), Sureness::No);
}

#[test]
fn no_text_makes_the_readers_panic() {
    GRADED.disturb("<>[]{}();*+?!&|:=-.0aé\n\"", 600, |text| {
        quotient_graded::read_any(text);
    });
}

#[test]
fn expressions_without_a_value_are_mistakes_and_never_false() {
    let large = "x * 9223372036854775807";
    let head = "grades boolean\nvariable x: 0..2 = 2\n";
    let told = |rest: &str| GRADED.mistakes(&format!("{head}{rest}")).swap_remove(0);
    let overflow = "no value where x=2: the number does not fit into 64 bits";
    for rest in [
        format!("program step: when {large} >= 0: x := x - 1\ncheck n: [step*] {{x > 0}}"),
        format!("program step: x := {large}"),
        format!("prop p: {large} >= 0"),
        format!("check c: {{{large} >= 0}}"),
        format!("check c: {{!({large} >= 0)}}"),
        format!("check c: <x := {large}> true"),
    ] {
        let told = told(&rest);
        assert!(told.ends_with(overflow), "{rest}: {told}");
    }
    assert_eq!(
        told("check e: {6 / x > 1} | {!(6 / x > 1)}"),
        "x.gdl:3:13: error: no value where x=0: a division by zero"
    );
    assert!(told("check e: {x % (x - 1) = 0}").ends_with("where x=1: a division by zero"));
    // What does not matter needs no value, neither on the right of `|` and `&` nor behind a guard that is false.
    let text = format!(
        "{head}program step: when x = 0 | 6 / x > 1: x := 2\nprogram half: when x > 0: x := 2 / x\n\
         check c: {{x = 0 | 6 / x > 1}} everywhere\ncheck d: !{{x = 0 | 6 / x > 1}} somewhere\n\
         check e: {{x != 0 & 6 / x > 2}} everywhere\ncheck f: <half> {{x = 1}}"
    );
    let mut model = GRADED.open(&text);
    let answers = answers(model.as_mut());
    use Verdict::{Holds, Violated};
    assert_eq!(verdicts(&answers), [Holds, Violated, Violated, Holds]);
    for answer in &answers {
        assert_certified(model.as_mut(), answer);
    }
}

#[test]
fn computed_grades_are_grades_and_variables_are_assigned_once() {
    let costs = |grade: &str| {
        format!(
            "grades min-plus\nvariable x: 0..2 = 2\nprogram step: when x > 0: x := x - 1 grade ({grade})\n\
             check c: <step*> {{x = 0}} < infinite"
        )
    };
    let told = GRADED.mistakes(&costs("x - 2")).swap_remove(0);
    let expected = "the grade where x=1 is -1, which is no grade of `min-plus`";
    assert!(told.ends_with(expected), "{told}");
    let told = GRADED
        .mistakes(&costs("x * 9223372036854775807"))
        .swap_remove(0);
    assert!(told.contains("no value where x=2"), "{told}");
    // A step that leaves its range does not happen and needs no grade.
    let text = costs("x - 1").replace("when x > 0: ", "");
    assert_eq!(
        answers(GRADED.open(&text).as_mut())[0].verdict,
        Verdict::Holds
    );
    let twice = "grades boolean\nvariable x: 0..2 = 2\nprogram step: x := 1, x := 0";
    assert_eq!(
        GRADED.mistakes(twice),
        ["x.gdl:3:23: error: `x` is assigned twice at once"]
    );
}

#[test]
fn starts_that_are_given_count_where_others_are_left_open() {
    use Verdict::{Holds, Violated};
    let checks = "check a: {x = 1}\ncheck b: {y = 0}\ncheck c: {x = 1 & y >= 4}";
    let verdicts_of = |variables: &str| {
        let mut model = GRADED.open(&format!("grades boolean\n{variables}\n{checks}"));
        let answers = answers(model.as_mut());
        for answer in &answers {
            assert_certified(model.as_mut(), answer);
        }
        let looked = answers[0].because.clone();
        (verdicts(&answers), looked)
    };
    let (found, looked) = verdicts_of("variable x: 0..2 = 1\nvariable y: 4..6");
    assert_eq!(found, [Holds, Violated, Holds]);
    assert!(looked.contains("3 states looked at"), "{looked}");
    let (found, looked) = verdicts_of("variable y: 4..6\nvariable x: 0..2 = 1\nvariable z: -1..0");
    assert_eq!(found, [Holds, Violated, Holds]);
    assert!(looked.contains("6 states looked at"), "{looked}");
    let (found, _) = verdicts_of("variable x: 0..2 = 1\nvariable y: -1..6 = 0");
    assert_eq!(found, [Holds, Holds, Violated]);
    let (found, looked) = verdicts_of("variable x: 0..2\nvariable y: 0..0");
    assert_eq!(found, [Violated, Holds, Violated]);
    assert!(looked.contains("3 states looked at"), "{looked}");
}

#[test]
fn files_have_what_they_announce() {
    let told = |file: (&str, &str), more: &[(&str, &str)]| {
        let labels = more.first().map(|(name, _)| format!("labels \"{name}\"\n"));
        let text = format!(
            "grades viterbi\ntransitions \"{}\" as step\n{}",
            file.0,
            labels.unwrap_or_default()
        );
        let files: Vec<(&str, &str)> = std::iter::once(file).chain(more.iter().copied()).collect();
        GRADED
            .try_open(&text, &[], &files)
            .err()
            .map(|why| why.to_string())
    };
    let has = |told: Option<String>, part: &str| {
        assert!(
            told.as_ref().is_some_and(|told| told.contains(part)),
            "{part}: {told:?}"
        );
    };
    let count = "5 transitions are announced, and there are 1";
    has(told(("x.tra", "2 5\n0 1 0.5\n"), &[]), count);
    has(told(("x.aut", "des (0, 5, 2)\n(0, a, 1)\n"), &[]), count);
    let count = "0 transitions are announced, and there are 1";
    has(told(("x.aut", "des (0, 0, 2)\n(0, a, 1)\n"), &[]), count);
    let choices = "3 choices are announced, and there are 2";
    has(
        told(("x.tra", "2 3 3\n0 0 1 0.5\n0 0 0 0.5\n0 1 1 1\n"), &[]),
        choices,
    );
    assert_eq!(
        told(("x.tra", "2 2 3\n0 0 1 0.5\n0 0 0 0.5\n0 1 1 1 go\n"), &[]),
        None
    );
    has(
        told(("x.aut", "des (7, 1, 2)\n(0, a, 1)\n"), &[]),
        "the initial state",
    );
    has(
        told(("x.aut", "des (0, x, 1, 2)\n(0, a, 1)\n"), &[]),
        "expected `des",
    );
    has(told(("x.csv", "from,to\na,b,c\n"), &[]), "more cells");
    let fine = ("x.tra", "2 1\n0 1 0.5\n");
    assert_eq!(told(fine, &[("x.lab", "0=\"goal\"\n1: 0\n")]), None);
    has(
        told(fine, &[("x.lab", "0=\"goal\"\n999: 0\n")]),
        "there is no state `999`",
    );
    has(
        told(fine, &[("x.lab", "0=\"a\" 0=\"b\"\n1: 0\n")]),
        "two labels have the number 0",
    );
    has(
        told(fine, &[("x.lab", "0=\"a\" 1=\"a\"\n1: 0\n")]),
        "two labels `a`",
    );
}

#[test]
fn long_grades_have_evidence() {
    use std::fmt::Write;
    let mut text =
        "grades viterbi\nstates 60\ninitial 0\nprop goal: 59\nprogram move:\n".to_owned();
    for state in 0..59 {
        writeln!(text, "  {state} -> {}: 0.123", state + 1).unwrap();
    }
    text += "check reaches: <move*> goal >= 0.5\ncheck some: <move*> goal > 0\ncheck all: [move*] goal > 0";
    let sums = "grades min-plus\nstates s t u\ninitial s\nprop goal: u\nprogram move:\n\
                s -> t: 18446744073709551615\nt -> u: 18446744073709551615\n\
                check far: <move*> goal >= 18446744073709551614\ncheck near: <move*> goal <= 5";
    for text in [text.as_str(), sums, &sums.replace("min", "max")] {
        let mut model = GRADED.open(text);
        for answer in answers(model.as_mut()) {
            assert_certified(model.as_mut(), &answer);
        }
        attack_all(vec![GRADED.open(text)], 100, 200_000);
    }
}
