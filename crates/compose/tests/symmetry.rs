//! Searches among alike components against the search of the whole system.

#[path = "support/clubs.rs"]
mod clubs;
#[path = "support/models.rs"]
mod models;
mod support;

use clubs::clubs;
use proptest::prelude::*;
use quotient_certify::certify_components;
use quotient_compose::{
    Goals, Keep, Lts, LtsBuilder, Network, Options, Order, Question, Symmetry, System, Violation,
    Way, check, explore, explore_alike, explore_reduced, replay,
};
use quotient_core::{Budget, Context};
use support::*;

fn agrees(network: &Network) -> Result<bool, TestCaseError> {
    let cx = Context::default();
    let Some(symmetry) = Symmetry::of(network, &cx.budget).unwrap() else {
        return Ok(false);
    };
    for keep in [Keep::Deadlocks, Keep::NearestErrors, Keep::Errors] {
        let goals = Goals {
            deadlock: keep == Keep::Deadlocks,
            error: keep != Keep::Deadlocks,
        };
        let whole = explore(network, goals, 1, &cx).unwrap();
        let found = explore_alike(network, &symmetry, keep, Order::Nearest, &cx).unwrap();
        let deep = explore_alike(network, &symmetry, keep, Order::Deepest, &cx).unwrap();
        prop_assert_eq!(deep.finding.is_some(), found.finding.is_some());
        if let Some((violation, events)) = &deep.finding {
            let replayed = replay(network, events, *violation, &cx.budget).unwrap();
            prop_assert!(replayed.is_some(), "{violation:?} by {events:?}");
        }
        match (&whole.finding, &found.finding) {
            (None, None) => prop_assert!(found.states <= whole.states),
            (Some((_, shortest)), Some((violation, events))) => {
                let replayed = replay(network, events, *violation, &cx.budget).unwrap();
                prop_assert!(replayed.is_some(), "{violation:?} by {events:?}");
                prop_assert_eq!(*violation == Violation::Deadlock, goals.deadlock);
                match keep {
                    Keep::Errors => prop_assert!(events.len() >= shortest.len()),
                    _ => prop_assert_eq!(events.len(), shortest.len()),
                }
            }
            (whole, found) => prop_assert!(false, "{whole:?} but {found:?}"),
        }
    }
    Ok(true)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn alike_members_are_found_and_nothing_is_missed(
        club in any::<bool>().prop_flat_map(clubs),
    ) {
        let is_found = agrees(&club.network())?;
        prop_assert!(is_found || club.missing.is_some());
    }

    #[test]
    fn whatever_is_taken_for_alike_is(
        components in any::<bool>().prop_flat_map(|error| neighbours(
            Shape { states: 2, letters: 2, silent: true, error, end: true },
            6,
        )),
    ) {
        let system = among_neighbours(&components, &[]);
        agrees(&Network::new(&system, &Budget::unlimited()).unwrap())?;
    }
}

#[test]
fn states_grow_with_how_many_do_what_and_not_with_who_does() {
    let cx = Context::default();
    for customers in [4, 12, 24] {
        let network = Network::new(&models::queue(customers), &cx.budget).unwrap();
        let symmetry = Symmetry::of(&network, &cx.budget).unwrap().unwrap();
        assert_eq!(symmetry.sizes().collect::<Vec<_>>(), [customers]);
        let found =
            explore_alike(&network, &symmetry, Keep::Deadlocks, Order::Nearest, &cx).unwrap();
        assert_eq!(found.finding, None);
        // How many are in the queue, and whether somebody has paid.
        assert!(
            found.states <= 3 * (customers as u64 + 1),
            "{}",
            found.states
        );
    }
}

/// A ring of components that do the same, each with an action of its own and one with each neighbour.
fn ring(plan: &Plan, count: usize) -> System {
    let (actions, letters) = letters(2 * count);
    let parts = (0..count).map(|at| {
        let next = (at + 1) % count;
        plan.lts(&[letters[count + at], letters[at], letters[next]])
    });
    side_by_side(&actions, &parts.collect::<Vec<Lts>>())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_ring_can_be_turned_and_nothing_is_missed(
        plan in any::<bool>().prop_flat_map(|error| plans(
            Shape { states: 3, letters: 3, silent: true, error, end: true },
        )),
        count in 3..6usize,
    ) {
        let system = ring(&plan, count);
        let network = Network::new(&system, &Budget::unlimited()).unwrap();
        prop_assert!(agrees(&network)?);
        is_certified(&system)?;
    }
}

#[test]
fn of_a_ring_one_state_is_looked_at_for_all_its_turns() {
    // Everybody takes the thing before it, perhaps gives it back, and lets the next one take the one behind it.
    let plan = Plan {
        states: 3,
        edges: vec![(0, 2, 1), (0, 3, 0), (1, 1, 0), (1, 3, 2), (2, 1, 0)],
        alphabet: vec![0, 1, 2],
        end: None,
    };
    let cx = Context::default();
    for count in [3, 5, 8] {
        let network = Network::new(&ring(&plan, count), &cx.budget).unwrap();
        let symmetry = Symmetry::of(&network, &cx.budget).unwrap().unwrap();
        assert_eq!(
            (symmetry.sizes().count(), symmetry.places()),
            (0, Some(count))
        );
        let goals = Goals {
            deadlock: true,
            error: false,
        };
        let whole = explore(&network, goals, 1, &cx).unwrap();
        let found =
            explore_alike(&network, &symmetry, Keep::Deadlocks, Order::Nearest, &cx).unwrap();
        assert_eq!(found.finding.is_some(), whole.finding.is_some());
        let reduced = explore_reduced(&network, Keep::Deadlocks, 1, &cx).unwrap();
        assert!(found.states < reduced.states && reduced.states <= whole.states);
    }
}

#[test]
fn neighbours_in_a_ring_are_not_alike() {
    let count = 7;
    let (actions, letters) = letters(2 * count);
    let parts: Vec<Lts> = (0..count)
        .map(|at| {
            let mut builder = LtsBuilder::new();
            builder
                .edge(0, letters[at], 1)
                .edge(1, letters[count + at], 2)
                .edge(2, letters[(at + 1) % count], 0);
            builder.build()
        })
        .collect();
    let system = side_by_side(&actions, &parts);
    let network = Network::new(&system, &Budget::unlimited()).unwrap();
    let symmetry = Symmetry::of(&network, &Budget::unlimited()).unwrap();
    let symmetry = symmetry.expect("a turn");
    assert_eq!((symmetry.sizes().count(), symmetry.places()), (0, Some(7)));
}

/// What the whole check says, with few states searched at first, and that others accept what it
/// shows.
fn is_certified(system: &System) -> Result<(), TestCaseError> {
    let question = Question::default();
    let [whole, alike] = [Way::Monolithic, Way::Automatic].map(|way| {
        let options = Options {
            way,
            threads: 1,
            search_first: 600,
            only: None,
        };
        check(system, &question, &options, &Context::default()).unwrap()
    });
    prop_assert_eq!(whole.verdict(), alike.verdict());
    for answer in &alike.answers {
        let evidence = answer.evidence.as_ref().unwrap();
        let certified = certify_components(evidence, system, &question, &Budget::unlimited());
        prop_assert!(certified.is_ok(), "{certified:?}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn what_was_searched_is_accepted_by_others(club in any::<bool>().prop_flat_map(clubs)) {
        is_certified(&club.system())?;
    }
}
