//! Operations against their definitions.

mod support;

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use quotient_compose::operations::{complete, determinise, hide, minimise, project};
use quotient_compose::{
    Action, ERROR, Edge, Equivalence, Lts, LtsBuilder, Network, NodeId, State, System,
};
use quotient_core::Budget;
use support::*;

const SHAPE: Shape = Shape {
    states: 5,
    letters: 2,
    silent: true,
    error: true,
    end: true,
};

fn budget() -> Budget {
    Budget::unlimited()
}

/// Drops the edges of each state that give way to others, then what cannot be reached.
fn prioritise(lts: &Lts, listed: Action, high: bool) -> Lts {
    let wins = |edge: &Edge| (edge.action == listed) == high;
    let mut builder = LtsBuilder::shaped_like(lts);
    builder.alphabet(lts.alphabet().iter().copied());
    for state in lts.all_states() {
        let edges = lts.edges(state);
        let is_won = edges.iter().any(wins);
        for edge in edges.iter().filter(|edge| !is_won || wins(edge)) {
            builder.edge(state, edge.action, edge.target);
        }
    }
    builder.build().reachable()
}

/// A relation as large as possible that a function keeps shrinking.
fn greatest(
    left: &Lts,
    right: &Lts,
    matches: impl Fn(&BTreeSet<(State, State)>, State, State) -> bool,
) -> bool {
    let states = |lts: &Lts| lts.all_states().chain([ERROR]).collect::<Vec<_>>();
    let mut relation: BTreeSet<(State, State)> = states(left)
        .into_iter()
        .flat_map(|l| states(right).into_iter().map(move |r| (l, r)))
        .filter(|&(l, r)| (l == ERROR) == (r == ERROR))
        .collect();
    loop {
        let kept: BTreeSet<_> = relation
            .iter()
            .copied()
            .filter(|&(l, r)| matches(&relation, l, r))
            .collect();
        if kept.len() == relation.len() {
            return relation.contains(&(left.initial(), right.initial()));
        }
        relation = kept;
    }
}

fn strongly_bisimilar(left: &Lts, right: &Lts) -> bool {
    greatest(left, right, |relation, l, r| {
        let ends = (left.end() == Some(l)) == (right.end() == Some(r));
        let forth = left.edges(l).iter().all(|e| {
            right
                .successors(r, e.action)
                .iter()
                .any(|f| relation.contains(&(e.target, f.target)))
        });
        let back = right.edges(r).iter().all(|f| {
            left.successors(l, f.action)
                .iter()
                .any(|e| relation.contains(&(e.target, f.target)))
        });
        ends && forth && back
    })
}

/// Whether a state can silently come to the end, and the states after that.
fn ended(lts: &Lts, state: State) -> BTreeSet<State> {
    let before = silently(lts, &BTreeSet::from([state]));
    match lts.end().filter(|end| before.contains(end)) {
        Some(end) => silently(lts, &BTreeSet::from([end])),
        None => BTreeSet::new(),
    }
}

fn weakly(lts: &Lts, state: State, action: Action) -> BTreeSet<State> {
    let before = silently(lts, &BTreeSet::from([state]));
    match action.is_tau() {
        true => before,
        false => after(lts, &before, action),
    }
}

fn weakly_bisimilar(left: &Lts, right: &Lts) -> bool {
    greatest(left, right, |relation, l, r| {
        let forth = left.edges(l).iter().all(|e| {
            weakly(right, r, e.action)
                .iter()
                .any(|&t| relation.contains(&(e.target, t)))
        });
        let back = right.edges(r).iter().all(|f| {
            weakly(left, l, f.action)
                .iter()
                .any(|&t| relation.contains(&(t, f.target)))
        });
        let ends =
            left.end() != Some(l) || ended(right, r).iter().any(|&f| relation.contains(&(l, f)));
        let likewise =
            right.end() != Some(r) || ended(left, l).iter().any(|&e| relation.contains(&(e, r)));
        ends && likewise && forth && back
    })
}

