//! `P`, `R` and `S`.

use quotient_bits::Bits;
use quotient_core::{Span, Trouble};
use quotient_markov::{Kind, Rewards};
use quotient_probability::{Best, Limit, Values};

use super::formula::Checker;
use super::limit::is_about_the_end;
use super::linear::is_path;
use super::outcome::{Outcome, chances, down, up};
use crate::parts::{Counted, Kept};
use crate::syntax::{Ahead, Asks, Body, Bound, Chance, Join, Node, Structure, Tree, Until, Within};

/// The two paths that all others come down to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Simple {
    Next,
    Until,
}

/// A path as `X right` or `left U right`. If the last is true, it is the opposite of a path whose
/// right side is the opposite of the one given (`G a` is not `F !a`).
pub(crate) fn simple_path(tree: &Tree) -> Option<(Simple, Option<&Tree>, &Tree, bool)> {
    match &tree.node {
        Node::Ahead(Ahead::Next, None, of) => Some((Simple::Next, None, of, false)),
        Node::Ahead(Ahead::Finally, None, of) => Some((Simple::Until, None, of, false)),
        Node::Ahead(Ahead::Globally, None, of) => Some((Simple::Until, None, of, true)),
        Node::Until(Until::Strong, None, left, right) => {
            Some((Simple::Until, Some(left), right, false))
        }
        _ => None,
    }
}

/// A bound on steps or time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Window {
    pub(crate) from: f64,
    pub(crate) to: Option<f64>,
}

