//! Path formulas in which temporal operators stand inside each other.

use quotient_bits::Bits;
use quotient_core::Trouble;
use quotient_markov::Kind;
use quotient_probability::{Best, Temporal, Values};

use super::chance::opposite;
use super::formula::Checker;
use super::limit::is_about_the_end;
use crate::parts::{Kept, Linear};
use crate::syntax::{Ahead, Bound, Join, Node, Tree, Until};

/// Bounds inside of other operators are written out step by step, up to so many.
const MOST_STEPS: u64 = 200;

/// Whether a formula is about a path, and not about one state.
pub(crate) fn is_path(tree: &Tree) -> bool {
    match &tree.node {
        Node::Ahead(..) | Node::Until(..) | Node::Within(_) => true,
        Node::Not(of) => is_path(of),
        Node::Two(Join::And | Join::Or | Join::Implies | Join::Iff, left, right) => {
            is_path(left) || is_path(right)
        }
        Node::If(one, two, three) => is_path(one) || is_path(two) || is_path(three),
        _ => false,
    }
}

impl Checker<'_> {
    /// The probability of any path formula.
    pub(crate) fn linear(&self, path: &Tree, best: Best) -> Result<Values, Trouble> {
        let said = crate::linear::spoken(path, self.instance, self.source);
        let said = said.filter(|_| self.states() <= crate::evidence::MOST_STATES);
        // Evidence has the conditions once, in the order in which they stand there.
        let mut conditions = Vec::new();
        for condition in said.iter().flat_map(|said| &said.conditions) {
            conditions.push(self.set(condition)?);
        }
        let before = self.kept.borrow().len();
        let values = self.of_runs(path, best)?;
        self.kept.borrow_mut().truncate(before);
        if let Some(said) = said {
            self.kept.borrow_mut().push(Kept::Linear(Linear {
                formula: match best {
                    Best::Greatest => said.formula,
                    Best::Least => !said.formula,
                },
                conditions,
                found: match best {
                    Best::Greatest => values.clone(),
                    Best::Least => opposite(values.clone()),
                },
                width: self.width,
            }));
        }
        Ok(values)
    }

    fn of_runs(&self, path: &Tree, best: Best) -> Result<Values, Trouble> {
        if is_about_the_end(path) {
            let endings = self.endings(path, best == Best::Least)?;
            let values = self.analysis.ends(&endings, self.budget)?;
            return Ok(match best {
                Best::Greatest => values,
                Best::Least => opposite(values),
            });
        }
        let mut conditions = Vec::new();
        let formula = self.temporal(path, true, &mut conditions)?;
        let budget = self.budget;
        Ok(self.analysis.fulfils(&formula, &conditions, best, budget)?)
    }

    /// A formula, or its opposite (false), over conditions that are gathered.
    fn temporal(
        &self,
        tree: &Tree,
        wanted: bool,
        conditions: &mut Vec<Bits>,
    ) -> Result<Temporal, Trouble> {
        if !is_path(tree) {
            let set = self.set(tree)?;
            let known = conditions.iter().position(|one| *one == set);
            let number = known.unwrap_or(conditions.len());
            if known.is_none() {
                conditions.push(set);
            }
            return Ok(Temporal::Condition(number as u32, wanted));
        }
        match &tree.node {
            Node::Not(of) => self.temporal(of, !wanted, conditions),
            Node::Two(join, left, right) => {
                let mut part = |tree: &Tree, wanted: bool| self.temporal(tree, wanted, conditions);
                match join {
                    Join::And | Join::Or | Join::Implies => {
                        let left = part(left, wanted != (*join == Join::Implies))?;
                        let parts = vec![left, part(right, wanted)?];
                        Ok(match (*join == Join::And) == wanted {
                            true => Temporal::All(parts),
                            false => Temporal::Any(parts),
                        })
                    }
                    _ => {
                        let both = Temporal::All(vec![part(left, true)?, part(right, wanted)?]);
                        let none = Temporal::All(vec![part(left, false)?, part(right, !wanted)?]);
                        Ok(Temporal::Any(vec![both, none]))
                    }
                }
            }
            Node::Within(_) => {
                let message = "a path with a bound on rewards stands alone";
                Err(self.error("not-supported", message, tree.span))
            }
            Node::Ahead(..) | Node::Until(..) => {
                let formula = self.operator(tree, conditions)?;
                Ok(match wanted {
                    true => formula,
                    false => formula.opposite(),
                })
            }
            _ => Err(self.error(
                "not-supported",
                "this path formula cannot be checked",
                tree.span,
            )),
        }
    }

    fn operator(&self, tree: &Tree, conditions: &mut Vec<Bits>) -> Result<Temporal, Trouble> {
        let truth = || Temporal::Truth(true);
        match &tree.node {
            Node::Ahead(Ahead::Next, None, of) => {
                let of = self.temporal(of, true, conditions)?;
                Ok(Temporal::Next(Box::new(of)))
            }
            Node::Ahead(Ahead::Finally, bound, of) => {
                let of = self.temporal(of, true, conditions)?;
                match bound {
                    None => Ok(Temporal::Finally(Box::new(of))),
                    Some(bound) => self.within(bound, &truth(), &of, tree),
                }
            }
            Node::Ahead(Ahead::Globally, bound, of) => {
                let of = self.temporal(of, true, conditions)?;
                match bound {
                    None => Ok(Temporal::Globally(Box::new(of))),
                    Some(bound) => {
                        let fails = self.within(bound, &truth(), &of.opposite(), tree)?;
                        Ok(fails.opposite())
                    }
                }
            }
            Node::Until(kind, bound, left, right) => {
                let left = self.temporal(left, true, conditions)?;
                let right = self.temporal(right, true, conditions)?;
                Ok(match (kind, bound) {
                    (Until::Strong, None) => Temporal::Until(Box::new(left), Box::new(right)),
                    (Until::Weak, None) => Temporal::weak_until(left, right),
                    (Until::Release, None) => Temporal::release(left, right),
                    (Until::Strong, Some(bound)) => self.within(bound, &left, &right, tree)?,
                    (Until::Weak, Some(bound)) => {
                        let (left, right) = (left.opposite(), right.opposite());
                        let fails = Temporal::All(vec![left, right.clone()]);
                        self.within(bound, &right, &fails, tree)?.opposite()
                    }
                    (Until::Release, Some(bound)) => {
                        let (left, right) = (left.opposite(), right.opposite());
                        self.within(bound, &left, &right, tree)?.opposite()
                    }
                })
            }
            _ => Err(self.error("path", "this is no path formula", tree.span)),
        }
    }

    /// Until with a bound on steps, written out.
    fn within(
        &self,
        bound: &Bound,
        left: &Temporal,
        right: &Temporal,
        tree: &Tree,
    ) -> Result<Temporal, Trouble> {
        if self.built.model.kind == Kind::Ctmc || self.instance.markovian {
            let message = "bounds on time cannot stand inside of other temporal operators";
            return Err(self.error("not-supported", message, tree.span));
        }
        let window = self.window(bound)?;
        let (from, to) = (window.from as u64, window.to.map(|to| to as u64));
        if to.unwrap_or(from) > MOST_STEPS {
            let message = format!("more than {MOST_STEPS} steps cannot be written out here");
            return Err(self.error("not-supported", message, tree.span));
        }
        let mut formula = match to {
            None => Temporal::Until(Box::new(left.clone()), Box::new(right.clone())),
            Some(_) => right.clone(),
        };
        let last = to.unwrap_or(from);
        for step in (0..last).rev() {
            let later = Temporal::Next(Box::new(formula));
            let later = Temporal::All(vec![left.clone(), later]);
            formula = match step >= from {
                true => Temporal::Any(vec![right.clone(), later]),
                false => later,
            };
        }
        Ok(formula)
    }
}
