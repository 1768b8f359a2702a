//! Coverability: the least markings from which a target can be reached, found backwards.
//!
//! Markings that are at least another can do what it can (transfers included), so the markings
//! from which an upward closed target is reachable are upward closed, and a finite set of least
//! ones describes them (Abdulla, Čerāns, Jonsson, Tsay 1996). Upper limits in guards and targets
//! break this. They are first left out wherever they do not contradict themselves, which can only
//! make more reachable: then only `holds` is believed. Where that is not enough, they are kept,
//! as ranges of markings; such a search need not end. Markings above the [`Ceiling`] of a sum
//! that never grows are not reachable and are not followed.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use quotient_core::{Budget, Stop};

use crate::ceiling::Ceiling;
use crate::formula::Linear;
use crate::net::{Net, Transition};

/// The most alternatives of a target.
pub(crate) const MOST_TARGETS: usize = 1000;

/// The most least markings before one step of one transition.
const MOST_BEFORE: usize = 100_000;

/// All markings between two.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Range {
    pub(crate) least: Vec<u64>,
    /// Without any limit it is empty; `u64::MAX` is no limit of a place.
    pub(crate) most: Vec<u64>,
}

impl Range {
    fn limit(&self, place: usize) -> u64 {
        self.most.get(place).copied().unwrap_or(u64::MAX)
    }

    fn lower(&mut self, place: usize, limit: u64) {
        if self.most.is_empty() {
            self.most = vec![u64::MAX; self.least.len()];
        }
        self.most[place] = self.most[place].min(limit);
    }

    fn is_empty(&self) -> bool {
        let mut both = self.least.iter().zip(&self.most);
        both.any(|(least, most)| least > most)
    }

    fn contains(&self, other: &Range) -> bool {
        let below = |(one, other): (&u64, &u64)| one <= other;
        if !self.least.iter().zip(&other.least).all(below) {
            return false;
        }
        let mut limits = self.most.iter().enumerate();
        limits.all(|(place, &most)| most >= other.limit(place))
    }
}

/// The markings that fulfil inequalities of the form `place ≥ number` and `place ≤ number`; none
/// if these contradict each other. An error for any other inequality.
pub(crate) fn range_of(net: &Net, alternative: &[Linear]) -> Result<Option<Range>, ()> {
    let mut range = Range {
        least: vec![0; net.places.len()],
        most: Vec::new(),
    };
    for linear in alternative {
        match linear.terms[..] {
            [(place, 1)] => {
                let demanded = u64::try_from(linear.least).unwrap_or(0);
                range.least[place] = range.least[place].max(demanded);
            }
            [(place, -1)] => match linear.least {
                least if least > 0 => return Ok(None),
                least => range.lower(place, least.unsigned_abs()),
            },
            _ => return Err(()),
        }
    }
    Ok(Some(range).filter(|range| !range.is_empty()))
}

