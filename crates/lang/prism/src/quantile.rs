//! What a quantile comes down to: at which bounds a property holds, and at which it does not.
//!
//! The more steps may be made, or the more may be earned, the likelier it is to arrive. So a property
//! that wants this to be likely fails up to some bound and holds from there on, and one that
//! wants it to be unlikely holds up to some bound and fails from there on. Two bounds beside each other
//! tell where that is; without any bound it is as likely as it can be.

use quotient_markov::whole;

use crate::syntax::{
    Ahead, Asks, Body, Bound, Chance, Join, Node, Quantile, Structure, Tree, Until, Within,
};

/// Where a property turns: at a bound, or at none (then the path without a bound tells). A bound counts steps, or the
/// smallest [parts](Quantile::structure) of what can be earned.
pub(crate) type Turn = Option<u64>;

impl Quantile {
    /// The property that the quantile is of, and whether it wants something to be likely.
    pub(crate) fn property(&self) -> Option<(&Chance, bool)> {
        let Node::Chance(chance) = &self.of.node else {
            return None;
        };
        match (chance.asks, &chance.given, &chance.relation) {
            (Asks::Probability, None, Some((Join::Greater | Join::AtLeast, _))) => {
                Some((chance, true))
            }
            (Asks::Probability, None, Some(_)) => Some((chance, false)),
            _ => None,
        }
    }

    /// The rewards that the bound is on, if it is on any: all that is earned are sums of these, so that the property turns
    /// at a multiple of a part that divides all of them.
    pub(crate) fn structure(&self) -> Option<&Structure> {
        let Body::Formula(path) = &self.property()?.0.body else {
            return None;
        };
        let Node::Within(within) = &path.node else {
            return None;
        };
        let mut limits = within.limits.iter();
        let limit = limits.find(|limit| self.is_name(&limit.amount))?;
        Some(&limit.structure)
    }

    /// The number that a turn makes the quantile, where one is so many parts, and what shows it: bounds (none for the path
    /// without one), and whether the property holds there. Nothing if no such turn is a quantile.
    pub(crate) fn shown_by(
        &self,
        turn: Turn,
        parts: u64,
    ) -> Option<(f64, Vec<(Option<u64>, bool)>)> {
        let (_, rises) = self.property()?;
        let infinity = f64::INFINITY;
        let number = |turn: u64| turn as f64 / parts as f64;
        match (self.least, rises, turn) {
            // However great the bound, it is not likelier than without one.
            (true, true, None) => Some((infinity, vec![(None, false)])),
            (true, true, Some(0)) => Some((0.0, vec![(Some(0), true)])),
            (true, true, Some(first)) => {
                let before = (Some(first - 1), false);
                Some((number(first), vec![(Some(first), true), before]))
            }
            (false, false, None) => Some((infinity, vec![(None, true)])),
            (false, false, Some(last)) => {
                let after = (Some(last.checked_add(1)?), false);
                Some((number(last), vec![(Some(last), true), after]))
            }
            (true, false, Some(0)) => Some((0.0, vec![(Some(0), true)])),
            // What holds somewhere holds for ever.
            (false, true, Some(some)) => Some((infinity, vec![(Some(some), true)])),
            _ => None,
        }
    }

    /// The property with a number of parts in place of the name, or without a bound; nothing if it has none
    /// that can be replaced. Bounds on steps are for models that have steps (`discrete`).
    pub(crate) fn at(&self, bound: Option<u64>, parts: u64, discrete: bool) -> Option<Chance> {
        let (chance, _) = self.property()?;
        let Body::Formula(path) = &chance.body else {
            return None;
        };
        let number = match bound {
            Some(bound) => Some(Tree {
                node: match parts {
                    1 => Node::Whole(i64::try_from(bound).ok()?),
                    _ => {
                        let [bound, parts] = [bound, parts].map(|one| i64::try_from(one).ok());
                        Node::Real(whole(bound?) / whole(parts?))
                    }
                },
                span: self.of.span,
            }),
            None => None,
        };
        // Before step 0 (`F<0`) nothing is reached.
        let reached = |limit: &Bound, right: &Tree| {
            let never = limit.high_strict && bound == Some(0);
            Box::new(match never {
                true => Tree {
                    node: Node::Truth(false),
                    span: right.span,
                },
                false => right.clone(),
            })
        };
        let node = match &path.node {
            Node::Within(within) => self.earning(within, number)?,
            Node::Ahead(Ahead::Finally, Some(limit), of) if discrete => {
                let bound = self.replaced(limit, number, bound)?;
                Node::Ahead(Ahead::Finally, bound, reached(limit, of))
            }
            Node::Until(Until::Strong, Some(limit), left, right) if discrete => {
                let bound = self.replaced(limit, number, bound)?;
                Node::Until(Until::Strong, bound, left.clone(), reached(limit, right))
            }
            _ => return None,
        };
        let path = Tree {
            node,
            span: path.span,
        };
        Some(Chance {
            body: Body::Formula(path),
            ..chance.clone()
        })
    }

    fn is_name(&self, tree: &Tree) -> bool {
        tree.node == Node::Name(self.name.clone())
    }

    /// A bound on steps with a number in place of the name; at 0 a strict one is as one that is not, as
    /// nothing is to be reached then.
    fn replaced(
        &self,
        bound: &Bound,
        number: Option<Tree>,
        at: Option<u64>,
    ) -> Option<Option<Box<Bound>>> {
        let named = bound.high.as_ref().is_some_and(|high| self.is_name(high));
        (bound.low.is_none() && named).then(|| {
            number.map(|high| {
                Box::new(Bound {
                    high: Some(high),
                    high_strict: bound.high_strict && at != Some(0),
                    ..bound.clone()
                })
            })
        })
    }

    /// The same for bounds on what is earned, of which one upper one has the name.
    fn earning(&self, within: &Within, number: Option<Tree>) -> Option<Node> {
        let named = || {
            let limits = within.limits.iter();
            limits.filter(|limit| self.is_name(&limit.amount))
        };
        if named().count() != 1 || named().any(|limit| !limit.upper) {
            return None;
        }
        let mut within = within.clone();
        match number {
            Some(number) => {
                let limits = within.limits.iter_mut();
                for limit in limits.filter(|limit| self.is_name(&limit.amount)) {
                    limit.amount = number.clone();
                }
            }
            None => within.limits.retain(|limit| !self.is_name(&limit.amount)),
        }
        if !within.limits.is_empty() {
            return Some(Node::Within(Box::new(within)));
        }
        let right = Box::new(within.right);
        Some(match within.left {
            Some(left) => Node::Until(Until::Strong, None, Box::new(left), right),
            None => Node::Ahead(Ahead::Finally, None, right),
        })
    }
}
