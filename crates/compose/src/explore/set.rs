//! The states of one thread: a set, and a list by level.

use crate::product::{Word, hash};

/// States in the order in which they were met, with where each level begins, and the set of
/// them all.
#[derive(Debug)]
pub(super) struct Levels<const W: usize> {
    states: Vec<Word<W>>,
    begins: Vec<usize>,
    /// Open addressing with the states themselves, zeros where free: a look-up mostly touches
    /// one line of the cache.
    slots: Vec<Word<W>>,
}

/// States that are moved together when the set grows.
const TOGETHER: usize = 1 << 8;

/// Looks at slots one after the other without waiting for what is in them, so that the memory
/// brings many at a time before they are needed.
#[inline]
fn touch<const W: usize>(slots: &[Word<W>], places: impl Iterator<Item = usize>) {
    std::hint::black_box(places.fold(0, |all, place| all ^ slots[place][0]));
}

impl<const W: usize> Levels<W> {
    pub(super) fn new() -> Self {
        Levels {
            states: Vec::new(),
            begins: vec![0],
            slots: vec![[0; W]; 1 << 10],
        }
    }

    /// Adds states, each with its hash, unless they are there.
    ///
    /// They should be some hundred at most.
    #[inline]
    pub(super) fn insert_all(&mut self, states: &[(Word<W>, u64)]) {
        let mask = self.slots.len() - 1;
        let places = states.iter().map(|&(_, hash)| hash as usize & mask);
        touch(&self.slots, places);
        for &(state, hash) in states {
            self.insert(state, hash);
        }
    }

    /// Adds a state, with its hash, unless it is there.
    #[inline]
    pub(super) fn insert(&mut self, state: Word<W>, hash: u64) -> bool {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let slot = &self.slots[at];
            if slot[0] == 0 {
                break;
            }
            if *slot == state {
                return false;
            }
            at = (at + 1) & mask;
        }
        self.slots[at] = state;
        self.states.push(state);
        if self.states.len() * 8 > self.slots.len() * 5 {
            self.grow();
        }
        true
    }

    fn grow(&mut self) {
        let mask = self.slots.len() * 2 - 1;
        self.slots = Vec::new();
        self.slots = vec![[0; W]; mask + 1];
        let mut places = Vec::with_capacity(TOGETHER);
        for states in self.states.chunks(TOGETHER) {
            places.clear();
            places.extend(states.iter().map(|state| hash(state) as usize & mask));
            touch(&self.slots, places.iter().copied());
            for (state, &place) in states.iter().zip(&places) {
                let mut at = place;
                while self.slots[at][0] != 0 {
                    at = (at + 1) & mask;
                }
                self.slots[at] = *state;
            }
        }
    }

    /// Begins the next level: what was added since the last call is the present one.
    pub(super) fn next_level(&mut self) {
        self.begins.push(self.states.len());
    }

    pub(super) fn len(&self) -> usize {
        self.states.len()
    }

    pub(super) fn state(&self, number: usize) -> Word<W> {
        self.states[number]
    }

    /// The states of one level.
    pub(super) fn level(&self, level: usize) -> &[Word<W>] {
        let bound = |level: usize| self.begins.get(level).copied().unwrap_or(self.states.len());
        &self.states[bound(level)..bound(level + 1)]
    }

    /// The number of the last level with states in it.
    pub(super) fn depth(&self) -> usize {
        (0..self.begins.len())
            .rev()
            .find(|&level| !self.level(level).is_empty())
            .unwrap_or(0)
    }

    /// Frees the set when only the levels are needed any more.
    pub(super) fn forget_set(&mut self) {
        self.slots = Vec::new();
    }
}
