//! Distinct words, numbered.

use std::ops::Range;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU32, AtomicU64};

/// Tables of so many slots are doubled; larger ones grow by a half and by a third in turn, so that fewer slots are
/// free where that matters.
const DOUBLED: usize = 1 << 21;

/// So many words and more are put into a new table by several threads.
const SHARED: usize = 1 << 16;

/// A free slot, and the number of a word that is not there.
const FREE: u32 = u32::MAX;

/// Distinct words, numbered in the order in which they came.
///
/// The words lie in one vector, and an open table finds them. A slot holds the number of a word in
/// as many bits as numbers need at this size, and bits of its hash in the rest: a word is looked at
/// only if these agree. So a word costs itself and 6 to 12 bytes, and at most 9 where there are many.
///
/// One thread may [add](Self::add) words while others look for some, as long as there is room: a word is there
/// before the slot that tells of it. Making room needs the table for oneself.
#[derive(Debug)]
pub(crate) struct Numbers {
    words: Vec<AtomicU64>,
    /// How many of the words there are.
    number: Apart<AtomicU32>,
    slots: Vec<AtomicU32>,
    /// How many bits numbers have in slots: enough for as many as there are slots.
    bits: u32,
    /// How many threads fill a new table.
    threads: usize,
}

/// What one thread writes again and again, in lines of memory of its own: others that read what would stand beside it fetched
/// the line anew each time.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(crate) struct Apart<T>(pub(crate) T);

impl Numbers {
    pub(crate) fn new() -> Numbers {
        const BITS: u32 = 8;
        Numbers {
            words: Vec::new(),
            number: Apart::default(),
            slots: free(1 << BITS),
            bits: BITS,
            threads: 1,
        }
    }