impl Checker<'_> {
    pub(crate) fn chance(&self, chance: &Chance, span: Span) -> Result<Outcome, Trouble> {
        let least = self.direction(chance, span)?;
        let values = self.values(chance, least, span)?;
        let Some((join, limit)) = &chance.relation else {
            return Ok(Outcome::Number(values));
        };
        let limit = self.limit(limit)?;
        let states = self.states();
        let mut surely = Bits::with_capacity(states);
        let mut maybe = Bits::with_capacity(states);
        for state in 0..states {
            let (low, high) = (values.lower[state], values.upper[state]);
            let (yes, perhaps) = compared(*join, low, high, limit);
            surely.set(state, yes);
            maybe.set(state, perhaps);
        }
        if self.inside && surely != maybe {
            let values = self.exactly_where(chance, &values, span);
            if let Some(set) = values {
                return Ok(Outcome::Truth(set.clone(), set));
            }
        }
        if let [start] = self.built.model.initial[..] {
            let start = start.index();
            self.compared
                .replace(Some((values.lower[start], values.upper[start])));
        }
        Ok(Outcome::Truth(surely, maybe))
    }

    /// Whether the least of several choices is meant.
    pub(crate) fn direction(&self, chance: &Chance, span: Span) -> Result<bool, Trouble> {
        let of_bound = chance.relation.as_ref().map(|(join, _)| {
            // All choices must keep within the bound: the worst of them decides.
            matches!(join, Join::Greater | Join::AtLeast)
        });
        match (chance.least.or(of_bound), self.built.model.kind) {
            (Some(least), _) => Ok(least),
            (None, Kind::Mdp) => Err(quotient_core::Diagnostic::error(
                "min-or-max",
                "a decision process has no single value",
            )
            .at(self.source, span, "")
            .help("ask for `min=?` or `max=?`, as in `Pmax=? [ … ]`")
            .into()),
            (None, _) => Ok(false),
        }
    }

    pub(crate) fn values(
        &self,
        chance: &Chance,
        least: bool,
        span: Span,
    ) -> Result<Values, Trouble> {
        let best = Checker::best(least);
        if let Some(given) = &chance.given {
            return self.conditional(chance, given, best, span);
        }
        match (chance.asks, &chance.body) {
            (Asks::Probability, Body::Formula(path)) => Ok(chances(self.path(path, best)?)),
            (Asks::Steady, Body::Formula(condition)) => {
                let set = self.set(condition)?;
                // Of a Markov automaton it is earned for as long as a state lasts.
                let lasts = |state: usize| match self.built.model.exits.get(state) {
                    Some(&exit) if exit > 0.0 => 1.0 / exit,
                    Some(_) => 0.0,
                    None => 1.0,
                };
                let held = |state: usize| match set.contains(state) {
                    true => lasts(state),
                    false => 0.0,
                };
                let error = match self.built.model.exits.is_empty() {
                    true => 0.0,
                    false => self.built.model.error + 4e-16,
                };
                let rewards = Rewards {
                    states: (0..self.states()).map(held).collect(),
                    error,
                    ..Rewards::default()
                };
                let mut values = self.averaged(&rewards, best)?;
                let upper = values.upper.iter_mut();
                upper.for_each(|upper| *upper = upper.min(1.0));
                Ok(values)
            }
            (Asks::Reward, body) => {
                let rewards = self.structure(chance, span)?;
                self.reward(rewards, body, best)
            }
            _ => Err(self.error("type", "a formula was expected", span)),
        }
    }

    /// The probability of a path among the runs that fulfil another one.
    fn conditional(
        &self,
        chance: &Chance,
        given: &Tree,
        best: Best,
        span: Span,
    ) -> Result<Values, Trouble> {
        let (Asks::Probability, Body::Formula(path)) = (chance.asks, &chance.body) else {
            return Err(self.error("type", "only probabilities have conditions", span));
        };
        if self.built.model.kind == Kind::Mdp {
            return self.conditional_choices(path, given, best);
        }
        let both = Tree {
            node: Node::Two(Join::And, Box::new(path.clone()), Box::new(given.clone())),
            span,
        };
        let both = self.linear(&both, Best::Greatest)?;
        let all = self.path(given, Best::Greatest)?;
        let initial = &self.built.model.initial;
        if initial.iter().any(|&state| all.upper[state.index()] == 0.0) {
            let message = "no run from an initial state fulfils this condition";
            return Err(self.error("condition", message, given.span));
        }
        let mut values = Values::constant(self.states(), 0.0);
        for state in 0..self.states() {
            let (low, high) = (both.lower[state], both.upper[state]);
            let (least, most) = (all.lower[state], all.upper[state]);
            values.lower[state] = if most > 0.0 {
                down(low / most).max(0.0)
            } else {
                0.0
            };
            values.upper[state] = if least > 0.0 {
                up(high / least).min(1.0)
            } else {
                1.0
            };
        }
        Ok(values)
    }

    /// The probability of a path.
    fn path(&self, path: &Tree, best: Best) -> Result<Values, Trouble> {
        let other = match best {
            Best::Least => Best::Greatest,
            Best::Greatest => Best::Least,
        };
        let not = |mut set: Bits| {
            set.toggle_range(..);
            set
        };
        let mut all = Bits::with_capacity(self.states());
        all.insert_range(..);
        match &path.node {
            _ if is_linear(path) => self.linear(path, best),
            Node::Within(within) => self.before(within, &all, best, path.span),
            Node::Ahead(Ahead::Next, None, of) => {
                let goal = self.set(of)?;
                Ok(self.analysis.next(&goal, best, self.budget)?)
            }
            Node::Ahead(Ahead::Finally, bound, of) => {
                let goal = self.set(of)?;
                self.until(&all, &goal, bound.as_deref(), best)
            }
            Node::Ahead(Ahead::Globally, bound, of) => {
                let bad = not(self.set(of)?);
                let values = self.until(&all, &bad, bound.as_deref(), other)?;
                Ok(opposite(values))
            }
            Node::Until(kind, bound, left, right) => {
                let (left, right) = (self.set(left)?, self.set(right)?);
                let bound = bound.as_deref();
                match kind {
                    Until::Strong => self.until(&left, &right, bound, best),
                    Until::Weak => {
                        // Not: left and right both fail before right holds.
                        let mut stays = left.clone();
                        stays.difference_with(&right);
                        let mut fails = not(left);
                        fails.difference_with(&right);
                        Ok(opposite(self.until(&stays, &fails, bound, other)?))
                    }
                    Until::Release => Ok(opposite(self.until(
                        &not(left),
                        &not(right),
                        bound,
                        other,
                    )?)),
                }
            }
            Node::Not(of) => Ok(opposite(self.path(of, other)?)),
            _ => Err(self.error(
                "path",
                "a path formula was expected, with X, F, G, U, W or R",
                path.span,
            )),
        }
    }

    fn until(
        &self,
        allowed: &Bits,
        goal: &Bits,
        bound: Option<&Bound>,
        best: Best,
    ) -> Result<Values, Trouble> {
        let window = match bound {
            None => {
                let values = self.analysis.until(allowed, goal, best, self.budget)?;
                return Ok(self.keep(values));
            }
            Some(bound) => self.window(bound)?,
        };
        if let (Some(time), Some(bound)) = (&self.instance.time, bound) {
            let Window { from, to: Some(to) } = window else {
                return Err(self.no_such_time(bound));
            };
            if from != 0.0 || bound.high_strict || bound.low_strict {
                return Err(self.no_such_time(bound));
            }
            let passed = &self.built.rewards[time.structure];
            let sets = (allowed, goal);
            let found =
                self.analysis
                    .until_earning(sets, passed, (to, false), best, self.budget)?;
            let limits = vec![(time.structure, to, false, true)];
            return Ok(self.counted(sets, limits, best, found));
        }
        if let Some(known) = self.known_at_once(allowed, goal, window) {
            return Ok(known);
        }
        if self.instance.markovian {
            return self.until_by(allowed, goal, window, best, bound);
        }
        if window.to.is_none() {
            // Evidence is about what comes after the moment.
            let later = self.analysis.until(allowed, goal, best, self.budget)?;
            self.keep(later);
        }
        if self.built.model.kind == Kind::Ctmc {
            let Window { from, to } = window;
            let found = self
                .analysis
                .until_between(allowed, goal, from, to, self.budget);
            return Ok(found?);
        }
        let steps = (window.from as u64, window.to.map(|to| to as u64));
        Ok(self
            .analysis
            .until_within(allowed, goal, steps, best, self.budget)?)
    }

    /// The same in a Markov automaton, by a time.
    fn until_by(
        &self,
        allowed: &Bits,
        goal: &Bits,
        window: Window,
        best: Best,
        bound: Option<&Bound>,
    ) -> Result<Values, Trouble> {
        let Window {
            from: 0.0,
            to: Some(to),
        } = window
        else {
            let tree = bound.and_then(|bound| bound.low.as_ref());
            let span = tree.map_or(Span::new(0, 0), |tree| tree.span);
            let message = "in a Markov automaton a bound on time is an upper one, as in `F<=10`";
            return Err(self.error("not-supported", message, span));
        };
        let sets = (allowed, goal);
        Ok(self.analysis.until_by(sets, to, best, self.budget)?)
    }

    fn no_such_time(&self, bound: &Bound) -> Trouble {
        let tree = bound.high.as_ref().or(bound.low.as_ref());
        let span = tree.map_or(Span::new(0, 0), |tree| tree.span);
        let message = "with clocks a bound on time is an upper one, as in `F<=10`";
        self.error("not-supported", message, span)
    }

    /// The probability of reaching something before too much is earned.
    fn before(
        &self,
        within: &Within,
        all: &Bits,
        best: Best,
        span: Span,
    ) -> Result<Values, Trouble> {
        let left = match &within.left {
            Some(left) => self.set(left)?,
            None => all.clone(),
        };
        if self.instance.markovian {
            let message = "bounds on rewards cannot be checked in a Markov automaton";
            return Err(self.error("not-supported", message, span));
        }
        let right = self.set(&within.right)?;
        let (mut limits, mut counted) = (Vec::new(), Vec::new());
        for limit in &within.limits {
            let structure = Some(&limit.structure);
            let number = self.instance.structure(structure, self.source, span)?;
            let amount = self.constant(&limit.amount)?;
            counted.push((number, amount, limit.strictly, limit.upper));
            limits.push(Limit {
                rewards: &self.built.rewards[number],
                amount,
                strictly: limit.strictly,
                upper: limit.upper,
            });
        }
        let (sets, budget) = ((&left, &right), self.budget);
        let found = match &limits[..] {
            [one] if one.upper => {
                let bound = (one.amount, one.strictly);
                self.analysis
                    .until_earning(sets, one.rewards, bound, best, budget)?
            }
            several => self
                .analysis
                .until_within_limits(sets, several, best, budget)?,
        };
        Ok(self.counted(sets, counted, best, found))
    }

    /// Keeps what evidence about bounds on rewards is made of, if there is not too much.
    fn counted(
        &self,
        (allowed, goal): (&Bits, &Bits),
        limits: Vec<(usize, f64, bool, bool)>,
        best: Best,
        found: Values,
    ) -> Values {
        if self.states() <= crate::evidence::MOST_STATES {
            self.kept.borrow_mut().push(Kept::Counted(Counted {
                allowed: allowed.clone(),
                goal: goal.clone(),
                limits,
                best,
                found: found.clone(),
                width: self.width,
            }));
        }
        found
    }

    /// Keeps the bounds of all states for evidence, if there are not too many.
    pub(super) fn keep(&self, values: Values) -> Values {
        if values.lower.len() <= crate::evidence::MOST_STATES {
            self.kept.borrow_mut().push(Kept::Bounds(values.clone()));
        }
        values
    }

    /// A bound on steps (whole numbers) or time.
    pub(crate) fn window(&self, bound: &Bound) -> Result<Window, Trouble> {
        let timed = self.built.model.kind == Kind::Ctmc || self.instance.markovian;
        let number = |tree: &Option<Tree>| -> Result<Option<f64>, Trouble> {
            let Some(tree) = tree else { return Ok(None) };
            let value = self.constant(tree)?;
            match value.is_finite() && value >= 0.0 && (timed || value.fract() == 0.0) {
                true => Ok(Some(value)),
                false => Err(self.error("bound", format!("{value} is no bound here"), tree.span)),
            }
        };
        let mut from = number(&bound.low)?.unwrap_or(0.0);
        let mut to = number(&bound.high)?;
        if !timed {
            from += f64::from(u8::from(bound.low_strict));
            if bound.high_strict {
                to = to.map(|to| to - 1.0);
            }
        }
        if to.is_some_and(|to| to < from) {
            let tree = bound.high.as_ref().or(bound.low.as_ref());
            let span = tree.map_or(Span::new(0, 0), |tree| tree.span);
            return Err(self.error("bound", "nothing lies between these bounds", span));
        }
        Ok(Window { from, to })
    }

    fn reward(&self, rewards: &Rewards, body: &Body, best: Best) -> Result<Values, Trouble> {
        let delayed = self.instance.markovian;
        let timed = self.built.model.kind == Kind::Ctmc || delayed;
        match body {
            Body::Formula(path) => match &path.node {
                Node::Ahead(Ahead::Finally, None, goal) if !is_path(goal) => {
                    let goal = self.set(goal)?;
                    let budget = self.budget;
                    let values = self.analysis.reward_until(rewards, &goal, best, budget)?;
                    Ok(self.keep(values))
                }
                _ => self.earned_until(rewards, path, best),
            },
            Body::Until(bound) | Body::At(bound) => {
                let amount = self.constant(bound)?;
                let fits = amount >= 0.0 && amount.is_finite();
                if !fits || !timed && amount.fract() != 0.0 {
                    let message = format!("{amount} is no bound here");
                    return Err(self.error("bound", message, bound.span));
                }
                let (analysis, budget) = (self.analysis, self.budget);
                Ok(match (body, timed) {
                    (Body::Until(_), true) if delayed => {
                        analysis.earned_by(rewards, amount, best, budget)?
                    }
                    (_, true) if delayed => analysis.worth_at(rewards, amount, best, budget)?,
                    (Body::Until(_), true) => analysis.reward_by(rewards, amount, budget)?,
                    (Body::Until(_), false) => {
                        analysis.reward_within(rewards, amount as u64, best, budget)?
                    }
                    (_, true) => analysis.reward_at(rewards, amount, budget)?,
                    (_, false) => analysis.reward_after(rewards, amount as u64, best, budget)?,
                })
            }
            Body::LongRun => self.averaged(rewards, best),
            Body::Total => self.total(rewards, best),
        }
    }

    /// What is earned in the long run; of a model that is not too large also why.
    fn averaged(&self, rewards: &Rewards, best: Best) -> Result<Values, Trouble> {
        let small = self.states() <= crate::evidence::MOST_STATES;
        if !small || !crate::average::shows(self.instance) {
            return Ok(self.analysis.average(rewards, best, self.budget)?);
        }
        let found = self.analysis.average_shown(rewards, best, self.budget)?;
        let mut values = found.values.clone();
        // Nothing earns less than nothing; that what shows it leaves a little room is no matter.
        let lower = values.lower.iter_mut();
        lower.for_each(|lower| *lower = lower.max(0.0));
        self.kept.borrow_mut().push(Kept::Averages(found));
        Ok(values)
    }

    /// The rewards that are meant.
    pub(super) fn structure(&self, chance: &Chance, span: Span) -> Result<&Rewards, Trouble> {
        let number = self
            .instance
            .structure(chance.structure.as_ref(), self.source, span)?;
        Ok(&self.built.rewards[number])
    }
}

