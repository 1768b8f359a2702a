//! Is every package that is used one that may be used? Licences, sources and versions, by
//! `deny.toml`.

use crate::cargo;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::Value;

/// Checks all packages and prints what is wrong with them.
pub(crate) fn supply() -> bool {
    let found = metadata().and_then(|metadata| Ok((Rules::read()?.broken(&metadata), metadata)));
    match found {
        Ok((broken, metadata)) if broken.is_empty() => {
            println!(
                "{} packages: licences, sources and versions are as `deny.toml` says",
                packages(&metadata).len()
            );
            deny()
        }
        Ok((broken, _)) => {
            broken.iter().for_each(|problem| eprintln!("{problem}"));
            false
        }
        Err(error) => {
            eprintln!("{error}");
            false
        }
    }
}

/// The same file read by cargo-deny, where it is installed: licences, bans and sources, which need
/// no network. (Advisories need a database: `cargo deny check advisories`.)
fn deny() -> bool {
    let there = cargo().args(["deny", "--version"]).output();
    if !there.is_ok_and(|output| output.status.success()) {
        println!("cargo-deny is not installed: `deny.toml` was read by us alone");
        return true;
    }
    let status = cargo()
        .args([
            "deny",
            "--offline",
            "--locked",
            "check",
            "--hide-inclusion-graph",
        ])
        .args(["licenses", "bans", "sources"])
        .current_dir(root())
        .status();
    status.is_ok_and(|status| status.success())
}

/// The folder of the workspace.
pub(crate) fn root() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own).to_owned()
}

/// All packages and what they need, as cargo says.
pub(crate) fn metadata() -> Result<Value, String> {
    let output = cargo()
        .args(["metadata", "--format-version", "1", "--locked"])
        .current_dir(root())
        .output()
        .map_err(|error| format!("`cargo metadata` did not run: {error}"))?;
    if !output.status.success() {
        let why = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(format!("`cargo metadata` failed: {why}"));
    }
    serde_json::from_slice(&output.stdout).map_err(|error| format!("`cargo metadata`: {error}"))
}

/// The list at a name; nothing where there is none.
pub(crate) fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value[name].as_array().map_or(&[], Vec::as_slice)
}

/// The text at a name.
pub(crate) fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}

pub(crate) fn packages(metadata: &Value) -> &[Value] {
    list(metadata, "packages")
}

/// What `deny.toml` allows.
struct Rules {
    licences: BTreeSet<String>,
    registries: BTreeSet<String>,
    /// Packages and versions of which another one may be there too.
    doubled: Vec<(String, String)>,
}

impl Rules {
    fn read() -> Result<Rules, String> {
        let file = root().join("deny.toml");
        let text = std::fs::read_to_string(&file).map_err(|error| format!("deny.toml: {error}"))?;
        let table: toml::Table = text
            .parse()
            .map_err(|error| format!("deny.toml: {error}"))?;
        let array = |section: &str, name: &str| -> Vec<toml::Value> {
            let found = table.get(section).and_then(|section| section.get(name));
            found
                .and_then(toml::Value::as_array)
                .cloned()
                .unwrap_or_default()
        };
        let texts = |section: &str, name: &str| -> BTreeSet<String> {
            let all = array(section, name);
            all.iter()
                .filter_map(|one| one.as_str().map(str::to_owned))
                .collect()
        };
        let field = |one: &toml::Value, name: &str| Some(one.get(name)?.as_str()?.to_owned());
        let skipped = array("bans", "skip");
        let doubled = skipped
            .iter()
            .filter_map(|one| Some((field(one, "name")?, field(one, "version")?)));
        Ok(Rules {
            licences: texts("licenses", "allow"),
            registries: texts("sources", "allow-registry"),
            doubled: doubled.collect(),
        })
    }

    /// What is wrong with packages, one line each.
    fn broken(&self, metadata: &Value) -> Vec<String> {
        let mut broken = Vec::new();
        let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for package in packages(metadata) {
            let (name, version) = (text(package, "name"), text(package, "version"));
            let licence = text(package, "license");
            if !is_allowed(licence, &|one| self.licences.contains(one)) {
                broken.push(format!(
                    "{name} {version}: the licence `{licence}` is not allowed"
                ));
            }
            // A package of this workspace has no source.
            let source = package["source"].as_str();
            let registry = source.map(|source| source.strip_prefix("registry+").unwrap_or(source));
            if let Some(other) = registry.filter(|&one| !self.registries.contains(one)) {
                broken.push(format!("{name} {version}: comes from {other}"));
            }
            if !self.may_be_doubled(name, version) {
                versions.entry(name).or_default().push(version);
            }
        }
        for (name, all) in versions.iter().filter(|(_, all)| all.len() > 1) {
            broken.push(format!("{name}: several versions, {}", all.join(" and ")));
        }
        broken
    }

