//! Formulas about runs, judged again on sets of markings.
//!
//! The set given is closed: it contains the start and all that follows from its members, so what
//! a formula says at the start is decided within it. Formulas of branching time are evaluated by
//! their fixpoints. A formula of linear time is broken if from the start, with all of its opposite
//! as a duty, a run goes on for ever that puts nothing off for ever.

use std::collections::{BTreeSet, HashMap};

use quotient_core::{Budget, Rejection};
use quotient_logic::{Binary, Formula, Kind, Unary};

use crate::again;
use crate::evidence::Diagram;
use crate::formula::Temporal;
use crate::judge::{Duties, Subformulas};
use crate::net::Net;
use crate::sets::{NONE, Set, Sets};

/// The most ways that conditions of a formula hold together, and sets of duties.
const MOST_CLASSES: usize = 512;
const MOST_DUTIES: usize = 2_000;

/// A closed set of markings, and where the net is stuck in it.
pub(crate) struct Timed<'a> {
    sets: Sets<'a>,
    all: Set,
    stuck: Set,
    start: Vec<u64>,
    /// Whether all markings lead back to the start, once it was asked for.
    returns: Option<bool>,
    /// The markings that are really reached: others may be in the set.
    reached: Option<Set>,
}

/// What can be done under a set of duties: where, which duties are left, and what is put off.
type Ways = HashMap<(usize, Duties), Set>;

