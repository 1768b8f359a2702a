//! The models in `examples/states` say what to expect of them; here it is compared.
//!
//! * `-- expect 2: holds` is about a specification, by its number; `, vacuous` may follow;
//! * `-- vacuous 2: p | q` is about its largest vacuous parts;
//! * `-- query EF ?{x}: 3` is about the number of solutions of a query from all initial states
//!   (`query some …`, `query each …` from some or each), and `3 = …; …; …` tells them, too;
//! * `-- general AF ?{x}: 2` is about its strongest (weakest) solutions among all statements;
//! * `-- cell petal 0110: 448` is about a state that is never left (its digits are the values of
//!   the variables) and the number of initial states that lead there.

mod flower;

use std::collections::BTreeMap;
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
    assert!(models.len() >= 11, "only {} examples", models.len());
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

/// The solutions as formulas, sorted.
fn formulas(solutions: &Value) -> Vec<String> {
    let solutions = solutions.as_array().unwrap().iter();
    let mut formulas: Vec<String> = solutions
        .map(|solution| solution["formula"].as_str().unwrap().to_owned())
        .collect();
    formulas.sort();
    formulas
}

/// The number of solutions that is expected, and the solutions themselves if they are told.
fn expected_solutions(expected: &str) -> (&str, Option<Vec<String>>) {
    match expected.split_once(" = ") {
        None => (expected, None),
        Some((count, solutions)) => {
            let mut solutions: Vec<String> = solutions.split("; ").map(str::to_owned).collect();
            solutions.sort();
            (count, Some(solutions))
        }
    }
}

#[test]
fn queries_have_the_solutions_that_the_examples_expect() {
    let mut asked = 0;
    for model in models() {
        let text = std::fs::read_to_string(&model).unwrap();
        let name = model.to_str().unwrap();
        for (query, expected) in lines(&text, "query") {
            let (initial, query) = match query.split_once(' ') {
                Some((which @ ("some" | "each"), query)) => (which, query),
                _ => ("all", query.as_str()),
            };
            let report = quotient(&["ask", name, query, "--initial", initial]);
            let (count, solutions) = expected_solutions(&expected);
            assert_eq!(report["result"]["count"], count, "{query}: {report}");
            if let Some(solutions) = solutions {
                let found = formulas(&report["result"]["solutions"]);
                assert_eq!(found, solutions, "{name}: {query}");
            }
            asked += 1;
        }
        for (query, expected) in lines(&text, "general") {
            let report = quotient(&["ask", name, &query, "--general"]);
            let (count, solutions) = expected_solutions(&expected);
            let found = formulas(&report["result"]["general"]["solutions"]);
            assert_eq!(found.len().to_string(), count, "{query}: {report}");
            if let Some(solutions) = solutions {
                assert_eq!(found, solutions, "{name}: {query}");
            }
            asked += 1;
        }
    }
    assert!(asked >= 60, "only {asked} queries");
}

#[test]
fn the_largest_vacuous_parts_are_those_that_the_examples_expect() {
    let mut looked = 0;
    for model in models() {
        let text = std::fs::read_to_string(&model).unwrap();
        for (number, expected) in lines(&text, "vacuous") {
            let name = model.to_str().unwrap();
            let report = quotient(&["vacuity", name, "--property", &number]);
            let parts = &report["result"]["properties"][0]["vacuity"]["largest"];
            let parts = parts.as_array().unwrap_or_else(|| panic!("{report}"));
            let parts: Vec<&str> = parts
                .iter()
                .map(|part| part["part"].as_str().unwrap())
                .collect();
            assert_eq!(parts.join(", "), expected, "{name}");
            looked += 1;
        }
    }
    assert!(looked >= 1);
}

#[test]
fn the_flower_has_its_cell_types_with_their_basins() {
    for (file, levels) in [
        ("flower.smv", flower::BOOLEAN),
        ("flower-levels.smv", flower::LEVELS),
    ] {
        let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/states");
        let model = model.join(file);
        let text = std::fs::read_to_string(&model).unwrap();
        let expected: BTreeMap<String, String> = lines(&text, "cell")
            .into_iter()
            .map(|(cell, basin)| (cell.rsplit_once(' ').unwrap().1.to_owned(), basin))
            .collect();
        assert_eq!(expected.len(), 10);
        let model = model.to_str().unwrap();
        let report = quotient(&["ask", model, "stable", "--initial", "each"]);
        let solutions = report["result"]["solutions"].as_array().unwrap();
        let digits = |solution: &Value| {
            let values = solution["values"][0].as_object().unwrap();
            let digit = |gene: &&str| match &values[*gene] {
                Value::Bool(active) => u8::from(*active).to_string(),
                other => other.as_str().unwrap().to_owned(),
            };
            flower::GENES.iter().map(digit).collect::<String>()
        };
        let found: BTreeMap<String, String> = solutions
            .iter()
            .map(|one| {
                (
                    digits(one),
                    one["initialStates"].as_str().unwrap().to_owned(),
                )
            })
            .collect();
        assert_eq!(found, expected, "{file}");
        let followed: BTreeMap<String, String> = flower::basins(levels, None)
            .into_iter()
            .map(|(state, basin)| (state, basin.to_string()))
            .collect();
        assert_eq!(followed, expected, "{file}");
    }
}

#[test]
fn mutants_of_the_flower_lack_organs() {
    let original = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/states/flower.smv");
    let original = std::fs::read_to_string(original).unwrap();
    let folder = std::env::temp_dir().join(format!("quotient-flower-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for (gene, stable) in [("AP1", 7), ("AP3", 8), ("AG", 10), ("LFY", 8), ("UFO", 6)] {
        let next = original.find(&format!("  next({gene})")).unwrap();
        let end = next + original[next..].find('\n').unwrap();
        let knocked_out = format!("  init({gene}) := FALSE;\n  next({gene}) := FALSE;");
        let text = format!("{}{knocked_out}{}", &original[..next], &original[end..]);
        let file = folder.join(format!("{gene}.smv"));
        std::fs::write(&file, text).unwrap();
        let file = file.to_str().unwrap();
        let report = quotient(&["ask", file, "EF AG ?", "--initial", "some"]);
        assert_eq!(report["result"]["count"], stable.to_string(), "{gene}");
        assert_eq!(
            flower::basins(flower::BOOLEAN, Some(gene)).len(),
            stable,
            "{gene}"
        );
    }
    std::fs::remove_dir_all(folder).unwrap();
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
