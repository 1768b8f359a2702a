//! The models that come with the program, and what their properties are worth.

use crate::common::{Asked, answers};
use quotient_core::Verdict;
use quotient_prism::LANGUAGE;

/// What a property is worth.
enum Worth {
    Value(f64),
    Holds,
}

use Worth::{Holds, Value};

/// Example, constants, property, worth.
const TABLE: &[(&str, &[&str], &str, Worth)] = &[
    ("die", &["face=3"], "face", Value(1.0 / 6.0)),
    ("die", &["face=3"], "ends", Holds),
    ("die", &["face=3"], "throws", Value(11.0 / 3.0)),
    ("gambler", &["N=10", "k=3", "p=0.5"], "wins", Value(0.3)),
    ("gambler", &["N=10", "k=3", "p=0.5"], "games", Value(21.0)),
    ("gambler", &["N=10", "k=3", "p=0.5"], "ends", Holds),
    // (1-(q/p)^k) / (1-(q/p)^N) with q/p = 1/2
    ("gambler", &["N=4", "k=2", "p=2/3"], "wins", Value(0.8)),
    ("herman", &[], "worst", Value(4.0 / 3.0)),
    ("herman", &[], "best", Value(0.0)),
    ("herman", &[], "stabilises", Holds),
    ("leader", &[], "rounds", Value(4.0 / 3.0)),
    ("leader", &[], "soon", Value(15.0 / 16.0)),
    ("leader", &[], "elected", Holds),
    (
        "zeroconf",
        &["n=2", "q=0.25", "p=0.1"],
        "error",
        Value(1.0 / 301.0),
    ),
    ("zeroconf", &["n=2", "q=0.25", "p=0.1"], "rare", Holds),
    ("backoff", &[], "failed", Value(1.0 / 64.0)),
    (
        "backoff",
        &[],
        "slots",
        Value(1.0 + 0.5 * 2.0 + 0.125 * 4.0),
    ),
    ("coin", &["K=3"], "best", Value(0.5)),
    // At K-1 the scheduler loses one flip: the walk goes on from K-2, once. From 0 the barrier
    // K-1 is reached before -K with chance 3/5, and from 1 heads then has the chance 2/3.
    ("coin", &["K=3"], "worst", Value(0.6 * 2.0 / 3.0)),
    ("coin", &["K=3"], "decided", Holds),
    ("queue", &["N=3", "t=1"], "empty", Value(8.0 / 15.0)),
    ("queue", &["N=3", "t=1"], "customers", Value(11.0 / 15.0)),
    ("queue", &["N=3", "t=1"], "throughput", Value(14.0 / 15.0)),
    (
        "queue",
        &["N=3", "t=1"],
        "first",
        Value(0.632_120_558_828_557_7),
    ),
    ("queue", &["N=3", "t=1"], "full", Value(1.0)),
    ("cluster", &[], "available", Value(1.02 / 1.0202)),
    ("cluster", &[], "power", Value(2.02 / 1.0202)),
    // From two: 50 until one is left, then 1/1.01 until the next event, which fails with 0.01/1.01.
    ("cluster", &[], "lasts", Value(5150.0)),
    ("cluster", &[], "lost", Holds),
];

fn asked(name: &str, constants: &[&str], property: &str) -> (&'static str, Asked) {
    let example = LANGUAGE
        .about()
        .examples
        .iter()
        .find(|one| one.name == name);
    let files = example.expect("an example").files;
    let mut asked = Asked::property(property).setting("properties", files[1].0);
    for constant in constants {
        asked = asked.constant(constant);
    }
    asked
        .files
        .push((files[1].0.to_owned(), files[1].1.to_owned()));
    (files[0].1, asked)
}

