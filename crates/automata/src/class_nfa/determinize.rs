//! The subset construction.

use quotient_bits::Bits;
use quotient_core::{Budget, Stop};

use super::ClassNfa;
use crate::operations::lists::Lists;
use crate::{Alphabet, Dfa, Minterms, State};

impl ClassNfa {
    /// The subset construction, with ε-closure on the way. `minterms` says which letters the
    /// classes have.
    pub(crate) fn determinize(
        &self,
        alphabet: &Alphabet,
        minterms: &Minterms,
        budget: &Budget,
    ) -> Result<Dfa, Stop> {
        let width = minterms.len();
        let mut sets = Sets::new(self);
        let mut start = self.initial.clone();
        sets.number(&mut start);
        let mut table: Vec<u32> = Vec::with_capacity(2 * width * self.moves.len());
        let mut accepting = Bits::new();
        // For each class the states that it leads to, and the classes that lead anywhere.
        let mut buckets: Vec<Vec<u32>> = vec![Vec::new(); width];
        let mut used: Vec<u32> = Vec::with_capacity(width);
        let mut last: Vec<u32> = Vec::new();
        let mut next = 0;
        while next < sets.lists.len() {
            accepting.grow(next + 1);
            let mut work = 1;
            for &state in sets.lists.get(next as u32) {
                if self.accepting.contains(state as usize) {
                    accepting.insert(next);
                }
                let moves = self.moves.row(state);
                work += moves.len() as u64;
                for &(class, target) in moves {
                    let bucket = &mut buckets[class as usize];
                    if bucket.is_empty() {
                        used.push(class);
                    }
                    bucket.push(target);
                }
            }
            budget.charge(work)?;
            let row = table.len();
            table.resize(row + width, Dfa::NONE);
            // Neighbouring classes mostly lead to the same states: the last answer is kept.
            let mut answer = None;
            used.sort_unstable();
            for class in used.drain(..) {
                let bucket = &mut buckets[class as usize];
                let number = match answer.filter(|_| *bucket == last) {
                    Some(number) => number,
                    None => {
                        last.clone_from(bucket);
                        sets.number(bucket)
                    }
                };
                answer = Some(number);
                bucket.clear();
                table[row + class as usize] = number;
            }
            next += 1;
        }
        Ok(Dfa::from_table(
            alphabet,
            minterms.clone(),
            State(0),
            accepting,
            table,
        ))
    }
}

/// The sets met so far, closed under ε-moves and numbered.
struct Sets<'a> {
    nfa: &'a ClassNfa,
    lists: Lists,
    /// Marks for the closure.
    seen: Bits,
}

impl<'a> Sets<'a> {
    fn new(nfa: &'a ClassNfa) -> Self {
        Sets {
            nfa,
            lists: Lists::with_capacity(nfa.moves.len()),
            seen: Bits::with_capacity(nfa.accepting.len()),
        }
    }

    /// The number of the closure of these states, which are put in order on the way.
    fn number(&mut self, states: &mut Vec<u32>) -> u32 {
        self.close(states);
        self.lists.intern(states)
    }

    fn close(&mut self, states: &mut Vec<u32>) {
        if !self.nfa.silent.is_empty() {
            states.retain(|&state| !self.seen.put(state as usize));
            let mut next = 0;
            while next < states.len() {
                for &target in self.nfa.silent.row(states[next]) {
                    if !self.seen.put(target as usize) {
                        states.push(target);
                    }
                }
                next += 1;
            }
            states
                .iter()
                .for_each(|&state| self.seen.set(state as usize, false));
        }
        states.sort_unstable();
        states.dedup();
    }
}