impl crate::instance::Instance {
    /// The number of the reward structure that is meant.
    pub(crate) fn structure(
        &self,
        structure: Option<&Structure>,
        source: &quotient_core::Source,
        span: Span,
    ) -> Result<usize, Trouble> {
        use quotient_core::Diagnostic;
        let found = match structure {
            // The last one of a model with clocks is no one's but ours.
            None => (self.rewards.len() > usize::from(self.time.is_some())).then_some(0),
            Some(Structure::Named(name, _)) => {
                let same = |one: &crate::instance::Structure| one.name.as_deref() == Some(name);
                self.rewards.iter().position(same)
            }
            Some(Structure::Numbered(tree)) => match self.names.term(tree, source, None)? {
                crate::instance::Term::Value(value) if value.number() >= 1.0 => {
                    let at = value.number() as usize - 1;
                    (at < self.rewards.len()).then_some(at)
                }
                _ => None,
            },
        };
        found.ok_or_else(|| {
            let names = self.rewards.iter().filter_map(|one| one.name.as_deref());
            let names: Vec<String> = names.map(|name| format!("\"{name}\"")).collect();
            let message = match structure {
                Some(Structure::Named(name, _)) => format!("there are no rewards \"{name}\""),
                _ => "there are no such rewards".to_owned(),
            };
            let error = Diagnostic::error("no-such-rewards", message).at(source, span, "");
            match names.is_empty() {
                true => error.into(),
                false => error.note(format!("there are {}", names.join(", "))).into(),
            }
        })
    }
}

