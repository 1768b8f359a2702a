//! Every example says what to expect of it, and that is what comes out: by the engine for all
//! sizes, with evidence that the independent checker accepts, and by the interpreter for small
//! sizes.

use std::path::PathBuf;

use quotient_certify::{WordProblem, certify_words};
use quotient_core::{Budget, Context, Source, Verdict};
use quotient_protocol::{Interpreter, Protocol};
use quotient_regular::{Found, Options, check};

fn gallery() -> Vec<(String, Source)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../examples/protocols");
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

#[test]
fn every_example_is_as_it_says() {
    for (name, source) in gallery() {
        let budget = Budget::unlimited();
        let protocol = Protocol::parse(&source).unwrap_or_else(|error| panic!("{error}"));
        let compiled = protocol
            .compile(&budget)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let expected = expectations(&source);
        assert_eq!(
            expected
                .iter()
                .map(|(name, ..)| name.as_str())
                .collect::<Vec<_>>(),
            protocol.property_names().collect::<Vec<_>>(),
            "{name}: the properties expected and there"
        );
        let problem = compiled.problem().unwrap();
        let report = check(&problem, &Options::default(), &Context::default());
        for (answer, (property, holds, steps)) in report.answers.iter().zip(&expected) {
            let verdict = if *holds {
                Verdict::Holds
            } else {
                Verdict::Violated
            };
            assert_eq!(answer.verdict(), verdict, "{name}: {property}");
            if let (Found::Run(run), Some(steps)) = (&answer.found, steps) {
                assert_eq!(run.steps.len(), *steps, "{name}: {property}");
            }
            let evidence = answer.evidence(&problem, false).unwrap();
            let words = WordProblem {
                initial: compiled.initial(),
                bad: compiled.bad(),
                relation: compiled.relation(),
            };
            certify_words(&evidence, &words, &budget)
                .unwrap_or_else(|error| panic!("{name}: {property}: {error}"));
        }
    }
}

#[test]
fn small_instances_agree_with_the_verdicts() {
    for (name, source) in gallery() {
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
            for (property, _) in &explored.violations {
                let holds = expected
                    .iter()
                    .any(|(known, holds, _)| known == property && *holds);
                assert!(!holds, "{name}: {property} is violated by {size} processes");
            }
        }
    }
}
