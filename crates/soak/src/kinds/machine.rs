//! Circuits as the most naive judge sees them: all states, all inputs, one after the other.

use std::collections::{BTreeSet, HashMap};

use crate::kind::Truth;

/// What happens in one step.
pub(crate) struct Shot {
    pub(crate) next: Vec<u64>,
    /// Whether constraints allow it.
    pub(crate) allowed: bool,
    pub(crate) bad: Vec<bool>,
    /// For each justice property whether its signals are on, fairness among them.
    pub(crate) justice: Vec<Vec<bool>>,
}

/// Larger machines are not judged.
const MOST_NODES: usize = 30_000;

/// What is true of a machine: its first states, all inputs, and what a step does. A state that
/// may go on in several ways has several next ones.
pub(crate) fn judge(
    initial: Vec<u64>,
    inputs: u64,
    step: &dyn Fn(u64, u64) -> Option<Shot>,
) -> Vec<(String, Truth)> {
    let mut numbers: HashMap<(u64, u64), usize> = HashMap::new();
    let mut shots: Vec<Shot> = Vec::new();
    let mut seen: BTreeSet<u64> = initial.iter().copied().collect();
    let mut waiting = initial;
    let (mut bad, mut justice) = (0, 0);
    while let Some(state) = waiting.pop() {
        for input in 0..inputs {
            let Some(shot) = step(state, input) else {
                return Vec::new();
            };
            (bad, justice) = (shot.bad.len(), shot.justice.len());
            if !shot.allowed {
                continue;
            }
            for &next in &shot.next {
                if seen.insert(next) {
                    waiting.push(next);
                }
            }
            numbers.insert((state, input), shots.len());
            shots.push(shot);
            if shots.len() > MOST_NODES {
                return Vec::new();
            }
        }
    }
    let mut truths = Vec::new();
    for number in 0..bad {
        let holds = !shots.iter().any(|shot| shot.bad[number]);
        truths.push((format!("b{number}"), Truth::of(holds)));
    }
    let edges = |shot: &Shot| -> Vec<usize> {
        let pairs = shot
            .next
            .iter()
            .flat_map(|&next| (0..inputs).map(move |input| (next, input)));
        pairs
            .filter_map(|pair| numbers.get(&pair).copied())
            .collect()
    };
    let edges: Vec<Vec<usize>> = shots.iter().map(edges).collect();
    for number in 0..justice {
        let signals = |node: usize| &shots[node].justice[number];
        let found = fair_cycle(&edges, shots.len(), &signals);
        truths.push((format!("j{number}"), Truth::of(!found)));
    }
    truths
}

/// Whether some run goes on for ever with every signal on again and again (all nodes can be
/// reached).
fn fair_cycle<'a>(
    edges: &[Vec<usize>],
    nodes: usize,
    signals: &dyn Fn(usize) -> &'a Vec<bool>,
) -> bool {
    let mut alive = vec![true; nodes];
    let count = (0..nodes).next().map_or(0, |node| signals(node).len());
    loop {
        let before = alive.iter().filter(|&&alive| alive).count();
        // Without signals a run only has to go on.
        for signal in 0..count.max(1) {
            // Who gets in one step or more, among the living, to one where the signal is on.
            let mut good = vec![false; nodes];
            loop {
                let mut changed = false;
                for node in (0..nodes).rev() {
                    let reaches = |&next: &usize| {
                        let on = count == 0 || signals(next)[signal];
                        alive[next] && (on || good[next])
                    };
                    if alive[node] && !good[node] && edges[node].iter().any(reaches) {
                        good[node] = true;
                        changed = true;
                    }
                }
                if !changed {
                    break;
                }
            }
            alive = good;
        }
        let after = alive.iter().filter(|&&alive| alive).count();
        if after == before {
            return after > 0;
        }
    }
}
