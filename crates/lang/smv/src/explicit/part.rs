//! A part of a model that is enough to see that a formula of CTL is false, or true.
//!
//! Of a large model a few states may do: that no way leads on from the end of a run is a matter of the
//! states around it. States are looked at one by one, beginning with those of a run; where a state
//! was not looked at, anything may follow. With that each part of a formula has two sets of states: those where it is
//! certainly true, and those where it may be. Only states that leave something open are looked
//! at next.

use quotient_core::{Budget, Stop};
use quotient_logic::{Binary, Formula, Kind as Says, Unary};
use rustc_hash::FxHashMap;

use super::branching::{Branching, both, either, not};
use super::search::{Searched, Steps, first_states};
use crate::evaluate::State;
use crate::program::{NodeId, Program};

/// States that are looked at before the formula is worked out for the first time.
const FIRST: usize = 64;

/// Steps of all paths that are followed until they come back to where they were.
const MOST_STEPS: u32 = 1 << 18;

/// The states of a model that were met, some of them looked at.
struct Part<'a> {
    program: &'a Program,
    searched: Searched,
    numbers: FxHashMap<State, usize>,
    /// Whether what follows a state is known.
    looked_at: Vec<bool>,
    /// States from which a path is known to go on for ever.
    lively: Vec<bool>,
    steps: Steps<'a>,
    /// How many steps may still be followed to find such paths.
    left: u32,
    limit: usize,
}

impl Program {
    /// Whether a formula of CTL is false in the first state of a run, which must be initial and have a fair path:
    /// how many states show it. Nothing where a part of the model with so many states does not tell. What is
    /// not on the run is found out from the model, and that the run is one of it is not relied on.
    pub(crate) fn refuted_around(
        &self,
        run: &[State],
        formula: &Formula<NodeId>,
        limit: usize,
        budget: &Budget,
    ) -> Result<Option<usize>, Stop> {
        let Some(first) = run.first() else {
            return Ok(None);
        };
        let first = self.without_inputs(first);
        if !self.is_initial(&first) || !self.compassion().is_empty() {
            return Ok(None);
        }
        self.settled_around(&[first], run, (formula, Outcome::Refuted), limit, budget)
    }

    /// Whether a formula of CTL is true in all initial states where a fair path begins: how many states show it.
    /// Nothing where a part of the model with so many states does not tell, or there is no initial state. The
    /// states of a run are looked at first; nothing of it is relied on.
    pub(crate) fn shown_around(
        &self,
        run: &[State],
        formula: &Formula<NodeId>,
        limit: usize,
        budget: &Budget,
    ) -> Result<Option<usize>, Stop> {
        let starts = first_states(self, limit, budget)?;
        if starts.is_empty() {
            return Ok(None);
        }
        self.settled_around(&starts, run, (formula, Outcome::Shown), limit, budget)
    }

    fn settled_around(
        &self,
        starts: &[State],
        run: &[State],
        (formula, wanted_outcome): (&Formula<NodeId>, Outcome),
        limit: usize,
        budget: &Budget,
    ) -> Result<Option<usize>, Stop> {
        let mut part = Part {
            program: self,
            searched: Searched::blank(self),
            numbers: FxHashMap::default(),
            looked_at: Vec::new(),
            lively: Vec::new(),
            steps: Steps::new(self)?,
            left: MOST_STEPS,
            limit,
        };
        for state in starts {
            part.met(state.clone());
        }
        part.searched.initial = starts.len();
        for state in run.iter().take(limit) {
            part.met(self.without_inputs(state));
        }
        part.follow(part.looked_at.len() - 1, budget)?;
        // What is to be shown mostly is at the end of the run.
        let mut next: Vec<usize> = (0..part.looked_at.len()).rev().collect();
        let mut wanted = FIRST;
        loop {
            if !part.look_at_all(&next, wanted, budget)? {
                return Ok(None);
            }
            match part.outcome(formula) {
                Some(Outcome::Open([open, unfair])) => {
                    next = part.nearest(&open, wanted);
                    if next.is_empty() {
                        next = part.nearest(&unfair, wanted);
                        let mut some = next.iter().take(FIRST);
                        some.try_for_each(|&state| part.follow(state, budget))?;
                    }
                }
                Some(outcome) => {
                    let found = outcome == wanted_outcome;
                    return Ok(found.then_some(part.searched.states.len()));
                }
                None => return Ok(None),
            }
            budget.charge(part.searched.states.len() as u64)?;
            if next.is_empty() {
                return Ok(None);
            }
            wanted = wanted.max(part.searched.states.len());
        }
    }

    /// The state with the first value for each input, as states are kept.
    fn without_inputs(&self, state: &State) -> State {
        let first = self.variables().iter().map(|one| one.domain.first());
        self.with_inputs(state, &State(first.collect()))
    }
}

/// What a part tells.
#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    /// The formula is false in an initial state where a fair path begins.
    Refuted,
    /// It is true in all of those.
    Shown,
    /// It is not known, and these states leave something of the formula open; or else whether a fair
    /// path begins there.
    Open([Vec<bool>; 2]),
}

