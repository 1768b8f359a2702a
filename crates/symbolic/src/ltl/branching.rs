//! Formulas about paths that say the same about states.
//!
//! Where it is settled state by state which part of a formula counts, a path that breaks it can be put
//! together of one that leads to a state and one that goes on from there: so it holds on all paths
//! exactly if the formula with `A` before each operator does (the deterministic fragment of Maidl, 2000).
//! Fairness that asks for something again and again does not mind how a path begins. `G F p` and
//! `G (p -> F q)` are of this kind, `F G p` is not.

use quotient_logic::{Binary, Formula, Fragment, Kind as Form, Unary};

use crate::model::Expression;

/// Formulas that are nested deeper are left as they are.
const DEEPEST: usize = 64;

/// A branching-time formula that holds exactly if a formula holds on all fair paths; none where that is
/// not known.
pub(crate) fn in_branching_time(formula: &Formula<Expression>) -> Option<Formula<Expression>> {
    translated(formula, DEEPEST)
}

fn translated(formula: &Formula<Expression>, deep: usize) -> Option<Formula<Expression>> {
    if is_plain(formula) {
        return Some(formula.clone());
    }
    let deeper = |inner: &Formula<Expression>| translated(inner, deep.checked_sub(1)?);
    let on_all = |path: Formula<Expression>| Some(Formula::unary(Unary::ForAll, path));
    match &formula.kind {
        Form::Unary(operator @ (Unary::Next | Unary::Globally(None)), inner) => {
            on_all(Formula::unary(*operator, deeper(inner)?))
        }
        Form::Unary(Unary::Finally(None), inner) if is_plain(inner) => on_all(formula.clone()),
        Form::Binary(operator @ Binary::And, left, right) => {
            Some(Formula::binary(*operator, deeper(left)?, deeper(right)?))
        }
        Form::Binary(operator @ Binary::Or, left, right) if is_plain(left) || is_plain(right) => {
            Some(Formula::binary(*operator, deeper(left)?, deeper(right)?))
        }
        Form::Binary(operator @ Binary::Implies, left, right) if is_plain(left) => {
            let left = (**left).clone();
            Some(Formula::binary(*operator, left, deeper(right)?))
        }
        Form::Binary(operator @ Binary::Until(None), left, right) if is_plain(right) => {
            let right = (**right).clone();
            on_all(Formula::binary(*operator, deeper(left)?, right))
        }
        _ => None,
    }
}

/// Whether a formula is about one state.
fn is_plain(formula: &Formula<Expression>) -> bool {
    Fragment::of(formula).propositional
}
