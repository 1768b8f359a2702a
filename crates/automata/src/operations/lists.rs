//! Sets of states as sorted lists, each stored once and known by a number.

use std::hash::{BuildHasher, BuildHasherDefault};

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rustc_hash::FxHasher;

/// Interned lists side by side in one vector: for sets with few members of many.
pub(crate) struct Lists {
    arena: Vec<u32>,
    /// Where each list ends, after a first zero.
    ends: Vec<usize>,
    numbers: HashTable<u32>,
}

impl Lists {
    /// No lists yet, with room for about so many short ones.
    pub(crate) fn with_capacity(lists: usize) -> Lists {
        let mut ends = Vec::with_capacity(4 * lists + 1);
        ends.push(0);
        Lists {
            arena: Vec::with_capacity(8 * lists),
            ends,
            numbers: HashTable::with_capacity(lists),
        }
    }

    /// The number of lists.
    pub(crate) fn len(&self) -> usize {
        self.ends.len() - 1
    }

    /// The number of members of all lists together.
    pub(crate) fn members(&self) -> usize {
        self.arena.len()
    }

    /// The list with a number.
    #[inline]
    pub(crate) fn get(&self, number: u32) -> &[u32] {
        slice(&self.arena, &self.ends, number)
    }

    /// The number of a list, a new one if it was not there.
    pub(crate) fn intern(&mut self, list: &[u32]) -> u32 {
        let (arena, ends) = (&self.arena, &self.ends);
        let entry = self.numbers.entry(
            hash(list),
            |&number| slice(arena, ends, number) == list,
            |&number| hash(slice(arena, ends, number)),
        );
        match entry {
            Entry::Occupied(found) => *found.get(),
            Entry::Vacant(free) => {
                let number = ends.len() as u32 - 1;
                free.insert(number);
                self.arena.extend_from_slice(list);
                self.ends.push(self.arena.len());
                number
            }
        }
    }
}

fn slice<'a>(arena: &'a [u32], ends: &[usize], number: u32) -> &'a [u32] {
    &arena[ends[number as usize]..ends[number as usize + 1]]
}

fn hash(list: &[u32]) -> u64 {
    BuildHasherDefault::<FxHasher>::default().hash_one(list)
}
