//! What happens if all variables change at once: every state leads to one cycle.

use quotient_core::Stop;

use crate::landscape::Landscape;
use crate::network::Network;

/// With more variables than this, not every state is followed.
const MOST_FOLLOWED: usize = 18;
/// States of a cycle that are listed.
pub(crate) const MOST_STATES: usize = 64;

/// States that stay as they are that are kept.
const MOST_STEADY: usize = 1_000;

/// A cycle, or a state that stays as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cycle {
    /// How many states it has.
    pub(crate) length: usize,
    /// How many states lead to it, with its own.
    pub(crate) basin: u128,
    /// Its states one after the other, or the first of them.
    pub(crate) states: Vec<Vec<bool>>,
}

/// All cycles.
pub(crate) struct Cycles {
    /// How many there are of more than one state.
    pub(crate) count: u64,
    /// Some that have only one state.
    pub(crate) steady: Vec<Cycle>,
    /// Some that have more.
    pub(crate) longer: Vec<Cycle>,
}

impl Landscape<'_> {
    /// The cycles if all variables change at once, up to so many of each kind; `None` if there are too many states to follow
    /// each one.
    pub(crate) fn cycles(&self, most: usize) -> Result<Option<Cycles>, Stop> {
        let left = self.influential()?;
        let network = self.network;
        if left.len() > MOST_FOLLOWED || network.names.len() > 64 {
            return Ok(None);
        }
        let next = |state: usize| -> usize {
            let whole = whole(&left, state);
            let bits = left.iter().enumerate();
            bits.map(|(bit, &at)| usize::from(network.updates[at].value(whole)) << bit)
                .sum()
        };
        let weights = Weights::new(network, &left);
        // The cycle that each state leads to, from 1; first whether it is being followed.
        let mut ends = vec![0u32; 1 << left.len()];
        let mut found: Vec<(usize, u128)> = Vec::new();
        let mut path = Vec::new();
        for start in 0..ends.len() {
            if start % 4096 == 0 {
                self.poll()?;
            }
            if ends[start] != 0 || weights.of(start) == 0 {
                continue;
            }
            let mut at = start;
            while ends[at] == 0 {
                ends[at] = u32::MAX;
                path.push(at);
                at = next(at);
            }
            if ends[at] == u32::MAX {
                found.push((at, 0));
                ends[at] = found.len() as u32;
            }
            let end = ends[at];
            for state in path.drain(..) {
                ends[state] = end;
                found[end as usize - 1].1 += weights.of(state);
            }
        }
        let mut cycles = Cycles {
            count: 0,
            steady: Vec::new(),
            longer: Vec::new(),
        };
        for (head, basin) in found {
            let is_steady = next(head) == head;
            cycles.count += u64::from(!is_steady);
            // Steady states are looked up by those that are listed elsewhere in another order.
            let (kept, most) = match is_steady {
                true => (&mut cycles.steady, most.max(MOST_STEADY)),
                false => (&mut cycles.longer, most),
            };
            if kept.len() < most {
                let mut length = 1;
                let mut at = next(head);
                while at != head {
                    at = next(at);
                    length += 1;
                }
                kept.push(Cycle {
                    length,
                    basin,
                    states: states(network, whole(&left, head), length),
                });
            }
        }
        Ok(Some(cycles))
    }
}

/// A state of some variables as one of all, the others being 0.
fn whole(left: &[usize], state: usize) -> u64 {
    let bits = left.iter().enumerate();
    bits.map(|(bit, &at)| (state as u64 >> bit & 1) << at).sum()
}

/// The first states of a cycle of all variables, from a state of it in which those that only follow may be wrong.
fn states(network: &Network, mut state: u64, length: usize) -> Vec<Vec<bool>> {
    let all = |state: u64| -> u64 {
        let updates = network.updates.iter().enumerate();
        updates
            .map(|(at, one)| u64::from(one.value(state)) << at)
            .sum()
    };
    // What only follows is right once those have changed that it follows, one after the other.
    for _ in 0..network.names.len() {
        state = all(state);
    }
    let mut found = Vec::new();
    for _ in 0..length.min(MOST_STATES) {
        found.push(
            (0..network.names.len())
                .map(|at| state >> at & 1 == 1)
                .collect(),
        );
        state = all(state);
    }
    found
}

/// How many states of all variables there are for one of some variables.
struct Weights {
    /// For the variables with only two levels that are not looked at.
    factor: u128,
    /// For the others: for each level whether bits must be 1 or must be 0.
    units: Vec<Vec<(usize, usize)>>,
}

impl Weights {
    fn new(network: &Network, left: &[usize]) -> Weights {
        let fixed = network.fixed.iter().copied().collect();
        let mut weights = Weights {
            factor: 1,
            units: Vec::new(),
        };
        for unit in network.units() {
            let levels = unit.levels_with(&fixed);
            let masks = levels.iter().map(|&level| {
                let (mut ones, mut zeros) = (0, 0);
                for (at, value) in unit.pins(level) {
                    let bit = left.iter().position(|&other| other == at);
                    let mask = bit.map_or(0, |bit| 1 << bit);
                    match value {
                        true => ones |= mask,
                        false => zeros |= mask,
                    }
                }
                (ones, zeros)
            });
            let masks: Vec<(usize, usize)> = masks.collect();
            match masks.iter().all(|mask| *mask == (0, 0)) {
                true => weights.factor *= masks.len() as u128,
                // One that may have both values says nothing.
                false if unit.variables.len() == 1 && masks.len() == 2 => {}
                false => weights.units.push(masks),
            }
        }
        weights
    }

    fn of(&self, state: usize) -> u128 {
        let fits = |&&(ones, zeros): &&(usize, usize)| state & ones == ones && state & zeros == 0;
        let units = self.units.iter();
        let each = units.map(|masks| masks.iter().filter(fits).count() as u128);
        each.product::<u128>() * self.factor
    }
}
