//! The sets of states of an automaton, met and numbered as they are needed.

use rustc_hash::FxHashMap;

use crate::{Nfa, Predicate, State};

/// Sets are sorted and closed under ε-moves.
pub(super) struct Subsets<'a> {
    nfa: &'a Nfa,
    sets: Vec<Vec<State>>,
    numbers: FxHashMap<Vec<State>, u32>,
    /// For each set, where its letters lead: a partition of the alphabet. Filled on demand.
    moves: Vec<Option<Vec<(Predicate, u32)>>>,
}

impl<'a> Subsets<'a> {
    pub(super) fn new(nfa: &'a Nfa) -> Self {
        Subsets {
            nfa,
            sets: Vec::new(),
            numbers: FxHashMap::default(),
            moves: Vec::new(),
        }
    }

    pub(super) fn initial(&mut self) -> u32 {
        self.number(self.nfa.initial().to_vec())
    }

    pub(super) fn is_accepting(&self, set: u32) -> bool {
        let is_accepting = |&state| self.nfa.is_accepting(state);
        self.sets[set as usize].iter().any(is_accepting)
    }

    pub(super) fn is_subset(&self, small: u32, large: u32) -> bool {
        let mut large = self.sets[large as usize].iter();
        self.sets[small as usize]
            .iter()
            .all(|state| large.any(|other| other == state))
    }

    /// Where each letter leads, letters with the same successor together.
    pub(super) fn moves(&mut self, set: u32) -> &[(Predicate, u32)] {
        if self.moves[set as usize].is_none() {
            let moves = self.compute_moves(set);
            self.moves[set as usize] = Some(moves);
        }
        self.moves[set as usize].as_deref().unwrap_or_default()
    }

    fn compute_moves(&mut self, set: u32) -> Vec<(Predicate, u32)> {
        let mut blocks = vec![(Predicate::all(self.nfa.alphabet()), Vec::new())];
        for &state in &self.sets[set as usize] {
            for edge in self.nfa.edges_from(state) {
                let Some(letters) = self.nfa.label(edge) else {
                    continue;
                };
                for i in 0..blocks.len() {
                    let inside = blocks[i].0.and(letters);
                    if inside.is_empty() {
                        continue;
                    }
                    let outside = blocks[i].0.minus(letters);
                    if !outside.is_empty() {
                        let targets = blocks[i].1.clone();
                        blocks.push((outside, targets));
                    }
                    blocks[i].0 = inside;
                    blocks[i].1.push(edge.target);
                }
            }
        }
        blocks
            .into_iter()
            .filter(|(letters, _)| !letters.is_empty())
            .map(|(letters, targets)| (letters, self.number(targets)))
            .collect()
    }

    /// The number of the closure of a set.
    fn number(&mut self, mut states: Vec<State>) -> u32 {
        states.sort_unstable();
        states.dedup();
        let mut next = 0;
        while next < states.len() {
            for edge in self.nfa.edges_from(states[next]) {
                if self.nfa.label(edge).is_none() && !states.contains(&edge.target) {
                    states.push(edge.target);
                }
            }
            next += 1;
        }
        states.sort_unstable();
        if let Some(&number) = self.numbers.get(&states) {
            return number;
        }
        let number = self.sets.len() as u32;
        self.numbers.insert(states.clone(), number);
        self.sets.push(states);
        self.moves.push(None);
        number
    }
}
