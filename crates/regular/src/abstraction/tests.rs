//! Classes of states against explicit sets of words, and what refinement promises.

use std::collections::BTreeSet;
use std::sync::Arc;

use quotient_automata::testing::{Random, alphabet, nfa};
use quotient_automata::{Dfa, Letter, Nfa, State, Word};
use quotient_core::Budget;

use super::bounded::{Bounded, Kind};
use super::{merge, predicates::Predicates};
use crate::{Languages, Refinement, Set};

const CASES: u64 = 250;

/// A random set that is not empty.
fn random_set(random: &mut Random) -> Set {
    loop {
        let set = nfa(random, &alphabet(2), 6)
            .canonical(&Budget::unlimited())
            .unwrap();
        if !set.is_empty_language() {
            return Arc::new(set);
        }
    }
}

fn words_up_to(length: u32) -> Vec<Word> {
    let mut words = vec![Word::new()];
    let mut next = 0;
    while next < words.len() && words[next].len() < length as usize {
        for letter in [Letter(0), Letter(1)] {
            let longer = words[next].iter().copied().chain([letter]).collect();
            words.push(longer);
        }
        next += 1;
    }
    words
}

fn walk(set: &Dfa, from: State, word: &[Letter]) -> Option<State> {
    word.iter()
        .try_fold(from, |state, &letter| set.step(state, letter))
}

/// Whether some word leads from one state to another.
fn reaches(set: &Dfa, from: State, to: State) -> bool {
    let graph = set.to_nfa();
    let builder = Nfa::builder(graph.alphabet()).states(graph.len() as u32);
    let mut builder = builder.initial(from).accepting(to);
    for edge in graph.edges() {
        if let Some(letters) = graph.label(edge) {
            builder.add_edge(edge.source, letters, edge.target);
        }
    }
    !builder.build().is_empty_language()
}

/// The short words that the classes of a kind are about, for one state.
fn explicit(set: &Dfa, kind: Kind, state: State, length: u32) -> BTreeSet<Word> {
    let states = || (0..set.len() as u32).map(State);
    let belongs = |word: &Word| match kind {
        Kind::FutureWords => walk(set, state, word).is_some_and(|end| set.is_accepting(end)),
        Kind::FutureTraces => walk(set, state, word).is_some(),
        Kind::PastWords => walk(set, set.initial(), word) == Some(state),
        Kind::PastSuffixes => states().any(|from| walk(set, from, word) == Some(state)),
        Kind::PastPrefixes => {
            walk(set, set.initial(), word).is_some_and(|at| reaches(set, at, state))
        }
    };
    words_up_to(length).into_iter().filter(belongs).collect()
}

#[test]
fn bounded_classes_are_those_of_explicit_words() {
    let kinds = [
        Kind::FutureWords,
        Kind::FutureTraces,
        Kind::PastWords,
        Kind::PastSuffixes,
        Kind::PastPrefixes,
    ];
    for seed in 0..CASES {
        let set = random_set(&mut Random::new(seed));
        for kind in kinds {
            let classes = |length: u32| {
                Bounded::new(kind, length)
                    .classes(&set, &Budget::unlimited())
                    .unwrap()
            };
            for length in 1..=3 {
                let (found, stable) = classes(length);
                let words: Vec<_> = (0..set.len() as u32)
                    .map(|state| explicit(&set, kind, State(state), length))
                    .collect();
                for a in 0..set.len() {
                    for b in 0..a {
                        let alike = found[a] == found[b];
                        assert_eq!(alike, words[a] == words[b], "{kind:?} {length} seed {seed}");
                    }
                }
                if stable {
                    assert_eq!(
                        found,
                        classes(length + 1).0,
                        "{kind:?} {length} seed {seed}"
                    );
                }
            }
        }
    }
}

/// The automaton with one state as the only initial (or accepting) one.
fn of_state(nfa: &Nfa, state: State, languages: Languages) -> Nfa {
    let mut builder = Nfa::builder(nfa.alphabet()).states(nfa.len() as u32);
    match languages {
        Languages::Future => {
            builder.add_initial(state);
            nfa.accepting()
                .ones()
                .for_each(|s| builder.add_accepting(State(s as u32)));
        }
        Languages::Past => {
            builder.add_accepting(state);
            nfa.initial().iter().for_each(|&s| builder.add_initial(s));
        }
    }
    for edge in nfa.edges() {
        if let Some(letters) = nfa.label(edge) {
            builder.add_edge(edge.source, letters, edge.target);
        }
    }
    builder.build()
}

