//! Values that fit, and values that never do.

use quotient_core::{Diagnostic, Span};

use super::{Resolved, Resolver, Scope};
use crate::model::{Domain, Expr, Value};
use crate::syntax::tree::Expression;

impl Resolver<'_> {
    /// A value of a set that a variable gets any of: it is the same whoever takes the step.
    pub(super) fn constant_within(
        &self,
        expression: &Expression,
        domain: &Domain,
    ) -> Resolved<Value> {
        match self.value(expression, domain, &mut Scope::default())? {
            Expr::Constant(value) => Ok(value),
            _ => Err(self
                .error(
                    "not-constant",
                    "only constants stand in such a set",
                    expression.span,
                )
                .help("give what hangs on variables an alternative: `then x := y or then x := 0`")),
        }
    }

    pub(super) fn shown(&self, domain: &Domain, value: Value) -> String {
        match domain {
            Domain::Symbols(_) => self.symbols[value as usize].clone(),
            _ => value.to_string(),
        }
    }

    /// The values of a type in a line, if they are not too many.
    pub(super) fn listed(&self, domain: &Domain) -> String {
        let all = domain.values().into_iter().take(12);
        let all: Vec<String> = all.map(|value| self.shown(domain, value)).collect();
        all.join(", ")
    }

    /// That a value is none of a type.
    pub(super) fn outside(&self, value: Value, domain: &Domain, span: Span) -> Diagnostic {
        self.error(
            "outside-domain",
            format!(
                "`{}` is not a value that fits here",
                self.shown(domain, value)
            ),
            span,
        )
        .note(format!("the values are {}", self.listed(domain)))
        .help("take one of these, or widen the type of the variable")
    }

    /// The values that a variable may have.
    pub(super) fn domain_of<'a>(&'a self, place: &Expr, scope: &'a Scope) -> Option<&'a Domain> {
        match place {
            Expr::Global(global) => Some(&self.globals[*global].domain),
            Expr::Field(_, field) => Some(&self.fields[*field].domain),
            Expr::Choice(choice) => Some(&scope.choices[*choice].1),
            Expr::Pair(_, _, pair) => Some(&self.pairs[*pair].domain),
            _ => None,
        }
    }

    /// Comparing with a value that the variable cannot have is a mistake.
    pub(super) fn comparable(
        &self,
        place: &Expr,
        value: &Expr,
        span: Span,
        scope: &Scope,
    ) -> Resolved<()> {
        match (self.domain_of(place, scope), value) {
            (Some(domain), Expr::Constant(value)) if !domain.contains(*value) => {
                Err(self.outside(*value, domain, span))
            }
            _ => Ok(()),
        }
    }

    /// Comparing variables that are never the same is a mistake, too: what hangs on it never happens,
    /// and a property about it would hold for no good reason.
    pub(super) fn share_a_value(
        &self,
        (one, other): (&Expr, &Expr),
        span: Span,
        scope: &Scope,
    ) -> Resolved<()> {
        let (Some(one), Some(other)) = (self.domain_of(one, scope), self.domain_of(other, scope))
        else {
            return Ok(());
        };
        if one.values().iter().any(|value| other.contains(*value)) {
            return Ok(());
        }
        Err(self
            .error("no-common-value", "these are never the same", span)
            .note(format!(
                "one is among {}, the other among {}",
                self.listed(one),
                self.listed(other)
            ))
            .help("compare variables that have a value in common"))
    }
}
