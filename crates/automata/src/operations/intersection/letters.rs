//! The moves of states letter by letter, each made ready when it is first met.

use crate::{Nfa, State};

/// How many moves are kept, of both sides together.
const MOST_KEPT: usize = 1 << 24;

/// For each state that was met its moves, letter and target, in no order.
pub(super) struct LetterRows<'a> {
    nfa: &'a Nfa,
    /// What is known of each state; nothing until the first is asked for.
    known: Vec<Known>,
    moves: Vec<(u32, u32)>,
}

#[derive(Clone, Copy)]
struct Known {
    /// One more than the number of letters on the edges of a state, 0 if that is not known yet.
    count: u32,
    /// Where its moves begin, one more than that; 0 if they are not there yet.
    start: u32,
}

impl<'a> LetterRows<'a> {
    pub(super) fn new(nfa: &'a Nfa) -> LetterRows<'a> {
        LetterRows {
            nfa,
            known: Vec::new(),
            moves: Vec::new(),
        }
    }

    /// Whether moves may still be kept.
    pub(super) fn have_room(sides: &[LetterRows<'_>; 2]) -> bool {
        sides[0].moves.len() + sides[1].moves.len() < MOST_KEPT
    }

    /// How many letters lead from a state, each counted for each of its targets.
    pub(super) fn count(&mut self, state: State) -> usize {
        let nfa = self.nfa;
        if self.known.is_empty() {
            self.known = vec![Known { count: 0, start: 0 }; nfa.len()];
        }
        let known = &mut self.known[state.index()];
        if known.count == 0 {
            let edges = nfa.edges_from(state).iter();
            let letters = edges.filter_map(|edge| nfa.label(edge).as_ref());
            let count: usize = letters.map(|letters| letters.len()).sum();
            known.count = u32::try_from(count + 1).unwrap_or(u32::MAX);
        }
        (known.count - 1) as usize
    }

    /// The moves of a state.
    pub(super) fn row(&mut self, state: State) -> &[(u32, u32)] {
        let count = self.count(state);
        let known = &mut self.known[state.index()];
        if known.start == 0 {
            known.start = self.moves.len() as u32 + 1;
            for edge in self.nfa.edges_from(state) {
                if let Some(letters) = self.nfa.label(edge) {
                    let target = edge.target.0;
                    letters.each_letter(|letter| self.moves.push((letter, target)));
                }
            }
        }
        &self.moves[known.start as usize - 1..][..count]
    }
}

/// How many places there are for each move.
const PLACES: usize = 16;

/// The moves of one state, found by their letter.
///
/// What is kept is as large as a row needs, not as the alphabet is: clearing a place for each of
/// thousands of letters takes longer than the product of small automata.
#[derive(Default)]
pub(super) struct Marked {
    state: Option<State>,
    /// For the last bits of letters one more than the place of the first move with such a letter,
    /// 0 for none.
    first: Vec<u32>,
    /// For each move its letter, its target and one more than the place of the next move with the
    /// same last bits, 0 for none.
    moves: Vec<(u32, u32, u32)>,
}

impl Marked {
    /// Takes the moves of a state in the place of those that were there.
    pub(super) fn mark(&mut self, state: State, row: &[(u32, u32)], letters: usize) {
        if self.state == Some(state) {
            return;
        }
        self.state = Some(state);
        // With few letters for each place it is seldom that one is there and is another one: telling
        // costs more than places do.
        let places = (PLACES * row.len()).min(letters).next_power_of_two();
        if places > self.first.len() {
            self.moves.clear();
            self.first.clear();
            self.first.resize(places, 0);
        }
        let mask = self.first.len() - 1;
        for (letter, ..) in self.moves.drain(..) {
            self.first[letter as usize & mask] = 0;
        }
        for &(letter, target) in row {
            let first = &mut self.first[letter as usize & mask];
            self.moves.push((letter, target, *first));
            *first = self.moves.len() as u32;
        }
    }

    /// The targets for a letter, after [`Marked::mark`].
    #[inline]
    pub(super) fn targets(&self, letter: u32) -> impl Iterator<Item = u32> {
        let mut next = self.first[letter as usize & (self.first.len() - 1)];
        std::iter::from_fn(move || {
            loop {
                let (with, target, after) = self.moves[next.checked_sub(1)? as usize];
                next = after;
                if with == letter {
                    return Some(target);
                }
            }
        })
    }
}
