//! Steps of a network among some states, and the attractors there.

use oxidd::util::AllocResult;
use oxidd::util::num::Natural;
use oxidd::{BooleanFunction, BooleanFunctionQuant, BooleanOperator, Function};
use quotient_core::Stop;

use crate::landscape::{Found, Landscape, Set};

/// What leads to an attractor is not counted if it takes more nodes, or more steps.
const MOST_BASIN: usize = 60_000;
const MOST_STEPS: usize = 30_000;

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
    /// inputs: variables that do not move.
    pub(crate) fn attractors(&self, inputs: &[usize], most: usize) -> Result<Found, Stop> {
        let landscape = self.landscape;
        let mut steady = self.within.clone();
        for changes in &self.changes {
            steady = landscape.minus(&steady, changes)?;
        }
        let to_steady = self.back(steady.clone())?;
        let mut open = landscape.minus(&self.within, &to_steady)?;
        open = self.pruned(open)?;
        let mut found = Found {
            steady,
            larger: landscape.constant(false),
            count: Natural::from(0u32),
            some: Vec::new(),
        };
        let mut ahead = landscape.constant(false);
        while open.satisfiable() {
            // Where a search has gone on, it goes on from there; elsewhere a new one begins.
            let elsewhere = self.colours(&ahead)?;
            let elsewhere = landscape.minus(&open, &elsewhere)?;
            let from = landscape.run(|| ahead.or(&elsewhere))?;
            let pivots = self.one_of_each(&from)?;
            let back = self.back(pivots.clone())?;
            let forward = self.forward(pivots.clone())?;
            let beyond = landscape.minus(&forward, &back)?;
            let goes_on = self.colours(&beyond)?;
            let ends = landscape.minus(&self.colours(&pivots)?, &goes_on)?;
            if ends.satisfiable() {
                found.count = found.count.clone() + landscape.count(&ends, inputs.len());
                let states = landscape.run(|| forward.and(&ends))?;
                found.larger = landscape.run(|| found.larger.or(&states))?;
                let many = most.saturating_sub(found.some.len());
                found.some.extend(self.some(states, inputs, many)?);
            }
            open = landscape.minus(&open, &back)?;
            ahead = landscape.run(|| beyond.and(&open))?;
        }
        Ok(found)
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
        let mut steps = 0;
        let is_enough = |now: &Set| {
            steps += 1;
            steps > MOST_STEPS || now.node_count() > MOST_BASIN
        };
        self.closure(start, |number, now| self.before(number, now), is_enough)
    }

    /// The same steps among what can be reached from a set.
    pub(crate) fn reached_from(mut self, start: Set) -> Result<Walk<'a>, Stop> {
        self.within = self.forward(start)?;
        Ok(self)
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

    /// A set that is not left, without states that are surely in no attractor: those that can
    /// reach the steps of a variable but cannot be reached from them (after Beneš, Brim,
    /// Pastva and Šafránek 2021).
    fn pruned(&self, mut open: Set) -> Result<Set, Stop> {
        for changes in &self.changes {
            let steps = self.landscape.run(|| open.and(changes))?;
            if !steps.satisfiable() {
                continue;
            }
            let forward = self.forward(steps)?;
            let back = self.back(forward.clone())?;
            let passing = self.landscape.minus(&back, &forward)?;
            open = self.landscape.minus(&open, &passing)?;
        }
        Ok(open)
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