impl Part<'_> {
    /// The number of a state; what follows a new one is not known.
    fn met(&mut self, state: State) -> usize {
        let new = self.searched.states.len();
        let number = *self.numbers.entry(state.clone()).or_insert(new);
        if number == new {
            self.searched.states.push(state);
            self.searched.successors.push(Vec::new());
            let about_steps = self.searched.just.iter_mut().flatten();
            about_steps.for_each(|just| just.push(Vec::new()));
            self.looked_at.push(false);
            self.lively.push(false);
        }
        number
    }

    /// Finds out what follows some states, and, where they are few, what follows what follows them:
    /// the formula is worked out anew after that, and should not be for each step of a path. Says
    /// whether there was room for all.
    fn look_at_all(
        &mut self,
        some: &[usize],
        wanted: usize,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        let before = self.searched.states.len();
        for &state in some {
            if self.searched.states.len() > self.limit {
                return Ok(false);
            }
            self.look_at(state, budget)?;
        }
        let mut state = before;
        while state < self.searched.states.len() && state - before + some.len() < wanted / 2 {
            if self.searched.states.len() > self.limit {
                return Ok(false);
            }
            self.look_at(state, budget)?;
            state += 1;
        }
        Ok(true)
    }

    /// Finds out what follows a state.
    fn look_at(&mut self, state: usize, budget: &Budget) -> Result<(), Stop> {
        if self.looked_at[state] {
            return Ok(());
        }
        let from = self.searched.states[state].clone();
        for (from, to) in self.steps.after(&from, budget)? {
            let next = self.met(to);
            self.searched.successors[state].push(next);
            let justice = self.program.justice().iter();
            for (just, &node) in self.searched.just.iter_mut().zip(justice) {
                if let Some(just) = just
                    && self.program.is_true(node, &from, None)
                {
                    just[state].push(next);
                }
            }
        }
        let after = &mut self.searched.successors[state];
        after.sort_unstable();
        after.dedup();
        self.looked_at[state] = true;
        Ok(())
    }

    /// Follows the first step everywhere from a state, to find out whether that path comes back to where it
    /// was (Brent 1980): then it never ends, and without fairness conditions it is fair. It may be longer
    /// than what is looked at otherwise: no state of it is kept.
    fn follow(&mut self, state: usize, budget: &Budget) -> Result<(), Stop> {
        if !self.program.justice().is_empty() || self.lively[state] {
            return Ok(());
        }
        let mut at = self.searched.states[state].clone();
        let mut mark = at.clone();
        let (mut step, mut until_mark) = (0u32, 1u32);
        while self.left > 0 {
            (self.left, step) = (self.left - 1, step + 1);
            match self.steps.after(&at, budget)?.into_iter().next() {
                Some((_, to)) if to == mark => {
                    self.lively[state] = true;
                    return Ok(());
                }
                Some((_, to)) => at = to,
                None => return Ok(()),
            }
            if step == until_mark {
                mark.clone_from(&at);
                until_mark = until_mark.saturating_mul(2);
            }
        }
        Ok(())
    }

    /// What is known about a formula; nothing if this cannot be told here.
    fn outcome(&self, formula: &Formula<NodeId>) -> Option<Outcome> {
        let side = |assumed: bool| {
            let known = (&self.looked_at[..], &self.lively[..]);
            Branching::of_part(self.program, &self.searched, known, assumed)
        };
        let bounds = Bounds {
            surely: side(false)?,
            maybe: side(true)?,
        };
        let (surely_fair, maybe_fair) = (&bounds.surely.fair, &bounds.maybe.fair);
        let unfair = differ(maybe_fair, surely_fair);
        let mut starts = 0..self.searched.initial;
        let mut open = match starts.clone().all(|state| surely_fair[state]) {
            true => vec![false; self.looked_at.len()],
            false => unfair.clone(),
        };
        let values = bounds.values(formula, &mut open)?;
        if (starts.clone()).any(|state| surely_fair[state] && !values.maybe[state]) {
            return Some(Outcome::Refuted);
        }
        if starts.all(|state| values.surely[state] || !maybe_fair[state]) {
            return Some(Outcome::Shown);
        }
        let unknown = not(self.looked_at.clone());
        Some(Outcome::Open([
            both(&open, &unknown),
            both(&unfair, &unknown),
        ]))
    }

    /// Some of the open states, those first that are near to an initial one.
    fn nearest(&self, open: &[bool], wanted: usize) -> Vec<usize> {
        let mut found = Vec::new();
        let mut seen = vec![false; open.len()];
        let mut queue: Vec<usize> = (0..self.searched.initial).collect();
        seen[..queue.len()].fill(true);
        let mut at = 0;
        while at < queue.len() && found.len() < wanted {
            let state: usize = queue[at];
            at += 1;
            if open[state] {
                found.push(state);
            }
            for &next in &self.searched.successors[state] {
                if !std::mem::replace(&mut seen[next], true) {
                    queue.push(next);
                }
            }
        }
        found
    }
}

/// Where formulas are certainly true, and where they may be.
struct Bounds<'a> {
    surely: Branching<'a>,
    maybe: Branching<'a>,
}

