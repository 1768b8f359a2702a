//! Operations that make words longer, shorter or list them, against naive enumeration.

mod support;

use std::collections::BTreeSet;

use quotient_automata::testing::{naive_language, naively_accepts, words_up_to};
use quotient_automata::{Alphabet, Letter, Nfa, Predicate, State, Word};
use support::*;

/// Short words, few even with many letters.
fn short(words: &[Word]) -> impl Iterator<Item = &Word> {
    words.iter().filter(|word| word.len() <= 4)
}

#[test]
fn concatenation_and_repetition_agree_with_splitting_words() {
    on_random_pairs(40, |left, right, words| {
        let concatenation = left.concatenation(right);
        let (star, plus, optional) = (left.star(), left.plus(), left.optional());
        let twice_or_thrice = left.repeat(2, Some(3), &budget()).unwrap();
        let twice_or_more = left.repeat(2, None, &budget()).unwrap();
        for word in short(words) {
            let cut = |i: usize| (&word[..i], &word[i..]);
            let joined = (0..=word.len())
                .map(cut)
                .any(|(a, b)| naively_accepts(left, a) && naively_accepts(right, b));
            assert_eq!(naively_accepts(&concatenation, word), joined);
            // Whether the word is that many words of the left, for up to one more than its length.
            let pieces: Vec<bool> = (0..=word.len() + 3)
                .map(|count| is_product(left, word, count))
                .collect();
            let between = |from: usize, to: usize| pieces[from..=to].contains(&true);
            let many = word.len() + 3;
            assert_eq!(naively_accepts(&star, word), between(0, many));
            assert_eq!(naively_accepts(&plus, word), between(1, many));
            assert_eq!(naively_accepts(&optional, word), between(0, 1));
            assert_eq!(naively_accepts(&twice_or_thrice, word), between(2, 3));
            assert_eq!(naively_accepts(&twice_or_more, word), between(2, many));
        }
        let none = left.repeat(3, Some(2), &budget()).unwrap();
        assert!(none.is_empty_language());
    });
}

/// Whether the word is made of exactly `count` words of the language.
fn is_product(nfa: &Nfa, word: &[Letter], count: usize) -> bool {
    match count {
        0 => word.is_empty(),
        1 => naively_accepts(nfa, word),
        _ => (0..=word.len())
            .any(|i| naively_accepts(nfa, &word[..i]) && is_product(nfa, &word[i..], count - 1)),
    }
}

#[test]
fn reverse_reads_words_backwards() {
    on_random_automata(60, |nfa, words| {
        let reverse = nfa.reverse();
        for word in words {
            let backwards: Word = word.iter().rev().copied().collect();
            assert_eq!(
                naively_accepts(&reverse, word),
                naively_accepts(nfa, &backwards)
            );
        }
    });
}

#[test]
fn quotients_agree_with_the_words_they_take_away() {
    on_random(60, |alphabet, length, random| {
        let nfa = quotient_automata::testing::nfa(random, alphabet, 4);
        let taken = quotient_automata::testing::nfa(random, alphabet, 4);
        let left = nfa.left_quotient(&taken, &budget()).unwrap();
        let right = nfa.right_quotient(&taken, &budget()).unwrap();
        // A word that is taken away passes at most 4 · 4 pairs of states, but up to half of the
        // length is enough to find most; what is found must be right both ways on finite sets.
        let half = length / 2;
        let taken = taken.up_to_length(half as u32, &budget()).unwrap();
        let left_bounded = nfa.left_quotient(&taken, &budget()).unwrap();
        let right_bounded = nfa.right_quotient(&taken, &budget()).unwrap();
        let taken = naive_language(&taken, half);
        for word in words_up_to(alphabet, half) {
            let joined = |a: &Word, b: &Word| naively_accepts(&nfa, &[&a[..], &b[..]].concat());
            let after = taken.iter().any(|prefix| joined(prefix, &word));
            let before = taken.iter().any(|suffix| joined(&word, suffix));
            assert_eq!(naively_accepts(&left_bounded, &word), after);
            assert_eq!(naively_accepts(&right_bounded, &word), before);
            assert!(!after || naively_accepts(&left, &word));
            assert!(!before || naively_accepts(&right, &word));
        }
    });
}

#[test]
fn bounded_languages_have_the_short_words() {
    on_random_automata(60, |nfa, words| {
        for bound in [0, 1, 3] {
            let bounded = nfa.up_to_length(bound, &budget()).unwrap();
            for word in words {
                let expected = naively_accepts(nfa, word) && word.len() <= bound as usize;
                assert_eq!(naively_accepts(&bounded, word), expected);
            }
        }
    });
}

