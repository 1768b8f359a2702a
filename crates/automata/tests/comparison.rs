//! Inclusion, equivalence, universality and simulation, against naive enumeration and
//! complements.

mod support;

use quotient_automata::testing::{self, Random, naively_accepts};
use quotient_automata::{Nfa, State, Word};
use support::*;

#[test]
fn a_shortest_word_outside_is_one() {
    on_random_pairs(150, |left, right, words| {
        let found = left.shortest_word_outside(right, &budget()).unwrap();
        let difference = left.difference(right, &budget()).unwrap();
        let expected = difference.shortest_word().map(|word| word.len());
        assert_eq!(found.as_ref().map(Vec::len), expected);
        if let Some(word) = &found {
            assert!(naively_accepts(left, word) && !naively_accepts(right, word));
        }
        assert_eq!(left.is_included_in(right, &budget()), Ok(found.is_none()));
        let outside = |word: &&Word| naively_accepts(left, word) && !naively_accepts(right, word);
        if let Some(first) = words.iter().find(outside) {
            assert_eq!(found.map(|word| word.len()), Some(first.len()));
        }
    });
}

#[test]
fn a_shortest_distinguishing_word_is_one() {
    on_random_pairs(150, |left, right, _| {
        check_distinguishing(left, right);
        check_distinguishing(
            left,
            &left.union(&right.intersection(left, &budget()).unwrap()),
        );
    });
}

fn check_distinguishing(left: &Nfa, right: &Nfa) {
    let found = left.shortest_distinguishing_word(right, &budget()).unwrap();
    let (a, b) = (canonical(left), canonical(right));
    let differ = a.symmetric_difference(&b, &budget()).unwrap();
    let expected = differ.shortest_word().map(|word| word.len());
    assert_eq!(found.as_ref().map(Vec::len), expected);
    if let Some(word) = found {
        assert_ne!(naively_accepts(left, &word), naively_accepts(right, &word));
    }
    assert_eq!(
        left.is_equivalent_to(right, &budget()),
        Ok(expected.is_none())
    );
}

#[test]
fn larger_automata_reach_the_simulation_and_still_give_shortest_words() {
    let alphabet = testing::alphabet(2);
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let (density, accepting) = (1.0 + (seed % 10) as f64 / 10.0, 0.3);
        let left = testing::tabakov_vardi(&mut random, &alphabet, 8, density, accepting);
        let right = testing::tabakov_vardi(&mut random, &alphabet, 16, density + 0.5, accepting);
        let right = right.union(&left.intersection(&right, &budget()).unwrap());
        let found = left.shortest_word_outside(&right, &budget()).unwrap();
        let difference = left.difference(&right, &budget()).unwrap();
        assert_eq!(
            found.map(|word| word.len()),
            difference.shortest_word().map(|word| word.len()),
            "seed {seed}"
        );
        check_distinguishing(&left, &right);
        assert_eq!(
            left.is_included_in(&left.union(&right), &budget()),
            Ok(true)
        );
        assert_eq!(
            right.is_included_in(&left.union(&right), &budget()),
            Ok(true)
        );
    }
}

#[test]
fn universal_automata_reject_no_word() {
    on_random_automata(150, |nfa, words| {
        let rejected = nfa.shortest_rejected_word(&budget()).unwrap();
        let any = nfa.rejected_word(&budget()).unwrap();
        assert_eq!(any.is_some(), rejected.is_some());
        assert!(any.is_none_or(|word| !naively_accepts(nfa, &word)));
        let complement = nfa.complement(&budget()).unwrap();
        let expected = complement.shortest_word().map(|word| word.len());
        assert_eq!(rejected.as_ref().map(Vec::len), expected);
        assert_eq!(nfa.is_universal(&budget()), Ok(rejected.is_none()));
        if rejected.is_none() {
            assert!(words.iter().all(|word| naively_accepts(nfa, word)));
        }
        let all = nfa.union(&complement.to_nfa());
        assert_eq!(all.is_universal(&budget()), Ok(true));
    });
}

