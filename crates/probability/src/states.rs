//! States, packed.

use hashbrown::HashTable;

use crate::Variable;

/// Where each variable lies in the words of a state. The first variable has the highest bits, so
/// that words in order are states in order.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    places: Vec<Place>,
    pub(crate) words: usize,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    pub(crate) word: u32,
    shift: u32,
    width: u32,
    low: i64,
    high: i64,
}

impl Layout {
    pub(crate) fn new(variables: &[Variable]) -> Layout {
        let mut places = Vec::new();
        let (mut word, mut free) = (0, 64);
        for variable in variables {
            let span = variable.high.wrapping_sub(variable.low) as u64;
            let width = 64 - span.leading_zeros();
            if width > free {
                word += 1;
                free = 64;
            }
            free -= width;
            places.push(Place {
                word,
                shift: free,
                width,
                low: variable.low,
                high: variable.high,
            });
        }
        Layout {
            places,
            words: word as usize + 1,
        }
    }

    pub(crate) fn unpack(&self, words: &[u64], values: &mut [f64]) {
        for (place, value) in self.places.iter().zip(values) {
            *value = place.get(words) as f64;
        }
    }

    pub(crate) fn pack(&self, values: &[i64], words: &mut [u64]) {
        words.fill(0);
        for (place, &value) in self.places.iter().zip(values) {
            if let Some(bits) = place.bits(value as f64) {
                words[place.word as usize] |= bits;
            }
        }
    }

    pub(crate) fn place(&self, variable: usize) -> Place {
        self.places[variable]
    }

    pub(crate) fn values(&self, words: &[u64]) -> Vec<i64> {
        self.places.iter().map(|place| place.get(words)).collect()
    }
}

impl Place {
    #[inline]
    fn get(&self, words: &[u64]) -> i64 {
        if self.width == 0 {
            return self.low;
        }
        let bits = words[self.word as usize] >> self.shift;
        let mask = u64::MAX >> (64 - self.width);
        self.low.wrapping_add((bits & mask) as i64)
    }

    /// The bits that a new value sets; none if it is not a value of the variable.
    #[inline]
    pub(crate) fn bits(&self, value: f64) -> Option<u64> {
        let fits = value >= self.low as f64 && value <= self.high as f64 && value.fract() == 0.0;
        if !fits {
            return None;
        }
        match self.width {
            0 => Some(0),
            _ => Some(((value as i64).wrapping_sub(self.low) as u64) << self.shift),
        }
    }

    /// The bits that belong to the variable.
    pub(crate) fn mask(&self) -> u64 {
        match self.width {
            0 => 0,
            width => (u64::MAX >> (64 - width)) << self.shift,
        }
    }
}

/// The states that were found, each with its number.
#[derive(Debug, Clone)]
pub struct States {
    pub(crate) layout: Layout,
    data: Vec<u64>,
    table: HashTable<u32>,
    scratch: Vec<u64>,
}

impl States {
    pub(crate) fn new(layout: Layout) -> States {
        States {
            layout,
            data: Vec::new(),
            table: HashTable::new(),
            scratch: Vec::new(),
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.data.len() / self.layout.words
    }

    pub(crate) fn variables(&self) -> usize {
        self.layout.places.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    pub(crate) fn words(&self, state: usize) -> &[u64] {
        let words = self.layout.words;
        &self.data[state * words..(state + 1) * words]
    }

    /// The words of states from one number up to another.
    pub(crate) fn words_between(&self, from: usize, to: usize) -> &[u64] {
        let words = self.layout.words;
        &self.data[from * words..to * words]
    }

    /// The values of the variables in a state.
    pub fn values(&self, state: usize) -> Vec<i64> {
        self.layout.values(self.words(state))
    }

    /// The values as doubles, for expressions.
    pub(crate) fn unpack(&self, state: usize, values: &mut [f64]) {
        self.layout.unpack(self.words(state), values);
    }

    /// Gives back the room that only looking for states needs: no more are found.
    pub(crate) fn settle(&mut self) {
        self.table = HashTable::new();
        self.data.shrink_to_fit();
    }

    /// The number of a state, which is a new one if it is new.
    #[inline]
    pub(crate) fn number(&mut self, words: &[u64]) -> u32 {
        let wide = self.layout.words;
        let data = &self.data;
        let same = |&other: &u32| {
            let at = other as usize * wide;
            data[at..at + wide] == *words
        };
        let key = hash(words);
        if let Some(&known) = self.table.find(key, same) {
            return known;
        }
        let number = (self.data.len() / wide) as u32;
        let again = |&other: &u32| {
            let at = other as usize * wide;
            hash(&data[at..at + wide])
        };
        self.table.insert_unique(key, number, again);
        self.data.extend_from_slice(words);
        number
    }

    pub(crate) fn number_of_values(&mut self, values: &[i64]) -> u32 {
        let mut words = std::mem::take(&mut self.scratch);
        words.resize(self.layout.words, 0);
        self.layout.pack(values, &mut words);
        let number = self.number(&words);
        self.scratch = words;
        number
    }

    /// Puts states in the order of their values: the first variable counts most.
    pub fn sort(&self, states: &mut [u32]) {
        states.sort_unstable_by(|&a, &b| self.words(a as usize).cmp(self.words(b as usize)));
    }
}

/// Few variables lie in the highest bits, many spread over all: the whole product of 128 bits is
/// folded, so that each bit of a state counts for all bits of the hash.
#[inline]
fn hash(words: &[u64]) -> u64 {
    let mut hash = 0x9e37_79b9_7f4a_7c15u64;
    for &word in words {
        let product = u128::from(hash ^ word) * 0xd6e8_feb8_6659_fd93_u128;
        hash = (product >> 64) as u64 ^ product as u64 ^ word.rotate_left(32);
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_of_few_bits_have_different_hashes() {
        for width in [1, 8, 13, 20] {
            let many = 1u64 << 8.min(width);
            for shift in [0, 64 - width] {
                let low = |word: u64| hash(&[word << shift]) % 1024;
                let mut found: Vec<u64> = (0..many).map(low).collect();
                found.sort_unstable();
                found.dedup();
                assert!(
                    found.len() as u64 > many / 2,
                    "{width} {shift} {}",
                    found.len()
                );
            }
        }
    }
}
