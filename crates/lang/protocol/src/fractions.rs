//! Numbers that depend on how many processes there are. They may be divided: `n / 2` is a
//! fraction, wherever it stands.

use crate::model::{Arithmetic, Expr, Value};

/// How many processes there are, and what parameters are.
#[derive(Clone, Copy)]
pub(crate) struct Sizes<'a> {
    pub(crate) processes: i64,
    pub(crate) globals: &'a [Value],
}

/// A fraction: what is divided, and the positive number that it is divided by.
pub(crate) type Fraction = (i64, i64);

impl Sizes<'_> {
    /// Whether a condition on such numbers holds; nothing where they are too large to tell.
    pub(crate) fn holds(self, expr: &Expr) -> Option<bool> {
        match expr {
            Expr::Constant(value) => Some(*value != 0),
            Expr::Not(inner) => Some(!self.holds(inner)?),
            Expr::And(all) => {
                let all: Option<Vec<bool>> = all.iter().map(|part| self.holds(part)).collect();
                Some(all?.into_iter().all(|holds| holds))
            }
            Expr::Or(all) => {
                let all: Option<Vec<bool>> = all.iter().map(|part| self.holds(part)).collect();
                Some(all?.into_iter().any(|holds| holds))
            }
            Expr::If(condition, yes, no) => match self.holds(condition)? {
                true => self.holds(yes),
                false => self.holds(no),
            },
            Expr::Compare(comparison, left, right) => {
                let difference = self.difference(left, right)?;
                Some(comparison.holds(difference, 0))
            }
            _ => None,
        }
    }

    /// The sign of the difference of two numbers.
    pub(crate) fn difference(self, left: &Expr, right: &Expr) -> Option<Value> {
        let (one, by) = self.fraction(left)?;
        self.above(one, by, right)
    }

    /// The sign of the difference of a fraction and a number.
    pub(crate) fn above(self, one: i64, by: i64, right: &Expr) -> Option<Value> {
        let (two, with) = self.fraction(right)?;
        let difference = one.checked_mul(with)?.checked_sub(two.checked_mul(by)?)?;
        Value::try_from(difference.signum()).ok()
    }

    fn fraction(self, expr: &Expr) -> Option<Fraction> {
        match expr {
            Expr::Constant(value) => Some((i64::from(*value), 1)),
            Expr::Size => Some((self.processes, 1)),
            Expr::Global(global) => Some((i64::from(*self.globals.get(*global)?), 1)),
            Expr::If(condition, yes, no) => match self.holds(condition)? {
                true => self.fraction(yes),
                false => self.fraction(no),
            },
            Expr::Arithmetic(arithmetic, left, right) => {
                computed(*arithmetic, self.fraction(left)?, self.fraction(right)?)
            }
            Expr::Not(_) | Expr::And(_) | Expr::Or(_) | Expr::Compare(..) => {
                Some((i64::from(self.holds(expr)?), 1))
            }
            _ => None,
        }
    }
}

/// An operation on fractions, where it has a value that is not too large.
pub(crate) fn computed(
    arithmetic: Arithmetic,
    left: Fraction,
    right: Fraction,
) -> Option<Fraction> {
    let ((one, by), (two, with)) = (left, right);
    let (first, second) = (one.checked_mul(with)?, two.checked_mul(by)?);
    let under = by.checked_mul(with)?;
    match arithmetic {
        Arithmetic::Add => Some((first.checked_add(second)?, under)),
        Arithmetic::Subtract => Some((first.checked_sub(second)?, under)),
        Arithmetic::Multiply => Some((one.checked_mul(two)?, under)),
        Arithmetic::Divide if two > 0 => Some((first, by.checked_mul(two)?)),
        Arithmetic::Modulo if by == 1 && with == 1 && two > 0 => Some((one.rem_euclid(two), 1)),
        Arithmetic::Divide | Arithmetic::Modulo => None,
    }
}
