//! What is told about the inside of built components is what they do.

mod support;

use proptest::prelude::*;
use quotient_compose::{ERROR, Network, State, System};
use quotient_core::Budget;
use support::*;

const SHAPE: Shape = Shape {
    states: 3,
    letters: 3,
    silent: true,
    error: true,
    end: true,
};

/// Three components; two of them together have priorities, perhaps the whole again.
fn system(plans: &[Plan], hide: bool, high: bool, again: bool) -> System {
    let (actions, letters) = letters(3);
    let mut system = System::new();
    system.actions = actions;
    let mut leaves = Vec::new();
    for (number, plan) in plans.iter().enumerate() {
        leaves.push(system.process(format!("P{number}"), plan.lts(&letters)));
    }
    let mut pair = system.parallel([leaves[0], leaves[1]]);
    if hide {
        pair = system.hide(pair, [letters[0]]);
    }
    pair = match high {
        true => system.high(pair, [letters[1]]),
        false => system.low(pair, [letters[1]]),
    };
    pair = system.relabel(pair, [(letters[1], letters[2])]);
    let mut whole = system.parallel([pair, leaves[2]]);
    if again {
        whole = system.low(whole, [letters[2]]);
    }
    system.set_root(whole);
    system
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn moves_inside_lead_where_the_components_go(
        plans in proptest::collection::vec(plans(SHAPE), 3),
        hide: bool,
        high: bool,
        again: bool,
    ) {
        let budget = Budget::unlimited();
        let system = system(&plans, hide, high, again);
        let network = Network::new(&system, &budget).unwrap();
        let interior = network.interior(&budget).unwrap();
        let names: Vec<&str> = interior.names().collect();
        prop_assert_eq!(&names, &["P0", "P1", "P2"]);
        let mut todo: Vec<Vec<State>> = vec![network.initial()];
        let mut seen = todo.clone();
        while let Some(before) = todo.pop() {
            for (event, after) in network.steps(&before) {
                let happening = interior.happening(&before, event, &after);
                prop_assert!(!happening.moves.is_empty());
                let mut inside = interior.states(&before);
                for &(part, state) in &happening.moves {
                    inside[part] = state;
                    // Whoever takes part in an action has it in its alphabet.
                    if let Some(label) = happening.label.as_deref().filter(|_| !event.is_tau()) {
                        let mut alphabet = interior.alphabet(part);
                        prop_assert!(alphabet.any(|known| known == label || known == "b"));
                    }
                }
                if after.contains(&ERROR) {
                    prop_assert!(inside.contains(&ERROR));
                    continue;
                }
                // Different ends of a built component are one.
                let ended = network.steps(&after).is_empty();
                if !ended {
                    prop_assert_eq!(inside, interior.states(&after));
                }
                if !seen.contains(&after) {
                    seen.push(after.clone());
                    todo.push(after);
                }
            }
        }
    }

    #[test]
    fn states_of_the_whole_know_those_of_the_components(
        plans in proptest::collection::vec(plans(SHAPE), 3),
        hide: bool,
        high: bool,
        again: bool,
    ) {
        let budget = Budget::unlimited();
        let system = system(&plans, hide, high, again);
        let network = Network::new(&system, &budget).unwrap();
        let (whole, states) = network.compose_with_states(&budget).unwrap();
        prop_assert_eq!(&whole, &network.compose(&budget).unwrap());
        if whole.initial() != ERROR {
            prop_assert_eq!(states(whole.initial()), network.initial());
        }
        for (from, edge) in whole.all_edges() {
            let mut steps = network.steps(&states(from)).into_iter();
            let found = steps.any(|(event, after)| {
                let lands = match edge.target {
                    ERROR => after.contains(&ERROR),
                    // Different ends are one state.
                    target if whole.end() == Some(target) => network.steps(&after).is_empty(),
                    target => after == states(target),
                };
                network.shown(event) == edge.action && lands
            });
            prop_assert!(found, "{} by {:?}", from, edge);
        }
    }
}
