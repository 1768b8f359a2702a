//! Members that are alike to the others: their events are taken for one, and the verdict stays.

use proptest::prelude::*;
use quotient_certify::certify_components;
use quotient_core::{Budget, Context, Evidence};
use quotient_lts::Question;
use quotient_lts::evidence::{AGGREGATED, AggregatedData, AggregationData, LtsData, NO_DEADLOCK};

use super::*;
use crate::evidence::system_data;
use crate::support::*;
use crate::{Goals, System, Violation, explore, replay};

const MEMBER: Shape = Shape {
    states: 3,
    letters: 3,
    silent: true,
    error: false,
    end: false,
};

/// Members with letters of their own and one that they share with the next, and a component that
/// does the same whoever acts.
fn club(members: &[Plan], keeper: &Plan) -> System {
    let count = members.len();
    let (actions, letters) = letters(3 * count);
    let mut parts: Vec<Lts> = Vec::new();
    for (at, plan) in members.iter().enumerate() {
        let own = [3 * at, 3 * at + 1, (3 * at + 5) % (3 * count)].map(|letter| letters[letter]);
        parts.push(plan.lts(&own));
    }
    let mut builder = LtsBuilder::new();
    builder.at_least(keeper.states as usize);
    for &(from, letter, to) in &keeper.edges {
        for member in 0..count {
            match letter {
                0 => builder.edge(from, Action::TAU, to.min(keeper.states - 1)),
                letter => {
                    let event = letters[3 * member + (letter - 1) % 2];
                    builder.edge(from, event, to.min(keeper.states - 1))
                }
            };
        }
    }
    parts.push(builder.build());
    side_by_side(&actions, &parts)
}

fn tree_of(network: &Network, way: (Order, bool)) -> Tree {
    let all = network.components().iter().enumerate();
    let processes: Vec<(usize, Lts)> = all
        .map(|(at, component)| (at, prepared(&component.lts, None)))
        .collect();
    let budget = Budget::unlimited();
    Tree::build(processes.len(), processes, way, &Aim::Stuck, &budget).unwrap()
}

fn evidence(network: &Network, tree: Tree) -> Evidence {
    let number = |event: Action| event.index() as u32;
    let steps = tree.steps().into_iter().map(|step| AggregationData {
        small: LtsData::new("", &step.small),
        parts: step.parts,
        merged: step
            .merged
            .iter()
            .map(|&(gone, kept)| (number(gone), number(kept)))
            .collect(),
    });
    let data = AggregatedData {
        system: system_data(network),
        watchers: Vec::new(),
        steps: steps.collect(),
    };
    Evidence::of_holds(AGGREGATED, &data).about(NO_DEADLOCK)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn events_taken_for_others_change_no_verdict(
        members in proptest::collection::vec(plans(MEMBER), 2..5),
        keeper in plans(Shape { letters: 2, ..MEMBER }),
    ) {
        let system = club(&members, &keeper);
        let network = Network::new(&system, &Budget::unlimited()).unwrap();
        let goals = Goals { deadlock: true, error: false };
        let searched = explore(&network, goals, 1, &Context::default()).unwrap();
        for order in [Order::Anywhere, Order::Growing] {
            let tree = tree_of(&network, (order, true));
            let found = trace::to_deadlock(&tree, &Budget::unlimited()).unwrap();
            prop_assert_eq!(found.is_some(), searched.finding.is_some());
            if let Some(events) = found {
                let replayed =
                    replay(&network, &events, Violation::Deadlock, &Budget::unlimited()).unwrap();
                prop_assert!(replayed.is_some(), "{:?}", events);
            }
            let evidence = evidence(&network, tree);
            let question = Question::default();
            let certified = certify_components(&evidence, &system, &question, &Budget::unlimited());
            prop_assert_eq!(certified.is_ok(), searched.finding.is_none(), "{:?}", certified);
        }
    }

    #[test]
    fn events_taken_for_others_hide_no_error(
        members in proptest::collection::vec(plans(Shape { error: true, ..MEMBER }), 2..5),
        keeper in plans(Shape { letters: 2, ..MEMBER }),
    ) {
        let system = club(&members, &keeper);
        let budget = Budget::unlimited();
        let network = Network::new(&system, &budget).unwrap();
        let acting = network.components().iter();
        prop_assume!(acting.clone().all(|component| !component.lts.alphabet().is_empty()));
        let Some((about, _)) = crate::safety_properties(&network).into_iter().next() else {
            return Ok(());
        };
        let goals = Goals { deadlock: false, error: true };
        let searched = explore(&network, goals, 1, &Context::default()).unwrap();
        let processes: Vec<(usize, Lts)> =
            acting.map(|component| endless(&component.lts)).enumerate().collect();
        let way = (Order::Anywhere, true);
        let tree = Tree::build(processes.len(), processes, way, &Aim::Errors, &budget).unwrap();
        let found = trace::to_error(&tree, &budget).unwrap();
        prop_assert_eq!(found.is_some(), searched.finding.is_some());
        if let Some(events) = found {
            let mut parts = 0..network.components().len();
            prop_assert!(parts.any(|part| {
                let violation = Violation::Error(part);
                replay(&network, &events, violation, &budget).unwrap().is_some()
            }), "{:?}", events);
        }
        // What is said about one property is shown of all that can err.
        let evidence = evidence(&network, tree).about(&about);
        let certified = certify_components(&evidence, &system, &Question::default(), &budget);
        prop_assert_eq!(certified.is_ok(), searched.finding.is_none(), "{:?}", certified);
    }
}

