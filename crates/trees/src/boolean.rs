//! Union, intersection, complement.

use quotient_bits::Bits;
use quotient_core::{Budget, Stop};
use rustc_hash::FxHashMap;

use crate::determinise::complete;
use crate::{Rule, State, TreeAutomaton};

/// The trees in either set. Symbols are the same if names and arities are.
pub fn union(one: &TreeAutomaton, other: &TreeAutomaton) -> TreeAutomaton {
    let (one, other) = one.together(other);
    let first = one.states();
    let after = |state: State| State::from_index(first + state.index());
    let moved = |rule: &Rule| Rule {
        symbol: rule.symbol,
        children: rule.children.iter().map(|&q| after(q)).collect(),
        target: after(rule.target),
    };
    let mut accepting = one.accepting().clone();
    accepting.grow(first + other.states());
    accepting.extend(other.accepting().ones().map(|state| state + first));
    let rules = one.rules().iter().cloned();
    let rules = rules.chain(other.rules().iter().map(moved)).collect();
    TreeAutomaton::new(one.alphabet().clone(), accepting, rules)
}

/// The trees in both sets: pairs of states, from the leaves.
pub fn intersection(
    one: &TreeAutomaton,
    other: &TreeAutomaton,
    budget: &Budget,
) -> Result<TreeAutomaton, Stop> {
    let (one, other) = one.together(other);
    one.charge(budget)?;
    other.charge(budget)?;
    let mut numbers: FxHashMap<(State, State), State> = FxHashMap::default();
    let mut pairs: Vec<(State, State)> = Vec::new();
    let mut rules = Vec::new();
    // A pair of rules fires once all pairs of its children are there.
    let mut waiting: FxHashMap<(State, State), Vec<usize>> = FxHashMap::default();
    let mut combined: Vec<(&Rule, &Rule, usize)> = Vec::new();
    let mut ready: Vec<usize> = Vec::new();
    for rule in one.rules() {
        for with in other.rules_for(rule.symbol) {
            budget.charge(1)?;
            let number = combined.len();
            let children = rule
                .children
                .iter()
                .copied()
                .zip(with.children.iter().copied());
            for pair in children {
                waiting.entry(pair).or_default().push(number);
            }
            combined.push((rule, with, rule.children.len()));
            if rule.children.is_empty() {
                ready.push(number);
            }
        }
    }
    while let Some(number) = ready.pop() {
        budget.charge(1)?;
        let (rule, with, _) = combined[number];
        let pair = (rule.target, with.target);
        let target = *numbers.entry(pair).or_insert_with(|| {
            pairs.push(pair);
            for &user in waiting.get(&pair).map_or(&[][..], Vec::as_slice) {
                combined[user].2 -= 1;
                if combined[user].2 == 0 {
                    ready.push(user);
                }
            }
            State::from_index(pairs.len() - 1)
        });
        let children = rule
            .children
            .iter()
            .copied()
            .zip(with.children.iter().copied());
        rules.push(Rule {
            symbol: rule.symbol,
            children: children.map(|pair| numbers[&pair]).collect(),
            target,
        });
    }
    let mut accepting = Bits::with_capacity(pairs.len());
    let both = |&(_, &(p, q)): &(usize, &(State, State))| one.accepts_in(p) && other.accepts_in(q);
    let all = pairs.iter().enumerate();
    accepting.extend(all.filter(both).map(|(number, _)| number));
    Ok(TreeAutomaton::new(one.alphabet().clone(), accepting, rules).trimmed())
}

/// By state of the first automaton, the states of the second one that have a tree in common with
/// it. Both are over one alphabet.
///
/// # Panics
/// If they are not.
pub fn meeting(
    one: &TreeAutomaton,
    other: &TreeAutomaton,
    budget: &Budget,
) -> Result<Vec<Bits>, Stop> {
    assert_eq!(one.alphabet(), other.alphabet());
    let mut found = vec![Bits::with_capacity(other.states()); one.states()];
    let mut waiting: FxHashMap<(State, State), Vec<usize>> = FxHashMap::default();
    let mut combined: Vec<((State, State), usize)> = Vec::new();
    let mut ready: Vec<usize> = Vec::new();
    for rule in one.rules() {
        for with in other.rules_for(rule.symbol) {
            budget.charge(1)?;
            for (&p, &q) in rule.children.iter().zip(&with.children) {
                waiting.entry((p, q)).or_default().push(combined.len());
            }
            if rule.children.is_empty() {
                ready.push(combined.len());
            }
            combined.push(((rule.target, with.target), rule.children.len()));
        }
    }
    while let Some(number) = ready.pop() {
        let (pair, _) = combined[number];
        if found[pair.0.index()].put(pair.1.index()) {
            continue;
        }
        for &user in waiting.get(&pair).map_or(&[][..], Vec::as_slice) {
            budget.charge(1)?;
            combined[user].1 -= 1;
            if combined[user].1 == 0 {
                ready.push(user);
            }
        }
    }
    Ok(found)
}

/// All other trees over the alphabet of the automaton.
///
/// It is made deterministic and complete, which takes as many rules as there are tuples of
/// states for the widest symbol: where only an inclusion is asked for, ask
/// [`inclusion`](crate::inclusion).
pub fn complement(automaton: &TreeAutomaton, budget: &Budget) -> Result<TreeAutomaton, Stop> {
    let complete = complete(automaton, budget)?;
    let mut others = complete.accepting().clone();
    others.toggle_range(..);
    Ok(complete.accepting_in(others).trimmed())
}
