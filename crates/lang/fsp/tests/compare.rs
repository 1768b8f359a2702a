//! Two systems compared through the seam; evidence checked and forged.

use quotient_core::{Budget, Context, Evidence, Source, Verdict};
use quotient_fsp::LANGUAGE;
use quotient_language::{Answer, Ask, Input, MemoryFiles, Model, NoFiles, Settings, Verb};

const TEXT: &str = "LATE = (coin -> (tea -> LATE | coffee -> LATE)).
EARLY = (coin -> tea -> EARLY | coin -> coffee -> EARLY).
BUSY = (coin -> WORK), WORK = (think -> WORK | tea -> BUSY | coffee -> BUSY) \\ {think}.
||TWICE = (LATE || LATE).
DONE = (coin -> END).
STUCK = (coin -> STOP).";

const AUT: &str = "des (0, 3, 2)\n(0, \"coin\", 1)\n(1, \"tea\", 0)\n(1, \"coffee\", 0)\n";

fn open(system: &str, against: &str, more: &[(&str, &str)]) -> Box<dyn Model> {
    let mut given = vec![
        ("system".to_owned(), system.to_owned()),
        ("against".to_owned(), against.to_owned()),
    ];
    given.extend(
        more.iter()
            .map(|&(name, value)| (name.to_owned(), value.to_owned())),
    );
    let about = LANGUAGE.about();
    let settings = Settings::new(about.name, about.settings, Verb::Check, &given);
    let settings = settings.unwrap_or_else(|wrong| panic!("{wrong:?}"));
    let input = Input::text(&Source::new("model.lts", TEXT));
    let mut files = MemoryFiles::from([("late.aut", AUT)]);
    let opened = LANGUAGE.open(&input, &mut files, &settings, &Context::default());
    opened.unwrap_or_else(|trouble| panic!("{trouble}"))
}

fn compared(system: &str, against: &str, relation: &str) -> Answer {
    let mut model = open(system, against, &[("up-to", relation)]);
    let mut answers = Vec::new();
    let tell = &mut |answer| answers.push(answer);
    model
        .check(&Ask::default(), &Context::default(), tell)
        .unwrap_or_else(|trouble| panic!("{trouble}"));
    let [answer] = &answers[..] else {
        panic!("{} answers to one question", answers.len())
    };
    answer.clone()
}

fn is_accepted(evidence: &Evidence, system: &str, against: &str, relation: &str) -> bool {
    let mut model = open(system, against, &[("up-to", relation)]);
    let Ok(property) = model.property(&evidence.property.clone().unwrap()) else {
        return false;
    };
    model
        .certify(evidence, &property, &Budget::unlimited())
        .is_ok()
}

#[test]
fn relations_see_what_they_are_meant_to_see() {
    for (one, other, same, apart) in [
        ("LATE", "#EARLY", "traces", "failures"),
        ("LATE", "late.aut", "strong", ""),
        ("TWICE", "late.aut", "strong", ""),
        ("LATE", "#BUSY", "traces", "failures"),
        ("LATE", "#BUSY", "branching", "strong"),
        ("DONE", "#DONE", "strong", ""),
        ("DONE", "#STUCK", "", "weak"),
    ] {
        for (relation, verdict) in [(same, Verdict::Holds), (apart, Verdict::Violated)] {
            if relation.is_empty() {
                continue;
            }
            let answer = compared(one, other, relation);
            assert_eq!(answer.verdict, verdict, "{one} {other} {relation}");
            let evidence = answer.evidence.unwrap();
            assert!(
                is_accepted(&evidence, one, other, relation),
                "{one} {other}"
            );
            // Neither about other systems nor about another relation.
            if verdict == Verdict::Holds {
                assert!(!is_accepted(&evidence, "STUCK", other, relation));
            }
            assert!(!is_accepted(&evidence, one, other, "weak") || relation == "weak");
        }
    }
}

#[test]
fn what_tells_systems_apart_is_said() {
    let refusing = compared("EARLY", "#LATE", "failures");
    let trace = refusing.trace.unwrap();
    assert_eq!(trace.steps[1].action.as_deref(), Some("coin"));
    assert!(trace.ending[0].contains("can refuse"), "{:?}", trace.ending);
    let formula = compared("EARLY", "#LATE", "strong");
    assert!(formula.because.contains("<coin>["), "{}", formula.because);
    let silent = compared("BUSY", "#LATE", "failures-divergences");
    let ending = &silent.trace.unwrap().ending[0];
    assert!(ending.contains("for ever"), "{ending}");
}

#[test]
fn refinement_has_a_direction() {
    for (one, other, verdict) in [
        ("EARLY", "#LATE", Verdict::Violated),
        ("LATE", "#EARLY", Verdict::Holds),
    ] {
        let mut model = open(one, other, &[("up-to", "failures"), ("refines", "")]);
        let mut found = None;
        let tell = &mut |answer: Answer| found = Some(answer.verdict);
        model
            .check(&Ask::default(), &Context::default(), tell)
            .unwrap();
        assert_eq!(found, Some(verdict), "{one} refines {other}");
    }
}

#[test]
fn actions_of_a_formula_that_nobody_does_are_told() {
    let text = "P = (a -> b.c -> END). ||S = P \\ {b.c}.";
    let asked = |formula: &str| {
        let input = Input::text(&Source::new("model.lts", text));
        let about = LANGUAGE.about();
        let given = [("mu".to_owned(), formula.to_owned())];
        let settings = Settings::new(about.name, about.settings, Verb::Check, &given).unwrap();
        let opened = LANGUAGE.open(&input, &mut NoFiles, &settings, &Context::default());
        let mut model = opened.unwrap_or_else(|trouble| panic!("{trouble}"));
        let mut found = Vec::new();
        let tell = &mut |answer: Answer| found.push(answer.verdict);
        let checked = model.check(&Ask::default(), &Context::default(), tell);
        checked.unwrap_or_else(|trouble| panic!("{trouble}"));
        let warnings = model.warnings().into_iter();
        let warnings = warnings.filter(|one| one.code == "unknown-action");
        let told: Vec<String> = warnings.map(|one| one.message).collect();
        (found, told)
    };
    let (violated, holds) = (vec![Verdict::Violated], vec![Verdict::Holds]);
    let none: Vec<String> = Vec::new();
    // Any step and then a silent one, not a step of an action `true.tau`.
    assert_eq!(asked("<true.tau>true"), (holds.clone(), none.clone()));
    assert_eq!(asked("[true.tau]false"), (violated.clone(), none.clone()));
    assert_eq!(asked("<a; tau; @end>[@error]false"), (holds.clone(), none));
    // What is hidden is not there either.
    for (formula, name, verdict) in [
        ("[true*; b.c]false", "b.c", holds),
        ("<a.b>true", "a.b", violated),
    ] {
        let told = format!("the formula is about `{name}`, which no component does");
        assert_eq!(asked(formula), (verdict, vec![told]));
    }
}
