//! Events of which every cycle has one.

use quotient_core::{Budget, Stop};

use super::facts::{Facts, PartFacts};
use crate::graph::components;
use crate::product::Product;
use crate::{ERROR, State};

/// Work for one part; larger ones have only sticky events.
const MOST_WORK: usize = 1 << 24;

/// Chooses events such that every cycle of every part has one, those that are `seen` (by erring
/// parts, or by a question) among them. A cycle of the product goes round in each part that moves, so it has one too.
///
/// Events with many takers are chosen first: they are the least likely to be in a small
/// stubborn set anyway.
pub(super) fn events(
    product: &Product,
    facts: &Facts,
    seen: impl IntoIterator<Item = u32>,
    budget: &Budget,
) -> Result<Vec<bool>, Stop> {
    let mut sticky = vec![false; facts.events()];
    for event in seen {
        sticky[event as usize] = true;
    }
    for (number, part) in facts.parts.iter().enumerate() {
        let lts = &product.parts()[number].lts;
        let round = lts.states() + lts.transitions();
        let mut work = 0usize;
        loop {
            work = work.saturating_add(round);
            if work > MOST_WORK {
                part.events
                    .iter()
                    .for_each(|&event| sticky[event as usize] = true);
                break;
            }
            budget.charge(1)?;
            match on_a_cycle(facts, part, lts.states(), &sticky) {
                Some(event) => sticky[event as usize] = true,
                None => break,
            }
        }
    }
    Ok(sticky)
}

/// Of the events on cycles without a sticky one, that with the most takers, and then with the
/// most steps.
fn on_a_cycle(facts: &Facts, part: &PartFacts, states: usize, sticky: &[bool]) -> Option<u32> {
    let loose = |state: State| {
        let steps = part.steps(state).iter();
        steps.filter(|step| {
            step.target != ERROR && !sticky[part.events[step.rank as usize] as usize]
        })
    };
    let component_of = components(states, |state| loose(state).map(|step| step.target));
    let mut counts = vec![0usize; part.events.len()];
    for state in State::first(states) {
        for step in loose(state) {
            if component_of[state.index()] == component_of[step.target.index()] {
                counts[step.rank as usize] += 1;
            }
        }
    }
    let on_cycles = (0..counts.len()).filter(|&rank| counts[rank] > 0);
    let best = on_cycles.max_by_key(|&rank| {
        let takers = facts.takers(part.events[rank]).len();
        (takers, counts[rank], std::cmp::Reverse(rank))
    });
    best.map(|rank| part.events[rank])
}
