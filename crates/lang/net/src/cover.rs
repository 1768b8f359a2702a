//! Coverability: the least markings from which a target can be reached, found backwards.
//!
//! Markings that are at least another can do what it can (transfers included), so the markings
//! from which an upward closed target is reachable are upward closed, and a finite set of least
//! ones describes them (Abdulla, Čerāns, Jonsson, Tsay 1996). Upper limits in guards break this;
//! they are left out, which can only make more reachable: then only `holds` is believed.

use quotient_core::{Budget, Stop};

use crate::formula::Linear;
use crate::net::{Net, Transition};

/// The most alternatives of a target.
pub(crate) const MOST_TARGETS: usize = 1000;

/// The most least markings before one step of one transition.
const MOST_BEFORE: usize = 100_000;

/// The least marking that fulfils inequalities of the form `place ≥ number`; `place ≤ number` is
/// left out, which makes the target larger. Nothing for any other inequality.
pub(crate) fn least_of(net: &Net, alternative: &[Linear]) -> Option<Vec<u64>> {
    let mut least = vec![0; net.places.len()];
    for linear in alternative {
        match linear.terms[..] {
            [(place, 1)] => {
                let demanded = u64::try_from(linear.least).unwrap_or(0);
                least[place] = least[place].max(demanded);
            }
            [(_, -1)] => {}
            _ => return None,
        }
    }
    Some(least)
}

/// The least markings from which a transition leads to at least `after`.
pub(crate) fn before(
    net: &Net,
    transition: &Transition,
    after: &[u64],
    budget: &Budget,
) -> Result<Vec<Vec<u64>>, Stop> {
    let mut least = vec![0_u64; net.places.len()];
    let mut free: Vec<bool> = vec![true; net.places.len()];
    for assign in &transition.assign {
        free[assign.place] = false;
    }
    for (place, &demanded) in after.iter().enumerate() {
        if free[place] {
            least[place] = demanded;
        }
    }
    for &(place, change) in &transition.effect {
        least[place] = match change >= 0 {
            true => least[place].saturating_sub(change.unsigned_abs()),
            false => least[place].saturating_add(change.unsigned_abs()),
        };
    }
    for guard in &transition.guard {
        least[guard.place] = least[guard.place].max(guard.least);
    }
    let mut all = vec![least];
    for assign in &transition.assign {
        // The sum must be at least this, and never negative.
        let demanded = i128::from(after[assign.place]).max(0) - i128::from(assign.plus);
        let demanded = u64::try_from(demanded.max(0)).unwrap_or(u64::MAX);
        let mut next = Vec::new();
        for marking in all {
            spread(&marking, &assign.sum, demanded, &mut next, budget)?;
        }
        all = minimal(next, budget)?;
    }
    Ok(all)
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

/// Whether every number is at most that of the other.
pub(crate) fn is_below(one: &[u64], other: &[u64]) -> bool {
    one.iter().zip(other).all(|(one, other)| one <= other)
}

/// Only those that are above no other.
fn minimal(mut all: Vec<Vec<u64>>, budget: &Budget) -> Result<Vec<Vec<u64>>, Stop> {
    all.sort_unstable();
    all.dedup();
    all.sort_by_key(|one| one.iter().map(|&tokens| u128::from(tokens)).sum::<u128>());
    let mut kept: Vec<Vec<u64>> = Vec::new();
    for one in all {
        budget.charge(1 + kept.len() as u64 / 16)?;
        if !kept.iter().any(|least| is_below(least, &one)) {
            kept.push(one);
        }
    }
    Ok(kept)
}

/// What backward search finds.
pub(crate) enum Covered {
    /// A basis that is closed and without a start.
    Never(Vec<Vec<u64>>),
    /// A start, and the transitions that lead to the target from it, if no upper limit is in the
    /// way.
    Run(Vec<u64>, Vec<usize>),
}

/// A least marking with the step that leads from it towards the target.
struct Least {
    marking: Vec<u64>,
    then: Option<(usize, usize)>,
    alive: bool,
}

/// Searches backwards from the targets.
pub(crate) fn backward(net: &Net, targets: &[Vec<u64>], budget: &Budget) -> Result<Covered, Stop> {
    let mut all: Vec<Least> = Vec::new();
    for target in minimal(targets.to_vec(), budget)? {
        all.push(Least {
            marking: target,
            then: None,
            alive: true,
        });
    }
    let mut next = 0;
    while next < all.len() {
        if !all[next].alive {
            next += 1;
            continue;
        }
        if let Some(start) = start_above(net, &all[next].marking) {
            let mut fired = Vec::new();
            let mut at = next;
            while let Some((transition, after)) = all[at].then {
                fired.push(transition);
                at = after;
            }
            return Ok(Covered::Run(start, fired));
        }
        for (number, transition) in net.transitions.iter().enumerate() {
            for marking in before(net, transition, &all[next].marking, budget)? {
                budget.charge(1 + all.len() as u64 / 16)?;
                let known = |least: &Least| least.alive && is_below(&least.marking, &marking);
                if all.iter().any(known) {
                    continue;
                }
                for least in &mut all {
                    if least.alive && is_below(&marking, &least.marking) {
                        least.alive = false;
                    }
                }
                all.push(Least {
                    marking,
                    then: Some((number, next)),
                    alive: true,
                });
            }
        }
        next += 1;
    }
    let alive = all.into_iter().filter(|least| least.alive);
    Ok(Covered::Never(alive.map(|least| least.marking).collect()))
}

/// A marking of the start that is at least this one.
fn start_above(net: &Net, least: &[u64]) -> Option<Vec<u64>> {
    let tokens = |(place, &least): (&crate::net::Place, &u64)| {
        let tokens = least.max(place.least);
        place
            .most
            .is_none_or(|most| tokens <= most)
            .then_some(tokens)
    };
    net.places.iter().zip(least).map(tokens).collect()
}
