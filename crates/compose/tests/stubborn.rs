//! Reduced searches against the search of the whole system.

mod support;

use proptest::prelude::*;
use quotient_compose::{
    Goals, Keep, Lts, Network, Violation, explore, explore_deep, explore_reduced, replay,
};
use quotient_core::{Budget, Context};
use support::*;

const SHAPE: Shape = Shape {
    states: 4,
    letters: 3,
    silent: true,
    error: false,
    end: true,
};

fn network(components: &[(Plan, Vec<usize>)], properties: &[(Plan, Vec<usize>)]) -> Network {
    Network::new(
        &among_neighbours(components, properties),
        &Budget::unlimited(),
    )
    .unwrap()
}

fn agrees(network: &Network, keep: Keep) -> Result<(), TestCaseError> {
    let goals = Goals {
        deadlock: keep == Keep::Deadlocks,
        error: keep != Keep::Deadlocks,
    };
    let cx = Context::default();
    let whole = explore(network, goals, 1, &cx).unwrap();
    let reduced = explore_reduced(network, keep, 1, &cx).unwrap();
    prop_assert_eq!(&reduced, &explore_reduced(network, keep, 2, &cx).unwrap());
    let deep = explore_deep(network, keep, &cx).unwrap();
    prop_assert_eq!(deep.finding.is_some(), reduced.finding.is_some());
    match &deep.finding {
        None => prop_assert_eq!(
            (deep.states, deep.transitions),
            (reduced.states, reduced.transitions)
        ),
        Some((violation, events)) => {
            prop_assert!(
                replay(network, events, *violation, &cx.budget)
                    .unwrap()
                    .is_some()
            );
        }
    }
    match (&whole.finding, &reduced.finding) {
        (None, None) => prop_assert!(reduced.states <= whole.states),
        (Some((_, shortest)), Some((violation, events))) => {
            let replayed = replay(network, events, *violation, &cx.budget).unwrap();
            prop_assert!(replayed.is_some());
            prop_assert_eq!(*violation == Violation::Deadlock, goals.deadlock);
            match keep {
                Keep::Errors => prop_assert!(events.len() >= shortest.len()),
                _ => prop_assert_eq!(events.len(), shortest.len()),
            }
        }
        (whole, reduced) => prop_assert!(false, "{whole:?} but {reduced:?}"),
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn no_deadlock_is_missed(
        components in any::<bool>().prop_flat_map(|error| neighbours(Shape { error, ..SHAPE }, 5)),
    ) {
        agrees(&network(&components, &[]), Keep::Deadlocks)?;
    }

    #[test]
    fn no_error_is_missed(
        components in any::<bool>().prop_flat_map(|error| neighbours(Shape { error, ..SHAPE }, 5)),
        letters in proptest::sample::subsequence((0..7).collect::<Vec<usize>>(), 2),
        property in proptest::option::of(specifications(3, 2)),
    ) {
        let properties: Vec<_> = property.into_iter().map(|plan| (plan, letters.clone())).collect();
        let network = network(&components, &properties);
        agrees(&network, Keep::NearestErrors)?;
        agrees(&network, Keep::Errors)?;
    }
}

/// Processes that go round alone, and one that errs: none of the first may be looked at for
/// ever before the last.
#[test]
fn going_round_does_not_put_off_an_error() {
    let (actions, letters) = letters(4);
    let mut parts: Vec<Lts> = (0..3)
        .map(|letter| {
            let mut builder = quotient_compose::LtsBuilder::new();
            builder
                .edge(0, letters[letter], 1)
                .edge(1, letters[letter], 0);
            builder.build()
        })
        .collect();
    let mut erring = quotient_compose::LtsBuilder::new();
    erring
        .edge(0, letters[3], 1)
        .edge(1, letters[3], quotient_compose::ERROR);
    parts.push(erring.build());
    let network = Network::new(&side_by_side(&actions, &parts), &Budget::unlimited()).unwrap();
    let found = explore_reduced(&network, Keep::Errors, 1, &Context::default()).unwrap();
    assert_eq!(found.finding.unwrap().0, Violation::Error(3));
}