/// Philosophers with a butler who lets one less than all sit down.
fn butler(count: usize) -> System {
    let mut system = System::new();
    let mut named = |what: &str, who: usize| system.actions.intern(&format!("{what}.{who:02}"));
    let mut parts = Vec::new();
    let mut keeper = LtsBuilder::new();
    for at in 0..count {
        let next = (at + 1) % count;
        let [sit, rise, left, right, drop_left, drop_right] = [
            named("sit", at),
            named("rise", at),
            named("left", at),
            named("right", at),
            named("drop_left", at),
            named("drop_right", at),
        ];
        let mut philosopher = LtsBuilder::new();
        philosopher
            .edge(0, sit, 1)
            .edge(1, right, 2)
            .edge(2, left, 3);
        philosopher
            .edge(3, drop_left, 4)
            .edge(4, drop_right, 5)
            .edge(5, rise, 0);
        parts.push(philosopher.build());
        let mut fork = LtsBuilder::new();
        fork.edge(0, right, 1).edge(1, drop_right, 0);
        fork.edge(0, named("left", next), 1)
            .edge(1, named("drop_left", next), 0);
        parts.push(fork.build());
        for seated in 0..count as u32 - 1 {
            keeper
                .edge(seated, sit, seated + 1)
                .edge(seated + 1, rise, seated);
        }
    }
    parts.push(keeper.build());
    let numbers: Vec<_> = parts
        .into_iter()
        .enumerate()
        .map(|(at, lts)| system.process(format!("P{at}"), lts))
        .collect();
    system.parallel(numbers);
    system
}

#[test]
fn to_a_butler_it_does_not_matter_who_sits_down() {
    let system = butler(5);
    let network = Network::new(&system, &Budget::unlimited()).unwrap();
    let [plain, merged] = [false, true].map(|merges| tree_of(&network, (Order::Anywhere, merges)));
    assert!(merged.nodes.iter().any(|node| !node.merged.is_empty()));
    for tree in [&merged, &plain] {
        let found = trace::to_deadlock(tree, &Budget::unlimited()).unwrap();
        assert_eq!(found, None);
    }
    let right = evidence(&network, merged);
    let question = Question::default();
    let certified = |evidence: &Evidence| {
        certify_components(evidence, &system, &question, &Budget::unlimited()).is_ok()
    };
    assert!(certified(&right));
    // Events that the butler tells apart must not be taken for one.
    let data: AggregatedData = right.read().unwrap();
    for (at, step) in data.steps.iter().enumerate() {
        for pair in 0..step.merged.len() {
            let mut forged = data.clone();
            let (gone, kept) = forged.steps[at].merged[pair];
            forged.steps[at].merged[pair] = (gone, kept + 1);
            assert!(!certified(
                &Evidence::of_holds(AGGREGATED, &forged).about(NO_DEADLOCK)
            ));
            forged.steps[at].merged.remove(pair);
            assert!(!certified(
                &Evidence::of_holds(AGGREGATED, &forged).about(NO_DEADLOCK)
            ));
        }
    }
}