#[test]
fn examples_are_worth_what_the_table_says() {
    for (name, constants, property, worth) in TABLE {
        let (text, asked) = asked(name, constants, property);
        let answers = match answers(text, &asked) {
            Ok(answers) => answers,
            Err(trouble) => panic!("{name} {property}: {trouble}"),
        };
        let answer = &answers[0];
        assert_eq!(answer.verdict, Verdict::Holds, "{name} {property}");
        if let Value(value) = worth {
            let number = answer.value.as_ref().expect("a number");
            let near = 1e-15 * value;
            let inside = number.lower <= value + near && value - near <= number.upper;
            assert!(inside, "{name} {property}: {value} {number:?}");
            let narrow = number.upper - number.lower <= 1e-6 * value.max(1e-3);
            assert!(narrow, "{name} {property}: {number:?}");
        }
    }
}

#[test]
fn constants_may_have_ranges() {
    let (text, asked) = asked("gambler", &["N=10", "k=1:9", "p=0.5"], "wins");
    let answers = answers(text, &asked).expect("answers");
    let table = answers[0].table.as_ref().expect("a table");
    assert_eq!(table.rows.len(), 9);
    assert_eq!(table.rows[4][0], "5");
    assert!(answers[0].exhibits.len() == 1, "a plot over one constant");
}

/// The small region of the overtaking study: 288 starts if the lane is fixed.
const SMALL: &[&str] = &["V1MAX=2", "V2MAX=1", "VLMAX=1", "PLMAX=40"];

#[test]
fn the_small_region_of_the_overtaking_study_has_4886_states() {
    let (text, asked) = asked("overtaking", SMALL, "share");
    let text = text.replace("(lane = ((v_c1>pos_l) | (a_c1<=0) ? 2 : 1))", "lane=1");
    let answers = answers(&text, &asked).expect("answers");
    assert!(
        answers[0].because.contains("4886 states"),
        "{}",
        answers[0].because
    );
}

#[test]
fn positions_of_the_safe_run_are_those_of_the_study() {
    let start = "v_c1=0 & v_c2=0 & v_l=0 & pos_c1=1 & lane=1 & !carCrash & pos_c2=1 & pos_l=19";
    let expected = [1.0, 2.0, 4.0, 8.0, 14.0, 22.0, 32.0, 44.0, 58.0, 74.0, 92.0];
    let property = format!("filter(state, R{{\"pos_c1\"}}=? [ I=T ], {start})");
    let (text, mut asked) = asked("overtaking", SMALL, &property);
    asked.files[0].1.push_str("const int T;\n");
    let asked = asked.constant("T=0:10");
    let answers = answers(text, &asked).expect("answers");
    let rows = &answers[0].table.as_ref().expect("a table").rows;
    for (row, value) in rows.iter().zip(expected) {
        assert_eq!(row[1].parse(), Ok(value));
    }
}

#[test]
fn seconds_until_the_crash_are_those_of_the_study() {
    let value = |state: &str, goal: &str| {
        let property = format!("filter(state, R{{\"step\"}}=? [ F {goal} ], {state})");
        let constants = &["V1MAX=4", "V2MAX=4", "VLMAX=1", "PLMAX=40"];
        let (text, asked) = asked("overtaking", constants, &property);
        let answers = answers(text, &asked).unwrap_or_else(|trouble| panic!("{trouble}"));
        answers[0].value.clone().expect("a number").value
    };
    let state = |text: &str| {
        let names = ["v_c1", "v_c2", "v_l", "pos_c1", "lane", "pos_c2", "pos_l"];
        let cells: Vec<String> = names
            .iter()
            .zip(text.split(','))
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        format!("{} & !carCrash", cells.join(" & "))
    };
    assert_eq!(value(&state("1,6,1,2,2,6,20"), "carCrash"), 8.0);
    assert_eq!(value(&state("0,0,1,1,1,1,19"), "carCrash"), 11.0);
    assert_eq!(value(&state("0,0,0,1,1,1,19"), "carCrash"), f64::INFINITY);
    assert_eq!(value(&state("4,0,0,1,1,1,40"), "pos_c1=RS"), 14.0);
    assert_eq!(value(&state("0,0,0,1,1,1,19"), "pos_c1=RS"), 17.0);
}
