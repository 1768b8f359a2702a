//! Steps that read the others one by one: which quantifiers, and what the process says of itself.

use quotient_core::Span;

use super::{Resolved, Resolver, Scope};
use crate::model::{Bound, Expr, Order, Reading};
use crate::syntax::tree;

impl Resolver<'_> {
    /// Takes the quantifiers that are to be read one by one out of a condition.
    pub(super) fn readings(
        &self,
        step: &tree::Step,
        (span, order): (Span, Order),
        scope: &Scope,
        guard: &mut Vec<Expr>,
    ) -> Resolved<Vec<Reading>> {
        if order != Order::Any && self.is_set() {
            return Err(self
                .error("no-order", "processes of a set are not read in order", span)
                .help("say `topology line`, or read in any order"));
        }
        if let Some((name, _)) = step.witnesses.first() {
            return Err(self
                .error(
                    "one-by-one",
                    "a step that reads one by one cannot name another process",
                    name.span,
                )
                .at(self.source, span, "reads one by one")
                .note("which one it meets would depend on a moment that is past")
                .help("read in one step, and name the other process in the next one"));
        }
        let place = step.guard.as_ref().map_or(span, |guard| guard.span);
        let mut parts = Vec::new();
        std::mem::take(guard)
            .into_iter()
            .for_each(|part| flatten(part, &mut parts));
        let mut quantifiers = Vec::new();
        for part in parts {
            match self.reading(part, scope) {
                Ok(Part::Quantifier(exists, bound, body)) => {
                    quantifiers.push((exists, bound, body));
                }
                Ok(Part::Other(expr)) => guard.push(expr),
                Err(reason) => {
                    return Err(self
                        .error("one-by-one", reason, place)
                        .at(self.source, span, "reads one by one")
                        .help("join quantifiers by `and`: `when at = a and forall other p: p.x`")
                        .help("leave `one by one` away to read all processes at once"));
                }
            }
        }
        if quantifiers.is_empty() || !scope.has_self {
            return Err(self
                .error("one-by-one", "this step reads no other process", span)
                .help("its condition needs a quantifier, as in `forall other p: p.at = idle`"));
        }
        // What the process says of its own variables, and of nothing else.
        let own = |expr: &&Expr| expr.is_plain() && self.speaks_of_itself(expr);
        let own = Expr::And(guard.iter().filter(own).cloned().collect());
        let reading = |(exists, bound, body): (bool, Bound, Expr)| Reading {
            exists,
            own: own.clone(),
            bound,
            order,
            body,
        };
        Ok(quantifiers.into_iter().map(reading).collect())
    }

    /// What a part of the condition is, or why it cannot be read one by one.
    fn reading(&self, part: Expr, scope: &Scope) -> Result<Part, &'static str> {
        let (exists, bound, body) = match part {
            Expr::Quantified {
                exists,
                bound,
                body,
            } => (exists, bound, body),
            Expr::Not(inner) if matches!(*inner, Expr::Quantified { .. }) => {
                let Expr::Quantified {
                    exists,
                    bound,
                    body,
                } = *inner
                else {
                    return Err("this cannot be read one by one");
                };
                (!exists, bound, Box::new(Expr::Not(body)))
            }
            Expr::Count { .. } => return Err("a count cannot be read one by one"),
            other if other.has_quantifier() => {
                return Err("a quantifier that is read one by one must stand alone");
            }
            other => return Ok(Part::Other(other)),
        };
        let own = scope.people.len();
        // `turn.x` is a quantifier only for the compiler.
        let held = |part: &Expr| match part {
            Expr::Field(who, field) => *who == own && self.fields[*field].mark.is_some(),
            Expr::Pair(_, who, pair) => *who == own && self.pairs[*pair].mark.is_some(),
            _ => false,
        };
        if let Expr::And(all) = &*body
            && all.first().is_some_and(held)
            && exists
        {
            return Ok(Part::Other(Expr::Quantified {
                exists,
                bound,
                body,
            }));
        }
        if body.has_quantifier() {
            return Err("what is asked of one process cannot ask about others");
        }
        let sides = bound.left_of.iter().chain(&bound.right_of);
        if sides.chain(&bound.different_from).any(|&who| who != 0)
            || body.people().any(|who| who != 0 && who != own)
        {
            return Err("what is asked of one process can also speak of `self`, of nobody else");
        }
        if body.has_choice() {
            return Err("a value chosen by the step cannot decide what was read before");
        }
        let body = body.renumbered(&|who| if who == own { 1 } else { who });
        Ok(Part::Quantifier(exists, bound, body))
    }

    fn speaks_of_itself(&self, expr: &Expr) -> bool {
        let mut itself = true;
        expr.walk(&mut |part| match part {
            Expr::Field(who, field) => itself &= *who == 0 && self.fields[*field].mark.is_none(),
            Expr::Global(_) | Expr::Choice(_) => itself = false,
            _ => {}
        });
        itself
    }
}

/// A part of the condition of a step.
enum Part {
    Quantifier(bool, Bound, Expr),
    Other(Expr),
}

fn flatten(expr: Expr, into: &mut Vec<Expr>) {
    match expr {
        Expr::And(all) => all.into_iter().for_each(|part| flatten(part, into)),
        other => into.push(other),
    }
}
