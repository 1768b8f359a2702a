//! The smallest deterministic automaton.

use std::collections::BTreeMap;

use quotient_core::{Budget, Stop};

use crate::{State, Symbol, TreeAutomaton, determinise};

/// The deterministic automaton for the same set with the fewest states; trees that belong to no
/// tree of the set are in no state.
///
/// States are told apart as long as some symbol, with the same states beside them, leads to
/// states that are told apart already (Moore 1956, on trees).
pub fn minimise(automaton: &TreeAutomaton, budget: &Budget) -> Result<TreeAutomaton, Stop> {
    let automaton = determinise(automaton, budget)?.trimmed();
    let mut class: Vec<State> = (0..automaton.states())
        .map(|state| State::from_index(automaton.accepting().contains(state).into()))
        .collect();
    let mut count = 0;
    loop {
        let mut signatures: Vec<Vec<(Symbol, usize, Vec<State>, State)>> =
            vec![Vec::new(); automaton.states()];
        for rule in automaton.rules() {
            budget.charge(rule.children.len() as u64 + 1)?;
            for (place, &child) in rule.children.iter().enumerate() {
                let mut beside = rule.children.to_vec();
                beside.remove(place);
                let target = class[rule.target.index()];
                signatures[child.index()].push((rule.symbol, place, beside, target));
            }
        }
        let mut numbers = BTreeMap::new();
        let mut next = Vec::with_capacity(class.len());
        for (state, mut signature) in signatures.into_iter().enumerate() {
            signature.sort_unstable();
            let fresh = State::from_index(numbers.len());
            next.push(*numbers.entry((class[state], signature)).or_insert(fresh));
        }
        let before = std::mem::replace(&mut count, numbers.len());
        class = next;
        if before == count {
            return Ok(automaton.merged(&class, count));
        }
    }
}
