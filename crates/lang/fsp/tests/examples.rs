//! The examples say in their heads what a check answers; here it is checked.

mod common;

use quotient_compose::{Network, State};
use quotient_core::{Budget, Source};
use quotient_fsp::{Model, Options};

/// One line `// quotient check FILE [--system S] [--constant N=1] holds|violated`.
struct Claim {
    options: Options,
    holds: bool,
    line: String,
}

fn claims(text: &str) -> Vec<Claim> {
    text.lines()
        .filter(|line| line.starts_with("// quotient check "))
        .filter(|line| !line.contains("--progress") && !line.contains("--ltl"))
        .map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let after = |option: &str| {
                let at = words.iter().position(|word| *word == option)?;
                Some(words[at + 1])
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
                    system: after("--system").map(str::to_string),
                    constants: constants.into_iter().collect(),
                    ..Options::default()
                },
                holds: verdict.unwrap_or_else(|| panic!("{line}")) == "holds",
                line: line.to_string(),
            }
        })
        .collect()
}

#[test]
fn examples_answer_what_they_say() {
    let budget = Budget::unlimited();
    for (name, text) in common::examples() {
        let model = Model::read(&Source::new(&name, text.as_str())).unwrap();
        let claims = claims(&text);
        assert!(!claims.is_empty(), "{name} says nothing");
        for claim in claims {
            let compiled = model.compile(&claim.options, &budget).unwrap();
            let warnings: Vec<String> = compiled.warnings.iter().map(ToString::to_string).collect();
            assert!(warnings.is_empty(), "{name}: {warnings:?}");
            let network = Network::new(&compiled.system, &budget).unwrap();
            let lts = network.compose(&budget).unwrap();
            let deadlock = (0..lts.states() as State)
                .any(|state| lts.edges(state).is_empty() && lts.end() != Some(state));
            assert_eq!(
                !lts.has_error() && !deadlock,
                claim.holds,
                "{name}: {}",
                claim.line
            );
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
