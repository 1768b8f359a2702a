use quotient_language::{Cell, Layout, Step, Trace};

use super::*;

fn lasso() -> Trace {
    let mut trace = Trace::new(Layout::Events, ["A", "true"]);
    trace.beside = vec![1];
    trace
        .steps
        .push(Step::start([Cell::new("0"), Cell::new("")]));
    for (action, by) in [("go", "A → B"), ("come", "A")] {
        let cells = [Cell::changed("1"), Cell::new("BUSY")];
        trace.steps.push(Step::by(action, [by], cells));
    }
    trace.back_to = Some(1);
    trace.ending = vec!["end: nothing".into(), "  A waits".into()];
    trace
}

#[test]
fn events_say_where_the_loop_begins() {
    let expected = "\
step  action  true  by
1     go      BUSY  A → B
then for ever:
2     come    BUSY  A
end: nothing
  A waits
";
    assert_eq!(trace_text(&lasso(), 78), expected);
    let mut empty = Trace::new(Layout::Events, ["A"]);
    empty.steps.push(Step::start([Cell::new("0")]));
    assert_eq!(trace_text(&empty, 78), "at the very start\n");
}

#[test]
fn states_tell_what_is_new() {
    let mut trace = Trace::new(Layout::States, ["x", "y"]);
    trace
        .steps
        .push(Step::start([Cell::new("0"), Cell::new("TRUE")]));
    trace
        .steps
        .push(Step::of("in = 1", [Cell::changed("1"), Cell::new("TRUE")]));
    let mut last = Step::of("in = 0", []);
    last.remark = Some("as in state 0, and so on".into());
    trace.steps.push(last);
    let expected = "   0          x = 0, y = TRUE
   1  in = 1  x = 1
   2  in = 0  -- as in state 0, and so on
";
    assert_eq!(trace_text(&trace, 78), expected);
    let json = trace_json(&trace);
    assert_eq!(json[1]["changed"], serde_json::json!(["x"]));
    assert_eq!(json[1]["cells"]["y"], "TRUE");
}

#[test]
fn states_say_how_a_run_goes_on() {
    let mut trace = Trace::new(Layout::States, ["x"]);
    trace.steps.push(Step::start([Cell::new("0")]));
    trace.steps.push(Step::of("up", [Cell::changed("1")]));
    trace.back_to = Some(0);
    let expected = "   0      x = 0\n   1  up  x = 1\n      and goes on as after 0, for ever\n";
    assert_eq!(trace_text(&trace, 78), expected);
    trace.back_to = Some(1);
    let expected = "   0      x = 0\n   1  up  x = 1\n      and stays there for ever\n";
    assert_eq!(trace_text(&trace, 78), expected);
}

#[test]
fn words_are_shown_as_they_are() {
    let mut trace = Trace::new(Layout::States, [""]);
    trace.steps.push(Step::start([Cell::new("T N")]));
    trace.steps.push(Step::of("copy", [Cell::new("T T")]));
    assert_eq!(trace_text(&trace, 78), "   0        T N\n   1  copy  T T\n");
    let json = trace_json(&trace);
    assert_eq!(
        json[1],
        serde_json::json!({ "action": "copy", "configuration": "T T" })
    );
}

#[test]
fn a_wide_grid_becomes_a_list() {
    let columns: Vec<String> = (0..9).map(|number| format!("P{number}")).collect();
    let mut trace = Trace::new(Layout::Grid, columns);
    let cells = |changed: usize| {
        (0..9).map(move |at| Cell {
            text: "somewhere".into(),
            changed: at == changed,
        })
    };
    trace.steps.push(Step::start(cells(99)));
    trace.steps.push(Step::by("go", ["P3"], cells(3)));
    let text = trace_text(&trace, 60);
    assert!(text.ends_with("go  P3\n    P3: *somewhere\n"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 60));
}

#[test]
fn the_values_of_one_process_are_one_lane() {
    let mut trace = Trace::new(Layout::Grid, ["turn", "P1.at", "P1.n", "P2.at", "P2.n"]);
    let cells = |at: &'static str| ["1", at, "0", "idle", "3"].map(Cell::new);
    trace.steps.push(Step::start(cells("idle")));
    let mut step = Step::by("enter", ["P1"], cells("in"));
    step.remark = Some("looks at P2".into());
    trace.steps.push(step);
    let Some(quotient_language::Picture::Lanes(lanes)) = trace_picture(&trace) else {
        panic!("no lanes");
    };
    let names: Vec<&str> = lanes.lanes.iter().map(|lane| lane.name.as_str()).collect();
    assert_eq!(names, ["turn", "P1", "P2"]);
    assert_eq!(lanes.lanes[1].states, ["idle 0", "in 0"]);
    assert_eq!(
        (lanes.lanes[1].acts.as_slice(), lanes.lanes[2].acts.len()),
        ([1].as_slice(), 0)
    );
    assert_eq!(
        (lanes.messages[0].from, lanes.messages[0].to),
        ((2, 1), (1, 1))
    );
}

#[test]
fn who_is_looked_at_is_in_the_picture() {
    let mut trace = Trace::new(Layout::Grid, ["P1", "P2", "turn"]);
    let cells = || [Cell::new("a"), Cell::new("b"), Cell::new("1")];
    trace.steps.push(Step::start(cells()));
    let mut step = Step::by("enter", ["P1"], cells());
    step.remark = Some("looks at P1, P2, P9".into());
    trace.steps.push(step);
    let Some(quotient_language::Picture::Lanes(lanes)) = trace_picture(&trace) else {
        panic!("no lanes");
    };
    let seen: Vec<_> = lanes
        .messages
        .iter()
        .map(|one| (one.from, one.to))
        .collect();
    assert_eq!(seen, [((1, 1), (0, 1))]);
}

#[test]
fn states_say_who_moved_unless_the_action_does() {
    let run = |action: &str| {
        let mut trace = Trace::new(Layout::States, ["x"]);
        trace.steps.push(Step::start([Cell::new("0")]));
        let step = Step::by(action, ["A(0)", "B(1)"], [Cell::changed("1")]);
        trace.steps.push(step);
        trace_text(&trace, 78)
    };
    let expected = "   0                x = 0\n   1  A(0), B(1)  c!1  x = 1\n";
    let expected = expected.replace("   0                x", "   0                   x");
    assert_eq!(run("c!1"), expected);
    let expected = "   0                   x = 0\n   1  meet A(0), B(1)  x = 1\n";
    assert_eq!(run("meet A(0), B(1)"), expected);
}
