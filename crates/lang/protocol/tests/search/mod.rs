//! A plain search of the words of one length.

use std::collections::{BTreeSet, VecDeque};

use quotient_automata::{Nfa, Word};
use quotient_core::Budget;
use quotient_regular::Problem;

/// Whether a bad word can be reached from an initial word of this length.
pub(crate) fn is_violated(problem: &Problem, length: usize) -> Option<bool> {
    const MOST: usize = 3000;
    let budget = Budget::unlimited();
    let starts = problem.initial().words(length, &budget).unwrap();
    let mut seen: BTreeSet<Word> = starts.filter(|word| word.len() == length).collect();
    let mut waiting: VecDeque<Word> = seen.iter().cloned().collect();
    while let Some(word) = waiting.pop_front() {
        if problem.properties()[0].bad.accepts(&word) {
            return Some(true);
        }
        let single = Nfa::of_word(problem.alphabet(), &word);
        for (_, part) in problem.relation().parts() {
            let image = part.apply(&single, &budget).unwrap();
            for next in image.words(length, &budget).unwrap() {
                if seen.insert(next.clone()) {
                    waiting.push_back(next);
                }
            }
        }
        if seen.len() > MOST {
            return None;
        }
    }
    Some(false)
}
