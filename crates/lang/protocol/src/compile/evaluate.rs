//! Values of expressions where some letters are known.

use crate::model::{Expr, Value, Who};

/// What is known when an expression is evaluated; `None` for what is not.
pub(crate) struct Known<'a> {
    /// The values of the globals.
    pub(crate) globals: Option<&'a [Value]>,
    /// The letters of processes, by number.
    pub(crate) people: Vec<Option<&'a [Value]>>,
    /// The values chosen by the step.
    pub(crate) choices: &'a [Value],
}

impl Known<'_> {
    /// The value, if what is known determines it. Conditions about places are never known.
    pub(crate) fn value(&self, expr: &Expr) -> Option<Value> {
        match expr {
            Expr::Constant(value) => Some(*value),
            Expr::Global(global) => Some(self.globals?[*global]),
            Expr::Field(who, field) => Some(self.letter(*who)?[*field]),
            Expr::Choice(choice) => self.choices.get(*choice).copied(),
            Expr::Not(inner) => Some(i32::from(self.value(inner)? == 0)),
            Expr::And(all) => self.decided(all, 0),
            Expr::Or(all) => self.decided(all, 1),
            Expr::Compare(comparison, left, right) => Some(i32::from(
                comparison.holds(self.value(left)?, self.value(right)?),
            )),
            Expr::Arithmetic(arithmetic, left, right) => {
                arithmetic.apply(self.value(left)?, self.value(right)?)
            }
            Expr::If(condition, yes, no) => {
                if self.value(condition)? != 0 {
                    self.value(yes)
                } else {
                    self.value(no)
                }
            }
            _ => None,
        }
    }

    fn letter(&self, who: Who) -> Option<&[Value]> {
        self.people.get(who).copied().flatten()
    }

    /// One part with the value decides; else all must be known.
    fn decided(&self, all: &[Expr], value: Value) -> Option<Value> {
        let mut unknown = false;
        for part in all {
            match self.value(part) {
                Some(known) if (known != 0) == (value != 0) => return Some(value),
                Some(_) => {}
                None => unknown = true,
            }
        }
        if unknown { None } else { Some(1 - value) }
    }
}

/// What a plain expression speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Mention {
    Global(usize),
    Field(Who, usize),
}

/// Collects what a plain expression speaks of, sorted.
pub(super) fn mentions(expr: &Expr) -> Vec<Mention> {
    let mut found = Vec::new();
    collect(expr, &mut found);
    found.sort_unstable();
    found.dedup();
    found
}

fn collect(expr: &Expr, found: &mut Vec<Mention>) {
    match expr {
        Expr::Global(global) => found.push(Mention::Global(*global)),
        Expr::Field(who, field) => found.push(Mention::Field(*who, *field)),
        Expr::Not(inner) => collect(inner, found),
        Expr::And(all) | Expr::Or(all) => all.iter().for_each(|part| collect(part, found)),
        Expr::Compare(_, left, right) | Expr::Arithmetic(_, left, right) => {
            collect(left, found);
            collect(right, found);
        }
        Expr::If(condition, yes, no) => {
            [condition, yes, no]
                .into_iter()
                .for_each(|part| collect(part, found));
        }
        _ => {}
    }
}
