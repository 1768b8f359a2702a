//! Progress: the reduction to safety agrees, size by size, with a search for fair loops in the
//! graph of all configurations.

use quotient_core::{Budget, Context, Source, Verdict};
use quotient_protocol::{Interpreter, Protocol};
use quotient_regular::Options;

mod random;
mod search;

use search::is_violated;

fn read(text: &str) -> Protocol {
    let source = Source::new("test.protocol", text);
    Protocol::parse(&source).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Some of the steps are to be fair.
fn with_fairness(text: &str, seed: u64) -> String {
    let words = ["", "fair ", "", "strong fair ", ""];
    let mut number = seed as usize;
    let lines = text
        .lines()
        .map(|line| match line.trim_start().starts_with("step ") {
            false => line.to_owned(),
            true => {
                number += 1;
                format!("{}{}", words[number % words.len()], line.trim_start())
            }
        });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn the_reduction_agrees_with_fair_loops_of_the_graph() {
    let (mut yes, mut no) = (0, 0);
    for seed in 0..40 {
        let text = with_fairness(&random::progress(&mut random::Random::new(seed)), seed);
        let text = random::with_faults(&text, seed);
        let protocol = read(&text);
        let budget = Budget::unlimited();
        let compiled = protocol.compile(&budget).unwrap();
        let interpreter = Interpreter::new(&protocol, &compiled);
        // The problem is the same for all sizes, and costs more than any of them.
        let problems: Vec<_> = (protocol.progress_names())
            .map(|name| {
                (
                    name,
                    protocol.progress_problem(name, &budget).unwrap().unwrap(),
                )
            })
            .collect();
        for size in 1..=2 {
            let starving = interpreter.starvation(size, &budget).unwrap();
            for (name, problem) in &problems {
                let expected = starving.iter().any(|(known, _)| known == name);
                // Steps that no process takes are remembered among the globals.
                let shortest = problem.initial().shortest_word().unwrap().len();
                let least = (1..).find(|&size| !interpreter.initial(size).is_empty());
                let globals = shortest - least.unwrap();
                let Some(found) = is_violated(problem, size + globals) else {
                    continue;
                };
                assert_eq!(
                    found, expected,
                    "seed {seed}, {size} processes: {name}\n{text}"
                );
                *(if found { &mut yes } else { &mut no }) += 1;
            }
        }
    }
    assert!(yes > 20 && no > 20, "{yes} violated, {no} not");
}

#[test]
fn verdicts_agree_with_small_instances() {
    let (mut hold, mut violated) = (0, 0);
    for seed in 100..115 {
        let text = with_fairness(&random::progress(&mut random::Random::new(seed)), seed);
        let text = random::with_faults(&text, seed);
        let protocol = read(&text);
        let budget = Budget::unlimited();
        let cx = Context {
            budget: budget.child_with_work(300_000),
            ..Context::default()
        };
        let Ok(report) = protocol.check(&[], &Options::default(), &cx) else {
            continue;
        };
        let compiled = protocol.compile(&budget).unwrap();
        let interpreter = Interpreter::new(&protocol, &compiled);
        for size in 1..=3 {
            let starving = interpreter.starvation(size, &budget).unwrap();
            for answered in &report.answers {
                let name = &answered.answer.property;
                let found = starving.iter().any(|(known, _)| known == name);
                match answered.answer.verdict() {
                    Verdict::Holds => {
                        hold += 1;
                        assert!(!found, "seed {seed}, {size} processes: {name}\n{text}");
                    }
                    Verdict::Violated => {
                        violated += 1;
                        let trace = answered.trace.as_ref().unwrap();
                        if trace.rows[0].processes.len() == size {
                            assert!(found, "seed {seed}, {size} processes: {name}\n{text}");
                        }
                    }
                    Verdict::Unknown(_) => {}
                }
            }
        }
    }
    assert!(hold > 2 && violated > 5, "{hold} hold, {violated} violated");
}

#[test]
fn a_run_without_end_is_told_with_what_repeats() {
    let text = "
        global locked : bool = false
        process { location idle, waiting, critical }
        step request: when at = idle then at := waiting
        step enter: when at = waiting and not locked then at := critical, locked := true
        step leave: when at = critical then at := idle, locked := false
        property served: for each p: p.at = waiting leads to p.at = critical";
    let protocol = read(text);
    let report = protocol
        .check(&[], &Options::default(), &Context::default())
        .unwrap();
    let trace = report.answers[0].trace.as_ref().unwrap();
    let repeats = trace.repeats.as_ref().unwrap();
    let last = trace.rows.last().unwrap();
    let values = |row: &quotient_protocol::Row| -> Vec<String> {
        let cells = row.processes.iter().flat_map(|cell| &cell.values);
        cells
            .chain(&row.globals)
            .map(|item| item.value.clone())
            .collect()
    };
    assert_eq!(values(&trace.rows[repeats.from]), values(last));
    assert!(trace.moral().unwrap().contains("waits in vain"));
}

#[test]
fn where_only_a_run_that_grows_is_unfair_progress_stays_unknown_and_says_why() {
    let text = "
        topology line
        process { location waiting, critical }
        initially forall p: p.at = waiting
        step enter: when at = waiting and first then at := critical
        step leave: when at = critical then remove self
        step arrive: when at = critical then create at right end { at = waiting }
        property p: for each p: p.at = waiting leads to p.at = critical";
    let report = read(text)
        .check(&[], &Options::default(), &Context::default())
        .unwrap();
    let Verdict::Unknown(stop) = report.answers[0].answer.verdict() else {
        panic!("{:?}", report.answers[0].answer)
    };
    assert!(stop.to_string().contains("no run was found"), "{stop}");
}

/// The verdict on the first property.
fn verdict(text: &str) -> Verdict {
    let report = read(text).check(&[], &Options::default(), &Context::default());
    report.unwrap().answers[0].answer.verdict()
}

#[test]
fn steps_that_no_process_takes_have_their_turn() {
    let text = "
        global open : bool = false
        process { location outside, inside }
        step unlock: when not open then open := true
        step enter: when at = outside and open then at := inside
        property served: for each p: p.at = outside leads to p.at = inside";
    assert_eq!(verdict(text), Verdict::Holds);
    // Where it can be undone for ever, entering is possible only again and again.
    let flips = text.replace(
        "step enter",
        "step lock: when open then open := false\n        step enter",
    );
    assert_eq!(verdict(&flips), Verdict::Violated);
    let strong = flips.replace("step enter", "strong fair step enter");
    assert_eq!(verdict(&strong), Verdict::Holds);
    let weak = flips.replace("step enter", "fair step enter");
    assert_eq!(verdict(&weak), Verdict::Violated);
}

#[test]
fn a_fair_step_is_taken_although_its_process_has_a_choice() {
    let text = "
        process { location a, b  x : bool = false }
        step turn: when at = a then x := not x
        step go: when at = a then at := b
        property moves: for each p: p.at = a leads to p.at = b";
    assert_eq!(verdict(text), Verdict::Violated);
    assert_eq!(
        verdict(&text.replace("step go", "fair step go")),
        Verdict::Holds
    );
}

#[test]
fn steps_may_have_any_name() {
    let text = "
        process { location a, b }
        step go: when at = a then at := b
        step again: when at = b then at := a
        property meet: for each p: p.at = a leads to forall q: q.at = b";
    assert_eq!(verdict(text), Verdict::Violated);
    let freeze = text.replace("again", "freeze");
    assert_eq!(verdict(&freeze), Verdict::Violated);
}
