//! What others make of exchanges.

#[path = "../../tests/support/clubs.rs"]
mod clubs;
#[path = "../../tests/support/models.rs"]
mod models;

use proptest::prelude::*;
use quotient_certify::certify_components;
use quotient_core::Evidence;
use quotient_lts::evidence::{NO_ERROR, STUBBORN, Sought, StubbornData};

use super::*;
use crate::Question;
use crate::evidence::{swap_data, system_data};
use crate::stubborn::sticky_events;
use crate::support;

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
