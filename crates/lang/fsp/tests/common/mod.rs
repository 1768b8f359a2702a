//! What the tests share.
#![allow(dead_code, reason = "each test file uses a part")]

pub(crate) mod naive;
pub(crate) mod random;

use quotient_compose::{Lts, Network};
use quotient_core::{Budget, Source, Trouble};
use quotient_fsp::{Compiled, Model, Options};
use quotient_language::Answer;

/// Keeps an answer as front ends do: a verdict may be told again, with more to show for it.
pub(crate) fn keep(all: &mut Vec<Answer>, answer: Answer) {
    match all.iter_mut().find(|one| one.property == answer.property) {
        Some(before) => {
            assert_eq!(before.verdict, answer.verdict, "{}", answer.property);
            *before = answer;
        }
        None => all.push(answer),
    }
}

/// Compiles a system of a text.
pub(crate) fn compiled(text: &str, system: &str) -> Result<Compiled, Trouble> {
    let model = Model::read(&Source::new("test.lts", text)).map_err(Trouble::from)?;
    let options = Options {
        system: Some(system.to_string()),
        ..Options::default()
    };
    model.compile(&options, &Budget::unlimited())
}

/// Compiles and composes a system, exactly as written.
pub(crate) fn composed(text: &str, system: &str) -> Result<Lts, String> {
    let mut compiled = compiled(text, system).map_err(|error| error.to_string())?;
    compiled.system.set_root(compiled.whole);
    let budget = Budget::unlimited();
    let network = Network::new(&compiled.system, &budget).map_err(|stop| format!("{stop:?}"))?;
    network.compose(&budget).map_err(|stop| format!("{stop:?}"))
}

/// States and transitions.
pub(crate) fn sizes(text: &str, system: &str) -> (usize, usize) {
    let lts = composed(text, system).unwrap();
    (lts.states(), lts.transitions())
}

/// The alphabet, sorted.
pub(crate) fn labels(text: &str, system: &str) -> Vec<String> {
    let compiled = compiled(text, system).unwrap();
    let alphabet = compiled.system.alphabet(compiled.whole);
    let names = alphabet
        .iter()
        .map(|&action| compiled.system.actions.name(action));
    let mut names: Vec<String> = names.map(str::to_string).collect();
    names.sort_unstable();
    names
}

/// The example models of the repository: file name and text.
pub(crate) fn examples() -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/gallery");
    let mut examples: Vec<(String, String)> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "lts"))
        .map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, std::fs::read_to_string(&path).unwrap())
        })
        .collect();
    examples.sort();
    assert!(!examples.is_empty());
    examples
}