#[test]
fn simulation_is_the_greatest_one() {
    on_random_automata(150, |nfa, _| {
        let simulation = nfa.forward_simulation(&budget()).unwrap();
        let naive = naive_simulation(nfa);
        for p in nfa.states() {
            for q in nfa.states() {
                assert_eq!(simulation.simulates(q, p), naive[p.index()][q.index()]);
            }
        }
        let backward = nfa.backward_simulation(&budget()).unwrap();
        let naive = naive_simulation(&nfa.reverse());
        for p in nfa.states() {
            let above: Vec<State> = nfa
                .states()
                .filter(|q| naive[p.index()][q.index()])
                .collect();
            assert_eq!(backward.above(p).collect::<Vec<_>>(), above);
        }
    });
}

#[test]
fn simulation_of_larger_automata_is_the_greatest_one() {
    let alphabet = testing::alphabet(2);
    for seed in 0..10 {
        let density = 1.0 + seed as f64 / 10.0;
        let nfa = testing::tabakov_vardi(&mut Random::new(seed), &alphabet, 70, density, 0.5);
        let simulation = nfa.forward_simulation(&budget()).unwrap();
        let naive = naive_simulation(&nfa);
        for p in nfa.states() {
            for q in nfa.states() {
                assert_eq!(simulation.simulates(q, p), naive[p.index()][q.index()]);
            }
        }
    }
}

/// Removes wrong pairs letter by letter until none is wrong.
fn naive_simulation(nfa: &Nfa) -> Vec<Vec<bool>> {
    let minterms = nfa.minterms();
    // One more symbol stands for ε.
    let reads = |edge: &quotient_automata::Edge, class: u32| match nfa.label(edge) {
        Some(letters) => {
            class < minterms.len() as u32 && letters.contains(minterms.representative(class))
        }
        None => class == minterms.len() as u32,
    };
    let successors = |state: State, class: u32| {
        let edges = nfa.edges_from(state).iter();
        edges
            .filter(move |edge| reads(edge, class))
            .map(|edge| edge.target)
    };
    let mut below: Vec<Vec<bool>> = nfa
        .states()
        .map(|p| {
            nfa.states()
                .map(|q| !nfa.is_accepting(p) || nfa.is_accepting(q))
                .collect()
        })
        .collect();
    loop {
        let mut changed = false;
        for p in nfa.states() {
            for q in nfa.states() {
                let matched = (0..=minterms.len() as u32).all(|class| {
                    successors(p, class).all(|after| {
                        successors(q, class).any(|other| below[after.index()][other.index()])
                    })
                });
                if below[p.index()][q.index()] && !matched {
                    below[p.index()][q.index()] = false;
                    changed = true;
                }
            }
        }
        if !changed {
            return below;
        }
    }
}

#[test]
fn reduction_keeps_the_language_and_never_grows() {
    on_random_automata(150, |nfa, _| {
        let expected = canonical(nfa);
        let size = nfa.without_epsilon(&budget()).unwrap().len();
        for reduced in [
            nfa.reduce_forward(&budget()).unwrap(),
            nfa.reduce_backward(&budget()).unwrap(),
            nfa.reduce(&budget()).unwrap(),
        ] {
            assert_eq!(canonical(&reduced), expected);
            assert!(reduced.len() <= size.max(nfa.len()));
        }
    });
    let alphabet = testing::alphabet(2);
    for seed in 0..30 {
        let nfa = testing::tabakov_vardi(&mut Random::new(seed), &alphabet, 12, 1.2, 0.4);
        let doubled = nfa.union(&nfa);
        let reduced = doubled.reduce(&budget()).unwrap();
        assert!(reduced.len() <= nfa.len());
        assert_eq!(canonical(&reduced), canonical(&nfa), "seed {seed}");
    }
}
