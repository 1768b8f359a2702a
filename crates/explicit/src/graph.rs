//! The states found so far, folded.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::before::Before;
use crate::numbers::{Apart, Numbers, mixed};

/// No state: the parent of a beginning, or one that is not known.
pub(crate) const NONE: u32 = u32::MAX;

quotient_bits::id! {
    /// A state that a search found, by its place in the order in which they were found.
    pub StateId, "a search numbers fewer than 2^32 states"
}

/// The states found so far, numbered in the order in which they were found, each with the step
/// that led to it first.
///
/// A state is folded to one word (after Laarman, van de Pol and Weber, "Parallel recursive state
/// compression for free", 2011): its words are numbered, each by what stood in its place before,
/// the numbers are paired, pairs are numbered, and so on up to one pair. Few different words make
/// many states, so that a state costs a word, 6 to 12 bytes of the table that finds it, and little
/// more than a byte for the step that led to it, however many words it has.
///
/// One thread may add states while others look for some, as long as there is room.
#[derive(Debug)]
pub struct Graph {
    width: usize,
    /// A table for each word, then one for each pair; the last one numbers states.
    tables: Vec<Numbers>,
    /// The tables of both parts of each pair.
    pairs: Vec<(usize, usize)>,
    /// Of a state that was just added it may not be there yet.
    before: Apart<Mutex<Before>>,
}

impl Graph {
    /// No states yet, each of so many words.
    pub(crate) fn new(width: usize) -> Graph {
        let mut pairs = Vec::new();
        let mut level: Vec<usize> = (0..width).collect();
        while level.len() > 1 {
            let mut above = Vec::new();
            for two in level.chunks(2) {
                match *two {
                    [left, right] => {
                        above.push(width + pairs.len());
                        pairs.push((left, right));
                    }
                    _ => above.extend_from_slice(two),
                }
            }
            level = above;
        }
        Graph {
            width,
            // States of no words are all the same one.
            tables: (0..(width + pairs.len()).max(1))
                .map(|_| Numbers::new())
                .collect(),
            pairs,
            before: Apart::default(),
        }
    }

    /// How many words each state has.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// How many states there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.roots().len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn before_all(&self) -> MutexGuard<'_, Before> {
        self.before.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many bytes it takes.
    pub fn bytes(&self) -> usize {
        let tables: usize = self.tables.iter().map(Numbers::bytes).sum();
        tables + self.before_all().bytes()
    }

    /// A state by its number; nothing if there is none of it.
    pub fn state(&self, id: StateId) -> Vec<u64> {
        let mut state = Vec::new();
        self.read(id, &mut state);
        state
    }

    /// Writes the words of a state down; none if there is no such state.
    pub fn read(&self, id: StateId, state: &mut Vec<u64>) {
        state.clear();
        if id.index() < self.len() {
            self.unfold(id.number(), state, &mut Vec::new());
        }
    }

    /// Writes the words of a state that is there down, and the number of each word and pair.
    #[inline]
    pub(crate) fn unfold(&self, id: u32, state: &mut Vec<u64>, parts: &mut Vec<u32>) {
        state.clear();
        if self.width == 1 {
            parts.clear();
            parts.push(id);
            return state.push(self.tables[0].word(id));
        }
        parts.resize(self.tables.len(), 0);
        if let Some(root) = parts.last_mut() {
            *root = id;
        }
        for (number, &(left, right)) in self.pairs.iter().enumerate().rev() {
            let pair = self.tables[self.width + number].word(parts[self.width + number]);
            (parts[left], parts[right]) = ((pair >> 32) as u32, pair as u32);
        }
        let words = self.tables.iter().zip(parts).take(self.width);
        state.extend(words.map(|(table, part)| table.word(*part)));
    }

    /// The state before one, and the label of the step from it, as it was found first; nothing
    /// before a beginning.
    pub fn before(&self, id: StateId) -> Option<(StateId, u32)> {
        let (before, label) = self.before_all().get(id.number())?;
        Some((StateId::new(before), label))
    }

