//! Small random automata and transducers, and their words by enumeration.

use std::collections::BTreeSet;

use proptest::collection::vec;
use proptest::prelude::*;

use crate::{Alphabet, Label, Letter, Nfa, Predicate, State, Transducer, Word};

pub(super) type Words = BTreeSet<Word>;

fn alphabet() -> Alphabet {
    Alphabet::new(["a", "b", "c"]).unwrap()
}

fn predicate() -> impl Strategy<Value = Predicate> {
    (1u32..8).prop_map(|bits| {
        let letters = (0..3).filter(|i| bits >> i & 1 == 1).map(Letter);
        Predicate::of(&alphabet(), letters)
    })
}

fn label() -> impl Strategy<Value = Label> {
    let rewrite = (predicate(), predicate()).prop_map(|(i, o)| Label::Pair(Some(i), Some(o)));
    prop_oneof![
        3 => predicate().prop_map(Label::Copy),
        4 => rewrite,
        1 => predicate().prop_map(|input| Label::Pair(Some(input), None)),
        1 => predicate().prop_map(|output| Label::Pair(None, Some(output))),
        1 => Just(Label::SILENT),
    ]
}

const STATES: u32 = 4;

pub(super) fn transducer() -> impl Strategy<Value = Transducer> {
    let edges = vec((0..STATES, label(), 0..STATES), 0..7);
    let marked = || vec(0..STATES, 0..3);
    (edges, marked(), marked()).prop_map(|(edges, initial, accepting)| {
        let mut builder = Transducer::builder(&alphabet()).states(STATES).initial(0);
        initial
            .iter()
            .for_each(|&state| builder.add_initial(State(state)));
        accepting
            .iter()
            .for_each(|&state| builder.add_accepting(State(state)));
        for (source, label, target) in &edges {
            builder.add_edge(State(*source), label, State(*target));
        }
        builder.build()
    })
}

pub(super) fn automaton() -> impl Strategy<Value = Nfa> {
    let edges = vec(
        (
            0..STATES,
            proptest::option::weighted(0.9, predicate()),
            0..STATES,
        ),
        0..7,
    );
    let marked = || vec(0..STATES, 0..3);
    (edges, marked(), marked()).prop_map(|(edges, initial, accepting)| {
        let mut builder = Nfa::builder(&alphabet()).states(STATES).initial(0);
        initial
            .iter()
            .for_each(|&state| builder.add_initial(State(state)));
        accepting
            .iter()
            .for_each(|&state| builder.add_accepting(State(state)));
        for (source, letters, target) in &edges {
            match letters {
                Some(letters) => builder.add_edge(State(*source), letters, State(*target)),
                None => builder.add_epsilon(State(*source), State(*target)),
            }
        }
        builder.build()
    })
}

/// All words that are no longer than that.
pub(super) fn words_up_to(alphabet: &Alphabet, longest: usize) -> Vec<Word> {
    let mut words = vec![Word::new()];
    let mut next = 0;
    while next < words.len() && words[next].len() < longest {
        for letter in alphabet.letters() {
            let mut longer = words[next].clone();
            longer.push(letter);
            words.push(longer);
        }
        next += 1;
    }
    words
}

/// The words of an automaton that are no longer than that, by walking all runs.
pub(super) fn language(nfa: &Nfa, longest: usize) -> Words {
    let start = nfa.initial().iter().map(|&state| (state, Word::new()));
    let mut seen: BTreeSet<(State, Word)> = start.collect();
    let mut waiting: Vec<_> = seen.iter().cloned().collect();
    let mut words = Words::new();
    while let Some((state, word)) = waiting.pop() {
        if nfa.is_accepting(state) {
            words.insert(word.clone());
        }
        for edge in nfa.edges_from(state) {
            let choices: Vec<Option<Letter>> = match nfa.label(edge) {
                None => vec![None],
                Some(_) if word.len() == longest => vec![],
                Some(letters) => letters.letters().map(Some).collect(),
            };
            for letter in choices {
                let mut longer = word.clone();
                longer.extend(letter);
                if seen.insert((edge.target, longer.clone())) {
                    waiting.push((edge.target, longer));
                }
            }
        }
    }
    words
}
