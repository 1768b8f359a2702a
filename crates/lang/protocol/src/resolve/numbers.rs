//! Operations on numbers, which have 32 bits.
//!
//! A condition in which a number does not fit would be neither true nor false. So an expression is
//! only taken if it has a value whatever the values of its variables are.

use quotient_core::Span;

use super::constants::fold;
use super::{Resolved, Resolver, Scope};
use crate::model::{Arithmetic, Domain, Expr, Value};

impl Resolver<'_> {
    /// An operation on numbers, which has a value whatever they are.
    pub(super) fn computed(
        &self,
        arithmetic: Arithmetic,
        left: Expr,
        right: Expr,
        span: Span,
        scope: &Scope,
    ) -> Resolved<Expr> {
        let expr = Expr::Arithmetic(arithmetic, Box::new(left), Box::new(right));
        let (low, high) = self.ends(&expr, scope);
        let fits = |end: i64| Value::try_from(end).is_ok();
        match [low, high].into_iter().find(|end| !fits(*end)) {
            None => Ok(fold(expr)),
            Some(end) => {
                let message = format!("this can be {end}, and numbers have 32 bits");
                Err(self
                    .error("huge-number", message, span)
                    .help("use smaller numbers, or variables with smaller ranges"))
            }
        }
    }

    /// The least and the greatest value that an expression may have; its parts fit into 32 bits.
    fn ends(&self, expr: &Expr, scope: &Scope) -> (i64, i64) {
        // Nobody looks at more processes one by one.
        const MOST_PROCESSES: i64 = 1_000_000;
        let of = |domain: &Domain| match domain {
            Domain::Bool => (0, 1),
            Domain::Range(low, high) => (i64::from(*low), i64::from(*high)),
            Domain::Symbols(symbols) => {
                let ends = (symbols.iter().min(), symbols.iter().max());
                let end = |end: Option<&Value>| end.copied().map_or(0, i64::from);
                (end(ends.0), end(ends.1))
            }
            Domain::Parameter => (0, MOST_PROCESSES),
        };
        match expr {
            Expr::Constant(value) => (i64::from(*value), i64::from(*value)),
            Expr::Global(global) => of(&self.globals[*global].domain),
            Expr::Field(_, field) => of(&self.fields[*field].domain),
            Expr::Pair(_, _, pair) => of(&self.pairs[*pair].domain),
            Expr::Choice(choice) => of(&scope.choices[*choice].1),
            Expr::Size | Expr::HowMany { .. } => (0, MOST_PROCESSES),
            Expr::If(_, yes, no) => {
                let (yes, no) = (self.ends(yes, scope), self.ends(no, scope));
                (yes.0.min(no.0), yes.1.max(no.1))
            }
            Expr::Arithmetic(arithmetic, left, right) => {
                let (left, right) = (self.ends(left, scope), self.ends(right, scope));
                match arithmetic {
                    Arithmetic::Add => (left.0 + right.0, left.1 + right.1),
                    Arithmetic::Subtract => (left.0 - right.1, left.1 - right.0),
                    Arithmetic::Multiply => {
                        let all = [left.0, left.1].map(|one| [one * right.0, one * right.1]);
                        let all = all.concat();
                        let ends = (all.iter().min(), all.iter().max());
                        (ends.0.copied().unwrap_or(0), ends.1.copied().unwrap_or(0))
                    }
                    Arithmetic::Divide => (left.0.min(0), left.1.max(0)),
                    Arithmetic::Modulo => (0, right.1.max(1) - 1),
                }
            }
            // A truth value.
            _ => (0, 1),
        }
    }
}