    /// How many words there are.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.number.0.load(Acquire) as usize
    }

    /// The word with a number; 0 if there is none.
    #[inline]
    pub(crate) fn word(&self, number: u32) -> u64 {
        let word = self.words.get(number as usize);
        word.map_or(0, |word| word.load(Relaxed))
    }

    /// How many bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.words.capacity() * 8 + self.slots.capacity() * 4
    }

    /// The table, for looking for many words.
    #[inline]
    pub(crate) fn looks(&self) -> Looks<'_> {
        Looks {
            words: &self.words,
            slots: &self.slots,
            bits: self.bits,
        }
    }

    /// The number of a word with this hash, if it is there.
    #[inline]
    pub(crate) fn find(&self, word: u64, hash: u64) -> Option<u32> {
        let looks = self.looks();
        looks.find(looks.slot(hash), word, hash).ok()
    }

    /// The number of a word with this hash, which is added where there is room unless it is there: others may look for
    /// words meanwhile, and nobody else may add any.
    #[inline]
    pub(crate) fn add(&self, word: u64, hash: u64) -> u32 {
        self.add_from(self.looks().slot(hash) as u32, word, hash)
    }

    /// The same for a word that is in no slot before this one.
    #[inline]
    pub(crate) fn add_from(&self, slot: u32, word: u64, hash: u64) -> u32 {
        let looks = self.looks();
        let slot = match looks.find(slot as usize, word, hash) {
            Ok(number) => return number,
            Err(slot) => slot,
        };
        let number = self.number.0.load(Relaxed);
        self.words[number as usize].store(word, Relaxed);
        self.slots[slot as usize].store(number | looks.tag(hash), Release);
        self.number.0.store(number + 1, Release);
        number
    }

    /// The size of the table: as long as it stays, so do the slots.
    #[inline]
    pub(crate) fn size(&self) -> usize {
        self.slots.len()
    }

    /// Whether so many more words can be added.
    #[inline]
    pub(crate) fn has_room(&self, more: usize) -> bool {
        let number = self.len() + more;
        number <= self.words.len() && self.is_loose(number)
    }

    /// Whether so many words leave enough slots free. Numbers of 32 bits allow no larger table.
    #[inline]
    fn is_loose(&self, number: usize) -> bool {
        number as u64 * 10 <= self.slots.len() as u64 * 7 || self.slots.len() as u64 >= 1 << 32
    }

    /// Makes room for so many more words.
    #[inline]
    pub(crate) fn make_room(&mut self, more: usize) {
        if !self.has_room(more) {
            self.grow(more);
        }
    }

    fn grow(&mut self, more: usize) {
        let number = self.len() + more;
        self.widen(number);
        if self.is_loose(number) {
            return;
        }
        let mut size = self.slots.len();
        while number as u64 * 10 > size as u64 * 7 && (size as u64) < 1 << 32 {
            size = larger(size);
        }
        // The old table is the beginning of the new one: its pages are there, and need not be asked for again.
        self.slots.clear();
        self.slots.reserve_exact(size);
        self.slots.resize_with(size, || AtomicU32::new(FREE));
        self.bits = size.next_power_of_two().trailing_zeros();
        self.refill(match self.len() < SHARED {
            true => 1,
            false => self.threads.max(1),
        });
    }

    /// Lets a table in which all slots are free tell of all words, by so many threads.
    fn refill(&self, threads: usize) {
        let size = self.slots.len();
        let bound = |zone: usize| (size as u128 * zone as u128 / threads as u128) as usize;
        let late = std::thread::scope(|scope| {
            let others = (1..threads).map(|zone| bound(zone)..bound(zone + 1));
            let others: Vec<_> = others
                .map(|zone| scope.spawn(move || self.fill(zone)))
                .collect();
            let mut late = self.fill(0..bound(1));
            for other in others {
                match other.join() {
                    Ok(more) => late.extend(more),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            late
        });
        for (slot, told) in late {
            let behind = self.slots[slot..].iter().chain(&self.slots[..slot]);
            let mut behind = behind.filter(|slot| slot.load(Relaxed) == FREE);
            if let Some(slot) = behind.next() {
                slot.store(told, Relaxed);
            }
        }
    }

    /// Fills a part of a new table, which nobody else does; what finds no slot there is left, with the slot where it would be.
    fn fill(&self, zone: Range<usize>) -> Vec<(usize, u32)> {
        const AT_A_TIME: usize = 64;
        let (size, number) = (self.slots.len(), self.len());
        let (mut late, mut here) = (Vec::new(), [(0, 0); AT_A_TIME]);
        for begin in (0..number).step_by(AT_A_TIME) {
            let mut count = 0;
            for number in begin..number.min(begin + AT_A_TIME) {
                let hash = mixed(self.words[number].load(Relaxed));
                let slot = slot_of(hash, size);
                // Nobody guesses which of them belong here.
                here[count] = (slot, number as u32 | tag(hash, self.bits));
                count += usize::from(zone.contains(&slot));
            }
            for &(slot, told) in &here[..count] {
                let mut behind = self.slots[slot..zone.end].iter();
                match behind.find(|slot| slot.load(Relaxed) == FREE) {
                    Some(slot) => slot.store(told, Relaxed),
                    None => late.push((slot, told)),
                }
            }
        }
        late
    }

    /// Makes room for so many words, apart from the table that finds them.
    fn widen(&mut self, number: usize) {
        if number > self.words.len() {
            // The largest number means that there is no word.
            let most = FREE as usize - 1;
            let room = with_room(self.words.len()).clamp(64, most).max(number);
            self.words.reserve_exact(room - self.words.len());
            self.words.resize_with(room, AtomicU64::default);
        }
    }

    /// Makes room for so many more words, for several times as many as otherwise where there are many: others wait meanwhile.
    pub(crate) fn make_room_ahead(&mut self, more: usize) {
        let most = FREE as usize - 1;
        self.widen((self.len() + more.max(self.len() / 8)).min(most));
        self.make_room(more);
    }

    /// So many threads may fill a new table.
    pub(crate) fn share(&mut self, threads: usize) {
        self.threads = threads;
    }

    /// Gives back the room that was made ahead.
    pub(crate) fn trim(&mut self) {
        self.words.truncate(self.len());
        self.words.shrink_to_fit();
    }
}

/// How much room lists of this length get when they grow. Large ones grow by a sixteenth: they lie in pages of their own,
/// which the system moves without copying, so that little memory waits for states that may never come.
pub(crate) fn with_room(length: usize) -> usize {
    match length < DOUBLED / 32 {
        true => length + length / 4,
        false => length + length / 16,
    }
}

/// Adds to a list that may become long: it grows as [`with_room`] says, not to the double.
#[inline]
pub(crate) fn push<T>(list: &mut Vec<T>, one: T) {
    if list.len() == list.capacity() {
        let room = with_room(list.len()).max(64);
        list.reserve_exact(room - list.len());
    }
    list.push(one);
}

/// The size after this one.
fn larger(size: usize) -> usize {
    match (size < DOUBLED, size.is_power_of_two()) {
        (true, _) => size * 2,
        (false, true) => size / 2 * 3,
        (false, false) => size / 3 * 4,
    }
}

/// The first slot for a hash: as far along the table as its low half is among numbers of 32 bits.
#[inline]
fn slot_of(hash: u64, size: usize) -> usize {
    ((u64::from(hash as u32) * size as u64) >> 32) as usize
}

/// A table in which words are looked for.
#[derive(Clone, Copy)]
pub(crate) struct Looks<'a> {
    words: &'a [AtomicU64],
    slots: &'a [AtomicU32],
    bits: u32,
}

