//! Single pairs of words: is it related, and which are.

use std::collections::BTreeSet;

use quotient_bits::Bits;
use quotient_core::{Budget, Stop};

use crate::{Label, Letter, State, Transducer, Word};

impl Transducer {
    /// Whether the first word is related to the second.
    pub fn relates(&self, first: &[Letter], second: &[Letter]) -> bool {
        // Configurations are a state and how much of either word is behind.
        let (rows, columns) = (first.len() + 1, second.len() + 1);
        let number = |state: State, i: usize, j: usize| (state.index() * rows + i) * columns + j;
        let mut seen = Bits::with_capacity(self.len() * rows * columns);
        let mut waiting: Vec<(State, usize, usize)> = Vec::new();
        for &state in self.initial() {
            seen.insert(number(state, 0, 0));
            waiting.push((state, 0, 0));
        }
        while let Some((state, i, j)) = waiting.pop() {
            if i == first.len() && j == second.len() && self.is_accepting(state) {
                return true;
            }
            for edge in self.edges_from(state) {
                let Some((read, written)) = moves(self.label(edge), &first[i..], &second[j..])
                else {
                    continue;
                };
                let next = (edge.target, i + read, j + written);
                if !seen.put(number(next.0, next.1, next.2)) {
                    waiting.push(next);
                }
            }
        }
        false
    }

    /// All related pairs in which neither word is longer than `longest`, in order. Their number
    /// grows exponentially with the length.
    pub fn pairs_up_to(
        &self,
        longest: usize,
        budget: &Budget,
    ) -> Result<BTreeSet<(Word, Word)>, Stop> {
        let mut seen: BTreeSet<(State, Word, Word)> = BTreeSet::new();
        let mut waiting: Vec<(State, Word, Word)> = Vec::new();
        let mut found = BTreeSet::new();
        for &state in self.initial() {
            seen.insert((state, Word::new(), Word::new()));
            waiting.push((state, Word::new(), Word::new()));
        }
        while let Some((state, first, second)) = waiting.pop() {
            budget.charge(1)?;
            if self.is_accepting(state) {
                found.insert((first.clone(), second.clone()));
            }
            for edge in self.edges_from(state) {
                for (read, written) in letters_of(self.label(edge)) {
                    let (mut first, mut second) = (first.clone(), second.clone());
                    first.extend(read);
                    second.extend(written);
                    let next = (edge.target, first, second);
                    if next.1.len() <= longest
                        && next.2.len() <= longest
                        && seen.insert(next.clone())
                    {
                        waiting.push(next);
                    }
                }
            }
        }
        Ok(found)
    }
}

/// How many letters of each word a move takes, if it can be made there.
fn moves(label: &Label, first: &[Letter], second: &[Letter]) -> Option<(usize, usize)> {
    let takes = |letters: Option<&crate::Predicate>, word: &[Letter]| match letters {
        None => Some(0),
        Some(letters) => letters.contains(*word.first()?).then_some(1),
    };
    let step = (takes(label.input(), first)?, takes(label.output(), second)?);
    let copies = !matches!(label, Label::Copy(_)) || first.first() == second.first();
    copies.then_some(step)
}

/// Every choice of letters that a move has.
fn letters_of(label: &Label) -> Vec<(Option<Letter>, Option<Letter>)> {
    let side = |letters: Option<&crate::Predicate>| match letters {
        None => vec![None],
        Some(letters) => letters.letters().map(Some).collect(),
    };
    match label {
        Label::Copy(letters) => letters.letters().map(|a| (Some(a), Some(a))).collect(),
        Label::Pair(input, output) => {
            let outputs = side(output.as_ref());
            side(input.as_ref())
                .into_iter()
                .flat_map(|read| outputs.iter().map(move |&written| (read, written)))
                .collect()
        }
    }
}
