//! `in`: one of several values, written as a set, as a range, or as a type that has a name.

use super::{Resolved, Resolver, Scope};
use crate::model::Expr;
use crate::syntax::operators::MOST_NUMBERS;
use crate::syntax::tree::{Expression, Kind, Name, Operator, Type};

impl Resolver<'_> {
    /// Whether something is one of the values of a set.
    pub(super) fn membership(
        &self,
        element: &Expression,
        set: &Expression,
        scope: &mut Scope,
    ) -> Resolved<Expr> {
        let Some(values) = self.elements(set) else {
            return Err(self
                .error("no-set", "a set was expected behind `in`", set.span)
                .help("as in `x in { a, b }`, `x in 1..3`, or the name of a type"));
        };
        if values.is_empty() {
            return Err(self
                .error("no-set", "nothing is in this set", set.span)
                .help("write `false` if that is meant"));
        }
        let mut any = Vec::new();
        for value in &values {
            if let Kind::Binary(Operator::Or | Operator::And, ..) = value.kind {
                return Err(self
                    .error("no-set", "this is no value of a set", value.span)
                    .help("the values of a set are joined by `,`: `x in { a, b }`"));
            }
            let span = element.span.to(value.span);
            any.push(self.condition_of(Operator::Equal, element, value, span, scope)?);
        }
        Ok(Expr::Or(any))
    }

    /// What stands in a set.
    fn elements(&self, set: &Expression) -> Option<Vec<Expression>> {
        let made = |kind: Kind| Expression {
            kind,
            span: set.span,
        };
        match &set.kind {
            Kind::Set(values) => Some(values.clone()),
            Kind::Name(name) => match self.type_named(name)? {
                Type::Values(values) => {
                    let value = |value: &Name| made(Kind::Name(value.text.clone()));
                    Some(values.iter().map(value).collect())
                }
                Type::Range(low, high, _) if high.saturating_sub(*low) < MOST_NUMBERS => {
                    let numbers = (*low..=*high).map(|number| made(Kind::Number(number)));
                    Some(numbers.collect())
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// What a name of a type stands for; no type is declared by itself.
    fn type_named(&self, name: &str) -> Option<&Type> {
        let types = &self.file.types;
        let mut known = types.iter().find(|(known, _)| known.text == *name)?;
        for _ in 0..types.len() {
            let Type::Named(other) = &known.1 else {
                break;
            };
            known = types.iter().find(|(known, _)| known.text == other.text)?;
        }
        Some(&known.1)
    }
}
