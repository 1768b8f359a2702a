//! Equations `x = best over choices of (constant + Σ weight · x)` with bounds that are sound.
//!
//! Guess, then prove. A fast iteration in plain doubles finds a vector that is nearly a solution.
//! What is reported is another vector, moved away from it by a multiple of `h`, the expected
//! number of steps, and checked: an upper bound `u` is one if no choice can exceed it
//! (`constant + Σ weight · u ≤ u`), a lower bound if some choice reaches it. The check rounds
//! outwards, so whatever the guess is worth, the bounds hold; a bad guess only makes them wide.
//!
//! The equations are taken component by component, in the order in which they depend on each
//! other (Dai, Weng, Goldsmith 2011: topological value iteration); the check is that of
//! optimistic value iteration (Hartmanns, Kaminski 2020). Callers see to it that no choices stay
//! among the unknowns for ever without earning (end components are collapsed), so that there is
//! exactly one solution.

mod pace;
mod proof;

use quotient_core::{Budget, Stop};

use self::pace::Pace;
use crate::direct;
use crate::graph::components;
use crate::krylov;

/// Half the distance between 1 and the next double, and a little more.
const ROUNDING: f64 = 1.2e-16;

/// How precise numbers should be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Precision {
    /// Upper and lower bounds should differ by no more than this, relative to the numbers.
    pub width: f64,
}

impl Default for Precision {
    fn default() -> Precision {
        Precision { width: 1e-7 }
    }
}

/// Equations with several choices for each unknown.
#[derive(Debug, Default)]
pub(crate) struct System {
    /// The first choice of each unknown, and the number of choices at the end.
    pub(crate) rows: Vec<u32>,
    /// The first term of each choice, and the number of terms at the end.
    pub(crate) columns: Vec<u32>,
    pub(crate) targets: Vec<u32>,
    pub(crate) weights: Vec<f64>,
    /// The constant of each choice, from below and above.
    pub(crate) low: Vec<f64>,
    pub(crate) high: Vec<f64>,
    /// No weight is off by more than this share of itself.
    pub(crate) error: f64,
    /// No unknown is greater than this.
    pub(crate) most: f64,
}

impl System {
    pub(crate) fn new(error: f64, most: f64) -> System {
        System {
            rows: vec![0],
            columns: vec![0],
            error,
            most,
            ..System::default()
        }
    }

    pub(crate) fn unknowns(&self) -> usize {
        self.rows.len() - 1
    }

    fn choices_of(&self, unknown: usize) -> std::ops::Range<usize> {
        self.rows[unknown] as usize..self.rows[unknown + 1] as usize
    }

    fn terms_of(&self, choice: usize) -> std::ops::Range<usize> {
        self.columns[choice] as usize..self.columns[choice + 1] as usize
    }

    /// Bounds for an unknown that depends on nothing but itself and what is known.
    fn settle(&self, unknown: usize, least: bool, solution: &mut Solution) {
        let choices = self.choices_of(unknown);
        let (mut low, mut high) = ((0.0, choices.start), (0.0, choices.start));
        for choice in choices.clone() {
            let alone = self.alone(unknown, choice, solution);
            let better = |value: f64, best: f64| (value < best) == least && value != best;
            if choice == choices.start || better(alone.low, low.0) {
                low = (alone.low, choice);
            }
            if choice == choices.start || better(alone.high, high.0) {
                high = (alone.high, choice);
            }
        }
        solution.lower[unknown] = low.0.max(0.0);
        solution.upper[unknown] = high.0.min(self.most);
        solution.chosen[unknown] = if least { high.1 } else { low.1 } as u32;
    }

    /// What a choice gives where all but the unknown itself is known, rounded outwards.
    fn alone(&self, unknown: usize, choice: usize, known: &Solution) -> Alone {
        let (mut low, mut high) = (self.low[choice], self.high[choice]);
        let mut stay = 0.0;
        let terms = self.terms_of(choice);
        let length = terms.len() as f64;
        for term in terms {
            let (target, weight) = (self.targets[term] as usize, self.weights[term]);
            if target == unknown {
                stay += weight;
            } else {
                low += weight * known.lower[target];
                high += weight * known.upper[target];
            }
        }
        Alone { low, high }.left(stay, length, self.error).0
    }
}

/// A constant from below and above.
struct Alone {
    low: f64,
    high: f64,
}