impl Looks<'_> {
    /// The first slot for a hash.
    #[inline]
    fn slot(&self, hash: u64) -> usize {
        slot_of(hash, self.slots.len())
    }

    /// The slot after one.
    #[inline]
    fn after(&self, slot: usize) -> usize {
        match slot + 1 < self.slots.len() {
            true => slot + 1,
            false => 0,
        }
    }

    /// What the first slot for a hash holds: for looking into several at a time.
    #[inline]
    pub(crate) fn first(&self, hash: u64) -> u32 {
        self.slots[self.slot(hash)].load(Acquire)
    }

    /// What a slot holds; nothing if there is none.
    #[inline]
    pub(crate) fn at(&self, slot: u32) -> u32 {
        let slot = self.slots.get(slot as usize);
        slot.map_or(FREE, |slot| slot.load(Relaxed))
    }

    /// Whether what the first slot for a hash holds tells of this word.
    #[inline]
    pub(crate) fn is_first(&self, first: u32, word: u64, hash: u64) -> bool {
        self.has(self.number(first, hash), word)
    }

    /// The number in a slot that tells of a word with this hash.
    #[inline]
    pub(crate) fn number(&self, slot: u32, hash: u64) -> u32 {
        slot ^ self.tag(hash)
    }

    /// The number of a word with this hash, or the slot where it would be, given what the first slot for it holds, which
    /// tells of another one.
    #[inline]
    pub(crate) fn find_on(&self, first: u32, word: u64, hash: u64) -> Result<u32, u32> {
        let slot = self.slot(hash);
        match first {
            FREE => Err(slot as u32),
            _ => self.find(self.after(slot), word, hash),
        }
    }

    /// The number of a word with this hash, or the slot where it would be, which is in no slot before this one.
    #[inline]
    fn find(&self, slot: usize, word: u64, hash: u64) -> Result<u32, u32> {
        let tag = self.tag(hash);
        let mut at = slot;
        loop {
            let slot = self.slots[at].load(Acquire);
            if self.has(slot ^ tag, word) {
                return Ok(slot ^ tag);
            }
            if slot == FREE {
                return Err(at as u32);
            }
            at = self.after(at);
        }
    }

    /// Whether the word with a number is this one. Where the bits of hashes differ, the number is larger than any.
    #[inline]
    fn has(&self, number: u32, word: u64) -> bool {
        let there = self.words.get(number as usize);
        there.is_some_and(|there| there.load(Relaxed) == word)
    }

    #[inline]
    fn tag(&self, hash: u64) -> u32 {
        tag(hash, self.bits)
    }
}

/// Bits of a hash where a slot has room for them; those that choose the slot are others.
#[inline]
fn tag(hash: u64, bits: u32) -> u32 {
    ((hash >> 32) << bits) as u32
}