/// Ranges that contain all markings from which a transition leads into `after`.
fn before(
    net: &Net,
    transition: &Transition,
    after: &Range,
    budget: &Budget,
) -> Result<Vec<Range>, Stop> {
    let mut range = Range {
        least: after.least.clone(),
        most: after.most.clone(),
    };
    for assign in &transition.assign {
        range.least[assign.place] = 0;
        if let Some(most) = range.most.get_mut(assign.place) {
            *most = u64::MAX;
        }
    }
    for &(place, change) in &transition.effect {
        let by = change.unsigned_abs();
        let least = range.least[place];
        range.least[place] = match change >= 0 {
            true => least.saturating_sub(by),
            false => least.saturating_add(by),
        };
        match range.limit(place) {
            u64::MAX => {}
            limit if change >= 0 && limit < by => return Ok(Vec::new()),
            limit if change >= 0 => range.most[place] = limit - by,
            limit => range.most[place] = limit.saturating_add(by),
        }
    }
    for guard in &transition.guard {
        range.least[guard.place] = range.least[guard.place].max(guard.least);
        if let Some(most) = guard.most {
            range.lower(guard.place, most);
        }
    }
    for assign in &transition.assign {
        let limit = after.limit(assign.place);
        if limit == u64::MAX {
            continue;
        }
        // No place of the sum may hold more than the sum.
        let limit = i128::from(limit) - i128::from(assign.plus);
        let Ok(limit) = u64::try_from(limit) else {
            return Ok(Vec::new());
        };
        for &place in &assign.sum {
            range.lower(place, limit);
        }
    }
    let mut all = vec![range.least];
    for assign in &transition.assign {
        // The sum must be at least this, and never negative.
        let demanded = i128::from(after.least[assign.place]) - i128::from(assign.plus);
        let demanded = u64::try_from(demanded.max(0)).unwrap_or(u64::MAX);
        let mut next = Vec::new();
        for marking in all {
            spread(&marking, &assign.sum, demanded, &mut next, budget)?;
        }
        all = minimal(next, budget)?;
    }
    let fits = |least: &Vec<u64>| {
        transition.assign.iter().all(|assign| {
            let sum: u128 = assign
                .sum
                .iter()
                .map(|&place| u128::from(least[place]))
                .sum();
            let limit = i128::from(after.limit(assign.place)) - i128::from(assign.plus);
            after.limit(assign.place) == u64::MAX
                || i128::try_from(sum).is_ok_and(|sum| sum <= limit)
        })
    };
    debug_assert_eq!(after.least.len(), net.places.len());
    let most = range.most;
    let ranges = all.into_iter().filter(fits).map(|least| Range {
        least,
        most: most.clone(),
    });
    Ok(ranges.filter(|range| !range.is_empty()).collect())
}

/// All least ways to raise a marking so that a sum of places is at least a number.
fn spread(
    marking: &[u64],
    sum: &[usize],
    demanded: u64,
    out: &mut Vec<Vec<u64>>,
    budget: &Budget,
) -> Result<(), Stop> {
    let there = |marking: &[u64]| {
        let total = sum
            .iter()
            .map(|&place| u128::from(marking[place]))
            .sum::<u128>();
        total >= u128::from(demanded)
    };
    if there(marking) {
        out.push(marking.to_vec());
        return Ok(());
    }
    let mut places = sum.to_vec();
    places.sort_unstable();
    places.dedup();
    // Token by token, each next one in the same place or a later one.
    let mut stack = vec![(marking.to_vec(), 0)];
    while let Some((marking, from)) = stack.pop() {
        budget.charge(1)?;
        for (number, &place) in places.iter().enumerate().skip(from) {
            let mut raised = marking.clone();
            raised[place] += 1;
            match there(&raised) {
                true => out.push(raised),
                false => stack.push((raised, number)),
            }
        }
        if out.len() + stack.len() > MOST_BEFORE {
            return Err(Stop::bound(
                "the markings before a transfer",
                MOST_BEFORE as u64,
            ));
        }
    }
    Ok(())
}

/// Only those that are above no other.
fn minimal(mut all: Vec<Vec<u64>>, budget: &Budget) -> Result<Vec<Vec<u64>>, Stop> {
    if all.len() < 2 {
        return Ok(all);
    }
    all.sort_unstable();
    all.dedup();
    all.sort_by_key(|one| one.iter().map(|&tokens| u128::from(tokens)).sum::<u128>());
    let mut kept: Vec<Vec<u64>> = Vec::new();
    for one in all {
        budget.charge(1 + kept.len() as u64 / 16)?;
        let below =
            |least: &Vec<u64>| (least.iter().zip(&one)).all(|(least, tokens)| least <= tokens);
        if !kept.iter().any(below) {
            kept.push(one);
        }
    }
    Ok(kept)
}

/// What backward search finds.
pub(crate) enum Covered {
    /// Ranges that are closed and without a start, and which ceilings were used.
    Never(Vec<Range>, Vec<bool>),
    /// A start, and the transitions that lead to the target from it, if no upper limit is in the
    /// way.
    Run(Vec<u64>, Vec<usize>),
}

