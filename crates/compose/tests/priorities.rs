//! Priorities of a whole system: searched as they are, and built into one component.

mod support;

use proptest::prelude::*;
use quotient_compose::{
    ERROR, Goals, Keep, Network, NodeId, Options, Question, State, Strategy as Method, System,
    Violation, Way, check, explore, explore_deep, explore_reduced, replay,
};
use quotient_core::{Budget, Context, Verdict};
use support::*;

const SHAPE: Shape = Shape {
    states: 4,
    letters: 3,
    silent: true,
    error: true,
    end: true,
};

/// Components side by side, the first letter before or after the others, then perhaps another
/// name for it.
fn system(plans: &[Plan], high: bool, rename: bool) -> System {
    let (actions, letters) = letters(3);
    let mut system = System::new();
    system.actions = actions;
    let leaves: Vec<NodeId> = plans
        .iter()
        .enumerate()
        .map(|(number, plan)| system.process(format!("P{number}"), plan.lts(&letters)))
        .collect();
    let whole = system.parallel(leaves);
    let whole = match high {
        true => system.high(whole, [letters[0]]),
        false => system.low(whole, [letters[0]]),
    };
    if rename {
        system.relabel(whole, [(letters[0], letters[1])]);
    }
    system
}

fn context() -> Context {
    Context::default()
}

/// The states that the definition of steps leads to.
fn reachable(network: &Network) -> usize {
    let mut seen: std::collections::BTreeSet<Vec<State>> = [network.initial()].into();
    let mut waiting = vec![network.initial()];
    while let Some(state) = waiting.pop() {
        for (_, next) in network.steps(&state) {
            if !next.contains(&ERROR) && seen.insert(next.clone()) {
                waiting.push(next);
            }
        }
    }
    seen.len()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn what_gives_way_is_left_out_on_the_way(
        plans in proptest::collection::vec(plans(SHAPE), 1..4),
        high: bool,
        rename: bool,
    ) {
        let budget = Budget::unlimited();
        let system = system(&plans, high, rename);
        let kept = Network::with_priorities(&system, &budget).unwrap();
        let built = Network::new(&system, &budget).unwrap();
        prop_assert_eq!(kept.components().len(), plans.len());
        prop_assert_eq!(built.components().len(), 1);
        prop_assert_eq!(
            kept.compose(&budget).unwrap().reachable(),
            built.compose(&budget).unwrap().reachable()
        );
        for goals in [(true, true), (false, true), (true, false)] {
            let goals = Goals { deadlock: goals.0, error: goals.1 };
            let mut lengths = Vec::new();
            for (network, threads) in [(&kept, 1), (&kept, 2), (&built, 1)] {
                let found = explore(network, goals, threads, &context()).unwrap();
                if let Some((violation, events)) = &found.finding {
                    let trace = replay(network, events, *violation, &budget).unwrap();
                    prop_assert!(trace.is_some());
                }
                let is_deadlock = |(violation, events): (Violation, Vec<_>)| {
                    (violation == Violation::Deadlock, events.len())
                };
                lengths.push(found.finding.map(is_deadlock));
            }
            let steps = |found: &Option<(bool, usize)>| found.map(|(_, steps)| steps);
            prop_assert_eq!(steps(&lengths[0]), steps(&lengths[1]));
            prop_assert_eq!(steps(&lengths[0]), steps(&lengths[2]));
        }
        let none = Goals { deadlock: false, error: false };
        let searched = explore(&kept, none, 2, &context()).unwrap();
        if kept.initial().iter().all(|&state| state != ERROR) {
            prop_assert_eq!(searched.states, reachable(&kept) as u64);
        }
    }

    #[test]
    fn all_ways_agree(
        plans in proptest::collection::vec(plans(SHAPE), 1..4),
        high: bool,
    ) {
        let system = system(&plans, high, false);
        let question = Question::Safety { deadlock: false };
        let verdicts = [Way::Monolithic, Way::Automatic, Way::Assumptions(Method::default())].map(|way| {
            let options = Options { way, threads: 1, search_first: 4, only: None };
            check(&system, &question, &options, &context()).unwrap().verdict()
        });
        prop_assert_eq!(&verdicts[0], &verdicts[1]);
        // Without anything that errs there is nothing to prove.
        if !matches!(verdicts[2], Verdict::Unknown(_)) {
            prop_assert_eq!(&verdicts[0], &verdicts[2]);
        }
    }
}

#[test]
fn methods_that_leave_out_steps_refuse_priorities() {
    let step = Plan {
        states: 2,
        edges: vec![(0, 1, 1)],
        alphabet: vec![],
        end: None,
    };
    let system = system(&[step], true, false);
    let network = Network::with_priorities(&system, &Budget::unlimited()).unwrap();
    assert!(explore_reduced(&network, Keep::Deadlocks, 1, &context()).is_err());
    assert!(explore_deep(&network, Keep::Errors, &context()).is_err());
}
