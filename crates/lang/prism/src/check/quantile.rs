//! `quantile(min B, P>=0.9 [ F{"cost"}<=B done ])`: the least or greatest bound for which a
//! property holds.
//!
//! The more may be earned, or the more steps be made, the likelier it is to arrive. So a property
//! with a bound on that probability changes at most once as `B` grows, and the place is found by
//! doubling and halving; each question on the way is answered with sound bounds.

use quotient_core::{Stop, Trouble};
use quotient_markov::Kind;

use super::filter::{Answered, Found};
use super::formula::Checker;
use super::outcome::Outcome;
use crate::limited_exact;
use crate::syntax::{Ahead, Asks, Body, Chance, Join, Node, Quantile, Tree, Until, Within};

/// Bounds beyond this are not tried.
const MOST: u64 = 1 << 20;

impl Checker<'_> {
    pub(super) fn quantile(&self, quantile: &Quantile) -> Result<Found, Trouble> {
        let Node::Chance(chance) = &quantile.of.node else {
            return Err(self.odd(quantile));
        };
        let rises = match chance.relation {
            Some((Join::Greater | Join::AtLeast, _)) => true,
            Some(_) => false,
            None => return Err(self.odd(quantile)),
        };
        let at = |bound: u64| self.holds_at(quantile, chance, Some(bound));
        let found = match (quantile.least, rises) {
            (true, true) => match self.holds_at(quantile, chance, None) {
                Ok(false) => f64::INFINITY,
                Ok(true) | Err(Trouble::Stopped(Stop::Inconclusive { .. })) => {
                    self.turns(&at)?.1 as f64
                }
                Err(other) => return Err(other),
            },
            (false, false) => match self.holds_at(quantile, chance, None) {
                Ok(true) => f64::INFINITY,
                Ok(false) | Err(Trouble::Stopped(Stop::Inconclusive { .. })) => {
                    let not = |bound: u64| at(bound).map(|holds| !holds);
                    match self.turns(&not)?.0 {
                        Some(last) => last as f64,
                        None => return Err(none_does(quantile)),
                    }
                }
                Err(other) => return Err(other),
            },
            // It holds from the first or not at all, and to the end or not at all.
            (true, false) if at(0)? => 0.0,
            (false, true) if self.holds_at(quantile, chance, None)? => f64::INFINITY,
            _ => return Err(none_does(quantile)),
        };
        Ok(Found {
            value: Answered::Number(found, found),
            state: None,
            table: None,
            looked: 1,
        })
    }

    /// The last bound at which a condition fails, if there is one, and the first at which it
    /// holds; from there on it does.
    fn turns(
        &self,
        holds: &dyn Fn(u64) -> Result<bool, Trouble>,
    ) -> Result<(Option<u64>, u64), Trouble> {
        if holds(0)? {
            return Ok((None, 0));
        }
        let (mut fails, mut fits) = (0, 1);
        while !holds(fits)? {
            (fails, fits) = (fits, fits * 2);
            if fits > MOST {
                let text = format!("bounds up to {MOST} were tried and not enough");
                return Err(Stop::inconclusive(text).into());
            }
        }
        while fits - fails > 1 {
            let middle = fails + (fits - fails) / 2;
            match holds(middle)? {
                true => fits = middle,
                false => fails = middle,
            }
        }
        Ok((Some(fails), fits))
    }

    /// Whether the property holds in all initial states with this bound, or with none.
    fn holds_at(
        &self,
        quantile: &Quantile,
        chance: &Chance,
        bound: Option<u64>,
    ) -> Result<bool, Trouble> {
        let path = match (&chance.body, chance.asks, &chance.given) {
            (Body::Formula(path), Asks::Probability, None) => path,
            _ => return Err(self.odd(quantile)),
        };
        let number = bound.map(|bound| Tree {
            node: Node::Whole(bound as i64),
            span: quantile.of.span,
        });
        let path = Tree {
            node: self.bounded(path, quantile, number)?,
            span: path.span,
        };
        let asked = Chance {
            body: Body::Formula(path),
            ..chance.clone()
        };
        let outcome = self.chance(&asked, quantile.of.span)?;
        let Outcome::Truth(surely, maybe) = outcome else {
            return Err(self.odd(quantile));
        };
        let initial = || self.built.model.initial.iter().map(|&state| state as usize);
        if initial().all(|state| surely.contains(state)) {
            return Ok(true);
        }
        if initial().any(|state| !maybe.contains(state)) {
            return Ok(false);
        }
        if let Some(holds) = self.exactly_at(asked, quantile) {
            return Ok(holds);
        }
        Err(Stop::inconclusive(
            "the bound lies between the lower and the upper bound of what it is compared with",
        )
        .into())
    }

    /// The same with fractions, where a bound on steps is met exactly.
    fn exactly_at(&self, asked: Chance, quantile: &Quantile) -> Option<bool> {
        if self.states() > limited_exact::MOST_STATES {
            return None;
        }
        let tree = Tree {
            node: Node::Chance(Box::new(asked)),
            span: quantile.of.span,
        };
        let (instance, source) = (self.instance, self.source);
        let values = limited_exact::values(instance, &tree, source, self.budget).ok()?;
        match &tree.node {
            Node::Chance(chance) => limited_exact::kept(instance, chance, source, &values),
            _ => None,
        }
    }

    /// The path with a number in place of the name, or without a bound.
    fn bounded(
        &self,
        path: &Tree,
        quantile: &Quantile,
        number: Option<Tree>,
    ) -> Result<Node, Trouble> {
        let is_name = |tree: &Tree| tree.node == Node::Name(quantile.name.clone());
        let fits = |bound: &crate::syntax::Bound| {
            bound.low.is_none() && bound.high.as_ref().is_some_and(is_name)
        };
        let discrete = self.built.model.kind != Kind::Ctmc && !self.instance.markovian;
        Ok(match (&path.node, number) {
            (Node::Within(within), number)
                if within
                    .limits
                    .iter()
                    .filter(|one| is_name(&one.amount))
                    .count()
                    == 1
                    && within
                        .limits
                        .iter()
                        .all(|one| one.upper || !is_name(&one.amount)) =>
            {
                let mut within = within.clone();
                match number {
                    Some(number) => {
                        let limits = within.limits.iter_mut();
                        for limit in limits.filter(|one| is_name(&one.amount)) {
                            limit.amount = number.clone();
                        }
                    }
                    None => within.limits.retain(|one| !is_name(&one.amount)),
                }
                let Within {
                    left,
                    right,
                    limits,
                } = *within;
                let right = Box::new(right);
                match (limits.is_empty(), left) {
                    (false, left) => Node::Within(Box::new(Within {
                        left,
                        right: *right,
                        limits,
                    })),
                    (true, Some(left)) => Node::Until(Until::Strong, None, Box::new(left), right),
                    (true, None) => Node::Ahead(Ahead::Finally, None, right),
                }
            }
            (Node::Ahead(Ahead::Finally, Some(bound), of), number) if discrete && fits(bound) => {
                let bound = number.map(|high| {
                    let mut bound = bound.clone();
                    bound.high = Some(high);
                    bound
                });
                Node::Ahead(Ahead::Finally, bound, of.clone())
            }
            (Node::Until(Until::Strong, Some(bound), left, right), number)
                if discrete && fits(bound) =>
            {
                let bound = number.map(|high| {
                    let mut bound = bound.clone();
                    bound.high = Some(high);
                    bound
                });
                Node::Until(Until::Strong, bound, left.clone(), right.clone())
            }
            _ => return Err(self.odd(quantile)),
        })
    }

    fn odd(&self, quantile: &Quantile) -> Trouble {
        let name = &quantile.name;
        let message = format!(
            "a quantile is of a property such as `P>=0.9 [ F{{\"cost\"}}<={name} done ]` or \
             `P>=0.9 [ F<={name} done ]`"
        );
        self.error("quantile", message, quantile.of.span)
    }
}

fn none_does(quantile: &Quantile) -> Trouble {
    let text = format!("the property holds for no value of `{}`", quantile.name);
    Stop::inconclusive(text).into()
}
