//! Merging states of a deterministic automaton, and making the result deterministic again.

use quotient_bits::Bits;
use quotient_core::{Budget, Stop};

use crate::class_nfa::{ClassNfa, Rows};
use crate::{Dfa, State};

impl Dfa {
    /// [`Dfa::quotient`] made deterministic, without the automaton in between: what an
    /// abstraction does again and again.
    ///
    /// # Panics
    /// If there is not one class for each state, which is a bug of the caller.
    pub fn merge(&self, class_of: &[u32], budget: &Budget) -> Result<Dfa, Stop> {
        assert_eq!(class_of.len(), self.len());
        let classes = class_of.iter().max().map_or(0, |&last| last as usize + 1);
        let mut members = vec![Vec::new(); classes];
        let mut accepting = Bits::with_capacity(classes);
        for (state, &class) in (0u32..).zip(class_of) {
            members[class as usize].push(State(state));
            if self.is_accepting(State(state)) {
                accepting.insert(class as usize);
            }
        }
        let mut moves = Rows::with_capacity(classes, self.entries());
        let mut silent = Rows::with_capacity(classes, 0);
        let mut row: Vec<(u32, u32)> = Vec::new();
        for members in &members {
            row.clear();
            for &state in members {
                self.each_move(state, |letter, target| {
                    row.push((letter, class_of[target as usize]));
                });
            }
            row.sort_unstable();
            row.dedup();
            moves.items.extend_from_slice(&row);
            moves.end_row();
            silent.end_row();
        }
        let merged = ClassNfa {
            initial: vec![class_of[self.initial().index()]],
            accepting,
            moves,
            silent,
        };
        let merged = merged.trim();
        merged.determinize(self.alphabet(), self.minterms(), budget)
    }
}