/// The states where something is certainly true, and those where it may be.
struct Pair {
    surely: Vec<bool>,
    maybe: Vec<bool>,
}

impl Pair {
    fn not(self) -> Pair {
        Pair {
            surely: not(self.maybe),
            maybe: not(self.surely),
        }
    }

    /// What is true more often where its parts are.
    fn with(&self, other: &Pair, of: fn(&[bool], &[bool]) -> Vec<bool>) -> Pair {
        Pair {
            surely: of(&self.surely, &other.surely),
            maybe: of(&self.maybe, &other.maybe),
        }
    }

    /// Both, or neither.
    fn iff(self, other: Pair) -> Pair {
        let both = self.with(&other, both);
        both.with(&self.not().with(&other.not(), self::both), either)
    }
}

impl Bounds<'_> {
    /// Where a formula is true. Adds the states to `open` where some part of it about paths may or may not be.
    fn values(&self, formula: &Formula<NodeId>, open: &mut Vec<bool>) -> Option<Pair> {
        let exact = |values: Vec<bool>| Pair {
            maybe: values.clone(),
            surely: values,
        };
        Some(match &formula.kind {
            Says::Constant(value) => exact(vec![*value; open.len()]),
            Says::Atom(node) => exact(self.surely.atom(*node)),
            Says::Unary(Unary::Not, operand) => self.values(operand, open)?.not(),
            Says::Unary(quantifier @ (Unary::Exists | Unary::ForAll), path) => {
                // On all paths: no path does the opposite.
                let opposite = *quantifier == Unary::ForAll;
                let found = self.some_path(path, opposite, open)?;
                *open = either(open, &differ(&found.surely, &found.maybe));
                match opposite {
                    true => found.not(),
                    false => found,
                }
            }
            Says::Binary(operator, left, right) => {
                let (a, b) = (self.values(left, open)?, self.values(right, open)?);
                match operator {
                    Binary::And => a.with(&b, both),
                    Binary::Or => a.with(&b, either),
                    Binary::Implies => a.not().with(&b, either),
                    Binary::Iff => a.iff(b),
                    Binary::Xor => a.iff(b).not(),
                    _ => return None,
                }
            }
            Says::Unary(..) | Says::Placeholder(_) => return None,
        })
    }

    /// The states from which some fair path does what is said, or its opposite.
    fn some_path(
        &self,
        path: &Formula<NodeId>,
        opposite: bool,
        open: &mut Vec<bool>,
    ) -> Option<Pair> {
        let mut operand = |formula: &Formula<NodeId>| {
            let values = self.values(formula, open)?;
            Some(match opposite {
                true => values.not(),
                false => values,
            })
        };
        let parts = match &path.kind {
            Says::Unary(_, a) => [Some(operand(a)?), None],
            Says::Binary(_, a, b) => [Some(operand(a)?), Some(operand(b)?)],
            _ => return None,
        };
        let side = |side: &Branching<'_>, of: fn(&Pair) -> &[bool]| {
            let [a, b] = parts.each_ref().map(|part| part.as_ref().map(of));
            along(side, &path.kind, opposite, (a?, b.unwrap_or(&[])))
        };
        Some(Pair {
            surely: side(&self.surely, |pair| &pair.surely)?,
            maybe: side(&self.maybe, |pair| &pair.maybe)?,
        })
    }
}

/// The states from which some fair path does what is said of operands with these values, or, where these are
/// the opposites, the opposite of it.
fn along(
    side: &Branching<'_>,
    path: &Says<NodeId>,
    opposite: bool,
    (a, b): (&[bool], &[bool]),
) -> Option<Vec<bool>> {
    let everywhere = vec![true; a.len()];
    let fair = |set: &[bool]| both(set, &side.fair);
    Some(match (path, opposite) {
        (Says::Unary(Unary::Next, _), _) => side.before(&fair(a)),
        (Says::Unary(Unary::Finally(None), _), false)
        | (Says::Unary(Unary::Globally(None), _), true) => side.until(&everywhere, &fair(a)),
        (Says::Unary(Unary::Finally(None) | Unary::Globally(None), _), _) => side.forever(a),
        (Says::Unary(Unary::Finally(Some(steps)), _), false)
        | (Says::Unary(Unary::Globally(Some(steps)), _), true) => {
            side.until_within(&everywhere, &fair(a), *steps)
        }
        (Says::Unary(Unary::Finally(Some(steps)) | Unary::Globally(Some(steps)), _), _) => {
            side.stays_within(a, *steps)
        }
        (Says::Binary(Binary::Until(None), ..), false) => side.until(a, &fair(b)),
        (Says::Binary(Binary::Until(None), ..), true) => {
            let ends = side.until(b, &fair(&both(a, b)));
            either(&ends, &side.forever(b))
        }
        (Says::Binary(Binary::Until(Some(steps)), ..), false) => {
            side.until_within(a, &fair(b), *steps)
        }
        _ => return None,
    })
}

fn differ(a: &[bool], b: &[bool]) -> Vec<bool> {
    a.iter().zip(b).map(|(a, b)| a != b).collect()
}
