//! Operations that keep or combine languages, against naive enumeration of words.

mod support;

use quotient_automata::testing::{self, Random, naive_language, naively_accepts};
use quotient_automata::{Canonical, Dfa, Nfa};
use quotient_core::Budget;
use support::*;

#[test]
fn operations_that_keep_the_language_keep_every_word() {
    on_random_automata(150, |nfa, words| {
        let trimmed = nfa.trim();
        let without_epsilon = nfa.without_epsilon(&budget()).unwrap();
        assert!(!without_epsilon.has_epsilon());
        let dfa = nfa.determinize(&budget()).unwrap();
        let minimal = minimal(&dfa);
        let twice_reversed = nfa.reverse().reverse();
        for word in words {
            let expected = naively_accepts(nfa, word);
            assert_eq!(nfa.accepts(word), expected);
            assert_eq!(naively_accepts(&trimmed, word), expected);
            assert_eq!(naively_accepts(&without_epsilon, word), expected);
            assert_eq!(dfa.accepts(word), expected);
            assert_eq!(dfa.complete().accepts(word), expected);
            assert_eq!(minimal.accepts(word), expected);
            assert_eq!(naively_accepts(&minimal.to_nfa(), word), expected);
            assert_eq!(naively_accepts(&twice_reversed, word), expected);
        }
    });
}

#[test]
fn boolean_operations_agree_with_membership() {
    on_random_pairs(100, |left, right, words| {
        let (a, b) = (
            left.determinize(&budget()).unwrap(),
            right.determinize(&budget()).unwrap(),
        );
        let union = left.union(right);
        let intersection = left.intersection(right, &budget()).unwrap();
        let difference = left.difference(right, &budget()).unwrap();
        let complement = left.complement(&budget()).unwrap();
        let dfa_union = a.union(&b, &budget()).unwrap();
        let dfa_intersection = a.intersection(&b, &budget()).unwrap();
        let dfa_difference = a.difference(&b, &budget()).unwrap();
        let either = a.symmetric_difference(&b, &budget()).unwrap();
        for word in words {
            let (in_left, in_right) = (naively_accepts(left, word), naively_accepts(right, word));
            assert_eq!(union.accepts(word), in_left || in_right);
            assert_eq!(intersection.accepts(word), in_left && in_right);
            assert_eq!(difference.accepts(word), in_left && !in_right);
            assert_eq!(complement.accepts(word), !in_left);
            assert_eq!(dfa_union.accepts(word), in_left || in_right);
            assert_eq!(dfa_intersection.accepts(word), in_left && in_right);
            assert_eq!(dfa_difference.accepts(word), in_left && !in_right);
            assert_eq!(either.accepts(word), in_left != in_right);
        }
    });
}

#[test]
fn laws_of_boolean_algebra_hold_on_canonical_automata() {
    on_random_pairs(100, |left, right, _| {
        let (a, b) = (canonical(left), canonical(right));
        let and = |x: &Dfa, y: &Dfa| minimal(&x.intersection(y, &budget()).unwrap());
        let or = |x: &Dfa, y: &Dfa| minimal(&x.union(y, &budget()).unwrap());
        let not = |x: &Dfa| minimal(&x.complement());
        assert_eq!(not(&not(&a)), a);
        assert_eq!(not(&and(&a, &b)), or(&not(&a), &not(&b)));
        assert_eq!(not(&or(&a, &b)), and(&not(&a), &not(&b)));
        assert_eq!(and(&a, &or(&a, &b)), a);
        assert_eq!(
            minimal(&a.difference(&b, &budget()).unwrap()),
            and(&a, &not(&b))
        );
        assert_eq!(canonical(&left.union(right)), or(&a, &b));
        assert_eq!(
            canonical(&left.intersection(right, &budget()).unwrap()),
            and(&a, &b)
        );
        assert_eq!(and(&a, &not(&a)), Canonical::empty(left.alphabet()));
    });
}

#[test]
fn equal_languages_are_equal_values_and_different_ones_differ() {
    on_random_pairs(150, |left, right, words| {
        let (a, b) = (canonical(left), canonical(right));
        let differ = a.symmetric_difference(&b, &budget()).unwrap();
        assert_eq!(a == b, differ.is_empty_language());
        if words
            .iter()
            .any(|word| left.accepts(word) != right.accepts(word))
        {
            assert_ne!(a, b);
        }
        assert_eq!(a, minimal(&a));
        assert_eq!(a, canonical(&a.to_nfa().reverse().reverse().union(left)));
    });
}

