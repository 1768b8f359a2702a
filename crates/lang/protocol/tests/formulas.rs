//! Properties that are formulas of linear time, for every number of processes, against a search of
//! small instances.

use quotient_core::{Budget, Claim, Context, Source, Verdict};
use quotient_language::{Ask, Input, NoFiles, Settings};
use quotient_protocol::{Interpreter, LANGUAGE, Protocol};
use quotient_regular::Options;

mod random;
mod search;

use search::is_violated;

fn read(text: &str) -> Protocol {
    let source = Source::new("test.protocol", text);
    Protocol::parse(&source).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Checks all properties, certifies the evidence, and compares with instances of up to 3 processes.
fn verdicts(text: &str) -> Vec<Verdict> {
    let protocol = read(text);
    let budget = Budget::unlimited();
    let compiled = protocol.compile(&budget).unwrap();
    let interpreter = Interpreter::new(&protocol, &compiled);
    let cx = Context::default();
    let input = Input::text(&Source::new("test.protocol", text));
    let model = LANGUAGE.open(&input, &mut NoFiles, &Settings::default(), &cx);
    let mut model = model.unwrap_or_else(|error| panic!("{error}"));
    let mut answers = Vec::new();
    let mut tell = |answer| answers.push(answer);
    model.check(&Ask::default(), &cx, &mut tell).unwrap();
    let names: Vec<&str> = protocol.property_names().collect();
    answers.sort_by_key(|answer: &quotient_language::Answer| {
        names.iter().position(|name| *name == answer.property)
    });
    for answer in &answers {
        let evidence = answer.evidence.as_ref();
        if answer.verdict.is_definite() {
            let evidence =
                evidence.unwrap_or_else(|| panic!("no evidence for {}", answer.property));
            let mut properties = model.properties().into_iter();
            let property = properties.find(|one| one.name == answer.property).unwrap();
            let certified = model.certify(evidence, &property, &budget);
            assert!(certified.is_ok(), "{}: {certified:?}", answer.property);
            let mut other = evidence.clone();
            other.claim = match other.claim {
                Claim::Holds => Claim::Violated,
                Claim::Violated => Claim::Holds,
            };
            assert!(model.certify(&other, &property, &budget).is_err());
        }
        for size in 1..=3 {
            let found = interpreter.starvation(size, &budget).unwrap();
            let found = found.iter().any(|(name, _)| *name == answer.property);
            if found {
                assert_ne!(
                    answer.verdict,
                    Verdict::Holds,
                    "{}: {size}",
                    answer.property
                );
            }
        }
    }
    answers.into_iter().map(|answer| answer.verdict).collect()
}

const LOCK: &str = "
    global locked : bool = false
    process { location idle, waiting, critical }
    step request: when at = idle then at := waiting
    strong fair step enter: when at = waiting and not locked then at := critical, locked := true
    step leave: when at = critical then at := idle, locked := false
";

#[test]
fn a_lock_that_is_strongly_fair_lets_everybody_in_again_and_again() {
    let text = format!(
        "{LOCK}
        property again: for each p: always eventually p.at = critical
        property never_left: for each p: eventually always p.at = idle
        property order: for each p: always (p.at = idle => p.at = idle until p.at = waiting)
        property not_weakly: for each p: always (p.at = critical => eventually not locked)
        property free: always eventually not locked
        property leads: locked leads to not locked
        property held: eventually always locked
        property if_asked: for each p:
            (always eventually p.at = waiting) => (always eventually p.at = critical)"
    );
    use Verdict::{Holds, Violated};
    let expected = [Holds, Violated, Holds, Holds, Holds, Holds, Violated, Holds];
    assert_eq!(verdicts(&text), expected);
    let broken = text.replace("strong fair step", "step");
    let expected = [
        Violated, Violated, Holds, Holds, Holds, Holds, Violated, Violated,
    ];
    assert_eq!(verdicts(&broken), expected);
}

#[test]
fn two_processes_of_a_formula_are_different() {
    let text = format!(
        "{LOCK}
        property others: for each p, q: always (p.at = critical => not q.at = critical)
        property wait: for each p, q:
            always (p.at = waiting and q.at = critical => p.at = waiting until q.at = idle)"
    );
    use Verdict::Holds;
    assert_eq!(verdicts(&text), [Holds, Holds]);
}

#[test]
fn where_everybody_is_stuck_the_last_moment_goes_on() {
    let text = "
        process { location a, b }
        step go: when at = a and exists other p: p.at = b then at := b
        step first: when at = a and first then at := b
        property all: eventually always forall p: p.at = b
        property next_too: always ((forall p: p.at = b) => next forall p: p.at = b)
        property stays: for each p: always (p.at = b => always p.at = b)
        property goes: for each p: p.at = a until p.at = b
        property unless: for each p: p.at = a unless p.at = b
        property back: for each p: always eventually p.at = a";
    use Verdict::{Holds, Violated};
    let expected = [Holds, Holds, Holds, Holds, Holds, Violated];
    assert_eq!(verdicts(text), expected);
    let stuck = text.replace("exists other p: p.at = b", "false");
    let expected = [Violated, Holds, Holds, Violated, Holds, Violated];
    assert_eq!(verdicts(&stuck), expected);
}

#[test]
fn formulas_need_no_processes() {
    let text = "
        global light : { red, green, off } = red
        step on: when light = red then light := green
        step back: when light = green then light := red
        property both: (always eventually light = red) and (always eventually light = green)
        property on: always (light = red => next light = green)
        property never_off: not eventually light = off
        property stays: eventually always light = green";
    use Verdict::{Holds, Violated};
    assert_eq!(verdicts(text), [Holds, Holds, Holds, Violated]);
    let broken = text.replace(
        "then light := red",
        "then light := red or then light := off",
    );
    assert_eq!(verdicts(&broken), [Violated, Holds, Violated, Violated]);
}

/// The text with its properties replaced by a random formula.
fn with_formula(text: &str, random: &mut random::Random) -> String {
    let lines = text.lines();
    let lines = lines.filter(|line| !line.trim_start().starts_with("property "));
    let mut text = lines.collect::<Vec<_>>().join("\n");
    let formula = formula(random, 2);
    text += &format!("\nproperty f: for each p: always {formula}\n");
    text
}

fn formula(random: &mut random::Random, depth: usize) -> String {
    let atoms = [
        "(p.at = a)",
        "(p.at = b)",
        "(exists q: q.at = b)",
        "(forall q: q.at = a)",
    ];
    if depth == 0 {
        return random.pick(&atoms).to_owned();
    }
    let one = formula(random, depth - 1);
    match random.below(8) {
        0 => format!("(eventually {one})"),
        1 => format!("(always {one})"),
        2 => format!("(next {one})"),
        3 => format!("(not {one})"),
        4 => format!("({one} until {})", formula(random, depth - 1)),
        5 => format!("({one} unless {})", formula(random, depth - 1)),
        6 => format!("({one} => {})", formula(random, depth - 1)),
        _ => format!("((eventually {one}) or {})", random.pick(&atoms)),
    }
}

#[test]
fn the_reduction_of_formulas_agrees_with_fair_loops_of_the_graph() {
    let (mut yes, mut no) = (0, 0);
    for seed in 0..80 {
        let mut random = random::Random::new(seed);
        let text = random::progress(&mut random);
        let text = random::with_faults(&with_formula(&text, &mut random), seed);
        let protocol = read(&text);
        let budget = Budget::unlimited();
        let compiled = protocol.compile(&budget).unwrap();
        let interpreter = Interpreter::new(&protocol, &compiled);
        let problem = protocol.progress_problem("f", &budget).unwrap().unwrap();
        for size in 1..=2 {
            let found = interpreter.starvation(size, &budget).unwrap();
            // The globals are one more letter: where the automaton is.
            let Some(violated) = is_violated(&problem, size + 1) else {
                continue;
            };
            assert_eq!(violated, !found.is_empty(), "seed {seed}, {size}\n{text}");
            *(if violated { &mut yes } else { &mut no }) += 1;
        }
    }
    assert!(yes > 20 && no > 10, "{yes} violated, {no} not");
}

#[test]
fn what_cannot_be_asked_is_unknown_with_the_reason() {
    let reason = |text: &str| {
        let report = read(text).check(&[], &Options::default(), &Context::default());
        match report.unwrap().answers[0].answer.verdict() {
            Verdict::Unknown(stop) => stop.to_string(),
            other => panic!("{other:?}: {text}"),
        }
    };
    let words = "
        process { location a, b }
        initially word \"a a*\"
        step go: when at = a then at := b
        property p: for each p: eventually p.at = b";
    assert!(reason(words).contains("said by words"));
}
