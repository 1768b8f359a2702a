//! Quantiles, once more: the property at the bounds that tell.

use quotient_core::Rejection;
use quotient_markov::Kind;

use super::{Again, Settled, Worth, not_for};
use crate::counted::parts_of_one;
use crate::limited_exact;
use crate::parts::Part;
use crate::syntax::{Node, Quantile, Tree};

impl Again<'_> {
    /// The quantile that the evidence names, if the property holds and fails where it must.
    pub(super) fn quantile(&self, quantile: &Quantile) -> Result<Settled, Rejection> {
        let Part::Turn(turn) = self.part()? else {
            return Err(Rejection::wrong(
                "a part of the evidence is of another kind",
            ));
        };
        let wrong = || Rejection::wrong("no such number is a quantile of the property");
        let parts = self.parts_of_one(quantile)?;
        let (found, questions) = quantile.shown_by(turn, parts).ok_or_else(wrong)?;
        for (bound, holds) in questions {
            if self.holds_at(quantile, bound, parts)? != holds {
                return Err(Rejection::wrong(
                    "the property does not turn at the bound of the evidence",
                ));
            }
        }
        Ok(Settled::Number(found, found))
    }

    /// Into how many parts one is divided so that all that can be earned are whole numbers of them: between two of these
    /// nothing changes.
    fn parts_of_one(&self, quantile: &Quantile) -> Result<u64, Rejection> {
        let Some(structure) = quantile.structure() else {
            return Ok(1);
        };
        let span = quantile.of.span;
        let number = self.instance.structure(Some(structure), self.source, span);
        let number = number.map_err(|_| not_for())?;
        let parts = parts_of_one(&self.earning(number)?.earned);
        // The number that is told has as many digits as a number of 64 bits.
        parts.to_u64().ok_or_else(not_for)
    }

    /// Whether the property holds in all initial states with this bound, or with none.
    fn holds_at(
        &self,
        quantile: &Quantile,
        bound: Option<u64>,
        parts: u64,
    ) -> Result<bool, Rejection> {
        let discrete = self.instance.kind != Kind::Ctmc && !self.instance.markovian;
        let asked = quantile.at(bound, parts, discrete).ok_or_else(not_for)?;
        let span = quantile.of.span;
        let Worth::Truth(surely, maybe) = self.chance(&asked, span)? else {
            return Err(not_for());
        };
        let initial = || self.naive.model.initial.iter().map(|&state| state.index());
        if initial().all(|state| surely.contains(state)) {
            return Ok(true);
        }
        if initial().any(|state| !maybe.contains(state)) {
            return Ok(false);
        }
        let tree = Tree {
            node: Node::Chance(Box::new(asked)),
            span,
        };
        let exactly = limited_exact::holds(self.instance, &tree, self.source, self.budget);
        exactly.ok_or_else(|| Rejection::wrong("the bounds of a part do not settle the claim"))
    }
}
