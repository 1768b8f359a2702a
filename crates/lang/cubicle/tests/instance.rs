//! One instance, searched completely: a second opinion on what the engine says for every number.

use quotient_core::{Budget, Context, Source, Verdict};
use quotient_language::{Ask, Input, Inspected, Model, NoFiles, Settings, Verb};

const DOOR: &str = include_str!("../gallery/door.cub");
const DOOR_FAULTY: &str = include_str!("../gallery/door_faulty.cub");
const SHARED_LINE: &str = include_str!("../gallery/shared_line.cub");

fn open(text: &str, processes: usize) -> Box<dyn Model> {
    let input = Input::text(&Source::new("model.cub", text));
    let pairs = [("processes".to_owned(), processes.to_string())];
    let known = quotient_cubicle::LANGUAGE.about().settings;
    let settings = Settings::new("cubicle", known, Verb::Instance, &pairs).expect("a setting");
    let cx = Context::default();
    let opened = quotient_cubicle::LANGUAGE.open(&input, &mut NoFiles, &settings, &cx);
    opened.unwrap_or_else(|trouble| panic!("{trouble}"))
}

fn inspect(text: &str, processes: usize) -> Inspected {
    let found = open(text, processes).instance(&Context::default());
    found.unwrap_or_else(|trouble| panic!("{trouble}"))
}

#[test]
fn instances_of_the_gallery_agree_with_what_is_said_for_every_number() {
    for text in [DOOR, DOOR_FAULTY, SHARED_LINE] {
        let mut answers = Vec::new();
        let mut model = open(text, 2);
        let check = model.check(&Ask::default(), &Context::default(), &mut |one| {
            answers.push(one)
        });
        check.unwrap_or_else(|trouble| panic!("{trouble}"));
        for processes in 1..=4 {
            let found = inspect(text, processes);
            for (one, all) in found.answers.iter().zip(&answers) {
                assert_eq!(one.property, all.property);
                match all.verdict {
                    // Two must be inside.
                    Verdict::Violated if processes > 1 => {
                        assert_eq!(one.verdict, Verdict::Violated);
                        assert!(one.trace.is_some());
                    }
                    _ => assert_eq!(one.verdict, Verdict::Holds, "{text} with {processes}"),
                }
            }
        }
    }
}

#[test]
fn states_are_counted_one_by_one() {
    // Each of three is in or out, and at most one is in.
    let found = inspect(DOOR, 3);
    let alone = "type place = Out | In
        array At[proc] : place
        init (z) { At[z] = Out }
        unsafe (a b c) { At[a] = In && At[b] = In && At[c] = In }
        transition enter (p) requires { At[p] = Out } { At[p] := In; }";
    assert!(found.sizes[0].1 >= 4, "{:?}", found.sizes);
    let found = inspect(alone, 3);
    assert_eq!(found.sizes, [("configurations", 8), ("steps", 12)]);
    assert_eq!(found.answers[0].verdict, Verdict::Violated);
    assert_eq!(found.answers[0].because, "a run of 3 steps");
    assert_eq!(inspect(alone, 2).answers[0].verdict, Verdict::Holds);
}

#[test]
fn where_not_everything_was_tried_nothing_is_claimed() {
    let counter = |start: &str, value: &str| {
        format!(
            "var X : int
            array At[proc] : bool
            init (z) {{ At[z] = False && {start} }}
            unsafe (a) {{ At[a] = True && X = 77 }}
            transition t (p) requires {{ At[p] = False }} {{ At[p] := True; X := {value}; }}"
        )
    };
    // A number of the file that is counted up has an end here.
    let known = inspect(&counter("X = 3", "X + 1"), 2);
    assert_eq!(known.answers[0].verdict, Verdict::Holds);
    for (start, value) in [("X >= 0", "X + 1"), ("X = 3", "?")] {
        let unknown = inspect(&counter(start, value), 2);
        assert!(!unknown.answers[0].verdict.is_definite(), "{start} {value}");
    }
    assert_eq!(
        inspect(&counter("X = 75", "X + 1"), 2).answers[0].verdict,
        Verdict::Violated
    );
}

#[test]
fn a_search_that_is_interrupted_says_so() {
    let cx = Context {
        budget: Budget::unlimited().child_with_work(20),
        ..Context::default()
    };
    let found = open(SHARED_LINE, 4).instance(&cx).expect("an answer");
    assert!(!found.answers[0].verdict.is_definite());
    assert!(
        found.notes[0].starts_with("these are not all"),
        "{:?}",
        found.notes
    );
}