    /// The run to a state that was found first: the number of the state that it begins with, and
    /// the labels of its steps. After a breadth-first search it is a shortest one.
    pub fn run(&self, id: StateId) -> (StateId, Vec<u32>) {
        let (first, labels) = self.before_all().run(id.number());
        (StateId::new(first), labels)
    }

    /// Adds a state unless it is there; says its number if it is new.
    pub(crate) fn insert(&mut self, state: &[u64], from: Option<(u32, u32)>) -> Option<u32> {
        let before = self.len();
        let id = self.find_or_insert(state, from);
        (id as usize == before).then_some(id)
    }

    /// The number of a state, which is added unless it is there.
    pub(crate) fn find_or_insert(&mut self, state: &[u64], from: Option<(u32, u32)>) -> u32 {
        let number = self.len();
        self.make_room(1, 1);
        let id = self.add(state);
        if id as usize == number {
            let before = self.before.0.get_mut();
            before.unwrap_or_else(PoisonError::into_inner).push(from);
        }
        id
    }

    /// Whether there is room for so many more states, some of which have parts that are new.
    pub(crate) fn has_room(&self, states: usize, new_parts: usize) -> bool {
        let mut parts = self.tables[..self.tables.len() - 1].iter();
        self.roots().has_room(states) && parts.all(|table| table.has_room(new_parts))
    }

    /// Makes room for so many more states, some of which have parts that are new.
    pub(crate) fn make_room(&mut self, states: usize, new_parts: usize) {
        if let [parts @ .., roots] = &mut self.tables[..] {
            roots.make_room(states);
            parts.iter_mut().for_each(|one| one.make_room(new_parts));
        }
    }

    /// Whether there will be room for so many more states.
    pub(crate) fn has_room_ahead(&self, states: usize) -> bool {
        self.roots().has_room(states)
    }

    /// Makes room for so many more states, and for those after them.
    pub(crate) fn make_room_ahead(&mut self, states: usize) {
        if let Some(roots) = self.tables.last_mut() {
            roots.make_room_ahead(states);
        }
    }

    /// So many threads may fill new tables.
    pub(crate) fn share(&mut self, threads: usize) {
        self.tables.iter_mut().for_each(|one| one.share(threads));
    }

    /// Gives back the room that was made ahead.
    pub(crate) fn trim(&mut self) {
        if let Some(roots) = self.tables.last_mut() {
            roots.trim();
        }
    }

    /// The number of a state, which is added where there is room unless it is there; how it was found is still to be
    /// [noted](Self::note) then.
    pub(crate) fn add(&self, state: &[u64]) -> u32 {
        match *state {
            [word] => self.tables[0].add(word, mixed(word)),
            [] => self.tables[0].add(0, mixed(0)),
            _ => {
                let mut parts = vec![0; self.tables.len()];
                for (at, &word) in state.iter().enumerate() {
                    parts[at] = self.tables[at].add(word, mixed(word));
                }
                for (number, &(left, right)) in self.pairs.iter().enumerate() {
                    let pair = paired(parts[left], parts[right]);
                    let at = self.width + number;
                    parts[at] = self.tables[at].add(pair, mixed(pair));
                }
                parts[self.tables.len() - 1]
            }
        }
    }

    /// Notes how states were found that were added, in their order.
    pub(crate) fn note(&self, found: impl Iterator<Item = (u32, u32)>) {
        let mut before = self.before_all();
        found.for_each(|from| before.push(Some(from)));
    }

