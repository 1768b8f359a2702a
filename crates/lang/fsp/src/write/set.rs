//! Sets of labels, short enough to be read.

use std::collections::BTreeMap;

use super::label::{Part, join_numbers, part, spell};

/// Writes a set of labels as LTSA shows alphabets: neighbouring numbers as ranges, and what
/// begins alike together.
///
/// ```
/// use quotient_fsp::write_labels;
/// let labels = ["phil.0.left.get", "phil.0.eat", "phil.1.left.get", "phil.1.eat", "tick"];
/// assert_eq!(write_labels(labels), "{phil[0..1].{eat, left.get}, tick}");
/// assert_eq!(write_labels(["tick"]), "{tick}");
/// assert_eq!(write_labels([]), "{}");
/// ```
pub fn write_labels<'l>(labels: impl IntoIterator<Item = &'l str>) -> String {
    let parts = |label: &str| -> Vec<Part> {
        let known: Option<Vec<Part>> = label.split('.').map(part).collect();
        // A label that FSP cannot spell stands as it is.
        known.unwrap_or_else(|| vec![Part::Name(label.to_owned())])
    };
    let mut patterns: Vec<Vec<Part>> = labels.into_iter().map(parts).collect();
    patterns.sort();
    patterns.dedup();
    let longest = patterns.iter().map(Vec::len).max().unwrap_or(0);
    for position in (0..longest).rev() {
        join_numbers(&mut patterns, position);
    }
    let written = groups(patterns.iter().map(Vec::as_slice));
    format!("{{{}}}", written.join(", "))
}

/// Patterns with those together that begin with the same part.
fn groups<'p>(patterns: impl Iterator<Item = &'p [Part]>) -> Vec<String> {
    let mut heads: BTreeMap<&Part, Vec<&[Part]>> = BTreeMap::new();
    let mut written = Vec::new();
    for pattern in patterns {
        if let [head, rest @ ..] = pattern {
            heads.entry(head).or_default().push(rest);
        }
    }
    for (head, rests) in heads {
        let head = spell(std::slice::from_ref(head));
        if rests.contains(&&[][..]) {
            written.push(head.clone());
        }
        let rests: Vec<&[Part]> = rests.into_iter().filter(|rest| !rest.is_empty()).collect();
        // Indices are written to the name before them, also several.
        let tails = groups(rests.iter().copied());
        written.extend(match tails.as_slice() {
            [] => None,
            [tail] if tail.starts_with('[') => Some(format!("{head}{tail}")),
            [tail] => Some(format!("{head}.{tail}")),
            tails => Some(format!("{head}.{{{}}}", tails.join(", "))),
        });
    }
    written
}
