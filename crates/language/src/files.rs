//! The files beside a model.

use std::collections::BTreeMap;

/// The files beside a model. Paths are relative to its folder, as the model writes them.
///
/// A folder on a disk, an upload and a test in memory are alike, and nothing escapes the
/// folder it was given.
pub trait Files {
    /// The contents of a file, or why there are none.
    fn read(&mut self, path: &str) -> Result<Vec<u8>, String>;

    /// The files that a pattern with `*`, `?` and `[…]` stands for, in order.
    fn find(&mut self, pattern: &str) -> Result<Vec<String>, String>;
}

/// No files at all.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoFiles;

impl Files for NoFiles {
    fn read(&mut self, _: &str) -> Result<Vec<u8>, String> {
        Err("there are no files beside this text".to_owned())
    }

    fn find(&mut self, _: &str) -> Result<Vec<String>, String> {
        Ok(Vec::new())
    }
}

/// Files in memory, by path: for tests, uploads and examples.
///
/// ```
/// use quotient_language::{Files, MemoryFiles};
/// let mut files = MemoryFiles::from([("a/x.txt", "one"), ("a/y.txt", "two")]);
/// assert_eq!(files.read("a/x.txt").unwrap(), b"one");
/// assert_eq!(files.find("a/*.txt").unwrap(), ["a/x.txt", "a/y.txt"]);
/// ```
#[derive(Debug, Clone, Default)]
pub struct MemoryFiles(BTreeMap<String, Vec<u8>>);

impl<const N: usize> From<[(&str, &str); N]> for MemoryFiles {
    fn from(files: [(&str, &str); N]) -> MemoryFiles {
        files.into_iter().collect()
    }
}

impl<P: Into<String>, T: Into<Vec<u8>>> FromIterator<(P, T)> for MemoryFiles {
    fn from_iter<I: IntoIterator<Item = (P, T)>>(files: I) -> MemoryFiles {
        let own = |(path, text): (P, T)| (path.into(), text.into());
        MemoryFiles(files.into_iter().map(own).collect())
    }
}

impl Files for MemoryFiles {
    fn read(&mut self, path: &str) -> Result<Vec<u8>, String> {
        let found = self.0.get(path.strip_prefix("./").unwrap_or(path));
        found
            .cloned()
            .ok_or_else(|| "there is no such file".to_owned())
    }

    fn find(&mut self, pattern: &str) -> Result<Vec<String>, String> {
        let names = self.0.keys();
        let fitting = names.filter(|name| fits_pattern(pattern, name));
        Ok(fitting.cloned().collect())
    }
}

/// Whether a path fits a pattern with `*`, `?` and `[…]`, none of which stands for a `/`.
pub fn fits_pattern(pattern: &str, path: &str) -> bool {
    let letters = |text: &str| text.chars().collect::<Vec<_>>();
    matches(&letters(pattern), &letters(path))
}

fn matches(pattern: &[char], name: &[char]) -> bool {
    match (pattern, name) {
        ([], []) => true,
        (['*', rest @ ..], _) => {
            matches(rest, name)
                || matches!(name, [first, more @ ..] if *first != '/' && matches(pattern, more))
        }
        (['?', rest @ ..], [first, more @ ..]) => *first != '/' && matches(rest, more),
        (['[', rest @ ..], [first, more @ ..]) => {
            let Some(end) = rest.iter().position(|&letter| letter == ']') else {
                return *first == '[' && matches(rest, more);
            };
            in_class(&rest[..end], *first) && matches(&rest[end + 1..], more)
        }
        ([letter, rest @ ..], [first, more @ ..]) => letter == first && matches(rest, more),
        _ => false,
    }
}

/// Whether a letter is in `abc`, `a-z` or `!abc`.
fn in_class(class: &[char], letter: char) -> bool {
    let (negated, class) = match class {
        ['!', rest @ ..] => (true, rest),
        _ => (false, class),
    };
    let mut at = 0;
    let mut found = false;
    while at < class.len() {
        found |= match class[at..] {
            [low, '-', high, ..] => {
                at += 2;
                (low..=high).contains(&letter)
            }
            _ => class[at] == letter,
        };
        at += 1;
    }
    found != negated
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_those_of_shells() {
        let fits = fits_pattern;
        assert!(fits("step*.tmb", "step12.tmb"));
        assert!(fits("step?.tmb", "step1.tmb"));
        assert!(fits("s[a-z]ep[!2]", "step1"));
        assert!(!fits("s[a-z]ep[!2]", "step2"));
        assert!(!fits("*.tmb", "a/b.tmb"));
        assert!(!fits("?", ""));
        assert!(fits("", ""));
    }
}
