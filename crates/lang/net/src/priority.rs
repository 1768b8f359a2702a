//! Priorities of transitions, as TINA writes them: with `pr a > b`, `b` cannot fire where `a` can.
//!
//! A transition that others go before is taken apart, into one for each way in which none of them can fire: limits of
//! places. The ways exclude each other, so that where it can fire, one part of it can, and elsewhere none. Everything
//! else then sees a net with limits and without priorities.

use std::collections::{BTreeMap, BTreeSet};

use crate::net::{Guard, Net, Split, Transition};

/// The most parts of a transition.
const MOST_PARTS: usize = 1_000;
/// The most parts of all transitions together; no less than [`MOST_PAIRS`], as each that waits has one.
const MOST_PARTS_IN_ALL: usize = 200_000;
/// The most pairs of transitions, one before the other.
pub(crate) const MOST_PAIRS: usize = 200_000;

/// Why priorities cannot be read, and of which transition that is told.
#[derive(Debug, PartialEq)]
pub(crate) enum Wrong {
    /// It goes before itself.
    Circle(usize),
    /// There are too many ways in which others cannot fire.
    Parts(usize),
    /// More pairs than are looked at, or more parts of all transitions together.
    Pairs,
}

/// The least and the most tokens of places; those that are not named may have any number.
type Limits = BTreeMap<usize, (u64, Option<u64>)>;

/// The net with transitions taken apart where others go before them: pairs of the one that goes before and the one
/// that waits.
pub(crate) fn apply(net: Net, pairs: &[(usize, usize)]) -> Result<Net, Wrong> {
    let before = all_before(net.transitions.len(), pairs)?;
    let mut taken: BTreeSet<String> = net.transitions.iter().map(|one| one.id.clone()).collect();
    taken.extend(net.places.iter().map(|one| one.id.clone()));
    let mut all = Net {
        places: net.places,
        ..Net::default()
    };
    let mut number_of_parts = 0;
    for (number, one) in net.transitions.iter().enumerate() {
        if before[number].is_empty() {
            all.transitions.push(one.clone());
            continue;
        }
        let before = before[number].iter().map(|&at| &net.transitions[at]);
        let ways = ways(one, before).ok_or(Wrong::Parts(number))?;
        number_of_parts += ways.len();
        if number_of_parts > MOST_PARTS_IN_ALL {
            return Err(Wrong::Pairs);
        }
        let parts = all.transitions.len()..all.transitions.len() + ways.len();
        for (at, limits) in ways.iter().enumerate() {
            let id = match ways.len() {
                1 => one.id.clone(),
                _ => free_name(&one.id, at + 1, &mut taken),
            };
            let limits = limits.iter();
            let guard = limits.map(|(&place, &(least, most))| Guard { place, least, most });
            all.transitions.push(Transition {
                id,
                guard: guard
                    .filter(|guard| guard.least > 0 || guard.most.is_some())
                    .collect(),
                ..one.clone()
            });
        }
        if ways.len() != 1 {
            all.split.push(Split {
                name: one.id.clone(),
                parts,
            });
        }
    }
    Ok(all)
}

/// A name that nothing has, for a part of a transition.
fn free_name(whole: &str, part: usize, taken: &mut BTreeSet<String>) -> String {
    let mut name = format!("{whole}/{part}");
    while !taken.insert(name.clone()) {
        name.push('\'');
    }
    name
}

/// For each transition all that go before it: what goes before one that does, goes before it, too.
fn all_before(transitions: usize, pairs: &[(usize, usize)]) -> Result<Vec<BTreeSet<usize>>, Wrong> {
    let mut next: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); transitions];
    for &(first, waits) in pairs {
        next[waits].insert(first);
    }
    let mut number = 0;
    let mut all = vec![BTreeSet::new(); transitions];
    for (waits, all) in all.iter_mut().enumerate() {
        let mut stack: Vec<usize> = next[waits].iter().copied().collect();
        while let Some(one) = stack.pop() {
            if all.insert(one) {
                stack.extend(&next[one]);
            }
        }
        if all.contains(&waits) {
            return Err(Wrong::Circle(waits));
        }
        number += all.len();
        if number > MOST_PAIRS {
            return Err(Wrong::Pairs);
        }
    }
    Ok(all)
}

/// The ways in which a transition can fire where none of the others can: limits that exclude each other. Nothing if
/// there are too many.
fn ways<'a>(one: &Transition, before: impl Iterator<Item = &'a Transition>) -> Option<Vec<Limits>> {
    let limits = one.guard.iter();
    let limits = limits.map(|guard| (guard.place, (guard.least, guard.most)));
    let mut all: Vec<Limits> = vec![limits.collect()];
    for other in before {
        let ways = all.iter().flat_map(|limits| without(limits, other));
        all = ways.take(MOST_PARTS + 1).collect();
        if all.len() > MOST_PARTS {
            return None;
        }
    }
    Some(all)
}

