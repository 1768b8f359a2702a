//! Runs whose beginning alone breaks a formula.
//!
//! Where the automaton of the opposite comes to a state that accepts whatever follows, the run so
//! far decides, and what comes after it need not be shown. So it is with all that is safe. Such
//! beginnings are looked for breadth-first: they are shortest.

use crate::automaton::{Automaton, Transition};

/// The most states of an automaton whose runs are looked into.
const MOST_STATES: usize = 2_000;

/// Which states of an automaton accept whatever follows.
pub(crate) fn sinks(automaton: &Automaton) -> Vec<bool> {
    let stays = |at: usize, one: &Transition| {
        one.yes | one.no == 0 && one.next as usize == at && one.marks == automaton.marks
    };
    let states = automaton.states.iter().enumerate();
    states
        .map(|(at, all)| all.iter().any(|one| stays(at, one)))
        .collect()
}

/// Whether every run that the automaton accepts comes to a sink: then a run that it accepts is
/// known by its beginning.
pub(crate) fn all_end_in(automaton: &Automaton, sinks: &[bool]) -> bool {
    if automaton.states.len() > MOST_STATES {
        return false;
    }
    // States outside of sinks from which each mark can be had again and again: none, or the greatest set
    // of those from which it can be had once more without leaving the set (Emerson and Lei 1986).
    let mut left: Vec<bool> = sinks.iter().map(|sink| !sink).collect();
    let marks: Vec<u64> = match automaton.marks {
        0 => vec![0],
        all => (0..64)
            .map(|bit| 1 << bit)
            .filter(|bit| all & bit != 0)
            .collect(),
    };
    loop {
        let before = left.clone();
        for &mark in &marks {
            left = leading(automaton, &left, mark);
        }
        if !left.contains(&true) {
            return true;
        }
        if left == before {
            return false;
        }
    }
}

/// The states of a set from which a step with a mark can be taken sooner or later, inside the set.
fn leading(automaton: &Automaton, set: &[bool], mark: u64) -> Vec<bool> {
    let mut found = vec![false; set.len()];
    loop {
        let mut changed = false;
        for (at, all) in automaton.states.iter().enumerate() {
            let leads = |one: &Transition| {
                let next = one.next as usize;
                set[next] && (found[next] || one.marks & mark == mark)
            };
            if set[at] && !found[at] && all.iter().any(leads) {
                found[at] = true;
                changed = true;
            }
        }
        if !changed {
            return found;
        }
    }
}