/// A range with the step that leads from it towards the target.
struct Member {
    range: Range,
    /// Which places need tokens, one bit for several of them, and how many tokens in all.
    places: u64,
    tokens: u64,
    then: Option<(usize, usize)>,
    alive: bool,
}

/// The search backwards.
pub(crate) struct Backward<'a> {
    pub(crate) net: &'a Net,
    pub(crate) ceilings: &'a [Ceiling],
    /// Whether upper limits are kept.
    pub(crate) exact: bool,
}

struct Found {
    all: Vec<Member>,
    /// The numbers of those that are in no other.
    alive: Vec<usize>,
    /// Those whose steps before are open, the least first.
    open: BinaryHeap<Reverse<(u64, usize)>>,
    used: Vec<bool>,
}

impl Backward<'_> {
    /// Searches backwards from the targets.
    pub(crate) fn search(&self, targets: &[Range], budget: &Budget) -> Result<Covered, Stop> {
        let mut found = Found {
            all: Vec::new(),
            alive: Vec::new(),
            open: BinaryHeap::new(),
            used: vec![false; self.ceilings.len()],
        };
        for target in targets {
            self.add(target.clone(), None, &mut found, budget)?;
        }
        while let Some(Reverse((_, number))) = found.open.pop() {
            if !found.all[number].alive {
                continue;
            }
            let range = found.all[number].range.clone();
            if let Some(start) = start_in(self.net, &range) {
                let mut fired = Vec::new();
                let mut at = number;
                while let Some((transition, after)) = found.all[at].then {
                    fired.push(transition);
                    at = after;
                }
                return Ok(Covered::Run(start, fired));
            }
            for (transition, one) in self.net.transitions.iter().enumerate() {
                for source in before(self.net, one, &range, budget)? {
                    self.add(source, Some((transition, number)), &mut found, budget)?;
                }
            }
        }
        let alive = found.alive.iter();
        let ranges = alive.map(|&number| found.all[number].range.clone());
        Ok(Covered::Never(ranges.collect(), found.used))
    }

    fn add(
        &self,
        mut range: Range,
        then: Option<(usize, usize)>,
        found: &mut Found,
        budget: &Budget,
    ) -> Result<(), Stop> {
        budget.charge(1 + found.alive.len() as u64 / 64)?;
        if !self.exact {
            range.most = Vec::new();
        }
        let mut places = 0_u64;
        let mut tokens = 0_u64;
        for (place, &least) in range.least.iter().enumerate() {
            places |= u64::from(least > 0) << (place % 64);
            tokens = tokens.saturating_add(least);
        }
        let all = &mut found.all;
        let known = |&number: &usize| {
            let one = &all[number];
            one.places & !places == 0 && one.tokens <= tokens && one.range.contains(&range)
        };
        if found.alive.iter().any(known) {
            return Ok(());
        }
        let above = self
            .ceilings
            .iter()
            .position(|one| one.is_below(&range.least));
        if let Some(above) = above {
            found.used[above] = true;
            return Ok(());
        }
        found.alive.retain(|&number| {
            let one = &mut all[number];
            let covered =
                places & !one.places == 0 && tokens <= one.tokens && range.contains(&one.range);
            one.alive = !covered;
            !covered
        });
        found.open.push(Reverse((tokens, all.len())));
        found.alive.push(all.len());
        all.push(Member {
            range,
            places,
            tokens,
            then,
            alive: true,
        });
        Ok(())
    }
}

/// A marking of the start in a range.
fn start_in(net: &Net, range: &Range) -> Option<Vec<u64>> {
    let mut start = Vec::with_capacity(net.places.len());
    for (number, place) in net.places.iter().enumerate() {
        let tokens = range.least[number].max(place.least);
        let most = place.most.unwrap_or(u64::MAX).min(range.limit(number));
        if tokens > most {
            return None;
        }
        start.push(tokens);
    }
    Some(start)
}
