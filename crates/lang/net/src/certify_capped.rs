//! Evidence that counts places up to caps: keys that contain what the start has, and everything that
//! a transition makes of any marking behind a key.
//!
//! A key has a number for each place that is looked at: the least of the numbers that are not told apart from that of its
//! tokens. Of other places nothing is known. What a transition may
//! make of a key is found with intervals; intervals are never too small.

use std::collections::{BTreeMap, HashSet};

use quotient_core::Rejection;

use crate::certify::Checker;
use crate::evidence::Capped;
use crate::formula::{Formula, Linear};
use crate::levels::Level;
use crate::net::{Assign, Guard, Net, Transition};

/// Numbers of tokens from `least` to `most`, or all that are not less.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Between {
    pub(crate) least: u64,
    pub(crate) most: Option<u64>,
}

impl Between {
    /// Any number.
    pub(crate) const ANY: Between = Between {
        least: 0,
        most: None,
    };

    /// Those that a guard allows, if there are any.
    pub(crate) fn within(self, guard: &Guard) -> Option<Between> {
        let least = self.least.max(guard.least);
        let most = match (self.most, guard.most) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
        most.is_none_or(|most| least <= most)
            .then_some(Between { least, most })
    }

    /// All of them with this added; nothing if all would be negative.
    pub(crate) fn moved(self, change: i64) -> Option<Between> {
        let by = change.unsigned_abs();
        let most = match (self.most, change < 0) {
            (None, _) => None,
            (Some(most), true) => Some(most.checked_sub(by)?),
            // Too large for a number: as if there were no limit.
            (Some(most), false) => most.checked_add(by),
        };
        let least = match change < 0 {
            true => self.least.saturating_sub(by),
            false => self.least.saturating_add(by),
        };
        Some(Between { least, most })
    }

    /// All sums.
    pub(crate) fn plus(self, other: Between) -> Between {
        let both = self.most.zip(other.most);
        Between {
            least: self.least.saturating_add(other.least),
            most: both.and_then(|(one, other)| one.checked_add(other)),
        }
    }
}

/// What a transition may make of places that it changes; nothing if it cannot fire.
pub(crate) fn fired(
    one: &Transition,
    at: &impl Fn(usize) -> Between,
) -> Option<BTreeMap<usize, Between>> {
    let mut needed: BTreeMap<usize, Between> = BTreeMap::new();
    for guard in &one.guard {
        let range = needed.get(&guard.place).copied();
        let range = range.unwrap_or_else(|| at(guard.place)).within(guard)?;
        needed.insert(guard.place, range);
    }
    let before = |place: usize| needed.get(&place).copied().unwrap_or_else(|| at(place));
    let mut after: BTreeMap<usize, Between> = BTreeMap::new();
    for &(place, change) in &one.effect {
        let range = after.get(&place).copied();
        let range = range.unwrap_or_else(|| before(place)).moved(change)?;
        after.insert(place, range);
    }
    for assign in &one.assign {
        after.insert(assign.place, total(assign, &before).moved(assign.plus)?);
    }
    Some(after)
}

fn total(assign: &Assign, before: &impl Fn(usize) -> Between) -> Between {
    let zero = Between {
        least: 0,
        most: Some(0),
    };
    let parts = assign.sum.iter().map(|&place| before(place));
    parts.fold(zero, Between::plus)
}

/// Whether a formula may have a value where places hold these numbers of tokens.
pub(crate) fn may(
    formula: &Formula,
    value: bool,
    net: &Net,
    at: &impl Fn(usize) -> Between,
) -> bool {
    let part = |one: &Formula| may(one, value, net, at);
    match (formula, value) {
        (Formula::Truth(truth), _) => *truth == value,
        (Formula::Not(inner), _) => may(inner, !value, net, at),
        (Formula::All(parts), true) | (Formula::Any(parts), false) => parts.iter().all(part),
        (Formula::All(parts), false) | (Formula::Any(parts), true) => parts.iter().any(part),
        (Formula::AtLeast(linear), true) => {
            greatest(linear, 1, at).is_none_or(|most| most >= i128::from(linear.least))
        }
        // The sum is less: its negation is more than the negated number.
        (Formula::AtLeast(linear), false) => {
            greatest(linear, -1, at).is_none_or(|most| most > -i128::from(linear.least))
        }
        (Formula::Fireable(one), true) => fired(&net.transitions[*one], at).is_some(),
        (Formula::Fireable(one), false) => may_fail(&net.transitions[*one], at),
        (Formula::Dead, true) => net.transitions.iter().all(|one| may_fail(one, at)),
        (Formula::Dead, false) => net.transitions.iter().any(|one| fired(one, at).is_some()),
    }
}

