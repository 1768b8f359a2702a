//! Merging states only adds trees, and a refinement takes back the false alarm that it is for.

use std::sync::Arc;

use quotient_bits::Bits;
use quotient_core::Budget;
use quotient_forest::Abstraction;
use quotient_trees::{Alphabet, Rule, State, Symbol, TreeAutomaton, inclusion, intersection};
use quotient_trial::arbitrary::{Result as Drawn, Unstructured};

fn automaton(u: &mut Unstructured, alphabet: &Arc<Alphabet>) -> Drawn<TreeAutomaton> {
    let count = u.int_in_range(1..=5)?;
    let mut rules = Vec::new();
    for _ in 0..u.int_in_range(2..=10)? {
        let symbol = Symbol::from_index(u.int_in_range(0..=3)?);
        let mut state = || u.int_in_range(0..=count - 1).map(State::from_index);
        let children: Drawn<Box<[State]>> = (0..alphabet.arity(symbol)).map(|_| state()).collect();
        rules.push(Rule {
            symbol,
            children: children?,
            target: state()?,
        });
    }
    let mut accepting = Bits::with_capacity(count);
    accepting.insert(u.int_in_range(0..=count - 1)?);
    Ok(TreeAutomaton::new(alphabet.clone(), accepting, rules).trimmed())
}

#[test]
fn merged_sets_are_larger_and_refinement_separates() {
    let mut alphabet = Alphabet::default();
    for (name, arity) in [("a", 0), ("b", 0), ("g", 1), ("f", 2)] {
        alphabet.add(name, arity);
    }
    let alphabet = Arc::new(alphabet);
    let free = Budget::unlimited();
    quotient_trial::trial(|u| {
        let (set, other) = (automaton(u, &alphabet)?, automaton(u, &alphabet)?);
        for height in 0..4 {
            let merged = Abstraction::Height(height).apply(&set, &free).unwrap();
            assert!(inclusion(&set, &merged, &free).unwrap().holds());
        }
        let exact = Abstraction::Height(set.states() + 1)
            .apply(&set, &free)
            .unwrap();
        assert!(inclusion(&exact, &set, &free).unwrap().holds());
        let mut abstraction = Abstraction::Predicates(Vec::new());
        let merged = abstraction.apply(&set, &free).unwrap();
        assert!(inclusion(&set, &merged, &free).unwrap().holds());
        if intersection(&set, &other, &free).unwrap().is_empty() {
            abstraction.refine(other.clone()).unwrap();
            let finer = abstraction.apply(&set, &free).unwrap();
            assert!(intersection(&finer, &other, &free).unwrap().is_empty());
        }
        Ok(())
    })
    .budget_ms(2_000);
}
