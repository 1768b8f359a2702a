//! `quantile(min B, P>=0.9 [ F{"cost"}<=B done ])`: the least or greatest bound for which a
//! property holds.
//!
//! A property changes at most once as `B` grows (`crate::quantile`), and the place is found by
//! doubling and halving; each question on the way is answered with sound bounds. Bounds are whole numbers of steps, or of the
//! largest part that divides all rewards.

use quotient_core::{Stop, Trouble};
use quotient_markov::Kind;

use super::filter::{Answered, Found};
use super::formula::Checker;
use super::outcome::Outcome;
use crate::counted::parts_of_one;
use crate::limited_exact;
use crate::parts::{Kept, earned};
use crate::quantile::Turn;
use crate::syntax::{Chance, Node, Quantile, Tree};

/// Bounds beyond this are not tried.
const MOST: u64 = 1 << 20;

impl Checker<'_> {
    pub(super) fn quantile(&self, quantile: &Quantile) -> Result<Found, Trouble> {
        let parts = self.parts_of_one(quantile)?;
        let turn = self.turn(quantile, parts)?;
        let Some((found, questions)) = quantile.shown_by(turn, parts) else {
            return Err(none_does(quantile));
        };
        // Evidence is about the bounds that matter, not about all that were tried.
        self.kept.borrow_mut().clear();
        self.kept.borrow_mut().push(Kept::Turn(turn));
        for (bound, holds) in questions {
            if self.holds_at(quantile, bound, parts)? != holds {
                return Err(none_does(quantile));
            }
        }
        Ok(Found {
            value: Answered::Number(found, found),
            state: None,
            table: None,
            looked: 1,
        })
    }

    /// Into how many parts one is divided so that bounds can be counted.
    fn parts_of_one(&self, quantile: &Quantile) -> Result<u64, Trouble> {
        let Some(structure) = quantile.structure() else {
            return Ok(1);
        };
        let span = quantile.of.span;
        let number = self
            .instance
            .structure(Some(structure), self.source, span)?;
        let parts = earned(self.built, number, 0..self.states() as u32);
        let parts = parts.and_then(|earned| parts_of_one(&earned).to_u64());
        parts.filter(|&parts| parts <= MOST).ok_or_else(|| {
            let text = "what is earned has no common part by which bounds could be counted";
            Stop::inconclusive(text).into()
        })
    }

    /// Where the property turns.
    fn turn(&self, quantile: &Quantile, parts: u64) -> Result<Turn, Trouble> {
        let Some((_, rises)) = quantile.property() else {
            return Err(self.odd(quantile));
        };
        let at = |bound: u64| self.holds_at(quantile, Some(bound), parts);
        // Without a bound it is decided once and for all, if at all.
        let open = |decides: bool| match self.holds_at(quantile, None, parts) {
            Ok(holds) => Ok(holds == decides),
            Err(Trouble::Stopped(Stop::Inconclusive { .. })) => Ok(false),
            Err(other) => Err(other),
        };
        match (quantile.least, rises) {
            (true, true) if open(false)? => Ok(None),
            (false, false) if open(true)? => Ok(None),
            (true, true) => Ok(Some(self.turns(&at)?.1)),
            (false, false) => {
                let not = |bound: u64| at(bound).map(|holds| !holds);
                match self.turns(&not)?.0 {
                    Some(last) => Ok(Some(last)),
                    None => Err(none_does(quantile)),
                }
            }
            // It holds from the first or not at all.
            (true, false) if at(0)? => Ok(Some(0)),
            (false, true) if !open(false)? => Ok(Some(self.turns(&at)?.1)),
            _ => Err(none_does(quantile)),
        }
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
        bound: Option<u64>,
        parts: u64,
    ) -> Result<bool, Trouble> {
        let discrete = self.built.model.kind != Kind::Ctmc && !self.instance.markovian;
        let asked = quantile.at(bound, parts, discrete);
        let asked = asked.ok_or_else(|| self.odd(quantile))?;
        let outcome = self.chance(&asked, quantile.of.span)?;
        let Outcome::Truth(surely, maybe) = outcome else {
            return Err(self.odd(quantile));
        };
        let initial = || self.built.model.initial.iter().map(|&state| state.index());
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
        limited_exact::holds(instance, &tree, source, self.budget)
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