/// Whether two different states of one system are related: then it is not minimal.
fn has_twins(lts: &Lts, same: impl Fn(&Lts, &Lts) -> bool) -> bool {
    let from = |state: State| {
        let mut builder = LtsBuilder::new();
        builder.at_least(lts.states()).initial(state);
        lts.end().map(|end| builder.end(end));
        for (source, edge) in lts.all_edges() {
            builder.edge(source, edge.action, edge.target);
        }
        builder.build()
    };
    let states = lts.all_states();
    states
        .clone()
        .any(|l| states.clone().any(|r| l < r && same(&from(l), &from(r))))
}

/// Composition by its definition, on tuples.
fn composed(parts: &[Lts]) -> BTreeMap<(Vec<State>, Action), BTreeSet<Vec<State>>> {
    let error = vec![ERROR; parts.len()];
    let merge = |state: Vec<State>| match state.contains(&ERROR) {
        true => error.clone(),
        false => state,
    };
    let initial = merge(parts.iter().map(Lts::initial).collect());
    let mut steps = BTreeMap::new();
    let mut seen = BTreeSet::from([initial.clone()]);
    let mut todo = vec![initial];
    while let Some(state) = todo.pop() {
        let found = match state == error {
            true => Vec::new(),
            false => steps_together(&parts.iter().collect::<Vec<_>>(), &state),
        };
        let merged = found
            .into_iter()
            .map(|(action, next)| (action, merge(next)));
        for (action, next) in merged {
            steps
                .entry((state.clone(), action))
                .or_insert_with(BTreeSet::new)
                .insert(next.clone());
            if seen.insert(next.clone()) {
                todo.push(next);
            }
        }
    }
    steps
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn composition_follows_its_definition(plans in proptest::collection::vec(plans(SHAPE), 1..4)) {
        let (actions, letters) = letters(2);
        let parts: Vec<Lts> = plans.iter().map(|plan| plan.lts(&letters)).collect();
        let network = Network::new(&side_by_side(&actions, &parts), &budget()).unwrap();
        let built = network.compose(&budget()).unwrap();
        let steps = composed(&parts);
        // All states without a step in which everything that can end has ended are one state.
        let can_end = parts.iter().any(|part| part.end().is_some())
            && parts.iter().flat_map(Lts::alphabet).all(|&action| {
                parts.iter().any(|part| part.end().is_some() && part.knows(action))
            });
        let moves: BTreeSet<&Vec<State>> = steps.keys().map(|(from, _)| from).collect();
        let has_ended = |state: &Vec<State>| {
            let mut pairs = parts.iter().zip(state);
            can_end
                && !state.contains(&ERROR)
                && !moves.contains(state)
                && pairs.all(|(part, &at)| part.end().is_none_or(|end| end == at))
        };
        // Rebuild the definition's graph as a system and compare up to bisimulation.
        let end_mark = Vec::new();
        let mut numbers: BTreeMap<Vec<State>, State> = BTreeMap::new();
        let mut number = |state: &Vec<State>| match state.contains(&ERROR) {
            true => ERROR,
            false => {
                let fresh = State::from_index(numbers.len());
                let key = if has_ended(state) { &end_mark } else { state };
                *numbers.entry(key.clone()).or_insert(fresh)
            }
        };
        let mut builder = LtsBuilder::new();
        builder.initial(number(&parts.iter().map(Lts::initial).collect()));
        for ((from, action), targets) in &steps {
            for target in targets {
                builder.edge(number(from), *action, number(target));
            }
        }
        if let Some(&end) = numbers.get(&end_mark) {
            builder.end(end);
        }
        let expected = builder.build();
        prop_assert_eq!(built.transitions(), expected.transitions());
        prop_assert_eq!(built.states(), expected.states());
        prop_assert!(strongly_bisimilar(&built, &expected));
    }

    #[test]
    fn strong_minimisation_is_bisimilar_and_minimal(plan in plans(SHAPE)) {
        let lts = plan.lts(&letters(2).1);
        let small = minimise(&lts, Equivalence::Strong, &budget()).unwrap();
        prop_assert!(strongly_bisimilar(&lts, &small));
        prop_assert!(!has_twins(&small, strongly_bisimilar));
    }

    #[test]
    fn weak_minimisation_is_weakly_bisimilar_and_minimal(plan in plans(SHAPE)) {
        let lts = plan.lts(&letters(2).1);
        let small = minimise(&lts, Equivalence::Weak, &budget()).unwrap();
        prop_assert!(weakly_bisimilar(&lts, &small));
        prop_assert!(!has_twins(&small, weakly_bisimilar));
    }

    #[test]
    fn trace_minimisation_keeps_traces_and_errors(plan in plans(SHAPE)) {
        let lts = plan.lts(&letters(2).1);
        let small = minimise(&lts, Equivalence::Trace, &budget()).unwrap();
        prop_assert!(small.is_deterministic());
        prop_assert!(!has_twins(&small, strongly_bisimilar));
        // An error ends a trace in the small system; the large one may have other ways on.
        let errs = |lts: &Lts| -> BTreeSet<Vec<Action>> {
            traces(lts, 5).into_iter().filter(|(_, err)| *err).map(|(trace, _)| trace).collect()
        };
        let (large, little) = (errs(&lts), errs(&small));
        for trace in &little {
            prop_assert!(large.contains(trace));
        }
        for trace in &large {
            prop_assert!((0..=trace.len()).any(|n| little.contains(&trace[..n])));
        }
        let safe = |lts: &Lts| -> BTreeSet<Vec<Action>> {
            let met = |trace: &[Action]| (0..=trace.len()).any(|n| large.contains(&trace[..n]));
            traces(lts, 5).into_iter().map(|(t, _)| t).filter(|t| !met(t)).collect()
        };
        prop_assert_eq!(safe(&lts), safe(&small));
        prop_assert!(small.states() <= determinise(&lts, &budget()).unwrap().states());
    }

    #[test]
    fn completion_errs_on_exactly_the_other_traces(plan in specifications(4, 2)) {
        let lts = plan.lts(&letters(2).1);
        let observer = complete(&lts);
        for (trace, errs) in traces(&observer, 4) {
            let own = traces(&lts, 4).contains(&(trace.clone(), false));
            prop_assert_eq!(own, !errs, "{:?}", trace);
        }
    }

    #[test]
    fn projection_and_hiding_keep_the_rest_of_traces(plan in plans(SHAPE)) {
        let letters = letters(2).1;
        let lts = plan.lts(&letters);
        let projected = project(&lts, &letters[..1]);
        prop_assert_eq!(projected.alphabet(), &letters[..1]);
        let hidden = hide(&lts, |action| action == letters[1]);
        prop_assert_eq!(traces(&projected, 3), traces(&hidden, 3));
        let short: BTreeSet<Vec<Action>> = traces(&lts, 4)
            .into_iter()
            .map(|(trace, _)| trace.into_iter().filter(|&a| a == letters[0]).collect())
            .collect();
        for trace in short {
            prop_assert!(traces(&projected, 4).iter().any(|(t, _)| *t == trace));
        }
    }

    /// What gives way is not even looked at while composing; here it is, and dropped after.
    #[test]
    fn priorities_while_composing_are_priorities_after_it(
        plans in proptest::collection::vec(plans(SHAPE), 2..4),
        hidden: bool,
        high: bool,
    ) {
        let (actions, letters) = letters(2);
        let compose = |priority: bool| {
            let mut system = System::new();
            system.actions = actions.clone();
            let leaves: Vec<NodeId> = plans
                .iter()
                .map(|plan| system.process("P", plan.lts(&letters)))
                .collect();
            let mut whole = system.parallel(leaves);
            if hidden {
                whole = system.hide(whole, [letters[1]]);
            }
            match (priority, high) {
                (false, _) => whole,
                (true, true) => system.high(whole, [letters[0]]),
                (true, false) => system.low(whole, [letters[0]]),
            };
            let network = Network::new(&system, &budget()).unwrap();
            network.compose(&budget()).unwrap()
        };
        let after = prioritise(&compose(false), letters[0], high);
        prop_assert_eq!(compose(true).reachable(), after);
    }
}

#[test]
fn a_silently_busy_system_is_stuck_after_weak_minimisation() {
    let mut builder = LtsBuilder::new();
    builder.edge(0, Action::TAU, 1).edge(1, Action::TAU, 0);
    let small = minimise(&builder.build(), Equivalence::Weak, &budget()).unwrap();
    assert_eq!((small.states(), small.transitions()), (1, 0));
}
