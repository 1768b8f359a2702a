//! Negation normal form.

use crate::{Binary, Formula, Kind, Unary};

impl<A: Clone> Formula<A> {
    /// The same formula with negations only in front of atoms and placeholders, and without
    /// `->`, `<->` and `xor` (whose operands are doubled).
    ///
    /// One exception keeps the result small: the negation of a bounded until stays where it
    /// is, because no operator is its dual.
    pub fn negation_normal_form(&self) -> Formula<A> {
        normal(self, true)
    }
}

fn normal<A: Clone>(formula: &Formula<A>, positive: bool) -> Formula<A> {
    let span = formula.span;
    let make = |kind| Formula::new(kind, span);
    let unary = |operator, operand| make(Kind::Unary(operator, Box::new(operand)));
    let binary =
        |operator, left, right| make(Kind::Binary(operator, Box::new(left), Box::new(right)));
    match &formula.kind {
        Kind::Constant(value) => make(Kind::Constant(*value == positive)),
        Kind::Atom(_) | Kind::Placeholder(_) => match positive {
            true => formula.clone(),
            false => unary(Unary::Not, formula.clone()),
        },
        Kind::Unary(Unary::Not, operand) => normal(operand, !positive),
        Kind::Unary(operator, operand) => {
            let operator = match positive {
                true => *operator,
                false => dual(*operator),
            };
            unary(operator, normal(operand, positive))
        }
        Kind::Binary(operator, left, right) => {
            let of = |side: &Formula<A>, positive| normal(side, positive);
            match (operator, positive) {
                (Binary::And, true) | (Binary::Or, false) => {
                    binary(Binary::And, of(left, positive), of(right, positive))
                }
                (Binary::Or, true) | (Binary::And, false) => {
                    binary(Binary::Or, of(left, positive), of(right, positive))
                }
                (Binary::Implies, true) => binary(Binary::Or, of(left, false), of(right, true)),
                (Binary::Implies, false) => binary(Binary::And, of(left, true), of(right, false)),
                (Binary::Iff, _) | (Binary::Xor, _) => {
                    let same = (*operator == Binary::Iff) == positive;
                    let both = binary(Binary::And, of(left, true), of(right, same));
                    let neither = binary(Binary::And, of(left, false), of(right, !same));
                    binary(Binary::Or, both, neither)
                }
                (Binary::Until(Some(_)), false) => {
                    let inner = binary(*operator, of(left, true), of(right, true));
                    unary(Unary::Not, inner)
                }
                (_, true) => binary(*operator, of(left, true), of(right, true)),
                (Binary::Until(None), false) => {
                    binary(Binary::Release, of(left, false), of(right, false))
                }
                (Binary::Release, false) => {
                    binary(Binary::Until(None), of(left, false), of(right, false))
                }
                // Not (l W r) is (not r) U (neither).
                (Binary::WeakUntil, false) => {
                    let neither = binary(Binary::And, of(left, false), of(right, false));
                    binary(Binary::Until(None), of(right, false), neither)
                }
                (Binary::Since, false) => {
                    binary(Binary::Triggered, of(left, false), of(right, false))
                }
                (Binary::Triggered, false) => {
                    binary(Binary::Since, of(left, false), of(right, false))
                }
            }
        }
    }
}

/// The operator that says the opposite of the opposite.
fn dual(operator: Unary) -> Unary {
    match operator {
        Unary::Not | Unary::Next => operator,
        Unary::ForAll => Unary::Exists,
        Unary::Exists => Unary::ForAll,
        Unary::Finally(steps) => Unary::Globally(steps),
        Unary::Globally(steps) => Unary::Finally(steps),
        Unary::Yesterday => Unary::WeakYesterday,
        Unary::WeakYesterday => Unary::Yesterday,
        Unary::Once(steps) => Unary::Historically(steps),
        Unary::Historically(steps) => Unary::Once(steps),
    }
}
