//! Distinct words, numbered.

/// A free slot.
const FREE: u32 = u32::MAX;

/// Distinct words, numbered in the order in which they came.
///
/// The words lie in one vector, and an open table finds them. A slot holds the number of a word in
/// as many bits as numbers need at this size, and bits of its hash in the rest: a word is looked at
/// only if these agree. So a word costs itself and 5 to 10 bytes.
#[derive(Debug, Clone)]
pub(crate) struct Numbers {
    words: Vec<u64>,
    slots: Vec<u32>,
    /// How many bits numbers have in slots: there are as many slots.
    bits: u32,
}

impl Numbers {
    pub(crate) fn new() -> Numbers {
        const BITS: u32 = 8;
        Numbers {
            words: Vec::new(),
            slots: vec![FREE; 1 << BITS],
            bits: BITS,
        }
    }

    /// The word with a number; 0 if there is none.
    #[inline]
    pub(crate) fn word(&self, number: u32) -> u64 {
        self.words.get(number as usize).copied().unwrap_or(0)
    }

    /// How many bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.words.capacity() * 8 + self.slots.capacity() * 4
    }

    /// What the first slot for a hash holds: for looking into several at a time.
    #[inline]
    pub(crate) fn first(&self, hash: u64) -> u32 {
        self.slots[hash as usize & (self.slots.len() - 1)]
    }

    /// The number of a word with this hash, given what the first slot for it holds; the largest
    /// number if it is not there.
    #[inline]
    pub(crate) fn find_from(&self, slot: u32, word: u64, hash: u64) -> u32 {
        if slot == FREE {
            return FREE;
        }
        let number = slot & self.mask();
        if slot == (number | self.tag(hash)) && self.words[number as usize] == word {
            return number;
        }
        self.find(word, hash).unwrap_or(FREE)
    }

    /// The number of a word with this hash, if it is there.
    #[inline]
    pub(crate) fn find(&self, word: u64, hash: u64) -> Option<u32> {
        self.slot_of(word, hash).ok()
    }

    /// The number of a word with this hash, which is added unless it is there.
    #[inline]
    pub(crate) fn find_or_insert(&mut self, word: u64, hash: u64) -> u32 {
        match self.slot_of(word, hash) {
            Ok(number) => number,
            Err(slot) => self.insert_at(slot, word, hash),
        }
    }

    /// The number of a word, or the slot where it would be.
    #[inline]
    fn slot_of(&self, word: u64, hash: u64) -> Result<u32, usize> {
        let last = self.slots.len() - 1;
        let (mask, tag) = (self.mask(), self.tag(hash));
        let mut at = hash as usize & last;
        loop {
            let slot = self.slots[at];
            if slot == FREE {
                return Err(at);
            }
            let number = slot & mask;
            if slot == (number | tag) && self.words[number as usize] == word {
                return Ok(number);
            }
            at = (at + 1) & last;
        }
    }

    fn insert_at(&mut self, slot: usize, word: u64, hash: u64) -> u32 {
        let number = self.words.len() as u32;
        self.slots[slot] = number | self.tag(hash);
        self.words.push(word);
        if self.words.len() * 5 > self.slots.len() * 4 {
            self.grow();
        }
        number
    }

    #[inline]
    fn mask(&self) -> u32 {
        u32::MAX >> (32 - self.bits)
    }

    /// Bits of a hash where a slot has room for them; those that choose the slot are others.
    #[inline]
    fn tag(&self, hash: u64) -> u32 {
        ((hash >> 32) as u32).checked_shl(self.bits).unwrap_or(0)
    }

    fn grow(&mut self) {
        self.bits += 1;
        // The old table is gone before the new one is there.
        self.slots = Vec::new();
        self.slots = vec![FREE; 1 << self.bits];
        let last = self.slots.len() - 1;
        for number in 0..self.words.len() {
            let hash = mixed(self.words[number]);
            let mut at = hash as usize & last;
            while self.slots[at] != FREE {
                at = (at + 1) & last;
            }
            self.slots[at] = number as u32 | self.tag(hash);
        }
    }
}

/// The hash of a word: by multiplication and folding (as wyhash does), every bit depends on all.
#[inline]
pub(crate) fn mixed(word: u64) -> u64 {
    let product = u128::from(word ^ 0x9e37_79b9_7f4a_7c15) * 0xa076_1d64_78bd_642f_u128;
    let folded = (product as u64) ^ ((product >> 64) as u64);
    folded ^ folded.rotate_left(29).wrapping_mul(0xe703_7ed1_a0b4_28db)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_the_numbers_in_which_they_came_whatever_the_size() {
        let mut numbers = Numbers::new();
        let word = |number: u64| number.wrapping_mul(0x1234_5678_9abc_def1) >> (number % 40);
        let mut known = std::collections::HashMap::new();
        for number in 0..20_000 {
            let word = word(number);
            let next = known.len() as u32;
            let expected = *known.entry(word).or_insert(next);
            assert_eq!(numbers.find(word, mixed(word)).is_some(), expected != next);
            assert_eq!(numbers.find_or_insert(word, mixed(word)), expected);
            assert_eq!(numbers.find(word, mixed(word)), Some(expected));
            let first = numbers.first(mixed(word));
            assert_eq!(numbers.find_from(first, word, mixed(word)), expected);
            let other = word ^ 1 << 63;
            let first = numbers.first(mixed(other));
            let found = numbers.find_from(first, other, mixed(other));
            assert_eq!(found, known.get(&other).copied().unwrap_or(FREE));
        }
        assert_eq!(numbers.words.len(), known.len());
        for (word, number) in known {
            assert_eq!(numbers.word(number), word);
        }
    }
}
