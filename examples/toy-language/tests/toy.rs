//! The toy language through the workbench, as a front end would use it.

use quotient_core::{Context, Source, Trouble, Verdict};
use quotient_language::{Ask, Input, Random, Verb, Viewed};
use quotient_workbench::{Checked, Pins, Request, Workbench};

const FAULTY: &str = "count from 1 by 3 to 30 never 7";

fn workbench() -> Workbench {
    Workbench::empty().with(quotient_example_toy::LANGUAGE)
}

fn request(text: &str) -> Request {
    Request::of(Input::text(&Source::new("model.toy", text)))
}

fn check(text: &str) -> Checked {
    let checked = workbench().check(request(text), &Ask::default(), &Context::default(), |_| {});
    checked.unwrap()
}

#[test]
fn a_counter_is_checked_and_certified() {
    for (text, verdict) in [
        (FAULTY, Verdict::Violated),
        ("count from 0 by 3 to 30 never 7", Verdict::Holds),
    ] {
        let checked = check(text);
        assert_eq!(checked.answers[0].verdict, verdict);
        certified(text, checked);
    }
}

fn certified(text: &str, checked: Checked) {
    let evidence: Vec<_> = checked
        .answers
        .into_iter()
        .filter_map(|answer| answer.evidence)
        .collect();
    let pins = Pins {
        complete: true,
        ..Pins::default()
    };
    let cx = Context::default();
    let judged = workbench().certify(request(text), evidence.clone(), &pins, &cx);
    assert!(judged.unwrap().iter().all(|one| one.outcome.is_ok()));
    // The same evidence says nothing about another file.
    let other = text.replace("by 3", "by 2");
    let judged = workbench().certify(request(&other), evidence, &Pins::default(), &cx);
    assert!(judged.unwrap().iter().all(|one| one.outcome.is_err()));
}

#[test]
fn a_wrong_text_is_an_error() {
    let wrong = workbench().check(
        request("count from x by way"),
        &Ask::default(),
        &Context::default(),
        |_| {},
    );
    assert!(matches!(wrong, Err(Trouble::Invalid(mistakes)) if mistakes.len() == 1));
}

#[test]
fn a_counter_is_shown_and_run() {
    let (workbench, cx) = (workbench(), Context::default());
    let starter = quotient_example_toy::LANGUAGE.about().starter;
    let mut opened = workbench
        .open(&mut request(starter), Verb::Show, &cx)
        .unwrap();
    let view = Viewed {
        picture: true,
        ..Viewed::default()
    };
    let shown = opened.model.show(&view, &cx).unwrap();
    assert!(quotient_report::shown_text(&shown).contains("step           3"));
    assert!(quotient_report::draw(&shown.pictures[0]).contains("+3"));
    let mut run = opened.model.simulate(&cx).unwrap();
    let mut random = Random::new(1);
    while run.take_any(&mut random, &cx).unwrap() {}
    assert!(run.status(&cx).unwrap().deadlock);
    assert_eq!(run.trace().len(), 10);
    assert!(run.undo());
    assert!(
        workbench
            .open(&mut request(starter), Verb::Ask, &cx)
            .is_err()
    );
}
