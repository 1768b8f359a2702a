//! What is said of whom a variable holds, said of somebody.
//!
//! `not next.locked` says of all processes that none of them is held and locked. But a variable holds one
//! process at the most: so that is to say that it holds nobody, or somebody who is not locked. Of all
//! processes proofs see only those that they look at; of somebody they know that there is one.

use super::{Field, Lowered};
use crate::model::{Bound, Expr, Who};

impl Lowered {
    /// The same condition, which must be true (or false), with as few quantifiers over all as may be.
    pub(super) fn turned(&self, expr: &Expr, positive: bool, depth: Who) -> Expr {
        let all = |all: &[Expr]| {
            let turned = all.iter().map(|part| self.turned(part, positive, depth));
            turned.collect::<Vec<Expr>>()
        };
        match expr {
            Expr::Not(inner) => not(self.turned(inner, !positive, depth)),
            Expr::And(parts) => Expr::And(all(parts)),
            Expr::Or(parts) => Expr::Or(all(parts)),
            Expr::Quantified {
                exists,
                bound,
                body,
            } => {
                let universal = *exists != positive;
                match universal
                    .then(|| self.of_somebody(*exists, bound, body, depth))
                    .flatten()
                {
                    Some(some) => self.turned(&some, positive, depth),
                    None => Expr::Quantified {
                        exists: *exists,
                        bound: bound.clone(),
                        body: Box::new(self.turned(body, positive, depth + 1)),
                    },
                }
            }
            other => other.clone(),
        }
    }

    /// A quantifier whose process is the one that a variable holds, as the other quantifier.
    fn of_somebody(&self, exists: bool, bound: &Bound, body: &Expr, own: Who) -> Option<Expr> {
        let mut parts = Vec::new();
        // What all of them must satisfy, or what none of them may: as a list of what is joined.
        joined(body, exists, true, &mut parts);
        let is_held = |(part, positive): &(&Expr, bool)| {
            *positive == exists && self.nobody_held(part, own).is_some()
        };
        let at = parts.iter().position(is_held)?;
        let (held, _) = parts.remove(at);
        let nobody = self.nobody_held(held, own)?;
        let mut rest: Vec<Expr> = parts
            .into_iter()
            .map(|(part, positive)| match positive == exists {
                true => part.clone(),
                false => not(part.clone()),
            })
            .collect();
        rest.extend(super::conditions::range(bound, own));
        if rest.is_empty() {
            // Of a variable of a process that is said in the same words.
            let global = matches!(nobody, Expr::Nobody(_));
            return global.then(|| if exists { not(nobody) } else { nobody });
        }
        // Whoever is held does not satisfy all of the rest.
        let somebody = Expr::Quantified {
            exists: true,
            bound: Bound::default(),
            body: Box::new(Expr::And(vec![held.clone(), not(Expr::And(rest))])),
        };
        let either = Expr::Or(vec![nobody, somebody]);
        Some(match exists {
            true => not(either),
            false => either,
        })
    }

    /// That a variable holds nobody, if an expression says that it holds a process.
    fn nobody_held(&self, expr: &Expr, own: Who) -> Option<Expr> {
        let holds = |field: &Field| matches!(field, Field::Holder { .. });
        match expr {
            Expr::Field(who, mark) if *who == own && holds(&self.fields[*mark]) => {
                Some(Expr::Nobody(*mark))
            }
            Expr::Pair(owner, who, pair)
                if *who == own && *owner != own && holds(&self.pairs[*pair]) =>
            {
                Some(not(Expr::Quantified {
                    exists: true,
                    bound: Bound::default(),
                    body: Box::new(Expr::Pair(*owner, own, *pair)),
                }))
            }
            _ => None,
        }
    }
}

/// The parts of a condition that are joined by `and` (or by `or`), and whether each stands as it is.
fn joined<'e>(expr: &'e Expr, and: bool, positive: bool, parts: &mut Vec<(&'e Expr, bool)>) {
    match expr {
        Expr::Not(inner) => joined(inner, and, !positive, parts),
        Expr::And(all) if and == positive => {
            all.iter()
                .for_each(|part| joined(part, and, positive, parts));
        }
        Expr::Or(all) if and != positive => {
            all.iter()
                .for_each(|part| joined(part, and, positive, parts));
        }
        other => parts.push((other, positive)),
    }
}

fn not(expr: Expr) -> Expr {
    Expr::Not(Box::new(expr))
}
