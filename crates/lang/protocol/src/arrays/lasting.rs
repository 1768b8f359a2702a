//! What is so at the start and speaks only of what nobody changes is so for ever.

use quotient_arrays::{Amount, Axiom, Formula, Relation, Term, VariableId};

use super::Lowered;
use super::conditions::Scope;
use crate::model::{Bound, Condition, Expr, Protocol};

impl Lowered {
    /// What `initially forall p, q: exists r: E` says of every state, where no step changes what `E` speaks of:
    /// so quorums are declared that are no majorities.
    pub(super) fn lasting(&self, protocol: &Protocol) -> Vec<Axiom> {
        let said = protocol.initially.iter().filter_map(|said| match said {
            Condition::Holds(expr) => Some(expr),
            _ => None,
        });
        let parts = said.flat_map(|expr| match expr {
            Expr::And(parts) => parts.iter().collect(),
            other => vec![other],
        });
        parts
            .filter_map(|expr| self.lasting_one(protocol, expr))
            .collect()
    }

    fn lasting_one(&self, protocol: &Protocol, expr: &Expr) -> Option<Axiom> {
        let (mut processes, mut inner) = (0, expr);
        while let Expr::Quantified {
            exists: false,
            bound,
            body,
        } = inner
        {
            if bound.left_of.is_some() || bound.right_of.is_some() {
                return None;
            }
            (processes, inner) = (processes + 1, &**body);
        }
        let Expr::Quantified {
            exists: true,
            bound,
            body,
        } = inner
        else {
            return None;
        };
        // Nobody is told apart but by values, so that whoever there is may be one of the others.
        let plain = |part: &Expr| {
            matches!(
                part,
                Expr::Field(..)
                    | Expr::Pair(..)
                    | Expr::Global(_)
                    | Expr::Constant(_)
                    | Expr::Compare(..)
                    | Expr::Not(_)
                    | Expr::And(_)
                    | Expr::Or(_)
            )
        };
        if processes == 0 || *bound != Bound::default() || body.mentions(&|part| !plain(part)) {
            return None;
        }
        let scope = Scope {
            people: (0..=processes).collect(),
            places: processes + 1,
        };
        let conclusion = self.formula(protocol, body, true, &scope).ok()?;
        let changed = |variable: VariableId| {
            let all = self.system.transitions.iter();
            let mut updates = all.flat_map(|one| &one.updates);
            updates.any(|update| update.variable == variable)
        };
        let mut spoken = Vec::new();
        variables(&conclusion, &mut spoken)?;
        if spoken.into_iter().any(changed) {
            return None;
        }
        let different = |one: usize, two: usize| {
            Formula::Compare(Term::Process(one), Relation::Different, Term::Process(two))
        };
        let pairs = (0..processes).flat_map(|two| (0..two).map(move |one| (one, two)));
        Some(Axiom {
            processes,
            premise: Formula::And(pairs.map(|(one, two)| different(one, two)).collect()),
            conclusion,
            positive: Amount::constant(1),
        })
    }
}

/// The variables of a formula of values; nothing if it says more.
fn variables(formula: &Formula, found: &mut Vec<VariableId>) -> Option<()> {
    match formula {
        Formula::And(parts) | Formula::Or(parts) => {
            parts.iter().try_for_each(|part| variables(part, found))
        }
        Formula::Compare(left, _, right) => [left, right].into_iter().try_for_each(|term| {
            match term {
                Term::Cell(place) => found.push(place.variable),
                Term::Constant(_) => {}
                _ => return None,
            }
            Some(())
        }),
        _ => None,
    }
}
