//! The models in `examples/states` say what to expect of them; here it is compared.
//!
//! * `-- expect 2: holds` is about a specification, by its number; `, vacuous` may follow;
//! * `-- query EF ?{x}: 3` is about the number of solutions of a query.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

fn quotient(arguments: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_quotient"))
        .args(arguments)
        .args(["--format", "json"])
        .output()
        .unwrap();
    serde_json::from_slice(&output.stdout).unwrap()
}

fn models() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/states");
    let files = std::fs::read_dir(folder).unwrap();
    let mut files: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "smv"));
    files.sort();
    files
}

/// The lines of a model that begin with a word, without it.
fn lines(text: &str, word: &str) -> Vec<(String, String)> {
    let start = format!("-- {word} ");
    let lines = text.lines().filter_map(|line| line.strip_prefix(&start));
    let pair = |line: &str| {
        let (what, expected) = line.rsplit_once(": ").expect("a colon");
        (what.to_owned(), expected.to_owned())
    };
    lines.map(pair).collect()
}

#[test]
fn examples_have_the_verdicts_that_they_expect() {
    let models = models();
    assert!(models.len() >= 5, "only {} examples", models.len());
    for model in models {
        let text = std::fs::read_to_string(&model).unwrap();
        let report = quotient(&["check", "--vacuity", model.to_str().unwrap()]);
        let properties = report["result"]["properties"]
            .as_array()
            .unwrap_or_else(|| panic!("{}: {report}", model.display()));
        let expected = lines(&text, "expect");
        assert_eq!(expected.len(), properties.len(), "{}", model.display());
        for (property, (number, expected)) in properties.iter().zip(expected) {
            assert_eq!(
                property["number"].to_string(),
                number,
                "{}",
                model.display()
            );
            let vacuous = match property["vacuity"]["vacuous"].as_bool() {
                Some(true) => ", vacuous",
                _ => "",
            };
            let found = format!("{}{vacuous}", property["verdict"].as_str().unwrap());
            let what = &property["property"];
            assert_eq!(found, expected, "{}: {what}", model.display());
        }
        let doubts = &report["result"]["doubts"];
        assert_eq!(doubts.as_array().map(Vec::len), Some(0), "{doubts}");
        assert!(report["diagnostics"].is_null(), "{report}");
    }
}

#[test]
fn queries_have_as_many_solutions_as_the_examples_expect() {
    let mut asked = 0;
    for model in models() {
        let text = std::fs::read_to_string(&model).unwrap();
        for (query, expected) in lines(&text, "query") {
            let report = quotient(&["query", model.to_str().unwrap(), &query]);
            assert_eq!(report["result"]["count"], expected, "{query}: {report}");
            asked += 1;
        }
    }
    assert!(asked >= 5, "only {asked} queries");
}

#[test]
fn both_ways_agree_about_vacuity() {
    for model in models() {
        let model = model.to_str().unwrap();
        let atoms = |way: &[&str]| {
            let arguments = [&["vacuity", model], way].concat();
            let report = quotient(&arguments);
            let properties = report["result"]["properties"].as_array().unwrap().clone();
            let atoms = properties.iter().map(|property| {
                let atoms = property["vacuity"]["atoms"].as_array().unwrap().clone();
                let pair = |atom: &Value| (atom["part"].clone(), atom["vacuous"].clone());
                atoms.iter().map(pair).collect::<Vec<_>>()
            });
            atoms.collect::<Vec<_>>()
        };
        assert_eq!(atoms(&[]), atoms(&["--naive"]), "{model}");
    }
}