#[test]
fn predicate_classes_are_those_of_intersections() {
    let budget = Budget::unlimited();
    for seed in 0..CASES {
        let random = &mut Random::new(seed);
        let set = random_set(random);
        let given = nfa(random, &alphabet(2), 5);
        let predicate = given.without_epsilon(&budget).unwrap().trim();
        for languages in [Languages::Future, Languages::Past] {
            let label = |state: u32| -> Vec<bool> {
                let own = of_state(&set.to_nfa(), State(state), languages);
                let meets = |p: State| {
                    let theirs = of_state(&predicate, p, languages);
                    !own.intersection(&theirs, &budget)
                        .unwrap()
                        .is_empty_language()
                };
                predicate.states().map(meets).collect()
            };
            let labels: Vec<_> = (0..set.len() as u32).map(label).collect();
            let first = vec![predicate.clone()];
            let mut predicates = Predicates::new(languages, Refinement::AllStates, first);
            let classes = predicates.classes(&set, &budget).unwrap();
            for a in 0..set.len() {
                for b in 0..a {
                    let alike = classes[a] == classes[b];
                    assert_eq!(alike, labels[a] == labels[b], "{languages:?} seed {seed}");
                }
            }
        }
    }
}

#[test]
fn merging_only_adds_words() {
    let budget = Budget::unlimited();
    for seed in 0..CASES {
        let random = &mut Random::new(seed);
        let set = random_set(random);
        // Every class has a member: the first states get one each.
        let count = 1 + random.below(3.min(set.len() as u32));
        let class = |state: u32| {
            if state < count {
                state
            } else {
                state / 2 % count
            }
        };
        let classes: Vec<u32> = (0..set.len() as u32).map(class).collect();
        let merged = merge(&set, &classes, &budget).unwrap();
        assert!(
            set.difference(&merged, &budget)
                .unwrap()
                .is_empty_language()
        );
        let plain = set.quotient(&classes).canonical(&budget).unwrap();
        assert_eq!(*merged, plain, "seed {seed}");
    }
}

#[test]
fn refinement_excludes_the_false_alarm() {
    let budget = Budget::unlimited();
    let refinements = [
        Refinement::AllStates,
        Refinement::ImportantStates,
        Refinement::KeyStates,
    ];
    let mut tried = 0;
    for seed in 0..CASES {
        let random = &mut Random::new(seed);
        let set = random_set(random);
        let other = random_set(random);
        let alarm: Set = Arc::new(
            other
                .difference(&set, &budget)
                .unwrap()
                .minimize(&budget)
                .unwrap(),
        );
        if alarm.is_empty_language() {
            continue;
        }
        tried += 1;
        for languages in [Languages::Future, Languages::Past] {
            for refinement in refinements {
                let mut predicates = Predicates::new(languages, refinement, vec![]);
                predicates.refine(&set, &alarm, &budget).unwrap();
                let classes = predicates.classes(&set, &budget).unwrap();
                let refined = merge(&set, &classes, &budget).unwrap();
                assert!(
                    !refined.intersects(&alarm, &budget).unwrap(),
                    "{languages:?} {refinement:?} seed {seed}"
                );
            }
        }
    }
    assert!(tried > 50);
}

#[test]
fn bounded_words_as_long_as_the_set_merge_nothing() {
    let budget = Budget::unlimited();
    for seed in 0..CASES {
        let set = random_set(&mut Random::new(seed));
        for kind in [Kind::FutureWords, Kind::PastWords] {
            let length = (set.len() as u32).max(2) - 1;
            let (classes, _) = Bounded::new(kind, length).classes(&set, &budget).unwrap();
            let distinct: BTreeSet<u32> = classes.into_iter().collect();
            assert_eq!(distinct.len(), set.len(), "{kind:?} seed {seed}");
        }
    }
}
