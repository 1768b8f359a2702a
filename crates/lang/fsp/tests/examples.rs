//! The examples say in their heads what a check answers; here it is checked.

mod common;

use quotient_compose::{Goals, Violation, check_formula, check_progress, explore};
use quotient_core::{Budget, Context, Source};
use quotient_fsp::{Model, Options};

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

/// Whether a claim is true of its model; violations are replayed.
fn holds(model: &Model, claim: &Claim) -> bool {
    let cx = Context::default();
    let mut compiled = model.compile(&claim.options, &cx.budget).unwrap();
    let warnings: Vec<String> = compiled.warnings.iter().map(ToString::to_string).collect();
    assert!(warnings.is_empty(), "{warnings:?}");
    if let Some(name) = &claim.assertion {
        let check = model
            .assertion(name, &claim.options, &mut compiled.system, &cx.budget)
            .unwrap();
        let network = compiled.network(&cx.budget).unwrap();
        let found = check_formula(&network, &check.formula, &check.fluents, true, &cx);
        return found.unwrap().is_none();
    }
    let network = compiled.network(&cx.budget).unwrap();
    if claim.progress {
        let found = check_progress(&network, &compiled.progress, &cx).unwrap();
        return found.is_none();
    }
    let goals = Goals {
        deadlock: true,
        error: true,
    };
    let found = explore(&network, goals, 1, &cx).unwrap().finding;
    if let Some((violation, events)) = &found {
        let steps = compiled.replay(&network, events).unwrap().steps;
        assert_eq!(steps.len(), events.len());
        if let Violation::Error(component) = violation {
            assert!(compiled.watchers(&network).contains(component));
            let last = &steps.last().unwrap().moves;
            let erred = last
                .iter()
                .find(|moved| moved.state.as_deref() == Some("ERROR"));
            let name = &network.components()[*component].name;
            assert_eq!(erred.unwrap().component, **name);
        }
    }
    found.is_none()
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

#[test]
fn traces_that_cannot_happen_are_refused() {
    let text = "P = (a -> b -> P).";
    let compiled = common::compiled(text, "P").unwrap();
    let network = compiled.network(&Budget::unlimited()).unwrap();
    let events: Vec<_> = network.events().collect();
    let [a, b] = events.as_slice() else {
        panic!("two events");
    };
    let replay = compiled.replay(&network, &[*a, *b, *a]).unwrap();
    assert_eq!(replay.steps.len(), 3);
    assert_eq!(replay.end[0].offers, ["b"]);
    assert_eq!(compiled.replay(&network, &[*a, *a]), Err(1));
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
