//! The shipped models, their evidence, and attacks on both.

use quotient_core::{Budget, Context, Evidence, Rejection, Source, Trouble, Verdict};
use quotient_language::{Answer, Ask, Input, Model, NoFiles, Settings, Sureness};
use quotient_trial::arbitrary::Unstructured;

const DOOR: &str = include_str!("../gallery/door.cub");
const DOOR_FAULTY: &str = include_str!("../gallery/door_faulty.cub");
const ROUNDS: &str = include_str!("../gallery/rounds.cub");
const SHARED_LINE: &str = include_str!("../gallery/shared_line.cub");

fn open(text: &str) -> Result<Box<dyn Model>, Trouble> {
    let input = Input::text(&Source::new("model.cub", text));
    let cx = Context::default();
    quotient_cubicle::LANGUAGE.open(&input, &mut NoFiles, &Settings::default(), &cx)
}

fn answers(model: &mut Box<dyn Model>) -> Vec<Answer> {
    let mut answers = Vec::new();
    let cx = Context::default();
    model
        .check(&Ask::default(), &cx, &mut |answer| answers.push(answer))
        .expect("the check runs");
    answers
}

fn certify(model: &mut Box<dyn Model>, evidence: &Evidence) -> Result<(), Rejection> {
    let property = model.properties().remove(0);
    model
        .certify(evidence, &property, &Budget::unlimited())
        .map(drop)
}

#[test]
fn the_gallery_is_answered_and_certified() {
    for (text, verdict) in [
        (DOOR, Verdict::Holds),
        (DOOR_FAULTY, Verdict::Violated),
        (ROUNDS, Verdict::Holds),
        (SHARED_LINE, Verdict::Holds),
    ] {
        let mut model = open(text).expect("the gallery is read");
        let answer = answers(&mut model).remove(0);
        assert_eq!(answer.verdict, verdict, "{text}");
        let evidence = answer.evidence.expect("every answer has evidence");
        certify(&mut model, &evidence).expect("our own evidence is accepted");
    }
}

#[test]
fn evidence_of_another_model_is_refused() {
    let (mut door, mut faulty) = (open(DOOR).expect("read"), open(DOOR_FAULTY).expect("read"));
    let holds = answers(&mut door).remove(0).evidence.expect("evidence");
    let violated = answers(&mut faulty).remove(0).evidence.expect("evidence");
    assert!(certify(&mut faulty, &holds).is_err());
    assert!(certify(&mut door, &violated).is_err());
}

#[test]
fn forged_parts_and_steps_are_refused() {
    let mut faulty = open(DOOR_FAULTY).expect("read");
    let forgeries = [
        serde_json::json!({"never": []}),
        serde_json::json!({"never": [{"processes": 0, "formula": "0 = 0"}]}),
        serde_json::json!({"never": [{"processes": 2, "formula": "At[#1] = In && At[#2] = In"}]}),
        serde_json::json!({"never": [{"processes": 1, "formula": "At[#1] = In"}]}),
        serde_json::json!({"never": [{"processes": 1, "formula": "At[#2] = In"}]}),
        serde_json::json!({"never": [{"processes": 99999999, "formula": "Free = True"}]}),
        serde_json::json!({"never": [{"processes": 2, "formula": "forall_other q. At[q] = In"}]}),
    ];
    for body in forgeries {
        let evidence = Evidence::of_holds("arrays-invariant", &body);
        assert!(certify(&mut faulty, &evidence).is_err(), "{body}");
    }
    let mut door = open(DOOR).expect("read");
    let free_out = [1, 0, 0];
    let runs = [
        // Two in at once, from nowhere.
        serde_json::json!({"processes": 2, "states": [[0, 1, 1]], "steps": []}),
        // The same process takes both parts.
        serde_json::json!({"processes": 2, "states": [free_out, [0, 1, 1]], "steps": [["enter", [0]]]}),
        serde_json::json!({"processes": 2, "states": [free_out, [0, 1, 0], [0, 1, 1]], "steps": [["enter", [0]], ["enter", [1]]]}),
        serde_json::json!({"processes": 0, "states": [[1]], "steps": []}),
        serde_json::json!({"processes": 2, "states": [[1, 7, 7]], "steps": []}),
        serde_json::json!({"processes": 2, "states": [], "steps": []}),
        serde_json::json!({"processes": 2, "states": [free_out, [0, 1, 1]], "steps": [["enter", [5]]]}),
    ];
    for body in runs {
        let evidence = Evidence::of_violated("arrays-run", &body);
        assert!(certify(&mut door, &evidence).is_err(), "{body}");
    }
}

#[test]
fn all_mistakes_are_told_at_once() {
    let text = "
        type t = A | B
        array X[proc] : tt
        array Y[proc] : t
        init (z) { Y[z] = A && Q = B }
        unsafe (a b) { Y[a] < Y[b] }
        transition go (p) requires { Y[r] = A } { Y[p] := 3 }
    ";
    let Err(Trouble::Invalid(mistakes)) = open(text) else {
        panic!("the text has mistakes");
    };
    let codes: Vec<&str> = mistakes.iter().map(|mistake| mistake.code).collect();
    assert_eq!(
        codes,
        [
            "no-such-type",
            "no-such-name",
            "no-order",
            "no-such-process",
            "other-type"
        ]
    );
}

#[test]
fn files_are_known_by_their_ending_and_texts_by_their_words() {
    let sure = |name: &str, text: &str| {
        quotient_cubicle::LANGUAGE.recognises(&Input::text(&Source::new(name, text)))
    };
    assert_eq!(
        sure("burns.cub", "(* from \"a paper\n*)"),
        Sureness::Certain
    );
    assert_eq!(sure("door", DOOR), Sureness::Likely);
    assert_eq!(sure("door", "MODULE main"), Sureness::No);
}