/// The words a^m b^n c with m at most 1.
fn example() -> (Alphabet, Nfa) {
    let alphabet = Alphabet::new(["a", "b", "c"]).unwrap();
    let [a, b, c] = ["a", "b", "c"].map(|name| alphabet.set([name]).unwrap());
    let nfa = Nfa::builder(&alphabet)
        .initial(0)
        .edge(0, &a, 1)
        .edge(0, &b, 1)
        .edge(0, &c, 2)
        .edge(1, &b, 1)
        .edge(1, &c, 2)
        .accepting(2)
        .build();
    (alphabet, nfa)
}

#[test]
fn languages_of_a_state_are_those_of_the_definitions() {
    let (alphabet, nfa) = example();
    let shown = |nfa: &Nfa, length: usize| -> BTreeSet<String> {
        naive_language(nfa, length)
            .iter()
            .map(|word| alphabet.show(word))
            .collect()
    };
    let set = |words: &[&str]| {
        words
            .iter()
            .map(|&word| word.to_owned())
            .collect::<BTreeSet<_>>()
    };
    let one = State(1);
    assert_eq!(
        shown(&nfa.forward_language(one), 3),
        set(&["c", "b c", "b b c"])
    );
    assert_eq!(
        shown(&nfa.backward_language(State(2)), 2),
        set(&["c", "a c", "b c"])
    );
    assert_eq!(
        shown(&nfa.trace_language(one), 3),
        set(&["ε", "b", "c", "b b", "b c", "b b b", "b b c"])
    );
    assert_eq!(
        shown(&nfa.backward_trace_language(one), 2),
        set(&["ε", "a", "b", "a b", "b b"])
    );
}

#[test]
fn prefixes_and_suffixes_agree_with_cutting_words() {
    let (_, nfa) = example();
    let words = naive_language(&nfa, 9);
    let (prefixes, suffixes) = (nfa.prefixes(), nfa.suffixes());
    for word in words_up_to(nfa.alphabet(), 5) {
        assert_eq!(
            prefixes.accepts(&word),
            words.iter().any(|longer| longer.starts_with(&word))
        );
        assert_eq!(
            suffixes.accepts(&word),
            words.iter().any(|longer| longer.ends_with(&word))
        );
    }
}

#[test]
fn words_are_listed_in_order_and_counted() {
    on_random(100, |alphabet, length, random| {
        let nfa = quotient_automata::testing::nfa(random, alphabet, STATES);
        let expected = naive_language(&nfa, length);
        let listed: Vec<Word> = nfa.words(length, &budget()).unwrap().collect();
        assert_eq!(listed, expected);
        for n in 0..=length {
            let count = expected.iter().filter(|word| word.len() == n).count();
            assert_eq!(nfa.count_words(n as u64, &budget()).unwrap(), count as u128);
        }
    });
}

#[test]
fn counting_saturates() {
    let (_, nfa) = example();
    let all = Nfa::all(nfa.alphabet());
    assert_eq!(all.count_words(80, &budget()).unwrap(), 3u128.pow(80));
    assert_eq!(all.count_words(1000, &budget()).unwrap(), u128::MAX);
}

#[test]
fn listing_a_sparse_or_finite_language_ends() {
    let alphabet = quotient_automata::testing::alphabet(1);
    let a = Predicate::all(&alphabet);
    let ring = (0..50).fold(
        Nfa::builder(&alphabet).initial(0).accepting(0),
        |ring, i| ring.edge(i, &a, (i + 1) % 50),
    );
    let lengths: Vec<usize> = ring
        .build()
        .words(usize::MAX, &budget())
        .unwrap()
        .take(3)
        .map(|word| word.len())
        .collect();
    assert_eq!(lengths, [0, 50, 100]);
    let finite = Nfa::builder(&alphabet)
        .initial(0)
        .edge(0, &a, 1)
        .accepting(1)
        .build();
    assert_eq!(finite.words(usize::MAX, &budget()).unwrap().count(), 1);
}

#[test]
fn a_larger_alphabet_keeps_the_words() {
    let (alphabet, nfa) = example();
    let large = Alphabet::new(["z", "c", "b", "a"]).unwrap();
    let moved = nfa.over(&large).unwrap();
    let shown = |nfa: &Nfa| -> BTreeSet<String> {
        naive_language(nfa, 4)
            .iter()
            .map(|word| nfa.alphabet().show(word))
            .collect()
    };
    assert_eq!(shown(&moved), shown(&nfa));
    assert!(moved.over(&alphabet).is_err());
}