/// The markings within some limits in which a transition cannot fire, as limits that exclude each other; not all of
/// them if there are more than may be.
fn without(limits: &Limits, other: &Transition) -> Vec<Limits> {
    let within = |limits: &Limits, guard: &Guard| {
        let (least, most) = limits.get(&guard.place).copied().unwrap_or_default();
        let both = [most, guard.most].into_iter().flatten().min();
        (least.max(guard.least), both)
    };
    let is_empty = |(least, most): (u64, Option<u64>)| most.is_some_and(|most| most < least);
    let mut guards = other.guard.iter();
    if guards.any(|guard| is_empty(within(limits, guard))) {
        // It cannot fire in any of them.
        return vec![limits.clone()];
    }
    let (mut rest, mut all) = (limits.clone(), Vec::new());
    for guard in &other.guard {
        if all.len() > MOST_PARTS {
            break;
        }
        let (least, most) = rest.get(&guard.place).copied().unwrap_or_default();
        let mut leave = |some: (u64, Option<u64>)| {
            let mut part = rest.clone();
            part.insert(guard.place, some);
            all.push(part);
        };
        if guard.least > least {
            leave((least, Some(guard.least - 1)));
        }
        if let Some(top) = guard.most
            && most.is_none_or(|most| most > top)
        {
            leave((least.max(top.saturating_add(1)), most));
        }
        let both = within(&rest, guard);
        rest.insert(guard.place, both);
    }
    // In the rest it can fire.
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn transition(guard: &[(usize, u64, Option<u64>)]) -> Transition {
        let guard = guard.iter();
        let guard = guard.map(|&(place, least, most)| Guard { place, least, most });
        Transition {
            guard: guard.collect(),
            ..Transition::default()
        }
    }

    #[test]
    fn parts_can_fire_where_the_whole_can_and_nothing_goes_before_it_and_one_at_a_time() {
        quotient_trial::trial(|u| {
            let mut some = || -> quotient_trial::arbitrary::Result<Transition> {
                let mut guard = Vec::new();
                for place in 0..3 {
                    let least = u.int_in_range(0..=2)?;
                    let most = match u.int_in_range(0..=2)? {
                        0 => Some(least + u.int_in_range(0..=2)?),
                        _ => None,
                    };
                    if least > 0 || most.is_some() {
                        guard.push((place, least, most));
                    }
                }
                Ok(transition(&guard))
            };
            let one = some()?;
            let before = [some()?, some()?, some()?];
            let ways = ways(&one, before.iter()).expect("there are few");
            for number in 0..6_u64.pow(3) {
                let marking = [number % 6, number / 6 % 6, number / 36];
                let holds = |limits: &&Limits| {
                    let fits = |(&place, &(least, most)): (&usize, &(u64, Option<u64>))| {
                        marking[place] >= least && most.is_none_or(|most| marking[place] <= most)
                    };
                    limits.iter().all(fits)
                };
                let able = one.is_enabled(&marking)
                    && !before.iter().any(|other| other.is_enabled(&marking));
                assert_eq!(ways.iter().filter(holds).count(), usize::from(able));
            }
            Ok(())
        })
        .budget_ms(1_000);
    }

    #[test]
    fn too_many_parts_are_not_built() {
        let wide: Vec<(usize, u64, Option<u64>)> = (0..20_000).map(|at| (at, 1, None)).collect();
        let parts = without(&Limits::new(), &transition(&wide));
        assert_eq!(parts.len(), MOST_PARTS + 1);
        let net = |transitions| Net {
            transitions,
            ..Net::default()
        };
        let two = net(vec![transition(&wide), transition(&[])]);
        assert_eq!(apply(two, &[(0, 1)]), Err(Wrong::Parts(1)));
        // Few parts of each, but many in all.
        let waiting = 1..MOST_PARTS_IN_ALL / 10 + 2;
        let mut all = vec![transition(&wide[..10])];
        all.extend(waiting.clone().map(|number| Transition {
            id: number.to_string(),
            ..Transition::default()
        }));
        let pairs: Vec<(usize, usize)> = waiting.map(|waits| (0, waits)).collect();
        assert_eq!(apply(net(all), &pairs), Err(Wrong::Pairs));
    }

    #[test]
    fn what_goes_before_goes_before_all_that_waits_for_what_waits_for_it() {
        let all = all_before(4, &[(0, 1), (1, 2)]).expect("there is no circle");
        assert_eq!(
            all,
            [vec![], vec![0], vec![0, 1], vec![]].map(BTreeSet::from_iter)
        );
        assert_eq!(all_before(2, &[(0, 1), (1, 0)]), Err(Wrong::Circle(0)));
        assert_eq!(all_before(2, &[(1, 1)]), Err(Wrong::Circle(1)));
    }
}
