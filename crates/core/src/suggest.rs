//! "Did you mean …?"

/// The candidate nearest to a misspelt name, if one is near enough to suggest.
///
/// ```
/// use quotient_core::nearest;
/// assert_eq!(nearest("transtions", ["init", "bad", "transitions"]), Some("transitions"));
/// assert_eq!(nearest("colour", ["init", "bad"]), None);
/// ```
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = name.chars().count();
    // A third of the letters may be wrong; very long names are compared no further than that.
    let tolerance = (length / 3).max(1);
    candidates
        .into_iter()
        .filter(|candidate| candidate.chars().count().abs_diff(length) <= tolerance)
        .map(|candidate| (distance(name, candidate), candidate))
        .filter(|&(distance, _)| distance <= tolerance)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

/// The edit distance with swaps of neighbours (restricted Damerau–Levenshtein), case ignored.
fn distance(left: &str, right: &str) -> usize {
    let left: Vec<char> = left.chars().flat_map(char::to_lowercase).take(64).collect();
    let right: Vec<char> = right
        .chars()
        .flat_map(char::to_lowercase)
        .take(64)
        .collect();
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, &a) in left.iter().enumerate() {
        let mut next = vec![i + 1];
        for (j, &b) in right.iter().enumerate() {
            let mut cost = (row[j] + usize::from(a != b))
                .min(row[j + 1] + 1)
                .min(next[j] + 1);
            if i > 0 && j > 0 && a == right[j - 1] && left[i - 1] == b {
                cost = cost.min(before[j - 1] + 1);
            }
            next.push(cost);
        }
        before = std::mem::replace(&mut row, next);
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_the_textbook_ones() {
        for (left, right, expected) in [
            ("", "", 0),
            ("abc", "", 3),
            ("kitten", "sitting", 3),
            ("ab", "ba", 1),
            ("Ab", "aB", 0),
        ] {
            assert_eq!(distance(left, right), expected, "{left} {right}");
        }
    }
}