impl Alone {
    /// The same with a loop divided out, rounded outwards; what it was divided by, none if nothing
    /// sound can be divided; by how much of itself a sum may be off.
    fn left(self, stay: f64, length: f64, error: f64) -> (Alone, Option<f64>, f64) {
        let Alone { mut low, mut high } = self;
        let mut slack = 2.0 * (length + 4.0) * ROUNDING + 1.01 * error;
        let rest = 1.0 - stay;
        if stay > 0.0 && rest <= 1e-13 {
            // A loop that is hardly ever left.
            low = 0.0;
            high = f64::INFINITY;
        } else if stay > 0.0 {
            low /= rest;
            high /= rest;
            let off = error * stay + length * ROUNDING;
            slack += 1.01 * (off / rest) + 4.0 * ROUNDING;
        }
        low *= 1.0 - slack;
        high *= 1.0 + slack;
        let divided = (rest > 1e-13).then_some(rest);
        (Alone { low, high }, divided, slack)
    }
}

/// Bounds for the unknowns, and for each a choice (by number) that attains them.
#[derive(Debug)]
pub(crate) struct Solution {
    pub(crate) lower: Vec<f64>,
    pub(crate) upper: Vec<f64>,
    pub(crate) chosen: Vec<u32>,
    /// Whether it was given up, so that nothing is known about some.
    pub(crate) slow: bool,
}

/// Whether equations are to be solved whatever that takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Patience {
    /// Given up where few sweeps do not settle many unknowns.
    Little,
    Endless,
}

/// Solves the equations; `least` takes the least over choices, else the greatest.
pub(crate) fn solve(
    system: &System,
    least: bool,
    precision: Precision,
    budget: &Budget,
) -> Result<Solution, Stop> {
    solve_patiently(system, least, precision, Patience::Endless, budget)
}

/// The same, unless that is slow.
pub(crate) fn solve_patiently(
    system: &System,
    least: bool,
    precision: Precision,
    patience: Patience,
    budget: &Budget,
) -> Result<Solution, Stop> {
    let unknowns = system.unknowns();
    let mut solution = Solution {
        lower: vec![0.0; unknowns],
        upper: vec![0.0; unknowns],
        chosen: vec![0; unknowns],
        slow: false,
    };
    let parts = components(unknowns, |unknown, edge| {
        let choices = system.choices_of(unknown);
        let first = system.columns[choices.start] as usize;
        let last = system.columns[choices.end] as usize;
        (edge < last - first).then(|| system.targets[first + edge] as usize)
    });
    let mut place = vec![u32::MAX; unknowns];
    // How many unknowns so far few sweeps did not settle.
    let mut waiting = 0;
    for part in 0..parts.len() {
        let members = parts.members(part);
        budget.charge(members.len() as u64)?;
        if let &[member] = members {
            system.settle(member as usize, least, &mut solution);
            continue;
        }
        let local = Local::new(system, members, least, &mut place, &solution);
        let mut x = vec![0.0; local.len()];
        if patience == Patience::Little && local.len() > TINY {
            let settled = local.iterate(&local.low, &mut x, 1e-9, QUICK, budget)?;
            waiting += if settled { 0 } else { local.len() };
            solution.slow = waiting > SMALL;
            if solution.slow {
                break;
            }
        }
        local.solve(members, x, &mut solution, precision, system.most, budget)?;
        for &member in members {
            place[member as usize] = u32::MAX;
        }
    }
    Ok(solution)
}

/// The equations of one component: what lies outside is known, and loops are divided out.
pub(crate) struct Local {
    pub(crate) rows: Vec<u32>,
    pub(crate) columns: Vec<u32>,
    pub(crate) targets: Vec<u32>,
    pub(crate) weights: Vec<f64>,
    /// Constants for lower and for upper bounds.
    pub(crate) low: Vec<f64>,
    pub(crate) high: Vec<f64>,
    /// The choice of the system.
    origin: Vec<u32>,
    /// By how much of itself a sum may be off, whatever the reason.
    slack: f64,
    pub(crate) least: bool,
}

/// So many sweeps are made before something else is tried.
const SWEEPS: u64 = 400;

/// So many sweeps settle what is quick.
const QUICK: u64 = 100;

/// Components with no more unknowns are eliminated at once where sweeps are slow.
const SMALL: usize = 3000;

/// In components with no more unknowns nothing is slow.
const TINY: usize = 200;

