//! Predicates of properties that never mattered.

use quotient_arithmetic::Condition;
use quotient_core::{Budget, Evidence};
use quotient_language::Doubt;

use crate::certify::{self, Body, SPOTLIGHT};
use crate::ltl::Ltl;
use crate::program::{Atom, Check, Program, canonical, leaves};

/// The work for one predicate.
const DOUBT_WORK: u64 = 200_000;

/// Those of a property without which it is proved all the same: wherever it stands it may be true or false,
/// whichever makes the property false.
pub(crate) fn predicates(
    program: &Program,
    check: &Check,
    body: &Body,
    budget: &Budget,
) -> Vec<Doubt> {
    let atoms = check.formula.atoms().into_iter();
    let mut asked: Vec<Condition> = (atoms.filter_map(|atom| match atom {
        Atom::Condition(condition) => Some(leaves(&condition)),
        Atom::At(..) => None,
    }))
    .flatten()
    .collect();
    asked.sort_unstable();
    asked.dedup();
    let mut doubts = Vec::new();
    for leaf in asked {
        let harder = Check {
            formula: without(&check.formula.normal(false), &leaf),
            ..check.clone()
        };
        let evidence = Evidence::of_holds(SPOTLIGHT, body).about(&check.name);
        let budget = budget.child_with_work(DOUBT_WORK);
        if certify::certify(program, &harder, &evidence, &budget).is_ok() {
            let (text, name) = (program.words(&leaf), &check.name);
            let text = format!("`{text}` never mattered to `{name}`: it holds for any value");
            let mut doubt = Doubt::new("idle-predicate", text);
            doubt.span = Some(check.span);
            doubts.push(doubt);
        }
    }
    doubts
}

/// A formula in normal form that is true only where it was, whatever the values of a leaf.
fn without(formula: &Ltl, leaf: &Condition) -> Ltl {
    let one = |inner: &Ltl| Box::new(without(inner, leaf));
    match formula {
        Ltl::Atom(Atom::Condition(condition)) => {
            Ltl::Atom(Atom::Condition(bound(condition, leaf, false)))
        }
        Ltl::Not(inner) => match &**inner {
            Ltl::Atom(Atom::Condition(condition)) => {
                let most = Ltl::Atom(Atom::Condition(bound(condition, leaf, true)));
                Ltl::Not(Box::new(most))
            }
            _ => formula.clone(),
        },
        Ltl::Constant(_) | Ltl::Atom(_) => formula.clone(),
        Ltl::Next(inner) => Ltl::Next(one(inner)),
        Ltl::And(a, b) => Ltl::And(one(a), one(b)),
        Ltl::Or(a, b) => Ltl::Or(one(a), one(b)),
        Ltl::Until(a, b) => Ltl::Until(one(a), one(b)),
        Ltl::Release(a, b) => Ltl::Release(one(a), one(b)),
    }
}

/// The condition with the best (`most`) or the worst value for a leaf wherever it stands.
fn bound(condition: &Condition, leaf: &Condition, most: bool) -> Condition {
    let all = |list: &[Condition]| list.iter().map(|one| bound(one, leaf, most)).collect();
    match condition {
        Condition::Not(inner) => Condition::Not(Box::new(bound(inner, leaf, !most))),
        Condition::And(list) => Condition::And(all(list)),
        Condition::Or(list) => Condition::Or(all(list)),
        _ if canonical(condition).is_some_and(|(found, _)| found == *leaf) => {
            Condition::Constant(most)
        }
        _ => condition.clone(),
    }
}
