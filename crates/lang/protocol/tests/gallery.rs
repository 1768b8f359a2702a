//! Every example says what to expect of it, and that is what comes out: by the engine for all
//! sizes, with evidence that the independent checker accepts, and by the interpreter for small
//! sizes.

use std::path::PathBuf;

use quotient_certify::{WordProblem, certify_words};
use quotient_core::{Budget, Context, Source, Verdict};
use quotient_language::{Answer, Ask, Input, Model, NoFiles, Settings, Verb};
use quotient_protocol::{Answered, Interpreter, LANGUAGE, Protocol};
use quotient_regular::Options;

fn gallery() -> Vec<(String, Source)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("gallery");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    let read = |path: PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        (name.clone(), Source::new(name, text))
    };
    files
        .into_iter()
        .filter(|path| path.extension().is_some_and(|end| end == "protocol"))
        .map(read)
        .collect()
}

/// The lines `// expect NAME: holds` or `// expect NAME: violated [in N steps]`.
fn expectations(source: &Source) -> Vec<(String, bool, Option<usize>)> {
    let line = |line: &str| {
        let (name, verdict) = line.strip_prefix("// expect ")?.split_once(": ")?;
        let steps = verdict
            .strip_prefix("violated in ")
            .map(|rest| rest.split(' ').next().unwrap().parse().unwrap());
        Some((name.to_owned(), verdict.starts_with("holds"), steps))
    };
    source.text().lines().filter_map(line).collect()
}

/// What fits into words, but is only shown with arrays.
const BY_ARRAYS: &[&str] = &["lamport_fast.protocol"];

/// Whether the words of a protocol are few enough to be compiled, and to show what it says.
fn fits_into_words(source: &Source) -> bool {
    if BY_ARRAYS.contains(&source.name()) {
        return false;
    }
    let protocol = Protocol::parse(source).unwrap();
    let steps = protocol.compile_steps(1, &Budget::unlimited().child_with_work(3_000_000));
    steps.is_ok()
}

#[test]
fn every_example_is_as_it_says() {
    for (name, source) in gallery() {
        if !fits_into_words(&source) {
            continue;
        }
        let budget = Budget::unlimited();
        let protocol = Protocol::parse(&source).unwrap_or_else(|error| panic!("{error}"));
        let expected = expectations(&source);
        assert_eq!(
            expected
                .iter()
                .map(|(name, ..)| name.as_str())
                .collect::<Vec<_>>(),
            protocol.property_names().collect::<Vec<_>>(),
            "{name}: the properties expected and there"
        );
        let report = protocol
            .check(&[], &Options::default(), &Context::default())
            .unwrap();
        for (answered, (property, holds, steps)) in report.answers.iter().zip(&expected) {
            let Answered {
                answer,
                problem,
                trace,
                ..
            } = answered;
            let verdict = if *holds {
                Verdict::Holds
            } else {
                Verdict::Violated
            };
            assert_eq!(answer.verdict(), verdict, "{name}: {property}");
            assert_eq!(trace.is_some(), !holds, "{name}: {property}");
            if let (Some(trace), Some(steps)) = (trace, steps) {
                assert_eq!(trace.rows.len() - 1, *steps, "{name}: {property}");
            }
            let bad = (problem.properties().iter())
                .map(|property| (property.name.clone(), property.bad.clone()));
            let words = WordProblem {
                initial: problem.initial(),
                bad: &bad.collect::<Vec<_>>(),
                relation: problem.relation(),
            };
            let evidence = answer.evidence(problem, false).unwrap();
            certify_words(&evidence, &words, &budget)
                .unwrap_or_else(|error| panic!("{name}: {property}: {error}"));
        }
    }
}

#[test]
fn small_instances_agree_with_the_verdicts() {
    for (name, source) in gallery() {
        if !fits_into_words(&source) {
            continue;
        }
        let protocol = Protocol::parse(&source).unwrap();
        let compiled = protocol.compile(&Budget::unlimited()).unwrap();
        let interpreter = Interpreter::new(&protocol, &compiled);
        let expected = expectations(&source);
        for size in 1..=3 {
            // Queues and stacks grow for ever: search as far as a fixed amount of work goes.
            let budget = Budget::unlimited().child_with_work(3000);
            let Ok(explored) = interpreter.explore(size, &budget) else {
                continue;
            };
            let budget = Budget::unlimited().child_with_work(100_000);
            let starving = interpreter.starvation(size, &budget).unwrap_or_default();
            for (property, _) in explored.violations.iter().chain(&starving) {
                let holds = expected
                    .iter()
                    .any(|(known, holds, _)| known == property && *holds);
                assert!(!holds, "{name}: {property} is violated by {size} processes");
            }
        }
    }
}

fn opened(source: &Source, settings: &Settings) -> Box<dyn Model> {
    let input = Input::text(source);
    let opened = LANGUAGE.open(&input, &mut NoFiles, settings, &Context::default());
    opened.unwrap_or_else(|trouble| panic!("{trouble}"))
}

fn instance(source: &Source, processes: usize) -> Vec<Answer> {
    let pairs = [("processes".to_owned(), processes.to_string())];
    let settings = LANGUAGE.about().settings;
    let settings = Settings::new("protocol", settings, Verb::Instance, &pairs).unwrap();
    let context = Context {
        budget: Budget::unlimited().child_with_work(3_000),
        ..Context::default()
    };
    let inspected = opened(source, &settings).instance(&context);
    inspected.map(|one| one.answers).unwrap_or_default()
}

#[test]
fn what_does_not_fit_into_words_is_as_it_says_too() {
    let mut seen = 0;
    for (name, source) in gallery() {
        if fits_into_words(&source) {
            continue;
        }
        seen += 1;
        let mut model = opened(&source, &Settings::default());
        let mut answers: Vec<Answer> = Vec::new();
        let context = Context::default();
        let checked = model.check(&Ask::default(), &context, &mut |one| answers.push(one));
        checked.unwrap_or_else(|trouble| panic!("{name}: {trouble}"));
        let properties = model.properties();
        let small: Vec<Answer> = (1..=2).flat_map(|size| instance(&source, size)).collect();
        for (property, holds, _) in expectations(&source) {
            let verdict = if holds {
                Verdict::Holds
            } else {
                Verdict::Violated
            };
            let answer = answers.iter().find(|one| one.property == property).unwrap();
            assert_eq!(
                answer.verdict, verdict,
                "{name}: {property}: {}",
                answer.because
            );
            let asked = properties.iter().find(|one| one.name == property).unwrap();
            let evidence = answer.evidence.as_ref().unwrap();
            let certified = model.certify(evidence, asked, &Budget::unlimited());
            certified.unwrap_or_else(|rejected| panic!("{name}: {property}: {rejected}"));
            let mut same = small.iter().filter(|one| one.property == property);
            let violated = same.any(|one| one.verdict == Verdict::Violated);
            assert!(
                !(holds && violated),
                "{name}: {property} with few processes"
            );
        }
    }
    assert!(seen >= 6, "only {seen}");
}
