//! Every rule, source of assumptions and alphabet against the monolithic search, and every
//! assumption against the premises of its rule, checked the slow way.

mod support;

use proptest::prelude::*;
use quotient_compose::operations::complete;
use quotient_compose::{
    Algorithm, Alphabet, Decomposition, Goals, Heuristic, Lts, Means, Network, Rule, Start,
    Statistics, Strategy as Way, explore, prove,
};
use quotient_core::{Budget, Conclusion, Context, Limits, Verdict};
use support::premises::{premises_hold, replays};
use support::*;

const SHAPE: Shape = Shape {
    states: 4,
    letters: 4,
    silent: true,
    error: false,
    end: false,
};

fn ways(network: &Network, property: usize) -> Vec<Way> {
    let others = (0..network.components().len()).filter(|&at| at != property);
    let others: Vec<usize> = others.collect();
    let mut decompositions = vec![Decomposition::Separate, Decomposition::Halves];
    if let [first, rest @ ..] = &others[..]
        && !rest.is_empty()
    {
        // Either side may be the one that asks.
        let (first, rest) = (vec![*first], rest.to_vec());
        let orders = [vec![first.clone(), rest.clone()], vec![rest, first]];
        decompositions.extend(orders.map(Decomposition::Given));
    }
    let mut ways = Vec::new();
    let refined = |start, heuristic| Alphabet::Refined { start, heuristic };
    let alphabets = [
        Alphabet::Whole,
        refined(Start::Property, Heuristic::Backward),
        refined(Start::Empty, Heuristic::Forward),
        refined(Start::Empty, Heuristic::AllDifference),
    ];
    let sources = [
        (Rule::Asymmetric, Means::Learn(Algorithm::LSharp)),
        (Rule::Asymmetric, Means::Learn(Algorithm::LStar)),
        (Rule::Circular, Means::Learn(Algorithm::LSharp)),
        (Rule::Circular, Means::Learn(Algorithm::LStar)),
        (Rule::Symmetric, Means::Learn(Algorithm::LStar)),
        (Rule::Asymmetric, Means::Abstract),
        (Rule::Asymmetric, Means::Weakest),
    ];
    for (rule, means) in sources {
        for alphabet in alphabets {
            ways.extend(decompositions.iter().map(|decomposition| Way {
                rule,
                means,
                alphabet,
                decomposition: decomposition.clone(),
            }));
        }
    }
    ways
}

fn agree(network: &Network, property: usize) -> Result<(), TestCaseError> {
    let cx = Context::default();
    let goals = Goals {
        deadlock: false,
        error: true,
    };
    let whole = explore(network, goals, 1, &cx).unwrap();
    for way in ways(network, property) {
        let mut statistics = Statistics::default();
        let mut cx = Context {
            limits: Limits {
                refinements: Some(2000),
            },
            ..Context::default()
        };
        let outcome = prove(network, &[property], &way, &mut statistics, &mut cx);
        match outcome {
            Ok(Conclusion::Holds(proof)) => {
                prop_assert!(whole.finding.is_none(), "{:?}", way);
                prop_assert!(premises_hold(network, &proof), "{:?}", way);
            }
            Ok(Conclusion::Violated(events)) => {
                prop_assert!(whole.finding.is_some(), "{:?}", way);
                prop_assert!(replays(network, &events), "{:?}: {:?}", way, events);
            }
            other => prop_assert!(false, "{:?}: {:?}", way, other.map(|c| c.verdict())),
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn every_way_agrees_with_the_monolithic_search(
        plans in proptest::collection::vec(plans(SHAPE), 1..4),
        property in specifications(3, 4),
    ) {
        let (actions, letters) = letters(4);
        let mut parts: Vec<Lts> = plans.iter().map(|plan| plan.lts(&letters)).collect();
        parts.push(complete(&property.lts(&letters)));
        let network = Network::new(&side_by_side(&actions, &parts), &Budget::unlimited()).unwrap();
        agree(&network, parts.len() - 1)?;
    }
}

/// A network of systems given by their edges over letters from 1; the last is the property.
fn network(parts: &[(&[(u32, usize, u32)], &[usize])]) -> Network {
    let (actions, letters) = letters(5);
    let plan = |edges: &[(u32, usize, u32)], alphabet: &[usize]| Plan {
        states: edges.iter().map(|e| e.0.max(e.2) + 1).max().unwrap_or(1),
        edges: edges.to_vec(),
        alphabet: alphabet.iter().map(|letter| letter - 1).collect(),
        end: None,
    };
    let mut systems: Vec<Lts> = parts
        .iter()
        .map(|&(edges, alphabet)| plan(edges, alphabet).lts(&letters))
        .collect();
    let property = systems.pop().unwrap();
    systems.push(complete(&property));
    Network::new(&side_by_side(&actions, &systems), &Budget::unlimited()).unwrap()
}

const A: usize = 1;
const X: usize = 2;
const E: usize = 3;
const Y: usize = 4;

#[test]
fn equal_action_sets_in_another_order_do_not_stop_all_difference() {
    // M1 does a x e or x a, M2 does x a, and e is forbidden.
    let network = network(&[
        (
            &[(0, A, 1), (1, X, 2), (2, E, 3), (0, X, 4), (4, A, 5)],
            &[],
        ),
        (&[(0, X, 1), (1, A, 2)], &[]),
        (&[(0, A, 0)], &[E]),
    ]);
    agree(&network, 2).unwrap();
}

#[test]
fn an_action_that_is_never_done_is_not_reached_without_it() {
    // The environment does a for ever and knows b; b is forbidden.
    let network = network(&[
        (&[(0, A, 0), (0, X, 0)], &[]),
        (&[(0, A, 0)], &[X]),
        (&[(0, A, 0)], &[X]),
    ]);
    agree(&network, 2).unwrap();
}

#[test]
fn a_start_abstraction_without_real_steps_ends() {
    // The environment does nothing but knows all.
    let network = network(&[
        (&[(0, A, 1), (1, X, 0)], &[]),
        (&[], &[A, X]),
        (&[(0, A, 0)], &[X]),
    ]);
    agree(&network, 2).unwrap();
}

#[test]
fn the_symmetric_rule_is_complete_for_three_components() {
    // M1 does x only after a, M2 blocks a, M3 is busy with y; x is forbidden.
    let network = network(&[
        (&[(0, A, 1), (1, X, 1)], &[]),
        (&[], &[A]),
        (&[(0, Y, 0)], &[]),
        (&[(0, Y, 0)], &[X]),
    ]);
    agree(&network, 3).unwrap();
    let way = Way {
        rule: Rule::Symmetric,
        ..Way::default()
    };
    let outcome = prove(
        &network,
        &[3],
        &way,
        &mut Statistics::default(),
        &mut Context::default(),
    );
    assert_eq!(outcome.unwrap().verdict(), Verdict::Holds);
}
