//! Labels as FSP spells them.

use std::fmt::Write;

use quotient_lts::{Action, Actions};
use rustc_hash::FxHashMap;

use crate::token::Kind;

/// Spells actions, and remembers those that need another name.
pub(super) struct Labels<'a> {
    actions: &'a Actions,
    /// The stand-ins for labels that FSP cannot spell.
    renamed: FxHashMap<Action, String>,
    order: Vec<Action>,
    silent: Option<String>,
}

/// One part of a label.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    Name(String),
    /// `low..=high`.
    Numbers(i32, i32),
}

impl<'a> Labels<'a> {
    pub(super) fn new(actions: &'a Actions) -> Labels<'a> {
        Labels {
            actions,
            renamed: FxHashMap::default(),
            order: Vec::new(),
            silent: None,
        }
    }

    /// Labels that lead to the same state: `a`, `a[1..2]` or `{a, b}`.
    pub(super) fn choice(&mut self, actions: &[Action]) -> String {
        let written = self.patterns(actions);
        match written.as_slice() {
            [one] => one.clone(),
            many => format!("{{{}}}", many.join(", ")),
        }
    }

    /// A set of labels.
    pub(super) fn set(&mut self, actions: &[Action]) -> String {
        format!("{{{}}}", self.patterns(actions).join(", "))
    }

    /// The label that stands for the silent action, if it was needed.
    pub(super) fn silent(&self) -> Option<&str> {
        self.silent.as_deref()
    }

    /// Puts comments about renamed labels before a text.
    pub(super) fn explained(&self, text: String) -> String {
        let mut comments = String::new();
        for action in &self.order {
            let label = self.actions.name(*action).replace(['\n', '\r'], " ");
            let _ = writeln!(comments, "// {} stands for: {label}", self.renamed[action]);
        }
        comments + &text
    }

    fn patterns(&mut self, actions: &[Action]) -> Vec<String> {
        let mut patterns: Vec<Vec<Part>> = Vec::new();
        for &action in actions {
            let parts = self.parts(action);
            patterns.push(parts);
        }
        patterns.sort();
        patterns.dedup();
        // Joins neighbouring numbers, from the last position to the first.
        let longest = patterns.iter().map(Vec::len).max().unwrap_or(0);
        for position in (0..longest).rev() {
            join_numbers(&mut patterns, position);
        }
        patterns.iter().map(|pattern| spell(pattern)).collect()
    }

    fn parts(&mut self, action: Action) -> Vec<Part> {
        if action.is_tau() {
            let silent = match &self.silent {
                Some(silent) => silent.clone(),
                None => {
                    let fresh = self.fresh("hidden");
                    self.silent = Some(fresh.clone());
                    fresh
                }
            };
            return vec![Part::Name(silent)];
        }
        if let Some(name) = self.renamed.get(&action) {
            return vec![Part::Name(name.clone())];
        }
        let parts: Option<Vec<Part>> = self.actions.name(action).split('.').map(part).collect();
        parts.unwrap_or_else(|| {
            let name = self.fresh(&format!("label_{}", self.renamed.len() + 1));
            self.renamed.insert(action, name.clone());
            self.order.push(action);
            vec![Part::Name(name)]
        })
    }

    /// A label that is not in use.
    fn fresh(&self, wish: &str) -> String {
        let mut name = wish.to_string();
        while self.actions.get(&name).is_some() || self.silent.as_deref() == Some(&name) {
            name.push('_');
        }
        name
    }
}

/// A part of a label, unless FSP cannot spell it.
pub(super) fn part(text: &str) -> Option<Part> {
    if let Ok(number) = text.parse::<i32>()
        && number.to_string() == text
    {
        return Some(Part::Numbers(number, number));
    }
    let mut letters = text.chars();
    let first = letters.next()?;
    let identifier = (first.is_alphabetic() || first == '_')
        && !first.is_uppercase()
        && letters.all(|letter| letter.is_alphanumeric() || letter == '_');
    let free = Kind::keyword(text).is_none() && text != "tau";
    (identifier && free).then(|| Part::Name(text.to_string()))
}

/// Joins patterns that differ only in neighbouring numbers at one position.
pub(super) fn join_numbers(patterns: &mut Vec<Vec<Part>>, position: usize) {
    let key = |pattern: &[Part]| -> (Vec<Part>, Option<Part>) {
        let mut others = pattern.to_vec();
        let own = (position < others.len()).then(|| others.remove(position));
        (others, own)
    };
    patterns.sort_by_cached_key(|pattern| (pattern.len(), key(pattern)));
    let mut joined: Vec<Vec<Part>> = Vec::new();
    for pattern in patterns.drain(..) {
        if let Some(last) = joined.last_mut()
            && last.len() == pattern.len()
            && key(last).0 == key(&pattern).0
            && let (Some(&Part::Numbers(low, end)), Some(&Part::Numbers(next, high))) =
                (last.get(position), pattern.get(position))
            && end.checked_add(1) == Some(next)
        {
            last[position] = Part::Numbers(low, high);
            continue;
        }
        joined.push(pattern);
    }
    joined.sort();
    *patterns = joined;
}

pub(super) fn spell(pattern: &[Part]) -> String {
    let mut text = String::new();
    for part in pattern {
        match part {
            Part::Name(name) => {
                if !text.is_empty() {
                    text.push('.');
                }
                text.push_str(name);
            }
            Part::Numbers(low, high) if low == high => {
                let _ = write!(text, "[{low}]");
            }
            Part::Numbers(low, high) => {
                let _ = write!(text, "[{low}..{high}]");
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbouring_numbers_are_a_range() {
        let mut actions = Actions::new();
        let names = ["a.1.x", "a.2.x", "a.3.x", "a.5.x", "a.1.y", "b"];
        let all: Vec<Action> = names.iter().map(|name| actions.intern(name)).collect();
        let mut labels = Labels::new(&actions);
        assert_eq!(labels.choice(&all), "{a[1].y, a[1..3].x, a[5].x, b}");
    }

    #[test]
    fn grids_of_numbers_are_two_ranges() {
        let mut actions = Actions::new();
        let names = ["a.0.0", "a.0.1", "a.1.0", "a.1.1"];
        let all: Vec<Action> = names.iter().map(|name| actions.intern(name)).collect();
        assert_eq!(Labels::new(&actions).choice(&all), "a[0..1][0..1]");
    }

    #[test]
    fn odd_labels_get_other_names() {
        let mut actions = Actions::new();
        let odd = actions.intern("PUT !3");
        let keyword = actions.intern("set");
        let mut labels = Labels::new(&actions);
        assert_eq!(labels.choice(&[odd, keyword]), "{label_1, label_2}");
        assert!(
            labels
                .explained(String::new())
                .contains("label_1 stands for: PUT !3")
        );
    }
}
