//! Many latches drawn as few: those with one name but for its numbers, or those that are equally far
//! from what is asked.

use std::collections::BTreeMap;

/// Things in groups.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Groups {
    /// What each group is called.
    pub labels: Vec<String>,
    /// The group of each thing; none for what nothing asked depends on.
    pub of: Vec<Option<usize>>,
}

/// Puts things into at most so many groups: each on its own if they are few enough; else by their
/// names up to the first digit, as the bits of a word have them; else by how many steps they are
/// away from what is asked, the last group being all that are farther.
///
/// ```
/// use quotient_circuit::groups;
/// let names: Vec<String> = (0..9).map(|bit| format!("count[{bit}]")).collect();
/// let away = vec![Some(0); 9];
/// assert_eq!(groups(&names, &away, 20, "latches").labels.len(), 9);
/// assert_eq!(groups(&names, &away, 3, "latches").labels, ["count (9)"]);
/// let other: Vec<String> = (b'a'..b'j').map(|name| char::from(name).to_string()).collect();
/// assert_eq!(groups(&other, &away, 3, "latches").labels, ["9 latches, read at once"]);
/// ```
pub fn groups(names: &[String], away: &[Option<usize>], most: usize, things: &str) -> Groups {
    if names.len() <= most {
        return Groups {
            labels: names.to_vec(),
            of: (0..names.len()).map(Some).collect(),
        };
    }
    let stems = names.iter().map(|name| stem(name));
    let keys: Vec<Option<String>> = stems.map(Some).collect();
    let by_name = grouped(&keys, |stem, count| match count {
        1 => stem.clone(),
        _ if stem.is_empty() => format!("{things} without names ({count})"),
        _ => format!("{stem} ({count})"),
    });
    // Names that nobody gave say nothing that the number does not.
    let told = by_name.labels.len() > 1 || keys[0].as_ref().is_some_and(|stem| stem.len() > 1);
    if by_name.labels.len() <= most && told {
        return by_name;
    }
    let far = most.saturating_sub(1);
    let keys: Vec<Option<usize>> = away
        .iter()
        .map(|away| away.map(|one| one.min(far)))
        .collect();
    grouped(&keys, |&steps, count| {
        let many = format!("{count} {things}");
        match steps {
            0 => format!("{many}, read at once"),
            _ if steps == far => format!("{many}, {} or more away", count_steps(steps)),
            _ => format!("{many}, {} away", count_steps(steps)),
        }
    })
}

fn count_steps(steps: usize) -> String {
    quotient_language::text::count(steps, "step")
}

/// A name up to its first digit, without what leads to that.
fn stem(name: &str) -> String {
    let letters = name.trim_end_matches(|letter: char| !letter.is_alphabetic());
    let end = letters.find(|letter: char| letter.is_ascii_digit());
    let stem = &letters[..end.unwrap_or(letters.len())];
    stem.trim_end_matches(['[', '_', '.', '<', '(']).to_owned()
}

/// Groups by keys, in the order of these.
fn grouped<K: Ord + Clone>(keys: &[Option<K>], label: impl Fn(&K, usize) -> String) -> Groups {
    let mut counts: BTreeMap<&K, usize> = BTreeMap::new();
    for key in keys.iter().flatten() {
        *counts.entry(key).or_default() += 1;
    }
    let numbers: BTreeMap<&K, usize> = counts.keys().copied().zip(0..).collect();
    Groups {
        labels: counts
            .iter()
            .map(|(key, &count)| label(key, count))
            .collect(),
        of: (keys.iter())
            .map(|key| key.as_ref().map(|key| numbers[key]))
            .collect(),
    }
}