fn free(slots: usize) -> Vec<AtomicU32> {
    let mut all = Vec::new();
    all.reserve_exact(slots);
    all.resize_with(slots, || AtomicU32::new(FREE));
    all
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
            numbers.make_room(1);
            assert_eq!(numbers.add(word, mixed(word)), expected);
            assert_eq!(numbers.find(word, mixed(word)), Some(expected));
            let look = |word: u64| {
                let (looks, hash) = (numbers.looks(), mixed(word));
                let first = looks.first(hash);
                match looks.is_first(first, word, hash) {
                    true => Ok(looks.number(first, hash)),
                    false => looks.find_on(first, word, hash),
                }
            };
            assert_eq!(look(word), Ok(expected));
            let other = word ^ 1 << 63;
            assert_eq!(look(other).ok(), known.get(&other).copied());
        }
        assert_eq!(numbers.len(), known.len());
        for (word, number) in known {
            assert_eq!(numbers.word(number), word);
        }
    }

    #[test]
    fn large_tables_grow_by_less_than_the_double_and_find_all_words() {
        let (mut size, mut sizes) = (256, Vec::new());
        while (size as u64) < 1 << 32 {
            sizes.push(size);
            size = larger(size);
        }
        assert_eq!(size as u64, 1 << 32);
        let halves = sizes.iter().filter(|size| !size.is_power_of_two());
        assert_eq!(halves.count(), 11);
        let mut numbers = Numbers::new();
        // Where a table is neither doubled nor a power of two.
        let number = (DOUBLED / 10 * 7 + 1000) as u64;
        numbers.make_room(1000);
        let word = |number: u64| number.wrapping_mul(0x1234_5678_9abc_def1);
        for one in 0..number {
            numbers.make_room(1);
            assert_eq!(u64::from(numbers.add(word(one), mixed(word(one)))), one);
        }
        assert_eq!(numbers.size(), DOUBLED / 2 * 3);
        for one in (0..number).step_by(97) {
            let found = numbers.find(word(one), mixed(word(one)));
            assert_eq!(found.map(u64::from), Some(one));
        }
        assert_eq!(numbers.find(word(number), mixed(word(number))), None);
    }

    #[test]
    fn a_table_that_several_threads_filled_finds_all_words() {
        let word = |number: u64| number.wrapping_mul(0x1234_5678_9abc_def1);
        for threads in [2, 3, 7] {
            let mut numbers = Numbers::new();
            numbers.share(threads);
            let number = 3 * SHARED as u64;
            for one in 0..number {
                if one % 10_000 == 0 {
                    numbers.make_room_ahead(10_000);
                }
                assert_eq!(u64::from(numbers.add(word(one), mixed(word(one)))), one);
            }
            numbers.trim();
            assert_eq!(numbers.words.len() as u64, number);
            for one in 0..number {
                let found = numbers.find(word(one), mixed(word(one)));
                assert_eq!(found.map(u64::from), Some(one), "{threads} threads");
            }
            assert_eq!(numbers.find(word(number), mixed(word(number))), None);
            let there = numbers.slots.iter().filter(|one| one.load(Relaxed) != FREE);
            assert_eq!(there.count() as u64, number);
        }
    }

    #[test]
    fn what_finds_no_slot_in_its_part_of_a_table_gets_one_behind_it() {
        let mut numbers = Numbers::new();
        numbers.make_room(SHARED);
        // All belong to the last slots before the middle, or before the end.
        let size = numbers.size();
        let is_there = |word: &u64| {
            let slot = slot_of(mixed(*word), size);
            [size / 2, size]
                .iter()
                .any(|&end| (end - 3..end).contains(&slot))
        };
        let words: Vec<u64> = (0..).filter(is_there).take(40).collect();
        for &word in &words {
            numbers.add(word, mixed(word));
        }
        numbers
            .slots
            .iter_mut()
            .for_each(|slot| *slot.get_mut() = FREE);
        numbers.refill(2);
        for (number, &word) in words.iter().enumerate() {
            assert_eq!(numbers.find(word, mixed(word)), Some(number as u32));
        }
    }

    #[test]
    fn others_find_words_while_one_adds_some() {
        let mut numbers = Numbers::new();
        numbers.make_room(50_000);
        let word = |number: u64| number.wrapping_mul(0x1234_5678_9abc_def1);
        let numbers = &numbers;
        std::thread::scope(|scope| {
            let reader = scope.spawn(move || {
                let mut seen = 0;
                while seen < 50_000 {
                    seen = numbers.len() as u64;
                    for number in (0..seen).rev().take(64) {
                        let found = numbers.find(word(number), mixed(word(number)));
                        assert_eq!(found, Some(number as u32));
                        assert_eq!(numbers.word(number as u32), word(number));
                    }
                    let absent = word(60_000);
                    assert_eq!(numbers.find(absent, mixed(absent)), None);
                }
            });
            for number in 0..50_000 {
                assert_eq!(
                    numbers.add(word(number), mixed(word(number))),
                    number as u32
                );
            }
            assert!(reader.join().is_ok());
        });
    }
}
