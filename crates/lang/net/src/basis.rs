//! What a basis of markings has to cover, found for the checker alone: nothing of the search that
//! finds bases is used here.
//!
//! A member stands for all markings that are at least it and within its limits. The members
//! together contain the target, and with each marking all from which one step leads there; they
//! contain no start. So no run from a start ends in the target. It is enough to look at reachable
//! markings: one with a weighted sum above that of every start is none, if no transition makes
//! the sum larger (weights are never negative, so nothing larger is reachable either).

use std::collections::BTreeMap;

use quotient_core::{Budget, Rejection, Stop};

use crate::certify::{Checker, too_large};
use crate::evidence::Basis;
use crate::formula::Linear;
use crate::net::{Net, Transition};

/// The most markings before one step that are looked at.
const MOST_SOURCES: usize = 100_000;

/// Markings between two; a place without a limit has none.
#[derive(Debug, Clone, PartialEq)]
struct Range {
    least: Vec<u64>,
    most: Vec<Option<u64>>,
}

impl Range {
    fn is_empty(&self) -> bool {
        let mut both = self.least.iter().zip(&self.most);
        both.any(|(&least, most)| most.is_some_and(|most| most < least))
    }

    fn lower(&mut self, place: usize, limit: u64) {
        let most = &mut self.most[place];
        *most = Some(most.map_or(limit, |most| most.min(limit)));
    }

    fn contains(&self, other: &Range) -> bool {
        let least = self.least.iter().zip(&other.least);
        let most = self.most.iter().zip(&other.most);
        least.into_iter().all(|(own, other)| own <= other)
            && most.into_iter().all(|(own, other)| match (own, other) {
                (None, _) => true,
                (Some(own), Some(other)) => other <= own,
                (Some(_), None) => false,
            })
    }
}

/// Weights of places with the largest sum that a start has.
struct Sum {
    weights: Vec<u64>,
    most: u128,
}

impl Checker<'_> {
    /// The basis contains the target (as alternatives) and all that is one step before it, but no
    /// start.
    pub(crate) fn is_basis(&self, claimed: &Basis, bad: &[Vec<Linear>]) -> Result<(), Rejection> {
        let sums: Result<Vec<Sum>, Rejection> =
            claimed.weights.iter().map(|one| self.sum(one)).collect();
        let sums = sums?;
        let members = self.members(claimed)?;
        let covered = |range: &Range| {
            members.iter().any(|one| one.contains(range))
                || sums.iter().any(|sum| {
                    let both = sum.weights.iter().zip(&range.least);
                    let products =
                        both.map(|(&weight, &tokens)| u128::from(weight) * u128::from(tokens));
                    products.fold(0, u128::saturating_add) > sum.most
                })
        };
        for alternative in bad {
            let range = range(self.net, alternative)?;
            if !range.is_empty() && !covered(&range) {
                return Err(Rejection::wrong(
                    "the basis leaves out a part of the target",
                ));
            }
        }
        for member in &members {
            let mut places = self.net.places.iter().zip(&member.least).zip(&member.most);
            let meets = places.all(|((place, &least), &most)| {
                let least = least.max(place.least);
                place.most.is_none_or(|limit| least <= limit)
                    && most.is_none_or(|limit| least <= limit)
            });
            if meets {
                return Err(Rejection::wrong("the basis contains a start"));
            }
            for transition in &self.net.transitions {
                self.budget.charge(1 + members.len() as u64 / 64)?;
                let sources = sources(transition, member, self.budget)?;
                if !sources.iter().all(&covered) {
                    let message = format!("`{}` leads into the basis from outside", transition.id);
                    return Err(Rejection::wrong(message));
                }
            }
        }
        Ok(())
    }

    fn members(&self, claimed: &Basis) -> Result<Vec<Range>, Rejection> {
        let limited = !claimed.limits.is_empty();
        if limited && claimed.limits.len() != claimed.basis.len() {
            return Err(Rejection::wrong(
                "each member of the basis needs its limits",
            ));
        }
        let none = BTreeMap::new();
        let mut members = Vec::new();
        for (number, least) in claimed.basis.iter().enumerate() {
            let mut range = Range {
                least: self.marking(least)?,
                most: vec![None; self.net.places.len()],
            };
            for (name, &limit) in claimed.limits.get(number).unwrap_or(&none) {
                range.most[self.place(name)?] = Some(limit);
            }
            members.push(range);
        }
        Ok(members)
    }

    /// Weights that no transition lets grow; places that may hold any number of tokens at the
    /// start have none.
    fn sum(&self, named: &BTreeMap<String, u64>) -> Result<Sum, Rejection> {
        let mut weights = vec![0_u64; self.net.places.len()];
        let mut most = 0_u128;
        for (name, &weight) in named {
            let place = self.place(name)?;
            weights[place] = weight;
            let tokens = self.net.places[place].most;
            let tokens = tokens
                .ok_or_else(|| Rejection::wrong(format!("`{name}` has no limit at the start")))?;
            let product = u128::from(weight) * u128::from(tokens);
            most = most.checked_add(product).ok_or_else(too_large)?;
        }
        for transition in &self.net.transitions {
            self.budget.charge(1)?;
            if growth(transition, &weights)?.is_none_or(|growth| growth > 0) {
                let message = format!("`{}` makes a weighted sum larger", transition.id);
                return Err(Rejection::wrong(message));
            }
        }
        Ok(Sum { weights, most })
    }
}

