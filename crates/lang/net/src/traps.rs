//! Traps: places that, together, keep a token once they have one.
//!
//! The state equation does not know in which order transitions fire, and allows markings in which a
//! trap that had tokens has none. Such a marking is no real one: the trap is one more inequality
//! (Esparza and Melzer, 2000).

use crate::formula::Linear;
use crate::net::{Net, Transition};

/// Whether a transition leaves a token in a place for sure.
pub(crate) fn leaves(transition: &Transition, place: usize) -> bool {
    let needs = transition.guard.iter().filter(|guard| guard.place == place);
    let needs = needs.map(|guard| guard.least).max().unwrap_or(0);
    i128::from(needs) + change(transition, place) >= 1
}

/// How many tokens a transition adds to a place.
pub(crate) fn change(transition: &Transition, place: usize) -> i128 {
    let changes = transition.effect.iter().filter(|one| one.0 == place);
    changes.map(|one| i128::from(one.1)).sum()
}

/// That one of these places has a token.
pub(crate) fn inequality(trap: &[usize]) -> Linear {
    let mut terms: Vec<(usize, i64)> = trap.iter().map(|&place| (place, 1)).collect();
    terms.sort_unstable();
    Linear { terms, least: 1 }
}

/// The largest trap among places that are empty, if it has a token at the start: they are not all
/// empty then.
pub(crate) fn emptied(net: &Net, start: &[u64], empty: &[bool]) -> Option<Vec<usize>> {
    if !net.is_plain() {
        return None;
    }
    let mut inside = empty.to_vec();
    loop {
        let before = inside.clone();
        for one in &net.transitions {
            let touched = || one.effect.iter().map(|&(place, _)| place);
            let needed = one.guard.iter().map(|guard| guard.place);
            let mut around = touched().chain(needed);
            if around.any(|place| inside[place] && leaves(one, place)) {
                continue;
            }
            for place in touched().filter(|&place| change(one, place) < 0) {
                inside[place] = false;
            }
        }
        if inside == before {
            break;
        }
    }
    let trap: Vec<usize> = (0..inside.len()).filter(|&place| inside[place]).collect();
    trap.iter().any(|&place| start[place] > 0).then_some(trap)
}
