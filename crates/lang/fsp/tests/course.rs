//! The constructs of a course on concurrency (Magee and Kramer's chapters), each in models of
//! our own that say what LTSA answers: `// check [--system S] [--progress] [--ltl A]: verdict`,
//! and where it is known, the states and transitions.

mod common;

use quotient_certify::certify_components;
use quotient_compose::{Way, check};
use quotient_core::{Context, Diagnostic, Severity, Source, Verdict};
use quotient_fsp::{Ask, Model, Options, parse};

struct Claim {
    line: String,
    options: Options,
    ask: Ask,
    holds: bool,
    sizes: Option<(usize, usize)>,
}

fn claims(text: &str) -> Vec<Claim> {
    let lines = text
        .lines()
        .filter_map(|line| line.strip_prefix("// check "));
    lines
        .map(|line| {
            let (question, answer) = line.split_once(": ").unwrap();
            let words: Vec<&str> = question.split_whitespace().collect();
            let after = |option: &str| {
                let at = words.iter().position(|word| *word == option)?;
                Some(words[at + 1].to_owned())
            };
            let numbers: Vec<usize> = answer
                .split([' ', ','])
                .filter_map(|word| word.parse().ok())
                .collect();
            Claim {
                line: line.to_owned(),
                options: Options {
                    system: after("--system"),
                    ..Options::default()
                },
                ask: match after("--ltl") {
                    Some(name) => Ask::Assertion { name, fair: true },
                    None if words.contains(&"--progress") => Ask::Progress,
                    None => Ask::Safety,
                },
                holds: answer.starts_with("holds"),
                sizes: match numbers[..] {
                    [states, transitions] => Some((states, transitions)),
                    _ => None,
                },
            }
        })
        .collect()
}

/// What is wrong with a claim.
fn wrong(model: &Model, text: &str, claim: &Claim) -> Option<String> {
    let cx = Context::default();
    let mut compiled = match model.compile(&claim.options, &cx.budget) {
        Ok(compiled) => compiled,
        Err(error) => return Some(format!("{error}")),
    };
    let question = model.question(&claim.ask, &claim.options, &mut compiled, &cx.budget);
    let question = match question {
        Ok(question) => question,
        Err(error) => return Some(format!("{error}")),
    };
    let is_warning = |one: &&Diagnostic| one.severity == Severity::Warning;
    if let Some(warning) = compiled.warnings.iter().find(is_warning) {
        return Some(format!("{warning}"));
    }
    let how = quotient_compose::Options {
        way: Way::Monolithic,
        threads: 1,
        ..Default::default()
    };
    let report = check(&compiled.system, &question, &how, &cx).unwrap();
    let expected = match claim.holds {
        true => Verdict::Holds,
        false => Verdict::Violated,
    };
    if report.verdict() != expected {
        let answers: Vec<String> = report
            .answers
            .iter()
            .map(|answer| format!("{}: {}", answer.about, answer.verdict))
            .collect();
        return Some(answers.join(", "));
    }
    for answer in &report.answers {
        let evidence = answer.evidence.as_ref().unwrap();
        let accepted = certify_components(evidence, &compiled.system, &question, &cx.budget);
        if let Err(rejection) = accepted {
            return Some(format!("{} is not certified: {rejection}", answer.about));
        }
    }
    let system = claim.options.system.as_deref().unwrap_or_default();
    let sizes = common::sizes(text, system);
    match claim.sizes {
        Some(expected) if expected != sizes => Some(format!("{sizes:?}")),
        _ => None,
    }
}

#[test]
fn answers_are_those_of_the_course() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/course");
    let mut mistakes = Vec::new();
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        let source = Source::new(&name, text.as_str());
        let model = match Model::read(&source) {
            Ok(model) => model,
            Err(diagnostics) => {
                let diagnostic = &diagnostics[0];
                let span = diagnostic.labels.first().map(|label| label.span.start);
                let line = span.map(|at| text[..at].lines().count());
                mistakes.push(format!("{name}: {diagnostic} in line {line:?}"));
                continue;
            }
        };
        // What was read can be printed, and says the same.
        let printed = model.specification().to_string();
        let again = parse(&Source::new(&name, printed.as_str())).map(|(again, _)| again);
        if again.map(|again| again.to_string()).ok() != Some(printed) {
            mistakes.push(format!("{name}: cannot be printed and read again"));
        }
        for claim in claims(&text) {
            count += 1;
            if let Some(wrong) = wrong(&model, &text, &claim) {
                mistakes.push(format!("{name}: {}: {wrong}", claim.line));
            }
        }
    }
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
    assert!(count > 60, "{count}");
}
