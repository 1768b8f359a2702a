//! The states of one thread: a set, and a list by level.

use crate::Action;
use crate::product::{Word, hash};

/// A state that was met, and the action that leads to it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Met<const W: usize> {
    pub(super) state: Word<W>,
    pub(super) by: Action,
}

/// States in the order in which they were met, with where each level begins, and the set of
/// them all.
#[derive(Debug)]
pub(super) struct Levels<const W: usize> {
    states: Vec<Word<W>>,
    /// States that are in the lists of others.
    known: Vec<Word<W>>,
    begins: Vec<usize>,
    /// The actions by which the states of the present level were first met, and those of the
    /// next one.
    by: [Vec<Action>; 2],
    set: Set<W>,
    /// Where in the set the states of a batch belong.
    places: Vec<usize>,
}

impl<const W: usize> Levels<W> {
    /// No states; the next level has this number.
    pub(super) fn new(level: usize) -> Self {
        Levels {
            states: Vec::new(),
            known: Vec::new(),
            begins: vec![0; level + 1],
            by: [Vec::new(), Vec::new()],
            set: Set::new(),
            places: Vec::new(),
        }
    }

    /// Adds states to the next level unless they are there. They should be some hundred at
    /// most.
    #[inline]
    pub(super) fn insert_all(&mut self, batch: &[Met<W>]) {
        self.set.reserve(batch.len());
        self.places.clear();
        let places = batch.iter().map(|met| self.set.place(&met.state));
        self.places.extend(places);
        self.set.touch(&self.places, &self.states);
        for (met, &place) in batch.iter().zip(&self.places) {
            if (self.set).insert(&met.state, place, [&self.states, &self.known]) {
                self.states.push(met.state);
                self.by[1].push(met.by);
            }
        }
    }

    /// Takes states as met that are in the lists of others. There must be no own ones yet.
    pub(super) fn know(&mut self, states: impl Iterator<Item = Word<W>>) {
        for state in states {
            self.set.reserve(1);
            let place = self.set.place(&state);
            if self.set.insert(&state, place, [&self.known, &[]]) {
                self.known.push(state);
            }
        }
        self.set.known = self.known.len();
    }

    /// Begins the next level: what was added since the last call is the present one.
    pub(super) fn next_level(&mut self) {
        self.by.swap(0, 1);
        self.by[1].clear();
        self.begins.push(self.states.len());
    }

    /// The number of the present level.
    pub(super) fn present(&self) -> usize {
        self.begins.len().saturating_sub(2)
    }

    /// How many states there are for the next level.
    pub(super) fn fresh(&self) -> usize {
        self.by[1].len()
    }

    /// A state of the present level, and the action by which it was first met.
    #[inline]
    pub(super) fn met(&self, number: usize) -> Met<W> {
        Met {
            state: self.states[self.begins[self.begins.len() - 2] + number],
            by: self.by[0][number],
        }
    }

    /// All states.
    pub(super) fn states(&self) -> &[Word<W>] {
        &self.states
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
        self.set = Set::new();
    }
}

/// Open addressing, zeros where free. A state of one word lies in its slot, so that a look-up mostly touches one
/// line of the cache; of a longer one there are the high half of its hash and its number, which takes a
/// fraction of the room. States lie in the order of their hashes, as far as there are no collisions, so that the
/// set grows by one walk through memory.
#[derive(Debug)]
struct Set<const W: usize> {
    slots: Vec<u64>,
    /// The high bits of a hash that are a place: all but this many.
    shift: u32,
    len: usize,
    /// How many states that are in the lists of others come before the own ones.
    known: usize,
}

impl<const W: usize> Set<W> {
    const FIRST_BITS: u32 = 10;
    const LITTLE: usize = 1 << 18;
    const HALF: u64 = 0xffff_ffff;

    fn new() -> Self {
        Set {
            slots: vec![0; 1 << Self::FIRST_BITS],
            shift: u64::BITS - Self::FIRST_BITS,
            len: 0,
            known: 0,
        }
    }

    /// Where the search for a state begins.
    #[inline]
    fn place(&self, state: &Word<W>) -> usize {
        (hash(state) >> self.shift) as usize
    }

    /// Looks at slots one after the other without waiting for what is in them, and then at the states that
    /// they tell of, so that the memory brings many at a time before they are needed.
    #[inline]
    fn touch(&self, places: &[usize], states: &[Word<W>]) {
        let slot = |place: usize| self.slots[place];
        let mut all = places.iter().fold(0, |all, &place| all ^ slot(place));
        if W > 1 {
            for &place in places {
                let number = (slot(place) & Self::HALF) as usize;
                let state = states.get(number.wrapping_sub(1 + self.known));
                all ^= state.map_or(0, |state| state[0]);
            }
        }
        std::hint::black_box(all);
    }

