//! Simulations between states: what one can do, the other can.

use quotient_bits::Bits;
use quotient_core::{Budget, Stop};

use crate::{Rule, State, TreeAutomaton};

/// A relation between the states of an automaton.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relation {
    rows: Vec<Bits>,
}

impl Relation {
    /// Whether the second state simulates the first one.
    pub fn holds(&self, small: State, large: State) -> bool {
        self.rows[small.index()].contains(large.index())
    }

    /// The states that simulate one.
    pub fn above(&self, small: State) -> &Bits {
        &self.rows[small.index()]
    }

    /// The greatest downward simulation: every rule into the smaller state has one with the same
    /// symbol into the larger one, whose children simulate. Trees in the smaller state are in
    /// the larger one.
    pub fn downward(automaton: &TreeAutomaton, budget: &Budget) -> Result<Relation, Stop> {
        let states = automaton.states();
        let mut into: Vec<Vec<&Rule>> = vec![Vec::new(); states];
        for rule in automaton.rules() {
            into[rule.target.index()].push(rule);
        }
        let mut all = Bits::with_capacity(states);
        all.insert_range(..);
        let mut relation = Relation {
            rows: vec![all; states],
        };
        let answered = |rule: &Rule, large: usize, relation: &Relation| {
            let rules = &into[large];
            let from = rules.partition_point(|one| one.symbol < rule.symbol);
            let alike = rules[from..]
                .iter()
                .take_while(|one| one.symbol == rule.symbol);
            let simulates = |one: &&Rule| {
                let mut pairs = rule.children.iter().zip(&one.children);
                pairs.all(|(&small, &large)| relation.holds(small, large))
            };
            alike.copied().any(|one| simulates(&one))
        };
        let mut changed = true;
        while changed {
            changed = false;
            for (small, rules) in into.iter().enumerate() {
                let candidates: Vec<usize> = relation.rows[small].ones().collect();
                for large in candidates {
                    if small == large {
                        continue;
                    }
                    budget.charge(1 + rules.len() as u64)?;
                    let mut rules = rules.iter();
                    if !rules.all(|rule| answered(rule, large, &relation)) {
                        relation.rows[small].set(large, false);
                        changed = true;
                    }
                }
            }
        }
        Ok(relation)
    }

    /// The greatest upward simulation above a downward one: wherever the smaller state stands
    /// below a symbol, the larger one can, beside states that simulate downward, and what is
    /// above simulates again.
    pub fn upward(
        automaton: &TreeAutomaton,
        downward: &Relation,
        budget: &Budget,
    ) -> Result<Relation, Stop> {
        let states = automaton.states();
        let mut from: Vec<Vec<(&Rule, usize)>> = vec![Vec::new(); states];
        for rule in automaton.rules() {
            for (place, &child) in rule.children.iter().enumerate() {
                from[child.index()].push((rule, place));
            }
        }
        let mut all = Bits::with_capacity(states);
        all.insert_range(..);
        let mut rows = vec![all; states];
        for small in automaton.accepting().ones() {
            rows[small] = automaton.accepting().clone();
        }
        let mut relation = Relation { rows };
        let answered = |rule: &Rule, place: usize, large: usize, relation: &Relation| {
            let rules = &from[large];
            let begin = rules.partition_point(|(one, _)| one.symbol < rule.symbol);
            let alike = rules[begin..]
                .iter()
                .take_while(|(one, _)| one.symbol == rule.symbol);
            alike.filter(|(_, there)| *there == place).any(|(one, _)| {
                let mut pairs = rule.children.iter().zip(&one.children).enumerate();
                relation.holds(rule.target, one.target)
                    && pairs.all(|(at, (&p, &q))| at == place || downward.holds(p, q))
            })
        };
        let mut changed = true;
        while changed {
            changed = false;
            for (small, rules) in from.iter().enumerate() {
                let candidates: Vec<usize> = relation.rows[small].ones().collect();
                for large in candidates {
                    if small == large {
                        continue;
                    }
                    budget.charge(1 + rules.len() as u64)?;
                    let mut rules = rules.iter();
                    if !rules.all(|&(rule, place)| answered(rule, place, large, &relation)) {
                        relation.rows[small].set(large, false);
                        changed = true;
                    }
                }
            }
        }
        Ok(relation)
    }
}
