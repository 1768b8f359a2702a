//! What others make of exchanges.

#[path = "../../tests/support/models.rs"]
mod models;

use proptest::prelude::*;
use quotient_certify::certify_components;
use quotient_core::Evidence;
use quotient_lts::evidence::{NO_ERROR, STUBBORN, Sought, StubbornData, TurnData};

use super::*;
use crate::clubs;
use crate::evidence::{swap_data, system_data, turn_data};
use crate::stubborn::sticky_events;
use crate::{LtsBuilder, Question, System};

/// The claim that a search has found nothing.
fn claim(network: &Network, symmetry: &Symmetry, keep: Keep) -> StubbornData {
    let (sought, (sticky, sticky_silence)) = match keep {
        Keep::Deadlocks => (Sought::Deadlock, Default::default()),
        _ => {
            let sticky = sticky_events(network, Some(symmetry), &Budget::unlimited());
            (Sought::Error, sticky.unwrap())
        }
    };
    let sets = symmetry.swaps();
    StubbornData {
        system: system_data(network),
        sought,
        sticky,
        sticky_silence,
        alike: sets
            .map(|swaps| swaps.iter().map(swap_data).collect())
            .collect(),
        turn: symmetry.turn().map(turn_data),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn others_accept_that_nothing_was_found_and_only_then(
        club in any::<bool>().prop_flat_map(clubs::clubs),
    ) {
        let (system, network) = (club.system(), club.network());
        let cx = Context::default();
        let Some(symmetry) = Symmetry::of(&network, &cx.budget).unwrap() else {
            return Ok(());
        };
        // With less work than that it would not have been found.
        let too_little = cx.budget.child_with_work(LEAST_ROUNDS * find::round(&network) - 1);
        prop_assert!(find::alike(&network, &too_little).is_err());
        for (keep, about) in [(Keep::Deadlocks, "no deadlock"), (Keep::Errors, NO_ERROR)] {
            let found = explore_alike(&network, &symmetry, keep, Order::Nearest, &cx).unwrap();
            let evidence = Evidence::of_holds(STUBBORN, &claim(&network, &symmetry, keep));
            let question = Question::default();
            let evidence = evidence.about(about);
            let certified = certify_components(&evidence, &system, &question, &cx.budget);
            prop_assert_eq!(certified.is_ok(), found.finding.is_none(), "{:?}", certified);
        }
    }
}

#[test]
fn others_do_not_accept_components_as_alike_that_are_not() {
    let system = models::queue(5);
    let budget = Budget::unlimited();
    let network = Network::new(&system, &budget).unwrap();
    let symmetry = Symmetry::of(&network, &budget).unwrap().unwrap();
    let data = claim(&network, &symmetry, Keep::Deadlocks);
    let certify = |data: &StubbornData| {
        let evidence = Evidence::of_holds(STUBBORN, data).about("no deadlock");
        certify_components(&evidence, &system, &Question::default(), &budget)
    };
    let facts = certify(&data).unwrap().facts;
    assert!(facts.iter().any(|fact| fact.starts_with("4 exchanges")));
    let is_refused = |change: fn(&mut StubbornData)| {
        let mut wrong = data.clone();
        change(&mut wrong);
        certify(&wrong).is_err()
    };
    assert!(is_refused(|data| data.alike[0][0].states.clear()));
    assert!(is_refused(|data| data.alike[0][0].events.truncate(1)));
    assert!(is_refused(|data| data.alike[0][0].events.push((0, 1))));
    assert!(is_refused(|data| data.alike[0][0].components = vec![(0, 5)]));
    assert!(is_refused(
        |data| data.alike[0][0].components = vec![(0, 99)]
    ));
    assert!(is_refused(|data| data.alike[0][0].states[0].1[0] = 7));
}

/// A ring of five with a thing between any two neighbours: each takes the one before it, perhaps
/// gives it back, and takes the one behind it. There is no deadlock.
fn ring() -> System {
    const COUNT: usize = 5;
    let mut system = System::new();
    let names = ["take", "back"].into_iter();
    let mut all = names.map(|name| {
        let each = (0..COUNT).map(|at| system.actions.intern(&format!("{name}.{at}")));
        each.collect::<Vec<_>>()
    });
    let (take, back) = (all.next().unwrap(), all.next().unwrap());
    drop(all);
    let parts: Vec<_> = (0..COUNT)
        .map(|at| {
            let mut builder = LtsBuilder::new();
            let next = (at + 1) % COUNT;
            builder
                .edge(0, take[at], 1)
                .edge(0, take[next], 0)
                .edge(1, back[at], 0)
                .edge(1, take[next], 2)
                .edge(2, back[at], 0);
            system.process(format!("P{at}"), builder.build())
        })
        .collect();
    system.parallel(parts);
    system
}

#[test]
fn others_do_not_accept_turns_that_change_something() {
    let system = ring();
    let budget = Budget::unlimited();
    let network = Network::new(&system, &budget).unwrap();
    let symmetry = Symmetry::of(&network, &budget).unwrap().unwrap();
    assert_eq!(symmetry.places(), Some(5));
    let data = claim(&network, &symmetry, Keep::Deadlocks);
    let certify = |data: &StubbornData| {
        let evidence = Evidence::of_holds(STUBBORN, data).about("no deadlock");
        certify_components(&evidence, &system, &Question::default(), &budget)
    };
    let facts = certify(&data).unwrap().facts;
    assert!(facts.iter().any(|fact| fact.starts_with("to turn")));
    let is_refused = |change: fn(&mut TurnData)| {
        let mut wrong = data.clone();
        change(wrong.turn.as_mut().unwrap());
        certify(&wrong).is_err()
    };
    assert!(is_refused(|turn| turn.components.swap(0, 1)));
    assert!(is_refused(|turn| turn.components[0] = turn.components[1]));
    assert!(is_refused(|turn| turn.components[0] = 99));
    assert!(is_refused(|turn| turn.components.truncate(4)));
    assert!(is_refused(|turn| turn.events.swap(1, 2)));
    assert!(is_refused(|turn| turn.events.swap(0, 1)));
    assert!(is_refused(|turn| turn.events[1] = turn.events[2]));
    assert!(is_refused(|turn| turn.events[1] = u32::MAX));
    assert!(is_refused(|turn| turn.states.push((0, vec![1, 0, 2]))));
    assert!(is_refused(|turn| turn.states.push((0, vec![0, 0, 2]))));
    assert!(is_refused(|turn| turn.states.push((9, vec![0, 1, 2]))));
    // Twice is a turn as well; none at all is one.
    let mut twice = data.clone();
    let turn = twice.turn.as_mut().unwrap();
    let once = turn.clone();
    turn.components = once
        .components
        .iter()
        .map(|&at| once.components[at])
        .collect();
    turn.events = once
        .events
        .iter()
        .map(|&at| once.events[at as usize])
        .collect();
    assert!(certify(&twice).is_ok());
    let none = StubbornData { turn: None, ..data };
    assert!(certify(&none).is_ok());
}