#[test]
fn a_model_that_does_not_begin_is_refused() {
    assert!(matches!(
        open("var X : bool unsafe () { X = True }"),
        Err(Trouble::Invalid(_))
    ));
}

/// Pieces of texts put together at random.
fn pieces(u: &mut Unstructured<'_>) -> quotient_trial::arbitrary::Result<String> {
    const PIECES: &[&str] = &[
        "type",
        "t",
        "=",
        "A",
        "|",
        "var",
        "X",
        ":",
        "bool",
        "array",
        "Y",
        "[",
        "proc",
        "]",
        "init",
        "(",
        "z",
        ")",
        "{",
        "}",
        "&&",
        "||",
        "not",
        "forall_other",
        "j",
        ".",
        "unsafe",
        "transition",
        "requires",
        ":=",
        "case",
        "_",
        ";",
        "?",
        "#1",
        "3",
        "+",
        "-",
        "<",
        "<=",
        "<>",
        "(*",
        "*)",
        "True",
        "99999999999999999999",
        "é",
        ",",
    ];
    let mut text = String::new();
    for _ in 0..u.int_in_range(0..=60)? {
        text.push_str(u.choose(PIECES)?);
        text.push(' ');
    }
    Ok(text)
}

#[test]
fn no_text_crashes_the_reader() {
    quotient_trial::trial(|u| {
        let text = match u.ratio(1, 2)? {
            true => pieces(u)?,
            false => {
                let mut text: Vec<char> = SHARED_LINE.chars().collect();
                for _ in 0..u.int_in_range(1..=8)? {
                    let at = u.int_in_range(0..=text.len() - 1)?;
                    match u.ratio(1, 2)? {
                        true => drop(text.remove(at)),
                        false => {
                            text.insert(at, *u.choose(&['(', '{', '[', '*', ':', 'Z', '9', '#'])?)
                        }
                    }
                }
                text.into_iter().collect()
            }
        };
        let _ = open(&text);
        Ok(())
    })
    .budget_ms(2_000);
    assert!(open(&"(".repeat(100_000)).is_err());
    let deep = format!("init (z) {{ {} }}", "not ".repeat(100_000));
    assert!(open(&deep).is_err());
}

#[test]
fn what_is_written_says_the_same() {
    for text in [DOOR, DOOR_FAULTY, ROUNDS, SHARED_LINE] {
        let mut model = open(text).expect("the gallery is read");
        let written = model.convert("cubicle", None, &Context::default());
        let written = written.expect("it can be written").text;
        let mut again = open(&written).unwrap_or_else(|trouble| panic!("{trouble}\n{written}"));
        let verdicts = |model: &mut Box<dyn Model>| -> Vec<Verdict> {
            let answers = answers(model).into_iter();
            answers.map(|answer| answer.verdict).collect()
        };
        assert_eq!(verdicts(&mut model), verdicts(&mut again), "{written}");
        // And once more: nothing changes any longer but names.
        let twice = again.convert("cubicle", None, &Context::default());
        let lines = |text: &str| text.lines().count();
        assert_eq!(lines(&twice.expect("written again").text), lines(&written));
        // A proof of the one is about the names of the one.
        let evidence = answers(&mut again).remove(0).evidence.expect("evidence");
        certify(&mut again, &evidence).expect("our own evidence is accepted");
    }
}

#[test]
fn older_files_are_read() {
    let old = "
        type place = Out | In
        var Free : bool
        array At[proc] : place
        array Was[proc] : place
        init (z) { At[z] = Out && Was[z] = Out && Free = True }
        unsafe (a b) { At[a] = In && At[b] = In }
        unsafe (a b) { Was[a] = In && Was[b] = In }
        transition enter (p)
        require { At[p] = Out && Free = True }
        assign { Free := False; Was := At }
        At[j] := {| j = p : In | _ : At[j] }
        transition leave (p)
        require { At[p] = In }
        assign { Free := True }
        At[j] := {| j = p : Out | _ : At[j] }";
    let mut model = open(old).unwrap_or_else(|trouble| panic!("{trouble}"));
    for answer in answers(&mut model) {
        assert_eq!(answer.verdict, Verdict::Holds, "{}", answer.property);
    }
    let broken = old.replace(
        "assign { Free := False; Was := At }",
        "assign { Was := At }",
    );
    let mut model = open(&broken).unwrap_or_else(|trouble| panic!("{trouble}"));
    for answer in answers(&mut model) {
        assert_eq!(answer.verdict, Verdict::Violated, "{}", answer.property);
    }
}

#[test]
fn a_model_without_a_start_is_found() {
    let impossible = DOOR.replacen("init (z) {", "init (z) { At[z] = In && ", 1);
    assert_ne!(impossible, DOOR);
    // Whom a variable holds is a process, too: what is so of none of them is not so of it.
    let held = |start: &str| {
        format!(
            "type t = A | B\narray X[proc] : t\nvar R : proc\nvar S : proc\n\
             init (x) {{ X[x] = A && {start} }}\nunsafe (z) {{ X[z] = B }}\n\
             transition s (p) requires {{ R = p }} {{ X[p] := B; }}\n"
        )
    };
    let (nobody, others) = (held("R <> x"), held("R <> S"));
    let budget = Budget::unlimited();
    for (text, begins) in [
        (nobody.as_str(), false),
        (others.as_str(), true),
        (DOOR, true),
        (ROUNDS, true),
        (SHARED_LINE, true),
        (impossible.as_str(), false),
    ] {
        let mut model = open(text).expect("it is read");
        assert_eq!(
            model.can_begin(&budget).expect("it is found"),
            begins,
            "{text}"
        );
    }
}