/// Whether a path is none of those that have their own way.
pub(crate) fn is_linear(path: &Tree) -> bool {
    is_about_the_end(path) || is_nested(path)
}

/// Whether a path beside other objectives is followed by an automaton: whether it is none that reaches
/// something.
pub(crate) fn is_followed(path: &Tree) -> bool {
    let other = matches!(
        &path.node,
        Node::Until(Until::Weak | Until::Release, ..) | Node::Not(_)
    );
    other || is_linear(path)
}

/// Whether temporal operators stand inside of each other, or are joined.
pub(super) fn is_nested(path: &Tree) -> bool {
    match &path.node {
        Node::Ahead(_, _, of) => is_path(of),
        Node::Until(_, _, left, right) => is_path(left) || is_path(right),
        Node::Two(..) => is_path(path),
        _ => false,
    }
}

/// One minus each.
pub(crate) fn opposite(values: Values) -> Values {
    let less = |one: &f64, up: bool| match (*one == 0.0 || *one == 1.0, up) {
        (true, _) => 1.0 - one,
        (_, true) => (1.0 - one).next_up().min(1.0),
        (_, false) => (1.0 - one).next_down().max(0.0),
    };
    Values {
        lower: values.upper.iter().map(|one| less(one, false)).collect(),
        upper: values.lower.iter().map(|one| less(one, true)).collect(),
        chosen: values.chosen,
    }
}

/// Whether a number between bounds surely and perhaps compares with a limit as it should.
pub(crate) fn compared(join: Join, low: f64, high: f64, limit: (f64, f64)) -> (bool, bool) {
    let (least, most) = limit;
    match join {
        Join::Less => (high < least, low < most),
        Join::AtMost => (high <= least, low <= most),
        Join::Greater => (low > most, high > least),
        _ => (low >= most, high >= least),
    }
}
