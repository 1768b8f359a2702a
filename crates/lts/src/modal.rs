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
}
