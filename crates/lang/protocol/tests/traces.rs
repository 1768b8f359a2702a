//! Runs are told in the words of the source.

use quotient_core::{Budget, Context, Source};
use quotient_language::{Ask, Input, NoFiles, Settings};
use quotient_protocol::{Interpreter, LANGUAGE, Protocol};
use quotient_report::trace_text;

/// The run to a violation of the first property, as people read it.
fn trace(text: &str) -> String {
    let input = Input::text(&Source::new("test.protocol", text));
    let cx = Context::default();
    let model = LANGUAGE.open(&input, &mut NoFiles, &Settings::default(), &cx);
    let mut answers = Vec::new();
    let mut tell = |answer| answers.push(answer);
    model
        .unwrap()
        .check(&Ask::default(), &cx, &mut tell)
        .unwrap();
    let trace = answers[0].trace.as_ref();
    trace_text(trace.expect("a run to the violation"), 80)
}

#[test]
fn a_broken_lock_is_explained_process_by_process() {
    let text = "
        global locked : bool = false
        process { location idle, sees_free, critical }
        step look:  when at = idle and not locked then at := sees_free
        step enter: when at = sees_free then at := critical, locked := true
        property mutex: never exists p, q: p.at = critical and q.at = critical";
    insta::assert_snapshot!(trace(text), @"
    step   by  locked  P1          P2
    start      false   idle        idle
    look   P2  false   idle        *sees_free
    look   P1  false   *sees_free  sees_free
    enter  P2  *true   sees_free   *critical
    enter  P1  true    *critical   critical
    ");
}

#[test]
fn processes_keep_their_names_when_they_move() {
    let text = "
        process { location a, b }
        step back: when at = a then at := b, move self to right end
        property odd: never exists p, q: p < q and p.at = a and q.at = b";
    insta::assert_snapshot!(trace(text), @"
    step   by  P1  P2  order
    start      a   a   P1 P2
    back   P1  *b  a   P2 P1
    ");
}

#[test]
fn a_violation_is_found_though_the_line_grows_for_ever() {
    let text = "
        process { location member  told : bool = true }
        step join: when first then create at right end { told = false }
        property all_know: never exists p: not p.told";
    let protocol = Protocol::parse(&Source::new("test.protocol", text)).unwrap();
    let compiled = protocol.compile(&Budget::unlimited()).unwrap();
    let interpreter = Interpreter::new(&protocol, &compiled);
    let work = Budget::unlimited().child_with_work(50);
    let (explored, stop) = interpreter.search(1, &|_| true, &work);
    assert!(stop.is_some());
    assert_eq!(explored.violations[0].1.steps.len(), 1);
}

#[test]
fn every_value_has_the_name_of_its_variable_and_only_what_changed_is_marked() {
    let text = "
        topology set
        global turn : process or none = none
        process { location idle, critical  tries : 0..2 = 0  proud : bool = false }
        step look: when at = idle and tries < 2 then tries := tries + 1
        step enter: when at = idle and tries = 1 then at := critical, turn := self, proud := true
        property mutex: never exists p, q: p.at = critical and q.at = critical";
    let told = trace(text);
    let head: Vec<&str> = told.lines().next().unwrap().split_whitespace().collect();
    let own = ["at", "tries", "proud"];
    let own = ["P1", "P2"].map(|process| own.map(|name| format!("{process}.{name}")));
    assert_eq!(head[..3], ["step", "by", "turn"]);
    assert_eq!(head[3..], own.concat());
    // How often it tried does not change when it enters.
    let last = told.lines().last().unwrap();
    let marked = last.split_whitespace().filter(|cell| cell.starts_with('*'));
    assert_eq!(marked.count(), 3, "{told}");
}
