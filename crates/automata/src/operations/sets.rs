//! Sets of states of any size, each stored once and known by a number.

use super::lists::Lists;
use super::subsets::{self, Subsets};

/// Interned sets of states: as bits while that is a few cache lines each, else as sorted lists,
/// which mostly have few members of many.
pub(super) struct StateSets {
    store: Store,
    sizes: Vec<u32>,
}

enum Store {
    Bits(Subsets),
    Lists(Lists),
}

/// Up to how many states sets are kept as bits.
const MAX_BITS: usize = 2048;

impl StateSets {
    /// No sets yet, of states below `states`.
    pub(super) fn new(states: usize) -> StateSets {
        StateSets {
            store: match states <= MAX_BITS {
                true => Store::Bits(Subsets::new(states)),
                false => Store::Lists(Lists::with_capacity(0)),
            },
            sizes: Vec::new(),
        }
    }

    /// The number of members of a set.
    #[inline]
    pub(super) fn size(&self, set: u32) -> u32 {
        self.sizes[set as usize]
    }

    /// The number of the set that was collected, which is empty again after that.
    pub(super) fn intern(&mut self, collected: &mut Collector) -> u32 {
        let number = match &mut self.store {
            Store::Bits(bits) => bits.intern(&collected.words),
            Store::Lists(lists) => lists.intern(collected.list()),
        };
        if number as usize == self.sizes.len() {
            self.sizes.push(collected.size());
        }
        collected.clear();
        number
    }

    /// Calls back with each member of a set, in order.
    #[inline]
    pub(super) fn each(&self, set: u32, mut each: impl FnMut(u32)) {
        match &self.store {
            Store::Bits(bits) => subsets::members(bits.get(set)).for_each(each),
            Store::Lists(lists) => lists.get(set).iter().for_each(|&state| each(state)),
        }
    }

    /// Whether every member of the first is in the second.
    pub(super) fn is_subset(&self, small: u32, large: u32) -> bool {
        match &self.store {
            Store::Bits(bits) => subsets::is_subset(bits.get(small), bits.get(large)),
            Store::Lists(lists) => {
                let mut large = lists.get(large).iter();
                let mut small = lists.get(small).iter();
                small.all(|state| large.find(|other| *other >= state) == Some(state))
            }
        }
    }

    /// What a comparison of two sets costs, in steps.
    pub(super) fn cost(&self, set: u32) -> u64 {
        match &self.store {
            Store::Bits(bits) => 1 + bits.words() as u64 / 8,
            Store::Lists(_) => 1 + u64::from(self.size(set)) / 4,
        }
    }
}

/// A set in the making: as bits, with what must be looked at to clear them.
pub(super) struct Collector {
    words: Vec<u64>,
    /// The words that are not zero, in any order.
    touched: Vec<u32>,
    list: Vec<u32>,
}

impl Collector {
    /// The empty set, of states below `states`.
    pub(super) fn new(states: usize) -> Collector {
        Collector {
            words: vec![0; states.div_ceil(64).max(1)],
            touched: Vec::new(),
            list: Vec::new(),
        }
    }

    /// Adds a state.
    #[inline]
    pub(super) fn insert(&mut self, state: u32) {
        let word = &mut self.words[state as usize / 64];
        if *word == 0 {
            self.touched.push(state / 64);
        }
        *word |= 1 << (state % 64);
    }

    fn size(&self) -> u32 {
        let touched = self.touched.iter();
        touched
            .map(|&at| self.words[at as usize].count_ones())
            .sum()
    }

    /// The members, in order.
    pub(super) fn list(&mut self) -> &[u32] {
        self.touched.sort_unstable();
        self.list.clear();
        for &at in &self.touched {
            let members = subsets::members(&self.words[at as usize..=at as usize]);
            self.list.extend(members.map(|member| at * 64 + member));
        }
        &self.list
    }

    /// Removes all members.
    pub(super) fn clear(&mut self) {
        for at in self.touched.drain(..) {
            self.words[at as usize] = 0;
        }
    }
}