/// Components with more terms are too large to be copied.
const MOST_COPIED: usize = 15_000_000;

/// What helps where sweeps are slow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ways {
    /// Steps in well-chosen directions, as long as these make a guess better.
    Steps,
    /// Elimination, once.
    Elimination,
    /// Nothing but sweeps.
    Sweeps,
}

impl Ways {
    fn new(local: &Local) -> Ways {
        match local.len() <= SMALL {
            true => Ways::Elimination,
            false if local.targets.len() > MOST_COPIED => Ways::Sweeps,
            false => Ways::Steps,
        }
    }

    /// Improves a guess; what helps from now on.
    fn jump(
        self,
        local: &Local,
        constants: &[f64],
        x: &mut [f64],
        budget: &Budget,
    ) -> Result<Ways, Stop> {
        if self == Ways::Steps && krylov::solve(local, constants, x, budget)? {
            return Ok(Ways::Steps);
        }
        if self != Ways::Sweeps && local.len() <= direct::LARGEST {
            direct::solve(local, constants, x, budget)?;
        }
        Ok(Ways::Sweeps)
    }
}

/// Which bound is meant.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Low,
    High,
}

impl Local {
    fn new(
        system: &System,
        members: &[u32],
        least: bool,
        place: &mut [u32],
        known: &Solution,
    ) -> Local {
        for (number, &member) in members.iter().enumerate() {
            place[member as usize] = number as u32;
        }
        let mut local = Local {
            rows: vec![0],
            columns: vec![0],
            targets: Vec::new(),
            weights: Vec::new(),
            low: Vec::new(),
            high: Vec::new(),
            origin: Vec::new(),
            slack: 0.0,
            least,
        };
        for (number, &member) in members.iter().enumerate() {
            for choice in system.choices_of(member as usize) {
                let (mut low, mut high) = (system.low[choice], system.high[choice]);
                let mut stay = 0.0;
                let terms = system.terms_of(choice);
                let length = terms.len() as f64;
                let begin = local.targets.len();
                for term in terms {
                    let (target, weight) = (system.targets[term] as usize, system.weights[term]);
                    match place[target] {
                        u32::MAX => {
                            low += weight * known.lower[target];
                            high += weight * known.upper[target];
                        }
                        at if at as usize == number => stay += weight,
                        at => {
                            local.targets.push(at);
                            local.weights.push(weight);
                        }
                    }
                }
                let (alone, rest, slack) = Alone { low, high }.left(stay, length, system.error);
                match rest {
                    None => {
                        local.targets.truncate(begin);
                        local.weights.truncate(begin);
                    }
                    Some(rest) if stay > 0.0 => {
                        let weights = local.weights[begin..].iter_mut();
                        weights.for_each(|weight| *weight /= rest);
                    }
                    Some(_) => {}
                }
                local.slack = local.slack.max(slack);
                local.low.push(alone.low);
                local.high.push(alone.high);
                local.origin.push(choice as u32);
                local.columns.push(local.targets.len() as u32);
            }
            local.rows.push(local.origin.len() as u32);
        }
        local
    }

    /// Equations with one choice for each unknown.
    #[cfg(test)]
    pub(crate) fn for_tests(equations: Vec<(f64, Vec<(u32, f64)>)>) -> Local {
        let mut local = Local {
            rows: vec![0],
            columns: vec![0],
            targets: Vec::new(),
            weights: Vec::new(),
            low: Vec::new(),
            high: Vec::new(),
            origin: Vec::new(),
            slack: 0.0,
            least: false,
        };
        for (number, (constant, terms)) in equations.into_iter().enumerate() {
            for (to, weight) in terms {
                local.targets.push(to);
                local.weights.push(weight);
            }
            local.low.push(constant);
            local.high.push(constant);
            local.origin.push(number as u32);
            local.columns.push(local.targets.len() as u32);
            local.rows.push(number as u32 + 1);
        }
        local
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.len() - 1
    }

    pub(crate) fn choices_of(&self, unknown: usize) -> std::ops::Range<usize> {
        self.rows[unknown] as usize..self.rows[unknown + 1] as usize
    }

    pub(crate) fn constants(&self, side: Side) -> &[f64] {
        match side {
            Side::Low => &self.low,
            Side::High => &self.high,
        }
    }