#[test]
fn three_minimisations_agree() {
    on_random_automata(200, |nfa, _| {
        let hopcroft = canonical(nfa);
        assert_eq!(hopcroft, nfa.minimize_by_reversal(&budget()).unwrap());
        let moore = moore_class_count(&nfa.determinize(&budget()).unwrap());
        let trimmed_states = if hopcroft.is_empty_language() {
            0
        } else {
            hopcroft.len()
        };
        assert_eq!(trimmed_states, moore);
    });
}

/// The number of Myhill-Nerode classes that lead to acceptance, by Moore's algorithm (1956) on
/// the completed automaton: refine by the classes of all successors until nothing changes.
fn moore_class_count(dfa: &Dfa) -> usize {
    let dfa = dfa.complete();
    let states = || (0..dfa.len() as u32).map(quotient_automata::State);
    let mut class: Vec<usize> = states().map(|q| usize::from(dfa.is_accepting(q))).collect();
    loop {
        let mut numbers = std::collections::HashMap::new();
        let refined: Vec<usize> = states()
            .map(|q| {
                let after: Vec<usize> = dfa.row(q).iter().map(|&p| class[p as usize]).collect();
                let next = numbers.len();
                *numbers.entry((class[q.index()], after)).or_insert(next)
            })
            .collect();
        let stable = numbers.len() == class.iter().collect::<std::collections::HashSet<_>>().len();
        class = refined;
        if stable {
            let dead = states().find(|&q| {
                let from_here = Dfa::from_table(
                    dfa.alphabet(),
                    dfa.minterms().clone(),
                    q,
                    dfa.accepting().clone(),
                    dfa.table().to_vec(),
                );
                from_here.is_empty_language()
            });
            return numbers.len() - usize::from(dead.is_some());
        }
    }
}

#[test]
fn the_shortest_word_is_the_first_of_all_words() {
    on_random_automata(300, |nfa, words| {
        let dfa = nfa.determinize(&budget()).unwrap();
        let found = nfa.shortest_word();
        assert_eq!(found, dfa.shortest_word());
        assert_eq!(found.is_none(), nfa.is_empty_language());
        assert_eq!(found.is_none(), dfa.is_empty_language());
        match words.iter().find(|word| naively_accepts(nfa, word)) {
            Some(first) => assert_eq!(found.as_ref(), Some(first)),
            None => assert!(found.is_none_or(|word| {
                nfa.accepts(&word) && word.len() >= words.last().unwrap().len()
            })),
        }
    });
}

#[test]
fn a_quotient_accepts_what_runs_through_classes_accept() {
    on_random(100, |alphabet, length, random| {
        let nfa = testing::nfa(random, alphabet, STATES);
        let classes: Vec<u32> = nfa.states().map(|_| random.below(3)).collect();
        let quotient = nfa.quotient(&classes);
        // Jumping freely between states of one class, as ε-moves.
        let mut jumps = Nfa::builder(alphabet).states(nfa.len() as u32);
        nfa.initial().iter().for_each(|&q| jumps.add_initial(q));
        for q in nfa.states() {
            if nfa.is_accepting(q) {
                jumps.add_accepting(q);
            }
            for p in nfa
                .states()
                .filter(|p| classes[p.index()] == classes[q.index()])
            {
                jumps.add_epsilon(q, p);
            }
            for edge in nfa.edges_from(q) {
                match nfa.label(edge) {
                    Some(letters) => jumps.add_edge(q, letters, edge.target),
                    None => jumps.add_epsilon(q, edge.target),
                }
            }
        }
        let jumps = jumps.build();
        assert_eq!(
            naive_language(&quotient, length),
            naive_language(&jumps, length)
        );
        if !nfa.is_empty() {
            let dfa = canonical(&nfa);
            let one: Vec<u32> = vec![0; dfa.len()];
            assert_eq!(dfa.quotient(&one).len(), 1);
        }
    });
}

#[test]
fn canonical_automata_of_an_empty_alphabet_have_one_state() {
    let alphabet = testing::alphabet(0);
    let epsilon = Nfa::builder(&alphabet).initial(0).accepting(0).build();
    let nothing = Nfa::empty(&alphabet);
    assert_ne!(canonical(&epsilon), canonical(&nothing));
    assert_eq!(
        minimal(&canonical(&nothing).complement()),
        canonical(&epsilon)
    );
}

#[test]
fn determinising_stops_when_the_budget_does() {
    let alphabet = testing::alphabet(2);
    let nfa = testing::tabakov_vardi(&mut Random::new(1), &alphabet, 60, 2.0, 0.5);
    let budget = Budget::unlimited().child_with_work(20);
    assert_eq!(
        nfa.determinize(&budget).unwrap_err(),
        quotient_core::Stop::Work
    );
}
