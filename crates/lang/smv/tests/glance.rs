//! Models with many bits of which circuits or decision diagrams see the answer at a glance.

use std::fmt::Write as _;

use quotient_core::{Context, Verdict};
use quotient_smv::LANGUAGE;
use quotient_testkit::Random;
use quotient_testkit::language::{Tested, answers, assert_certified};

const SMV: Tested = Tested::new(LANGUAGE, "glance.smv");

#[test]
fn a_sum_of_words_is_known_from_diagrams() {
    let word = "unsigned word[64]";
    let text = format!(
        "MODULE main VAR a : {word}; b : {word}; sum : {word}; x : {word}; y : {word};\n\
         ASSIGN init(sum) := 0ud64_0; init(x) := 0ud64_0; init(y) := 0ud64_0;\n\
         next(sum) := a + b; next(x) := a; next(y) := b;\n\
         INVARSPEC sum - x = y\n\
         INVARSPEC sum - x != 0ud64_5\n\
         SPEC AG sum = x + y"
    );
    let mut model = SMV.open(&text);
    let mut all = answers(&mut *model);
    // They are told as soon as they are there.
    all.sort_by_key(|answer| answer.number);
    let verdicts: Vec<&Verdict> = all.iter().map(|answer| &answer.verdict).collect();
    let expected = [&Verdict::Holds, &Verdict::Violated, &Verdict::Holds];
    assert_eq!(verdicts, expected);
    // Circuits need a tenth of a second and more for the first.
    assert_eq!(all[0].method, None, "{}", all[0].because);
    for answer in &all {
        assert_certified(&mut *model, answer);
    }
}

/// Wide words of which few values are reached, and questions about them.
fn model(random: &mut Random) -> String {
    let width = 30 + random.below(10);
    let names = ["a", "b", "c"];
    let mut text = "MODULE main IVAR go : boolean; VAR late : boolean;\n".to_owned();
    for name in names {
        let _ = writeln!(text, "VAR {name} : unsigned word[{width}];");
    }
    text.push_str("ASSIGN init(late) := FALSE; next(late) := late | go;\n");
    for name in names {
        let first = random.below(4);
        let _ = writeln!(text, "init({name}) := 0ud{width}_{first};");
        let mut changed = || {
            let [left, right] = [(); 2].map(|()| names[random.below(3)]);
            let operator = ["+", "-", "xor", "&", "|"][random.below(5)];
            let most = [1, 3, 7][random.below(3)];
            format!("({left} {operator} {right}) & 0ud{width}_{most}")
        };
        let (one, other) = (changed(), changed());
        let test = ["go", "late", "a < b", "b = c"][random.below(4)];
        let _ = writeln!(text, "next({name}) := {test} ? {one} : {other};");
    }
    for _ in 0..3 {
        let [left, right] = [(); 2].map(|()| names[random.below(3)]);
        let relation = ["<", "<=", "=", "!="][random.below(4)];
        let bound = random.below(8);
        let state = match random.below(2) {
            0 => format!("{left} {relation} {right}"),
            _ => format!("{left} {relation} 0ud{width}_{bound}"),
        };
        let _ = match random.below(6) {
            0 | 1 => writeln!(text, "INVARSPEC {state}"),
            2 => writeln!(text, "SPEC AG (late -> {state})"),
            3 => writeln!(text, "SPEC EF ({state} & late)"),
            4 => writeln!(text, "LTLSPEC G ({state} -> F !({state}))"),
            _ => writeln!(text, "SPEC AG EF {state}"),
        };
    }
    text
}

#[test]
fn answers_are_those_of_looking_at_all_states() {
    let random = &mut Random(2020);
    let (mut compared, mut diagrams) = (0, 0);
    for _ in 0..25 {
        let text = model(random);
        let mut model = SMV.open(&text);
        let mut all = answers(&mut *model);
        all.sort_by_key(|answer| answer.number);
        let looked = model.instance(&Context::default());
        let looked = looked.unwrap_or_else(|why| panic!("{why}\n{text}"));
        for (answer, known) in all.iter().zip(&looked.answers) {
            assert!(answer.verdict.is_definite(), "{text}");
            diagrams += usize::from(answer.method.is_none());
            assert_eq!(answer.property, known.property);
            if known.verdict.is_definite() {
                compared += 1;
                assert_eq!(answer.verdict, known.verdict, "{}\n{text}", answer.property);
            }
            if answer.evidence.is_some() {
                assert_certified(&mut *model, answer);
            }
        }
    }
    assert!(compared > 60, "{compared}");
    assert!(diagrams > 10, "{diagrams}");
}

#[test]
fn what_circuits_take_long_to_show_has_evidence() {
    // What must come at last is not there as often as there are numbers before it. There are too many states to
    // look at one by one.
    let counter = |last: u32| {
        format!(
            "MODULE main VAR c : 0..{last}; go : boolean; noise : unsigned word[16];\n\
             ASSIGN init(c) := 0; next(c) := case c < {last} : c + 1; TRUE : c; esac;\n\
             SPEC AG (go -> AF c = {last})"
        )
    };
    for last in [8, 20] {
        let text = counter(last);
        let mut model = SMV.open(&text);
        let all = answers(&mut *model);
        assert_eq!(all[0].verdict, Verdict::Holds);
        let evidence = all[0].evidence.as_ref();
        assert_eq!(
            evidence.map(|one| &*one.kind),
            Some("states-bound"),
            "{last}"
        );
        assert_certified(&mut *SMV.open(&text), &all[0]);
    }
}
