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
