//! What the property tests share.
#![allow(
    clippy::print_stdout,
    dead_code,
    reason = "names the failing case; each test uses some of it"
)]

use quotient_automata::testing::{self, Random, words_up_to};
use quotient_automata::{Alphabet, Canonical, Dfa, Nfa, Word};
use quotient_core::Budget;

pub(crate) const STATES: u32 = 7;

/// Runs a test on random automata over every kind of alphabet; `count` for each. The test also
/// gets the length up to which all words are few.
pub(crate) fn on_random(count: u64, test: impl Fn(&Alphabet, usize, &mut Random)) {
    for (alphabet, length) in testing::alphabets() {
        for seed in 0..count {
            println!("{} letters, seed {seed}", alphabet.len());
            test(&alphabet, length, &mut Random::new(seed));
        }
    }
}

pub(crate) fn on_random_automata(count: u64, test: impl Fn(&Nfa, &[Word])) {
    on_random(count, |alphabet, length, random| {
        let nfa = testing::nfa(random, alphabet, STATES);
        test(&nfa, &words_up_to(alphabet, length));
    });
}

pub(crate) fn on_random_pairs(count: u64, test: impl Fn(&Nfa, &Nfa, &[Word])) {
    on_random(count, |alphabet, length, random| {
        let left = testing::nfa(random, alphabet, STATES);
        let right = testing::nfa(random, alphabet, STATES);
        test(&left, &right, &words_up_to(alphabet, length));
    });
}

pub(crate) fn budget() -> Budget {
    Budget::unlimited()
}

pub(crate) fn canonical(nfa: &Nfa) -> Canonical {
    nfa.canonical(&budget()).unwrap()
}

pub(crate) fn minimal(dfa: &Dfa) -> Canonical {
    dfa.minimize(&budget()).unwrap()
}
