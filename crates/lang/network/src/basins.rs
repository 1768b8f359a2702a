//! What leads to each attractor: the states that can reach it, and those from which it alone is reached.

use oxidd::BooleanFunction;
use oxidd::util::num::Natural;
use quotient_core::Stop;

use crate::landscape::{Complex, Found, Landscape, MOST_REPLACED, Set, Steady};
use crate::reduce::Reduced;
use crate::walk::{MOST_WORK, Walk};

/// Sets of all steady states that need more nodes are not looked at one by one.
const MOST_STEADY: usize = 50_000;

/// An attractor with what leads to it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Basin {
    /// A state of it.
    pub(crate) state: Vec<bool>,
    /// How many states it has, without the variables that only follow.
    pub(crate) states: Natural,
    /// How many states can reach it; `None` if that is too hard to count.
    pub(crate) reach: Option<Natural>,
    /// From how many states nothing else is reached.
    pub(crate) only: Option<Natural>,
    /// Whether it can be reached from a state to start from, where such are given.
    pub(crate) from_start: Option<bool>,
}

/// The attractors that are listed, as sets of states of the variables that are left.
struct Listed<'a> {
    landscape: &'a Landscape<'a>,
    left: &'a [usize],
    sets: Vec<Set>,
    /// All attractors together, listed or not, where that is known.
    all: Option<Set>,
}

impl Landscape<'_> {
    /// What leads to each of some attractors: the steady states that are listed, then the others that are.
    pub(crate) fn basins_of(&self, steady: &Steady, complex: &Complex) -> Result<Vec<Basin>, Stop> {
        let left = &complex.left;
        let mut sets = Vec::new();
        for state in &steady.some {
            sets.push(self.cube(left, state)?);
        }
        for state in &complex.some {
            sets.push(self.one_of(&complex.found, left, state)?);
        }
        let total = steady.count.clone() + complex.count.clone();
        let all = match total == Natural::from(sets.len() as u32) {
            true => {
                let mut all = sets.iter();
                let none = self.constant(false);
                Some(all.try_fold(none, |all, one| self.run(|| all.or(one)))?)
            }
            false => self.all_attractors(left, &complex.found)?,
        };
        let listed = Listed {
            landscape: self,
            left,
            sets,
            all,
        };
        let states = steady.some.iter().chain(&complex.some);
        listed.basins(states)
    }

    /// The state of some variables as a set.
    fn cube(&self, of: &[usize], state: &[bool]) -> Result<Set, Stop> {
        let mut sorted = of.to_vec();
        sorted.sort_by_key(|&at| std::cmp::Reverse(self.levels[at]));
        let mut cube = self.constant(true);
        for at in sorted {
            let literal = self.literal(at, state[at])?;
            cube = self.run(|| literal.and(&cube))?;
        }
        Ok(cube)
    }

    /// The attractor that a state is in: of each part, one for the values of the inputs.
    fn one_of(&self, found: &Found, left: &[usize], state: &[bool]) -> Result<Set, Stop> {
        let mut inputs = Vec::new();
        for &at in left {
            if self.functions[at] == self.variable(at)? {
                inputs.push(at);
            }
        }
        let colour = self.cube(&inputs, state)?;
        let part = found.parts.iter().find(|part| self.value(part, state));
        let part = part.unwrap_or(&found.larger);
        self.run(|| part.and(&colour))
    }

    /// The states of all attractors; `None` if they are too many to be looked at together.
    fn all_attractors(&self, left: &[usize], found: &Found) -> Result<Option<Set>, Stop> {
        let mut reduced = Reduced::new(self, left)?;
        reduced.reduce(MOST_REPLACED)?;
        let steady = reduced.steady()?;
        match reduced.lifted_if_easy(steady, MOST_STEADY)? {
            Some(steady) => self.run(|| steady.or(&found.larger)).map(Some),
            None => Ok(None),
        }
    }
}

impl Listed<'_> {
    fn basins<'s>(&self, states: impl Iterator<Item = &'s Vec<bool>>) -> Result<Vec<Basin>, Stop> {
        let landscape = self.landscape;
        let everywhere = landscape.constant(true);
        let walk = Walk::new(landscape, &landscape.functions, self.left, everywhere)?;
        // All of them together may cost so much; what is too hard, or has no time left, is not told.
        let mut work = MOST_WORK;
        let mut reach: Vec<Option<Set>> = Vec::new();
        for set in &self.sets {
            reach.push(walk.back_within(set.clone(), &mut work).unwrap_or(None));
        }
        let start = landscape.start()?;
        let meaningful = landscape.meaningful()?;
        let mut basins = Vec::new();
        for (number, state) in states.enumerate() {
            let others = self.reach_others(&walk, &reach, number, &mut work);
            let only = others.and_then(|others| landscape.minus(&meaningful, &others).ok());
            let from_start = match (&start, &reach[number]) {
                (Some(start), Some(reach)) => {
                    Some(landscape.run(|| start.and(reach))?.satisfiable())
                }
                _ => None,
            };
            let here = match &reach[number] {
                Some(set) => Some(landscape.run(|| set.and(&meaningful))?),
                None => None,
            };
            let all = landscape.network.names.len();
            let count = |set: Option<Set>| set.map(|set| landscape.count(&set, all));
            basins.push(Basin {
                state: state.clone(),
                states: landscape.count(&self.sets[number], self.left.len()),
                reach: count(here),
                only: count(only),
                from_start,
            });
        }
        Ok(basins)
    }

    /// The states that can reach another attractor than one that is listed.
    fn reach_others(
        &self,
        walk: &Walk<'_>,
        reach: &[Option<Set>],
        number: usize,
        work: &mut usize,
    ) -> Option<Set> {
        let landscape = self.landscape;
        let all = self.all.as_ref()?;
        let others = landscape.minus(all, &self.sets[number]).ok()?;
        // Those that are listed are known.
        let mut found = landscape.constant(false);
        let mut open = others;
        for (other, reached) in reach.iter().enumerate().filter(|(at, _)| *at != number) {
            let Some(reached) = reached else { continue };
            found = landscape.run(|| found.or(reached)).ok()?;
            open = landscape.minus(&open, &self.sets[other]).ok()?;
        }
        if !open.satisfiable() {
            return Some(found);
        }
        let more = walk.back_within(open, work).ok()??;
        landscape.run(|| found.or(&more)).ok()
    }
}

#[cfg(test)]
mod tests;
