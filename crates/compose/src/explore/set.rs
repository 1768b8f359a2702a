//! The states of one thread: a set, and a list by level.

use crate::Action;
use crate::product::{Word, hash};

/// A state that was met, with its hash and the action that leads to it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Met<const W: usize> {
    pub(super) state: Word<W>,
    pub(super) hash: u64,
    pub(super) by: Action,
}

/// States in the order in which they were met, with where each level begins, and the set of
/// them all.
#[derive(Debug)]
pub(super) struct Levels<const W: usize> {
    states: Vec<Word<W>>,
    begins: Vec<usize>,
    /// The actions by which the states of the present level were first met, and those of the
    /// next one.
    by: [Vec<Action>; 2],
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
            by: [Vec::new(), Vec::new()],
            slots: vec![[0; W]; 1 << 10],
        }
    }

    /// Adds states, each with its hash and the action that leads to it, unless they are there.
    ///
    /// They should be some hundred at most.
    #[inline]
    pub(super) fn insert_all(&mut self, states: &[Met<W>]) {
        let mask = self.slots.len() - 1;
        let places = states.iter().map(|met| met.hash as usize & mask);
        touch(&self.slots, places);
        for met in states {
            self.insert(met);
        }
    }

    /// Adds a state unless it is there.
    #[inline]
    pub(super) fn insert(&mut self, met: &Met<W>) -> bool {
        let Met { state, hash, by } = *met;
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
        self.by[1].push(by);
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
        self.by.swap(0, 1);
        self.by[1].clear();
        self.begins.push(self.states.len());
    }

    pub(super) fn len(&self) -> usize {
        self.states.len()
    }

    /// A state of the present level, and the action by which it was first met.
    pub(super) fn state(&self, number: usize) -> (Word<W>, Action) {
        let begin = self.begins[self.begins.len() - 2];
        (self.states[number], self.by[0][number - begin])
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