/// The most by which a transition changes a weighted sum; nothing if there is no such number.
fn growth(transition: &Transition, weights: &[u64]) -> Result<Option<i128>, Rejection> {
    let times = |weight: i128, number: i128| weight.checked_mul(number).ok_or_else(too_large);
    let assigned = |place: usize| transition.assign.iter().any(|one| one.place == place);
    let mut growth = 0_i128;
    for &(place, change) in transition.effect.iter().filter(|one| !assigned(one.0)) {
        let more = times(i128::from(weights[place]), i128::from(change))?;
        growth = growth.checked_add(more).ok_or_else(too_large)?;
    }
    for assign in &transition.assign {
        let more = times(i128::from(weights[assign.place]), i128::from(assign.plus))?;
        growth = growth.checked_add(more).ok_or_else(too_large)?;
    }
    for place in 0..weights.len() {
        // How much each token that is there before changes the sum.
        let mut each = match assigned(place) {
            true => -i128::from(weights[place]),
            false => 0,
        };
        for assign in &transition.assign {
            let there = assign.sum.iter().filter(|&&one| one == place).count();
            each += times(i128::from(weights[assign.place]), there as i128)?;
        }
        if each == 0 {
            continue;
        }
        let guards = transition.guard.iter().filter(|one| one.place == place);
        let least = guards.clone().map(|one| one.least).max().unwrap_or(0);
        let tokens = match each > 0 {
            true => guards.filter_map(|one| one.most).min(),
            false => Some(least),
        };
        let Some(tokens) = tokens else {
            return Ok(None);
        };
        let more = times(each, i128::from(tokens))?;
        growth = growth.checked_add(more).ok_or_else(too_large)?;
    }
    Ok(Some(growth))
}

/// The markings that fulfil the inequalities: each asks for tokens in one place.
fn range(net: &Net, alternative: &[Linear]) -> Result<Range, Rejection> {
    let mut range = Range {
        least: vec![0; net.places.len()],
        most: vec![None; net.places.len()],
    };
    for linear in alternative {
        match linear.terms[..] {
            [(place, 1)] if linear.least > 0 => {
                let demanded = linear.least.unsigned_abs();
                range.least[place] = range.least[place].max(demanded);
            }
            [(_, 1)] => {}
            // `-tokens >= 1` is never so, and asking for no token at all asks for more.
            [(place, -1)] if linear.least <= 0 => {
                range.lower(place, linear.least.unsigned_abs());
            }
            [(place, -1)] => range.lower(place, 0),
            _ => return Err(Rejection::wrong("the target is not upward closed")),
        }
    }
    Ok(range)
}

