//! The monolithic search against the built composition.

mod support;

use std::collections::{BTreeMap, VecDeque};

use proptest::prelude::*;
use quotient_compose::{
    Action, ERROR, Exploration, Goals, Lts, Network, State, Violation, explore,
};
use quotient_core::{Budget, Context, Stop};
use support::*;

const SHAPE: Shape = Shape {
    states: 5,
    letters: 3,
    silent: true,
    error: true,
    end: true,
};

fn network(parts: &[Lts]) -> Network {
    let (actions, _) = letters(3);
    Network::new(&side_by_side(&actions, parts), &Budget::unlimited()).unwrap()
}

fn search(network: &Network, goals: Goals, threads: usize) -> Exploration {
    explore(network, goals, threads, &Context::default()).unwrap()
}

/// The distance of every state of a built system; `ERROR` is one of them.
fn distances(lts: &Lts) -> BTreeMap<State, usize> {
    let mut distances = BTreeMap::from([(lts.initial(), 0)]);
    let mut todo = VecDeque::from([lts.initial()]);
    while let Some(state) = todo.pop_front() {
        let next = distances[&state] + 1;
        for edge in lts.edges(state) {
            distances.entry(edge.target).or_insert_with(|| {
                todo.push_back(edge.target);
                next
            });
        }
    }
    distances
}

fn is_stuck(lts: &Lts, state: State) -> bool {
    state != ERROR && lts.edges(state).is_empty() && lts.end() != Some(state)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn nearest_violations_are_found_whatever_the_threads(
        plans in any::<bool>().prop_flat_map(|silent| {
            proptest::collection::vec(plans(Shape { silent, ..SHAPE }), 1..4)
        }),
        deadlock in any::<bool>(),
        error in any::<bool>(),
    ) {
        let parts: Vec<Lts> = plans.iter().map(|plan| plan.lts(&letters(3).1)).collect();
        let network = network(&parts);
        let built = network.compose(&Budget::unlimited()).unwrap();
        let goals = Goals { deadlock, error };
        let one = search(&network, goals, 1);
        for threads in 2..4 {
            prop_assert_eq!(&one, &search(&network, goals, threads));
        }
        let nearest = distances(&built)
            .into_iter()
            .filter(|&(state, _)| (error && state == ERROR) || (deadlock && is_stuck(&built, state)))
            .map(|(_, distance)| distance)
            .min();
        match &one.finding {
            None => {
                prop_assert_eq!(nearest, None);
                let met = if built.initial() == ERROR { 0 } else { built.states() as u64 };
                // The built system has one state for all in which its parts have ended.
                prop_assert!(one.states >= met);
                prop_assert!(one.states == met || built.end().is_some());
            }
            Some((violation, trace)) => {
                prop_assert_eq!(Some(trace.len()), nearest);
                // The trace leads there in the built system too.
                let mut states = vec![built.initial()];
                for &event in trace {
                    let action = network.shown(event);
                    states = states.iter().flat_map(|&s| built.successors(s, action)).map(|e| e.target).collect();
                }
                let there = match violation {
                    Violation::Deadlock => states.iter().any(|&state| is_stuck(&built, state)),
                    Violation::Error(part) => {
                        states.contains(&ERROR) && parts[*part].has_error()
                    }
                };
                prop_assert!(there);
            }
        }
    }
}

#[test]
fn an_empty_network_is_one_state_that_is_stuck() {
    let goals = Goals {
        deadlock: true,
        error: true,
    };
    let found = search(&network(&[]), goals, 1);
    assert_eq!(found.finding, Some((Violation::Deadlock, Vec::new())));
}

#[test]
fn a_budget_stops_the_search_on_all_threads() {
    let (_, letters) = letters(3);
    let mut builder = quotient_compose::LtsBuilder::new();
    for state in 0..10_000 {
        builder.edge(state, letters[state as usize % 3], state + 1);
    }
    let network = network(&[builder.build()]);
    for threads in 1..4 {
        let cx = Context {
            budget: Budget::unlimited().child_with_work(100),
            ..Context::default()
        };
        let goals = Goals {
            deadlock: true,
            error: true,
        };
        assert_eq!(explore(&network, goals, threads, &cx), Err(Stop::Work));
    }
}

#[test]
fn hidden_actions_of_two_copies_do_not_meet() {
    let mut system = quotient_compose::System::new();
    let (a, b) = (system.actions.intern("a"), system.actions.intern("b"));
    let mut builder = quotient_compose::LtsBuilder::new();
    builder.edge(0, a, 1).edge(1, b, 0);
    let process = system.process("P", builder.build());
    let hidden = system.hide(process, [a]);
    system.parallel([hidden, hidden]);
    let network = Network::new(&system, &Budget::unlimited()).unwrap();
    let built = network.compose(&Budget::unlimited()).unwrap();
    assert_eq!((built.states(), built.transitions()), (4, 5));
    assert_eq!(built.alphabet(), [b]);
    assert!(
        built
            .all_edges()
            .all(|(_, edge)| [Action::TAU, b].contains(&edge.action))
    );
}

#[test]
fn actions_that_become_one_name_stay_different_events() {
    // P does a, Q does b; both are shown as x, and a third component counts two x.
    let mut system = quotient_compose::System::new();
    let names = ["a", "b", "x"].map(|name| system.actions.intern(name));
    let [a, b, x] = names;
    let once = |action| {
        let mut builder = quotient_compose::LtsBuilder::new();
        builder.edge(0, action, 1);
        builder.build()
    };
    let mut two = quotient_compose::LtsBuilder::new();
    two.edge(0, x, 1).edge(1, x, 2);
    let (p, q) = (system.process("P", once(a)), system.process("Q", once(b)));
    let both = system.parallel([p, q]);
    let renamed = system.relabel(both, [(a, x), (b, x)]);
    let counter = system.process("C", two.build());
    system.parallel([renamed, counter]);
    let network = Network::new(&system, &Budget::unlimited()).unwrap();
    let built = network.compose(&Budget::unlimited()).unwrap();
    assert_eq!((built.states(), built.transitions()), (4, 4));
}
