//! The files in the gallery of problems about words are the models, and their table tells the verdicts.
//!
//! With `QUOTIENT_WRITE_EXAMPLES=1` the files are written instead of compared.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use quotient_automata::formats::{Format, Limits, Machine, Named, Role, write};
use quotient_core::Budget;
use quotient_experiments::models::{Example, catalogue};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../lang/words/gallery")
}

/// The files of one example, by name.
fn files_of(example: &Example) -> BTreeMap<String, String> {
    let timbuk = |name: &str, machine: Machine| {
        let named = [Named::new(name, Role::Unspecified, machine)];
        let written = write(
            &named,
            Format::Timbuk,
            &Limits::default(),
            &Budget::unlimited(),
        );
        written.unwrap().text
    };
    let file = |name: &str| {
        let plain = |c: char| {
            if c.is_ascii_alphanumeric() {
                c.to_ascii_lowercase()
            } else {
                '-'
            }
        };
        let words: String = name.chars().map(plain).collect();
        let parts: Vec<&str> = words.split('-').filter(|part| !part.is_empty()).collect();
        format!("{}.tmb", parts.join("-"))
    };
    let problem = &example.problem;
    let mut files = BTreeMap::new();
    files.insert(
        "init.tmb".to_owned(),
        timbuk("Init", problem.initial().clone().into()),
    );
    let bad = &problem.properties()[0];
    files.insert("bad.tmb".to_owned(), timbuk("Bad", bad.bad.clone().into()));
    let mut manifest = format!(
        "# {}.\n# Expected: {}.\ninit = \"init.tmb\"\n\n[bad]\n\"{}\" = \"bad.tmb\"\n",
        example.about, example.verdict, bad.name
    );
    let mut transitions = Vec::new();
    for (name, part) in problem.relation().parts() {
        files.insert(file(name), timbuk(name, part.clone().into()));
        transitions.push(format!("    \"{}\",\n", file(name)));
    }
    let list = format!("transitions = [\n{}]\n", transitions.concat());
    manifest = manifest.replacen("\n[bad]", &format!("{list}\n[bad]"), 1);
    files.insert("problem.toml".to_owned(), manifest);
    files
}

fn table(examples: &[Example]) -> String {
    let mut text = "# Problems about words\n\nEach folder is a problem for `quotient check`. \
        They are written from the rules in `crates/experiments/src/models`,\n\
        but for `to-begin-with`, whose lines are explained.\n\n\
        | folder | what it is | verdict |\n|---|---|---|\n"
        .to_owned();
    for example in examples {
        let row = format!(
            "| {} | {} | {} |\n",
            example.name, example.about, example.verdict
        );
        text.push_str(&row);
    }
    text
}

#[test]
fn files_are_those_of_the_models() {
    let examples = catalogue();
    let mut expected = BTreeMap::from([(folder().join("README.md"), table(&examples))]);
    for example in &examples {
        for (name, text) in files_of(example) {
            expected.insert(folder().join(example.name).join(name), text);
        }
    }
    for (path, text) in expected {
        if std::env::var_os("QUOTIENT_WRITE_EXAMPLES").is_some() {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, &text).unwrap();
        }
        let found = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(found == text, "{} is not up to date", path.display());
    }
}
