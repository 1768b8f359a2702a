//! The rules of the house: who may use whom, how long a file and a function may be, and where
//! a language may be named.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::rooms::{certifying, circles};
use crate::supply::{list, metadata, packages, root, text};

/// Checks all rules and prints what breaks them.
pub(crate) fn house() -> bool {
    let mut broken = match metadata() {
        Ok(metadata) => {
            let mut broken = floors(&metadata);
            broken.extend(chosen(&metadata));
            broken
        }
        Err(error) => vec![error],
    };
    let files = sources(&root());
    let files: Vec<(String, String)> = files
        .iter()
        .map(|path| {
            let name = path.strip_prefix(root()).unwrap_or(path);
            let text = std::fs::read_to_string(path).unwrap_or_default();
            (name.to_string_lossy().into_owned(), text)
        })
        .collect();
    for (name, text) in &files {
        broken.extend(lengths(name, text));
        broken.extend(names(name, text));
        broken.extend(certifying(name, text));
    }
    broken.extend(circles("crates/cli/src/", &files));
    broken.iter().for_each(|problem| eprintln!("{problem}"));
    if broken.is_empty() {
        println!("{} files: the rules of the house are kept", files.len());
    }
    broken.is_empty()
}

/// The floor of a crate: it uses only those on lower ones.
fn floor(package: &str, folder: &str) -> Option<u32> {
    if folder.starts_with("crates/lang/") {
        return Some(40);
    }
    Some(match package.strip_prefix("quotient-").unwrap_or(package) {
        "core" | "bits" => 0,
        "language" | "logic" | "lattice" | "xml" => 10,
        // Plain models with their file formats.
        "arithmetic" | "arrays" | "automata" | "lts" | "states" | "netlist" | "markov"
        | "trees" => 20,
        // Engines and the independent checker.
        "backward" | "regular" | "symbolic" | "compose" | "explicit" | "circuit"
        | "probability" | "certify" | "forest" | "progress" => 30,
        "experiments" => 45,
        "workbench" | "report" => 50,
        // The page is also what `--out` writes.
        "web" => 55,
        "cli" | "browser" => 60,
        // Only tests and chores use these.
        "forger" => 65,
        "testkit" | "trial" | "xtask" => 70,
        "soak" => 75,
        package if package.starts_with("example-") => 70,
        _ => return None,
    })
}

/// Languages that the command cannot be built with alone.
fn chosen(metadata: &Value) -> Vec<String> {
    let features = |name: &str| -> Vec<&String> {
        let mut all = packages(metadata).iter();
        let package = all.find(|package| text(package, "name") == name);
        let features = package.and_then(|package| package["features"].as_object());
        features.into_iter().flat_map(|all| all.keys()).collect()
    };
    let offered = features("quotient-cli");
    let missing = features("quotient-workbench").into_iter();
    missing
        .filter(|name| !offered.contains(name))
        .map(|name| format!("crates/cli/Cargo.toml: no feature `{name}`, which the workbench has"))
        .collect()
}

/// Arrows between crates that do not lead down. (Tests may look at anything.)
fn floors(metadata: &Value) -> Vec<String> {
    let members: Vec<&str> = list(metadata, "workspace_members")
        .iter()
        .filter_map(Value::as_str)
        .collect();
    let base = root();
    let mut own: BTreeMap<&str, Option<u32>> = BTreeMap::new();
    let packages: Vec<&Value> = list(metadata, "packages")
        .iter()
        .filter(|package| members.contains(&text(package, "id")))
        .collect();
    for package in &packages {
        let manifest = PathBuf::from(text(package, "manifest_path"));
        let folder = manifest.parent().unwrap_or(&base);
        let folder = folder.strip_prefix(&base).unwrap_or(folder);
        let name = text(package, "name");
        own.insert(name, floor(name, &folder.to_string_lossy()));
    }
    let mut broken = Vec::new();
    for package in &packages {
        let name = text(package, "name");
        let Some(Some(here)) = own.get(name) else {
            broken.push(format!(
                "{name} stands on no floor: add it to xtask/src/house.rs"
            ));
            continue;
        };
        for dependency in list(package, "dependencies") {
            let used = text(dependency, "name");
            let is_test = text(dependency, "kind") == "dev";
            if let (Some(Some(there)), false) = (own.get(used), is_test)
                && there >= here
            {
                broken.push(format!("{name} uses {used}, which does not stand below it"));
            }
        }
    }
    broken
}

