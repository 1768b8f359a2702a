//! The picture of the crates: who uses whom, floor by floor.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde_json::Value;

use crate::house::floor_of;
use crate::supply::{list, metadata, text};

/// Prints the picture that docs/architecture.md has. Arrows to `core` and `language` are left out
/// where there are others: nearly all crates have them.
pub(crate) fn crates() -> bool {
    match metadata() {
        Ok(metadata) => {
            print!("{}", picture(&metadata));
            true
        }
        Err(error) => {
            eprintln!("{error}");
            false
        }
    }
}

fn picture(metadata: &Value) -> String {
    let members: Vec<&str> = list(metadata, "workspace_members")
        .iter()
        .filter_map(Value::as_str)
        .collect();
    // Floors from the top; crates that use the same are in one line.
    let mut floors: BTreeMap<Reverse<u32>, BTreeMap<String, Vec<String>>> = BTreeMap::new();
    for package in list(metadata, "packages") {
        let Some(floor) = floor_of(package).filter(|floor| *floor < 70) else {
            continue;
        };
        if !members.contains(&text(package, "id")) {
            continue;
        }
        let uses: Vec<&str> = list(package, "dependencies")
            .iter()
            .filter(|one| text(one, "kind").is_empty())
            .filter_map(|one| text(one, "name").strip_prefix("quotient-"))
            .filter(|name| !["core", "language"].contains(name))
            .collect();
        let name = text(package, "name").trim_start_matches("quotient-");
        // As docs/architecture.md counts.
        let floor = match floor {
            0 => 0,
            1..=20 => 1,
            21..=30 => 2,
            31..=40 => 3,
            41..=50 => 4,
            _ => 5,
        };
        let line = floors.entry(Reverse(floor)).or_default();
        let alike = line.entry(uses.join(", ")).or_default();
        alike.push(name.to_owned());
    }
    let mut out = String::new();
    for (Reverse(floor), lines) in floors {
        out.push_str(&format!("floor {floor}\n"));
        for (uses, mut names) in lines {
            names.sort();
            let arrow = if uses.is_empty() { "" } else { " ► " };
            out.push_str(&format!("  {}{arrow}{uses}\n", names.join(", ")));
        }
    }
    out
}
