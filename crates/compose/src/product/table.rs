//! Packed states, numbered in the order in which they are met.

use quotient_core::Stop;

use super::Word;

/// Numbers of states and the error state fit in 32 bits.
const MOST_STATES: usize = u32::MAX as usize - 2;

/// An open-addressing table from packed states to numbers.
#[derive(Debug)]
pub(crate) struct StateTable<const W: usize> {
    states: Vec<Word<W>>,
    /// Numbers of states plus one, zero where free; a power of two long.
    slots: Vec<u32>,
}

impl<const W: usize> StateTable<W> {
    pub(crate) fn new() -> Self {
        StateTable {
            states: Vec::new(),
            slots: vec![0; 64],
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.states.len()
    }

    pub(crate) fn state(&self, number: u32) -> &Word<W> {
        &self.states[number as usize]
    }

    /// The number of a state, and whether it is new.
    #[inline]
    pub(crate) fn insert(&mut self, state: Word<W>) -> Result<(u32, bool), Stop> {
        if self.states.len() * 2 >= self.slots.len() {
            self.grow();
        }
        let mask = self.slots.len() - 1;
        let mut at = hash(&state) as usize & mask;
        loop {
            match self.slots[at] {
                0 => {
                    if self.states.len() >= MOST_STATES {
                        return Err(Stop::bound("states of one search", MOST_STATES as u64));
                    }
                    self.states.push(state);
                    self.slots[at] = self.states.len() as u32;
                    return Ok((self.states.len() as u32 - 1, true));
                }
                number if self.states[number as usize - 1] == state => {
                    return Ok((number - 1, false));
                }
                _ => at = (at + 1) & mask,
            }
        }
    }

    fn grow(&mut self) {
        let mask = self.slots.len() * 2 - 1;
        self.slots = vec![0; mask + 1];
        for (number, state) in self.states.iter().enumerate() {
            let mut at = hash(state) as usize & mask;
            while self.slots[at] != 0 {
                at = (at + 1) & mask;
            }
            self.slots[at] = number as u32 + 1;
        }
    }
}

/// Multiply and fold: the fields that change between neighbours are anywhere in the word, so
/// the high half of the product must reach the low bits.
#[inline]
pub(crate) fn hash<const W: usize>(state: &Word<W>) -> u64 {
    let mut mixed = 0u64;
    for &word in state {
        let wide = u128::from(mixed ^ word) * 0x9E37_79B9_7F4A_7C15;
        mixed = (wide >> 64) as u64 ^ wide as u64;
    }
    mixed
}
