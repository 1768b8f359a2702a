//! Formulas of the modal mu-calculus about transition systems.
//!
//! ```text
//! true  false  !p  p && q  p || q  p => q
//! <a>p      a step of a is possible after which p holds
//! [a]p      after every step of a, p holds
//! mu X. p   the least solution of X = p;  nu X. p   the greatest
//! ```
//!
//! In the brackets stands what happens: an action (in quotes where it is no name), `tau`, `true` for
//! any action, `false` for none, `{a, b}`, `!a`, `a || b`; and one thing after the other `a; b` (or
//! `a . b`), a choice `a + b`, and again and again `a*`. The error state and a good end do the
//! actions `@error` and `@end` for ever.

mod parse;

use std::sync::Arc;

use quotient_core::{Diagnostic, Source};

/// A formula as a list of parts. What a part is made of may stand anywhere in the list: a variable
/// leads back to the fixpoint that binds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Modal {
    /// The parts.
    pub parts: Vec<Part>,
    /// The part that is the formula.
    pub root: usize,
}

/// A part of a formula; other parts by number. Negations have been pushed down to the actions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Always so, or never.
    Constant(bool),
    /// Both.
    And(usize, usize),
    /// At least one.
    Or(usize, usize),
    /// A step is possible after which something holds.
    Can(Happening, usize),
    /// After every such step something holds.
    Must(Happening, usize),
    /// A fixpoint of the part, which may have variables that lead back here.
    Fixpoint {
        /// The part.
        of: usize,
        /// Even for a greatest fixpoint, odd for a least; greater than that of all fixpoints
        /// inside. Never 0.
        priority: u32,
    },
    /// The fixpoint at this number again.
    Variable(usize),
}

/// Which actions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Happening {
    /// Their names.
    pub names: Arc<[String]>,
    /// Whether all others are meant.
    pub others: bool,
}

impl Happening {
    /// Whether an action is one of them.
    pub fn includes(&self, action: &str) -> bool {
        self.names.iter().any(|name| name == action) != self.others
    }
}

impl Modal {
    /// Reads a formula.
    ///
    /// ```
    /// use quotient_core::Source;
    /// use quotient_lts::modal::{Modal, Part};
    /// let formula = Modal::read(&Source::new("", "[true*]<true>true")).unwrap();
    /// assert!(matches!(formula.parts[formula.root], Part::Fixpoint { priority: 2, .. }));
    /// assert!(Modal::read(&Source::new("", "mu X. !X")).is_err());
    /// ```
    pub fn read(source: &Source) -> Result<Modal, Diagnostic> {
        parse::parse(source)
    }

    /// The names of actions that it speaks of, each once, in order.
    pub fn actions(&self) -> Vec<&str> {
        let steps = self.parts.iter().filter_map(|part| match part {
            Part::Can(actions, _) | Part::Must(actions, _) => Some(&actions.names),
            _ => None,
        });
        let names = steps.flat_map(|names| names.iter().map(String::as_str));
        let mut names: Vec<&str> = names.collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Modal, Diagnostic> {
        Modal::read(&Source::new("", text))
    }

    #[test]
    fn any_step_is_no_part_of_a_name() {
        for (one, other) in [
            ("[true.b]false", "[true; b]false"),
            ("<true.b.c>true", "<true; b.c>true"),
            ("<false.b>true", "<false; b>true"),
            ("[true*.b]false", "[true*; b]false"),
            ("[(true.true).b]false", "[(true; true); b]false"),
            ("[!true.b]false", "[false; b]false"),
        ] {
            assert_eq!(read(one).unwrap(), read(other).unwrap(), "{one}");
        }
        let named = |text: &str| read(text).unwrap().actions().join(" ");
        assert_eq!(named("[\"true.b\"]<\"true\">true"), "true true.b");
        assert_eq!(named("<a.true>[{c, a[1]}]<!a>true"), "a a.1 a.true c");
        for wrong in ["<{true}>true", "[{a, false}]true", "<true[1]>true"] {
            assert_eq!(read(wrong).unwrap_err().code, "formula-syntax", "{wrong}");
        }
        assert_eq!(named("<{\"true\"}>true"), "true");
    }
}
