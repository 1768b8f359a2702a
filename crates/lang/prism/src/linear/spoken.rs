//! What a path formula says, as a formula over numbered conditions.

use quotient_core::Source;
use quotient_logic::{Binary, Formula, Unary};
use quotient_markov::{Kind, Rational, whole};

use crate::check::is_path;
use crate::instance::{Instance, Term};
use crate::syntax::{Ahead, Bound, Join, Node, Tree, Until};

/// Bounds are written out step by step, up to so many.
const MOST_STEPS: u32 = 200;

/// A path formula over conditions on states.
pub(crate) struct Spoken<'t> {
    /// The formula; its atoms are numbers of conditions.
    pub(crate) formula: Formula<usize>,
    /// The conditions, in the order in which they stand in the text.
    pub(crate) conditions: Vec<&'t Tree>,
}

/// Reads a path formula; nothing if it has a bound on time or rewards, or on too many steps.
pub(crate) fn spoken<'t>(
    path: &'t Tree,
    instance: &Instance,
    source: &Source,
) -> Option<Spoken<'t>> {
    let mut reader = Reader {
        instance,
        source,
        conditions: Vec::new(),
    };
    let formula = reader.formula(path)?;
    Some(Spoken {
        formula,
        conditions: reader.conditions,
    })
}

struct Reader<'a, 't> {
    instance: &'a Instance,
    source: &'a Source,
    conditions: Vec<&'t Tree>,
}

impl<'t> Reader<'_, 't> {
    fn formula(&mut self, tree: &'t Tree) -> Option<Formula<usize>> {
        if !is_path(tree) {
            self.conditions.push(tree);
            return Some(Formula::atom(self.conditions.len() - 1));
        }
        match &tree.node {
            Node::Not(of) => Some(Formula::unary(Unary::Not, self.formula(of)?)),
            Node::Two(join, left, right) => {
                let join = match join {
                    Join::And => Binary::And,
                    Join::Or => Binary::Or,
                    Join::Implies => Binary::Implies,
                    Join::Iff => Binary::Iff,
                    _ => return None,
                };
                let left = self.formula(left)?;
                Some(Formula::binary(join, left, self.formula(right)?))
            }
            Node::Ahead(Ahead::Next, None, of) => {
                Some(Formula::unary(Unary::Next, self.formula(of)?))
            }
            Node::Ahead(Ahead::Finally, bound, of) => {
                let of = self.formula(of)?;
                self.until(bound.as_deref(), Formula::constant(true), of)
            }
            Node::Ahead(Ahead::Globally, bound, of) => {
                let fails = Formula::unary(Unary::Not, self.formula(of)?);
                let failing = self.until(bound.as_deref(), Formula::constant(true), fails)?;
                Some(Formula::unary(Unary::Not, failing))
            }
            Node::Until(kind, bound, left, right) => {
                let (left, right) = (self.formula(left)?, self.formula(right)?);
                let bound = bound.as_deref();
                let not = |of: Formula<usize>| Formula::unary(Unary::Not, of);
                match kind {
                    Until::Strong => self.until(bound, left, right),
                    // Not: both fail, and the second has never held before.
                    Until::Weak => {
                        let fails = not(Formula::binary(Binary::Or, left, right.clone()));
                        Some(not(self.until(bound, not(right), fails)?))
                    }
                    // Not: the second fails, and the first has never held before.
                    Until::Release => Some(not(self.until(bound, not(left), not(right))?)),
                }
            }
            _ => None,
        }
    }

    /// Until, with a bound on steps written out.
    fn until(
        &self,
        bound: Option<&Bound>,
        left: Formula<usize>,
        right: Formula<usize>,
    ) -> Option<Formula<usize>> {
        let unbounded = |left, right| Formula::binary(Binary::Until(None), left, right);
        let Some(bound) = bound else {
            return Some(unbounded(left, right));
        };
        let (from, to) = self.window(bound)?;
        let mut formula = match to {
            Some(_) => right.clone(),
            None => unbounded(left.clone(), right.clone()),
        };
        for step in (0..to.unwrap_or(from)).rev() {
            let later = Formula::unary(Unary::Next, formula);
            let later = Formula::binary(Binary::And, left.clone(), later);
            formula = match step >= from {
                true => Formula::binary(Binary::Or, right.clone(), later),
                false => later,
            };
        }
        Some(formula)
    }

    /// The first and the last step of a bound.
    fn window(&self, bound: &Bound) -> Option<(u32, Option<u32>)> {
        if self.instance.kind == Kind::Ctmc
            || self.instance.markovian
            || self.instance.time.is_some()
        {
            return None;
        }
        let low = bound.low.as_ref().map_or(Some(0), |low| self.steps(low))?;
        let from = low + u32::from(bound.low_strict);
        let to = match &bound.high {
            Some(high) => Some(
                self.steps(high)?
                    .checked_sub(u32::from(bound.high_strict))?,
            ),
            None => None,
        };
        let fits = to.is_none_or(|to| from <= to) && to.unwrap_or(from) <= MOST_STEPS;
        fits.then_some((from, to))
    }

    /// A number of steps, which is whole.
    fn steps(&self, tree: &Tree) -> Option<u32> {
        let Ok(Term::Value(value)) = self.instance.names.term(tree, self.source, None) else {
            return None;
        };
        let exact: Rational = value.exact()?;
        (0..=MOST_STEPS + 1).find(|&steps| whole(i64::from(steps)) == exact)
    }
}
