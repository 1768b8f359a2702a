//! Steps of a network among some states, and the attractors there.

use oxidd::util::AllocResult;
use oxidd::{BooleanFunction, BooleanFunctionQuant, BooleanOperator, Function};
use quotient_core::Stop;
use quotient_language::Random;

use crate::landscape::{Found, Landscape, Set};
use crate::signs;

/// What leads to an attractor is not counted if it takes more nodes of diagrams, in all steps together.
pub(crate) const MOST_WORK: usize = 3_000_000;
/// Sets of states that need more nodes are not updated.
const MOST_SETTLED: usize = 20_000;
/// So often all variables are updated without fewer states being left.
const MOST_IN_VAIN: usize = 12;

/// Steps of some variables, one at a time.
pub(crate) struct Walk<'a> {
    landscape: &'a Landscape<'a>,
    moving: Vec<usize>,
    /// For each of them the states where it changes.
    changes: Vec<Set>,
    /// The conjunction of them, for quantification.
    cube: Set,
    /// The states that are looked at; no step leaves them.
    within: Set,
}

impl<'a> Walk<'a> {
    pub(crate) fn new(
        landscape: &'a Landscape<'a>,
        functions: &[Set],
        moving: &[usize],
        within: Set,
    ) -> Result<Walk<'a>, Stop> {
        let mut moving = moving.to_vec();
        moving.sort_by_key(|&at| landscape.levels[at]);
        let mut cube = landscape.constant(true);
        let mut changes = Vec::new();
        for &at in &moving {
            let own = landscape.variable(at)?;
            let function = &functions[at];
            changes.push(landscape.run(|| function.xor(&own))?);
        }
        for &at in moving.iter().rev() {
            let own = landscape.variable(at)?;
            cube = landscape.run(|| own.and(&cube))?;
        }
        Ok(Walk {
            landscape,
            moving,
            changes,
            cube,
            within,
        })
    }

    /// The attractors among the states that are looked at, for each combination of values of the
    /// inputs: variables that do not move. Each has one of the candidates in it.
    pub(crate) fn attractors(
        mut self,
        candidates: Set,
        inputs: &[usize],
        most: usize,
    ) -> Result<Found, Stop> {
        let landscape = self.landscape;
        let steady = self.steady()?;
        let mut open = self.settled(candidates, &steady)?;
        let mut found = Found::steady(landscape, steady);
        if !open.satisfiable() {
            return Ok(found);
        }
        self.within = self.forward(open.clone())?;
        let ends = landscape.run(|| self.within.and(&found.steady))?;
        let to_steady = self.back(ends)?;
        open = landscape.minus(&open, &to_steady)?;
        let mut ahead = landscape.constant(false);
        while open.satisfiable() || ahead.satisfiable() {
            // Where a search has gone on, it goes on from there; elsewhere a new one begins.
            let elsewhere = self.colours(&ahead)?;
            let elsewhere = landscape.minus(&open, &elsewhere)?;
            let from = landscape.run(|| ahead.or(&elsewhere))?;
            let pivots = self.one_of_each(&from)?;
            let back = self.back(pivots.clone())?;
            let forward = self.forward(pivots.clone())?;
            ahead = landscape.minus(&forward, &back)?;
            open = landscape.minus(&open, &back)?;
            let goes_on = self.colours(&ahead)?;
            let ends = landscape.minus(&self.colours(&pivots)?, &goes_on)?;
            self.note(&mut found, &forward, &ends, inputs, most)?;
        }
        Ok(found)
    }

    /// The attractors with states of attractors of a network in which some variables were replaced by
    /// their functions: each of them has all states of one of those, in which these variables agree
    /// with their functions.
    pub(crate) fn attractors_among(
        mut self,
        smaller: &Found,
        agree: &[Set],
        inputs: &[usize],
        most: usize,
    ) -> Result<Found, Stop> {
        let landscape = self.landscape;
        let lifted = |set: &Set| {
            let mut all = agree.iter();
            all.try_fold(set.clone(), |set, one| landscape.run(|| set.and(one)))
        };
        let steady = lifted(&smaller.steady)?;
        let mut found = Found::steady(landscape, steady);
        let everywhere = self.within.clone();
        for part in &smaller.parts {
            let mut start = lifted(part)?;
            // What may become steady is in no other attractor.
            let pivots = self.one_of_each(&start)?;
            let unsettled = self.colours(&self.settled(pivots, &found.steady)?)?;
            start = landscape.run(|| start.and(&unsettled))?;
            if !start.satisfiable() {
                continue;
            }
            self.within = everywhere.clone();
            self.within = self.forward(start.clone())?;
            let back = self.back(start.clone())?;
            let beyond = landscape.minus(&self.within, &back)?;
            let known = landscape.run(|| self.within.and(&found.larger))?;
            let wrong = landscape.run(|| beyond.or(&known))?;
            let wrong = self.colours(&wrong)?;
            let ends = landscape.minus(&self.colours(&start)?, &wrong)?;
            self.note(&mut found, &self.within, &ends, inputs, most)?;
        }
        Ok(found)
    }

    /// Notes the attractors among states, one for each of the values of the inputs where a search ends.
    fn note(
        &self,
        found: &mut Found,
        states: &Set,
        ends: &Set,
        inputs: &[usize],
        most: usize,
    ) -> Result<(), Stop> {
        if !ends.satisfiable() {
            return Ok(());
        }
        let states = self.landscape.run(|| states.and(ends))?;
        let many = most.saturating_sub(found.some.len());
        let some = self.some(states.clone(), inputs, many)?;
        let number = self.landscape.count(ends, inputs.len());
        found.add(self.landscape, states, number, some)
    }

    /// The states that nothing changes.
    fn steady(&self) -> Result<Set, Stop> {
        let mut steady = self.within.clone();
        for changes in &self.changes {
            steady = self.landscape.minus(&steady, changes)?;
        }
        Ok(steady)
    }

    /// States of which every attractor has one, steady states included.
    ///
    /// If some variables are never allowed to leave a value once they have it, an attractor still
    /// contains some set of states that is not left. Where the others have no circle with an odd
    /// number of inhibitions among them, such a set is a single state (Richard 2010): the candidates are
    /// the states in which nothing changes but variables that are not allowed to (after Trinh, Hiraishi and
    /// Benhamou 2022).
    pub(crate) fn candidates(&self) -> Result<Set, Stop> {
        let landscape = self.landscape;
        let mut conditions = Vec::new();
        for (number, is_held) in self.held()?.into_iter().enumerate() {
            let changes = &self.changes[number];
            let mut still = landscape.run(|| changes.not())?;
            if is_held {
                // The value that the function has more often.
                let own = landscape.variable(self.moving[number])?;
                let function = landscape.run(|| changes.xor(&own))?;
                let opposite = landscape.run(|| function.not())?;
                let all = self.landscape.network.names.len();
                let often = landscape.count(&function, all) >= landscape.count(&opposite, all);
                let stays = landscape.literal(self.moving[number], often)?;
                still = landscape.run(|| still.or(&stays))?;
            }
            conditions.push(still);
        }
        conditions.sort_by_key(|condition| condition.node_count());
        let mut found = self.within.clone();
        for condition in &conditions {
            found = landscape.run(|| found.and(condition))?;
        }
        Ok(found)
    }

    /// Which variables are not allowed to leave a value, so that no circle with an odd number of
    /// inhibitions is left among the others.
    fn held(&self) -> Result<Vec<bool>, Stop> {
        let mut arrows = Vec::new();
        for (to, changes) in self.changes.iter().enumerate() {
            let own = self.landscape.variable(self.moving[to])?;
            let function = self.landscape.run(|| changes.xor(&own))?;
            for (from, &at) in self.moving.iter().enumerate() {
                if let Some(sign) = self.landscape.sign(&function, at)? {
                    arrows.push((from, to, sign));
                }
            }
        }
        Ok(signs::held(self.moving.len(), &arrows))
    }

    /// The values of the inputs for which some of the given states do not become steady.
    pub(crate) fn unsettled(&self, states: Set) -> Result<Set, Stop> {
        let left = self.settled(states, &self.steady()?)?;
        self.colours(&left)
    }

    /// States, one reached from each of some others, without those that become steady: all variables
    /// take the values of their functions one after the other, in one order after another, as long as fewer
    /// states are left after it.
    fn settled(&self, mut states: Set, steady: &Set) -> Result<Set, Stop> {
        let all = self.landscape.network.names.len();
        let mut in_vain = 0;
        let random = &mut Random::new(1);
        let mut order: Vec<usize> = (0..self.moving.len()).collect();
        states = self.landscape.minus(&states, steady)?;
        let mut many = self.landscape.count(&states, all);
        while in_vain < MOST_IN_VAIN && states.satisfiable() && states.node_count() < MOST_SETTLED {
            for step in 0..self.moving.len() {
                let other = step + random.below(order.len() - step);
                order.swap(step, other);
                let number = order[step];
                let changes = &self.changes[number];
                let moved = self.landscape.run(|| states.and(changes))?;
                let moved = self.flipped(self.moving[number], &moved)?;
                let still = self.landscape.minus(&states, changes)?;
                states = self.landscape.run(|| still.or(&moved))?;
            }
            states = self.landscape.minus(&states, steady)?;
            let left = self.landscape.count(&states, all);
            in_vain = if left < many { 0 } else { in_vain + 1 };
            many = left;
        }
        Ok(states)
    }

    /// A state for each of some combinations of values of the inputs.
    fn some(&self, mut among: Set, inputs: &[usize], most: usize) -> Result<Vec<Vec<bool>>, Stop> {
        let mut some = Vec::new();
        while let Some(state) = self.landscape.pick(&among).filter(|_| some.len() < most) {
            let mut colour = self.landscape.constant(true);
            for &at in inputs {
                let literal = self.landscape.literal(at, state[at])?;
                colour = self.landscape.run(|| colour.and(&literal))?;
            }
            among = self.landscape.minus(&among, &colour)?;
            some.push(state);
        }
        Ok(some)
    }

    /// The states of a set with one variable turned over.
    fn flipped(&self, at: usize, set: &Set) -> Result<Set, Stop> {
        let own = self.landscape.variable(at)?;
        let not = self.landscape.run(|| own.not())?;
        let run = |operation: &dyn Fn() -> AllocResult<Set>| self.landscape.run(operation);
        let high = run(&|| set.apply_exists(BooleanOperator::And, &own, &own))?;
        let low = run(&|| set.apply_exists(BooleanOperator::And, &not, &own))?;
        run(&|| own.ite(&low, &high))
    }

    /// Variable by variable until none adds a state; after a change from the first again, so that
    /// diagrams fill from one end.
    fn closure(
        &self,
        start: Set,
        step: impl Fn(usize, &Set) -> Result<Set, Stop>,
        mut is_enough: impl FnMut(&Set) -> bool,
    ) -> Result<Option<Set>, Stop> {
        let mut now = start;
        let mut number = 0;
        while number < self.moving.len() {
            if is_enough(&now) {
                return Ok(None);
            }
            let more = step(number, &now)?;
            let next = self.landscape.run(|| now.or(&more))?;
            if next == now {
                number += 1;
            } else {
                now = next;
                number = 0;
            }
        }
        Ok(Some(now))
    }

    fn before(&self, number: usize, now: &Set) -> Result<Set, Stop> {
        let flipped = self.flipped(self.moving[number], now)?;
        let changes = &self.changes[number];
        let before = self.landscape.run(|| changes.and(&flipped))?;
        self.landscape.run(|| before.and(&self.within))
    }

    /// All states from which a set can be reached.
    fn back(&self, start: Set) -> Result<Set, Stop> {
        let all = self.closure(start, |number, now| self.before(number, now), |_| false)?;
        Ok(all.unwrap_or_else(|| self.within.clone()))
    }

    /// The same, unless that takes too much.
    pub(crate) fn back_if_easy(&self, start: Set) -> Result<Option<Set>, Stop> {
        self.back_within(start, &mut { MOST_WORK })
    }

    /// The same, unless it takes more nodes than are left, in all steps together.
    pub(crate) fn back_within(&self, start: Set, work: &mut usize) -> Result<Option<Set>, Stop> {
        let is_enough = |now: &Set| {
            let left = work.checked_sub(now.node_count());
            *work = left.unwrap_or(0);
            left.is_none()
        };
        self.closure(start, |number, now| self.before(number, now), is_enough)
    }

    /// All states that can be reached from a set.
    fn forward(&self, start: Set) -> Result<Set, Stop> {
        let step = |number: usize, now: &Set| {
            let changes = &self.changes[number];
            let moving = self.landscape.run(|| changes.and(now))?;
            self.flipped(self.moving[number], &moving)
        };
        let all = self.closure(start, step, |_| false)?;
        Ok(all.unwrap_or_else(|| self.within.clone()))
    }

    /// The values of the inputs that occur in a set.
    fn colours(&self, set: &Set) -> Result<Set, Stop> {
        self.landscape.run(|| set.exists(&self.cube))
    }

    /// One state for each combination of values of the inputs.
    fn one_of_each(&self, set: &Set) -> Result<Set, Stop> {
        let mut left = set.clone();
        for &at in &self.moving {
            let own = self.landscape.variable(at)?;
            let with = self.landscape.run(|| left.and(&own))?;
            let has = self.colours(&with)?;
            let without = self.landscape.minus(&left, &own)?;
            let without = self.landscape.minus(&without, &has)?;
            left = self.landscape.run(|| with.or(&without))?;
        }
        Ok(left)
    }
}
