//! Transitions that never fire: those that need a token where none can ever come, and where the markings are few all
//! that fire in none of them.

use std::collections::HashSet;

use quotient_core::{Budget, Stop};

use crate::net::Net;

/// The most markings that are looked at, and the most work for that.
const MOST_MARKINGS: usize = 2_000;
const MOST_WORK: u64 = 5_000_000;

/// Which transitions surely never fire.
pub(crate) fn never_fire(net: &Net, budget: &Budget) -> Result<Vec<bool>, Stop> {
    let possible = possible(net, budget)?;
    let fired = fired(net, &possible, budget)?;
    let never = possible.iter().zip(fired.as_ref().unwrap_or(&possible));
    Ok(never.map(|(possible, fired)| !(possible & fired)).collect())
}

/// Which transitions find a token in each place that needs one, if places keep all that ever comes.
fn possible(net: &Net, budget: &Budget) -> Result<Vec<bool>, Stop> {
    let mut held: Vec<bool> = net
        .places
        .iter()
        .map(|place| place.most != Some(0))
        .collect();
    let mut possible = vec![false; net.transitions.len()];
    loop {
        budget.poll()?;
        let before = possible.clone();
        for (possible, transition) in possible.iter_mut().zip(&net.transitions) {
            let mut guards = transition.guard.iter();
            if *possible || !guards.all(|guard| guard.least == 0 || held[guard.place]) {
                continue;
            }
            *possible = true;
            for &(place, change) in &transition.effect {
                held[place] |= change > 0;
            }
            // A sum may be of anything.
            for assign in &transition.assign {
                held[assign.place] = true;
            }
        }
        if possible == before {
            return Ok(possible);
        }
    }
}

/// Which transitions fire in some marking, if that is known: all that are possible do, or the markings are few.
fn fired(net: &Net, possible: &[bool], budget: &Budget) -> Result<Option<Vec<bool>>, Stop> {
    let Some(start) = net.start() else {
        return Ok(None);
    };
    let mut fired = vec![false; net.transitions.len()];
    let mut seen = HashSet::from([start.clone()]);
    let mut waiting = vec![start];
    let mut work = 0;
    while let Some(marking) = waiting.pop() {
        for (at, transition) in net.transitions.iter().enumerate() {
            work += transition.work();
            let Some(next) = transition.fire(&marking) else {
                // What is too large to be written is not known.
                match transition.is_enabled(&marking) {
                    true => return Ok(None),
                    false => continue,
                }
            };
            fired[at] = true;
            if seen.insert(next.clone()) {
                waiting.push(next);
            }
        }
        budget.poll()?;
        if seen.len() > MOST_MARKINGS || work > MOST_WORK || fired[..] == *possible {
            return Ok((fired[..] == *possible).then_some(fired));
        }
    }
    Ok(Some(fired))
}
