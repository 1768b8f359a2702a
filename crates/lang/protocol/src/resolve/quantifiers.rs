//! Quantifiers and counts: who is spoken of.

use quotient_core::Span;

use super::{Resolved, Resolver, Scope};
use crate::model::{Bound, Expr, Person, Who};
use crate::syntax::tree::{Expression, Kind, Name, Operator, Side};

/// A quantifier without its names.
pub(super) struct Quantifier<'e> {
    pub(super) exists: bool,
    pub(super) side: Side,
    pub(super) of: Option<Who>,
    /// The depth of the scope before its first name.
    pub(super) first: Who,
    pub(super) body: &'e Expression,
}

impl Resolver<'_> {
    /// Quantifies over the names one after another; names of one list are different processes.
    pub(super) fn quantified(
        &self,
        form: &Quantifier<'_>,
        names: &[Name],
        scope: &mut Scope,
    ) -> Resolved<Expr> {
        let Some((name, rest)) = names.split_first() else {
            return self.boolean(form.body, scope);
        };
        let mut bound = self.bound(form.side, form.of, scope, name.span)?;
        bound.different_from.extend(form.first..scope.people.len());
        let beside = self.beside(form.side, form.of, scope);
        self.introduce(name, scope)?;
        let inner = self.quantified(form, rest, scope);
        scope.people.pop();
        let body = match (beside, form.exists) {
            (None, _) => inner?,
            (Some(beside), true) => Expr::And(vec![beside, inner?]),
            (Some(beside), false) => Expr::Or(vec![Expr::Not(Box::new(beside)), inner?]),
        };
        Ok(Expr::Quantified {
            exists: form.exists,
            bound,
            body: Box::new(body),
        })
    }

    /// Every part of what is demanded of all processes must speak of them: otherwise it was
    /// probably meant to stand outside, and would be lost where there is nobody to speak of.
    pub(super) fn speaks_of_all(&self, body: &Expression, names: &[Name]) -> Resolved<()> {
        if let Kind::Binary(Operator::And, left, right) = &body.kind {
            self.speaks_of_all(left, names)?;
            return self.speaks_of_all(right, names);
        }
        if names.iter().any(|name| body.mentions(&name.text)) {
            return Ok(());
        }
        let message = format!(
            "this is demanded of each `{}`, but does not speak of it",
            names[0].text
        );
        Err(self
            .error("unrelated-part", message, body.span)
            .note("a quantifier reaches as far to the right as it can")
            .help("put the quantifier in parentheses: `(forall p: …) and …`"))
    }

    /// How many processes satisfy a condition: a number that is compared with others.
    pub(super) fn how_many(
        &self,
        side: Side,
        name: &Name,
        body: &Expression,
        span: Span,
        scope: &mut Scope,
    ) -> Resolved<Expr> {
        let Some(sizes) = scope.counting else {
            return Err(self
                .error("bare-count", "a count must be compared with a number", span)
                .help("as in `count(p: p.at = critical) <= 1`"));
        };
        let bound = self.bound(side, None, scope, name.span)?;
        let beside = self.beside(side, None, scope);
        self.introduce(name, scope)?;
        let outside = (
            std::mem::replace(&mut scope.sizes, sizes),
            scope.counting.take(),
        );
        let body = self.boolean(body, scope);
        (scope.sizes, scope.counting) = outside;
        scope.people.pop();
        let body = match beside {
            Some(beside) => Expr::And(vec![beside, body?]),
            None => body?,
        };
        Ok(Expr::HowMany {
            bound,
            body: Box::new(body),
        })
    }

    /// That the process which comes next into the scope is a child or the parent of the one that is
    /// started from, where that is meant.
    pub(super) fn beside(&self, side: Side, of: Option<Who>, scope: &Scope) -> Option<Expr> {
        let (pivot, who) = (of.unwrap_or(0), scope.people.len());
        match side {
            Side::Child => Some(Expr::Next(pivot, who)),
            Side::Parent => Some(Expr::Next(who, pivot)),
            _ => None,
        }
    }

    pub(super) fn bound(
        &self,
        side: Side,
        of: Option<Who>,
        scope: &Scope,
        span: Span,
    ) -> Resolved<Bound> {
        self.needs_processes(span)?;
        let mut bound = Bound::default();
        if side == Side::Any {
            return Ok(bound);
        }
        let Some(pivot) = of.or(scope.has_self.then_some(0)) else {
            return Err(self
                .error(
                    "no-self",
                    "`other`, `left` and `right` need a process to start from",
                    span,
                )
                .help("write `forall p` for all processes, or `exists q left of p`"));
        };
        let ordered = self.file.topology.is_none_or(|(topology, _)| {
            matches!(topology, super::Topology::Line | super::Topology::Tree)
        });
        match side {
            Side::Other | Side::Any | Side::Child | Side::Parent => {
                bound.different_from.push(pivot);
            }
            _ if !ordered => {
                return Err(self
                    .error(
                        "no-order",
                        "processes have a left and a right side only in a line",
                        span,
                    )
                    .help("say `topology line`, or quantify over `other` processes"));
            }
            Side::Left => bound.left_of = Some(pivot),
            Side::Right => bound.right_of = Some(pivot),
        }
        Ok(bound)
    }

    pub(super) fn introduce(&self, name: &Name, scope: &mut Scope) -> Resolved<()> {
        let taken = scope.people.iter().any(|person| person.name == name.text)
            || scope.choices.iter().any(|(choice, _)| *choice == name.text)
            || self
                .fields
                .iter()
                .chain(&self.globals)
                .chain(&self.pairs)
                .any(|variable| variable.name == name.text);
        if taken {
            return Err(self
                .error(
                    "name-taken",
                    format!("`{}` already names something here", name.text),
                    name.span,
                )
                .help("choose another name, or put the first quantifier in parentheses"));
        }
        scope.people.push(Person {
            name: name.text.clone(),
        });
        Ok(())
    }
}

impl Expression {
    /// Whether a name occurs in it.
    fn mentions(&self, name: &str) -> bool {
        match &self.kind {
            Kind::Number(_) | Kind::Matches(..) => false,
            Kind::Name(known) => known == name,
            Kind::Field(owner, _) => owner.root() == name,
            Kind::Pair(owner, _, index) => {
                index.root() == name || owner.as_ref().is_some_and(|owner| owner.root() == name)
            }
            Kind::Call(_, all) | Kind::Set(all) => all.iter().any(|part| part.mentions(name)),
            Kind::Not(inner) | Kind::Negate(inner) | Kind::Temporal(_, inner) => {
                inner.mentions(name)
            }
            Kind::Binary(_, left, right) => left.mentions(name) || right.mentions(name),
            Kind::If(condition, yes, no) => {
                [condition, yes, no].iter().any(|part| part.mentions(name))
            }
            Kind::Quantified { of, body, .. } => {
                of.as_ref().is_some_and(|of| of.text == name) || body.mentions(name)
            }
            Kind::Count { body, .. } => body.mentions(name),
        }
    }
}
