//! Blocks whose number of copies is a sum of numbers.

use crate::linear::Linear;
pub(super) use crate::linear::NUMBERS;
use crate::machine::Symbol;

/// `g1 · n1 + g2 · n2 + … + count`, for all numbers `n1`, `n2`, … from 0 on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Count {
    pub(crate) growth: [u64; NUMBERS],
    pub(crate) count: u64,
}

/// The longest word of a block that is found.
const WORD: usize = 8;

/// Factors beyond this are not followed.
const LARGEST: u64 = 1_000_000_000;

impl Count {
    /// A number.
    pub(crate) fn of(count: u64) -> Count {
        Count {
            growth: [0; NUMBERS],
            count,
        }
    }

    /// `growth · n + count` for the number of this place.
    pub(crate) fn growing(place: usize, growth: u64, count: u64) -> Count {
        let mut one = Count::of(count);
        one.growth[place] = growth;
        one
    }

    /// A sum that is nowhere negative.
    pub(crate) fn from_linear(sum: &Linear) -> Option<Count> {
        let mut count = Count::of(u64::try_from(sum.count).ok()?);
        for (one, &growth) in count.growth.iter_mut().zip(&sum.growth) {
            *one = u64::try_from(growth).ok()?;
        }
        Some(count)
    }

    /// Whether it is the same for all numbers.
    pub(super) fn is_constant(&self) -> bool {
        self.growth == [0; NUMBERS]
    }

    pub(super) fn plus(&self, other: &Count) -> Option<Count> {
        let mut sum = *self;
        for (one, more) in sum.growth.iter_mut().zip(other.growth) {
            *one = one.checked_add(more).filter(|&one| one <= LARGEST)?;
        }
        sum.count = (sum.count.checked_add(other.count)).filter(|&one| one <= LARGEST)?;
        Some(sum)
    }

    pub(super) fn times(&self, factor: u64) -> Option<Count> {
        let mut product = *self;
        for one in product.growth.iter_mut().chain([&mut product.count]) {
            *one = one.checked_mul(factor).filter(|&one| one <= LARGEST)?;
        }
        Some(product)
    }

    /// How often a number fits, and what is left; none if what is left is not always the same.
    pub(super) fn divided(&self, by: u64) -> Option<(Count, u64)> {
        if by == 0 || !self.growth.iter().all(|growth| growth.is_multiple_of(by)) {
            return None;
        }
        let growth = self.growth.map(|growth| growth / by);
        let count = self.count / by;
        Some((Count { growth, count }, self.count % by))
    }

    /// Whether it is never more than another one.
    pub(super) fn is_at_most(&self, other: &Count) -> bool {
        let mut pairs = self.growth.iter().zip(&other.growth);
        pairs.all(|(one, two)| one <= two) && self.count <= other.count
    }
}

/// A word repeated so many times.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) word: Vec<Symbol>,
    pub(super) count: Count,
}

impl Part {
    /// One cell.
    pub(super) fn cell(symbol: Symbol) -> Part {
        Part {
            word: vec![symbol],
            count: Count::of(1),
        }
    }

    /// Whether there are as many copies for all numbers.
    pub(super) fn is_constant(&self) -> bool {
        self.count.is_constant()
    }
}

/// A word as blocks: at each place the repetition that covers most.
pub(crate) fn blocks(word: &[Symbol]) -> Vec<(Vec<Symbol>, u64)> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < word.len() {
        let mut best = (1, 1);
        for length in 1..=WORD.min((word.len() - at) / 3) {
            let copy = &word[at..at + length];
            let times = word[at..]
                .chunks_exact(length)
                .take_while(|one| *one == copy)
                .count();
            if times >= 3 && times * length > best.0 * best.1 {
                best = (length, times);
            }
        }
        found.push((word[at..at + best.0].to_vec(), best.1 as u64));
        at += best.0 * best.1;
    }
    found
}
