//! The examples say in their heads what a check answers; here it is checked.

mod common;

use quotient_compose::{Finding, Violation, check};
use quotient_core::{Context, Source, Verdict};
use quotient_fsp::{Ask, Model, Options, Teller};

/// One line `// quotient check FILE [--system S] [--constant N=1] [--progress] [--ltl A] VERDICT`.
struct Claim {
    options: Options,
    progress: bool,
    assertion: Option<String>,
    holds: bool,
    line: String,
}

fn claims(text: &str) -> Vec<Claim> {
    text.lines()
        .filter(|line| line.starts_with("// quotient check "))
        .map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let after = |option: &str| {
                let at = words.iter().position(|word| *word == option)?;
                Some(words[at + 1].to_string())
            };
            let constants = after("--constant").map(|setting| {
                let (name, value) = setting.split_once('=').unwrap();
                (name.to_string(), value.parse().unwrap())
            });
            let verdict = words
                .iter()
                .map(|word| word.trim_end_matches([':', ',']))
                .find(|word| matches!(*word, "holds" | "violated"));
            Claim {
                options: Options {
                    system: after("--system"),
                    constants: constants.into_iter().collect(),
                    ..Options::default()
                },
                progress: words.contains(&"--progress"),
                assertion: after("--ltl"),
                holds: verdict.unwrap_or_else(|| panic!("{line}")) == "holds",
                line: line.to_string(),
            }
        })
        .collect()
}

/// Whether a claim is true of its model; violations are told.
fn holds(model: &Model, claim: &Claim) -> bool {
    let cx = Context::default();
    let mut compiled = model.compile(&claim.options, &cx.budget).unwrap();
    let ask = match &claim.assertion {
        Some(name) => Ask::Assertion {
            name: name.clone(),
            fair: true,
        },
        None if claim.progress => Ask::Progress,
        None => Ask::Safety,
    };
    let question = model
        .question(&ask, &claim.options, &mut compiled, &cx.budget)
        .unwrap();
    let warnings: Vec<String> = compiled.warnings.iter().map(ToString::to_string).collect();
    assert!(warnings.is_empty(), "{warnings:?}");
    let how = quotient_compose::Options {
        threads: 1,
        ..Default::default()
    };
    let report = check(&compiled.system, &question, &how, &cx).unwrap();
    for answer in &report.answers {
        let Finding::Trace(trace) = &answer.finding else {
            continue;
        };
        let teller = Teller::new(&report.network, &cx.budget).unwrap();
        let told = teller.tell(&trace.initial, &trace.steps);
        assert!(told.steps.iter().all(|step| !step.moves.is_empty()));
        match trace.violation {
            Violation::Error(component) => {
                assert!(compiled.watchers(&report.network).contains(&component));
                assert_eq!(told.end[component].state.as_deref(), Some("ERROR"));
            }
            Violation::Deadlock => {
                // Everyone waits for something that someone else does not offer.
                let waits = told.end.iter().flat_map(|waiting| &waiting.waits);
                assert!(waits.clone().count() > 0);
                assert!(waits.clone().all(|wait| !wait.held_up_by.is_empty()));
            }
        }
    }
    report.verdict() == Verdict::Holds
}

#[test]
fn examples_answer_what_they_say() {
    for (name, text) in common::examples() {
        let model = Model::read(&Source::new(&name, text.as_str())).unwrap();
        let claims = claims(&text);
        assert!(!claims.is_empty(), "{name} says nothing");
        for claim in claims {
            assert_eq!(holds(&model, &claim), claim.holds, "{name}: {}", claim.line);
        }
    }
}

/// Sizes that LTSA gives for models that behave like ours.
#[test]
fn sizes_are_those_of_ltsa() {
    let sizes = |file: &str, system: &str| {
        let examples = common::examples();
        let (_, text) = examples.iter().find(|(name, _)| name == file).unwrap();
        common::sizes(text, system)
    };
    assert_eq!(sizes("client_server.lts", "CLIENTS"), (16, 40));
    assert_eq!(sizes("client_server.lts", "SYSTEM"), (11, 18));
    assert_eq!(sizes("mer.lts", "SYSTEM"), (41, 68));
    assert_eq!(sizes("chiron.lts", "ORDERED"), (464, 4384));
    assert_eq!(sizes("chiron.lts", "CAUSED"), (688, 6512));
    assert_eq!(sizes("gas_station.lts", "CUSTOMERS"), (343, 1470));
}
