//! The subset construction.

use std::hash::Hasher;

use fixedbitset::FixedBitSet;
use hashbrown::HashTable;
use quotient_core::{Budget, Stop};
use rustc_hash::FxHasher;

use super::ClassNfa;
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
        let mut accepting = FixedBitSet::new();
        // For each class the states that it leads to, and the classes that lead anywhere.
        let mut buckets: Vec<Vec<u32>> = vec![Vec::new(); width];
        let mut used: Vec<u32> = Vec::with_capacity(width);
        let mut last: Vec<u32> = Vec::new();
        let mut next = 0;
        while next < sets.len() {
            accepting.grow(next + 1);
            let mut work = 1;
            for &state in sets.set(next) {
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

/// The sets met so far, numbered, one after the other in one piece of memory.
struct Sets<'a> {
    nfa: &'a ClassNfa,
    ends: Vec<u32>,
    members: Vec<u32>,
    numbers: HashTable<u32>,
    /// Marks for the closure.
    seen: FixedBitSet,
}

impl<'a> Sets<'a> {
    fn new(nfa: &'a ClassNfa) -> Self {
        let states = nfa.moves.len();
        let mut ends = Vec::with_capacity(4 * states + 1);
        ends.push(0);
        Sets {
            nfa,
            ends,
            members: Vec::with_capacity(8 * states),
            numbers: HashTable::with_capacity(states),
            seen: FixedBitSet::with_capacity(nfa.accepting.len()),
        }
    }

    fn len(&self) -> usize {
        self.ends.len() - 1
    }

    fn set(&self, number: usize) -> &[u32] {
        &self.members[self.ends[number] as usize..self.ends[number + 1] as usize]
    }

    /// The number of the closure of these states, which are put in order on the way.
    fn number(&mut self, states: &mut Vec<u32>) -> u32 {
        self.close(states);
        let hash = hash(states);
        let (ends, members) = (&self.ends, &self.members);
        let set = |number: u32| {
            &members[ends[number as usize] as usize..ends[number as usize + 1] as usize]
        };
        if let Some(&number) = self
            .numbers
            .find(hash, |&number| set(number) == states.as_slice())
        {
            return number;
        }
        let number = ends.len() as u32 - 1;
        self.members.extend_from_slice(states);
        self.ends.push(self.members.len() as u32);
        let (ends, members) = (&self.ends, &self.members);
        self.numbers.insert_unique(hash, number, |&number| {
            let (from, to) = (ends[number as usize], ends[number as usize + 1]);
            self::hash(&members[from as usize..to as usize])
        });
        number
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

fn hash(states: &[u32]) -> u64 {
    let mut hasher = FxHasher::default();
    states.iter().for_each(|&state| hasher.write_u32(state));
    hasher.finish()
}
