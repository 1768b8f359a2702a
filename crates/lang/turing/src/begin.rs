//! Tapes to begin with, as automata: what both the search for invariants and their check need.

use crate::machine::Symbol;
use crate::pattern::Pattern;
use crate::question::Start;

/// Half a tape, or a set of them, read towards the head: state 0 is far away.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Reading {
    pub(crate) states: usize,
    pub(crate) edges: Vec<(usize, Symbol, usize)>,
}

/// A set of tapes: two automata, and where they meet at the head.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Beginning {
    pub(crate) left: Reading,
    pub(crate) right: Reading,
    /// A state of the left automaton, the scanned symbol, a state of the right one.
    pub(crate) meetings: Vec<(usize, Symbol, usize)>,
}

impl Reading {
    /// The half with this word nearest the head first, then the cycle for ever; also the state
    /// in which it ends. The states of the cycle come first.
    fn half(word: &[Symbol], cycle: &[Symbol]) -> (Reading, usize) {
        let turns = cycle.len();
        // State `at` of the cycle: what comes further away begins with `cycle[at]`.
        let mut edges: Vec<_> = (0..turns)
            .map(|at| ((at + 1) % turns, cycle[at], at))
            .collect();
        let mut here = 0;
        for (count, &symbol) in word.iter().rev().enumerate() {
            edges.push((here, symbol, turns + count));
            here = turns + count;
        }
        let states = turns + word.len();
        (Reading { states, edges }, here)
    }
}

impl Beginning {
    /// One tape.
    pub(crate) fn tape(start: &Start) -> Beginning {
        let (left, left_end) = Reading::half(&start.left.0, &start.left.1);
        let mut cycle = start.right.1.clone();
        let (scanned, word) = match start.right.0.split_first() {
            Some((&scanned, word)) => (scanned, word),
            None => {
                let scanned = cycle[0];
                cycle.rotate_left(1);
                (scanned, &[][..])
            }
        };
        let (right, right_end) = Reading::half(word, &cycle);
        Beginning {
            left,
            right,
            meetings: vec![(left_end, scanned, right_end)],
        }
    }

    /// The words of a set with blanks around them, the head on the first letter.
    pub(crate) fn words(pattern: &Pattern<Symbol>, blank: Symbol) -> Beginning {
        let mut edges = vec![(0, blank, 0)];
        // Position p of the pattern is state p + 1: what stands before it is put on top of it.
        let mut behind = vec![Vec::new(); pattern.letters.len()];
        for &last in &pattern.last {
            behind[last].push(0);
        }
        for (position, follow) in pattern.follow.iter().enumerate() {
            behind[position].extend(follow.iter().map(|next| next + 1));
        }
        for (position, behind) in behind.iter().enumerate() {
            edges.extend(
                behind
                    .iter()
                    .map(|&from| (from, pattern.letters[position], position + 1)),
            );
        }
        let mut meetings: Vec<_> = (pattern.first.iter())
            .flat_map(|&first| behind[first].iter().map(move |&from| (first, from)))
            .map(|(first, from)| (0, pattern.letters[first], from))
            .collect();
        if pattern.empty {
            meetings.push((0, blank, 0));
        }
        Beginning {
            left: Reading {
                states: 1,
                edges: vec![(0, blank, 0)],
            },
            right: Reading {
                states: pattern.letters.len() + 1,
                edges,
            },
            meetings,
        }
    }
}
