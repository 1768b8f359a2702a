//! Sets of states, each stored once and known by a number.

use std::hash::{BuildHasher, BuildHasherDefault};

use hashbrown::HashTable;
use rustc_hash::FxHasher;

/// Interned sets of states: bit sets of one size side by side in one vector.
pub(crate) struct Subsets {
    words: usize,
    arena: Vec<u64>,
    numbers: HashTable<u32>,
}

impl Subsets {
    /// No sets yet, of states below `states`.
    pub(crate) fn new(states: usize) -> Subsets {
        Subsets {
            words: states.div_ceil(64).max(1),
            arena: Vec::new(),
            numbers: HashTable::new(),
        }
    }

    /// The length of a set in words.
    pub(crate) fn words(&self) -> usize {
        self.words
    }

    /// The number of sets.
    pub(crate) fn len(&self) -> usize {
        self.arena.len() / self.words
    }

    /// The set with a number.
    #[inline]
    pub(crate) fn get(&self, number: u32) -> &[u64] {
        slice(&self.arena, self.words, number)
    }

    /// The number of a set, a new one if it was not there.
    #[inline]
    pub(crate) fn intern(&mut self, set: &[u64]) -> u32 {
        let (arena, words) = (&self.arena, self.words);
        let entry = self.numbers.entry(
            hash(set),
            |&number| slice(arena, words, number) == set,
            |&number| hash(slice(arena, words, number)),
        );
        match entry {
            hashbrown::hash_table::Entry::Occupied(found) => *found.get(),
            hashbrown::hash_table::Entry::Vacant(free) => {
                let number = (arena.len() / words) as u32;
                free.insert(number);
                self.arena.extend_from_slice(set);
                number
            }
        }
    }
}

#[inline]
fn slice(arena: &[u64], words: usize, number: u32) -> &[u64] {
    &arena[number as usize * words..(number as usize + 1) * words]
}

#[inline]
fn hash(set: &[u64]) -> u64 {
    match set {
        [word] => BuildHasherDefault::<FxHasher>::default().hash_one(word),
        _ => BuildHasherDefault::<FxHasher>::default().hash_one(set),
    }
}

/// The members of a bit set, in order.
pub(crate) fn members(set: &[u64]) -> impl Iterator<Item = u32> + '_ {
    set.iter().enumerate().flat_map(|(index, &word)| {
        std::iter::successors(Some(word), |&rest| Some(rest & rest.wrapping_sub(1)))
            .take_while(|&rest| rest != 0)
            .map(move |rest| index as u32 * 64 + rest.trailing_zeros())
    })
}

/// Adds a member to a bit set.
#[inline]
pub(crate) fn insert(set: &mut [u64], member: u32) {
    set[member as usize / 64] |= 1 << (member % 64);
}

/// Whether two bit sets of one length share a member.
#[inline]
pub(crate) fn intersect(left: &[u64], right: &[u64]) -> bool {
    left.iter().zip(right).any(|(a, b)| a & b != 0)
}

/// A bit set of words from a range of numbers.
pub(crate) fn bits(words: usize, members: impl IntoIterator<Item = usize>) -> Vec<u64> {
    let mut set = vec![0; words];
    members
        .into_iter()
        .for_each(|member| insert(&mut set, member as u32));
    set
}

/// Whether every member of the first bit set is in the second.
#[inline]
pub(crate) fn is_subset(small: &[u64], large: &[u64]) -> bool {
    small.iter().zip(large).all(|(a, b)| a & !b == 0)
}

/// Whether a number is in a bit set.
#[inline]
pub(crate) fn contains(set: &[u64], member: u32) -> bool {
    set[member as usize / 64] >> (member % 64) & 1 == 1
}