impl<'a> Timed<'a> {
    /// Of a diagram that was found to be closed.
    pub(crate) fn new(
        net: &'a Net,
        diagram: &Diagram,
        budget: &'a Budget,
    ) -> Result<Timed<'a>, Rejection> {
        let start = net.start();
        let start = start.ok_or_else(|| Rejection::wrong("the net has many starts"))?;
        let (mut sets, all) = Sets::new(net, diagram, budget)?;
        let stuck = sets.stuck(all)?;
        Ok(Timed {
            sets,
            all,
            stuck,
            start,
            returns: None,
            reached: None,
        })
    }

    /// Whether a formula holds at the start.
    pub(crate) fn holds(&mut self, one: &Temporal) -> Result<bool, Rejection> {
        if one.linear {
            return self.linear(one);
        }
        if let Some(condition) = again::condition(one)
            && self.returns()?
        {
            let reached = self.reached()?;
            return Ok(self.sets.fulfilling(condition, reached)? != NONE);
        }
        let set = self.branching(one, &one.formula)?;
        Ok(self.sets.contains(set, &self.start))
    }

    /// Whether all markings lead back to the start.
    fn returns(&mut self) -> Result<bool, Rejection> {
        if let Some(returns) = self.returns {
            return Ok(returns);
        }
        let start = self.sets.single(&self.start)?;
        let all = self.all;
        let returns = self.until(all, start)? == all;
        self.returns = Some(returns);
        Ok(returns)
    }

    /// The markings that the start leads to. The set given is closed, but it may have more.
    fn reached(&mut self) -> Result<Set, Rejection> {
        if let Some(reached) = self.reached {
            return Ok(reached);
        }
        let mut found = self.sets.single(&self.start)?;
        loop {
            let known = found;
            for transition in 0..self.sets.net.transitions.len() {
                let after = self.sets.after(transition, found)?;
                found = self.sets.union(found, after)?;
            }
            if found == known {
                self.reached = Some(found);
                return Ok(found);
            }
        }
    }

    fn not(&mut self, set: Set) -> Result<Set, Rejection> {
        self.sets.minus(self.all, set)
    }

    fn branching(&mut self, one: &Temporal, formula: &Formula<u32>) -> Result<Set, Rejection> {
        match &formula.kind {
            Kind::Constant(true) => Ok(self.all),
            Kind::Constant(false) => Ok(NONE),
            Kind::Atom(atom) => self.sets.fulfilling(&one.atoms[*atom as usize], self.all),
            Kind::Unary(Unary::Not, inner) => {
                let inner = self.branching(one, inner)?;
                self.not(inner)
            }
            Kind::Unary(Unary::Exists, path) => self.exists(one, path),
            Kind::Unary(Unary::ForAll, path) => self.for_all(one, path),
            Kind::Binary(Binary::And, left, right) => {
                let (left, right) = (self.branching(one, left)?, self.branching(one, right)?);
                self.sets.both(left, right)
            }
            Kind::Binary(Binary::Or, left, right) => {
                let (left, right) = (self.branching(one, left)?, self.branching(one, right)?);
                self.sets.union(left, right)
            }
            _ => Err(unfit()),
        }
    }

    fn exists(&mut self, one: &Temporal, path: &Formula<u32>) -> Result<Set, Rejection> {
        let all = self.all;
        match &path.kind {
            Kind::Unary(operator, inner) => {
                let inner = self.branching(one, inner)?;
                match operator {
                    Unary::Next => self.next(inner),
                    Unary::Finally(None) => self.until(all, inner),
                    Unary::Globally(None) => self.staying(inner),
                    _ => Err(unfit()),
                }
            }
            Kind::Binary(Binary::Until(None), left, right) => {
                let (left, right) = (self.branching(one, left)?, self.branching(one, right)?);
                self.until(left, right)
            }
            _ => Err(unfit()),
        }
    }

    /// What no run contradicts.
    fn for_all(&mut self, one: &Temporal, path: &Formula<u32>) -> Result<Set, Rejection> {
        let all = self.all;
        let broken = match &path.kind {
            Kind::Unary(operator, inner) => {
                let inner = self.branching(one, inner)?;
                let not = self.not(inner)?;
                match operator {
                    Unary::Next => self.next(not)?,
                    Unary::Finally(None) => self.staying(not)?,
                    Unary::Globally(None) => self.until(all, not)?,
                    _ => return Err(unfit()),
                }
            }
            Kind::Binary(Binary::Until(None), left, right) => {
                let (left, right) = (self.branching(one, left)?, self.branching(one, right)?);
                let (not_left, not_right) = (self.not(left)?, self.not(right)?);
                let neither = self.sets.both(not_left, not_right)?;
                let too_early = self.until(not_right, neither)?;
                let never = self.staying(not_right)?;
                self.sets.union(too_early, never)?
            }
            _ => return Err(unfit()),
        };
        self.not(broken)
    }

    /// The markings with a successor in a set.
    fn next(&mut self, into: Set) -> Result<Set, Rejection> {
        let mut found = NONE;
        for transition in 0..self.sets.net.transitions.len() {
            let before = self.sets.before(transition, into)?;
            let before = self.sets.both(before, self.all)?;
            found = self.sets.union(found, before)?;
        }
        Ok(found)
    }

    /// The markings from which a run stays in one set until it gets to the other.
    fn until(&mut self, left: Set, right: Set) -> Result<Set, Rejection> {
        let mut found = right;
        loop {
            let known = found;
            for transition in 0..self.sets.net.transitions.len() {
                let before = self.sets.before(transition, found)?;
                let before = self.sets.both(before, left)?;
                found = self.sets.union(found, before)?;
            }
            if found == known {
                return Ok(found);
            }
        }
    }

    /// The markings from which a run stays in a set, until it is stuck or for ever.
    fn staying(&mut self, inside: Set) -> Result<Set, Rejection> {
        let ended = self.sets.both(self.stuck, inside)?;
        let mut found = inside;
        loop {
            let next = self.next(found)?;
            let next = self.sets.both(next, inside)?;
            let smaller = self.sets.union(next, ended)?;
            if smaller == found {
                return Ok(found);
            }
            found = smaller;
        }
    }

    /// Whether no run from the start breaks a formula of linear time.
    fn linear(&mut self, one: &Temporal) -> Result<bool, Rejection> {
        let opposite = (!one.formula.clone()).negation_normal_form();
        let mut formulas = Subformulas::new();
        let root = Duties::from([formulas.number(&opposite)]);
        let ways = self.ways(one, &mut formulas, root)?;
        let mut promises: Vec<Option<usize>> = formulas.promises().map(Some).collect();
        if promises.is_empty() {
            // Nothing can be put off: a run that goes on is enough.
            promises.push(None);
        }
        let mut found = vec![self.all; ways.len()];
        loop {
            let known = found.clone();
            for &promise in &promises {
                found = self.keeping(promise, &ways, &found)?;
            }
            if found == known {
                return Ok(!self.sets.contains(found[0], &self.start));
            }
        }
    }

    /// For each set of duties that can come about what can be done under it.
    fn ways(
        &mut self,
        one: &Temporal,
        formulas: &mut Subformulas,
        root: Duties,
    ) -> Result<Vec<Ways>, Rejection> {
        let classes = self.classes(one)?;
        let mut duties = vec![root.clone()];
        let mut numbers = HashMap::from([(root, 0)]);
        let mut all: Vec<Ways> = Vec::new();
        while let Some(now) = duties.get(all.len()).cloned() {
            let mut ways = Ways::new();
            for (values, class) in &classes {
                let atom = |number: u32| values[number as usize];
                let mut found = BTreeSet::new();
                let todo = now.iter().copied().collect();
                let none = (Duties::new(), Duties::new());
                formulas.ways(todo, none, &atom, &mut found, self.sets.budget)?;
                for (later, put_off) in found {
                    let next = *numbers.entry(later).or_insert_with_key(|later| {
                        duties.push(later.clone());
                        duties.len() - 1
                    });
                    let key = (next, put_off);
                    let known = ways.get(&key).copied().unwrap_or(NONE);
                    ways.insert(key, self.sets.union(known, *class)?);
                }
            }
            all.push(ways);
            if duties.len() > MOST_DUTIES {
                return Err(Rejection::wrong("the formula has too many sets of duties"));
            }
        }
        Ok(all)
    }

    /// The markings by the values of all conditions.
    fn classes(&mut self, one: &Temporal) -> Result<Vec<(Vec<bool>, Set)>, Rejection> {
        let mut classes = vec![(Vec::new(), self.all)];
        for atom in &one.atoms {
            let mut finer = Vec::new();
            for (values, class) in classes {
                let with = self.sets.fulfilling(atom, class)?;
                let without = self.sets.minus(class, with)?;
                for (value, part) in [(true, with), (false, without)] {
                    if part != NONE {
                        let values: Vec<bool> = [&values[..], &[value]].concat();
                        finer.push((values, part));
                    }
                }
            }
            if finer.len() > MOST_CLASSES {
                return Err(Rejection::wrong("the formula has too many conditions"));
            }
            classes = finer;
        }
        Ok(classes)
    }

    /// The markings of sets (one for each set of duties) from which a path within these leads to a
    /// step that does not put a promise off.
    fn keeping(
        &mut self,
        promise: Option<usize>,
        ways: &[Ways],
        within: &[Set],
    ) -> Result<Vec<Set>, Rejection> {
        let mut found = vec![NONE; within.len()];
        for (number, ways) in ways.iter().enumerate() {
            for ((next, put_off), &class) in ways {
                if promise.is_none_or(|promise| !put_off.contains(&promise)) {
                    let here = self.sets.both(class, within[number])?;
                    let before = self.stepping(within[*next], here)?;
                    found[number] = self.sets.union(found[number], before)?;
                }
            }
        }
        loop {
            let known = found.clone();
            for (number, ways) in ways.iter().enumerate() {
                for ((next, _), &class) in ways {
                    let here = self.sets.both(class, within[number])?;
                    let before = match *next == number {
                        true => self.until(here, found[number])?,
                        false => self.stepping(found[*next], here)?,
                    };
                    found[number] = self.sets.union(found[number], before)?;
                }
            }
            if found == known {
                return Ok(found);
            }
        }
    }

    /// The markings of a set with a successor in another; one that is stuck follows itself.
    fn stepping(&mut self, into: Set, within: Set) -> Result<Set, Rejection> {
        if into == NONE || within == NONE {
            return Ok(NONE);
        }
        let next = self.next(into)?;
        let stays = self.sets.both(self.stuck, into)?;
        let either = self.sets.union(next, stays)?;
        self.sets.both(either, within)
    }
}

fn unfit() -> Rejection {
    Rejection::wrong("the formula is not one of branching time")
}
