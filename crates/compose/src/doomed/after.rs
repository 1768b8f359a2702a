//! What is left of a formula after some moments.

use quotient_logic::{Binary, Formula, Kind, Unary};

use crate::reduced::Conjunct;
use crate::{Action, Fluent, Network};

/// What must hold from the next moment on, with the fluents as they are.
pub(super) struct After {
    pub(super) formula: Formula<usize>,
    pub(super) fluents: Vec<Fluent>,
}

/// What is left of a formula is no deeper.
const DEEPEST: usize = 1000;

impl After {
    /// After all moments that some events of a network make; nothing where that is too much.
    pub(super) fn events(
        network: &Network,
        conjunct: &Conjunct,
        events: &[Action],
    ) -> Option<After> {
        let mut fluents = conjunct.fluents.clone();
        let mut formula = conjunct.formula.clone();
        for &event in events {
            let shown = match event.is_tau() {
                true => continue,
                false => network.shown(event),
            };
            if shown.is_tau() {
                continue;
            }
            for fluent in &mut fluents {
                let ends = match &fluent.end {
                    Some(end) => end.contains(&shown),
                    None => true,
                };
                let stays = fluent.initially && !ends;
                fluent.initially = stays || fluent.begin.contains(&shown);
            }
            formula = stepped(&formula, &fluents)?;
            if formula.depth() > DEEPEST {
                return None;
            }
        }
        Some(After {
            formula: formula.simplified(),
            fluents,
        })
    }
}

/// A formula after the moment at which the fluents are as they are.
fn stepped(formula: &Formula<usize>, now: &[Fluent]) -> Option<Formula<usize>> {
    use Binary::{And, Iff, Implies, Or, Release, Until, WeakUntil, Xor};
    let step = |formula: &Formula<usize>| stepped(formula, now);
    let again = || formula.clone();
    let and = |one, other| joined(And, one, other);
    let or = |one, other| joined(Or, one, other);
    let not = |one: Formula<usize>| (!one).simplified();
    Some(match &formula.kind {
        Kind::Constant(_) => again(),
        Kind::Atom(atom) => Formula::constant(now.get(*atom)?.initially),
        Kind::Unary(Unary::Not, inner) => not(step(inner)?),
        Kind::Unary(Unary::Next, inner) => (**inner).clone(),
        Kind::Unary(Unary::Globally(None), inner) => and(step(inner)?, again()),
        Kind::Unary(Unary::Finally(None), inner) => or(step(inner)?, again()),
        Kind::Binary(operator, left, right) => {
            let (left, right) = (step(left)?, step(right)?);
            match operator {
                And => and(left, right),
                Or => or(left, right),
                Implies => or(not(left), right),
                Iff => or(and(left.clone(), right.clone()), and(not(left), not(right))),
                Xor => or(and(left.clone(), not(right.clone())), and(not(left), right)),
                Until(None) | WeakUntil => or(right, and(left, again())),
                Release => and(right, or(left, again())),
                _ => return None,
            }
        }
        _ => return None,
    })
}

/// Two formulas as one: constants are gone, and each operand is there once.
fn joined(operator: Binary, one: Formula<usize>, other: Formula<usize>) -> Formula<usize> {
    let mut operands: Vec<Formula<usize>> = Vec::new();
    let mut open = vec![other, one];
    while let Some(next) = open.pop() {
        match next.kind {
            Kind::Binary(own, left, right) if own == operator => open.extend([*right, *left]),
            Kind::Constant(value) if value == (operator == Binary::Or) => {
                return Formula::constant(value);
            }
            Kind::Constant(_) => {}
            _ if operands.iter().any(|known| known.same_tree(&next)) => {}
            _ => operands.push(next),
        }
    }
    let last = operands.pop();
    let last = last.unwrap_or_else(|| Formula::constant(operator == Binary::And));
    let operands = operands.into_iter().rev();
    operands.fold(last, |all, one| Formula::binary(operator, one, all))
}
