//! `multi(…)`: several objectives at once.

use quotient_bits::Bits;
use quotient_core::{Span, Stop, Trouble};
use quotient_language::Table;
use quotient_markov::Kind;
use quotient_probability::{Attained, Objective};

use super::filter::{Answered, Found, middle};
use super::formula::Checker;
use super::outcome::{down, up};
use crate::parts::Kept;
use crate::syntax::{Ahead, Asks, Body, Chance, Join, Node, Tree, Until};
use crate::together::{Of, Wanted};

impl Checker<'_> {
    /// What can be attained from the initial state.
    pub(super) fn several(&self, parts: &[Tree], span: Span) -> Result<Found, Trouble> {
        let &[begin] = &self.built.model.initial[..] else {
            let message = "several objectives are for models with one initial state";
            return Err(self.error("not-supported", message, span));
        };
        if self.built.model.kind == Kind::Ctmc {
            let message = "several objectives are for discrete models";
            return Err(self.error("not-supported", message, span));
        }
        let wanted = parts.iter().map(|part| self.objective(part));
        let wanted: Vec<(Wanted, bool)> = wanted.collect::<Result<_, _>>()?;
        let (wanted, opposite): (Vec<Wanted>, Vec<bool>) = wanted.into_iter().unzip();
        let objectives: Vec<Objective> = wanted.iter().map(|one| self.as_asked(one)).collect();
        // What `G` is worth is what its opposite leaves.
        let told = |number: usize, low: f64, high: f64| match opposite[number] {
            true => (down(1.0 - high).max(0.0), up(1.0 - low).min(1.0)),
            false => (low, high),
        };
        let found = |value: Answered, table: Option<Table>| Found {
            value,
            state: None,
            table,
            looked: 1,
        };
        let attained = self.analysis.several(begin, &objectives, self.budget)?;
        self.kept.borrow_mut().push(match attained {
            // Of a table nothing is claimed.
            Attained::Tradeoff(_) => Kept::Unshown,
            _ => Kept::Several(wanted, self.width),
        });
        Ok(match attained {
            Attained::Together(holds) => found(Answered::Truth(holds), None),
            Attained::Best(low, high) => {
                let asked = parts.iter().position(is_asked).unwrap_or_default();
                let (low, high) = told(asked, low, high);
                found(Answered::Number(low, high), None)
            }
            Attained::Never => {
                return Err(Stop::inconclusive(
                    "no strategy keeps the bounds on the others, so nothing is best",
                )
                .into());
            }
            Attained::Tradeoff(pairs) => {
                let head = parts.iter().map(|part| self.text(part.span)).collect();
                let row = |&(one, other): &(f64, f64)| {
                    let (one, other) = (told(0, one, one), told(1, other, other));
                    vec![
                        middle(one.0, one.1).to_string(),
                        middle(other.0, other.1).to_string(),
                    ]
                };
                let rows = pairs.iter().map(row).collect();
                let table = Table { head, rows };
                found(Answered::Truth(Some(true)), Some(table))
            }
        })
    }

    fn text(&self, span: Span) -> String {
        let text = self.source.text().get(span.start..span.end);
        text.unwrap_or_default().trim().to_owned()
    }

    /// An objective, and whether it is about the opposite of a path.
    fn objective(&self, part: &Tree) -> Result<(Wanted, bool), Trouble> {
        let Node::Chance(chance) = &part.node else {
            let message = "an objective begins with `P` or `R`";
            return Err(self.error("type", message, part.span));
        };
        if let Some(given) = &chance.given {
            let message = "an objective has no condition";
            return Err(self.error("not-supported", message, given.span));
        }
        if chance.relation.is_some() && chance.least.is_some() {
            // Whether some strategy keeps it is asked, not whether the best or the worst does.
            let message = "an objective with a bound is `P` or `R`, without `min` or `max`";
            return Err(self.error("not-supported", message, part.span));
        }
        let (of, opposite) = match (chance.asks, &chance.body) {
            (Asks::Probability, Body::Formula(path)) => self.wanted_path(path)?,
            (Asks::Reward, Body::Total) => {
                let structure = chance.structure.as_ref();
                let number = self.instance.structure(structure, self.source, part.span)?;
                (Of::Reward(number), false)
            }
            _ => {
                let message = "an objective is `P [ … ]` or `R [ C ]`";
                return Err(self.error("not-supported", message, part.span));
            }
        };
        Ok((self.towards(of, opposite, chance, part.span)?, opposite))
    }

    /// The same for the engine.
    fn as_asked(&self, wanted: &Wanted) -> Objective {
        let mut objective = match &wanted.of {
            Of::Path(left, right) => Objective::path(left.clone(), right.clone()),
            Of::Reward(number) => Objective::reward(self.analysis, &self.built.rewards[*number]),
        };
        if wanted.small {
            objective = objective.small();
        }
        match wanted.bound {
            Some((bound, strictly)) => objective.to(bound, strictly),
            None => objective,
        }
    }

    /// A path as one that reaches something, and whether the opposite is meant.
    fn wanted_path(&self, path: &Tree) -> Result<(Of, bool), Trouble> {
        let mut all = Bits::with_capacity(self.states());
        all.insert_range(..);
        match &path.node {
            Node::Ahead(Ahead::Finally, None, of) if !super::chance::is_nested(path) => {
                Ok((Of::Path(all, self.set(of)?), false))
            }
            Node::Ahead(Ahead::Globally, None, of) if !super::chance::is_nested(path) => {
                let mut bad = self.set(of)?;
                bad.toggle_range(..);
                Ok((Of::Path(all, bad), true))
            }
            Node::Until(Until::Strong, None, left, right) if !super::chance::is_nested(path) => {
                Ok((Of::Path(self.set(left)?, self.set(right)?), false))
            }
            _ => {
                let message =
                    "the path of an objective is `F`, `G` or `U` without a bound on steps";
                Err(self.error("not-supported", message, path.span))
            }
        }
    }

    /// Which way it goes, and how far.
    fn towards(
        &self,
        of: Of,
        opposite: bool,
        chance: &Chance,
        span: Span,
    ) -> Result<Wanted, Trouble> {
        let wanted = |small: bool, bound: Option<(f64, bool)>| Wanted {
            of,
            small: small != opposite,
            bound,
        };
        let Some((join, limit)) = &chance.relation else {
            return match (chance.least, self.built.model.kind) {
                (Some(least), _) => Ok(wanted(least, None)),
                (None, Kind::Dtmc) => Ok(wanted(false, None)),
                (None, _) => {
                    let message = "ask for `min=?` or `max=?`";
                    Err(self.error("min-or-max", message, span))
                }
            };
        };
        let limit = self.constant(limit)?;
        let limit = if opposite { 1.0 - limit } else { limit };
        let strictly = matches!(join, Join::Less | Join::Greater);
        let small = matches!(join, Join::Less | Join::AtMost);
        Ok(wanted(small, Some((limit, strictly))))
    }
}

/// Whether as much as possible is wanted, not a bound.
fn is_asked(part: &Tree) -> bool {
    matches!(&part.node, Node::Chance(chance) if chance.relation.is_none())
}