/// All Rust files of the repository.
fn sources(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut waiting = vec![
        root.join("crates"),
        root.join("xtask"),
        root.join("examples"),
    ];
    while let Some(folder) = waiting.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else {
            continue;
        };
        for entry in entries.flatten() {
            let path = entry.path();
            let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
            let skipped = path.ends_with("target") || path.ends_with("node_modules");
            if path.is_dir() && !is_link && !skipped {
                waiting.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

const MOST_LINES: usize = 600;
const MOST_OF_A_FUNCTION: usize = 100;
/// Who has a reason to be longer says it in a comment that begins with this.
const REASON: &str = "// Long because ";

fn lengths(name: &str, text: &str) -> Vec<String> {
    let mut broken = Vec::new();
    let lines: Vec<&str> = text.lines().collect();
    if lines.len() > MOST_LINES && !text.contains(REASON) {
        broken.push(format!(
            "{name}: {} lines; split it by meaning",
            lines.len()
        ));
    }
    for (at, line) in lines.iter().enumerate() {
        if !begins_function(line) {
            continue;
        }
        // The code is formatted, so that a function ends at its own indentation.
        let indent = line.len() - line.trim_start().len();
        let ends = |line: &&str| line.len() == indent + 1 && line.trim_start() == "}";
        let rest = &lines[at..];
        let one_line = line.trim_end().ends_with('}') || line.trim_end().ends_with(';');
        let length = rest.iter().position(ends).map_or(0, |end| end + 1);
        let reason = at > 0 && lines[at - 1].trim_start().starts_with(REASON);
        if length > MOST_OF_A_FUNCTION && !one_line && !reason {
            let place = at + 1;
            broken.push(format!("{name}:{place}: a function of {length} lines"));
        }
    }
    broken
}

fn begins_function(line: &str) -> bool {
    let mut words = line.trim_start().split(' ');
    let before = [
        "pub",
        "pub(crate)",
        "pub(super)",
        "const",
        "async",
        "unsafe",
    ];
    words.find(|word| !before.contains(word)) == Some("fn")
}

/// Names of languages that are not words of English, too.
const NAMES: &[&str] = &[
    "SMV", "FSP", "LTSA", "NuSMV", "Promela", "PRISM", "Esterel", "BTOR2", "AIGER", "PNML",
    "Zsyntax",
];

/// A language is named in its crate, in the one list, in documentation, tests, benchmarks and
/// examples of the command, and nowhere else.
fn names(name: &str, text: &str) -> Vec<String> {
    let is_front = [
        "crates/browser/src",
        "crates/cli/src",
        "crates/web/src",
        "crates/workbench/src",
        "crates/report/src",
    ]
    .iter()
    .any(|front| name.starts_with(front));
    if !is_front || name.ends_with("workbench/src/languages.rs") || name.contains("/bench") {
        return Vec::new();
    }
    let mut broken = Vec::new();
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    for (at, line) in code.lines().enumerate() {
        let shown = line.trim_start();
        let is_said = shown.starts_with("//") || shown.starts_with("quotient ");
        let words = shown.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
        let named = words
            .into_iter()
            .find(|word| NAMES.contains(word) || is_language_crate(word));
        if let (Some(named), false) = (named, is_said) {
            broken.push(format!("{name}:{}: names the language {named}", at + 1));
        }
    }
    broken
}

/// Whether a word is the name of a language's crate in code.
fn is_language_crate(word: &str) -> bool {
    let crates = root().join("crates");
    // Plain models may have the name of a language about them.
    word.strip_prefix("quotient_")
        .is_some_and(|name| crates.join("lang").join(name).is_dir() && !crates.join(name).is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_functions_are_found_and_reasons_taken() {
        let body = "    x();\n".repeat(120);
        let long = format!("fn f() {{\n{body}}}\n");
        assert_eq!(lengths("a.rs", &long).len(), 1);
        assert!(lengths("a.rs", &format!("{REASON}a table is one thing.\n{long}")).is_empty());
        assert!(lengths("a.rs", "fn f() {\n    x();\n}\n").is_empty());
        assert_eq!(lengths("a.rs", &"\n".repeat(601)).len(), 1);
        assert!(begins_function("    pub(crate) const fn f() {") && !begins_function("let f = 1;"));
    }

    #[test]
    fn a_front_end_names_no_language() {
        let code = "let x = quotient_smv::LANGUAGE;\n";
        assert_eq!(names("crates/cli/src/a.rs", code).len(), 1);
        assert!(names("crates/workbench/src/languages.rs", code).is_empty());
        assert!(
            names(
                "crates/cli/src/a.rs",
                "// as SMV does\n  quotient check SMV\n"
            )
            .is_empty()
        );
        assert_eq!(names("crates/report/src/a.rs", "\"an SMV model\"").len(), 1);
    }

    #[test]
    fn arrows_lead_down() {
        let package = |name: &str, uses: &str, kind: Option<&str>| {
            serde_json::json!({
                "id": name, "name": name,
                "manifest_path": root().join("crates").join(name).join("Cargo.toml"),
                "dependencies": [{ "name": uses, "kind": kind }],
            })
        };
        let with = |kind| {
            serde_json::json!({
                "workspace_members": ["quotient-regular", "quotient-symbolic"],
                "packages": [
                    package("quotient-regular", "quotient-symbolic", kind),
                    package("quotient-symbolic", "quotient-core", None),
                ],
            })
        };
        assert_eq!(floors(&with(None)).len(), 1);
        assert!(floors(&with(Some("dev"))).is_empty());
    }
}
