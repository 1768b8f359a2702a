//! Two and three truth values.

use super::ActionLattice;

/// Yes or no.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Boolean;

impl ActionLattice for Boolean {
    type Grade = bool;

    fn name(&self) -> &str {
        "boolean"
    }
    fn meaning(&self) -> &str {
        "yes or no"
    }
    fn zero(&self) -> bool {
        false
    }
    fn one(&self) -> bool {
        true
    }
    fn top(&self) -> bool {
        true
    }
    fn join(&self, a: &bool, b: &bool) -> bool {
        *a || *b
    }
    fn meet(&self, a: &bool, b: &bool) -> bool {
        *a && *b
    }
    fn then(&self, a: &bool, b: &bool) -> bool {
        *a && *b
    }
    fn star(&self, _: &bool) -> bool {
        true
    }
    fn under(&self, a: &bool, b: &bool) -> bool {
        !*a || *b
    }
    fn is_finite(&self) -> bool {
        true
    }
    fn uniform_star(&self, _: bool) -> Option<bool> {
        Some(true)
    }
    fn read(&self, text: &str) -> Option<bool> {
        match text {
            "true" | "1" | "T" => Some(true),
            "false" | "0" | "F" => Some(false),
            _ => None,
        }
    }
    fn write(&self, grade: &bool) -> String {
        grade.to_string()
    }
    fn spelling(&self) -> String {
        "`true` or `false`".to_owned()
    }
    fn sample(&self) -> Vec<bool> {
        vec![false, true]
    }
}

/// False (0), unknown (1) and true (2).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Three {
    /// Whether unknown composed with unknown is false (Łukasiewicz) instead of unknown (Gödel).
    pub(crate) lukasiewicz: bool,
}

impl ActionLattice for Three {
    type Grade = u8;

    fn name(&self) -> &str {
        match self.lukasiewicz {
            true => "three-lukasiewicz",
            false => "three",
        }
    }
    fn meaning(&self) -> &str {
        "false, unknown or true"
    }
    fn zero(&self) -> u8 {
        0
    }
    fn one(&self) -> u8 {
        2
    }
    fn top(&self) -> u8 {
        2
    }
    fn join(&self, a: &u8, b: &u8) -> u8 {
        *a.max(b)
    }
    fn meet(&self, a: &u8, b: &u8) -> u8 {
        *a.min(b)
    }
    fn then(&self, a: &u8, b: &u8) -> u8 {
        match self.lukasiewicz {
            true => (a + b).saturating_sub(2),
            false => *a.min(b),
        }
    }
    fn star(&self, _: &u8) -> u8 {
        2
    }
    fn under(&self, a: &u8, b: &u8) -> u8 {
        match (a <= b, self.lukasiewicz) {
            (true, _) => 2,
            (false, true) => 2 - a + b,
            (false, false) => *b,
        }
    }
    fn is_finite(&self) -> bool {
        true
    }
    fn read(&self, text: &str) -> Option<u8> {
        match text {
            "false" | "F" | "0" => Some(0),
            "unknown" | "u" | "?" => Some(1),
            "true" | "T" | "1" => Some(2),
            _ => None,
        }
    }
    fn write(&self, grade: &u8) -> String {
        ["false", "unknown", "true"][usize::from(*grade).min(2)].to_owned()
    }
    fn spelling(&self) -> String {
        "`false`, `unknown` or `true`".to_owned()
    }
    fn sample(&self) -> Vec<u8> {
        vec![0, 1, 2]
    }
}
