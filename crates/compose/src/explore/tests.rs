//! The search against a naive one, which takes every step and keeps sorted sets.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use proptest::prelude::*;

use super::*;
use crate::product::{Part, Scratch};
use crate::{ERROR, LtsBuilder};

/// A part: letters that it knows, edges (from, which letter, to) and whether some are silent.
type Plan = (Vec<usize>, Vec<(u32, usize, u32)>, bool);

const STATES: u32 = 4;

fn plans() -> impl Strategy<Value = Vec<Plan>> {
    let letters = proptest::collection::vec(1..12usize, 1..4);
    let edges = proptest::collection::vec((0..STATES, 0..4usize, 0..STATES + 1), 1..9);
    let plan = (letters, edges, proptest::bool::weighted(0.2));
    proptest::collection::vec(plan, 1..6)
}

fn product(plans: &[Plan], errs: bool) -> Product {
    let parts = plans.iter().map(|(letters, edges, silent)| {
        let mut builder = LtsBuilder::new();
        builder.alphabet(letters.iter().map(|&letter| Action::from_index(letter)));
        for &(from, letter, to) in edges {
            let action = match letters.get(letter) {
                Some(&letter) => Action::from_index(letter),
                None if *silent => Action::TAU,
                None => Action::from_index(letters[0]),
            };
            let to = match to {
                STATES if errs => ERROR,
                to => (to % STATES).into(),
            };
            builder.edge(from, action, to);
        }
        Part::new(builder.build())
    });
    Product::new(parts.collect()).unwrap()
}

fn steps(product: &Product, state: &Word<1>) -> Vec<(Action, Target<1>)> {
    let mut steps = Vec::new();
    let _ = product.expand(state, &mut Scratch::default(), |action, target| {
        steps.push((action, target));
        ControlFlow::<()>::Continue(())
    });
    steps
}

fn naive(product: &Product, goals: Goals) -> Exploration {
    let Target::State(initial) = product.initial::<1>() else {
        panic!("no part begins in its error state");
    };
    let mut met = BTreeSet::from([initial]);
    let mut levels = vec![met.clone()];
    let (mut transitions, mut sightings) = (0, BTreeSet::new());
    let is_last_met = loop {
        let mut next = BTreeSet::new();
        for &state in &levels[levels.len() - 1] {
            let steps = steps(product, &state);
            transitions += steps.len() as u64;
            if goals.deadlock && steps.is_empty() && !product.has_ended(&state) {
                sightings.insert(Sighting::Deadlock(state));
            }
            for (action, target) in steps {
                match target {
                    Target::State(target) if met.insert(target) => {
                        next.insert(target);
                    }
                    Target::Error(part) if goals.error => {
                        sightings.insert(Sighting::Error(state, action, part));
                    }
                    _ => {}
                }
            }
        }
        if next.is_empty() || !sightings.is_empty() {
            break next.is_empty();
        }
        levels.push(next);
    };
    let finding = sightings.first().map(|sighting| match *sighting {
        Sighting::Deadlock(state) => (Violation::Deadlock, way(product, &levels, state)),
        Sighting::Error(state, action, part) => {
            let mut way = way(product, &levels, state);
            way.push(action);
            (Violation::Error(part), way)
        }
    });
    Exploration {
        states: levels.iter().map(|level| level.len() as u64).sum(),
        transitions,
        depth: levels.len() as u64 - u64::from(is_last_met),
        finding,
    }
}

/// The least way by levels to a state of the last one.
fn way(product: &Product, levels: &[BTreeSet<Word<1>>], last: Word<1>) -> Vec<Action> {
    let mut way = Vec::new();
    let mut target = last;
    for level in levels[..levels.len() - 1].iter().rev() {
        let leads = |state: &Word<1>| {
            let mut steps = steps(product, state).into_iter();
            let action = steps.find(|step| step.1 == Target::State(target));
            action.map(|(action, _)| (*state, action))
        };
        let (state, action) = level.iter().find_map(leads).unwrap();
        target = state;
        way.push(action);
    }
    way.reverse();
    way
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn leaving_out_steps_changes_nothing(
        plans in plans(),
        errs in any::<bool>(),
        deadlock in any::<bool>(),
        narrow in 0..8u64,
        entries in prop_oneof![Just(0usize), 0..40usize, Just(MOST_ENTRIES)],
    ) {
        let layout = Layout { narrow, entries };
        let product = product(&plans, errs);
        let goals = Goals { deadlock, error: errs };
        let cx = Context::default();
        let expected = naive(&product, goals);
        for threads in 1..4 {
            let found = search::<1>(&product, goals, None, threads, layout, &cx).unwrap();
            prop_assert_eq!(&found, &expected);
        }
        let wide = search::<3>(&product, goals, None, 2, layout, &cx).unwrap();
        prop_assert_eq!(&wide, &expected);
    }
}
