//! The premises of proofs and the steps of violations, checked the slow way.
#![allow(dead_code)]

use std::collections::BTreeSet;

use quotient_compose::operations::complete;
use quotient_compose::{Action, ERROR, Lts, Network, Proof, Rule, State};
use quotient_core::Budget;

use super::steps_together;

/// All reachable tuples of states of some systems side by side; a tuple in which one of the
/// systems errs is not continued.
fn tuples(parts: &[&Lts]) -> BTreeSet<Vec<State>> {
    let initial: Vec<State> = parts.iter().map(|part| part.initial()).collect();
    let mut seen = BTreeSet::from([initial.clone()]);
    let mut todo = vec![initial];
    while let Some(state) = todo.pop() {
        if state.contains(&ERROR) {
            continue;
        }
        let nexts = steps_together(parts, &state)
            .into_iter()
            .map(|(_, next)| next);
        todo.extend(nexts.filter(|next| seen.insert(next.clone())));
    }
    seen
}

fn errs(parts: &[&Lts]) -> bool {
    tuples(parts).iter().any(|tuple| tuple.contains(&ERROR))
}

/// The observer of an assumption, which may be nondeterministic: subsets of its states.
fn observer(assumption: &Lts) -> Lts {
    complete(&quotient_compose::operations::determinise(assumption, &Budget::unlimited()).unwrap())
}

/// Checks the premises of a proof by composing everything that each of them names.
pub(crate) fn premises_hold(network: &Network, proof: &Proof) -> bool {
    let lts = |at: usize| &*network.components()[at].lts;
    let property: Vec<&Lts> = proof.property.iter().map(|&at| lts(at)).collect();
    let group = |group: usize| proof.groups[group].iter().map(|&at| lts(at));
    if proof.rule != Rule::Symmetric {
        let observers: Vec<Lts> = proof.assumptions.iter().map(|a| observer(a)).collect();
        return (0..=proof.assumptions.len()).all(|level| {
            let mut parts: Vec<&Lts> = match level {
                0 => property.clone(),
                level => vec![&observers[level - 1]],
            };
            if level == proof.assumptions.len() && level < proof.groups.len() - 1 {
                // A shorter list: the last assumption must allow everything.
                return level > 0 && !observers[level - 1].has_error();
            }
            parts.extend(group(level));
            parts.extend(proof.assumptions.get(level).map(|a| &**a));
            !errs(&parts)
        });
    }
    let own = (0..proof.groups.len()).all(|at| {
        let mut parts = property.clone();
        parts.extend(group(at));
        parts.push(&proof.assumptions[at]);
        // An assumption that allows nothing is kept by nobody.
        proof.assumptions[at].initial() == ERROR || !errs(&parts)
    });
    // No word outside all assumptions breaks the property: follow all at once, where an
    // observer that has erred stays so.
    let mut watchers: Vec<Lts> = proof.assumptions.iter().map(|a| complete(a)).collect();
    watchers.push(property[0].clone());
    let alphabet: BTreeSet<Action> = watchers
        .iter()
        .flat_map(|w| w.alphabet().to_vec())
        .collect();
    let initial: Vec<State> = watchers.iter().map(Lts::initial).collect();
    let mut seen = BTreeSet::from([initial.clone()]);
    let mut todo = vec![initial];
    while let Some(state) = todo.pop() {
        if state.iter().all(|&s| s == ERROR) {
            return false;
        }
        for &action in &alphabet {
            let next: Vec<State> = watchers
                .iter()
                .zip(&state)
                .map(|(watcher, &s)| match watcher.knows(action) && s != ERROR {
                    true => watcher.successors(s, action)[0].target,
                    false => s,
                })
                .collect();
            if seen.insert(next.clone()) {
                todo.push(next);
            }
        }
    }
    own
}

/// Whether a network can do these events, silent ones where they stand, and errs at the end.
pub(crate) fn replays(network: &Network, events: &[Action]) -> bool {
    let parts: Vec<&Lts> = network.components().iter().map(|c| &*c.lts).collect();
    let mut states = BTreeSet::from([parts.iter().map(|p| p.initial()).collect::<Vec<_>>()]);
    for &event in events {
        let mut nexts = BTreeSet::new();
        for state in states.iter().filter(|state| !state.contains(&ERROR)) {
            let movers: Vec<Vec<usize>> = match event.is_tau() {
                true => (0..parts.len()).map(|i| vec![i]).collect(),
                false => vec![
                    (0..parts.len())
                        .filter(|&i| parts[i].knows(event))
                        .collect(),
                ],
            };
            for movers in movers {
                let mut partial = vec![state.clone()];
                for i in movers {
                    partial = partial
                        .iter()
                        .flat_map(|next| {
                            parts[i]
                                .successors(state[i], event)
                                .iter()
                                .map(move |edge| {
                                    let mut next = next.clone();
                                    next[i] = edge.target;
                                    next
                                })
                        })
                        .collect();
                }
                nexts.extend(partial);
            }
        }
        states = nexts;
    }
    states.iter().any(|state| state.contains(&ERROR))
}