    fn may_be_doubled(&self, name: &str, version: &str) -> bool {
        let begins = |wanted: &str| {
            let rest = version.strip_prefix(wanted);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let mut doubled = self.doubled.iter();
        doubled.any(|(known, wanted)| known == name && begins(wanted))
    }
}

/// Whether a licence expression (SPDX, or the older `A/B`) can be kept with allowed licences.
fn is_allowed(expression: &str, allowed: &dyn Fn(&str) -> bool) -> bool {
    let spaced = expression
        .replace('(', " ( ")
        .replace(')', " ) ")
        .replace('/', " OR ");
    let mut words = spaced.split_whitespace().peekable();
    let value = any_of(&mut words, allowed);
    value && words.next().is_none()
}

type Words<'a> = std::iter::Peekable<std::str::SplitWhitespace<'a>>;

fn any_of(words: &mut Words<'_>, allowed: &dyn Fn(&str) -> bool) -> bool {
    let mut value = all_of(words, allowed);
    while words.next_if_eq(&"OR").is_some() {
        value |= all_of(words, allowed);
    }
    value
}

fn all_of(words: &mut Words<'_>, allowed: &dyn Fn(&str) -> bool) -> bool {
    let mut value = one_of(words, allowed);
    while words.next_if_eq(&"AND").is_some() {
        value &= one_of(words, allowed);
    }
    value
}

fn one_of(words: &mut Words<'_>, allowed: &dyn Fn(&str) -> bool) -> bool {
    match words.next() {
        Some("(") => {
            let value = any_of(words, allowed);
            words.next() == Some(")") && value
        }
        Some(licence) => match words.next_if_eq(&"WITH") {
            // An exception allows more: but only what is listed with it counts.
            Some(_) => {
                let exception = words.next().unwrap_or_default();
                allowed(&format!("{licence} WITH {exception}"))
            }
            None => allowed(licence),
        },
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn licence_expressions_are_read_as_they_are_written() {
        let allowed = |one: &str| matches!(one, "MIT" | "Unicode-3.0");
        for (expression, expected) in [
            ("MIT", true),
            ("GPL-3.0", false),
            ("", false),
            ("MIT OR GPL-3.0", true),
            ("GPL-3.0/MIT", true),
            ("MIT AND GPL-3.0", false),
            ("(GPL-3.0 OR MIT) AND Unicode-3.0", true),
            ("(MIT OR Unicode-3.0) AND GPL-3.0", false),
            ("GPL-3.0 AND GPL-2.0 OR MIT", true),
            ("MIT AND (GPL-3.0", false),
            ("MIT GPL-3.0", false),
            ("MIT WITH everything OR GPL-3.0", false),
        ] {
            assert_eq!(is_allowed(expression, &allowed), expected, "{expression}");
        }
    }

    #[test]
    fn every_package_is_one_that_may_be_used() {
        let metadata = metadata().unwrap();
        let rules = Rules::read().unwrap();
        assert!(packages(&metadata).len() > 20 && !rules.licences.is_empty());
        assert_eq!(rules.broken(&metadata), Vec::<String>::new());
    }

    #[test]
    fn a_package_that_may_not_be_used_is_seen() {
        let rules = Rules::read().unwrap();
        let package = |version: &str, licence: &str, source: &str| {
            serde_json::json!({
                "name": "x", "version": version, "license": licence, "source": source,
            })
        };
        let known = "registry+https://github.com/rust-lang/crates.io-index";
        let packages = [
            package("1.0.0", "MIT", known),
            package("2.0.0", "GPL-3.0", known),
            package("3.0.0", "MIT", "git+https://example.org/x"),
        ];
        let broken = rules.broken(&serde_json::json!({ "packages": packages }));
        assert_eq!(broken.len(), 3, "{broken:?}");
    }
}
