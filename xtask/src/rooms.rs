//! Rules about what stands in which file: who checks evidence mentions no engine, and the modules
//! of the command form no circle.

use std::collections::{BTreeMap, BTreeSet};

/// The crates that search for answers.
const ENGINES: &[&str] = &[
    "regular",
    "symbolic",
    "compose",
    "explicit",
    "circuit",
    "probability",
    "forest",
    "backward",
];

/// What the checking of evidence rests on in the crates of languages, beside the files that are
/// called after it: readers, compilers, interpreters.
const TRUSTED: &[&str] = &[
    "crates/lang/fsp/src/compile",
    "crates/lang/fsp/src/evaluate",
    "crates/lang/fsp/src/parse",
    "crates/lang/fsp/src/question.rs",
    "crates/lang/fsp/src/safety.rs",
    "crates/lang/fsp/src/syntax",
    "crates/lang/fsp/src/temporal",
    "crates/lang/protocol/src/check/problem.rs",
    "crates/lang/protocol/src/compile",
    "crates/lang/protocol/src/interpret",
    "crates/lang/protocol/src/model",
    "crates/lang/protocol/src/progress",
    "crates/lang/protocol/src/resolve",
    "crates/lang/protocol/src/syntax",
    "crates/lang/protocol/src/trees",
    "crates/lang/smv/src/evaluate.rs",
    "crates/lang/smv/src/flatten",
    "crates/lang/smv/src/parse",
    "crates/lang/smv/src/program",
    "crates/lang/smv/src/syntax",
];

/// Engines mentioned where evidence is checked.
pub(crate) fn certifying(name: &str, text: &str) -> Vec<String> {
    let Some(own) = name.strip_prefix("crates/lang/") else {
        return Vec::new();
    };
    let is_checker = own.contains("/src/")
        && own
            .split(['/', '.'])
            .any(|part| part == "certify" || part == "verify");
    if !is_checker && !TRUSTED.iter().any(|trusted| name.starts_with(trusted)) {
        return Vec::new();
    }
    let mut broken = Vec::new();
    for (at, line) in code(text) {
        let engine = ENGINES
            .iter()
            .find(|engine| line.contains(&format!("quotient_{engine}")));
        if let Some(engine) = engine {
            broken.push(format!(
                "{name}:{at}: evidence is checked here, without the engine `{engine}`"
            ));
        }
    }
    broken
}

/// The lines that are neither comments nor tests, numbered.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let text = text.split("#[cfg(test)]").next().unwrap_or_default();
    (1..)
        .zip(text.lines())
        .filter(|(_, line)| !line.trim_start().starts_with("//"))
}

/// Circles among the modules of a crate whose files are given by name and text.
pub(crate) fn circles(root: &str, files: &[(String, String)]) -> Vec<String> {
    let own = files.iter().filter_map(|(name, text)| {
        let path = name.strip_prefix(root)?.strip_suffix(".rs")?;
        let path = path.strip_suffix("/mod").unwrap_or(path);
        let path = if path == "main" || path == "lib" {
            ""
        } else {
            path
        };
        Some((path, text.as_str()))
    });
    let own: BTreeMap<&str, &str> = own.collect();
    let modules: BTreeSet<&str> = own.keys().copied().collect();
    let uses: BTreeMap<&str, BTreeSet<&str>> = own
        .iter()
        .map(|(&module, text)| (module, used(module, text, &modules)))
        .collect();
    let mut done = BTreeSet::new();
    for &module in &modules {
        let mut way = Vec::new();
        if let Some(circle) = circle(module, &uses, &mut way, &mut done) {
            return vec![format!("{root}: modules in a circle: {circle}")];
        }
    }
    Vec::new()
}

/// The modules that a module names.
fn used<'a>(module: &str, text: &str, modules: &BTreeSet<&'a str>) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    for (_, line) in code(text) {
        let words = line.split(|letter: char| !(letter.is_alphanumeric() || "_:".contains(letter)));
        for word in words.filter(|word| word.contains("::")) {
            let mut parts = word.split("::");
            let mut place = match parts.next() {
                Some("crate") => String::new(),
                Some("super") => parent(module).to_owned(),
                Some(child) => match modules.get(joined(module, child).as_str()) {
                    Some(child) => (*child).to_owned(),
                    None => continue,
                },
                None => continue,
            };
            for part in parts {
                let next = match part {
                    "super" => parent(&place).to_owned(),
                    part => joined(&place, part),
                };
                if part != "super" && !modules.contains(next.as_str()) {
                    break;
                }
                place = next;
            }
            found.extend(modules.get(place.as_str()).filter(|&&used| used != module));
        }
    }
    found
}

fn parent(module: &str) -> &str {
    module.rsplit_once('/').map_or("", |(parent, _)| parent)
}

fn joined(module: &str, child: &str) -> String {
    match module {
        "" => child.to_owned(),
        module => format!("{module}/{child}"),
    }
}

/// A circle that can be reached from a module.
fn circle<'a>(
    module: &'a str,
    uses: &BTreeMap<&'a str, BTreeSet<&'a str>>,
    way: &mut Vec<&'a str>,
    done: &mut BTreeSet<&'a str>,
) -> Option<String> {
    if let Some(at) = way.iter().position(|&before| before == module) {
        let names: Vec<&str> = way[at..].iter().copied().chain([module]).collect();
        return Some(names.join(" → "));
    }
    if !done.insert(module) {
        return None;
    }
    way.push(module);
    let next = uses.get(module).into_iter().flatten();
    for used in next {
        if let Some(found) = circle(used, uses, way, done) {
            return Some(found);
        }
    }
    way.pop();
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_checks_evidence_mentions_no_engine() {
        let code = "use quotient_regular::Problem;\n";
        let broken = |name: &str| certifying(name, code).len();
        assert_eq!(broken("crates/lang/protocol/src/seam/certify.rs"), 1);
        assert_eq!(broken("crates/lang/smv/src/certify/mod.rs"), 1);
        assert_eq!(broken("crates/lang/protocol/src/compile/mod.rs"), 1);
        assert_eq!(broken("crates/lang/protocol/src/check/mod.rs"), 0);
        assert_eq!(broken("crates/lang/smv/tests/certify/main.rs"), 0);
        assert!(
            certifying(
                "crates/lang/smv/src/certify/mod.rs",
                "// quotient_regular\n"
            )
            .is_empty()
        );
    }

    #[test]
    fn circles_of_modules_are_found() {
        let files = |b: &str| {
            let file = |name: &str, text: &str| (format!("c/src/{name}"), text.to_owned());
            [
                file("main.rs", "mod a;\nmod b;\nuse a::x;\n"),
                file("a.rs", "use crate::b::y;\n"),
                file("b.rs", b),
            ]
        };
        assert!(circles("c/src/", &files("fn y() {}\n")).is_empty());
        let found = circles("c/src/", &files("fn y() { crate::a::x() }\n"));
        assert_eq!(found, ["c/src/: modules in a circle: a → b → a"]);
        assert_eq!(circles("c/src/", &files("use super::a::x;\n")).len(), 1);
        let own_tests = "fn y() {}\n#[cfg(test)]\nmod tests { use crate::a::x; }\n";
        assert!(circles("c/src/", &files(own_tests)).is_empty());
    }
}
