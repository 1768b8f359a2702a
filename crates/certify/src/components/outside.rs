//! Whether a word is outside all assumptions and breaks the property.

use std::collections::BTreeMap;

use quotient_core::{Budget, Stop};
use quotient_lts::{Action, ERROR, Lts, LtsBuilder, State};

use super::reduce::weakly_minimal;
use super::whole::Numbered;

/// How much work to look at all combinations of states is worth a try.
const AT_ONCE: u64 = 1_000_000;

/// Whether some word makes all watchers err; each is deterministic and complete, and stays in
/// error.
pub(super) fn all_err(watchers: &[Lts], budget: &Budget) -> Result<bool, Stop> {
    if !watchers.iter().all(|lts| lts.reachable().has_error()) {
        return Ok(false);
    }
    match at_once(watchers, &budget.child_with_work(AT_ONCE)) {
        Err(Stop::Work) => one_by_one(watchers, budget),
        answer => answer,
    }
}

/// By all combinations of their states.
fn at_once(watchers: &[Lts], budget: &Budget) -> Result<bool, Stop> {
    let mut events: Vec<_> = watchers.iter().flat_map(|lts| lts.alphabet()).collect();
    events.sort_unstable();
    events.dedup();
    let initial: Vec<State> = watchers.iter().map(Lts::initial).collect();
    let mut states = Numbered::new(watchers.len());
    // Where one can err no more, not all will.
    let hope: Vec<Vec<bool>> = watchers.iter().map(can_err).collect();
    let may_err = |state: &[State]| {
        let mut locals = state.iter().zip(&hope);
        locals.all(|(&local, hope)| local == ERROR || hope[local.index()])
    };
    if may_err(&initial) {
        states.number(&initial);
    }
    let mut next = 0;
    while next < states.len() {
        let state = states.get(next).to_vec();
        if state.iter().all(|&local| local == ERROR) {
            return Ok(true);
        }
        budget.charge(events.len() as u64 + 1)?;
        for &&event in &events {
            let moved = watchers.iter().zip(&state).map(|(lts, &local)| {
                let target = lts.successors(local, event).first();
                target.map_or(local, |edge| edge.target)
            });
            let moved: Vec<State> = moved.collect();
            if may_err(&moved) {
                states.number(&moved);
            }
        }
        next += 1;
    }
    Ok(false)
}

/// For each state whether the error state can be reached from it.
fn can_err(lts: &Lts) -> Vec<bool> {
    let edges = lts.all_edges().map(|(from, edge)| (from, edge.target));
    towards_error(lts.states(), edges)
}

/// The same for any graph.
fn towards_error(states: usize, edges: impl Iterator<Item = (State, State)>) -> Vec<bool> {
    let mut can = vec![false; states];
    let mut sources: Vec<Vec<State>> = vec![Vec::new(); states];
    let mut waiting = Vec::new();
    for (from, to) in edges {
        match to {
            ERROR => waiting.push(from),
            to => sources[to.index()].push(from),
        }
    }
    while let Some(state) = waiting.pop() {
        if !std::mem::replace(&mut can[state.index()], true) {
            waiting.extend(&sources[state.index()]);
        }
    }
    can
}

/// By those before together with the next, as one small system.
fn one_by_one(watchers: &[Lts], budget: &Budget) -> Result<bool, Stop> {
    // Nobody has erred from the start.
    let mut nobody = LtsBuilder::new();
    nobody.initial(ERROR);
    let mut before = nobody.build();
    let mut rest: Vec<&Lts> = watchers.iter().collect();
    while let Some(next) = (0..rest.len()).max_by_key(|&at| shared(&before, rest[at])) {
        let next = rest.remove(next);
        let is_private = |action: Action| !rest.iter().any(|other| other.knows(action));
        let both = both_err(&before, next, is_private, budget)?;
        if !both.has_error() {
            return Ok(false);
        }
        before = weakly_minimal(&both, budget)?;
    }
    Ok(true)
}

fn shared(left: &Lts, right: &Lts) -> usize {
    let own = left.alphabet().iter();
    own.filter(|&&action| right.knows(action)).count()
}

