//! `multi(…)`: several objectives at once.

use quotient_bits::Bits;
use quotient_core::{Span, Stop, Trouble};
use quotient_language::Table;
use quotient_markov::Kind;
use quotient_probability::Attained;

use super::chance::is_followed;
use super::filter::{Answered, Found, middle};
use super::formula::Checker;
use super::outcome::{down, up};
use crate::beside::{Earned, Of};
use crate::given::may_miss;
use crate::linear::spoken;
use crate::parts::Kept;
use crate::stepped::Window;
use crate::syntax::{Ahead, Asks, Body, Bound, Chance, Join, Node, Tree, Until};
use crate::together::{self, Wanted, unbuilt};

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
        let (mut wanted, opposite): (Vec<Wanted>, Vec<bool>) = wanted.into_iter().unzip();
        self.surely(&mut wanted, span)?;
        // What `G` is worth is what its opposite leaves, and no chance is more than one.
        let told = |number: usize, low: f64, high: f64| match opposite[number] {
            true => (down(1.0 - high).max(0.0), up(1.0 - low).min(1.0)),
            false if is_chance(&parts[number]) => (low.clamp(0.0, 1.0), high.clamp(0.0, 1.0)),
            false => (low, high),
        };
        let found = |value: Answered, table: Option<Table>| Found {
            value,
            state: None,
            table,
            looked: 1,
        };
        let (model, how) = ((self.analysis, begin.number()), (self.built, self.width));
        let attained = together::attained(&wanted, model, how, self.budget);
        let open = matches!(
            attained,
            Ok(Attained::Together(None)) | Err(Trouble::Stopped(Stop::Inconclusive { .. }))
        );
        if open && let Some(found) = self.several_exactly(parts)? {
            return Ok(found);
        }
        let attained = attained?;
        let kept = Kept::Several(wanted, self.width);
        self.kept.borrow_mut().push(kept);
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
                let two = parts.iter().take(2);
                let head = two.map(|part| self.text(part.span)).collect();
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
            (Asks::Probability, Body::Formula(path)) if is_followed(path) => {
                self.wanted_formula(path, chance)?
            }
            (Asks::Probability, Body::Formula(path)) => self.wanted_path(path)?,
            (Asks::Reward, body) => {
                let structure = chance.structure.as_ref();
                let by = self.instance.structure(structure, self.source, part.span)?;
                let (until, goal) = match body {
                    Body::Total => (None, None),
                    Body::Until(amount) => (Some(self.steps(amount)?), None),
                    Body::Formula(path) => match &path.node {
                        Node::Ahead(Ahead::Finally, None, goal) => (None, Some(self.set(goal)?)),
                        _ => return Err(self.no_objective(part)),
                    },
                    _ => return Err(self.no_objective(part)),
                };
                (Of::Reward(Earned { by, until, goal }), false)
            }
            _ => return Err(self.no_objective(part)),
        };
        Ok((self.towards(of, opposite, chance, part.span)?, opposite))
    }

    fn no_objective(&self, part: &Tree) -> Trouble {
        let message = "an objective is `P [ … ]`, `R [ C ]`, `R [ C<=k ]` or `R [ F … ]`";
        self.error("not-supported", message, part.span)
    }

    /// A path formula of any shape, or its opposite where it is to be unlikely.
    fn wanted_formula(&self, path: &Tree, chance: &Chance) -> Result<(Of<usize>, bool), Trouble> {
        let said = spoken(path, self.instance, self.source).ok_or_else(|| {
            let message = "such a bound cannot stand beside other objectives";
            self.error("not-supported", message, path.span)
        })?;
        let conditions = said.conditions.iter().map(|condition| self.set(condition));
        let conditions: Vec<Bits> = conditions.collect::<Result<_, _>>()?;
        let small = match &chance.relation {
            Some((join, _)) => matches!(join, Join::Less | Join::AtMost),
            None => chance.least == Some(true),
        };
        let formula = match small {
            true => !said.formula,
            false => said.formula,
        };
        Ok((Of::Linear(formula, conditions), small))
    }

    /// What is earned until a goal is reached is infinite where it is not reached surely. So what is
    /// to be small is earned by ways that surely reach it; what is to be large has no greatest value
    /// where one can miss it.
    fn surely(&self, wanted: &mut Vec<Wanted>, span: Span) -> Result<(), Trouble> {
        let mut more = Vec::new();
        for one in &*wanted {
            let Of::Reward(Earned {
                goal: Some(goal), ..
            }) = &one.of
            else {
                continue;
            };
            let missed = may_miss(&self.built.model, goal, self.budget).map_err(unbuilt)?;
            if missed && !one.small {
                let message =
                    "choices may miss what a reward is earned until: that is worth infinity";
                return Err(self.error("not-supported", message, span));
            }
            if missed {
                let mut all = Bits::with_capacity(self.states());
                all.insert_range(..);
                more.push(Wanted {
                    of: Of::Path(all, goal.clone(), None),
                    small: false,
                    bound: Some((1.0, false)),
                });
            }
        }
        wanted.extend(more);
        Ok(())
    }

    /// A number of steps.
    fn steps(&self, tree: &Tree) -> Result<u64, Trouble> {
        if self.instance.is_timed() || self.instance.time.is_some() {
            let message = "bounds on time are not supported here, only bounds on steps";
            return Err(self.error("not-supported", message, tree.span));
        }
        let amount = self.constant(tree)?;
        match amount >= 0.0 && amount.fract() == 0.0 && amount < 1e9 {
            true => Ok(amount as u64),
            false => Err(self.error("bound", format!("{amount} is no bound here"), tree.span)),
        }
    }

    /// A path as one that reaches something, and whether the opposite is meant.
    pub(super) fn wanted_path(&self, path: &Tree) -> Result<(Of<usize>, bool), Trouble> {
        let mut all = Bits::with_capacity(self.states());
        all.insert_range(..);
        if super::chance::is_nested(path) {
            let message = "such a path is one `X`, `F`, `G` or `U`, with no others inside of it";
            return Err(self.error("not-supported", message, path.span));
        }
        let window = |bound: &Option<Box<Bound>>| match bound {
            None => Ok(None),
            Some(bound) => self.in_steps(bound).map(Some),
        };
        match &path.node {
            Node::Ahead(Ahead::Finally, bound, of) => {
                Ok((Of::Path(all, self.set(of)?, window(bound)?), false))
            }
            Node::Ahead(Ahead::Globally, bound, of) => {
                let mut bad = self.set(of)?;
                bad.toggle_range(..);
                Ok((Of::Path(all, bad, window(bound)?), true))
            }
            Node::Until(Until::Strong, bound, left, right) => {
                let (left, right) = (self.set(left)?, self.set(right)?);
                Ok((Of::Path(left, right, window(bound)?), false))
            }
            Node::Ahead(Ahead::Next, None, of) => {
                let next = Window {
                    from: 1,
                    to: Some(1),
                };
                Ok((Of::Path(all, self.set(of)?, Some(next)), false))
            }
            _ => {
                let message = "such a path is one `X`, `F`, `G` or `U`";
                Err(self.error("not-supported", message, path.span))
            }
        }
    }

    /// A bound on steps.
    fn in_steps(&self, bound: &Bound) -> Result<Window, Trouble> {
        for tree in bound.low.iter().chain(&bound.high) {
            self.steps(tree)?;
        }
        let found = self.window(bound)?;
        Ok(Window {
            from: found.from as u64,
            to: found.to.map(|to| to as u64),
        })
    }

    /// Which way it goes, and how far.
    fn towards(
        &self,
        of: Of<usize>,
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

/// Whether it is the probability of a path.
fn is_chance(part: &Tree) -> bool {
    matches!(&part.node, Node::Chance(chance) if chance.asks == Asks::Probability)
}

/// Whether as much as possible is wanted, not a bound.
fn is_asked(part: &Tree) -> bool {
    matches!(&part.node, Node::Chance(chance) if chance.relation.is_none())
}
