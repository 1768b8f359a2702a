//! The kinds of evidence that the sources name.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Constants of the same shape that are no kinds: orders of letters in a format of automata.
const OTHERS: [&str; 2] = ["letters-of-bits", "letters-like-bits"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The page that says what each kind shows.
pub(crate) fn explained() -> String {
    std::fs::read_to_string(root().join("docs/trust.md")).expect("docs/trust.md")
}

/// Every kind that a crate declares, with the file: constants whose value is `family-kind`. Front ends, tests and the tools for
/// tests declare none.
pub(crate) fn declared() -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![root().join("crates")];
    let passed_over = [
        "tests",
        "benches",
        "target",
        "cli",
        "web",
        "report",
        "soak",
        "forger",
        "testkit",
        "experiments",
    ];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder").flatten() {
            let path = entry.path();
            let name = entry.file_name().to_string_lossy().into_owned();
            if path.is_dir() && !passed_over.contains(&name.as_str()) {
                folders.push(path);
            } else if name.ends_with(".rs") && !name.ends_with("tests.rs") {
                let text = std::fs::read_to_string(&path).expect("a source");
                for kind in text.lines().filter_map(kind_of) {
                    found.insert(kind.to_owned(), path.display().to_string());
                }
            }
        }
    }
    found
}

/// The kind that a line declares.
fn kind_of(line: &str) -> Option<&str> {
    let (before, value) = line.split_once("str = \"")?;
    let is_constant = before
        .trim_start()
        .trim_start_matches("pub")
        .contains("const ");
    let value = value.strip_suffix("\";")?;
    let is_plain =
        |part: &str| !part.is_empty() && part.chars().all(|sign| sign.is_ascii_lowercase());
    let is_kind = value.contains('-') && value.split('-').all(is_plain);
    (is_constant && is_kind && !OTHERS.contains(&value)).then_some(value)
}