    /// The last word of a state when it is folded, if its parts are known, given a state that is
    /// like it in most words, with its parts: what did not change is not looked up.
    #[inline]
    pub(crate) fn folded(
        &self,
        state: &[u64],
        like: &[u64],
        parts: &[u32],
        scratch: &mut Vec<u32>,
    ) -> Option<u64> {
        match *state {
            [word] => return Some(word),
            [] => return Some(0),
            [left, right] => {
                let part = |at: usize, word: u64| match word == like[at] {
                    true => Some(parts[at]),
                    false => self.tables[at].find(word, mixed(word)),
                };
                return Some(paired(part(0, left)?, part(1, right)?));
            }
            _ => {}
        }
        scratch.clear();
        for (at, (&word, &old)) in state.iter().zip(like).enumerate() {
            scratch.push(match word == old {
                true => parts[at],
                false => self.tables[at].find(word, mixed(word))?,
            });
        }
        for (number, &(left, right)) in self.pairs.iter().enumerate() {
            let pair = paired(scratch[left], scratch[right]);
            let at = self.width + number;
            if at + 1 == self.tables.len() {
                return Some(pair);
            }
            let same = scratch[left] == parts[left] && scratch[right] == parts[right];
            scratch.push(match same {
                true => parts[at],
                false => self.tables[at].find(pair, mixed(pair))?,
            });
        }
        None
    }

    /// The same of a state that is like no other.
    pub(crate) fn folded_alone(&self, state: &[u64], scratch: &mut Vec<u32>) -> Option<u64> {
        match *state {
            [word] => return Some(word),
            [] => return Some(0),
            _ => {}
        }
        scratch.clear();
        for (table, &word) in self.tables.iter().zip(state) {
            scratch.push(table.find(word, mixed(word))?);
        }
        let (last, pairs) = self.pairs.split_last()?;
        for (table, &(left, right)) in self.tables[self.width..].iter().zip(pairs) {
            let pair = paired(scratch[left], scratch[right]);
            scratch.push(table.find(pair, mixed(pair))?);
        }
        Some(paired(scratch[last.0], scratch[last.1]))
    }

    /// Adds states unless they are there, given their last words when folded as far as their parts were known, and how
    /// each was found; tells of each that is new. The table is touched for all of them first: it lies far from the
    /// processor, which can have many looks under way at a time.
    pub(crate) fn insert_all<'s>(
        &mut self,
        roots: &[Option<u64>],
        states: impl Iterator<Item = (&'s [u64], Option<(u32, u32)>)>,
        mut new: impl FnMut(),
    ) {
        let new_parts = roots.iter().filter(|root| root.is_none()).count();
        self.make_room(roots.len(), new_parts);
        let looks = self.roots().looks();
        let touched = roots.iter().flatten().map(|&root| looks.first(mixed(root)));
        std::hint::black_box(touched.fold(0, |all, slot| all ^ slot));
        for (root, (state, from)) in roots.iter().zip(states) {
            let number = self.len();
            let id = match *root {
                Some(root) => self.roots().add(root, mixed(root)),
                None => self.add(state),
            };
            if id as usize == number {
                let before = self.before.0.get_mut();
                before.unwrap_or_else(PoisonError::into_inner).push(from);
                new();
            }
        }
    }

    /// The table that numbers states by their last words.
    #[inline]
    pub(crate) fn roots(&self) -> &Numbers {
        &self.tables[self.tables.len() - 1]
    }
}

#[inline]
fn paired(left: u32, right: u32) -> u64 {
    u64::from(left) << 32 | u64::from(right)
}

/// Mixes words by multiplication and folding (as wyhash does): the low bits depend on all.
pub(crate) fn hash(state: &[u64]) -> u64 {
    let mut mixed = 0x9e37_79b9_7f4a_7c15_u64;
    for &word in state {
        let product = u128::from(word ^ mixed) * 0xa076_1d64_78bd_642f_u128;
        mixed = (product as u64) ^ ((product >> 64) as u64) ^ mixed.rotate_left(23);
    }
    let product = u128::from(mixed) * 0xe703_7ed1_a0b4_28db_u128;
    (product as u64) ^ ((product >> 64) as u64)
}
