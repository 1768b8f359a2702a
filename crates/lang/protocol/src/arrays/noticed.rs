//! What is forbidden of large sets of processes, as a step that notices it.
//!
//! Proofs know of a large set when a step asks for one: who was counted is remembered then. So where a
//! property itself speaks of one, as `never done and count(p: p.old) > n / 2` does, a step is added that
//! can be taken where that is so and does nothing but to note it; what must never happen is that it was
//! noted. That can be reached just where the other can.

use quotient_arrays::{Formula, Place, Relation, Term, Transition, Update, Value};
use quotient_core::Span;

use super::{Lowered, TRUTH, Values};

/// What such steps are called; they are none of the protocol.
pub(crate) const NOTICED: &str = "is noticed";

/// More alternatives of one property are not told apart.
const MOST_ALTERNATIVES: usize = 16;

impl Lowered {
    /// The same ways to violate a property, where those that speak of large sets are noticed by steps;
    /// these are added to the ones that are given.
    pub(super) fn noticed(
        &mut self,
        name: &str,
        span: Span,
        ways: Vec<(usize, Formula)>,
        steps: &mut Vec<Transition>,
    ) -> Vec<(usize, Formula)> {
        let (large, mut rest): (Vec<_>, Vec<_>) =
            ways.into_iter().partition(|(_, formula)| counts(formula));
        if large.is_empty() {
            return rest;
        }
        let variable = self.array(
            &format!("{name} was noticed"),
            0,
            Values::Enumeration(TRUTH),
        );
        let noted = Term::Cell(Place {
            variable,
            at: Vec::new(),
        });
        let not_yet = Formula::Compare(noted.clone(), Relation::Same, Term::Constant(0));
        self.system.start.formula = Formula::And(vec![
            std::mem::take(&mut self.system.start.formula),
            not_yet,
        ]);
        for (processes, formula) in large {
            for guard in alternatives(&formula) {
                let noting = (Formula::TRUE, Value::Is(Term::Constant(1)));
                steps.push(Transition {
                    name: NOTICED.to_owned(),
                    processes,
                    guard,
                    updates: vec![Update {
                        variable,
                        cases: vec![noting],
                    }],
                    span,
                });
            }
        }
        let noted = Formula::Compare(noted, Relation::Same, Term::Constant(1));
        rest.push((0, noted));
        rest
    }
}

/// Whether a condition asks for a large set.
fn counts(formula: &Formula) -> bool {
    match formula {
        Formula::And(parts) | Formula::Or(parts) => parts.iter().any(counts),
        Formula::Many(..) => true,
        _ => false,
    }
}

/// Conditions of which one is so where a condition is so; each asks for its large sets by itself, unless
/// these would be too many.
fn alternatives(formula: &Formula) -> Vec<Formula> {
    match formula {
        Formula::Or(parts) if counts(formula) && parts.len() <= MOST_ALTERNATIVES => {
            let all: Vec<Formula> = parts.iter().flat_map(alternatives).collect();
            match all.len() <= MOST_ALTERNATIVES {
                true => all,
                false => vec![formula.clone()],
            }
        }
        Formula::And(parts) if counts(formula) => {
            let mut all = vec![Vec::new()];
            for part in parts {
                let here = alternatives(part);
                if all.len() * here.len() > MOST_ALTERNATIVES {
                    return vec![formula.clone()];
                }
                let longer = all.iter().flat_map(|before: &Vec<Formula>| {
                    let with = |one: &Formula| [&before[..], std::slice::from_ref(one)].concat();
                    here.iter().map(with).collect::<Vec<_>>()
                });
                all = longer.collect();
            }
            all.into_iter().map(flat).collect()
        }
        other => vec![other.clone()],
    }
}

/// All of them, as one condition of parts.
fn flat(parts: Vec<Formula>) -> Formula {
    let parts = parts.into_iter().flat_map(|part| match part {
        Formula::And(inner) => inner,
        other => vec![other],
    });
    Formula::And(parts.collect())
}
