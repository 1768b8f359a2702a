//! Relabelling and hiding, by whole labels and by prefixes.

use quotient_lts::{Action, Lts};
use rustc_hash::{FxHashMap, FxHashSet};

/// `/{new/old}`: an old label is a whole label or, where no whole label fits, the longest
/// prefix that ends before a dot.
#[derive(Debug, Default)]
pub(crate) struct Renaming(FxHashMap<String, Vec<String>>);

impl Renaming {
    pub(crate) fn new(pairs: Vec<(String, String)>) -> Renaming {
        let mut map: FxHashMap<String, Vec<String>> = FxHashMap::default();
        for (old, new) in pairs {
            map.entry(old).or_default().push(new);
        }
        Renaming(map)
    }

    /// The new labels of a label, if it gets any.
    pub(crate) fn of(&self, label: &str) -> Option<Vec<String>> {
        let prefixes = prefixes(label).find_map(|prefix| Some((prefix, self.0.get(prefix)?)));
        prefixes.map(|(prefix, new)| {
            let rest = &label[prefix.len()..];
            new.iter().map(|new| format!("{new}{rest}")).collect()
        })
    }

    /// The old labels that neither are nor begin a label of an alphabet.
    pub(crate) fn unused<'s>(&'s self, alphabet: &[&str]) -> Vec<&'s str> {
        let used: FxHashSet<&str> = alphabet.iter().flat_map(|label| prefixes(label)).collect();
        let mut unused: Vec<&str> = self
            .0
            .keys()
            .map(String::as_str)
            .filter(|old| !used.contains(old))
            .collect();
        unused.sort_unstable();
        unused
    }
}

/// A set of labels in which a label also stands for all that it is a prefix of.
#[derive(Debug)]
pub(crate) struct Prefixes(FxHashSet<String>);

impl Prefixes {
    pub(crate) fn new<'s>(labels: impl IntoIterator<Item = &'s str>) -> Prefixes {
        Prefixes(labels.into_iter().map(str::to_string).collect())
    }

    pub(crate) fn cover(&self, label: &str) -> bool {
        prefixes(label).any(|prefix| self.0.contains(prefix))
    }
}

/// A label and its prefixes up to a dot, longest first.
fn prefixes(label: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(label), |prefix| {
        prefix.rfind('.').map(|dot| &prefix[..dot])
    })
}

/// Renames actions; one with several new ones is offered as each of them, and one whose new
/// action is the silent one is hidden.
pub(crate) fn rename(lts: &Lts, pairs: &[(Action, Action)]) -> Lts {
    let mut new: FxHashMap<Action, Vec<Action>> = FxHashMap::default();
    for &(old, action) in pairs {
        new.entry(old).or_default().push(action);
    }
    lts.map_labels(|action| match new.get(&action) {
        Some(actions) => actions.clone(),
        None => vec![action],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longest_prefix_is_renamed() {
        let pair = |old: &str, new: &str| (old.to_string(), new.to_string());
        let renaming = Renaming::new(vec![
            pair("a", "x"),
            pair("a.b", "y"),
            pair("a.b", "z"),
            pair("a.b.c", "w"),
        ]);
        assert_eq!(renaming.of("a.q.1").unwrap(), ["x.q.1"]);
        assert_eq!(renaming.of("a.b.1").unwrap(), ["y.1", "z.1"]);
        assert_eq!(renaming.of("a.b.c").unwrap(), ["w"]);
        assert_eq!(renaming.of("ab"), None);
        assert_eq!(renaming.unused(&["a.q"]), ["a.b", "a.b.c"]);
    }

    #[test]
    fn a_prefix_ends_before_a_dot() {
        let set = Prefixes::new(["a.b", "c"]);
        assert!(set.cover("a.b") && set.cover("a.b.c") && set.cover("c.1"));
        assert!(!set.cover("a") && !set.cover("a.bc") && !set.cover("cc"));
    }
}
