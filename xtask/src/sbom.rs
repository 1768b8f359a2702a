//! A list of all packages in the binary, for others to look through: CycloneDX 1.5 as JSON.
//!
//! It says the same for the same `Cargo.lock`: there is no time and no random number in it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::supply::{list, metadata, packages, root, text};

/// The package of the binary.
const BINARY: &str = "quotient-cli";

/// Prints the list.
pub(crate) fn sbom() -> bool {
    match metadata().and_then(|metadata| written(&metadata, &checksums()?)) {
        Ok(list) => {
            println!("{list:#}");
            true
        }
        Err(error) => {
            eprintln!("{error}");
            false
        }
    }
}

/// The checksums of `Cargo.lock`, by name and version.
fn checksums() -> Result<BTreeMap<(String, String), String>, String> {
    let text = std::fs::read_to_string(root().join("Cargo.lock"))
        .map_err(|error| format!("Cargo.lock: {error}"))?;
    let lock: toml::Table = text
        .parse()
        .map_err(|error| format!("Cargo.lock: {error}"))?;
    let packages = lock.get("package").and_then(toml::Value::as_array);
    let field = |package: &toml::Value, name: &str| Some(package.get(name)?.as_str()?.to_owned());
    let one = |package: &toml::Value| {
        let key = (field(package, "name")?, field(package, "version")?);
        Some((key, field(package, "checksum")?))
    };
    Ok(packages.into_iter().flatten().filter_map(one).collect())
}

fn written(
    metadata: &Value,
    checksums: &BTreeMap<(String, String), String>,
) -> Result<Value, String> {
    let by_id: BTreeMap<&str, &Value> = packages(metadata)
        .iter()
        .map(|package| (text(package, "id"), package))
        .collect();
    let binary = packages(metadata)
        .iter()
        .find(|package| text(package, "name") == BINARY)
        .ok_or_else(|| format!("there is no package `{BINARY}`"))?;
    let needs = needs(metadata);
    // What the binary needs, and what that needs.
    let mut reached = BTreeSet::from([text(binary, "id")]);
    let mut waiting = vec![text(binary, "id")];
    while let Some(id) = waiting.pop() {
        for &needed in needs.get(id).into_iter().flatten() {
            if reached.insert(needed) {
                waiting.push(needed);
            }
        }
    }
    let purl = |id: &str| {
        by_id
            .get(id)
            .map_or_else(String::new, |package| purl(package))
    };
    let mut components = BTreeMap::new();
    let mut dependencies = BTreeMap::new();
    for &id in &reached {
        let depends: BTreeSet<String> = needs
            .get(id)
            .into_iter()
            .flatten()
            .map(|id| purl(id))
            .collect();
        dependencies.insert(purl(id), json!({ "ref": purl(id), "dependsOn": depends }));
        if let Some(package) = by_id.get(id).filter(|_| id != text(binary, "id")) {
            components.insert(purl(id), component(package, "library", checksums));
        }
    }
    Ok(json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": component(binary, "application", checksums) },
        "components": components.into_values().collect::<Vec<_>>(),
        "dependencies": dependencies.into_values().collect::<Vec<_>>(),
    }))
}

/// What each package needs in the binary or to build it: not for tests.
fn needs(metadata: &Value) -> BTreeMap<&str, Vec<&str>> {
    let nodes = list(&metadata["resolve"], "nodes").iter();
    let needed = |dependency: &&Value| {
        let mut kinds = list(dependency, "dep_kinds").iter();
        kinds.any(|kind| text(kind, "kind") != "dev")
    };
    nodes
        .map(|node| {
            let dependencies = list(node, "deps").iter().filter(needed);
            (
                text(node, "id"),
                dependencies.map(|one| text(one, "pkg")).collect(),
            )
        })
        .collect()
}

fn purl(package: &Value) -> String {
    format!(
        "pkg:cargo/{}@{}",
        text(package, "name"),
        text(package, "version")
    )
}

fn component(package: &Value, kind: &str, checksums: &BTreeMap<(String, String), String>) -> Value {
    let (name, version) = (text(package, "name"), text(package, "version"));
    let mut component = json!({
        "type": kind,
        "bom-ref": purl(package),
        "name": name,
        "version": version,
        "purl": purl(package),
        "licenses": [{ "expression": text(package, "license").replace('/', " OR ") }],
    });
    if let Some(checksum) = checksums.get(&(name.to_owned(), version.to_owned())) {
        component["hashes"] = json!([{ "alg": "SHA-256", "content": checksum }]);
    }
    component
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_package_of_the_binary_is_listed_once_with_its_checksum() {
        let list = written(&metadata().unwrap(), &checksums().unwrap()).unwrap();
        let components = list["components"].as_array().unwrap();
        let purls: BTreeSet<&str> = components.iter().map(|one| text(one, "purl")).collect();
        assert!(components.len() > 20);
        assert_eq!(purls.len(), components.len());
        for component in components {
            let is_own = text(component, "name").starts_with("quotient-");
            assert_ne!(is_own, component["hashes"].is_array(), "{component}");
            assert_ne!(text(&component["licenses"][0], "expression"), "");
        }
        // Tests need it, the binary does not.
        assert!(
            !purls
                .iter()
                .any(|purl| purl.starts_with("pkg:cargo/proptest@"))
        );
        assert!(
            purls
                .iter()
                .any(|purl| purl.starts_with("pkg:cargo/serde_json@"))
        );
        let known: BTreeSet<&str> = (list["dependencies"].as_array().unwrap().iter())
            .map(|one| text(one, "ref"))
            .collect();
        assert_eq!(known.len(), components.len() + 1);
    }
}