/// Ranges such that each marking from which the transition leads into `after` is in one of them.
fn sources(
    transition: &Transition,
    after: &Range,
    budget: &Budget,
) -> Result<Vec<Range>, Rejection> {
    let places = after.least.len();
    let mut before = Range {
        least: Vec::with_capacity(places),
        most: Vec::with_capacity(places),
    };
    for place in 0..places {
        let changes = transition.effect.iter().filter(|(own, _)| *own == place);
        let change: i128 = changes.map(|&(_, change)| i128::from(change)).sum();
        let (kept, limit) = match transition.assign.iter().any(|one| one.place == place) {
            true => (0, None),
            false => (
                i128::from(after.least[place]) - change,
                after.most[place].map(|most| i128::from(most) - change),
            ),
        };
        let guards = transition.guard.iter().filter(|one| one.place == place);
        let guard = guards.clone().map(|one| i128::from(one.least)).max();
        let kept = kept.max(guard.unwrap_or(0));
        before
            .least
            .push(u64::try_from(kept).map_err(|_| too_large())?);
        let guard = guards.filter_map(|one| one.most).min().map(i128::from);
        let limit = match (limit, guard) {
            (Some(limit), Some(guard)) => Some(limit.min(guard)),
            (limit, guard) => limit.or(guard),
        };
        match limit {
            Some(limit) if limit < 0 => return Ok(Vec::new()),
            limit => before
                .most
                .push(limit.and_then(|limit| u64::try_from(limit).ok())),
        }
    }
    let mut sources = vec![before.least];
    for assign in &transition.assign {
        let demanded = i128::from(after.least[assign.place]) - i128::from(assign.plus);
        let mut raised = Vec::new();
        for source in sources {
            raise(&source, &assign.sum, 0, demanded, &mut raised, budget)?;
        }
        sources = raised;
    }
    // A sum with a limit: none of its places holds more, nor do all of them together at least.
    for assign in &transition.assign {
        let Some(limit) = after.most[assign.place] else {
            continue;
        };
        let limit = i128::from(limit) - i128::from(assign.plus);
        let Ok(each) = u64::try_from(limit.max(-1)) else {
            return Ok(Vec::new());
        };
        let limited =
            |most: &mut Option<u64>| *most = Some(most.map_or(each, |most| most.min(each)));
        for &place in &assign.sum {
            limited(&mut before.most[place]);
        }
        sources.retain(|least| {
            let total: i128 = assign
                .sum
                .iter()
                .map(|&place| i128::from(least[place]))
                .sum();
            total <= limit
        });
    }
    let most = before.most;
    let ranges = sources.into_iter().map(|least| Range {
        least,
        most: most.clone(),
    });
    Ok(ranges.filter(|range| !range.is_empty()).collect())
}

/// All ways to raise places of a sum, from one on, until it is large enough.
fn raise(
    marking: &[u64],
    sum: &[usize],
    from: usize,
    demanded: i128,
    out: &mut Vec<Vec<u64>>,
    budget: &Budget,
) -> Result<(), Rejection> {
    budget.charge(1)?;
    let total: i128 = sum.iter().map(|&place| i128::from(marking[place])).sum();
    if total >= demanded {
        if out.len() >= MOST_SOURCES {
            let bound = Stop::bound("the markings before a transfer", MOST_SOURCES as u64);
            return Err(bound.into());
        }
        out.push(marking.to_vec());
        return Ok(());
    }
    // With no place left to raise, there is no way to get there.
    let Some(&place) = sum.get(from) else {
        return Ok(());
    };
    let times = sum.iter().filter(|&&other| other == place).count() as i128;
    let missing = demanded - total;
    let most = missing / times + i128::from(missing % times > 0);
    let most = u64::try_from(most).map_err(|_| too_large())?;
    for more in 0..=most {
        let mut raised = marking.to_vec();
        raised[place] = raised[place].checked_add(more).ok_or_else(too_large)?;
        raise(&raised, sum, from + 1, demanded, out, budget)?;
    }
    Ok(())
}