/// The greatest value of a sum (or of its negation, by the sign); nothing if it has no limit.
fn greatest(linear: &Linear, sign: i128, at: &impl Fn(usize) -> Between) -> Option<i128> {
    let mut sum = 0_i128;
    for &(place, factor) in &linear.terms {
        let (range, factor) = (at(place), sign * i128::from(factor));
        let tokens = match factor > 0 {
            true => range.most?,
            false => range.least,
        };
        sum = sum.checked_add(factor.checked_mul(i128::from(tokens))?)?;
    }
    Some(sum)
}

/// Whether a transition may be unable to fire.
fn may_fail(one: &Transition, at: &impl Fn(usize) -> Between) -> bool {
    let fails = |guard: &Guard| {
        let range = at(guard.place);
        let above = |most: u64| range.most.is_none_or(|largest| largest > most);
        range.least < guard.least || guard.most.is_some_and(above)
    };
    // A transfer of too few tokens.
    let lacks = |assign: &Assign| {
        let least = i128::from(total(assign, at).least) + i128::from(assign.plus);
        least < 0
    };
    one.guard.iter().any(fails) || one.assign.iter().any(lacks)
}

impl Checker<'_> {
    /// The keys contain the start and what any transition makes of any marking behind them; none
    /// may give the formula the value.
    pub(crate) fn never_counted(
        &self,
        all: &Capped,
        formula: &Formula,
        value: bool,
    ) -> Result<String, Rejection> {
        let mut slots = vec![None; self.net.places.len()];
        let mut counted: Vec<(usize, &Level)> = Vec::new();
        for (name, level) in &all.caps {
            let place = self.place(name)?;
            if !level.is_sound() {
                let message = format!("the numbers told apart for `{name}` do not grow");
                return Err(Rejection::wrong(message));
            }
            slots[place] = Some(counted.len());
            counted.push((place, level));
        }
        let set: HashSet<&[u64]> = all.keys.iter().map(Vec::as_slice).collect();
        let start = self.net.start();
        let start = start.ok_or_else(|| Rejection::wrong("the net has many starts"))?;
        let first = counted
            .iter()
            .map(|&(place, level)| level.key(start[place]));
        if !set.contains(first.collect::<Vec<u64>>().as_slice()) {
            return Err(Rejection::wrong("the start is not among the keys"));
        }
        // What one key costs: the formula, every transition, and a number for each place with a cap after it.
        let transitions = self.net.transitions.iter();
        let each = transitions.map(|one| one.work() + counted.len() as u64);
        let work = each.sum::<u64>() + formula.work(self.net);
        for key in &all.keys {
            self.budget.charge(work)?;
            if key.len() != counted.len() {
                let message = "a key has not one number for each place with a cap";
                return Err(Rejection::wrong(message));
            }
            if key
                .iter()
                .zip(&counted)
                .any(|(&key, (_, level))| !level.has(key))
            {
                let message = "a key has a number that is not told apart";
                return Err(Rejection::wrong(message));
            }
            let at = |place: usize| match slots[place] {
                Some(slot) => counted[slot].1.between(key[slot]),
                None => Between::ANY,
            };
            if may(formula, value, self.net, &at) {
                return Err(Rejection::wrong("one of the keys may fulfil it"));
            }
            for one in &self.net.transitions {
                let Some(after) = fired(one, &at) else {
                    continue;
                };
                let numbers = counted.iter().zip(key).map(|(&(place, level), &old)| {
                    let range = after.get(&place);
                    range.map_or((old, old), |range| level.keys(*range))
                });
                let numbers: Vec<(u64, u64)> = numbers.collect();
                if !self.has_all(&set, &counted, &numbers)? {
                    let message = format!("`{}` leads out of the keys", one.id);
                    return Err(Rejection::wrong(message));
                }
            }
        }
        let (keys, places) = (all.keys.len(), counted.len());
        Ok(format!(
            "{keys} keys, by {places} places whose numbers are told apart, are closed under firing, and none may fulfil it"
        ))
    }

    /// Whether a set has every key whose numbers are among these, from the least to the greatest.
    fn has_all(
        &self,
        set: &HashSet<&[u64]>,
        counted: &[(usize, &Level)],
        numbers: &[(u64, u64)],
    ) -> Result<bool, Rejection> {
        let mut key: Vec<u64> = numbers.iter().map(|range| range.0).collect();
        loop {
            self.budget.charge(1 + key.len() as u64)?;
            if !set.contains(key.as_slice()) {
                return Ok(false);
            }
            // The next one, as a counter counts: places at their greatest begin again.
            let Some(at) = (0..key.len()).find(|&at| key[at] < numbers[at].1) else {
                return Ok(true);
            };
            // The greatest is a key as well, and no smaller than what comes next.
            key[at] = counted[at].1.next(key[at]).unwrap_or(numbers[at].1);
            for (number, range) in key.iter_mut().zip(numbers).take(at) {
                *number = range.0;
            }
        }
    }
}
