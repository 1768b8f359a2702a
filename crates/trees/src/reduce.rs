//! Smaller automata for the same set, in polynomial time.

use quotient_core::{Budget, Stop};

use crate::{Relation, Rule, State, TreeAutomaton};

/// An automaton for the same set with states merged that simulate each other downward, and
/// without rules that a larger one covers. Where that takes too long, only useless states go.
pub fn reduce(automaton: &TreeAutomaton, budget: &Budget) -> Result<TreeAutomaton, Stop> {
    let automaton = automaton.trimmed();
    let share = budget.child_with_work(20_000_000);
    let relation = match Relation::downward(&automaton, &share) {
        Ok(relation) => relation,
        Err(_) => {
            budget.poll()?;
            return Ok(automaton);
        }
    };
    let mut class: Vec<State> = Vec::with_capacity(automaton.states());
    let mut leaders: Vec<State> = Vec::new();
    for state in automaton.all_states() {
        let alike =
            |&leader: &State| relation.holds(leader, state) && relation.holds(state, leader);
        let found = leaders.iter().position(alike);
        class.push(State::from_index(found.unwrap_or(leaders.len())));
        if found.is_none() {
            leaders.push(state);
        }
    }
    let merged = automaton.merged(&class, leaders.len());
    let below =
        |small: State, large: State| relation.holds(leaders[small.index()], leaders[large.index()]);
    let covers = |large: &Rule, small: &Rule| {
        large != small
            && large.target == small.target
            && small
                .children
                .iter()
                .zip(&large.children)
                .all(|(&p, &q)| below(p, q))
    };
    let mut kept: Vec<Rule> = Vec::new();
    for rule in merged.rules() {
        let others = merged.rules_for(rule.symbol);
        budget.charge(others.len() as u64)?;
        if !others.iter().any(|other| covers(other, rule)) {
            kept.push(rule.clone());
        }
    }
    let accepting = merged.accepting().clone();
    Ok(TreeAutomaton::new(merged.alphabet().clone(), accepting, kept).trimmed())
}