    /// What a choice gives.
    #[inline]
    pub(crate) fn value(&self, choice: usize, constants: &[f64], x: &[f64]) -> f64 {
        let range = self.columns[choice] as usize..self.columns[choice + 1] as usize;
        let terms = self.targets[range.clone()].iter().zip(&self.weights[range]);
        terms.fold(constants[choice], |sum, (&target, &weight)| {
            sum + weight * x[target as usize]
        })
    }

    /// The best value of an unknown and the choice that gives it.
    #[inline]
    pub(crate) fn best(&self, unknown: usize, constants: &[f64], x: &[f64]) -> (f64, usize) {
        let choices = self.choices_of(unknown);
        let mut best = (self.value(choices.start, constants, x), choices.start);
        for choice in choices.skip(1) {
            let value = self.value(choice, constants, x);
            if (value < best.0) == self.least && value != best.0 {
                best = (value, choice);
            }
        }
        best
    }

    /// Bounds for all unknowns of the component; `x` is a first guess.
    fn solve(
        &self,
        members: &[u32],
        mut x: Vec<f64>,
        solution: &mut Solution,
        precision: Precision,
        most: f64,
        budget: &Budget,
    ) -> Result<(), Stop> {
        let mut steps = None;
        for side in [Side::Low, Side::High] {
            let bound = self.bound(side, &mut x, &mut steps, precision, most, budget)?;
            let decides = (side == Side::High) == self.least;
            for (unknown, &member) in members.iter().enumerate() {
                let member = member as usize;
                match side {
                    Side::Low => solution.lower[member] = bound[unknown],
                    Side::High => solution.upper[member] = bound[unknown],
                }
                if decides {
                    let best = self.best(unknown, self.constants(side), &bound).1;
                    solution.chosen[member] = self.origin[best];
                }
            }
        }
        Ok(())
    }

    /// A bound that was proved. `x` begins with a guess and ends with a better one.
    fn bound(
        &self,
        side: Side,
        x: &mut [f64],
        steps: &mut Option<Vec<f64>>,
        precision: Precision,
        most: f64,
        budget: &Budget,
    ) -> Result<Vec<f64>, Stop> {
        let constants = self.constants(side);
        let mut tolerance: f64 = 1e-9;
        let mut best: Option<(f64, Vec<f64>)> = None;
        let mut ways = Ways::new(self);
        loop {
            let patience = match ways {
                Ways::Sweeps => u64::MAX,
                _ => SWEEPS,
            };
            let settled = self.iterate(constants, x, tolerance, patience, budget)?;
            if !settled {
                ways = ways.jump(self, constants, x, budget)?;
            }
            if steps.is_none() {
                *steps = self.steps(constants, x, budget)?;
            }
            let top = x.iter().copied().fold(0.0, f64::max);
            if let Some(steps) = steps {
                let found = self.proved(side, x, steps, most);
                if let Some((width, bound)) = found {
                    let enough = width <= precision.width * 0.1 * top;
                    if best.as_ref().is_none_or(|(before, _)| width < *before) {
                        best = Some((width, bound));
                    }
                    if enough {
                        break;
                    }
                }
            }
            tolerance *= 1e-3;
            if tolerance < 1e-16 {
                if ways != Ways::Steps {
                    break;
                }
                // What is near on the whole may be far off where numbers are small.
                ways = Ways::Elimination;
                tolerance = 1e-12;
            }
        }
        let trivial = match side {
            Side::Low => 0.0,
            Side::High => most,
        };
        Ok(best.map_or_else(|| vec![trivial; self.len()], |(_, bound)| bound))
    }

    /// Improves a guess by sweeps until it hardly changes. Gives up (false) after so many of them, or as
    /// soon as they seem to take far more: something else is cheaper then.
    fn iterate(
        &self,
        constants: &[f64],
        x: &mut [f64],
        tolerance: f64,
        patience: u64,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        let mut pace = Pace::new(tolerance, patience);
        loop {
            budget.charge(self.targets.len() as u64 / 64 + 1)?;
            let mut change: f64 = 0.0;
            for unknown in 0..self.len() {
                let (value, _) = self.best(unknown, constants, x);
                let old = x[unknown];
                if value != old {
                    change = change.max((value - old).abs() / value.abs().max(1e-280));
                    x[unknown] = value;
                }
            }
            if change <= tolerance || change.is_nan() {
                return Ok(true);
            }
            if pace.is_slow(change) {
                return Ok(false);
            }
        }
    }
}
