//! Runs step by step offer exactly what the composed system can do.

mod common;

use std::collections::BTreeSet;

use quotient_compose::{ERROR, State};
use quotient_core::Budget;
use quotient_fsp::{Animation, Status};

const TEXTS: [(&str, &str); 3] = [
    (
        "PHIL = (sit -> right.get -> left.get -> eat -> left.put -> right.put -> PHIL).
         FORK = (get -> put -> FORK).
         ||D = forall [i:0..2] (p[i]:PHIL || {p[i].left, p[((i-1)+3)%3].right}::FORK).",
        "D",
    ),
    (
        "A = (a -> b -> END | c -> ERROR). B = (b -> d -> END).
         ||P = (A || B) << {c}.",
        "P",
    ),
    (
        "COIN = (toss -> heads -> COIN | toss -> tails -> COIN).
         property NO = (heads -> NO) + {tails}.
         ||S = (COIN || x:COIN || NO).",
        "S",
    ),
];

#[test]
fn choices_are_the_transitions_of_the_whole() {
    for (text, name) in TEXTS {
        let budget = Budget::unlimited();
        let compiled = common::compiled(text, name).unwrap();
        let network = compiled.network(&budget).unwrap();
        let whole = network.compose(&budget).unwrap();
        let mut seed = 7u64;
        for _ in 0..20 {
            let mut run = Animation::new(&network, &budget).unwrap();
            // All states that the whole may be in after what has happened.
            let mut states: BTreeSet<State> = BTreeSet::from([whole.initial()]);
            for length in 0..30 {
                assert_eq!(run.len(), length);
                let choices = run.choices();
                let edges = || states.iter().flat_map(|&state| whole.edges(state));
                let mut possible: BTreeSet<&str> = BTreeSet::new();
                for choice in &choices {
                    possible.insert(&choice.step.label);
                    assert!(!choice.step.moves.is_empty(), "{}", choice.step.label);
                }
                let known: BTreeSet<&str> = edges()
                    .map(|edge| network.actions().name(edge.action))
                    .collect();
                assert!(possible.is_subset(&known), "{possible:?} {known:?}");
                assert_eq!(run.status() == Status::Running, !choices.is_empty());
                if choices.is_empty() {
                    break;
                }
                seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1);
                let choice = choices[(seed >> 33) as usize % choices.len()].clone();
                let label = choice.step.label.clone();
                run.take(choice);
                let targets = edges()
                    .filter(|edge| network.actions().name(edge.action) == label)
                    .map(|edge| edge.target);
                let after: BTreeSet<State> = targets.collect();
                if let Status::Error(component) = run.status() {
                    assert!(after.contains(&ERROR), "{component}");
                    break;
                }
                states = after.into_iter().filter(|&state| state != ERROR).collect();
            }
            while run.back() {}
            assert!(run.is_empty());
        }
    }
}

#[test]
fn a_refusal_says_who_is_not_ready() {
    let text = "A = (a -> b -> A). B = (b -> c -> B). ||S = (A || B).";
    let budget = Budget::unlimited();
    let network = common::compiled(text, "S").unwrap();
    let network = network.network(&budget).unwrap();
    let run = Animation::new(&network, &budget).unwrap();
    let refusals = run.refusals("b").unwrap();
    assert_eq!(refusals.len(), 1);
    assert_eq!(refusals[0].component, "A");
    assert_eq!(refusals[0].waits[0].action, "a");
    assert_eq!(run.refusals("d"), None);
}

#[test]
fn ends_and_errors_are_told_apart() {
    let budget = Budget::unlimited();
    for (text, status) in [
        ("P = (a -> END).", Status::Ended),
        ("P = STOP.", Status::Deadlock),
        ("P = (a -> P).", Status::Running),
        ("P = ERROR.", Status::Error("P".to_owned())),
    ] {
        let compiled = common::compiled(text, "P").unwrap();
        let network = compiled.network(&budget).unwrap();
        let mut run = Animation::new(&network, &budget).unwrap();
        // END comes after an action, ERROR at the start perhaps after a silent one.
        if status != Status::Running && run.status() == Status::Running {
            run.take(run.choices()[0].clone());
        }
        assert_eq!(run.status(), status, "{text}");
    }
}
