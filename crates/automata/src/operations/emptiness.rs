//! Whether there is a word, and the first one.

use std::collections::VecDeque;

use super::epsilon::Closure;
use crate::{Dfa, Letter, Nfa, State, Word};

impl Nfa {
    /// Whether no word is accepted.
    pub fn is_empty_language(&self) -> bool {
        let mut seen = quotient_bits::Bits::with_capacity(self.len());
        let mut waiting: Vec<State> = Vec::new();
        for &state in self.initial() {
            if self.is_accepting(state) {
                return false;
            }
            seen.insert(state.index());
            waiting.push(state);
        }
        while let Some(state) = waiting.pop() {
            for edge in self.edges_from(state) {
                if !seen.put(edge.target.index()) {
                    if self.is_accepting(edge.target) {
                        return false;
                    }
                    waiting.push(edge.target);
                }
            }
        }
        true
    }

    /// A shortest word of the language, among these the first in the order of the letters;
    /// nothing if there is no word.
    ///
    /// The distance of each state from acceptance is found by a search backwards; then each
    /// letter is the least that comes one step nearer.
    pub fn shortest_word(&self) -> Option<Word> {
        let distance = self.distances_to_acceptance();
        let nearest = |states: &[State]| {
            states
                .iter()
                .map(|state| distance[state.index()])
                .min()
                .filter(|&least| least != u32::MAX)
        };
        let mut closure = Closure::new(self);
        let mut current = closure.of_all(self.initial().iter().copied()).to_vec();
        let mut left = nearest(&current)?;
        let mut word = Word::with_capacity(left as usize);
        while left > 0 {
            left -= 1;
            let nearer = current
                .iter()
                .flat_map(|&state| self.edges_from(state))
                .filter(|edge| distance[edge.target.index()] == left)
                .filter_map(|edge| Some((self.label(edge).as_ref()?, edge.target)));
            let least: Letter = nearer.clone().filter_map(|(p, _)| p.first()).min()?;
            let targets = nearer
                .filter(|(letters, _)| letters.contains(least))
                .map(|(_, target)| target);
            current = closure
                .of_all(targets)
                .iter()
                .copied()
                .filter(|state| distance[state.index()] == left)
                .collect();
            word.push(least);
        }
        Some(word)
    }

    /// For each state the length of a shortest word accepted from it, `u32::MAX` if there is
    /// none. ε-moves are free, so the queue has the free steps in front.
    pub(crate) fn distances_to_acceptance(&self) -> Vec<u32> {
        let silent: Vec<bool> = self.labels().iter().map(Option::is_none).collect();
        let mut rows = vec![0u32; self.len() + 2];
        for edge in self.edges() {
            rows[edge.target.index() + 2] += 1;
        }
        for at in 2..rows.len() {
            rows[at] += rows[at - 1];
        }
        // The source of each edge into a state, and whether the edge is free.
        let mut before = vec![(State(0), false); self.edges().len()];
        for edge in self.edges() {
            let at = &mut rows[edge.target.index() + 1];
            before[*at as usize] = (edge.source, silent[edge.label as usize]);
            *at += 1;
        }
        let mut distance = vec![u32::MAX; self.len()];
        let mut queue: VecDeque<(State, u32)> = VecDeque::new();
        for state in self.accepting().ones() {
            distance[state] = 0;
            queue.push_back((State(state as u32), 0));
        }
        while let Some((state, so_far)) = queue.pop_front() {
            if distance[state.index()] < so_far {
                continue;
            }
            let (first, last) = (rows[state.index()], rows[state.index() + 1]);
            for &(source, free) in &before[first as usize..last as usize] {
                let through = so_far + u32::from(!free);
                if through < distance[source.index()] {
                    distance[source.index()] = through;
                    if free {
                        queue.push_front((source, through));
                    } else {
                        queue.push_back((source, through));
                    }
                }
            }
        }
        distance
    }
}

impl Dfa {
    /// Whether no word is accepted.
    pub fn is_empty_language(&self) -> bool {
        !self.useful().contains(self.initial().index())
    }

    /// A shortest word of the language, among these the first in the order of the letters;
    /// nothing if there is no word.
    pub fn shortest_word(&self) -> Option<Word> {
        // Breadth first in the order of the letters: the first way to a state is the least.
        let mut came_from = vec![(self.initial(), 0); self.len()];
        let mut seen = quotient_bits::Bits::with_capacity(self.len());
        seen.insert(self.initial().index());
        let mut queue = VecDeque::from([self.initial()]);
        let mut found = None;
        while let Some(state) = queue.pop_front() {
            if self.is_accepting(state) {
                found = Some(state);
                break;
            }
            for (class, next) in self.moves(state) {
                if !seen.put(next as usize) {
                    came_from[next as usize] = (state, class);
                    queue.push_back(State(next));
                }
            }
        }
        let mut state = found?;
        let mut word = Word::new();
        while state != self.initial() {
            let (before, class) = came_from[state.index()];
            word.push(self.minterms().representative(class));
            state = before;
        }
        word.reverse();
        Some(word)
    }
}