/// Two systems side by side; the error state is where both have erred, after which nothing
/// matters any more. Private actions are silent. Only states from which both can err are kept.
fn both_err(
    left: &Lts,
    right: &Lts,
    is_private: impl Fn(Action) -> bool,
    budget: &Budget,
) -> Result<Lts, Stop> {
    let mut numbers: BTreeMap<(State, State), State> = BTreeMap::new();
    let mut pairs = Vec::new();
    let mut edges: Vec<(State, Action, State)> = Vec::new();
    let mut number = |pair: (State, State), pairs: &mut Vec<(State, State)>| match pair {
        (ERROR, ERROR) => ERROR,
        pair => *numbers.entry(pair).or_insert_with(|| {
            pairs.push(pair);
            State::from_index(pairs.len() - 1)
        }),
    };
    // The targets of one of them: it stays where it does not take part, or has erred.
    let targets = |lts: &Lts, local: State, action: Action| -> Vec<State> {
        match local == ERROR || !lts.knows(action) {
            true => vec![local],
            false => {
                let edges = lts.successors(local, action).iter();
                edges.map(|edge| edge.target).collect()
            }
        }
    };
    let initial = number((left.initial(), right.initial()), &mut pairs);
    let mut from = 0;
    while let Some(&(l, r)) = pairs.get(from) {
        let mut step = |action: Action, to: (State, State)| {
            let silent = action.is_tau() || is_private(action);
            let action = if silent { Action::TAU } else { action };
            edges.push((State::from_index(from), action, number(to, &mut pairs)));
        };
        for (lts, local, is_left) in [(left, l, true), (right, r, false)] {
            if local == ERROR {
                continue;
            }
            for edge in lts.successors(local, Action::TAU) {
                let to = if is_left {
                    (edge.target, r)
                } else {
                    (l, edge.target)
                };
                step(Action::TAU, to);
            }
        }
        let mut actions = [left.alphabet(), right.alphabet()].concat();
        actions.sort_unstable();
        actions.dedup();
        budget.charge(actions.len() as u64 + 1)?;
        for action in actions {
            for to_left in targets(left, l, action) {
                for to_right in targets(right, r, action) {
                    step(action, (to_left, to_right));
                }
            }
        }
        from += 1;
    }
    let can = towards_error(pairs.len(), edges.iter().map(|&(from, _, to)| (from, to)));
    let mut builder = LtsBuilder::new();
    builder.initial(initial).at_least(pairs.len()).alphabet(
        [left.alphabet(), right.alphabet()]
            .concat()
            .into_iter()
            .filter(|&action| !is_private(action)),
    );
    for (from, action, to) in edges {
        if to == ERROR || can[to.index()] {
            builder.edge(from, action, to);
        }
    }
    Ok(builder.build().reachable())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use quotient_lts::Actions;

    use super::*;
    use crate::components::reduce::completed;

    /// Watchers with up to three states over some of four actions.
    fn watchers() -> impl Strategy<Value = Vec<Lts>> {
        let watcher = (1u32..4, 0usize..16).prop_flat_map(|(states, letters)| {
            let targets = proptest::collection::vec(0..=states, states as usize * 4);
            targets.prop_map(move |targets| {
                let mut actions = Actions::new();
                let all = ["a", "b", "c", "d"].map(|name| actions.intern(name));
                let known = (0..4).filter(|letter| letters >> letter & 1 == 1);
                let mut builder = LtsBuilder::new();
                builder.at_least(states as usize);
                for letter in known {
                    builder.alphabet([all[letter]]);
                    for from in 0..states {
                        let target = targets[from as usize * 4 + letter];
                        if target < states {
                            builder.edge(from, all[letter], target);
                        }
                    }
                }
                completed(&builder.build(), &Budget::unlimited()).unwrap()
            })
        });
        proptest::collection::vec(watcher, 0..6)
    }

    /// By all combinations of states, with nothing left out.
    fn word_for_all(watchers: &[&Lts]) -> bool {
        let initial: Vec<State> = watchers.iter().map(|lts| lts.initial()).collect();
        let mut seen = std::collections::BTreeSet::from([initial.clone()]);
        let mut waiting = vec![initial];
        while let Some(state) = waiting.pop() {
            if state.iter().all(|&local| local == ERROR) {
                return true;
            }
            for event in watchers.iter().flat_map(|lts| lts.alphabet()) {
                let moved = watchers.iter().zip(&state).map(|(lts, &local)| {
                    let target = lts.successors(local, *event).first();
                    target.map_or(local, |edge| edge.target)
                });
                let moved: Vec<State> = moved.collect();
                if seen.insert(moved.clone()) {
                    waiting.push(moved);
                }
            }
        }
        false
    }

    proptest! {
        #[test]
        fn one_by_one_is_as_at_once(watchers in watchers()) {
            let budget = Budget::unlimited();
            let all = at_once(&watchers, &budget).unwrap();
            prop_assert_eq!(one_by_one(&watchers, &budget).unwrap(), all);
            prop_assert_eq!(all_err(&watchers, &budget).unwrap(), all);
            let whole: Vec<&Lts> = watchers.iter().collect();
            prop_assert_eq!(word_for_all(&whole), all);
        }
    }
}