    /// Adds a state, for which there is room, unless it is there. The lists have the states that are, the
    /// own ones before those of others; who adds one puts it at the end of the first.
    #[inline]
    fn insert(&mut self, state: &Word<W>, place: usize, [own, known]: [&[Word<W>]; 2]) -> bool {
        let mask = self.slots.len() - 1;
        let mut at = place & mask;
        let half = match W {
            1 => 0,
            _ => hash(state) & !Self::HALF,
        };
        loop {
            let slot = &mut self.slots[at];
            if *slot == 0 {
                *slot = match W {
                    1 => state[0],
                    _ => half | number(own.len() + known.len()),
                };
                self.len += 1;
                return true;
            }
            let is_there = match W {
                1 => *slot == state[0],
                _ if *slot & !Self::HALF != half => false,
                _ => {
                    let number = (*slot & Self::HALF) as usize - 1;
                    let found = match number.checked_sub(known.len()) {
                        Some(number) => own.get(number),
                        None => known.get(number),
                    };
                    found == Some(state)
                }
            };
            if is_there {
                return false;
            }
            at = (at + 1) & mask;
        }
    }

    /// Makes room for some more states, so that five of eight slots are taken at most.
    #[inline]
    fn reserve(&mut self, more: usize) {
        while (self.len + more) * 8 > self.slots.len() * 5 {
            self.grow();
        }
    }

    /// Twice as large, and while that is little, four times: all states have to move.
    #[cold]
    fn grow(&mut self) {
        let bits = if self.slots.len() <= Self::LITTLE {
            2
        } else {
            1
        };
        let larger = vec![0; self.slots.len() << bits];
        let slots = std::mem::replace(&mut self.slots, larger);
        self.shift -= bits;
        let mask = self.slots.len() - 1;
        for slot in slots.into_iter().filter(|&slot| slot != 0) {
            let hash = match W {
                1 => hash(&[slot]),
                _ => slot,
            };
            let mut at = (hash >> self.shift) as usize;
            while self.slots[at & mask] != 0 {
                at += 1;
            }
            self.slots[at & mask] = slot;
        }
    }
}

/// The number of a state as a slot has it.
///
/// # Panics
/// If there are 2^31 states: with more, the half of a hash would not tell a place.
#[inline]
fn number(place: usize) -> u64 {
    assert!(place < MOST, "a search has at most 2^31 states");
    place as u64 + 1
}

/// The most states of more than one word.
const MOST: usize = 1 << 31;

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20))]

        #[test]
        fn states_are_added_once_and_stay_when_the_set_grows(
            batches in proptest::collection::vec(
                proptest::collection::vec((1..4096u64, 0..3u64), 0..300), 1..40),
        ) {
            let (mut levels, mut naive) = (Levels::<2>::new(0), HashSet::new());
            for batch in batches {
                let fresh: Vec<Word<2>> = batch.into_iter().map(|(low, high)| [low, high]).collect();
                let met: Vec<Met<2>> = fresh.iter().map(|&state| Met { state, by: Action::TAU }).collect();
                levels.insert_all(&met);
                levels.next_level();
                let new: HashSet<Word<2>> = fresh.into_iter().filter(|state| !naive.contains(state)).collect();
                let level = levels.level(levels.present());
                prop_assert_eq!(level.len(), new.len());
                prop_assert_eq!(level.iter().copied().collect::<HashSet<_>>(), new.clone());
                naive.extend(new);
            }
            prop_assert_eq!(levels.states().len(), naive.len());
        }
    }

    #[test]
    fn states_with_one_place_lie_side_by_side() {
        let (mut set, mut long, mut states) = (Set::<1>::new(), Set::<2>::new(), Vec::new());
        for state in 1..100 {
            assert!(set.insert(&[state], 1020, [&[], &[]]));
            assert!(long.insert(&[state, 7], 1020, [&states, &[]]));
            states.push([state, 7]);
        }
        for state in 1..100 {
            assert!(!set.insert(&[state], 1020, [&[], &[]]));
            assert!(!long.insert(&[state, 7], 1020, [&states, &[]]));
        }
        assert_eq!((set.len, long.len), (99, 99));
    }

    #[test]
    fn states_of_others_are_known() {
        let mut levels = Levels::<2>::new(0);
        let state = |number: u64| [number, number * 31];
        levels.know((1..500).map(state));
        let all: Vec<Met<2>> = (1..1_000)
            .map(|number| Met {
                state: state(number),
                by: Action::TAU,
            })
            .collect();
        levels.insert_all(&all);
        levels.insert_all(&all);
        let own: Vec<Word<2>> = (500..1_000).map(state).collect();
        assert_eq!(levels.states(), own);
    }
}
